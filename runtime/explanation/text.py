"""An explanation as text: a table of layers, where the time goes, and what to change."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...passes.elided import NARROWEST, elided
from ...passes.precision_report.advice import NOTHING
from ..profiling.profiling import anchors

if TYPE_CHECKING:
    from rich.console import Console

    from .rows import Explanation, LayerRow, WhatIf

TOP = 10
"""How many kernels are listed."""

LEAST = 0.005
"""Of the time, the share of a kernel that is listed."""

NAMED = 8
"""How many layers alike are named; the table has them all, and files name the reason of each."""

INDENT = "  "

TWO_INPUTS = len("f32 i64")
"""The width of what most layers take."""


def as_text(explanation: Explanation, width: int) -> str:
    """Plain text of so many columns."""
    from rich.console import Console

    text = io.StringIO()
    print_to(explanation, Console(file=text, width=width, color_system=None))
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def print_to(explanation: Explanation, console: Console) -> None:
    """Prints it as wide as a terminal, tables drawn there."""
    _print_layers(explanation, console)
    if explanation.kernels:
        console.print()
        _print_kernels(explanation, console)
    for paragraph in _paragraphs(explanation):
        console.print()
        for line, indent in paragraph:
            _print_wrapped(console, line, indent)
    console.print()
    for line in (explanation.summary, *explanation.notes):
        _print_wrapped(console, line, 0)


def _print_wrapped(console: Console, line: str, indent: int) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.print(Padding(Text(line), (0, 0, 0, indent * len(INDENT)), expand=False))


def _print_layers(explanation: Explanation, console: Console) -> None:
    is_measured = bool(explanation.kernels)
    is_compared = any(layer.difference is not None for layer in explanation.layers)
    unit = TimeUnit.of(explanation)
    more = [*([unit.name] if is_measured else []), *(["off"] if is_compared else [])]
    columns = ["type", "in", "out", *more, "rule"]
    rows: list[list[str]] = []
    for layer in explanation.layers:
        time = ["" if not layer.milliseconds else unit.shown(layer.milliseconds)]
        ports = [counted(layer.inputs), counted(layer.outputs)]
        off = ["" if layer.difference is None else f"{layer.difference:.1%}"]
        more = [*(time if is_measured else []), *(off if is_compared else [])]
        rows.append([layer.type, *ports, *more, layer.rule])
    names = [layer.name for layer in explanation.layers]
    styles = ["green" if layer.is_low else "" for layer in explanation.layers]
    _print_table(console, "layer", names, columns, rows, styles)


def _print_kernels(explanation: Explanation, console: Console) -> None:
    unit = TimeUnit.of(explanation)
    top = [kernel for kernel in explanation.top(TOP) if kernel.share >= LEAST]
    rows = [
        [
            kernel.type,
            kernel.exec_type.rpartition("_")[2],
            kernel.shape,
            unit.shown(kernel.milliseconds),
            f"{kernel.share:.1%}",
            "" if kernel.gops is None else f"{kernel.gops:.3g}",
        ]
        for kernel in top
    ]
    columns = ["type", "in", "shape", unit.name, "share", "GOP/s"]
    _print_table(console, "kernel", [kernel.name for kernel in top], columns, rows, [""] * len(top))
    assert explanation.low_share is not None and explanation.milliseconds is not None
    rest = len(explanation.kernels) - len(top)
    others = f"; {rest} other kernels take less" if rest else ""
    console.print(
        f"{unit.shown(explanation.milliseconds)} {unit.name}, {explanation.low_share:.1%} of them in int8{others}",
        highlight=False,
    )


def _print_table(
    console: Console,
    heading: str,
    names: Sequence[str],
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    styles: Sequence[str],
) -> None:
    """
    A table whose names differ as long as the layers do; what is wide beside them is wrapped, but no word broken: if
    there is no room for the longest ones, the table is wider than the console.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    room, widths = _widths(console.width, names, [*zip(columns, *rows, strict=True)])
    shown = elided(names, room)
    for_names = max(map(len, [heading, *shown]))
    gap = "  " if console.is_terminal else " "
    least = for_names + sum(len(gap) + width for width in widths) + len(gap) * console.is_terminal
    table = Table(
        box=SIMPLE_HEAD if console.is_terminal else None,
        pad_edge=False,
        collapse_padding=True,
        width=least if least > console.width else None,
    )
    table.add_column(heading, no_wrap=True, width=for_names)
    for column, width in zip(columns, widths, strict=True):
        is_number = column in ("ms", "µs", "off", "share", "GOP/s")
        justify = "right" if is_number else "left"
        table.add_column(column, justify=justify, overflow="fold", width=width)
    for name, row, style in zip(shown, rows, styles, strict=True):
        table.add_row(Text(name), *map(Text, row), style=style)
    console.print(table, crop=False)


