"""How often each transformation and each pattern of LPT did something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from lowstream.passes.lpt.config import LptConfig
from lowstream.passes.lpt.plan import LptPlan
from lowstream.passes.lpt.steps import MAIN, PREREQUISITES, cleanup_pattern_sets


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """Counts, by name, while it is open."""
    fired: Counter[str] = Counter()
    sets = (*PREREQUISITES, *cleanup_pattern_sets(LptConfig()))
    patterns = {type(one) for group in sets for one in group}
    replaced = [_transform(type(one), fired) for one in MAIN]
    replaced += [_match_and_rewrite(kind, fired) for kind in patterns]
    for one in replaced:
        one.start()
    try:
        yield fired
    finally:
        for one in replaced:
            one.stop()


def _transform(kind: Any, fired: Counter[str]) -> Any:
    own = kind.transform

    def transform(self: Any, op: Operation, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        reason = own(self, op, plan, rewriter)
        fired[self.name] += reason is None
        return reason

    return patch.object(kind, "transform", transform)


def _match_and_rewrite(kind: Any, fired: Counter[str]) -> Any:
    own = kind.match_and_rewrite

    def match_and_rewrite(self: Any, op: Operation, rewriter: PatternRewriter, /) -> None:
        before, rewriter.has_done_action = rewriter.has_done_action, False
        own(self, op, rewriter)
        fired[self.name] += rewriter.has_done_action
        rewriter.has_done_action |= before

    return patch.object(kind, "match_and_rewrite", match_and_rewrite)
