"""Patterns of the first and the last step that a configuration can leave out, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from .config import LptConfig


class NamedPattern(RewritePattern):
    """A pattern; `name` is how users disable it."""

    name: ClassVar[str]


@dataclass(frozen=True)
class Guarded(RewritePattern):
    """A pattern, but for operations that a callback keeps it from."""

    pattern: NamedPattern
    config: LptConfig

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not self.config.skips(self.pattern.name, op):
            self.pattern.match_and_rewrite(op, rewriter)


def enabled(patterns: Iterable[NamedPattern], config: LptConfig) -> list[RewritePattern]:
    """Without those that the configuration disables, and as its callbacks allow."""
    guarded = {callback.transformation for callback in config.callbacks}
    return [
        Guarded(one, config) if one.name in guarded else one
        for one in patterns
        if one.name not in config.disabled
    ]
