"""Tiled codes mean what tiled values were."""

import numpy as np
import pytest

from lowstream.dialects.nn import TileOp
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import Graph, low_operations


@pytest.mark.parametrize("repeats", [[2], [1, 3], [3, 1, 2, 1], [2, 2, 2]], ids=str)
@pytest.mark.parametrize("channels", [(2, 1), (1, 3), ()], ids=str)
def test_tiled_codes_mean_tiled_values(repeats: list[int], channels: tuple[int, ...]):
    graph = Graph((2, 3))
    steps = 0.01 * np.arange(1, np.prod(channels, dtype=int) + 1).reshape(channels)
    x = graph.quantize(graph.inputs[0], 0 * steps, 255 * steps, 256)
    tiled = graph.add(TileOp.of(x, graph.constant(repeats, np.int64)))
    module = graph.module(tiled)
    data = np.random.default_rng(0).uniform(-1, 4, (2, 3)).astype(np.float32)
    (before,) = Executor(module).run([data])
    run_passes(module, "lpt-main")
    assert low_operations(module, TileOp)
    np.testing.assert_allclose(Executor(module).run([data])[0], before, rtol=1e-6)
