"""Pixels of bins, region by region: of regions beyond the image, turned round, without an area, or of no image."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lowstream import InferRequest, Model, compile_model
from lowstream.dialects import context
from lowstream.dialects.nn.detection.roi_pooling import LEAST
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor

COUNT, SCALE = 5, 0.5
HALVES = st.integers(-8, 30).map(lambda number: number / 2)
REGIONS = st.lists(
    st.tuples(st.integers(-1, 2), *[HALVES] * 4), min_size=COUNT, max_size=COUNT
).map(np.array)


@lru_cache
def compiled(name: str, channels: int, properties: str) -> tuple[Executor, InferRequest]:
    x, rois, y = (
        f"tensor<{size}xf32>" for size in (f"2x{channels}x6x9", f"{COUNT}x5", f"{COUNT}x3x2x2")
    )
    text = f"""func.func @main(%x: {x}, %r: {rois}) -> {y} {{
      %y = {name} %x, %r {{{properties}, spatial_scale = {SCALE} : f64}} : ({x}, {rois}) -> {y}
      func.return %y : {y}
    }}"""
    module = parse_module(text, "regions.mlir", context())
    return Executor(module), compile_model(Model(module)).create_infer_request()


def check(name: str, x: Array, rois: Array, properties: str, wanted: Array) -> None:
    executor, request = compiled(name, x.shape[1], properties)
    inputs = [x, rois.astype(np.float32)]
    for found in (executor.run(inputs)[0], request.infer(inputs)[0]):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5)


def images(channels: int) -> Array:
    return np.random.default_rng(0).standard_normal((2, channels, 6, 9)).astype(np.float32)


def whole(number: float) -> float:
    """Halves away from 0."""
    return np.copysign(np.floor(abs(number) + 0.5), number)


def pixels(begin: float, size: float, number: int, limit: int) -> slice:
    """Those of a bin of two."""
    low, high = (begin + size * k / 2 for k in (number, number + 1))
    return slice(*(int(np.clip(each, 0, limit)) for each in (np.floor(low), np.ceil(high))))


@settings(max_examples=25)
@given(REGIONS)
def test_the_greatest_pixel_of_each_bin(rois: Array):
    """0 where there is none."""
    x, wanted = images(3), np.zeros((COUNT, 3, 2, 2))
    for region, (image, *limits) in enumerate(rois):
        left, top, right, bottom = (whole(each * SCALE) for each in limits)
        width, height = max(right - left + 1, 1), max(bottom - top + 1, 1)
        for i, j in np.ndindex(2, 2):
            places = pixels(top, height, i, 6), pixels(left, width, j, 9)
            found = x[int(image)][:, *places] if 0 <= image < 2 else np.zeros((3, 0, 0))
            if found.size:
                wanted[region, :, i, j] = found.max((1, 2))
    properties = 'output_roi = array<i64: 2, 2>, method = "max"'
    check("nn.roi_pooling", x, rois, properties, wanted)


@settings(max_examples=25)
@given(REGIONS)
def test_the_mean_pixel_of_each_bin_in_channels_of_its_own(rois: Array):
    x, wanted = images(12), np.zeros((COUNT, 3, 2, 2))
    for region, (image, *limits) in enumerate(rois):
        left, top, right, bottom = (whole(each) for each in limits)
        left, top = left * SCALE, top * SCALE
        width, height = (
            max((right + 1) * SCALE - left, LEAST),
            max((bottom + 1) * SCALE - top, LEAST),
        )
        for i, j in np.ndindex(2, 2):
            places = pixels(top, height, i, 6), pixels(left, width, j, 9)
            if 0 <= image < 2:
                found = x[int(image)][2 * i + j :: 4, *places]
                wanted[region, :, i, j] = found.sum((1, 2)) / max(found[0].size, 1)
    properties = 'output_dim = 3 : i64, group_size = 2 : i64, mode = "average"'
    check("nn.psroi_pooling", x, rois, properties, wanted)
