"""The template of the laws `op(dq(q)) = dq'(op(q))`: dequantization sinks through an operation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.inferred import InferredOp, constant_integers, tensor
from ....dialects.nn import ConstantOp
from ....reference.arrays import Array, blob_of
from ....reference.constants import constant_arrays
from ....reference.executor import evaluate
from ..dequantization import Dequantization
from ..plan import LptPlan
from ..transformation import OpT, Transformation, replace, results_of

Change = Callable[[Array], Array]
"""How a scale or zero point that is not per tensor is rearranged."""


class SinkThrough(Transformation[OpT]):
    """
    `op(dq(q)) = dq'(op(q))`: the first operand is the data, every result has its own `dq'`.

    A subclass says what becomes of scales, or why they cannot follow.
    """

    preserves_precision: ClassVar[bool] = True

    @abstractmethod
    def changes(self, op: OpT, dequantization: Dequantization) -> Sequence[Change] | str:
        """How the scales of each result follow from the input's; or why they do not."""

    def on_codes(
        self, op: OpT, dequantization: Dequantization, rewriter: PatternRewriter
    ) -> InferredOp:
        """The operation on codes; its other operands have no values to turn into codes."""
        assert isinstance(op, InferredOp)
        return with_codes(op, dequantization.codes)

    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        return self.sink(op, rewriter)

    def sink(self, op: OpT, rewriter: PatternRewriter) -> str | None:
        """The law, which needs no plan."""
        dequantization = Dequantization.low_on(op.operands[0])
        if isinstance(dequantization, str):
            return dequantization
        changes = self.changes(op, dequantization)
        if isinstance(changes, str):
            return changes
        moved = folded(self.on_codes(op, dequantization, rewriter))
        replace(
            op,
            moved,
            [
                dequantization.over(result, change)
                for result, change in zip(results_of(moved), changes, strict=True)
            ],
            rewriter,
        )
        return None


def known_integers(value: SSAValue) -> Sequence[int]:
    """The integers of an operand that the verifier wants constant."""
    known = constant_integers(value)
    assert known is not None, f"the verifier wants {value} to be constant"
    return known


def with_codes(op: InferredOp, *codes: SSAValue) -> InferredOp:
    """The operation on other leading operands."""
    return type(op).of(*codes, *op.operands[len(codes) :], **op.properties)


def folded(op: InferredOp) -> Sequence[InferredOp | ConstantOp]:
    """Folds results of constants, each to one of its own: weights stay constants when they are moved."""
    if (known := constant_arrays(op.operands)) is None:
        return [op]
    elements = [tensor(result).element_type for result in op.results]
    constants = [
        ConstantOp(blob_of(array, element))
        for array, element in zip(evaluate(op, known), elements, strict=True)
    ]
    op.erase()
    return constants


class SinkAcross(SinkThrough[OpT]):
    """
    `op(dq(q)) = dq(op(q))` for an operation that rearranges elements along some dimensions: scales that
    are the same along these are those of the result.
    """

    @abstractmethod
    def rearranged(self, op: OpT, dequantization: Dequantization) -> Iterable[int] | str:
        """The dimensions, or why the codes cannot be rearranged as the values are."""

    def changes(self, op: OpT, dequantization: Dequantization) -> Sequence[Change] | str:
        axes = self.rearranged(op, dequantization)
        if isinstance(axes, str):
            return axes
        if (lost := varying(dequantization, axes)) is not None:
            return lost
        return [lambda array: array]


def varying(dequantization: Dequantization, axes: Iterable[int]) -> str | None:
    """Why dimensions cannot be rearranged: elements along one differ in scale or zero point."""
    for axis in axes:
        if dequantization.varies_along(axis):
            return (
                f"its input is quantized per channel along dimension {axis}, which it rearranges; "
                "quantize it per tensor"
            )
    return None


def sign_changing(dequantization: Dequantization) -> str | None:
    """Why values do not have the sign of their codes."""
    if not dequantization.is_symmetric:
        return "its input is quantized with a zero point; quantize it symmetrically around 0"
    if (dequantization.scale < 0).any():
        return "its input has a negative scale, which turns the sign of its codes"
    return None


def order_reversing(dequantization: Dequantization) -> str | None:
    """Why an order-reversing dequantization is not moved: greater codes mean smaller values."""
    if (dequantization.scale < 0).any():
        return "its input has a negative scale, which reverses the order of its codes"
    return None
