"""An explanation as a fragment of HTML with its style; nothing is loaded from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from .text import TOP, TimeUnit, counted

if TYPE_CHECKING:
    from .rows import Explanation, KernelRow, LayerRow, WhatIf

STYLE = """
.lowstream-explanation { font: 14px/1.4 system-ui, sans-serif; }
.lowstream-explanation table { border-collapse: collapse; margin: 1em 0; }
.lowstream-explanation th, .lowstream-explanation td {
  border-bottom: 1px solid #8884; padding: 2px 10px; text-align: left; vertical-align: top; }
.lowstream-explanation .number { text-align: right; font-variant-numeric: tabular-nums; }
.lowstream-explanation .low { background: #2a82; }
.lowstream-explanation .why { max-width: 45em; }
.lowstream-explanation .bar { background: #48c8; display: inline-block; height: 0.7em; }
"""


def fragment(explanation: Explanation) -> str:
    """One section."""
    parts = [f"<style>{STYLE}</style>", _paragraph(explanation.summary)]
    if explanation.kernels:
        parts += _kernels(explanation)
    parts += _layers(explanation)
    for option in explanation.options:
        measured = _measured(option, TimeUnit.of(explanation))
        parts.append(f"<h3>{escape(', '.join(option.changes))}</h3>{measured}")
    parts += map(_paragraph, explanation.notes)
    return '<section class="lowstream-explanation">\n' + "\n".join(parts) + "\n</section>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _kernels(explanation: Explanation) -> Iterator[str]:
    assert explanation.low_share is not None and explanation.milliseconds is not None
    unit = TimeUnit.of(explanation)
    time = f"{unit.shown(explanation.milliseconds)} {unit.name}"
    yield _paragraph(f"{time}, {explanation.low_share:.1%} of them in int8; most of it in:")
    headings = ("kernel", "type", "in", "shape", unit.name, "share", "GOP/s", "of peak")
    yield from _table(headings, (_kernel(each, unit) for each in explanation.top(TOP)))


def _kernel(kernel: KernelRow, unit: TimeUnit) -> str:
    bar = f'<span class="bar" style="width: {80 * kernel.share:.0f}px"></span>'
    gops = "" if kernel.gops is None else f"{kernel.gops:.3g}"
    cells = [
        f'<td title="{escape(", ".join(kernel.layers))}">{escape(kernel.name)}</td>',
        *map(_cell, (kernel.type, kernel.exec_type.rpartition("_")[2], kernel.shape)),
        _number(unit.shown(kernel.milliseconds)),
        f'<td class="number">{kernel.share:.1%} {bar}</td>',
        _number(gops),
        _number("" if kernel.peak is None else f"{kernel.peak:.0%}"),
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _layers(explanation: Explanation) -> Iterator[str]:
    unit = TimeUnit.of(explanation)
    headings = (
        "layer",
        "type",
        "in",
        "out",
        "shape",
        unit.name,
        "off",
        "rule",
        "why not in low precision",
    )
    yield from _table(headings, (_layer(each, unit) for each in explanation.layers))


def _layer(layer: LayerRow, unit: TimeUnit) -> str:
    time = unit.shown(layer.milliseconds) if layer.milliseconds else ""
    cells = [
        f'<td title="{escape(layer.place)}">{escape(layer.name)}</td>',
        *map(_cell, (layer.type, counted(layer.inputs), counted(layer.outputs), layer.shape)),
        _number(time),
        _number("" if layer.difference is None else f"{layer.difference:.1%}"),
        _cell(layer.rule),
        f'<td class="why">{_why(layer, unit)}</td>',
    ]
    begin = '<tr class="low">' if layer.is_low else "<tr>"
    return f"{begin}{''.join(cells)}</tr>"


def _why(layer: LayerRow, unit: TimeUnit) -> str:
    lines = [escape(layer.reason)]
    if layer.at_fault:
        lines.append(f"at fault: {escape(layer.at_fault)}")
    if layer.advice:
        lines.append(f"<b>{escape(layer.advice)}</b>")
    if layer.what_if is not None:
        lines.append(f"tried: {escape('; '.join(layer.what_if.changes))}")
        lines.append(_measured(layer.what_if, unit))
    return "<br>".join(line for line in lines if line)


def _measured(what_if: WhatIf, unit: TimeUnit) -> str:
    """What was measured, in a table of two rows."""
    distance = f"relative L2 from {what_if.compared_with}"
    times = (f"{what}, {unit.name}" for what in ("these layers", "model"))
    headings = ("", *times, distance, "largest difference")
    rows = [
        f"<tr>{_cell(when)}{''.join(map(_number, numbers))}</tr>"
        for when, *numbers in zip(
            ("before", "after"),
            map(unit.shown, what_if.layer_ms),
            map(unit.shown, what_if.model_ms),
            (f"{each:.2g}" for each in what_if.error),
            (f"{each:.2g}" for each in what_if.largest_error),
            strict=True,
        )
    ]
    return "".join(_table(headings, rows))


def _table(headings: Sequence[str], rows: Iterable[str]) -> Iterator[str]:
    yield f"<table><tr>{''.join(f'<th>{escape(each)}</th>' for each in headings)}</tr>"
    yield from rows
    yield "</table>"


def _cell(text: str) -> str:
    return f"<td>{escape(text)}</td>"


def _number(text: str) -> str:
    return f'<td class="number">{escape(text)}</td>'
