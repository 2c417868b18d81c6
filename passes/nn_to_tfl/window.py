"""Windows with LiteRT's two paddings, SAME and VALID; any other becomes a PAD in front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from ...dialects.nn.window import Window
from .movement import with_pads
from .refusals import refuse
from .tensors import Tensor
from .writer import TflWriter

SAME, VALID = "SAME", "VALID"
"""The two paddings."""


@dataclass(frozen=True)
class Padding:
    """The padding of each spatial dimension by a PAD, and then that of the window itself."""

    pads: tuple[tuple[int, int], ...]
    kind: str

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to pad."""
        return any(begin or end for begin, end in self.pads)


def padding_of(op: Operation, window: Window, sizes: Sequence[int]) -> Padding:
    """
    SAME or VALID if that is what the window does, else the smallest explicit padding.

    SAME makes ⌈size / stride⌉ positions, with the smaller half of the padding before.
    """
    rank = len(sizes)
    none = ((0, 0),) * rank
    if DYNAMIC_INDEX in sizes:
        return _of_unknown_sizes(op, window, rank)
    exact = exact_padding(window, sizes)
    if exact == none:
        return Padding(none, VALID)
    return Padding(none, SAME) if _is_same(window, sizes, exact) else Padding(exact, VALID)


def exact_padding(window: Window, sizes: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The padding before and after that the positions need, and no more: the last one ends where the input does."""
    found: list[tuple[int, int]] = []
    for size, count, (begin, _), stride, extent in zip(
        sizes,
        window.positions(sizes),
        window.padding(sizes),
        window.strides,
        window.extents,
        strict=True,
    ):
        found.append((begin, max((count - 1) * stride + extent - size - begin, 0)))
    return tuple(found)


def _is_same(window: Window, sizes: Sequence[int], exact: Sequence[tuple[int, int]]) -> bool:
    for size, count, stride, extent, (begin, _) in zip(
        sizes, window.positions(sizes), window.strides, window.extents, exact, strict=True
    ):
        missing = max((-(-size // stride) - 1) * stride + extent - size, 0)
        if count != -(-size // stride) or begin != missing // 2:
            return False
    return True


def _of_unknown_sizes(op: Operation, window: Window, rank: int) -> Padding:
    none = ((0, 0),) * rank
    if window.auto_pad == "same_upper":
        return Padding(none, SAME)
    if window.auto_pad == "same_lower" or window.rounding != "floor":
        raise refuse(op, "its padding depends on an unknown size; give the inputs shapes first")
    if window.auto_pad == "valid":
        return Padding(none, VALID)
    return Padding(tuple(zip(window.pads_begin, window.pads_end, strict=True)), VALID)


def padded(
    write: TflWriter, x: Tensor, pads: Sequence[tuple[int, int]], fill: float | None = None
) -> Tensor:
    """The tensor `[batch, *space, channels]` with elements before and after its spatial dimensions."""
    return with_pads(write, x, [(0, 0), *pads, (0, 0)], fill)
