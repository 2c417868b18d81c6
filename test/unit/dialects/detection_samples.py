"""`SAMPLERS`, with operands for the operations of `nn` that detectors end with, too."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntegerAttr, f64, i32, i64
from xdsl.ir import Attribute

from lowstream.dialects import nn
from lowstream.reference.arrays import Array
from lowstream.test.unit.dialects.index_samples import SAMPLERS as SAMPLERS
from lowstream.test.unit.dialects.network_samples import floats, several, string
from lowstream.test.unit.dialects.sampling import Draw, Kind, Sample, array, sampled


def overlapping(rows: int, count: int, dtype: Any) -> Array:
    """Boxes of which some are the same, some overlap, and some have no area."""
    low = array([rows, count, 2], dtype) % 4
    return np.concatenate([low, low + array([rows, count, 2], dtype) % 3], -1)


@sampled(nn.ReduceWindowsOp)
def reduce_windows(op: Kind, draw: Draw) -> Sample:
    """Windows of which some are empty, and some reach beyond the input."""
    sizes = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    windows = draw(st.lists(st.integers(1, 4), max_size=2))
    dtype, index = draw(st.sampled_from([np.float32, np.float64])), draw(st.sampled_from("il"))
    begins = array([*windows, len(sizes)], index) % 6 - 1
    ends = begins + array([*windows, len(sizes)], index) % 4 - 1
    x = array([*sizes, draw(st.integers(1, 5))], dtype)
    return Sample([x, begins, ends], {"reduction": draw(string("sum", "max"))})


@sampled(nn.SelectBoxesOp)
def select_boxes(op: Kind, draw: Draw) -> Sample:
    rows, classes, count = several(draw, 3, 1, 5)
    numbers = {"iou_threshold": 0.3, "score_threshold": draw(st.sampled_from([-9.0, 0.5]))}
    numbers |= {"soft_nms_sigma": draw(st.sampled_from([0.0, 0.5])), "offset": 0.25}
    properties: dict[str, Attribute] = {
        name: FloatAttr(number, f64) for name, number in numbers.items()
    }
    properties["touching"] = BoolAttr.from_bool(draw(st.booleans()))
    properties["max_output"] = IntegerAttr(draw(st.integers(0, count)), i64)
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    return Sample(
        [overlapping(rows, count, dtype), array([rows, classes, count], dtype)], properties
    )


@sampled(nn.NonMaxSuppressionOp)
def non_max_suppression(op: Kind, draw: Draw) -> Sample:
    rows, classes, count = several(draw, 3, 1, 5)
    dtype, sigma = draw(floats), draw(st.sampled_from([0, 0.5]))
    limits = [np.array(draw(st.integers(1, 6)), np.int64)]
    limits += [np.array(number, np.float32) for number in (0.3, -9, sigma)]
    operands = [overlapping(rows, count, dtype), array([rows, classes, count], dtype)]
    properties: dict[str, Attribute] = {
        "box_encoding": draw(string("corner", "center")),
        "sort_result_descending": BoolAttr.from_bool(draw(st.booleans())),
        "output_type": draw(st.sampled_from([i32, i64])),
    }
    return Sample(operands + limits, properties, frozenset(range(2, 6)))


@sampled(nn.MulticlassNmsOp, nn.MatrixNmsOp)
def of_classes(op: Kind, draw: Draw) -> Sample:
    rows, classes, count = several(draw, 3, 1, 4)
    properties: dict[str, Attribute] = {
        "sort_result_type": draw(string("none", "score", "classid")),
        "sort_result_across_batch": BoolAttr.from_bool(draw(st.booleans())),
        "normalized": BoolAttr.from_bool(draw(st.booleans())),
        "background_class": IntegerAttr(draw(st.integers(-1, 2)), i64),
        "score_threshold": FloatAttr(1.5, f64),
    }
    for name in ("nms_top_k", "keep_top_k"):
        properties[name] = IntegerAttr(draw(st.sampled_from([-1, 1, 3])), i64)
    if op is nn.MatrixNmsOp:
        properties["decay_function"] = draw(string("linear", "gaussian"))
        properties["post_threshold"] = FloatAttr(1.2, f64)
    else:
        properties["iou_threshold"] = FloatAttr(0.3, f64)
    return Sample([overlapping(rows, count, np.float32), array([rows, classes, count])], properties)


@sampled(nn.NmsRotatedOp)
def rotated(op: Kind, draw: Draw) -> Sample:
    """Some boxes are the same, rotated by a right angle, or lie along an edge of another."""
    rows, classes, count = several(draw, 3, 1, 5)
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    places = rng.integers(0, 3, (rows, count, 2)) / 2
    sizes, angles = rng.integers(0, 4, (rows, count, 2)), rng.integers(0, 7, (rows, count, 1))
    boxes = np.concatenate([places, sizes, angles * (np.pi / 4)], -1).astype(dtype)
    limits = [np.array(draw(st.integers(1, 6)), np.int64)]
    limits += [np.array(number, np.float32) for number in (0.35, -9)]
    properties: dict[str, Attribute] = {
        "sort_result_descending": BoolAttr.from_bool(draw(st.booleans())),
        "clockwise": BoolAttr.from_bool(draw(st.booleans())),
    }
    scores = array([rows, classes, count], dtype)
    return Sample([boxes, scores, *limits], properties, frozenset(range(2, 5)))
