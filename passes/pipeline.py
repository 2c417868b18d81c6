"""Runs a pipeline, given as text or as pass objects, on a module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException

from ..dialects import context
from .registry import all_factories

Pipeline = str | ModulePass | Sequence["Pipeline"]
"""`"low-latency2{use-const-initializer=false},lpt"`, a pass, or several of these."""


_VALUE = re.compile(r""""(?:[^"\\]|\\.)*"|(?<=[=,])[^\s"=,{}\[\]]+""")
_PLAIN = re.compile(r"[\w-]+|[-+]?\d+(\.\d*([eE][-+]?\d+)?)?", re.ASCII)


def quoted(pipeline: str) -> str:
    """The same pipeline with its paths in quotes, which xDSL wants: `precision-report{file="my.csv"}`."""

    def quote(value: re.Match[str]) -> str:
        is_quoted = value[0].startswith('"')
        return value[0] if is_quoted or _PLAIN.fullmatch(value[0]) else f'"{value[0]}"'

    return _VALUE.sub(quote, pipeline)


def parse_pipeline(pipeline: Pipeline) -> list[ModulePass]:
    """The passes of a pipeline. Raises DiagnosticException where the text names none such."""
    if isinstance(pipeline, ModulePass):
        return [pipeline]
    if not isinstance(pipeline, str):
        return [one for part in _listed(pipeline) for one in parse_pipeline(part)]
    available = all_factories()
    try:
        return list(PassPipeline.parse_spec(available, quoted(pipeline)).passes)
    except (ArgSpecParseError, ValueError) as error:
        what = " ".join(str(error).split())
        raise DiagnosticException(
            f"pipeline '{pipeline}': {what}{_hint(what, available)}"
        ) from error


def _listed(pipeline: object) -> Sequence[Pipeline]:
    if not isinstance(pipeline, Sequence):
        raise DiagnosticException(
            f"a pipeline is text, a pass object or a list of these, not {pipeline!r}"
        )
    return cast(Sequence[Pipeline], pipeline)


def _hint(what: str, available: Iterable[str]) -> str:
    """Which of the passes a name that nothing has is like."""
    if not what.startswith("Unrecognized passes"):
        return ""
    near: list[str] = []
    for name in re.findall(r"'([^']*)'", what):
        near += get_close_matches(name.replace("_", "-"), [*available], 2)
    return f"; did you mean {' or '.join(near)}?" if near else "; opt-tool --help lists passes"


def run_passes(module: ModuleOp, pipeline: Pipeline, ctx: Context | None = None) -> None:
    """Runs the passes in order and verifies the module after each. It is changed in place."""
    ctx = context() if ctx is None else ctx
    module.verify()
    for item in parse_pipeline(pipeline):
        item.apply(ctx, module)
        module.verify()
