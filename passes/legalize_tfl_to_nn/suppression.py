"""Boxes of detectors that stay: the builtins, and the operation at the end of SSD models."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import tfl
from ...dialects.inferred import shape_of
from ...dialects.nn.detection.non_max_suppression import above, selected
from ...dialects.nn.expression import Expression, concatenated
from ..tensorflow_rules.rules import Results
from .translation import Builtin, Translation, computes


@computes("NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5")
def non_max_suppression(
    t: Translation,
    op: tfl.TflOp,
    boxes: SSAValue,
    scores: SSAValue,
    count: SSAValue,
    *_: SSAValue,
) -> Results:
    """Boxes `[box, 4]` of any two opposite corners, scores `[box]`; what lies behind the last box is 0."""
    (wanted,) = t.integers_of(Builtin(op, ""), count, "number of boxes")
    iou, least, sigma = (_number(t, op, place) for place in (3, 4, 5))
    if sigma > 0 and iou < 1:
        raise DiagnosticException(
            f"a soft_nms_sigma of {sigma:g} beside an iou_threshold of {iou:g} cannot be read; use one of both"
        )
    places, size = Expression(t, boxes), shape_of(boxes)[0]
    ends = [places.reshaped(1, size, 4).slice(2, *each) for each in ((0, 2), (2, 4))]
    corners = concatenated(2, ends[0].at_most(ends[1]), ends[0].at_least(ends[1]))
    kept = min(wanted, size)
    each = Expression(t, scores).reshaped(1, 1, size)
    numbers, best = selected(corners, each, kept, iou=iou, score=least, sigma=sigma)
    found = (numbers >= 0).to(i32).sum(0, 1, 2)
    listed = [_filled(value.reshaped(kept), wanted) for value in (numbers.at_least(0), best)]
    results = [*listed, found] if op.builtin().endswith("5") else [listed[0], found]
    return [each.value for each in results]


def _number(t: Translation, op: tfl.TflOp, place: int) -> float:
    """A threshold, which has to be constant; 0 where there is none."""
    if place >= len(op.operands):
        return 0.0
    if (data := t.data(op.operands[place])) is None:
        raise DiagnosticException("its thresholds must be constant; fix them in the model")
    return float(data.reshape(()))


def _filled(value: Expression, size: int) -> Expression:
    """A list, filled up with zeros."""
    missing = size - value.shape[0]
    if not missing:
        return value
    shape = (missing, *value.shape[1:])
    return concatenated(0, value, value.constant(shape, [0] * prod(shape)))


def detection_post_process(t: Translation, op: tfl.CustomOp) -> None:
    """
    Boxes `[1, box, 4]` relative to anchors `[box, 4]` (middle y and x, height, width), with scores `[1, box, class]`. A
    box takes part with its best class, or with `use_regular_nms` in each class. Behind the last detection all is 0
    (tensorflow/lite/kernels/detection_postprocess.cc).
    """
    options = _options(op)
    x, scores, anchors = (Expression(t, t.value(each)) for each in op.operands)
    boxes = _decoded(x, anchors, options)
    classes = int(options["num_classes"])
    scores = scores.slice(2, scores.shape[2] - classes, scores.shape[2])
    most = int(options["max_detections"])
    regular = bool(options.get("use_regular_nms", False))
    if not regular and int(options["max_classes_per_detection"]) != 1:
        raise DiagnosticException(
            "several classes for one detection cannot be read; use max_classes_per_detection = 1"
        )
    detected = _of_each_class if regular else _of_best_class
    picked, kinds, values = detected(boxes, scores, most, options)
    exists = (values > NONE).to(f32)
    found = exists.sum(0)
    chosen = boxes.reshaped(-1, 4).gathered(picked, 0) * exists.reshaped(-1, 1)
    results = [
        _filled(chosen, most).reshaped(1, most, 4),
        _filled(kinds.to(f32) * exists, most).reshaped(1, most),
        _filled((values > NONE).where(values, 0.0), most).reshaped(1, most),
        found.reshaped(1),
    ]
    for target, result in zip(op.results, results, strict=True):
        t.set(target, result.value)


NONE = -1e30
"""The score of a detection that there is not."""


REQUIRED = (
    *("num_classes", "max_detections", "max_classes_per_detection"),
    *("nms_iou_threshold", "nms_score_threshold", "y_scale", "x_scale", "h_scale", "w_scale"),
)
"""Options that have no default."""


def _options(op: tfl.CustomOp) -> Mapping[str, Any]:
    """The options by name, which are a flexbuffer."""
    from flatbuffers import flexbuffers  # pyright: ignore[reportMissingTypeStubs]

    try:
        found: Any = cast(Any, flexbuffers).Loads(op.custom_option.content.data)
    except (ValueError, IndexError, TypeError) as error:
        raise DiagnosticException(f"{op.custom_code.data}: damaged options ({error})") from None
    missing = [name for name in REQUIRED if not isinstance(found, dict) or name not in found]
    if missing:
        raise DiagnosticException(f"{op.custom_code.data}: no option {', '.join(missing)}")
    return cast(Mapping[str, Any], found)


def _decoded(x: Expression, anchors: Expression, options: Mapping[str, Any]) -> Expression:
    """Boxes as their corners, the lower one first."""
    y, x_, height, width = (x.slice(2, i, i + 1) for i in range(4))
    size = anchors.shape[0]
    at = [anchors.reshaped(1, size, 4).slice(2, i, i + 1) for i in range(4)]
    scale = {name: float(options[f"{name}_scale"]) for name in "yxhw"}
    middles = y / scale["y"] * at[2] + at[0], x_ / scale["x"] * at[3] + at[1]
    halves = (
        (height / scale["h"]).exp() * at[2] * 0.5,
        (width / scale["w"]).exp() * at[3] * 0.5,
    )
    low = [middle - half for middle, half in zip(middles, halves, strict=True)]
    high = [middle + half for middle, half in zip(middles, halves, strict=True)]
    return concatenated(2, *low, *high)


def _suppressed(
    boxes: Expression, scores: Expression, count: int, options: Mapping[str, Any]
) -> tuple[Expression, Expression]:
    """Numbers of boxes that stay, and their scores, `NONE` behind the last one."""
    iou, score = (np.float32(options[f"nms_{name}_threshold"]) for name in ("iou", "score"))
    before = float(np.nextafter(score, np.float32(-np.inf)))
    count = min(count, boxes.shape[1])
    numbers, best = selected(boxes, scores, count, iou=above(float(iou)), score=before)
    return numbers.at_least(0), (numbers >= 0).where(best, NONE)


def _of_best_class(
    boxes: Expression, scores: Expression, most: int, options: Mapping[str, Any]
) -> tuple[Expression, Expression, Expression]:
    """Numbers, classes and scores of detections, by the best class of each box."""
    size = boxes.shape[1]
    best, kinds = scores.top(1)
    numbers, values = _suppressed(boxes, best.reshaped(1, 1, size), most, options)
    numbers = numbers.reshaped(-1)
    return numbers, kinds.reshaped(size).gathered(numbers, 0), values.reshaped(-1)


def _of_each_class(
    boxes: Expression, scores: Expression, most: int, options: Mapping[str, Any]
) -> tuple[Expression, Expression, Expression]:
    """The same of all classes, of which the best are taken."""
    count = int(options.get("detections_per_class", 100))
    numbers, values = _suppressed(boxes, scores.transposed(0, 2, 1), count, options)
    _, classes, count = numbers.shape
    best, places = values.reshaped(classes * count).top(min(most, classes * count))
    return numbers.reshaped(classes * count).gathered(places, 0), places / count, best
