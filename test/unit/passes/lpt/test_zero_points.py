"""Products of codes around zero points, on either side, are what products of values were."""

import numpy as np
from xdsl.dialects.builtin import BoolAttr

from lowstream.dialects.nn import MatMulOp
from lowstream.passes.lpt import Lpt
from lowstream.passes.lpt.config import preset
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.pairwise import each_pair
from lowstream.test.unit.passes.lpt.small_models import SIGNED, UNEVEN, UNSIGNED
from lowstream.test.unit.passes.lpt.test_numerics import Graph, low_operations

SHAPES = [((2, 3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((3, 4), (2, 4, 5))]
EXACT = Lpt(config=preset("cpu-x86-exact"))


@each_pair(
    left=[UNSIGNED, UNEVEN],
    right=[SIGNED, UNSIGNED, UNEVEN, None],
    transposed=[(False, True), (True, False)],
    shapes=SHAPES,
)
def test_products_around_zero_points(left, right, transposed, shapes):
    a_shape, b_shape = (
        shape[:-2] + shape[:-3:-1] if is_transposed and len(shape) > 1 else shape
        for shape, is_transposed in zip(shapes, transposed, strict=True)
    )
    graph, random = Graph(a_shape, b_shape), np.random.default_rng(len(a_shape))
    low, high = np.asarray(left, np.float32)
    a = graph.quantize(graph.inputs[0], low, high, 256)
    weights = random.uniform(-1, 1.55, b_shape).astype(np.float32)
    b = graph.inputs[1] if right else graph.constant(weights)
    low, high = np.asarray(right or UNEVEN, np.float32)
    b = graph.quantize(b, low, high, 256)
    flags = {
        f"transpose_{name}": BoolAttr.from_bool(is_transposed)
        for name, is_transposed in zip("ab", transposed, strict=True)
    }
    module = graph.module(graph.add(MatMulOp.of(a, b, **flags)))
    inputs = [random.uniform(-2, 3, a_shape).astype(np.float32), weights]
    (before,) = Executor(module).run(inputs)
    run_passes(module, EXACT if right else Lpt())
    assert low_operations(module, MatMulOp)
    np.testing.assert_allclose(Executor(module).run(inputs)[0], before, rtol=1e-5, atol=1e-5)
