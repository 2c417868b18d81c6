"""Regions in bins: what is compiled, and the decomposition, give what is said region by region."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lowstream import InferRequest, Model, compile_model
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.pairwise import each_pair

COUNT = 5

SHAPES = {"nn.roi_align": 4, "nn.roi_align_rotated": 5}

QUARTERS = st.integers(-16, 48).map(lambda number: number / 4)


def module_text(name: str, settings: str) -> str:
    image, rois, bins = "2x3x6x9xf32", f"{COUNT}x{SHAPES[name]}xf32", f"{COUNT}x3x2x3xf32"
    return f"""
        func.func @main(%x: tensor<{image}>, %r: tensor<{rois}>, %i: tensor<{COUNT}xi32>) -> tensor<{bins}> {{
          %y = {name} %x, %r, %i {{pooled_h = 2 : i64, pooled_w = 3 : i64, spatial_scale = 0.5 : f64, {settings}}}
              : (tensor<{image}>, tensor<{rois}>, tensor<{COUNT}xi32>) -> tensor<{bins}>
          func.return %y : tensor<{bins}>
        }}"""


@lru_cache
def compiled(text: str) -> tuple[Executor, InferRequest]:
    module = parse_module(text, "regions.mlir", context())
    return Executor(module), compile_model(Model(module)).create_infer_request()


def check(text: str, rois: Array) -> None:
    executor, request = compiled(text)
    random = np.random.default_rng(0)
    images = random.standard_normal((2, 3, 6, 9)).astype(np.float32)
    inputs = images, rois.astype(np.float32), np.arange(COUNT, dtype=np.int32) % 2
    (wanted,) = executor.run(inputs)
    np.testing.assert_allclose(request.infer(list(inputs))[0], wanted, rtol=0, atol=2e-5)


@each_pair(
    mode=["avg", "max", "weighted_max"],
    aligned=["asymmetric", "half_pixel_for_nn", "half_pixel"],
    ratio=[0, 1, 3],
)
@given(st.data())
def test_bins_of_regions(mode: str, aligned: str, ratio: int, data: st.DataObject):
    """Regions without an area, with negative sides, beyond the image and of other sizes beside one another."""
    rois = data.draw(st.lists(st.tuples(*[QUARTERS] * 4), min_size=COUNT, max_size=COUNT))
    settings = f'sampling_ratio = {ratio} : i64, mode = "{mode}", aligned_mode = "{aligned}"'
    check(module_text("nn.roi_align", settings), np.array(rois))


@pytest.mark.parametrize("clockwise", ["true", "false"])
@pytest.mark.parametrize("ratio", [0, 2])
@given(st.data())
def test_bins_of_rotated_regions(clockwise: str, ratio: int, data: st.DataObject):
    sides = st.tuples(QUARTERS, QUARTERS, QUARTERS, QUARTERS, st.floats(-3, 3, width=16))
    rois = data.draw(st.lists(sides, min_size=COUNT, max_size=COUNT))
    settings = f"sampling_ratio = {ratio} : i64, clockwise_mode = {clockwise}"
    check(module_text("nn.roi_align_rotated", settings), np.array(rois))


@pytest.mark.parametrize("size", [np.inf, np.nan, 1e30])
def test_no_region_is_too_large(size: float):
    """Bins have at most 1,024 points in each dimension; beyond the image there is nothing to read."""
    rois = np.zeros((COUNT, 4))
    rois[0, 2] = size
    check(module_text("nn.roi_align", 'sampling_ratio = 0 : i64, mode = "max"'), rois)


@pytest.mark.parametrize("place", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("ratio", [0, 2])
@pytest.mark.parametrize("name", SHAPES)
def test_at_no_place_there_is_nothing_to_read(name: str, ratio: int, place: float):
    """One of the regions; the others are read as ever."""
    rois = np.tile(np.arange(1.0, 1 + SHAPES[name]), (COUNT, 1))
    rois[1, 0] = place
    mode = 'mode = "avg"' if name == "nn.roi_align" else "clockwise_mode = true"
    check(module_text(name, f"sampling_ratio = {ratio} : i64, {mode}"), rois)
