"""Pipelines as MLIR spells them: passes within what they run on, `builtin.module(…)`."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import DiagnosticException

_INNERMOST = re.compile(r""""[^"]*"|(?<![^,(\s])([\w.]+)\s*\(((?:"[^"]*"|[^()"])*)\)""")
"""Quoted text, or an anchor with passes that have none within them."""
_ANCHORED = re.compile(r"\s*[\w.]+\s*\(")


def has_anchor(pipeline: str) -> bool:
    """Whether a pipeline says what its passes run on."""
    return _ANCHORED.match(pipeline) is not None


def without_anchor(pipeline: str) -> str:
    """
    The passes of a pipeline as MLIR spells it, `builtin.module(…)`. Raises DiagnosticException where it runs on
    something else than modules.
    """
    anchor, mark, rest = pipeline.strip().partition("(")
    if has_anchor(pipeline) and not rest.endswith(")"):
        raise DiagnosticException(f"'{pipeline}' does not end with the ) of {anchor.strip()}(")
    if not mark or "{" in anchor or not rest.endswith(")"):
        raise DiagnosticException(f"'{pipeline}' has no anchor; write builtin.module({pipeline})")
    passes = rest.removesuffix(")")
    flat, inner = _flattened(passes)
    if anchor.strip() not in ("builtin.module", "any"):
        inner = anchor.strip()
    if inner is not None:
        raise DiagnosticException(
            f"passes run on the whole module, not on {inner} in it; write builtin.module({flat})"
        )
    return passes


def _flattened(passes: str) -> tuple[str, str | None]:
    """The passes without the anchors around some of them, and the innermost of these that comes first."""
    first: str | None = None

    def bare(found: re.Match[str]) -> str:
        nonlocal first
        if found[1] is None:
            return found[0]
        first = first or found[1]
        return found[2]

    while (flat := _INNERMOST.sub(bare, passes)) != passes:
        passes = flat
    return flat, first
