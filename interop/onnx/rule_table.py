"""The table of rules: for each operator that differs from ours, the function that writes it in our operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...dialects.tables import registered

if TYPE_CHECKING:
    from .node import Node, Values

Rule = Callable[["Node"], "Values"]

RULES: dict[str, Rule] = {}
"""Operator type to rule."""


class SaidByFunctionError(Exception):
    """Raised by a rule that does not cover a node, if the function that defines the operator does."""


def rule(*types: str) -> Callable[[Rule], Rule]:
    """Registers the decorated function `(node) -> value or list of values` for operators of these types."""
    return registered(RULES, types)
