"""
What is enlarged by phases, or made of a few taps, is what products with the matrix of each axis give, on every
instruction set.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, kernel, nn
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa, available_isas
from lowstream.lowering.nn_to_kernels.phases import InterpolationPhases
from lowstream.lowering.nn_to_kernels.taps import MOST_TAPS, VECTOR_COST, Taps
from lowstream.reference.executor import Executor
from lowstream.reference.nn.interpolate import resizings, weights_between
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.pairwise import each_pair

CHANNELS = 40


def enlarging(mode: str, sizes: tuple[int, ...], factors: tuple[int, ...]) -> ModuleOp:
    """A convolution, which reads channels last, behind the operation."""
    before, after = (
        "x".join(map(str, each))
        for each in (sizes, [n * factor for n, factor in zip(sizes, factors, strict=True)])
    )
    axes, rank = [2 + i for i in range(len(sizes))], len(sizes)
    shape = [n * factor for n, factor in zip(sizes, factors, strict=True)]
    x, y, z = (
        f"tensor<2x{rest}xf32>"
        for rest in (f"{CHANNELS}x{before}", f"{CHANNELS}x{after}", f"3x{after}")
    )
    filters = f"tensor<3x{CHANNELS}x{'x'.join('1' * rank)}xf32>"
    zeros, ones = (", ".join(digit * rank) for digit in "01")
    settings = (
        f"strides = array<i64: {ones}>, pads_begin = array<i64: {zeros}>, "
        f"pads_end = array<i64: {zeros}>, dilations = array<i64: {ones}>"
    )
    return Parser(
        context(),
        f"""func.func @main(%x: {x}, %f: {filters}) -> {z} {{
          %sizes = nn.constant dense<{shape}> : tensor<{rank}xi64>
          %axes = nn.constant dense<{axes}> : tensor<{rank}xi64>
          %y = nn.interpolate %x, %sizes, %axes {{mode = "{mode}", shape_calculation_mode = "sizes",
              pads_begin = array<i64>, pads_end = array<i64>}}
              : ({x}, tensor<{rank}xi64>, tensor<{rank}xi64>) -> {y}
          %z = nn.convolution %y, %f {{{settings}}} : ({y}, {filters}) -> {z}
          func.return %z : {z}
        }}""",
    ).parse_module()


def interpolation(module: ModuleOp) -> nn.InterpolateOp:
    (found,) = (op for op in module.walk() if isinstance(op, nn.InterpolateOp))
    return found


@pytest.mark.parametrize("mode", ["linear", "linear_onnx"])
@pytest.mark.parametrize(("before", "factor"), [(2, 2), (3, 4), (5, 8), (7, 64)])
def test_phases_are_the_matrix(mode: str, before: int, factor: int):
    op = interpolation(enlarging(mode, (before,), (factor,)))
    (one,) = resizings(op, (2, CHANNELS, before), [2], [before * factor])
    weights = weights_between(op, one)
    phases = InterpolationPhases.of(2, weights)
    assert phases is not None
    np.testing.assert_array_equal(phases.matrix(before), weights)
    weights[0, 0] += 2.0**-20
    assert InterpolationPhases.of(2, weights) is None


@each_isa
@pytest.mark.parametrize(
    ("sizes", "factors"),
    [((3,), (4,)), ((2, 5), (2, 2)), ((4, 3), (2, 8)), ((3, 4), (1, 2))],
)
def test_machine_code_of_phases(isa: Isa, sizes: tuple[int, ...], factors: tuple[int, ...]):
    module = enlarging("linear_onnx", sizes, factors)
    rng = np.random.default_rng(0)
    shapes = (2, CHANNELS, *sizes), (3, CHANNELS, *[1] * len(sizes))
    inputs = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    (wanted,) = Executor(module).run(inputs)
    program = lower(module, isa.name)
    assert not any(isinstance(op, kernel.MatMulOp) for op in program.walk())
    check(
        program, isa, inputs, lambda have, _: np.testing.assert_allclose(have, wanted, 1e-5, 1e-5)
    )


def resizing(
    mode: str, element: str, shape: tuple[int, ...], after: tuple[int, ...], antialias: bool = False
) -> ModuleOp:
    """The last axes of an input in other sizes."""
    axes = list(range(len(shape) - len(after), len(shape)))
    x, y = (
        f"tensor<{'x'.join(map(str, sizes))}x{element}>"
        for sizes in (shape, (*shape[: axes[0]], *after))
    )
    vector = f"tensor<{len(after)}xi64>"
    return Parser(
        context(),
        f"""func.func @main(%x: {x}) -> {y} {{
          %sizes = nn.constant dense<{list(after)}> : {vector}
          %axes = nn.constant dense<{axes}> : {vector}
          %y = nn.interpolate %x, %sizes, %axes {{mode = "{mode}", shape_calculation_mode = "sizes",
              antialias = {str(antialias).lower()}, pads_begin = array<i64>, pads_end = array<i64>}}
              : ({x}, {vector}, {vector}) -> {y}
          func.return %y : {y}
        }}""",
    ).parse_module()


@given(
    mode=st.sampled_from(["linear", "linear_onnx", "cubic", "bilinear_pillow"]),
    before=st.integers(1, 80),
    after=st.integers(1, 80),
    antialias=st.booleans(),
)
def test_taps_are_the_matrix(mode: str, before: int, after: int, antialias: bool):
    op = interpolation(resizing(mode, "f32", (before, 2), (after, 2), antialias))
    (one, _) = sorted(
        resizings(op, (before, 2), [0, 1], [after, 2]), key=lambda resized: resized.axis
    )
    weights = weights_between(op, one)
    count = max(1, *(weights != 0).sum(axis=1))
    taps = Taps.of(weights, is_last=False)
    assert (taps is None) == (count > MOST_TAPS or count * VECTOR_COST > before)
    if taps is not None:
        assert taps.places.shape == taps.weights.shape == (count, after)
        made = np.zeros_like(weights)
        for places, factors in zip(taps.places, taps.weights, strict=True):
            np.add.at(made, (range(after), places), factors)
        np.testing.assert_array_equal(made, weights)
        assert np.take_along_axis(weights, taps.places.T, 1).all(), "0 times infinity is no number"


@each_pair(
    isa=available_isas(),
    element=["f32", "f16", "ui8", "i32"],
    resized=[
        ("linear_onnx", (2, 8, 70), (5, 33)),
        ("linear", (1, 9, 64), (20, 129)),
        ("cubic", (2, 3, 17, 130), (9, 131)),
        ("bilinear_pillow", (3, 40, 200), (13, 77)),
    ],
)
def test_machine_code_of_taps(
    isa: Isa, element: str, resized: tuple[str, tuple[int, ...], tuple[int, ...]]
):
    mode, shape, after = resized
    module = resizing(mode, element, shape, after)
    dtype = {"f32": np.float32, "f16": np.float16, "ui8": np.uint8, "i32": np.int32}[element]
    x = np.random.default_rng(0).uniform(0, 255, shape).astype(dtype)
    (wanted,) = Executor(module).run([x])
    program = lower(module, isa.name)
    assert any(isinstance(op, kernel.GatherOp) for op in program.walk())
    relative, absolute = {"f32": (1e-5, 1e-5), "f16": (2e-3, 0)}.get(element, (0, 1))  # ties
    check(
        program,
        isa,
        [x],
        lambda have, _: np.testing.assert_allclose(have, wanted, relative, absolute),
    )
