"""Places intermediate values in the arena by liveness: first fit, the largest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ...dialects.kernel import ALIGNMENT


@dataclass(frozen=True)
class Lifetime:
    """`size` bytes that are live from step `start` to step `end`, both included."""

    size: int
    start: int
    end: int


def assign_offsets(lifetimes: Sequence[Lifetime]) -> tuple[list[int], int]:
    """An offset for each lifetime, such that those live at the same step do not overlap, and the arena's size."""
    offsets = [0] * len(lifetimes)
    placed: defaultdict[int, list[int]] = defaultdict(list)  # by step: what is live then
    total = 0
    for i in sorted(range(len(lifetimes)), key=lambda i: (-lifetimes[i].size, lifetimes[i].start)):
        size = aligned(lifetimes[i].size)
        steps = range(lifetimes[i].start, lifetimes[i].end + 1)
        live = {j for step in steps for j in placed[step]}
        taken = sorted((offsets[j], offsets[j] + aligned(lifetimes[j].size)) for j in live)
        offset = 0
        for low, high in taken:
            if offset + size <= low:
                break
            offset = max(offset, high)
        offsets[i] = offset
        for step in steps:
            placed[step].append(i)
        total = max(total, offset + size)
    return offsets, total


def aligned(size: int) -> int:
    """The size rounded up to whole cache lines."""
    return -(-size // ALIGNMENT) * ALIGNMENT
