"""Remaining dequantization as a depthwise convolution with ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IntegerType,
    StringAttr,
    i8,
    i64,
)
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.inferred import NAME, friendly_name, shape_of, tensor
from ....dialects.nn import ConstantOp, GroupConvolutionOp, constant_of
from ....dialects.qnn import DequantizeOp
from ....reference.arrays import blob_of, dtype_of
from ..config import LptConfig
from ..dequantization import Dequantization, dequantize
from ..pattern import NamedPattern


@dataclass(frozen=True)
class MultiplyToGroupConvolution(NamedPattern[DequantizeOp]):
    """
    `dq(q) = dq(group_convolution(q, 1))` for images and volumes `q` with scales along the channels at
    most, whose type GroupConvolution takes, and which have elements. For targets that dequantize faster
    behind a convolution.
    """

    name: ClassVar[str] = "multiply_to_group_convolution"

    config: LptConfig

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        dequantization, shape = Dequantization.on(op.result), shape_of(op.input)
        if dequantization is None or not dequantization.is_low or constant_of(op.input) is not None:
            return
        if len(shape) not in (4, 5) or shape[1] == DYNAMIC_INDEX or 0 in shape:
            return
        if any(dequantization.varies_along(axis) for axis in range(len(shape)) if axis != 1):
            return
        if tensor(op.input).element_type not in self.taken(
            0, len(shape), tensor(op.input).element_type
        ):
            return
        (weight, *_) = self.taken(1, len(shape), i8) or (None,)
        if weight is None:
            return
        spatial = (1,) * (len(shape) - 2)
        ones = np.ones((shape[1], 1, 1, *spatial), dtype_of(weight))
        filters = ConstantOp(blob_of(ones, weight))
        window = {
            name: DenseArrayBase.from_list(i64, [value] * len(spatial))
            for name, value in zip(
                ("strides", "pads_begin", "pads_end", "dilations"), (1, 0, 0, 1), strict=True
            )
        }
        moved = GroupConvolutionOp.of(op.input, filters, **window)
        dequantized = dequantize(
            moved.result, dequantization.scale, dequantization.zero_point, dequantization.element
        )
        if (name := friendly_name(op)) is not None:
            moved.attributes[NAME] = StringAttr(f"{name}/GroupConvolution")
            dequantized.attributes[NAME] = StringAttr(name)
        rewriter.replace(op, [filters, moved, dequantized])

    def taken(self, port: int, rank: int, default: IntegerType) -> tuple[IntegerType, ...]:
        """The types that GroupConvolution takes there; one it takes where nothing is said."""
        return self.config.taken(GroupConvolutionOp.name, rank).get(port, (default,))
