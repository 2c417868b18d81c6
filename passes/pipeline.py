"""Runs a pipeline, given as text or as pass objects, on a module."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.transforms import get_all_passes

from ..dialects import context
from .registry import factories

Pipeline = str | ModulePass | Sequence[ModulePass]
"""`"low-latency2{use-const-initializer=false},lpt"`, a pass or several."""


def parse_pipeline(pipeline: Pipeline) -> list[ModulePass]:
    """The passes of a pipeline. Raises DiagnosticException or ValueError where the text names none such."""
    if isinstance(pipeline, ModulePass):
        return [pipeline]
    if not isinstance(pipeline, str):
        return list(pipeline)
    return list(PassPipeline.parse_spec({**get_all_passes(), **factories()}, pipeline).passes)


def run_passes(module: ModuleOp, pipeline: Pipeline, ctx: Context | None = None) -> None:
    """Runs the passes in order and verifies the module after each. It is changed in place."""
    ctx = context() if ctx is None else ctx
    module.verify()
    for item in parse_pipeline(pipeline):
        item.apply(ctx, module)
        module.verify()
