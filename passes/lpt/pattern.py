"""Patterns of the first and the last step, which a configuration can leave out by name, and what applies them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Generic, get_args

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.locations import rewriter_of
from ...dialects.walk import all_operations
from ..erase_unused import erase_all_dead
from ..instrumentation import note_rewrite
from .config import LptConfig
from .transformation import OpT


class NamedPattern(RewritePattern, Generic[OpT]):
    """A pattern; `name` is how users disable it, and `op` is what it is about, its type argument."""

    name: ClassVar[str]
    op: ClassVar[type[Any]]

    def __init_subclass__(cls) -> None:
        for base in getattr(cls, "__orig_bases__", ()):
            for kind in get_args(base):
                if isinstance(kind, type):
                    cls.op = kind


def apply(patterns: Iterable[NamedPattern[Any]], module: ModuleOp, config: LptConfig) -> None:
    """
    Applies those that are enabled, as callbacks allow, until none matches, and erases what nothing uses then.
    Operations that no pattern is about cost nothing.
    """
    chosen = [one for one in patterns if one.name not in config.disabled]
    about: dict[type[Operation], list[NamedPattern[Any]]] = {}
    while _sweep(chosen, about, module, config):
        erase_all_dead(module)


def _sweep(
    patterns: Iterable[NamedPattern[Any]],
    about: dict[type[Operation], list[NamedPattern[Any]]],
    module: ModuleOp,
    config: LptConfig,
) -> bool:
    changed = False
    for op in all_operations(module):
        if (kind := type(op)) not in about:
            about[kind] = [one for one in patterns if issubclass(kind, one.op)]
        rewriter: PatternRewriter | None = None
        for one in about[kind]:
            if op.parent is None or config.skips(one.name, op):
                continue
            rewriter = rewriter or rewriter_of(op)
            one.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                note_rewrite(one.name)
                changed, rewriter = True, None
    return changed
