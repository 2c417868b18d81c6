"""What the methods of a chain take: numbers, and lists of them. Others are refused where they are given."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from operator import index
from typing import Any

from ..errors import DiagnosticError, shown

NO_NUMBERS: tuple[type, ...] = (str, bytes, bytearray, Mapping, AbstractSet)
"""Types that `float` or a loop accepts, but that are neither numbers nor lists of them."""


def whole(step: str, given: Any) -> int:
    """An integer. Raises DiagnosticException for others, also for those that would have to be rounded."""
    try:
        return index(given)
    except TypeError:
        raise DiagnosticError(f"{step} was given {shown(given)}; give an integer") from None


def wholes(step: str, given: Any) -> list[int]:
    """Integers. Raises DiagnosticException for others."""
    return [whole(step, each) for each in _listed(step, given, "integers")]


def number(step: str, given: Any) -> float:
    """A number. Raises DiagnosticException for others, and for one that no float holds."""
    try:
        if not isinstance(given, NO_NUMBERS):
            return float(given)
    except (TypeError, ValueError, OverflowError):
        pass
    raise DiagnosticError(f"{step} was given {shown(given)}; give a number")


def numbers(step: str, given: Any) -> float | list[float]:
    """A number, also as the only one of a list, or several. Raises DiagnosticException for others, and for none."""
    if not hasattr(given, "__iter__") or getattr(given, "ndim", 1) == 0:
        return number(step, given)
    if not (listed := [number(step, each) for each in _listed(step, given, "numbers")]):
        raise DiagnosticError(f"{step} was given no numbers; give one, or one for each channel")
    return listed if len(listed) > 1 else listed[0]


def names(step: str, given: Any) -> tuple[str, ...]:
    """Different names. Raises DiagnosticException for others."""
    listed = tuple(_listed(step, given, "names"))
    if any(not isinstance(name, str) or listed.count(name) > 1 for name in listed):
        raise DiagnosticError(f"{step} was given {shown(given)}; give different names")
    return listed


def _listed(step: str, given: Any, what: str) -> list[Any]:
    try:
        if not isinstance(given, NO_NUMBERS):
            return list(given)
    except TypeError:  # an array without dimensions, too
        pass
    raise DiagnosticError(f"{step} was given {shown(given)}; give a list of {what}")
