"""Decodes boxes from anchors and the deltas that a network predicts; proposals and detections share this."""

from __future__ import annotations

from ..expression import Expression, concatenated
from .non_max_suppression import EXCLUDED, above, selected


def halves(boxes: Expression) -> tuple[Expression, Expression]:
    """The lower corners of boxes `[…, 4]`, and the upper ones; or other pairs."""
    last = len(boxes.shape) - 1
    return boxes.slice(last, 0, 2), boxes.slice(last, 2, 4)


def joined(low: Expression, high: Expression) -> Expression:
    """The inverse of `halves`: both corners as boxes `[…, 4]`."""
    return concatenated(len(low.shape) - 1, low, high)


def refined(
    anchors: Expression,
    deltas: Expression,
    *,
    offset: float = 0,
    inset: float = 0,
    most: float | None = None,
) -> Expression:
    """
    Anchors moved by parts of their sizes, which are multiplied by `e` to the power of the others, `most` at the most.
    `offset` comes to sizes, `inset` goes from upper corners.
    """
    low, high = halves(anchors)
    size = high - low + offset
    shift, growth = halves(deltas)
    middle = shift * size + (low + size / 2)
    half = (growth if most is None else growth.at_most(most)).exp() * size / 2
    return joined(middle - half, middle + half - inset)


def no_smaller(boxes: Expression, least: Expression, offset: float) -> Expression:
    """Which boxes `[…, 4]` have at least these widths and heights `[…, 2]`."""
    low, high = halves(boxes)
    width, height = (high - low + offset >= least).columns()
    return width & height


def proposed(
    boxes: Expression,
    scores: Expression,
    alive: Expression | None,
    *,
    before: int,
    after: int,
    iou: float,
    offset: float,
) -> tuple[Expression, Expression, Expression]:
    """
    The boxes `[image, after, 4]` that stay of the `before` best ones `[image, box, 4]`, their scores, and whether there
    are so many; 0 where there are not. Those that are not `alive` count among the best, but neither stay nor suppress.
    """
    images, size, _ = boxes.shape
    best, order = scores.top(min(before, size))
    boxes = boxes.gathered(order, 1, 1)
    if alive is not None:
        best = alive.gathered(order, 1, 1).where(best, EXCLUDED)
    rows = best.reshaped(images, 1, -1)
    count = min(after, rows.shape[2])
    numbers, found = selected(
        boxes, rows, count, iou=above(iou), score=EXCLUDED, offset=offset, touching=True
    )
    numbers, found = (
        padded(each.reshaped(images, count), after, fill)
        for each, fill in ((numbers, -1), (found, 0))
    )
    exists = numbers >= 0
    rows = boxes.gathered(numbers.at_least(0), 1, 1)
    return exists.reshaped(images, after, 1).where(rows, 0), found, exists


def padded(rows: Expression, count: int, fill: float) -> Expression:
    """Rows `[row, number]` with so many numbers."""
    size, have = rows.shape
    if have == count:
        return rows
    return concatenated(1, rows, rows.constant((1, 1), [fill]).broadcast(size, count - have))
