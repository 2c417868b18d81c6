"""Whether lines are ordered side by side, a lane for each, or one after the other."""

from __future__ import annotations

MOST_INSERTED = 16
"""So many elements of a line are kept sorted in registers; for more, all are sorted in memory."""

MOST_SORTED = 1 << 15
"""So many are all sorted side by side; words of longer lines, one for each lane, leave the caches in every pass."""

SELECTED, MERGED = 42, 56
"""
What selecting takes for an element of a line alone, and merging for one and a bit of the number of those that are kept,
where a comparison of two elements in all lanes takes 4.
"""


def goes_side_by_side(size: int, count: int) -> bool:
    """
    Whether ordering lines that fill vectors takes less that way, where `count` of `size` elements are kept: a network
    sorts all of them, with a quarter of the square of the bits of `size` comparisons for each.
    """
    if count <= MOST_INSERTED:
        return True
    compared = size * (size - 1).bit_length() ** 2
    return (
        size <= MOST_SORTED
        and compared <= SELECTED * size + MERGED * count * (count - 1).bit_length()
    )
