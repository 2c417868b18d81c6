"""The sum of a residual block is rounded once: as OpenVINO's CPU plugin has it, and near to the model without it."""

from typing import Any

import numpy as np
import openvino
import pytest
from openvino import opset13 as ov

import lowstream
from lowstream.passes.lpt import Lpt, LptMain
from lowstream.passes.lpt.attributes import UNROUNDED
from lowstream.passes.numerics import NumericsCheck
from lowstream.passes.pipeline import run_passes
from lowstream.test.unit.interop.narrow_weights import LARGEST

Model: Any = openvino.Model  # its stub binds the one of another module
F32 = {"INFERENCE_PRECISION_HINT": "f32"}
IMAGES = np.random.default_rng(5).normal(size=(4, 8, 6, 6)).astype(np.float32)


def quantized(x, low, high, levels=256):
    low, high = (ov.constant(np.asarray(each, np.float32)) for each in (low, high))
    return ov.fake_quantize(x, low, high, low, high, levels)


class Block:
    """Two convolutions and what goes around them; `form` is what is special about it."""

    def __init__(self, form: str):
        self.random = np.random.default_rng(0)
        x = ov.parameter([4, 8, 6, 6], np.float32, name="x")
        entry = quantized(x, 0, 2.55)
        first = quantized(ov.relu(self.convolution(entry)), 0, 2.55)
        product = self.convolution(first, 8 if form == "in groups" else 1)
        shape = (1, 8, 1, 1)
        bound = self.random.uniform(0.5, 2, shape) if form == "for each channel" else 1.28
        inner = quantized(product, -bound, bound * 127 / 128)
        other = {
            "projection": lambda: quantized(self.convolution(entry), -1.28, 1.27),
            "values": lambda: ov.sin(x),
        }.get(form, lambda: entry)()
        total = ov.add(other, inner) if form == "second operand" else ov.add(inner, other)
        after, *interval = {
            "sigmoid": (ov.sigmoid, 0, 1),
            "nothing behind": (lambda y: y, -2.688, 2.667),
        }.get(form, (ov.relu, 0, 3.82))
        result = self.convolution(quantized(after(total), *interval))
        also = [inner] if form == "used otherwise" else []
        self.model = Model([ov.result(each) for each in (result, *also)], [x], "block")

    def convolution(self, x, groups=1):
        filters = self.random.normal(size=(groups, 8 // groups, 8 // groups, 3, 3)) / 8
        filters = filters.clip(-LARGEST / 127, LARGEST / 127).astype(np.float32)
        filters = quantized(ov.constant(filters), -1, 1, 255)
        kind = ov.group_convolution
        bias = ov.constant(self.random.normal(size=(1, 8, 1, 1)).astype(np.float32) / 8)
        return ov.add(kind(x, filters, [1, 1], [1, 1], [1, 1], [1, 1]), bias)


def kernels_of(compiled):
    """The names of OpenVINO's kernels."""
    return {
        op.get_rt_info()["primitiveType"].astype(str)
        for op in compiled.get_runtime_model().get_ops()
    }


def run(compiled):
    return np.array(compiled([IMAGES])[0])


def apart(one, other):
    return abs(one - other).mean() / abs(other).max()


HITS = (
    *("identity", "in groups", "for each channel", "projection", "values", "second operand"),
    *("sigmoid", "nothing behind"),
)


@pytest.mark.parametrize("form", HITS)
def test_openvino_rounds_the_sum_as_often(form):
    """
    To a code in few places, which the order of additions decides. Its convolutions for AVX2 without VNNI do not add to
    what is quantized for each channel.
    """
    model = Block(form).model
    theirs = openvino.Core().compile_model(model, "CPU", F32)
    ours = lowstream.compile_model(lowstream.read_model(model))
    rounded = lowstream.compile_model(lowstream.read_model(model), pipeline=None)
    if form == "for each channel" and "jit_avx2_I8" in kernels_of(theirs):
        ours, rounded = rounded, ours
    wanted = run(theirs)
    assert apart(run(ours), wanted) < 1e-4
    assert apart(run(rounded), wanted) > 3e-4


def test_what_is_used_otherwise_is_rounded():
    model = Block("used otherwise").model
    wanted = run(openvino.Core().compile_model(model, "CPU", F32))
    assert apart(run(lowstream.compile_model(lowstream.read_model(model))), wanted) < 1e-4
    rounded = lowstream.compile_model(lowstream.read_model(model), pipeline=None)
    assert apart(run(rounded), wanted) < 1e-4


@pytest.mark.parametrize("form", ["identity", "for each channel", "projection"])
def test_lpt_changes_its_own_result_no_more(form):
    model = lowstream.read_model(Block(form).model)
    run_passes(model.module, "lpt")
    once = str(model.module)
    run_passes(model.module, "lpt")
    assert str(model.module) == once


@pytest.mark.parametrize("form", ["identity", "for each channel", "projection"])
@pytest.mark.parametrize("item", [Lpt(), LptMain()], ids=lambda item: item.name)
def test_all_else_keeps_the_numbers(form, item):
    """Beside what the dropped rounding changes, which is more than `--verify-numerics` allows."""
    model = lowstream.read_model(Block(form).model)
    if item == LptMain():
        run_passes(model.module, "lpt-prerequisites,lpt-markup")
    check = NumericsCheck(inputs=1, steps=1)
    check(None, model.module, None)
    run_passes(model.module, [item])
    assert UNROUNDED in str(model.module)
    check(item, model.module, None)
    check(Lpt(), model.module, None)
