"""LPT on f16 models, unknown sizes and every number of levels: what is int8 there is int8 here too."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    f16,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowstream.dialects.nn import (
    ClampOp,
    ConstantOp,
    ConvolutionOp,
    GroupConvolutionOp,
    MatMulOp,
    ReduceMeanOp,
    ReluOp,
    ReshapeOp,
    TransposeOp,
)
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt.precision import LEVELS
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import blob_of, dtype_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import KINDS, SEEDS, intervals, low_operations

CHANNELS, SIZE = 3, 5
PRODUCTS = (ConvolutionOp, GroupConvolutionOp, MatMulOp)
UNKNOWN = {
    "nothing": (2, CHANNELS, SIZE, SIZE),
    "batch": (DYNAMIC_INDEX, CHANNELS, SIZE, SIZE),
    "image": (2, CHANNELS, DYNAMIC_INDEX, DYNAMIC_INDEX),
    "both": (DYNAMIC_INDEX, CHANNELS, DYNAMIC_INDEX, DYNAMIC_INDEX),
}
"""Which sizes a model does not know."""


@dataclass
class Chain:
    """Quantized layers, one after the other: what varies about them."""

    seed: int
    layers: list[str]
    element: Attribute
    unknown: str
    kind: str
    levels: tuple[int, int]
    per_channel: bool

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        self.block = Block(arg_types=[TensorType(self.element, UNKNOWN[self.unknown])])

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def constant(self, array: Any, element: Attribute | None = None) -> SSAValue:
        element = self.element if element is None else element
        return self.add(ConstantOp(blob_of(np.asarray(array, dtype_of(element)), element)))

    def quantize(self, x: SSAValue, low: Any, high: Any, levels: int) -> SSAValue:
        limits = [self.constant(limit) for limit in (low, high, low, high)]
        return self.add(FakeQuantizeOp.of(x, *limits, levels=IntegerAttr(levels, i64)))

    def weights(self, *shape: int, channel: int) -> SSAValue:
        """Quantized symmetrically for each channel."""
        channel_shape = [size if i == channel else 1 for i, size in enumerate(shape)]
        scales = self.random.uniform(0.5, 1, channel_shape) / self.levels[1]
        low, high = intervals("signed", scales, self.levels[1])
        values = self.constant(self.random.uniform(low, high, shape))
        return self.quantize(values, low, high, self.levels[1])

    def layer(self, name: str, x: SSAValue) -> SSAValue:
        random = self.random
        match name:
            case "convolution" | "depthwise":
                grouped = name == "depthwise"
                op = GroupConvolutionOp if grouped else ConvolutionOp
                # Padding is no code where zero lies between two; its sums then need a known size.
                known = self.unknown in ("nothing", "batch") and "reshape" not in self.layers
                pad = int(known or self.kind != "between codes")
                kernel = (2 * pad + 1,) * 2
                shape = (CHANNELS, 1, 1, *kernel) if grouped else (CHANNELS, CHANNELS, *kernel)
                filters = self.weights(*shape, channel=0)
                values = {"strides": 1, "pads_begin": pad, "pads_end": pad, "dilations": 1}
                window = {
                    key: DenseArrayBase.from_list(i64, [value] * 2) for key, value in values.items()
                }
                return self.add(op.of(x, filters, **window))
            case "product":
                order = self.constant([0, 2, 3, 1], i64)
                rows = self.add(TransposeOp.of(x, order))
                weights = self.weights(CHANNELS, CHANNELS, channel=0)
                flip = BoolAttr.from_bool(True)
                rows = self.add(MatMulOp.of(rows, weights, transpose_b=flip))
                return self.add(TransposeOp.of(rows, self.constant([0, 3, 1, 2], i64)))
            case "relu":
                return self.add(ReluOp.of(x))
            case "clamp":
                low, high = sorted(random.uniform(-1, 1, 2))
                return self.add(ClampOp.of(x, min=FloatAttr(low, f64), max=FloatAttr(high, f64)))
            case "reshape":
                zero, shape = BoolAttr.from_bool(True), self.constant([0, CHANNELS, -1, 1], i64)
                return self.add(ReshapeOp.of(x, shape, special_zero=zero))
            case _:
                axes, keep = self.constant([2, 3], i64), BoolAttr.from_bool(True)
                return self.add(ReduceMeanOp.of(x, axes, keep_dims=keep))

    def build(self) -> tuple[ModuleOp, np.ndarray]:
        """The module, and an input for it."""
        value: SSAValue = self.block.args[0]
        for name in self.layers:
            levels = self.levels[0]
            varies = self.per_channel and name in ("depthwise", "relu", "reshape", "mean")
            channel_shape = (1, CHANNELS, 1, 1) if varies else ()
            low, high = intervals(
                self.kind, self.random.uniform(0.5, 2, channel_shape) / levels, levels
            )
            value = self.layer(name, self.quantize(value, low, high, levels))
        self.block.add_op(func.ReturnOp(value))
        types = ([self.block.args[0].type], [value.type])
        module = ModuleOp([func.FuncOp("main", types, Region(self.block))])
        module.verify()
        x = self.random.uniform(-1, 1, UNKNOWN["nothing"]).astype(dtype_of(self.element))
        return module, x


CHAINS = st.builds(
    Chain,
    SEEDS,
    st.lists(
        st.sampled_from(
            ("convolution", "depthwise", "product", "relu", "clamp", "reshape", "mean")
        ),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from((f16, f32)),
    st.sampled_from(tuple(UNKNOWN)),
    KINDS,
    st.tuples(st.sampled_from(LEVELS), st.sampled_from(LEVELS)),
    st.booleans(),
)


@settings(max_examples=30)
@given(CHAINS)
def test_products_are_low_and_values_the_same(chain):
    module, x = chain.build()
    (before,) = Executor(module).run([x])
    run_passes(module, "lpt")
    module.verify()
    (after,) = Executor(module).run([x])
    assert after.dtype == before.dtype
    products = [op for op in module.walk() if isinstance(op, PRODUCTS)]
    low = [op for kind in PRODUCTS for op in low_operations(module, kind)]
    assert len(low) == len(products)
    # Behind several layers, what was near to the border of two codes is another one here and there.
    most = max(np.max(abs(before)), 0.5)
    rounding = most * (2**-8 if chain.element == f16 else 1e-5)
    difference = abs(after.astype(np.float64) - before)
    assert np.median(difference) <= rounding
    assert len(chain.layers) > 1 or np.max(difference) <= rounding
    once = str(module)
    run_passes(module, "lpt")
    assert str(module) == once
