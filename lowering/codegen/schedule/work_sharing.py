"""
Work sharing: how the work of a kernel is cut into pieces. Threads claim pieces one by one, and check for cancellation
between two of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...calling_convention import MOST_SHARED

UNIT_WORK = 1 << 15
"""The least work of a unit: claiming one costs a twentieth of it."""

UNITS = 16
"""The number of units for each thread: a late thread keeps only the piece that it works on, others claim the rest."""

PIECE_WORK = 1 << 26
"""The most work between two checks for cancellation: about a millisecond."""


@dataclass(frozen=True)
class WorkSharing:
    """
    A kernel is done in this many `units`. Of what is left of its share, a thread claims half at a time, and `most`
    units at most.
    """

    units: int
    most: int

    @classmethod
    def choose(cls, work: int, threads: int) -> WorkSharing:
        """For a kernel of so much work (`lowering.codegen.work`) and so many threads."""
        wanted = max(threads, min(UNITS * threads, work // UNIT_WORK), -(-work // PIECE_WORK))
        units = min(wanted, MOST_SHARED)
        return cls(units, max(1, PIECE_WORK * units // max(work, 1)))


def pieces(work: int, is_prepared: bool) -> int:
    """
    The number of pieces of a kernel that one thread computes alone. Weights of a small piece stay near. Where each
    piece `is_prepared`, there are as few as checks for cancellation allow.
    """
    return -(-work // PIECE_WORK) if is_prepared else WorkSharing.choose(work, 1).units
