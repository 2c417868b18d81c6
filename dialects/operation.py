"""What all our operations share: compiling asks what they are half a million times, and erases them by thousands."""

from __future__ import annotations

from abc import ABCMeta

from xdsl.ir import Operation, SSAValues
from xdsl.irdl import IRDLOperation


class _OperationClass(ABCMeta):
    """Nobody registers subclasses by `ABCMeta.register`, for which `isinstance` else calls Python."""

    __instancecheck__ = type.__instancecheck__


class Op(IRDLOperation, metaclass=_OperationClass):
    """An operation of one of our dialects."""

    def erase(self, safe_erase: bool = True, drop_references: bool = True) -> None:
        """As xDSL does, and lets go of its memory: Python's collector rests while a model is compiled."""
        super().erase(safe_erase, drop_references)
        _break_circles(self)


def _break_circles(op: Operation) -> None:
    """Results know their operation, arguments their block, and operations those before and behind them."""
    op.results = SSAValues()
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.ops):
                inner._next_op = inner._prev_op = None  # pyright: ignore[reportPrivateUsage]
                _break_circles(inner)
            block._args = ()  # pyright: ignore[reportPrivateUsage]
            block._first_op = block._last_op = None  # pyright: ignore[reportPrivateUsage]
