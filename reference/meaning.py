"""The table of meanings: for each operation, the NumPy function that says what it computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.ir import Operation

from .arrays import Array

OpT = TypeVar("OpT", bound=Operation)
Meaning = Callable[..., Array | tuple[Array, ...]]

MEANINGS: dict[type[Operation], Meaning] = {}
"""Operation class to function of the operation and its operands' arrays (None for an absent operand)."""


def meaning(*ops: type[Operation]) -> Callable[[Meaning], Meaning]:
    """Registers the decorated function `(op, *arrays) -> array or tuple of arrays`."""

    def register(function: Meaning) -> Meaning:
        MEANINGS.update(dict.fromkeys(ops, function))
        return function

    return register


def evaluate(op: Operation, inputs: Sequence[Array]) -> list[Array]:
    """The results of one operation that has no regions and no effects. Raises KeyError if it has no meaning."""
    results = MEANINGS[type(op)](op, *inputs)
    return list(results) if isinstance(results, tuple) else [results]
