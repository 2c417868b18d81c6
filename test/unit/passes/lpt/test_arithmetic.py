"""Two quantized values that meet, and constants beside one, give what they gave."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, f32, i64
from xdsl.ir import SSAValue

from lowstream.dialects.inferred import tensor
from lowstream.dialects.nn import AddOp, AvgPoolOp, MultiplyOp, SubtractOp
from lowstream.dialects.qnn import DequantizeOp
from lowstream.passes.lpt.dequantization import Dequantization
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import SEEDS, Graph

SHAPES = ((2, 3, 4), (1, 3, 4), (2, 3, 1), (1, 3, 1), (3, 4))


class Model(Graph):
    """A graph whose inputs come with what they are fed."""

    def __init__(self):
        super().__init__()
        self.data: list[np.ndarray] = []

    def feed(self, array: np.ndarray) -> SSAValue:
        """A new input."""
        self.data.append(array)
        value = self.block.insert_arg(blob_of(array).type, len(self.inputs))
        self.inputs.append(value)
        return value


def dequantized(
    graph: Model, shape: Sequence[int], kind: str, random: np.random.Generator
) -> SSAValue:
    """Codes of one scale, or one for each channel, with or without a zero point; or a plain value."""
    if kind == "value":
        return graph.feed(random.normal(size=shape).astype(np.float32))
    channels = tuple(size if i == len(shape) - 2 else 1 for i, size in enumerate(shape))
    channel_shape = channels if "channel" in kind else (1,)
    code = (np.uint8, np.int8)[random.integers(2)]
    codes = graph.feed(random.integers(0, 100, shape).astype(code))
    properties = {"scale": blob_of(random.uniform(0.01, 1, channel_shape).astype(np.float32))}
    if "zero" in kind:
        properties["zero_point"] = blob_of(random.integers(1, 9, channel_shape).astype(code))
    return graph.add(DequantizeOp.of(codes, **properties))


KINDS = st.sampled_from(("tensor", "channel", "tensor zero", "channel zero", "value"))


@settings(max_examples=100)
@given(
    st.sampled_from((AddOp, MultiplyOp, SubtractOp)),
    KINDS,
    KINDS,
    st.sampled_from(SHAPES),
    st.sampled_from(SHAPES),
    st.booleans(),
    st.booleans(),
    SEEDS,
)
def test_arithmetic_on_codes_gives_the_same_values(
    kind, left, right, a, b, is_constant, flip, seed
):
    random, graph = np.random.default_rng(seed), Model()
    x = dequantized(graph, a, left, random)
    channels = tuple(size if i == len(b) - 2 else 1 for i, size in enumerate(b))
    shape = channels if random.integers(2) else ()
    y = (
        graph.constant(random.normal(size=shape))
        if is_constant
        else dequantized(graph, b, right, random)
    )
    module = graph.module(graph.add(kind.of(y, x) if flip else kind.of(x, y)))
    (before,) = Executor(module).run(graph.data)
    run_passes(module, "lpt")
    (after,) = Executor(module).run(graph.data)
    np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-4)
    once = str(module)
    run_passes(module, "lpt")
    assert str(module) == once


@settings(max_examples=100)
@given(
    st.sampled_from(("tensor", "channel", "tensor zero")),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2),
    st.integers(1, 3),
    st.integers(1, 3),
    SEEDS,
)
def test_means_of_codes_are_at_most_half_a_code_off(
    kind, keeps_codes, exclude_pad, pad, kernel, stride, seed
):
    random, graph = np.random.default_rng(seed), Model()
    x = dequantized(graph, (1, 3, 7), kind, random)
    sizes = {"kernel": kernel, "strides": stride, "pads_begin": pad, "pads_end": 1, "dilations": 1}
    pool = AvgPoolOp.of(
        x,
        exclude_pad=BoolAttr.from_bool(exclude_pad),
        **{name: DenseArrayBase.from_list(i64, [size]) for name, size in sizes.items()},
    )
    y = graph.add(pool)
    if keeps_codes:
        y = graph.add(AddOp.of(y, y))
    module = graph.module(y)
    (before,) = Executor(module).run(graph.data)
    dequantization = Dequantization.on(x)
    assert dequantization is not None
    scale = np.max(dequantization.scale)
    run_passes(module, "lpt-markup,lpt-main")
    (after,) = Executor(module).run(graph.data)
    (moved,) = (op for op in module.walk() if isinstance(op, AvgPoolOp))
    is_code = tensor(moved.result).element_type != f32
    assert is_code <= keeps_codes
    assert np.max(abs(after - before)) <= scale * (1.01 if is_code else 0.001)
