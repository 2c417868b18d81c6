"""Pipelines as MLIR spells them: passes within what they run on, `builtin.module(…)`."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import DiagnosticException

_QUOTED = re.compile(r'"[^"]*"')
_NESTED = re.compile(r"(?:^|,)\s*([\w.]+)\s*\(")
"""An anchor within a pipeline, outside of what is quoted."""
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
    if anchor.strip() not in ("builtin.module", "any"):
        raise DiagnosticException(
            f"passes run on modules, not on {anchor.strip()}; write builtin.module({rest}"
        )
    passes = rest.removesuffix(")")
    if inner := _NESTED.search(_QUOTED.sub("", passes)):
        raise DiagnosticException(
            f"passes run on modules, not on {inner[1]}; write its passes into builtin.module(…) itself"
        )
    return passes
