"""MatMul of what is quantized on an interval that is computed while running."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, i8
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from .....dialects.blob import BlobAttr
from .....dialects.inferred import copy_name, shape_of, tensor
from .....dialects.nn import AddOp, MatMulOp, MultiplyOp, SubtractOp, Writer, constant_of
from .....dialects.qnn import FakeQuantizeOp
from .....reference.arrays import array_of, blob_of
from .....reference.constants import constant_array
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...precision import LEVELS, ui8
from ...products import asymmetric, overflow, rejected_precision, why_in_float
from ...transformation import Transformation, pass_on_attributes
from .mat_mul import oriented, summed, unsupported_side, without_vectors


class QuantizeMatMulDynamically(Transformation[MatMulOp]):
    """
    `fq(x) dq(w) = dq'(q w) step + low sum_k w` with `fq(x) = q step + low` for an `fq` whose output interval is
    computed at run time. The product multiplies codes; one multiplication and one addition behind the sum restore the
    values.

    For one interval, or one for each row of `x`, and constant i8 weights without a zero point.

    Declines other intervals and weights; types that are not configured; scales of weights along the sum; sums that
    could leave 32 bits.
    """

    name: ClassVar[str] = "mat_mul_dynamic"
    op: ClassVar[type[MatMulOp]] = MatMulOp

    def transform(self, op: MatMulOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        quantize, weights = op.a.owner, Dequantization.on(op.b)
        if not isinstance(quantize, FakeQuantizeOp) or not is_dynamic(quantize):
            return ""
        if weights is None:
            return why_in_float(plan, op.b, 1)
        if (blob := constant_of(weights.codes)) is None:
            return (
                "input 0 is quantized on an interval that is computed, and input 1 is not a constant; quantize "
                "input 0 on an interval of constants"
            )
        if (reason := unsupported_interval(op, quantize, plan)) is not None:
            return reason
        if (reason := unsupported_weights(op, weights, plan)) is not None:
            return reason

        write = Writer(InsertPoint.before(op))
        product = write(MatMulOp, codes_of(write, quantize), weights.codes, **op.properties)
        low, step = low_and_step(write, quantize)
        scale = without_vectors(op, oriented(op, 1, weights.scale))
        values = write.builder.insert(dequantize(product, scale, NO_ZERO_POINT, f32)).result
        total = write(MultiplyOp, values, step)
        if not is_zero(quantize.output_low):
            sums = oriented(op, 1, array_of(blob)).sum(-2, dtype=np.float64, keepdims=True)
            shift = write.constant(blob_of(without_vectors(op, sums) * scale, f32))
            total = write(AddOp, total, write(MultiplyOp, shift, low))
        assert isinstance(product.owner, MatMulOp) and isinstance(total.owner, Operation)
        pass_on_attributes(op, product.owner, [total.owner])
        rewriter.replace(op, [], [total])
        return None


def unsupported_interval(op: MatMulOp, quantize: FakeQuantizeOp, plan: LptPlan) -> str | None:
    """Why the product does not support codes of such an interval."""
    if not all(is_one(limit) or is_of_rows(op, limit) for limit in quantize.operands[3:]):
        return (
            "input 0 is quantized on intervals that are computed, and differ along the dimension that is summed "
            "over; compute one interval, or one for each row"
        )
    return rejected_precision(op, plan, 0, ui8)


def unsupported_weights(op: MatMulOp, weights: Dequantization, plan: LptPlan) -> str | None:
    """Why the product does not support such weights beside an interval that is computed."""
    if (element := tensor(weights.codes).element_type) != i8:
        return f"input 1 is quantized to {element}; beside an interval that is computed, quantize it to i8"
    return (
        asymmetric(weights)
        or unsupported_side(op, plan, 1, weights)
        or overflow(None, weights, summed(op))
    )


def codes_of(write: Writer, quantize: FakeQuantizeOp) -> SSAValue:
    """The codes of what a FakeQuantize gives, from 0 on."""
    ends = [
        write.constant(BlobAttr.of(TensorType(f32, []), end)) for end in (0, steps_of(quantize))
    ]
    properties = quantize.properties | {"output_type": ui8}
    codes = FakeQuantizeOp.of(*quantize.operands[:3], *ends, **properties)
    copy_name(quantize, codes)
    return write.builder.insert(codes).result


def low_and_step(write: Writer, quantize: FakeQuantizeOp) -> tuple[SSAValue, SSAValue]:
    """The values of code 0, and of the distance between two codes: scalars, or one for each row."""
    low, high = (
        write.reshaped(limit, ()) if is_one(limit) else limit for limit in quantize.operands[3:]
    )
    return low, write(MultiplyOp, write(SubtractOp, high, low), 1 / steps_of(quantize))


def steps_of(quantize: FakeQuantizeOp) -> int:
    """How many steps lie between the ends of its interval."""
    return quantize.levels.value.data - 1


def is_dynamic(op: FakeQuantizeOp) -> bool:
    """Whether a FakeQuantize of few levels gives values on an interval that is computed."""
    return (
        op.output_type is None
        and op.levels.value.data in LEVELS
        and tensor(op.result).element_type == f32
        and any(constant_of(limit) is None for limit in op.operands[3:])
    )


def is_one(limit: SSAValue) -> bool:
    """Whether a limit is the same for all elements."""
    return set(shape_of(limit)) <= {1}


def is_of_rows(op: MatMulOp, limit: SSAValue) -> bool:
    """Whether a limit of the left matrix is the same for all elements that are summed, and stands for their row."""
    are_matrices = min(len(shape_of(op.a)), len(shape_of(op.b))) >= 2
    return are_matrices and not op.transpose_a and shape_of(limit)[-1:] == (1,)


def is_zero(limit: SSAValue) -> bool:
    array = constant_array(limit)
    return array is not None and not array.any()
