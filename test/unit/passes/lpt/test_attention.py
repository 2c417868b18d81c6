"""Attention whose scores are a product of codes means what it did on values."""

import numpy as np
import pytest
from xdsl.dialects.builtin import BoolAttr

from lowstream.dialects.nn import MatMulOp, ScaledDotProductAttentionOp
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.test_numerics import Graph, low_operations


@pytest.mark.parametrize("heads", [2, 4])
@pytest.mark.parametrize("causal", [False, True])
def test_scores_of_codes_mean_scores_of_values(heads: int, causal: bool):
    graph = Graph((heads, 3, 4), (2, 5, 4), (2, 5, 6))
    query, key, value = graph.inputs
    query = graph.quantize(query, -2, 2 - 2**-6, 256)
    key = graph.quantize(key, -1.28, 1.27, 256)
    options = [] if causal else [graph.constant(np.random.default_rng(1).normal(size=(3, 5)))]
    causes = BoolAttr.from_bool(causal)
    result = graph.add(ScaledDotProductAttentionOp.of(query, key, value, *options, causal=causes))
    module = graph.module(result)
    feeds = [
        np.random.default_rng(0).normal(size=shape).astype(np.float32)
        for shape in ((heads, 3, 4), (2, 5, 4), (2, 5, 6))
    ]
    (before,) = Executor(module).run(feeds)
    run_passes(module, "lpt")
    assert len(low_operations(module, MatMulOp)) == 1
    np.testing.assert_allclose(Executor(module).run(feeds)[0], before, rtol=1e-5, atol=1e-6)
