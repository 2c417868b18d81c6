"""LPT changes no result by more than one code, whatever the intervals, levels and shapes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    f64,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from lowstream.dialects.inferred import shape_of, tensor
from lowstream.dialects.module import entry_of
from lowstream.dialects.nn import (
    AddOp,
    ClampOp,
    ConcatOp,
    ConstantOp,
    ConvertOp,
    ConvolutionBackpropDataOp,
    ConvolutionOp,
    GroupConvolutionBackpropDataOp,
    GroupConvolutionOp,
    MatMulOp,
    MultiplyOp,
    MvnOp,
    NormalizeL2Op,
    PReluOp,
    ReduceMeanOp,
    ReduceSumOp,
    ReluOp,
    ReshapeOp,
    SplitOp,
    SqueezeOp,
    SubtractOp,
    TransposeOp,
    UnsqueezeOp,
)
from lowstream.dialects.nn.convolution import ForwardConvolution
from lowstream.dialects.qnn import DequantizeOp, FakeQuantizeOp
from lowstream.passes.lpt.precision import LEVELS
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import Executor

SIZES = st.integers(1, 9)
SEEDS = st.integers(0, 2**32 - 1)


class Graph:
    """A function that grows operation by operation."""

    def __init__(self, *shapes: Sequence[int]):
        self.block = Block(arg_types=[TensorType(f32, shape) for shape in shapes])
        self.inputs = list(self.block.args)

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def constant(self, array: Any, dtype: Any = np.float32) -> SSAValue:
        return self.add(ConstantOp(blob_of(np.asarray(array, dtype))))

    def quantize(self, x: SSAValue, low: Any, high: Any, levels: int) -> SSAValue:
        limits = [self.constant(limit) for limit in (low, high, low, high)]
        return self.add(FakeQuantizeOp.of(x, *limits, levels=IntegerAttr(levels, i64)))

    def module(self, *results: SSAValue) -> ModuleOp:
        module = self.unverified(*results)
        module.verify()
        return module

    def unverified(self, *results: SSAValue) -> ModuleOp:
        self.block.add_op(func.ReturnOp(*results))
        types = ([a.type for a in self.inputs], [r.type for r in results])
        return ModuleOp([func.FuncOp("main", types, Region(self.block))])


def intervals(kind: str, scale: Any, levels: int) -> tuple[Any, Any]:
    """An interval of this kind, `levels - 1` steps long."""
    scale = np.float64(scale)
    half = levels // 2
    match kind:
        case "unsigned":
            return 0 * scale, scale * (levels - 1)
        case "signed":
            return -half * scale, (levels - 1 - half) * scale
        case "zero point":
            return -(half // 2) * scale, (levels - 1 - half // 2) * scale
        case _:
            return -(half // 2 + 0.4) * scale, (levels - 1 - half // 2 - 0.4) * scale


KINDS = st.sampled_from(("unsigned", "signed", "zero point", "between codes"))
SCALES = st.floats(0.001, 10)


def low_operations(module: ModuleOp, kind: type[Operation]) -> list[Operation]:
    """The operations of a kind that give integers."""
    return [
        op
        for op in module.walk()
        if isinstance(op, kind) and tensor(op.results[0]).element_type != f32
    ]


@given(KINDS, SCALES, st.sampled_from(LEVELS), SIZES, SIZES, SEEDS)
def test_a_decomposed_fake_quantize_gives_the_same_values(kind, scale, levels, rows, columns, seed):
    random = np.random.default_rng(seed)
    scales = scale * random.uniform(0.5, 2, (rows, 1))
    graph = Graph((rows, columns))
    low, high = intervals(kind, scales, levels)
    module = graph.module(graph.quantize(graph.inputs[0], low, high, levels))
    x = random.uniform(low - scales, high + scales, (rows, columns)).astype(np.float32)
    (before,) = Executor(module).run([x])
    run_passes(module, "lpt-markup,lpt-main")
    (after,) = Executor(module).run([x])
    assert low_operations(module, FakeQuantizeOp)
    np.testing.assert_array_less(abs(after - before) / scales, 0.02)
    run_passes(module, "lpt-cleanup")
    assert not low_operations(module, FakeQuantizeOp)
    np.testing.assert_array_equal(Executor(module).run([x])[0], before)


@dataclass(frozen=True)
class Product:
    """A quantized product: what varies about it."""

    seed: int
    batch: list[int]
    size: tuple[int, int, int]
    flips: tuple[bool, bool]
    kind: str
    scale: float
    levels: tuple[int, int]
    weights: str
    has_bias: bool

    @property
    def is_low(self) -> bool:
        """Whether it can be computed in 8 bits."""
        return self.weights != "computed" or self.kind in ("unsigned", "signed")

    def build(self) -> tuple[ModuleOp, list[np.ndarray]]:
        """The module, and inputs for it."""
        random, (m, k, n), (flip_a, flip_b) = (
            np.random.default_rng(self.seed),
            self.size,
            self.flips,
        )
        left = (*self.batch, k, m) if flip_a else (*self.batch, m, k)
        right = (n, k) if flip_b else (k, n)
        graph = Graph(left, right)
        low, high = intervals(self.kind, self.scale, self.levels[0])
        a = graph.quantize(graph.inputs[0], low, high, self.levels[0])
        margin = 0.1 * (high - low)
        x = random.uniform(low - margin, high + margin, left).astype(np.float32)
        channels = random.uniform(0.001, 1, (n, 1) if flip_b else (1, n)).astype(np.float32)
        w_low, w_high = intervals("signed", channels, self.levels[1])
        weights = random.uniform(w_low, w_high, right).astype(np.float32)
        match self.weights:
            case "quantized":
                b = graph.quantize(graph.constant(weights), w_low, w_high, self.levels[1])
            case "codes":
                codes = graph.constant(np.rint(weights / channels), np.int8)
                values = graph.add(ConvertOp.of(codes, destination_type=f32))
                b = graph.add(MultiplyOp.of(values, graph.constant(channels)))
            case _:
                b = graph.quantize(graph.inputs[1], w_low, w_high, self.levels[1])
        flags = {
            "transpose_a": BoolAttr.from_bool(flip_a),
            "transpose_b": BoolAttr.from_bool(flip_b),
        }
        y = graph.add(MatMulOp.of(a, b, **flags))
        if self.has_bias:
            y = graph.add(AddOp.of(y, graph.constant(random.normal(size=(1, n)))))
        return graph.module(y), [x, weights]


PRODUCTS = st.builds(
    Product,
    SEEDS,
    st.lists(st.integers(1, 3), max_size=2),
    st.tuples(SIZES, SIZES, SIZES),
    st.tuples(st.booleans(), st.booleans()),
    KINDS,
    SCALES,
    st.tuples(st.sampled_from(LEVELS), st.sampled_from(LEVELS)),
    st.sampled_from(("quantized", "codes", "computed")),
    st.booleans(),
)


@settings(max_examples=60)
@given(PRODUCTS)
def test_a_product_of_codes_gives_the_same_codes(product):
    module, inputs = product.build()
    (before,) = Executor(module).run(inputs)
    run_passes(module, "lpt")
    assert bool(low_operations(module, MatMulOp)) == product.is_low
    (after,) = Executor(module).run(inputs)
    code = max(np.max(abs(before)), 1e-3) / 128
    assert np.max(abs(after - before)) < code
    once = str(module)
    run_passes(module, "lpt")
    assert str(module) == once


CONVOLUTIONS = (
    ConvolutionOp,
    GroupConvolutionOp,
    ConvolutionBackpropDataOp,
    GroupConvolutionBackpropDataOp,
)


@dataclass(frozen=True)
class QuantizedConvolution:
    """A convolution of quantized data: what varies about it."""

    seed: int
    op: type[Any]
    groups: int
    channels: tuple[int, int]
    sizes: list[tuple[int, int, int, int, int, int]]
    kind: str
    scale: float
    arithmetic: frozenset[str]

    def build(self) -> tuple[ModuleOp, list[np.ndarray]]:
        """The module, and inputs for it."""
        random, (inputs, outputs) = np.random.default_rng(self.seed), self.channels
        groups = self.groups if self.op.GROUPED else 1
        size, kernel, stride, begin, end, dilation = zip(*self.sizes, strict=True)
        backward = not issubclass(self.op, ForwardConvolution)
        names = ("strides", "pads_begin", "pads_end", "dilations")
        values = (stride, begin, end, dilation)
        if backward:
            names, values = (*names, "output_padding"), (*values, tuple(0 for _ in size))
        properties = {
            name: DenseArrayBase.from_list(i64, value)
            for name, value in zip(names, values, strict=True)
        }
        graph = Graph((2, groups * inputs, *(9 + more for more in size)))
        low, high = intervals(self.kind, self.scale, 256)
        a = graph.quantize(graph.inputs[0], low, high, 256)
        along = (1, groups * inputs, *(1 for _ in size))
        scales = np.ones(along)
        if "scaled" in self.arithmetic:
            scales = np.repeat(random.uniform(0.5, 2, groups), inputs).reshape(along)
            a = graph.add(MultiplyOp.of(a, graph.constant(scales)))
        if (
            "shifted" in self.arithmetic
        ):  # so far that 0 is still between the first and the last code
            shifts = random.uniform(low, high, along) * scales
            a = graph.add(SubtractOp.of(a, graph.constant(shifts)))
        order = (inputs, outputs) if backward else (outputs, inputs)
        shape = ((groups,) if self.op.GROUPED else ()) + order + kernel
        channel_shape = [1] * len(shape)
        channel_shape[self.op.GROUPED + backward] = outputs
        channels = random.uniform(0.001, 1, channel_shape).astype(np.float32)
        w_low, w_high = intervals("signed", channels, 255)
        weights = graph.constant(random.uniform(w_low, w_high, shape))
        b = graph.quantize(weights, w_low, w_high, 255)
        module = graph.module(graph.add(self.op.of(a, b, **properties)))
        x = random.uniform(low, high, shape_of(graph.inputs[0])).astype(np.float32)
        return module, [x]


@settings(max_examples=50)
@given(
    st.builds(
        QuantizedConvolution,
        SEEDS,
        st.sampled_from(CONVOLUTIONS),
        st.integers(1, 3),
        st.tuples(st.integers(1, 3), st.integers(1, 3)),
        st.lists(
            st.tuples(
                st.integers(0, 3),
                st.integers(1, 3),
                st.integers(1, 2),
                st.integers(0, 2),
                st.integers(0, 2),
                st.integers(1, 2),
            ),
            min_size=1,
            max_size=2,
        ),
        KINDS,
        SCALES,
        st.frozensets(st.sampled_from(("scaled", "shifted"))),
    )
)
def test_a_convolution_of_codes_gives_the_same_codes(convolution):
    module, inputs = convolution.build()
    (before,) = Executor(module).run(inputs)
    run_passes(module, "lpt")
    assert low_operations(module, convolution.op)
    (after,) = Executor(module).run(inputs)
    assert np.max(abs(after - before)) < max(np.max(abs(before)), 1e-3) / 1000
    once = str(module)
    run_passes(module, "lpt")
    assert str(module) == once


MOVES = ("reshape", "squeeze", "unsqueeze", "transpose", "split", "concat", "relu")


def move(graph: Graph, kind: str, x: SSAValue, random: np.random.Generator) -> SSAValue:
    """Another operation on `x` that moves its elements, if there is a fitting one."""
    shape = shape_of(x)
    ones = [i for i, size in enumerate(shape) if size == 1]
    even = [i for i, size in enumerate(shape) if size % 2 == 0]
    match kind:
        case "relu":
            return graph.add(ReluOp.of(x))
        case "reshape" if len(shape) > 1:
            at = random.integers(len(shape) - 1)
            merged = (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
            return graph.add(ReshapeOp.of(x, graph.constant(merged, np.int64)))
        case "squeeze" if ones:
            return graph.add(SqueezeOp.of(x, graph.constant([random.choice(ones)], np.int64)))
        case "unsqueeze":
            axis = random.integers(-len(shape) - 1, len(shape) + 1)
            return graph.add(UnsqueezeOp.of(x, graph.constant([axis], np.int64)))
        case "transpose":
            order = random.permutation(len(shape))
            return graph.add(TransposeOp.of(x, graph.constant(order, np.int64)))
        case "split" if even:
            axis = graph.constant(random.choice(even), np.int64)
            split = SplitOp.of(x, axis, num_splits=IntegerAttr(2, i64))
            graph.add(split)
            return split.results[int(random.integers(2))]
        case "concat":
            axis = IntegerAttr(int(random.integers(len(shape))), i64)
            return graph.add(ConcatOp.of(x, x, axis=axis))
        case _:
            return x


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(MOVES), min_size=1, max_size=6),
    st.sampled_from((np.uint8, np.int8)),
    st.integers(-1, 2),
    st.booleans(),
    SEEDS,
)
def test_dequantization_sinks_through_what_moves_elements(kinds, code, channel, has_zero, seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.choice([1, 2, 3, 4], 3))
    channel_shape = tuple(size if i == channel else 1 for i, size in enumerate(shape))
    scale = random.uniform(0.01, 1, channel_shape).astype(np.float32)
    zero_point = random.integers(1, 9, channel_shape).astype(code)
    graph = Graph()
    codes = graph.constant(random.integers(0, 100, shape), code)
    properties = {"zero_point": blob_of(zero_point)} if has_zero else {}
    y = graph.add(DequantizeOp.of(codes, scale=blob_of(scale), **properties))
    for kind in kinds:
        y = move(graph, kind, y, random)
    module = graph.module(y)
    (before,) = Executor(module).run([])
    run_passes(module, "lpt-markup,lpt-main")
    np.testing.assert_array_equal(Executor(module).run([])[0], before)
    if channel == -1 and not has_zero:
        result = entry_of(module).body.block.last_op
        assert result is not None
        assert isinstance(result.operands[0].owner, DequantizeOp)


COMPUTED = ("clamp", "p_relu", "reduce_mean", "reduce_sum", "mvn", "normalize_l2")


def compute(graph: Graph, kind: str, x: SSAValue, random: np.random.Generator) -> SSAValue:
    """An operation on `x` whose results lie between codes."""
    rank = len(shape_of(x))
    some = random.choice(rank, random.integers(rank + 1), replace=False)
    axes = graph.constant(some, np.int64)
    eps = FloatAttr(float(random.choice([1e-9, 1e-3, 100])), f64)
    keep = BoolAttr.from_bool(bool(random.integers(2)))
    match kind:
        case "clamp":
            low, high = sorted(random.normal(0, 20, 2))
            return graph.add(ClampOp.of(x, min=FloatAttr(low, f64), max=FloatAttr(high, f64)))
        case "p_relu":
            return graph.add(PReluOp.of(x, graph.constant(random.normal(size=1))))
        case "reduce_mean":
            return graph.add(ReduceMeanOp.of(x, axes, keep_dims=keep))
        case "reduce_sum":
            return graph.add(ReduceSumOp.of(x, axes, keep_dims=keep))
        case "mvn":
            mode = StringAttr(str(random.choice(["inside_sqrt", "outside_sqrt"])))
            return graph.add(MvnOp.of(x, axes, eps=eps, eps_mode=mode, normalize_variance=keep))
        case _:
            mode = StringAttr(str(random.choice(["add", "max"])))
            return graph.add(NormalizeL2Op.of(x, axes, eps=eps, eps_mode=mode))


@settings(max_examples=100)
@given(
    st.sampled_from(COMPUTED),
    st.sampled_from((np.uint8, np.int8)),
    st.integers(-1, 2),
    st.booleans(),
    st.booleans(),
    SEEDS,
)
def test_what_lies_between_codes_is_computed_from_them(kind, code, channel, has_zero, turns, seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.choice([1, 2, 3, 4], 3))
    channel_shape = tuple(size if i == channel else 1 for i, size in enumerate(shape))
    scale = random.uniform(0.01, 1, channel_shape).astype(np.float32)
    scale = -scale if turns else scale
    zero_point = random.integers(1, 9, channel_shape).astype(code)
    graph = Graph()
    codes = graph.constant(random.integers(0, 100, shape), code)
    properties = {"zero_point": blob_of(zero_point)} if has_zero else {}
    x = graph.add(DequantizeOp.of(codes, scale=blob_of(scale), **properties))
    module = graph.module(compute(graph, kind, x, random))
    (before,) = Executor(module).run([])
    run_passes(module, "lpt-markup,lpt-main")
    (after,) = Executor(module).run([])
    np.testing.assert_allclose(after, before, rtol=1e-4, atol=1e-5 * float(np.max(abs(before))))
    if channel == -1 and not has_zero and not turns:
        result = entry_of(module).body.block.last_op
        assert result is not None
        assert isinstance(result.operands[0].owner, DequantizeOp)