def _widths(
    room: int, names: Sequence[str], columns: Sequence[Sequence[str]]
) -> tuple[int, list[int]]:
    """
    The width for names, and that of each other column, whose cells begin with its heading. A column has room for its
    longest word, that of inputs for two of them. Names get up to two fifths of the whole; what is left goes to columns
    whose cells do not fit on one line.
    """
    whole = [max(map(len, cells)) for cells in columns]
    widths = [max(map(len, " ".join(cells).split())) for cells in columns]
    widths = [
        min(full, max(width, TWO_INPUTS)) if cells[0] == "in" else width
        for cells, width, full in zip(columns, widths, whole, strict=True)
    ]
    left = room - sum(width + len(" ") for width in widths)
    for_names = max(NARROWEST, min(left, 2 * room // 5))
    left -= min(for_names, max(map(len, names), default=0))
    for index, full in enumerate(whole):
        more = max(0, min(full - widths[index], left))
        widths[index] += more
        left -= more
    return for_names, widths


Paragraph = list[tuple[str, int]]
"""Lines, each with its indentation."""


def _paragraphs(explanation: Explanation) -> Iterator[Paragraph]:
    """Of the layers with something to change, products first, those alike together; of the others one for all."""
    unit, nothing = TimeUnit.of(explanation), dict[str, int]()
    alike: dict[tuple[object, ...], list[LayerRow]] = {}
    for layer in explanation.layers:
        if layer.is_low or _is_said(layer, explanation.layers):
            continue
        if layer.advice.startswith(NOTHING):
            is_inside = "'" in layer.advice or layer.advice.endswith("no kernel")
            why = "it has no kernel of its own" if is_inside else layer.reason
            nothing[why] = nothing.get(why, 0) + 1
            continue
        alike.setdefault((layer.reason, layer.at_fault, layer.advice, layer.what_if), []).append(
            layer
        )
    products = anchors()
    for layers in sorted(alike.values(), key=lambda layers: layers[0].type not in products):
        yield list(_about(layers, unit))
    for option in explanation.options:
        yield [(", ".join(option.changes), 0), *_measured(option, unit)]
    if nothing:
        yield [
            ("Nothing to change:", 0),
            *(
                (f"{_layers(count)}{', each' * (count > 1)}: {reason}", 1)
                for reason, count in nothing.items()
            ),
        ]


def _is_said(layer: LayerRow, layers: Sequence[LayerRow]) -> bool:
    """Whether what is said about a layer is only that another, of which it is said, too, cannot use its codes."""
    _, mark, reason = layer.reason.partition(" cannot use its codes: ")
    return bool(mark) and any(other.reason == reason for other in layers)


def _about(layers: Sequence[LayerRow], unit: TimeUnit) -> Iterator[tuple[str, int]]:
    first = layers[0]
    more = [f"and {len(layers) - NAMED} more"] if len(layers) > NAMED else []
    yield ", ".join([*map(called, layers[:NAMED]), *more]), 0
    verb = "is" if len(layers) == 1 else "are each"
    yield f"{verb} in floating point: {first.reason.replace(f'; {first.advice}', '')}", 1
    if first.at_fault:
        yield f"at fault: {first.at_fault}", 1
    yield f"change: {first.advice or 'none is known'}", 1
    if first.what_if is not None:
        yield f"tried: {'; '.join(first.what_if.changes)}", 1
        yield from _measured(first.what_if, unit)


def _measured(what_if: WhatIf, unit: TimeUnit) -> Paragraph:
    times = [
        f"{unit.shown(before)} → {unit.shown(after)} {unit.name}"
        for before, after in (what_if.model_ms, what_if.layer_ms)
    ]
    how = "faster" if what_if.gain_ms >= 0 else "slower"
    layers = _layers(len(what_if.layers))
    gained = f"{unit.shown(abs(what_if.gain_ms))} {unit.name} {how}"
    gain = f"{gained}: the model {times[0]}, {layers} of it {times[1]}"
    (error, error_after), (largest, largest_after) = what_if.error, what_if.largest_error
    cost = f"outputs differ from {what_if.compared_with} by {error_after:.2g} (relative L2), before {error:.2g}"
    cost += f"; at most {largest_after:.2g} in an element, before {largest:.2g}"
    return [(f"gain: {gain}", 1), (f"cost: {cost}", 1)]


def called(layer: LayerRow) -> str:
    """`Convolution 'conv1' (model.mlir:12)`."""
    return f"{layer.type} '{layer.name}'" + (f" ({layer.place})" if layer.place else "")


def counted(precisions: Sequence[str]) -> str:
    """Precisions, those alike that follow each other counted: `f32×5`."""
    found: list[tuple[str, int]] = []
    for each in precisions:
        if found and found[-1][0] == each:
            found[-1] = (each, found[-1][1] + 1)
        else:
            found.append((each, 1))
    return " ".join(each if count == 1 else f"{each}×{count}" for each, count in found)


def _layers(count: int) -> str:
    return "1 layer" if count == 1 else f"{count} layers"


@dataclass(frozen=True)
class TimeUnit:
    """What all times of an explanation are shown in."""

    name: str
    per_millisecond: int

    @classmethod
    def of(cls, explanation: Explanation) -> TimeUnit:
        """Microseconds of a model that takes less than a millisecond."""
        is_short = explanation.milliseconds is not None and explanation.milliseconds < 1
        return cls("µs", 1000) if is_short else cls("ms", 1)

    def shown(self, milliseconds: float) -> str:
        """In three digits: `12.3`, `0.00274`."""
        if not (number := milliseconds * self.per_millisecond):
            return "0"
        decimals = max(0, 2 - math.floor(math.log10(number)))
        return f"{number:.{decimals}f}"
