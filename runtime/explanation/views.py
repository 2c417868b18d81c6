"""What a page shows of a model beside its layers: graphs before and after passes, kernels, memory and states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel
from ...dialects.kernel import storage_bytes
from ...dialects.short_types import short_type
from ...lowering.lower_to_kernels import Fused
from ...lowering.machine import choose_isa
from ...passes.html_table import html_table
from ...passes.view_op_graph import graph_of
from ...passes.view_op_graph.dot import can_draw, check_can_draw
from ...reference.arrays import array_of
from ..cache.tuned import configurations_for
from .memory import MemoryPlan, rows_of

LARGEST = 12
"""Buffers that are listed under the picture."""

MOST_NODES = 3000
"""Of a larger graph, a picture helps nobody."""


@dataclass(frozen=True)
class Section:
    """A part of a page."""

    id: str
    title: str
    html: str


@dataclass(frozen=True)
class Views:
    """A model before and after its passes."""

    source: ModuleOp
    final: ModuleOp
    threads: int

    def sections(self) -> Iterator[Section]:
        """All of them; what cannot be shown says why."""
        program = self._program()
        pictures = [
            _picture("before the passes", self.source, False),
            _picture("after the passes", self.final, True),
        ]
        if isinstance(program, kernel.ProgramOp):
            pictures.append(_picture("as kernels", ModuleOp([program.clone()]), False))
        yield Section("graph", "Graph", "".join(pictures))
        yield Section("memory", "Memory", _memory(program))
        if states := infra.variables_of(self.final):
            columns = ("state", "type", "bytes", "scale")
            rows = [_state(name, variable) for name, variable in states.items()]
            if not any(scale for *_, scale in rows):
                columns, rows = columns[:-1], [row[:-1] for row in rows]
            yield Section("states", "States", _wide(html_table(columns, rows, (2,))))

    def _program(self) -> kernel.ProgramOp | str:
        """The program, or why there is none before sizes are known."""
        isa = choose_isa()
        try:
            return Fused.of(self.final, isa).finished(configurations_for(self.threads, isa.name))
        except DiagnosticException as error:
            return str(error)


def _picture(title: str, module: ModuleOp, is_open: bool) -> str:
    """A graph that can be enlarged and moved."""
    graph = graph_of(module)
    count = len(graph.nodes)
    if count > MOST_NODES:
        return _paragraph(f"{title}: {count:,} nodes, more than a picture can show")
    if not can_draw():
        try:
            check_can_draw()
        except DiagnosticException as error:
            return _paragraph(f"{title}: {error}")
    opened = " open" if is_open else ""
    return (
        f"<details{opened}><summary>{title}: {count:,} nodes</summary>\n"
        '<div class="zoom"><button aria-label="smaller">−</button><button aria-label="larger">+</button>'
        f'<button>fit</button></div>\n<div class="graph">{graph.to_svg()}</div></details>\n'
    )


def _memory(program: kernel.ProgramOp | str) -> str:
    if isinstance(program, str):
        return _paragraph(program)
    plan = MemoryPlan.of(program)
    shared = sum(piece.size for piece in plan.pieces)
    text = (
        f"{plan.arena_bytes:,} bytes of arena for {len(plan.pieces)} buffers of {shared:,} bytes in all, "
        f"and {plan.weight_bytes:,} bytes of weights. Steps go to the right, bytes of the arena up; "
        "what holds codes is green, all else orange."
    )
    columns = ("written by", "type", "bytes", "offset", "steps")
    table = html_table(columns, list(rows_of(plan, LARGEST)), (2, 3))
    picture = plan.svg()
    return _paragraph(text) + (f"{picture}\n{_wide(table)}" if picture else "")


def _state(name: str, variable: infra.VariableOp) -> tuple[str, ...]:
    scale = ""
    if variable.scale is not None:
        values = array_of(variable.scale).ravel()
        scale = f"{values[0]:.6g}" if values.size == 1 else f"{values.size} of them"
    size = storage_bytes(cast(TensorType[Any], variable.type))
    known = size > -1 and "?" not in short_type(variable.type)
    return name, short_type(variable.type), f"{size:,}" if known else "", scale


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n"


def _wide(table: str) -> str:
    """A table that scrolls where the page is narrow."""
    return f'<div class="scroll">{table}</div>\n'
