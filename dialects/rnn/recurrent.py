"""The common part of recurrent cells and sequences: attributes, activations, and the check of shapes."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    ArrayAttr,
    Float64Type,
    FloatAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import SSAValue
from xdsl.irdl import VarConstraint, operand_def, prop_def, result_def, traits_def

from ..compatible import compatible_shapes
from ..inferred import TensorOp, shape_of, spelled
from ..properties import WORDS, flag_prop, integer_prop, number_prop, numbers_prop
from ..traits import Multiplies

ACTIVATIONS = ("sigmoid", "tanh", "relu", "hard_sigmoid")
"""The supported gate activations; `hard_sigmoid` is `max(0, min(1, alpha * x + beta))`."""

ALPHA, BETA = 0.2, 0.5
"""The parameters of `hard_sigmoid` where activations_alpha and activations_beta do not give them."""


FLOATS = TensorType.constr(VarConstraint("ELEMENT", AnyFloatConstr))
"""Tensors of floating-point numbers, of one type in an operation."""


def names(*activations: str) -> ArrayAttr[StringAttr]:
    """An attribute that lists activation functions."""
    return ArrayAttr([StringAttr(name) for name in activations])


@dataclass(frozen=True)
class Activation:
    """A gate's activation function with its parameters."""

    name: str
    alpha: float
    beta: float


class StateOp(TensorOp, ABC):
    """
    An operation with a state, H. Its operands come first: a class has those of its first base before those of others.
    """

    x = operand_def(FLOATS)
    h = operand_def(FLOATS)
    h_next = result_def(FLOATS)


class RecurrentOp(TensorOp, ABC):
    """
    The common part of cells and sequences: `GATES` rows of weights, and one activation for each of the
    `ACTIVATION_COUNT` kinds of gates.
    """

    GATES: ClassVar[int]
    ACTIVATION_COUNT: ClassVar[int]

    w = operand_def(FLOATS)
    r = operand_def(FLOATS)
    b = operand_def(FLOATS)
    hidden_size = integer_prop()
    clip = number_prop(0.0)
    activations_alpha = numbers_prop(())
    activations_beta = numbers_prop(())

    traits = traits_def(Multiplies((("x", "w"), ("h", "r"))))

    @property
    def bias_parts(self) -> int:
        """How many vectors of the hidden size B holds, of each direction."""
        return self.GATES

    @property
    def functions(self) -> list[Activation]:
        """The activations with their parameters."""
        alpha = [number.value.data for number in self.activations_alpha]
        beta = [number.value.data for number in self.activations_beta]
        return [
            Activation(
                name.data,
                alpha[i] if i < len(alpha) else ALPHA,
                beta[i] if i < len(beta) else BETA,
            )
            for i, name in enumerate(cast(ArrayAttr[StringAttr], self.properties["activations"]))
        ]

    def check_attributes(self) -> None:
        """Raises VerifyException where an attribute has no meaning."""
        found = [function.name for function in self.functions]
        unknown = [name for name in found if name not in ACTIVATIONS]
        if unknown or len(found) != self.ACTIVATION_COUNT:
            raise self.op_error(
                f"activations {found}; needs {self.ACTIVATION_COUNT} of {', '.join(ACTIVATIONS)}"
            )
        for name in ("clip", "cell_clip"):
            limit = self.properties.get(name)
            if limit is not None and not cast(FloatAttr[Float64Type], limit).value.data >= 0:
                raise self.op_error(
                    f"{name} {cast(FloatAttr[Float64Type], limit).value.data} is negative"
                )

    def size(self, value: SSAValue, name: str, rank: int) -> tuple[int, ...]:
        """The shape of an operand. Raises VerifyException where it has another rank."""
        shape = shape_of(value)
        if len(shape) != rank:
            raise self.op_error(f"{name} has rank {len(shape)}, not {rank}")
        return shape

    def match(self, value: SSAValue, name: str, wanted: tuple[int, ...]) -> None:
        """Raises VerifyException where an operand has another shape."""
        shape = self.size(value, name, len(wanted))
        if not compatible_shapes(shape, wanted):
            raise self.op_error(f"{name} has shape {spelled(shape)}, expected {spelled(wanted)}")


class LstmOp(RecurrentOp, ABC):
    """An operation with two states, H and C."""

    c = operand_def(FLOATS)
    c_next = result_def(FLOATS)

    GATES: ClassVar[int] = 4
    ACTIVATION_COUNT: ClassVar[int] = 3

    activations = prop_def(WORDS, default_value=names("sigmoid", "tanh", "tanh"))
    cell_clip = number_prop(0.0)


class GruOp(RecurrentOp, ABC):
    """An operation with update and reset gates."""

    GATES: ClassVar[int] = 3
    ACTIVATION_COUNT: ClassVar[int] = 2

    activations = prop_def(WORDS, default_value=names("sigmoid", "tanh"))
    linear_before_reset = flag_prop(False)

    @property
    def bias_parts(self) -> int:
        return 4 if self.linear_before_reset else 3


class RnnOp(RecurrentOp, ABC):
    """An operation without gates, with one activation."""

    GATES: ClassVar[int] = 1
    ACTIVATION_COUNT: ClassVar[int] = 1

    activations = prop_def(WORDS, default_value=names("tanh"))
