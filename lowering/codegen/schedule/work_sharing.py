"""
Work sharing: how the work of a kernel is cut into pieces, which threads claim one by one, and between which a program
looks whether it is to stop.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...calling_convention import MOST_SHARED

UNIT_WORK = 1 << 15
"""A unit is worth so much at least: claiming one costs a twentieth of it."""

UNITS = 16
"""For each thread: a late one leaves all but the piece that it is at to others."""

PIECE_WORK = 1 << 26
"""The most that is done without a look whether to stop: about a millisecond."""


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
