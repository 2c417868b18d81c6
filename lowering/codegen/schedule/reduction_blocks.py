"""Points of a reduction that are computed together, since they read the same elements."""

from __future__ import annotations

MOST_TOGETHER = 8
"""Points that read the same elements and are computed by code of their own, side by side."""

MOST_BESIDE, FEWEST_TOGETHER = 4, 4
"""
Other points beside each of these, which share elements of another operand: so many elements that are loaded serve as
many points. Where registers hold fewer points than there are, they hold so many of the first kind at least.
"""

INDEPENDENT_SUMS = 8
"""Sums that keep two pipelined units busy: latency 4 times 2 per cycle."""


def block(size: int, most: int) -> int:
    """As many of so many points as divide them, and at most so many."""
    return next((n for n in range(min(most, size), 1, -1) if size % n == 0), 1)


def are_enough(few: int, many: int) -> bool:
    """
    Whether so few points that share the elements of the larger operand, and so many that share those of the smaller,
    are in blocks so large that a point needs one sum.
    """
    together = block(few, MOST_TOGETHER)
    return together > 1 and together * block(many, MOST_BESIDE) >= INDEPENDENT_SUMS
