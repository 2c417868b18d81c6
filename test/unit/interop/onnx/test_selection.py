"""Elements at places that a condition says, sums up to each, windows put together, groups of channels."""

import numpy as np

from lowstream.test.unit.interop.onnx.graphs import BOOL, FLOAT, INT64, check, model, node, random


def test_places_sums_and_groups():
    inputs = {
        "x": (FLOAT, [2, 4, 6]),
        "columns": (FLOAT, [1, 8, 10]),
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
        ],
        inputs,
        "rows flat reversed along logarithms groups image",
        {
            "one": np.array(1, np.int64),
            "gain": random(4),
            "size": np.array([4, 5], np.int64),
            "block": np.array([2, 2], np.int64),
        },
    )
    feeds = {
        "x": random(2, 4, 6),
        "columns": random(1, 8, 10),
        "short": np.array([1, 0, 1], bool),
        "long": np.array([1, 0, 1, 1, 0, 0, 1], bool),
        "computed": np.array(-1),
    }
    check(proto, feeds)
