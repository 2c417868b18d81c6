"""FakeQuantize behind dequantization or arithmetic with constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import AddOp, ConstantOp, ConvertOp, MultiplyOp, SubtractOp
from .....dialects.qnn import DequantizeOp, FakeQuantizeOp
from .....reference.arrays import Array, blob_of, dtype_of
from .....reference.constants import constant_arrays
from ...constants import constant_behind, is_finite, shape_error, with_constant
from ...dequantization import NO_ZERO_POINT, Dequantization, broadcast_to_rank
from ...plan import LptPlan
from ...transformation import Transformation


@dataclass(frozen=True)
class ShiftAndScale:
    """`(data - shift) * factor`, what a FakeQuantize takes."""

    data: SSAValue
    shift: Array
    factor: Array

    @classmethod
    def before(cls, op: FakeQuantizeOp, plan: LptPlan) -> Self | None:
        """The arithmetic in front of a FakeQuantize, if it is with constants."""
        match op.input.owner:
            case DequantizeOp():
                found = Dequantization.on(op.input)
                assert found is not None
                return cls(found.codes, found.zero_point.astype(np.float64), found.scale)
            case MultiplyOp() as product if (found := with_constant(product)) is not None:
                return cls(found[0], NO_ZERO_POINT, found[1])
            case SubtractOp() as difference:
                known = constant_behind(difference.rhs)
                return None if known is None else cls(difference.lhs, known, np.ones(()))
            case AddOp() as total if not plan.is_bias(total):
                found = with_constant(total)
                return None if found is None else cls(found[0], -found[1], np.ones(()))
            case _:
                return None

    def back(self, limit: Array) -> Array:
        """What becomes `limit` on this line."""
        return limit.astype(np.float64) / self.factor + self.shift


class FuseArithmeticToFakeQuantize(Transformation[FakeQuantizeOp]):
    """
    `fq(dq(q)) = fq'(convert(q))` whose input interval is `limit / scale + zero_point`, for scales > 0.

    So also `fq(x * c)`, `fq(x - c)` and `fq(x + c)` with a constant `c`, but for a bias, which belongs to the
    product before it.

    Declines scales that are not positive; constants for each element; values without elements; a bias; f16; a shift
    that would round halves to other codes, where these go to even quotients of the values (`from_zero`).
    """

    name: ClassVar[str] = "fake_quantize"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        fused = False
        while (line := ShiftAndScale.before(op, plan)) is not None:
            if (reason := self.fuse(op, line, rewriter)) is not None:
                return None if fused else reason
            fused = True
        return None if fused else ""

    def fuse(
        self, op: FakeQuantizeOp, line: ShiftAndScale, rewriter: PatternRewriter
    ) -> str | None:
        """Puts the FakeQuantize in front of what it takes; or says why it cannot."""
        element: Attribute = tensor(op.input).element_type
        shape = shape_of(op.input)
        if not isinstance(element, Float32Type | Float64Type) or shape_of(line.data) != shape:
            return ""  # f16 is dequantized in f32, and rounded before it is quantized again
        if 0 in shape:
            return ""  # limits of no channels would become [0, 0]
        limits = constant_arrays((op.input_low, op.input_high)) or []
        if not (line.factor > 0).all():
            return "a scale in front of it that is not positive, which reverses the interval that it takes"
        ends = [broadcast_to_rank(line.back(limit), len(shape)) for limit in limits]
        if len(ends) < 2 or any(shape_error(end, shape) for end in ends):
            return ""
        if op.from_zero is not None and moves_halves(
            line.shift, ends[0], ends[1], op.levels.value.data - 1
        ):
            return ""
        with np.errstate(over="ignore"):  # what is not finite declines
            ends = [end.astype(dtype_of(element)) for end in ends]
        if not keep_order(*limits, *ends):
            return "an input interval that no numbers express in front of the arithmetic before it"
        low, high = (ConstantOp(blob_of(end, element)) for end in ends)
        rewriter.insert((low, high))
        data = line.data
        if tensor(data).element_type != element:
            rewriter.insert(converted := ConvertOp.of(data, destination_type=element))
            data = converted.result
        op.operands = [data, low.result, high.result, op.output_low, op.output_high]
        return None


def moves_halves(shift: Array, low: Array, high: Array, last: int) -> bool:
    """Whether halves that go to even steps do not when steps are counted from another zero, as far away as `shift`."""
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = shift * last / (high - low)
        odd = np.abs(steps - 2 * np.rint(steps / 2)) > FakeQuantizeOp.NEGLIGIBLE
    return bool(odd.any())


def keep_order(low: Array, high: Array, new_low: Array, new_high: Array) -> bool:
    """Whether limits that differ still do, and are finite."""
    ordered = (low >= high) | (new_low < new_high)
    return bool(ordered.all()) and is_finite(new_low) and is_finite(new_high)
