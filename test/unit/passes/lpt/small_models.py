"""Models of a few layers, each layer one call, and what `lpt` makes of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Operation, SSAValue

from lowstream.dialects.inferred import NAME, shape_of
from lowstream.dialects.nn import (
    ConcatOp,
    ConvertOp,
    ConvolutionOp,
    MatMulOp,
    MaxPoolOp,
    MultiplyOp,
    SubtractOp,
)
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.config import LptConfig, preset
from lowstream.passes.pipeline import run_passes
from lowstream.passes.precision_report import PrecisionRow, precision_report
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import Graph

IMAGE = (1, 3, 6, 6)
UNSIGNED, SIGNED, UNEVEN = (0.0, 2.55), (-1.28, 1.27), (-1.0, 1.55)
"""Intervals of 256 levels, 0.01 apart: from 0 up, around 0, and with another zero point."""

INTERVALS = [UNSIGNED, SIGNED, UNEVEN]


def named(op: Operation, name: str) -> Operation:
    op.attributes[NAME] = StringAttr(name)
    return op


class Layers(Graph):
    """A model that grows layer by layer."""

    def quantized(
        self, x: SSAValue, interval: tuple[Any, Any], name: str = "fq", levels: int = 256
    ) -> SSAValue:
        """A FakeQuantize."""
        limits = [self.constant(limit) for limit in interval * 2]
        op = FakeQuantizeOp.of(x, *limits, levels=IntegerAttr(levels, i64))
        return self.add(named(op, name))

    def weights(
        self, shape: Sequence[int], dtype: Any = np.int8, zero_point: Any = None
    ) -> SSAValue:
        """Constant codes, dequantized as frameworks write it."""
        limits = np.iinfo(dtype)
        codes = np.random.default_rng(len(shape)).integers(limits.min, limits.max + 1, shape)
        value = self.add(ConvertOp.of(self.constant(codes, dtype), destination_type=f32))
        if zero_point is not None:
            value = self.add(SubtractOp.of(value, self.constant(zero_point)))
        return self.add(MultiplyOp.of(value, self.constant(0.01)))

    def convolution(self, x: SSAValue, filters: SSAValue | None = None, pad: int = 1) -> SSAValue:
        """One of 3 by 3, padded."""
        filters = self.weights((4, shape_of(x)[1], 3, 3)) if filters is None else filters
        op = ConvolutionOp.of(x, filters, **window(pad))
        return self.add(named(op, "conv"))

    def mat_mul(self, x: SSAValue, weights: SSAValue | None = None) -> SSAValue:
        weights = self.weights((shape_of(x)[-1], 4)) if weights is None else weights
        return self.add(named(MatMulOp.of(x, weights), "fc"))

    def max_pool(self, x: SSAValue) -> SSAValue:
        kernel = DenseArrayBase.from_list(i64, [3, 3])
        return self.add(named(MaxPoolOp.of(x, kernel=kernel, **window(1)), "pool"))

    def concat(self, *values: SSAValue) -> SSAValue:
        return self.add(named(ConcatOp.of(*values, axis=IntegerAttr(1, i64)), "concat"))


def window(pad: int) -> dict[str, Any]:
    """Step by step, with this much padding on every side."""
    numbers = {"strides": 1, "pads_begin": pad, "pads_end": pad, "dilations": 1}
    return {name: DenseArrayBase.from_list(i64, [one] * 2) for name, one in numbers.items()}


def transposed(value: bool = True) -> dict[str, Any]:
    """Of a matrix product, the second operand is."""
    return {"transpose_b": BoolAttr.from_bool(value)}


def after_lpt(module: ModuleOp, config: LptConfig | None = None) -> list[PrecisionRow]:
    """The precision report of the model behind `lpt`, which changes it."""
    run_passes(module, Lpt(config=config or preset("cpu-x86")))
    return precision_report(module)


def is_low(row: PrecisionRow) -> bool:
    """Whether a product, or a layer, computes on codes."""
    return row["reason"] == ""


def row_of(rows: Sequence[PrecisionRow], name: str) -> PrecisionRow:
    """The row of the layer of this name."""
    return next(row for row in rows if row["name"] == name)


def apart(before: ModuleOp, after: ModuleOp, *inputs: Array) -> float:
    """How far the results of two models are apart, at most, beside the largest of them."""
    pairs = zip(Executor(before).run(inputs), Executor(after).run(inputs), strict=True)
    return max(float(np.max(np.abs(a - b)) / max(1e-9, float(np.max(np.abs(a))))) for a, b in pairs)
