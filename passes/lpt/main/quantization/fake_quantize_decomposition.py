"""FakeQuantize."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.blob import BlobAttr
from .....dialects.inferred import Shape, shape_of, tensor
from .....dialects.nn import ConstantOp, constant_of
from .....dialects.qnn import FakeQuantizeOp
from .....reference.arrays import blob_of
from ...dequantization import dequantize, spread
from ...marks import OUTPUT_INTERVAL
from ...plan import Plan
from ...precision import Grid
from ...quantization import Quantization
from ...transformation import Transformation, replace


class DecomposeFakeQuantize(Transformation[FakeQuantizeOp]):
    """
    `fq(x) = dq(fq'(x))`: the same FakeQuantize with its output interval in codes and an 8-bit
    result, and what turns these codes into the values they stood for.
    """

    name: ClassVar[str] = "fake_quantize_decomposition"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: Plan, rewriter: PatternRewriter) -> str | None:
        if op.output_type is not None:
            return ""
        quantization = Quantization.of(op)
        if isinstance(quantization, str):
            return quantization
        allowed = plan.precisions(op, "output0")
        if allowed is None:
            allowed = plan.config.default_precisions
        if not allowed:
            return "no 8-bit type that its consumers take"
        grid, element = quantization.grid(allowed), tensor(op.input).element_type
        low, high = (ConstantOp(blob) for blob in limits(grid, shape_of(op.input), element))
        codes = FakeQuantizeOp.of(
            op.input,
            op.input_low,
            op.input_high,
            low,
            high,
            **(op.properties | {"output_type": grid.element}),
        )
        dequantization = dequantize(codes.result, grid.scale, grid.zero_point, element)
        interval = [constant_of(limit) for limit in (op.output_low, op.output_high)]
        dequantization.attributes[OUTPUT_INTERVAL] = ArrayAttr(
            [limit for limit in interval if limit is not None]
        )
        rewriter.insert((low, high))
        replace(op, codes, [dequantization], rewriter)
        return None


def limits(grid: Grid, shape: Shape, element: Attribute) -> list[BlobAttr]:
    """The output interval in codes. Where the only value is 0, the only code is 0."""
    return [
        blob_of(spread(np.where(grid.scale == 0, 0, code), len(shape)), element)
        for code in (grid.low, grid.high)
    ]
