"""Boxes that stay of those that overlap."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.SelectBoxesOp)
def select_boxes(op: nn.SelectBoxesOp, boxes: Array, scores: Array) -> tuple[Array, Array]:
    count, threshold = op.max_output.value.data, op.score_threshold.value.data
    numbers = np.full((*scores.shape[:2], count), -1, np.int32)
    selected = np.zeros(numbers.shape, scores.dtype)
    for row, of_class in np.ndindex(scores.shape[:2]):
        left = scores[row, of_class].copy()
        for k in range(count):
            left[~(left > threshold)] = -np.inf
            if not (left > -np.inf).any():
                break
            best = int(np.argmax(left))
            numbers[row, of_class, k], selected[row, of_class, k] = best, left[best]
            left = _rescored(op, left, boxes[row], boxes[row, best])
            left[best] = -np.inf
    return numbers, selected


def _rescored(op: nn.SelectBoxesOp, scores: Array, boxes: Array, taken: Array) -> Array:
    iou = _overlap(op, boxes, taken)
    if sigma := op.soft_nms_sigma.value.data:
        return (scores * np.exp(-iou * iou / (2 * sigma))).astype(scores.dtype)
    return np.where(iou >= op.iou_threshold.value.data, -np.inf, scores).astype(scores.dtype)


def _overlap(op: nn.SelectBoxesOp, boxes: Array, taken: Array) -> Array:
    """Intersection over union; 0 where a box has no area."""

    def area(low: Array, high: Array, touching: bool = False) -> Array:
        sides = np.maximum(high - low + op.offset.value.data, 0)
        return np.where(touching & (high < low), 0, sides).prod(-1)

    low, high = np.maximum(boxes[:, :2], taken[:2]), np.minimum(boxes[:, 2:], taken[2:])
    both = area(low, high, bool(op.touching))
    one, other = area(boxes[:, :2], boxes[:, 2:]), area(taken[:2], taken[2:])
    exists = (one > 0) & (other > 0)
    return np.where(exists, both / np.where(exists, one + other - both, 1), 0)
