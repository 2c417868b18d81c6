"""The table of rules: for each operator that differs from ours, the function that writes it in our operations."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from ...dialects.tables import registered

if TYPE_CHECKING:
    from .node import Node, Values

Rule = Callable[["Node"], "Values"]

RULES: dict[str, Rule] = {}
"""Operator type to rule."""


class SaidByFunctionError(Exception):
    """Raised by a rule that does not cover a node, if the function that defines the operator does."""


def of_lists(make: Rule) -> Rule:
    """A rule whose attributes are lists that have to fit each other; it names its operator where they do not."""

    @wraps(make)
    def checked(node: Node) -> Values:
        try:
            return make(node)
        except (ArithmeticError, LookupError, ValueError) as error:
            raise node.refuse(
                f"its attributes do not fit together: {error}; export the model again"
            ) from None

    return checked


def rule(*types: str) -> Callable[[Rule], Rule]:
    """Registers the decorated function `(node) -> value or list of values` for operators of these types."""
    return registered(RULES, types)
