"""Patterns of the first and the last step that a configuration can leave out, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from xdsl.pattern_rewriter import RewritePattern

from .config import LptConfig


class NamedPattern(RewritePattern):
    """A pattern; `name` is how users disable it."""

    name: ClassVar[str]


def enabled(patterns: Iterable[RewritePattern], config: LptConfig) -> list[RewritePattern]:
    """Without those that the configuration disables."""
    return [
        one
        for one in patterns
        if not (isinstance(one, NamedPattern) and one.name in config.disabled)
    ]
