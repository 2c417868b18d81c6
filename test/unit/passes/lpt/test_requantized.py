"""FakeQuantize of what is on its grid already: it costs nothing, and the plan's types hold all the same."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from lowstream.dialects.nn import MultiplyOp, ReluOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.test.unit.passes.lpt.small_models import (
    IMAGE,
    INTERVALS,
    Layers,
    after_lpt,
    apart,
    row_of,
)

OF_ANY_GRID = [*INTERVALS, (-1.005, 1.545), (0.5, 1.775)]
BETWEEN = {
    "nothing": lambda layers, x: (x, 1.0),
    "max_pool": lambda layers, x: (layers.max_pool(x), 1.0),
    "scale": lambda layers, x: (layers.add(MultiplyOp.of(x, layers.constant(2.0))), 2.0),
    "channel scales": lambda layers, x: (
        layers.add(MultiplyOp.of(x, layers.constant(np.full((3, 1, 1), 2.0)))),
        2.0,
    ),
    "relu": lambda layers, x: (layers.add(ReluOp.of(x)), 1.0),
}


def model(interval: tuple[float, float], between: str) -> ModuleOp:
    layers = Layers(IMAGE)
    x, factor = BETWEEN[between](layers, layers.quantized(layers.inputs[0], interval, "one"))
    again = tuple(factor * end for end in interval)
    x = layers.quantized(x, (again[0], again[1]), "two")
    return layers.module(layers.convolution(x))


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("interval", OF_ANY_GRID[:4], ids=str)
def test_a_convolution_behind_two_is_low(interval, between):
    module = model(interval, between)
    before = module.clone()
    assert row_of(after_lpt(module), "conv")["inputs"] == ["u8", "i8"]
    x = np.random.default_rng(0).normal(0, 1, IMAGE).astype(np.float32)
    assert apart(before, module, x) < 1e-5


@pytest.mark.parametrize("between", ["nothing", "max_pool", "scale"])
@pytest.mark.parametrize("interval", OF_ANY_GRID[:4], ids=str)
def test_the_second_one_is_gone(interval, between):
    module = model(interval, between)
    after_lpt(module)
    assert sum(isinstance(op, FakeQuantizeOp) for op in module.walk()) == 1


@pytest.mark.parametrize("interval", OF_ANY_GRID, ids=str)
def test_the_plan_of_a_joined_one_holds(interval):
    """It is to share the grid of another, which what it takes does not have."""
    layers = Layers(IMAGE)
    x: SSAValue = layers.inputs[0]
    one = layers.quantized(layers.quantized(x, interval, "one"), interval, "again")
    two = layers.quantized(x, (0.0, 25.5), "two")
    module = layers.module(layers.convolution(layers.concat(one, two)))
    before = module.clone()
    assert row_of(after_lpt(module), "conv")["inputs"] == ["u8", "i8"]
    values = np.random.default_rng(0).normal(5, 5, IMAGE).astype(np.float32)
    assert apart(before, module, values) < 0.05
