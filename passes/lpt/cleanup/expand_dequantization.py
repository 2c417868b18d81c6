"""Remaining dequantization, expanded into arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import copy_name, tensor
from ....dialects.nn import ConstantOp, ConvertOp, MultiplyOp, SubtractOp
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import blob_of, dtype_of
from ..config import LptConfig
from ..dequantization import Dequantization
from ..pattern import NamedPattern
from ..transformation import give_name_back


@dataclass(frozen=True)
class ExpandDequantization(NamedPattern[DequantizeOp]):
    """
    `dq(q) = [convert](multiply([subtract](convert(q), zero_point), scale))`, for values in floating point
    without the first conversion, and without the multiplication by 1. Computed as configured; rounded to the
    type of the values at the end. A scale or zero point that is the same for all elements is written once, and a zero
    point of 0 not at all.
    """

    name: ClassVar[str] = "expand_dequantization"

    config: LptConfig

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        new = list(steps(op, self.config.dequantization_precision))
        if new:
            copy_name(op, new[-1])
        else:
            give_name_back(op)
        rewriter.replace(op, new, [new[-1].results[0] if new else op.input])


def steps(op: DequantizeOp, computed: Float32Type | Float64Type) -> Iterator[Operation]:
    """The operations, and their constants before them. The last one gives the values."""
    value, wanted = op.input, tensor(op.result).element_type
    known = Dequantization.on(op.result)
    assert known is not None, "it is one"
    element: Attribute = f64 if f64 in (op.scale.type.element_type, computed) else f32
    is_code = tensor(value).element_type != op.scale.type.element_type
    if tensor(value).element_type != element:
        yield (converted := ConvertOp.of(value, destination_type=element))
        value = converted.result
    if not known.is_symmetric:
        points = known.zero_point.astype(dtype_of(element))
        yield (zero_point := ConstantOp(blob_of(points, element)))
        yield (difference := SubtractOp.of(value, zero_point))
        value = difference.result
    if is_code or (known.scale != 1).any():
        factors = known.scale.astype(dtype_of(element))
        yield (scale := ConstantOp(blob_of(factors, element)))
        yield (product := MultiplyOp.of(value, scale))
        value = product.result
    if tensor(value).element_type != wanted:
        yield ConvertOp.of(value, destination_type=wanted)
