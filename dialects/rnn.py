"""
`rnn`: one step of a recurrent layer, with OpenVINO's attributes, gate order and weight layout.

Shapes: X [batch, input_size], H and C [batch, hidden_size], W [gates * hidden_size, input_size],
R [gates * hidden_size, hidden_size], B [gates * hidden_size] (linear_before_reset: one more part).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AnyFloatConstr,
    ArrayAttr,
    BoolAttr,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    f64,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .inferred import Constants, InferredOp, label, shape_of, tensor

ACTIVATIONS = ("sigmoid", "tanh", "relu")
"""The gate activations that have a meaning here."""


def names(*activations: str) -> ArrayAttr[StringAttr]:
    """An attribute that lists activation functions."""
    return ArrayAttr([StringAttr(name) for name in activations])


class CellOp(InferredOp, ABC):
    """What all cells share: hidden size, activations and clip; `GATES` rows of weights per hidden unit."""

    GATES: ClassVar[int]
    ACTIVATION_COUNT: ClassVar[int]

    ELEMENT: ClassVar = VarConstraint("ELEMENT", AnyFloatConstr)

    hidden_size = prop_def(IntegerAttr[I64])
    clip = prop_def(FloatAttr[Float64Type], default_value=FloatAttr(0.0, f64))
    activations_alpha = prop_def(
        ArrayAttr[FloatAttr[Float64Type]], default_value=ArrayAttr[FloatAttr[Float64Type]]([])
    )
    activations_beta = prop_def(
        ArrayAttr[FloatAttr[Float64Type]], default_value=ArrayAttr[FloatAttr[Float64Type]]([])
    )

    traits = traits_def(Pure())

    def check(
        self,
        x: SSAValue,
        states: Sequence[SSAValue],
        w: SSAValue,
        r: SSAValue,
        b: SSAValue,
        activations: ArrayAttr[StringAttr],
        bias_parts: int,
    ) -> list[Attribute]:
        """The types of the new states, one like each old one. Raises VerifyException where sizes differ."""
        hidden, rows = self.hidden_size.value.data, self.GATES * self.hidden_size.value.data
        batch, inputs = self._size(x, "X", 2)
        for name, state in zip("HC", states, strict=False):
            self._match(state, name, (batch, hidden))
        self._match(w, "W", (rows, inputs))
        self._match(r, "R", (rows, hidden))
        self._match(b, "B", (bias_parts * hidden,))
        functions = [name.data for name in activations]
        unknown = [name for name in functions if name not in ACTIVATIONS]
        if unknown or len(functions) != self.ACTIVATION_COUNT:
            raise VerifyException(
                f"{label(self)}: activations {functions}; needs {self.ACTIVATION_COUNT} of "
                f"{', '.join(ACTIVATIONS)}"
            )
        if self.clip.value.data < 0:
            raise VerifyException(f"{label(self)}: clip {self.clip.value.data} is negative")
        return [TensorType(tensor(x).element_type, [batch, hidden]) for _ in states]

    def _size(self, value: SSAValue, name: str, rank: int) -> tuple[int, ...]:
        shape = shape_of(value)
        if len(shape) != rank:
            raise VerifyException(f"{label(self)}: {name} has rank {len(shape)}, not {rank}")
        return shape

    def _match(self, value: SSAValue, name: str, wanted: tuple[int, ...]) -> None:
        shape = self._size(value, name, len(wanted))
        if any(a != b and DYNAMIC_INDEX not in (a, b) for a, b in zip(shape, wanted, strict=True)):
            raise VerifyException(
                f"{label(self)}: {name} has shape {list(shape)}, expected {list(wanted)}"
            )


@irdl_op_definition
class LstmCellOp(CellOp):
    """
    One LSTM step (OpenVINO `LSTMCell-4`), gates in the order f, i, c, o:

    `C' = f(xW+hR+b)_f * C + f(..)_i * g(..)_c;  H' = f(..)_o * h(C')`

        %h, %c = rnn.lstm_cell %x, %h0, %c0, %w, %r, %b {hidden_size = 8 : i64} : (…) -> (…)
    """

    name = "rnn.lstm_cell"
    GATES: ClassVar[int] = 4
    ACTIVATION_COUNT: ClassVar[int] = 3

    x = operand_def(TensorType.constr(CellOp.ELEMENT))
    h = operand_def(TensorType.constr(CellOp.ELEMENT))
    c = operand_def(TensorType.constr(CellOp.ELEMENT))
    w = operand_def(TensorType.constr(CellOp.ELEMENT))
    r = operand_def(TensorType.constr(CellOp.ELEMENT))
    b = operand_def(TensorType.constr(CellOp.ELEMENT))
    h_next = result_def(TensorType.constr(CellOp.ELEMENT))
    c_next = result_def(TensorType.constr(CellOp.ELEMENT))
    activations = prop_def(ArrayAttr[StringAttr], default_value=names("sigmoid", "tanh", "tanh"))
    assembly_format = (
        "$x `,` $h `,` $c `,` $w `,` $r `,` $b attr-dict `:` functional-type(operands, results)"
    )

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        return self.check(
            self.x, (self.h, self.c), self.w, self.r, self.b, self.activations, bias_parts=4
        )


@irdl_op_definition
class GruCellOp(CellOp):
    """
    One GRU step (OpenVINO `GRUCell-3`), gates in the order z, r, h:

    `H' = (1 - z) * g(x W_h + (r * h) R_h + b_h) + z * h`; with `linear_before_reset` the reset gate
    multiplies `h R_h + b_rh` instead, and B has a fourth part.

        %h = rnn.gru_cell %x, %h0, %w, %r, %b {hidden_size = 8 : i64} : (…) -> tensor<1x8xf32>
    """

    name = "rnn.gru_cell"
    GATES: ClassVar[int] = 3
    ACTIVATION_COUNT: ClassVar[int] = 2

    x = operand_def(TensorType.constr(CellOp.ELEMENT))
    h = operand_def(TensorType.constr(CellOp.ELEMENT))
    w = operand_def(TensorType.constr(CellOp.ELEMENT))
    r = operand_def(TensorType.constr(CellOp.ELEMENT))
    b = operand_def(TensorType.constr(CellOp.ELEMENT))
    h_next = result_def(TensorType.constr(CellOp.ELEMENT))
    activations = prop_def(ArrayAttr[StringAttr], default_value=names("sigmoid", "tanh"))
    linear_before_reset = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    assembly_format = (
        "$x `,` $h `,` $w `,` $r `,` $b attr-dict `:` functional-type(operands, results)"
    )

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        parts = 4 if self.linear_before_reset else 3
        return self.check(
            self.x, (self.h,), self.w, self.r, self.b, self.activations, bias_parts=parts
        )


@irdl_op_definition
class RnnCellOp(CellOp):
    """
    One step of a simple recurrent layer (OpenVINO `RNNCell-0`): `H' = f(xW + hR + b)`

        %h = rnn.rnn_cell %x, %h0, %w, %r, %b {hidden_size = 8 : i64} : (…) -> tensor<1x8xf32>
    """

    name = "rnn.rnn_cell"
    GATES: ClassVar[int] = 1
    ACTIVATION_COUNT: ClassVar[int] = 1

    x = operand_def(TensorType.constr(CellOp.ELEMENT))
    h = operand_def(TensorType.constr(CellOp.ELEMENT))
    w = operand_def(TensorType.constr(CellOp.ELEMENT))
    r = operand_def(TensorType.constr(CellOp.ELEMENT))
    b = operand_def(TensorType.constr(CellOp.ELEMENT))
    h_next = result_def(TensorType.constr(CellOp.ELEMENT))
    activations = prop_def(ArrayAttr[StringAttr], default_value=names("tanh"))
    assembly_format = (
        "$x `,` $h `,` $w `,` $r `,` $b attr-dict `:` functional-type(operands, results)"
    )

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        return self.check(self.x, (self.h,), self.w, self.r, self.b, self.activations, bias_parts=1)


Rnn = Dialect("rnn", [LstmCellOp, GruCellOp, RnnCellOp])
