"""Loop merging: neighbouring dimensions that all operands step through alike become one loop."""

from __future__ import annotations

from collections.abc import Sequence


def merge_loops(
    sizes: Sequence[int], steps: Sequence[Sequence[int]]
) -> tuple[list[int], list[list[int]]]:
    """
    The loops that are left over dimensions of these sizes, along which the operands move by `steps[d]`:
    those of size 1 are none, and what goes on where the next one ends is one with it.
    """
    kept: list[int] = []
    moves: list[list[int]] = []
    for size, step in zip(sizes, steps, strict=True):
        if size == 1:
            continue
        if kept and moves[-1] == [s * size for s in step]:
            kept[-1] *= size
            moves[-1] = list(step)
            continue
        kept.append(size)
        moves.append(list(step))
    return kept, moves


def dense_strides(shape: Sequence[int]) -> list[int]:
    """Of a tensor without gaps."""
    strides = [1]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return strides
