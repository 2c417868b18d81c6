"""FakeQuantize between a convolution and the sum of a residual block."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, f64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from .....dialects.inferred import copy_name, tensor
from .....dialects.locations import inherit
from .....dialects.nn import (
    AddOp,
    ClampOp,
    ConstantOp,
    ConvolutionOp,
    GroupConvolutionOp,
    MaximumOp,
    MinimumOp,
    constant_of,
)
from .....dialects.qnn import DequantizeOp, FakeQuantizeOp
from .....dialects.rewriter import Rewriter
from .....reference.arrays import Array, blob_of
from .....reference.constants import constant_arrays
from ...attributes import UNROUNDED
from ...dequantization import broadcast_to_rank
from ...plan import LptPlan
from ...precision import ROUNDING
from ...provenance import computed_from, requantized_by
from ...quantization_details import QuantizationDetails
from ...transformation import Transformation


class DropRoundingInFrontOfAdd(Transformation[FakeQuantizeOp]):
    """
    `fq'(f(fq(conv(q, w) + bias) + y)) = fq'(f(clamp(conv(q, w) + bias) + y))` for a convolution of codes. Its kernel
    adds `y` before it stores, so the sum is rounded only once, by `fq'`. Each value is up to half a step of `fq` nearer
    to the result without quantization. The clamp keeps the interval of `fq`. `f` is any chain of elementwise functions,
    or none. If both operands of the sum are such branches, the law applies to the first.

    Declines products of values, and products other than convolutions; values up to `fq'` that another operation reads;
    a `y` that is a constant or broadcast; a sum that nothing quantizes; an output interval that is not the input
    interval; more than 256 levels.
    """

    name: ClassVar[str] = "drop_rounding"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        values: OpResult | None = op.result if op.output_type is None else _dequantized(op)
        if values is None or not _ends_in_convolution(op.input, plan):
            return ""
        total = values.get_user_of_unique_use()
        if not isinstance(total, AddOp) or requantized_by(total.result) is None:
            return ""
        other = total.rhs if total.lhs == values else total.lhs
        if constant_of(other) is not None or other.type != values.type:
            return ""
        if values == total.rhs and _is_product(other):
            return ""
        if (interval := _interval(op)) is None:
            return ""
        clamped = _clamp(op.input, *interval, rewriter)
        named = values.op
        clamped.attributes[UNROUNDED] = op.levels
        copy_name(named, clamped)
        rewriter.replace(named, clamped)
        if named is not op:
            rewriter.erase(op)
        return None


def _dequantized(op: FakeQuantizeOp) -> OpResult | None:
    """The values of codes that are only dequantized, once."""
    behind = op.result.get_user_of_unique_use()
    return behind.result if isinstance(behind, DequantizeOp) else None


def _ends_in_convolution(value: SSAValue, plan: LptPlan) -> bool:
    """Whether this is a convolution of codes, dequantized, and its bias, and nothing else uses any of it."""
    if isinstance(bias := value.owner, AddOp) and plan.is_bias(bias) and value.has_one_use():
        value = bias.rhs if constant_of(bias.lhs) is not None else bias.lhs
    if not isinstance(dequantize := value.owner, DequantizeOp) or not value.has_one_use():
        return False
    codes = dequantize.input
    return codes.has_one_use() and isinstance(codes.owner, ConvolutionOp | GroupConvolutionOp)


def _is_product(value: SSAValue) -> bool:
    """Whether this comes from a convolution, element by element, and from nothing else."""
    while isinstance(op := value.owner, Operation) and value.has_one_use():
        if isinstance(op, ConvolutionOp | GroupConvolutionOp):
            return True
        if isinstance(op, FakeQuantizeOp | DequantizeOp):
            value = op.input
        elif (data := computed_from(op)) is not None:
            value = data
        else:
            return False
    return False


def _interval(op: FakeQuantizeOp) -> tuple[Array, Array] | None:
    """The interval of a FakeQuantize that gives the values it takes; None where it gives others."""
    quantization = QuantizationDetails.of(op)
    if isinstance(quantization, str):
        return None
    if (limits := constant_arrays(op.operands[1:3])) is None:
        return None
    low, high = limits
    step = (high.astype(np.float64) - low) / (quantization.levels - 1)
    ends = ((quantization.low, low), (quantization.high, high))
    same = all(
        (np.abs(one.astype(np.float64) - other) <= ROUNDING * step).all() for one, other in ends
    )
    return (low, high) if same else None


def _clamp(value: SSAValue, low: Array, high: Array, rewriter: PatternRewriter) -> Operation:
    """The values between these limits; the last operation is left to the caller to insert."""
    rank, element = len(tensor(value).get_shape()), tensor(value).element_type
    low, high = (broadcast_to_rank(limit, rank) for limit in (low, high))
    if low.ndim == high.ndim == 0:
        return ClampOp.of(value, min=FloatAttr(float(low), f64), max=FloatAttr(float(high), f64))
    least, most = (ConstantOp(blob_of(limit, element)) for limit in (low, high))
    raised = MaximumOp.of(value, least)
    rewriter.insert((least, most, raised))
    return MinimumOp.of(raised, most)


def drops_rounding(function: Operation) -> bool:
    """Whether something in it clips in the place of a FakeQuantize."""
    return any(UNROUNDED in op.attributes for op in function.walk())


def round_again(module: ModuleOp) -> None:
    """Puts a FakeQuantize behind what clips in the place of one: undoes what was dropped."""
    for op in module.walk():
        if not isinstance(levels := op.attributes.get(UNROUNDED), IntegerAttr):
            continue
        (value,) = op.results
        ends: list[Array]
        if isinstance(op, ClampOp):
            ends = [np.asarray(end.value.data) for end in (op.min, op.max)]
        else:
            assert isinstance(op, MinimumOp)
            raised = op.lhs.owner
            assert isinstance(raised, MaximumOp)
            ends = constant_arrays((raised.rhs, op.rhs)) or []
        element: Attribute = tensor(value).element_type
        limits = [ConstantOp(blob_of(end, element)) for end in ends]
        quantize = FakeQuantizeOp.of(value, *limits, *limits, levels=levels.value.data)
        for new in (*limits, quantize):
            inherit(new, op)
        Rewriter.insert_op((*limits, quantize), InsertPoint.after(op))
        for use in list(value.uses):
            if use.operation is not quantize:
                use.operation.operands[use.index] = quantize.result
