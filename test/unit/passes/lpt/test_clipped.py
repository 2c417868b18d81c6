"""What clips codes gives codes, so that products behind it multiply them."""

import numpy as np
import pytest
from xdsl.dialects.builtin import FloatAttr, f64

from lowstream.dialects.nn import ClampOp, ReluOp
from lowstream.passes.lpt.config import preset
from lowstream.test.unit.passes.lpt.small_models import (
    IMAGE,
    INTERVALS,
    Layers,
    after_lpt,
    apart,
    row_of,
)


@pytest.mark.parametrize("interval", INTERVALS, ids=str)
@pytest.mark.parametrize("limits", [None, (-0.5, 0.75), (0.0, 6.0), (-9.0, 9.0)], ids=str)
def test_a_convolution_behind_what_clips_is_low(interval, limits):
    layers = Layers(IMAGE)
    x = layers.quantized(layers.inputs[0], interval)
    if limits is None:
        clipped = layers.add(ReluOp.of(x))
    else:
        low, high = (FloatAttr(limit, f64) for limit in limits)
        clipped = layers.add(ClampOp.of(x, min=low, max=high))
    module = layers.module(layers.convolution(clipped))
    before = module.clone()
    assert row_of(after_lpt(module, preset("cpu-x86-exact")), "conv")["inputs"] == ["u8", "i8"]
    assert limits != (-9.0, 9.0) or not any(isinstance(op, ClampOp) for op in module.walk())
    values = np.random.default_rng(0).normal(0, 1, IMAGE).astype(np.float32)
    assert apart(before, module, values) < 1e-5
