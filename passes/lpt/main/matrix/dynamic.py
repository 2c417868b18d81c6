"""MatMul of what is quantized on an interval that is computed while running."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import BoolAttr, StringAttr, f32, i8
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import NAME, friendly_name, shape_of, tensor
from .....dialects.nn import (
    AddOp,
    ConstantOp,
    MatMulOp,
    MultiplyOp,
    ReshapeOp,
    SubtractOp,
    constant_of,
)
from .....dialects.origins import ORIGINAL
from .....dialects.qnn import FakeQuantizeOp
from .....reference.arrays import Array, array_of, blob_of
from ...dequantization import NO_ZERO_POINT, Dequantization, dequantize
from ...plan import LptPlan
from ...precision import LEVELS, ui8
from ...products import overflow, unsupported
from ...transformation import Transformation
from .mat_mul import differs_along, oriented, summed, summed_axis, without_vectors


class QuantizeMatMulDynamically(Transformation[MatMulOp]):
    """
    `fq(x) dq(w) = dq'(q w) step + low sum_k w` with `fq(x) = q step + low` for an `fq` whose output interval is
    computed at run time. The product multiplies codes; one multiplication and one addition behind the sum restore the
    values.

    For one interval, or one for each row of `x`, and constant i8 weights without a zero point.

    Declines sums that could leave 32 bits.
    """

    name: ClassVar[str] = "mat_mul_dynamic"
    op: ClassVar[type[MatMulOp]] = MatMulOp

    def transform(self, op: MatMulOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        quantize, weights = op.a.owner, Dequantization.on(op.b)
        if not isinstance(quantize, FakeQuantizeOp) or not is_dynamic(quantize) or weights is None:
            return ""
        limits = quantize.operands[3:]
        if not all(is_one(limit) or is_of_rows(op, limit) for limit in limits):
            return ""
        blob, takes = constant_of(weights.codes), plan.precisions(op, "input0")
        if blob is None or tensor(weights.codes).element_type != i8 or not weights.is_symmetric:
            return ""
        if unsupported(op, plan, 1, weights) is not None or (
            takes is not None and ui8 not in takes
        ):
            return ""
        if differs_along(weights.scale, summed_axis(op, 1)) or overflow(None, weights, summed(op)):
            return ""

        steps = quantize.levels.value.data - 1
        new = list[Operation]()

        def add(one: Operation) -> SSAValue:
            new.append(one)
            return one.results[0]

        def known(array: Array) -> SSAValue:
            return add(ConstantOp(blob_of(np.asarray(array), f32)))

        def without_ones(value: SSAValue) -> SSAValue:
            if not is_one(value):
                return value
            shape = add(ConstantOp(blob_of(np.zeros(0, np.int64))))
            return add(ReshapeOp.of(value, shape, special_zero=BoolAttr.from_bool(False)))

        ends = [known(np.asarray(end)) for end in (0, steps)]
        properties = quantize.properties | {"output_type": ui8}
        codes = FakeQuantizeOp.of(*quantize.operands[:3], *ends, **properties)
        product = MatMulOp.of(add(codes), weights.codes, **op.properties)
        scale = without_vectors(op, oriented(op, 1, weights.scale))
        sums = oriented(op, 1, array_of(blob)).sum(-2, dtype=np.float64, keepdims=True)
        values = dequantize(add(product), scale, NO_ZERO_POINT, f32)
        low, high = map(without_ones, limits)
        step = add(MultiplyOp.of(add(SubtractOp.of(high, low)), known(np.asarray(1 / steps))))
        total = MultiplyOp.of(add(values), step)
        if not is_zero(limits[0]):
            scaled = add(total)
            shift = add(MultiplyOp.of(known(without_vectors(op, sums) * scale), low))
            total = AddOp.of(scaled, shift)
        product.attributes |= op.attributes
        for like, named in ((quantize, codes), (op, total)):
            if (name := friendly_name(like)) is not None:
                named.attributes[NAME] = StringAttr(name)
        if (name := friendly_name(op)) is not None:
            product.attributes[NAME] = StringAttr(name + ORIGINAL)
        rewriter.replace(op, [*new, total])
        return None


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
    blob = constant_of(limit)
    return blob is not None and not array_of(blob).any()
