"""Strided slices of which an input says begin or end, as LiteRT computes them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.interop.tflite import tflite_module
from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, by_litert, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize

SHAPE = (4, 6)
MASKS = ("beginMask", "endMask", "ellipsisMask", "newAxisMask", "shrinkAxisMask")


def sliced(computed: str, strides: list[int], rank: int = 2, **masks: int) -> bytes:
    """A slice of a 4x6 matrix; inputs say the limits that are `computed`, of which the others are 1 and 5."""
    x, count = Tensor(SHAPE, "float32", "x"), len(strides)
    inputs = {name: Tensor((count,), "int32", name) for name in computed.split()}
    main = Part(x, *inputs.values())
    known = {"begin": number([1] * count), "end": number([5] * count)}
    limits = [inputs.get(name, known[name]) for name in ("begin", "end")]
    options: dict[str, Any] = dict.fromkeys(MASKS, 0) | masks
    result = main("STRIDED_SLICE", [x, *limits, number(strides)], (-1,) * rank, **options)
    return serialize(Graph([main.gives(result)]))


CASES: dict[str, tuple[str, list[int], int, dict[str, int]]] = {
    "begin": ("begin", [1, 1], 2, {}),
    "end": ("end", [1, 1], 2, {}),
    "both": ("begin end", [1, 1], 2, {}),
    "steps": ("begin end", [2, 3], 2, {}),
    "one of several": ("begin end", [2], 2, {}),
    "without a begin": ("begin end", [1, 2], 2, {"beginMask": 1}),
    "without an end": ("begin end", [1, 2], 2, {"endMask": 2}),
    "a row": ("begin end", [1, 2], 1, {"shrinkAxisMask": 1}),
    "a new dimension": ("begin end", [1, 1, 2], 3, {"newAxisMask": 2}),
    "columns backward": ("begin end", [1, -1], 2, {"beginMask": 2, "endMask": 2}),
    "every other column backward": ("begin", [1, -2], 2, {"beginMask": 2, "endMask": 2}),
    "the last ones": ("begin end", [1, 2], 2, {"ellipsisMask": 1}),
}


@pytest.mark.parametrize("case", CASES)
def test_limits_that_are_computed(case: str):
    computed, strides, rank, masks = CASES[case]
    data = sliced(computed, strides, rank, **masks)
    request = lowstream.compile_model(Model(tflite_module(data))).create_infer_request()
    x, names, compared = noise(*SHAPE), computed.split(), 0

    @settings(max_examples=15, deadline=None)
    @given(st.lists(st.tuples(*[st.integers(-4, 3)] * len(names)), min_size=3, max_size=3))
    def agrees(limits: list[tuple[int, ...]]):
        nonlocal compared
        sizes = [[*column] for column in zip(*limits[: len(strides)], strict=True)]
        for name, column in zip(names, sizes, strict=True):
            if name == "end":  # LiteRT refuses results without elements
                column[:] = [end + 6 if end <= 0 else end + 3 for end in column]
        feeds = [x, *(np.array(column, np.int32) for column in sizes)]
        try:
            (wanted,) = by_litert(data, feeds)
        except (RuntimeError, ValueError):
            return
        np.testing.assert_array_equal(request.infer(feeds)[0], wanted)
        compared += 1

    agrees()
    assert compared > 3


def test_an_empty_slice():
    """LiteRT refuses it."""
    request = lowstream.compile_model(
        Model(tflite_module(sliced("begin end", [1, 1])))
    ).create_infer_request()
    feeds = [noise(*SHAPE), np.array([3, 4], np.int32), np.array([1, 6], np.int32)]
    assert request.infer(feeds)[0].shape == (0, 2)


def test_a_slice_backward_is_refused():
    with pytest.raises(
        DiagnosticException, match=r"^nn\.strided_slice 't\d+': reads a value whose size"
    ):
        lowstream.compile_model(Model(tflite_module(sliced("begin end", [1, -1]))))
