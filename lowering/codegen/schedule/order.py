"""Whether lines are ordered side by side, a lane for each, or one after the other."""

from __future__ import annotations

MOST_INSERTED = 16
"""
The most elements of a line that are kept sorted in registers; where more are wanted, the line is sorted in memory.
"""

MOST_SORTED = 1 << 15
"""
The longest lines that are sorted side by side, one in each lane; the words of longer ones leave the caches in every
pass.
"""

SELECTED, MERGED = 42, 56
"""
What lines cost one after the other, where comparing two vectors costs 4: selecting, for each element; merging, for
each element that is kept and each bit of their number.
"""


def goes_side_by_side(size: int, count: int) -> bool:
    """
    Whether lines of `size` elements, of which `count` are kept, are ordered faster side by side. Where more than a few
    are, a network sorts all of them: with n bits of `size`, it compares each element about n² / 4 times.
    """
    if count <= MOST_INSERTED:
        return True
    compared = size * (size - 1).bit_length() ** 2
    return (
        size <= MOST_SORTED
        and compared <= SELECTED * size + MERGED * count * (count - 1).bit_length()
    )
