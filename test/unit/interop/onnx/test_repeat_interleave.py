"""Rows as often as a call says, as PyTorch's exporter writes repeat_interleave: how many there are is computed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, INT64, model, node

ROWS = 6
MOST = 4
"""To which the model limits each count."""


def repeat_interleave() -> ModelProto:
    """`y = repeat_interleave(x, min(counts, MOST))`: the row at a place is how many ends are not behind it."""
    constants = {
        "zero": 0,
        "one": 1,
        "last": [-1],
        "axis": [0],
        "least": -1,
        "most": MOST,
        "rows": [ROWS],
    }
    nodes = [
        node("Clip", "counts least most", "n"),
        node("CumSum", "n axis", "ends"),
        node("Gather", "ends last", "end"),
        node("Squeeze", "end axis", "total"),
        node("Range", "zero total one", "place"),
        node("Unsqueeze", "ends last", "column"),
        node("Less", "place column", "is_before"),
        node("Cast", "is_before", "before", to=INT64),
        node("ReduceSum", "before axis", "later", keepdims=0),
        node("Sub", "rows later", "row"),
        node("Gather", "x row", "y"),
    ]
    inputs = {"x": (FLOAT, [ROWS, 3]), "counts": (INT64, [ROWS])}
    return model(nodes, inputs, "y", {name: np.array(value) for name, value in constants.items()})


COMPILED = compile_model(read_model(repeat_interleave()))


@given(st.lists(st.integers(0, 2 * MOST), min_size=ROWS, max_size=ROWS))
def test_each_row_is_repeated_as_often_as_its_count_says(counts: list[int]):
    x = np.arange(ROWS * 3, dtype=np.float32).reshape(ROWS, 3)
    result = COMPILED({"x": x, "counts": np.array(counts)})["y"]
    assert np.array_equal(result, np.repeat(x, np.minimum(counts, MOST), axis=0))


def test_a_total_below_0_gives_no_rows():
    x, counts = np.ones((ROWS, 3), np.float32), np.array([1, -1, -1, -1, 0, 0])
    assert COMPILED({"x": x, "counts": counts})["y"].shape == (0, 3)
