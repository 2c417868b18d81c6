"""The table of rules: for each operator that differs from ours, the function that says it in ours."""

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
    """What a rule raises where the function that defines the operator says more than it can."""


def rule(*types: str) -> Callable[[Rule], Rule]:
    """Registers the decorated function `(node) -> value or list of values` for operators of these types."""
    return registered(RULES, types)
