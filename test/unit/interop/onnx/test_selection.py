"""Elements at places that a condition says, sums up to each, windows put together, groups of channels."""

import numpy as np
import pytest

from lowstream.test.unit.interop.onnx.graphs import BOOL, FLOAT, INT64, check, model, node, random
from lowstream.test.unit.pairwise import each_pair


def test_places_sums_and_groups():
    inputs = {
        "x": (FLOAT, [2, 4, 6]),
        "columns": (FLOAT, [1, 8, 10]),
        "blocks": (FLOAT, [1, 24, 24]),
        "short": (BOOL, [3]),
        "long": (BOOL, [7]),
        "computed": (INT64, []),
    }
    proto = model(
        [
            node("Compress", "x short", "rows", axis=1),
            node("Compress", "x long", "flat"),
            node("CumSum", "x one", "reversed", reverse=1),
            node("CumSum", "x computed", "along", exclusive=1),
            node("LogSoftmax", "x", "logarithms", axis=1),
            node("GroupNormalization", "x gain gain", "groups", num_groups=2),
            node("Col2Im", "columns size block", "image", strides=[2, 1], pads=[0, 1, 1, 0]),
            node(
                *("Col2Im", "blocks volume cube", "solid"),
                strides=[1, 2, 1],
                pads=[0, 1, 0, 0, 0, 1],
            ),
        ],
        inputs,
        "rows flat reversed along logarithms groups image solid",
        {
            "one": np.array(1, np.int64),
            "gain": random(4),
            "size": np.array([4, 5], np.int64),
            "block": np.array([2, 2], np.int64),
            "volume": np.array([4, 3, 4], np.int64),
            "cube": np.array([2, 2, 2], np.int64),
        },
    )
    feeds = {
        "x": random(2, 4, 6),
        "columns": random(1, 8, 10),
        "blocks": random(1, 24, 24),
        "short": np.array([1, 0, 1], bool),
        "long": np.array([1, 0, 1, 1, 0, 0, 1], bool),
        "computed": np.array(-1),
    }
    check(proto, feeds)


@each_pair(mode=["linear", "nearest"], padding=["zeros", "border", "reflection"], corners=[0, 1])
def test_volumes_are_read_at_points(mode: str, padding: str, corners: int):
    how = {"mode": mode, "padding_mode": padding, "align_corners": corners}
    shapes = {"x": (FLOAT, [2, 2, 3, 4, 5]), "points": (FLOAT, [2, 2, 3, 2, 3])}
    proto = model([node("GridSample", "x points", "y", **how)], shapes, "y")
    check(proto, {"x": random(2, 2, 3, 4, 5), "points": random(2, 2, 3, 2, 3, seed=1)})


@pytest.mark.parametrize("images", [1, 2, "images"])
def test_grids_of_images_and_volumes(images: int | str):
    """Of one image, too, which the function that defines the operator loses."""
    count = 1 if images == 1 else 2
    nodes = [
        node("AffineGrid", f"{x} {x}_size", f"{x}_{c}", align_corners=c)
        for x in "iv"
        for c in (0, 1)
    ]
    sizes = {"i_size": np.array([count, 1, 4, 5]), "v_size": np.array([count, 2, 1, 3, 4])}
    shapes = {"i": (FLOAT, [images, 2, 3]), "v": (FLOAT, [images, 3, 4])}
    proto = model(nodes, shapes, "i_0 i_1 v_0 v_1", sizes)
    check(proto, {"i": random(count, 2, 3), "v": random(count, 3, 4)})


@pytest.mark.parametrize("sizes", [[2, 5], ["rows", "columns"]])
def test_padding_goes_around(sizes: list[int | str]):
    pads = {"pads": np.array([3, 1, 0, 12])}
    proto = model([node("Pad", "x pads", "y", mode="wrap")], {"x": (FLOAT, sizes)}, "y", pads)
    check(proto, {"x": random(2, 5)})


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", [2, 0])
def test_regions_in_bins(mode: str, ratio: int):
    """Of `max`, each pixel counts times what it weighs, negative ones, too."""
    flags = {"mode": mode, "output_height": 3, "output_width": 2, "sampling_ratio": ratio}
    shapes = {"x": (FLOAT, [2, 2, 8, 8]), "regions": (FLOAT, [4, 4])}
    images = {"images": np.array([0, 1, 0, 1])}
    nodes = [
        node("RoiAlign", "x regions images", "y", spatial_scale=0.8, **flags),
        node(
            *("RoiAlign", "x regions images", "z"),
            coordinate_transformation_mode="output_half_pixel",
            **flags,
        ),
    ]
    regions = np.array([[0, 0, 5, 5], [1, 2, 7.5, 6.3], [-2, -1, 3, 9], [4, 4, 4, 4]], np.float32)
    check(model(nodes, shapes, "y z", images), {"x": random(2, 2, 8, 8), "regions": regions})


def test_logarithms_of_sums_of_integers():
    proto = model([node("ReduceLogSum", "x", "y", keepdims=0)], {"x": (INT64, [2, 3])}, "y")
    check(proto, {"x": np.array([[30, 4, 9], [7, 100, 25]])})


@pytest.mark.parametrize("length", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("size", ["known", "n"])
def test_backward_a_start_before_all_elements_is_the_first(length: int, size: str):
    shape = [length if size == "known" else size]
    limits = {"start": -3, "stop": -(2**62), "axis": 0, "step": -1}
    proto = model(
        [node("Slice", "x start stop axis step", "y")],
        {"x": (FLOAT, shape)},
        "y",
        {name: np.array([value]) for name, value in limits.items()},
    )
    check(proto, {"x": random(length)})
