"""FakeQuantize that are joined in front of a convolution share a grid, and lose half a step of it at most."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64

from lowstream.dialects.nn import ConcatOp, ConvolutionOp
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import (
    KINDS,
    SEEDS,
    Graph,
    intervals,
    low_operations,
)

SCALES = st.sampled_from((0.01, 0.013, 0.05, 0.2))
WINDOW = {
    name: DenseArrayBase.from_list(i64, [value])
    for name, value in {"strides": 1, "pads_begin": 0, "pads_end": 0, "dilations": 1}.items()
}


@settings(max_examples=40)
@given(
    st.lists(st.tuples(KINDS, SCALES, st.sampled_from((255, 256))), min_size=2, max_size=4),
    st.booleans(),
    SEEDS,
)
def test_joined_values_are_half_a_step_off(members, is_quantized, seed):
    random = np.random.default_rng(seed)
    graph = Graph(*((1, 2, 5) for _ in members))
    data: list[np.ndarray] = []
    parts = []
    ends: list[float] = []
    limits: list[tuple[np.ndarray, np.ndarray]] = []
    for x, (kind, scale, levels) in zip(graph.inputs, members, strict=True):
        low, high = intervals(kind, scale, levels)
        ends += [float(low), float(high)]
        parts.append(graph.quantize(x, low, high, levels))
        limits.append((low, high))
        data.append(random.uniform(low - scale, high + scale, (1, 2, 5)).astype(np.float32))
    joined = graph.add(ConcatOp.of(*parts, axis=IntegerAttr(1, i64)))
    channels = 2 * len(members)
    weights = graph.constant(np.eye(channels)[..., None])  # shows each value
    if is_quantized:
        weights = graph.quantize(weights, -1.27, 1.27, 255)
    module = graph.module(graph.add(ConvolutionOp.of(joined, weights, **WINDOW)))
    (before,) = Executor(module).run(data)
    run_passes(module, "lpt")
    assert bool(low_operations(module, ConvolutionOp)) == is_quantized
    (after,) = Executor(module).run(data)
    if not is_quantized:
        np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-5)
        return  # each kept its own grid
    # 0 gets a code, which makes the steps a little longer.
    step = 1.02 * (max(ends) - min(min(ends), 0)) / 254
    exact = [np.clip(x, *limit) for x, limit in zip(data, limits, strict=True)]
    assert np.max(abs(after - np.concatenate(exact, 1))) <= step * 0.51
