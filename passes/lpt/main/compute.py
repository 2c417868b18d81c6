"""The template of the laws `op(dq(q)) = dq'(op'(q))` where `op'` gives values between codes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field

from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.inferred import InferredOp, tensor
from ....dialects.nn import ConvertOp
from ....reference.arrays import Array
from ..dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ..plan import LptPlan
from ..transformation import OpT, Transformation, replace


@dataclass(frozen=True)
class OnCodes:
    """An operation on codes: what dequantizes its result, and properties that are new."""

    scale: Array
    zero_point: Array = field(default_factory=lambda: NO_ZERO_POINT)
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])


class ComputeOnCodes(Transformation[OpT]):
    """
    `op(dq(q)) = dq'(op'(convert(q)))`: the operation reads codes, which its kernel converts while it
    loads them, and computes in floating point, as its results lie between codes.

    A subclass says what `dq'` and `op'` are, or why there are none.
    """

    @abstractmethod
    def on_codes(self, op: OpT, dequantization: Dequantization) -> OnCodes | str:
        """The operation on codes; or why it needs values."""

    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        dequantization = Dequantization.low_on(op.operands[0])
        if isinstance(dequantization, str):
            return dequantization
        found = self.on_codes(op, dequantization)
        if isinstance(found, str):
            return found
        assert isinstance(op, InferredOp)
        element = dequantization.computed
        values = ConvertOp.of(dequantization.codes, destination_type=element)
        others = [as_values(other, op, element, rewriter) for other in op.operands[1:]]
        moved = type(op).of(values, *others, **(op.properties | found.properties))
        rewriter.insert(values)
        dequantized = dequantize(
            moved.results[0], found.scale, found.zero_point, dequantization.element
        )
        replace(op, moved, [dequantized], rewriter)
        return None


def as_values(
    operand: SSAValue, op: InferredOp, element: Attribute, rewriter: PatternRewriter
) -> SSAValue:
    """An operand of the data's type in the type that is computed in; others are axes."""
    known = tensor(operand).element_type
    if known == element or known != tensor(op.operands[0]).element_type:
        return operand
    converted = ConvertOp.of(operand, destination_type=element)
    rewriter.insert(converted)
    return converted.result
