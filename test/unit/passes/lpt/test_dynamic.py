"""Products of what is quantized on a computed interval multiply codes, and give what they gave."""

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, i64

from lowstream import compile_model
from lowstream.dialects.nn import MultiplyOp, ReduceMaxOp, ReduceMinOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.lpt.small_models import Layers, after_lpt, named, row_of


def model(shape: tuple[int, ...], levels: int, half: bool):
    layers = Layers(shape)
    (x,) = layers.inputs
    axes = layers.constant(range(len(shape)), np.int64)
    ends = [layers.add(kind.of(x, axes)) for kind in (ReduceMinOp, ReduceMaxOp)]
    outputs = (
        [layers.add(MultiplyOp.of(end, layers.constant(0.5))) for end in ends] if half else ends
    )
    quantized = FakeQuantizeOp.of(x, *ends, *outputs, levels=IntegerAttr(levels, i64))
    return layers.module(layers.mat_mul(layers.add(named(quantized, "fq"))))


@pytest.mark.parametrize("shape", [(5, 8), (8,), (2, 3, 8)], ids=str)
@pytest.mark.parametrize(("levels", "half"), [(256, False), (17, True)])
def test_codes_of_a_computed_interval_are_multiplied(shape, levels, half):
    module = model(shape, levels, half)
    x = np.random.default_rng(0).normal(0.3, 1, shape).astype(np.float32)
    (before,) = Executor(module).run([x])
    assert row_of(after_lpt(module), "fc")["inputs"] == ["u8", "i8"]
    np.testing.assert_allclose(Executor(module).run([x])[0], before, rtol=1e-4, atol=1e-5)
    once = str(module)
    after_lpt(module)
    assert str(module) == once
    if shape == (5, 8):
        (compiled,) = compile_model(module).create_infer_request().infer([x]).values()
        np.testing.assert_allclose(compiled, before, rtol=1e-4, atol=1e-5)


def test_computed_intervals_compile():
    """One for each channel: of this way round, of that, and one that is a point."""
    layers = Layers((2, 3, 4), (3, 1), (3, 1))
    x, low, high = layers.inputs
    ends = [layers.add(MultiplyOp.of(end, layers.constant(0.5))) for end in (high, low)]
    fake = FakeQuantizeOp.of(x, low, high, *ends, levels=IntegerAttr(5, i64))
    module = layers.module(layers.add(fake))
    columns = [np.array([column], np.float32).T for column in ([-1, 1, 0.5], [2, -1, 0.5])]
    inputs = [np.random.default_rng(0).normal(0, 1, (2, 3, 4)).astype(np.float32), *columns]
    (given,) = compile_model(module).create_infer_request().infer(inputs).values()
    np.testing.assert_allclose(given, Executor(module).run(inputs)[0], rtol=1e-6, atol=1e-6)
