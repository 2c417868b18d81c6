"""Images in sizes that only a run knows: Resize, alone and in loops over candidates, as torchvision pastes masks."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto, helper

from lowstream import compile_model, read_model
from lowstream.runtime.compiled import CompiledModel
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    INT64,
    Array,
    check,
    model,
    node,
    random,
    runtime,
)

LARGEST = 9
"""What models limit sizes to."""

MODES = [
    ("linear", "half_pixel", "floor"),
    ("linear", "align_corners", "floor"),
    ("linear", "pytorch_half_pixel", "floor"),
    ("cubic", "half_pixel", "floor"),
    ("cubic", "asymmetric", "floor"),
    ("nearest", "asymmetric", "floor"),
    ("nearest", "half_pixel", "round_prefer_floor"),
    ("nearest", "half_pixel", "round_prefer_ceil"),
    ("nearest", "asymmetric", "ceil"),
]


@cache
def resized(mode: str, transformation: str, nearest: str) -> tuple[ModelProto, CompiledModel]:
    nodes = [
        node("Min", "wanted most", "bounded"),
        node("Max", "bounded least", "spatial"),
        node("Concat", "outer spatial", "sizes", axis=0),
        node(
            *("Resize", "x - - sizes", "y"),
            mode=mode,
            coordinate_transformation_mode=transformation,
            nearest_mode=nearest,
        ),
    ]
    constants = {
        "most": np.array([LARGEST, LARGEST]),
        "least": np.array([1, 1]),
        "outer": np.array([2, 3]),
    }
    shapes = {"x": (FLOAT, [2, 3, 4, 5]), "wanted": (INT64, [2])}
    proto = model(nodes, shapes, "y", constants)
    return proto, compile_model(read_model(proto))


@settings(max_examples=30, deadline=None)
@given(how=st.sampled_from(MODES), sizes=st.tuples(*2 * [st.integers(-1, LARGEST + 1)]))
def test_an_image_gets_the_size_that_a_call_says(how: tuple[str, str, str], sizes: tuple[int, int]):
    proto, compiled = resized(*how)
    feeds = {"x": random(2, 3, 4, 5), "wanted": np.array(sizes)}
    (wanted,), given = runtime(proto, feeds), np.asarray(compiled(feeds)[0])
    assert given.shape == wanted.shape
    np.testing.assert_allclose(given, wanted, 1e-5, 1e-5)


def test_a_size_that_nothing_bounds_is_refused():
    nodes = [node("Resize", "x - - sizes", "y", mode="linear")]
    proto = model(nodes, {"x": (FLOAT, [1, 1, 4, 4]), "sizes": (INT64, [4])}, "y")
    with pytest.raises(RuntimeError, match=r"nn.interpolate 'y': nothing bounds the size"):
        compile_model(read_model(proto))


CONSTANTS: dict[str, Array] = {
    "zero": np.array([0]),
    "one": np.array([1]),
    "first": np.array(0),
    "second": np.array(1),
    "last": np.array([-1]),
    "two": np.array([2]),
    "axes": np.array([0, 1]),
    "threshold": np.array(0.5, np.float32),
    "least": np.array([1, 1]),
    "most": np.array([LARGEST, LARGEST]),
    "batch": np.array([1, 1]),
    "always": np.array(True),
    "none": np.zeros((0, LARGEST, LARGEST), np.float32),
    "no_places": np.zeros((0, 2), np.int64),
}

BODY = [
    node("Gather", "kept_masks i", "mask", axis=0),
    node("Gather", "kept_sizes i", "wanted", axis=0),
    node("Min", "wanted most", "bounded"),
    node("Max", "bounded least", "spatial"),
    node("Concat", "batch spatial", "target", axis=0),
    node("Unsqueeze", "mask axes", "image"),
    node("Resize", "image - - target", "large", mode="linear"),
    node("Squeeze", "large axes", "flat"),
    node("Shape", "flat", "flat_shape"),
    node("Slice", "flat_shape zero one", "rows"),
    node("Slice", "flat_shape one two", "columns"),
    node("Sub", "rows one", "row"),
    node("Slice", "flat row rows zero", "border"),
    node("Sub", "nine rows", "missing"),
    node("Concat", "missing columns", "more_shape", axis=0),
    node("ConstantOfShape", "more_shape", "zeros"),
    node("Concat", "flat zeros", "tall", axis=0),
    node("Sub", "nine columns", "beside"),
    node("Concat", "zero zero zero beside", "pads", axis=0),
    node("Pad", "tall pads", "full"),
    node("Slice", "full zero nine zero", "high"),
    node("Slice", "high zero nine one", "pasted"),
    node("Unsqueeze", "pasted zero", "item"),
    node("Concat", "masks_so_far item", "masks_next", axis=0),
    node("Reshape", "flat last", "line"),
    node("ArgMax", "line", "place", axis=0, keepdims=1),
    node("Concat", "place columns", "pair", axis=0),
    node("Unsqueeze", "pair zero", "pair_row"),
    node("Concat", "places_so_far pair_row", "places_next", axis=0),
    node("Identity", "always", "go_on"),
]


def pasted() -> ModelProto:
    """Masks above a threshold, in sizes of their own, in the corner of larger ones; and where each is greatest."""
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        BODY,
        "body",
        [
            info("i", INT64, []),
            info("go", TensorProto.BOOL, []),
            info("masks_so_far", FLOAT, [None, LARGEST, LARGEST]),
            info("places_so_far", INT64, [None, 2]),
        ],
        [
            info("go_on", TensorProto.BOOL, []),
            info("masks_next", FLOAT, [None, LARGEST, LARGEST]),
            info("places_next", INT64, [None, 2]),
        ],
    )
    nodes = [
        node("Greater", "scores threshold", "is_kept"),
        node("NonZero", "is_kept", "row_"),
        node("Squeeze", "row_ zero", "kept"),
        node("Gather", "masks kept", "kept_masks"),
        node("Gather", "sizes kept", "kept_sizes"),
        node("Shape", "kept_masks", "shape_"),
        node("Gather", "shape_ first", "count"),
        node("Loop", "count always none no_places", "y places", body=body),
    ]
    shapes = {"scores": (FLOAT, [5]), "masks": (FLOAT, [5, 3, 4]), "sizes": (INT64, [5, 2])}
    return model(nodes, shapes, "y places", CONSTANTS | {"nine": np.array([LARGEST])})


@pytest.mark.parametrize("kept", [1, 3, 5])
def test_masks_are_pasted_one_after_the_other(kept: int):
    scores = np.where(np.arange(5) < kept, 0.9, 0.1).astype(np.float32)
    sizes = np.array([[2, 7], [9, 1], [4, 4], [12, -3], [3, 8]])
    check(pasted(), {"scores": scores, "masks": random(5, 3, 4), "sizes": sizes})
