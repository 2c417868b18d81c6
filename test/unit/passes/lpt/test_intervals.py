"""Intervals that are none are said in one line, wherever that comes to light; others keep their meaning."""

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects.nn import MultiplyOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.runtime.compiler import compile_model
from lowstream.test.unit.passes.lpt.small_models import Layers, after_lpt, apart, named

Limits = tuple[float, float, float, float]


def model(limits: Limits, levels: int = 256, computed: bool = False) -> ModuleOp:
    """A product of what has these limits; valid or not."""
    layers = Layers((2, 4))
    values = [layers.constant(limit) for limit in limits]
    if computed:
        values = [layers.add(MultiplyOp.of(one, layers.constant(1.0))) for one in values]
    op = FakeQuantizeOp.of(layers.inputs[0], *values, levels=IntegerAttr(levels, i64))
    return layers.unverified(layers.mat_mul(layers.add(named(op, "fq"))))


NONE = {
    (1.0, -1.0, 0.0, 2.55): "input interval [1, -1] is inverted; exchange input_low and input_high",
    (1.0, 1.0, 0.0, 2.55): (
        "input interval [1, 1] is one point, and what it gives is not; calibrate this quantization again"
    ),
    (np.nan, 1.0, 0.0, 1.0): "input_low is not finite; calibrate this quantization again",
    (0.0, np.inf, 0.0, 1.0): "input_high is not finite; calibrate this quantization again",
    (0.0, 1.0, 0.0, np.inf): "output_high is not finite; calibrate this quantization again",
}


def said_of(module: ModuleOp) -> str:
    """All that Python shows of the error, xDSL's notes too."""
    with pytest.raises(DiagnosticException) as raised:
        after_lpt(module)
    return "\n".join([str(raised.value), *getattr(raised.value, "__notes__", [])])


@pytest.mark.parametrize("limits", NONE, ids=str)
@pytest.mark.parametrize("computed", [False, True])
def test_what_is_no_interval_is_said_in_one_line(limits: Limits, computed: bool):
    assert said_of(model(limits, computed=computed)) == f"qnn.fake_quantize 'fq': {NONE[limits]}"


@pytest.mark.parametrize("levels", [1, 0, -3])
def test_fewer_than_two_levels_are_said(levels: int):
    said = said_of(model((0.0, 1.0, 0.0, 1.0), levels))
    assert said == f"qnn.fake_quantize 'fq': {levels} levels; at least 2 are needed"


@pytest.mark.parametrize("limits", NONE, ids=str)
def test_compiling_says_the_same(limits: Limits):
    with pytest.raises(DiagnosticException) as raised:
        compile_model(model(limits)).create_infer_request().infer([np.zeros((2, 4), np.float32)])
    assert str(raised.value) == f"qnn.fake_quantize 'fq': {NONE[limits]}"
    assert not getattr(raised.value, "__notes__", [])


@pytest.mark.parametrize("computed", [False, True])
@pytest.mark.parametrize(
    "limits",
    [
        (1.0, 1.0, 2.0, 2.0),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 2.55, 2.55, 0.0),
        (0.0, 1.0, 3.0, 3.0),
    ],
    ids=str,
)
def test_a_point_or_an_inverted_output_keeps_its_meaning(limits: Limits, computed: bool):
    module = model(limits, computed=computed)
    before = module.clone()
    after_lpt(module)
    x = np.linspace(-4, 4, 8, dtype=np.float32).reshape(2, 4)
    assert apart(before, module, x) < 1e-5
