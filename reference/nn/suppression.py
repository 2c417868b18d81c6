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
    is_rotated = boxes.shape[-1] == 6
    iou = _rotated_overlap(boxes, taken) if is_rotated else _overlap(op, boxes, taken)
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


def _rotated_overlap(boxes: Array, taken: Array) -> Array:
    """The same of boxes that are rotated; their intersections are cut out edge by edge."""
    areas, area = boxes[:, 2] * boxes[:, 3], taken[2] * taken[3]
    overlaps = np.zeros(len(boxes))
    for i, box in enumerate(boxes):
        if areas[i] > 0 and area > 0:
            both = _area(_cut(_corners(box), _corners(taken)))
            overlaps[i] = both / (areas[i] + area - both)
    return overlaps


def _corners(box: Array) -> list[Array]:
    """One after the other, the inner side on the left."""
    middle, half, (cosine, sine) = box[:2], box[2:4] / 2, box[4:]
    turn = np.array([[cosine, -sine], [sine, cosine]], np.float64)
    return [middle + turn @ (half * sign) for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _cut(polygon: list[Array], other: list[Array]) -> list[Array]:
    """What lies within the other, too (Sutherland and Hodgman)."""
    for start, end in zip(other, other[1:] + other[:1], strict=True):
        along, kept = end - start, list[Array]()
        sides = [along[0] * p[1] - along[1] * p[0] for p in (each - start for each in polygon)]
        for i, (point, side) in enumerate(zip(polygon, sides, strict=True)):
            following, side_of = polygon[i - len(polygon) + 1], sides[i - len(polygon) + 1]
            if side >= 0:
                kept.append(point)
            if (side >= 0) != (side_of >= 0):
                kept.append(point + (following - point) * (side / (side - side_of)))
        polygon = kept
    return polygon


def _area(polygon: list[Array]) -> float:
    """By the shoelace formula."""
    pairs = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return sum(float(p[0] * q[1] - p[1] * q[0]) for p, q in pairs) / 2
