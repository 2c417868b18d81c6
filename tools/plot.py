"""Draws latencies; needs matplotlib, which is not among the packages that lowstream itself needs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ..passes.needs import needs
from ..passes.whole_file import replacing
from .measure import Contender

ENDINGS = (".svg", ".png", ".pdf")
POINTS = 1000
"""Of each curve: a plot of every call would be as large as all of them."""

COLORS = ("#2f6fde", "#d9822b", "#6b7280")


def check_plot(path: Path) -> None:
    """Raises DiagnosticException where nothing could be drawn to this file: before a long measurement."""
    if path.suffix not in ENDINGS:
        raise DiagnosticException(f"{path}: a plot is written as {', '.join(ENDINGS)}")
    if find_spec("matplotlib") is None:
        raise DiagnosticException(needs("drawing", "matplotlib"))


def plot_latencies(title: str, contenders: Sequence[Contender], path: Path) -> None:
    """Which part of the calls took at most so long, for each contender."""
    figure, axes = new_figure(title)
    parts = [(index + 0.5) / POINTS for index in range(POINTS)]
    for contender, color in zip(contenders, COLORS, strict=False):
        ordered = sorted(contender.samples)
        times = [ordered[int(part * len(ordered))] / 1000 for part in parts]
        label = f"{contender.name}, median {contender.percentiles[0]:.1f} µs"
        axes.plot(times, parts, color=color, label=label)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set(xlabel="µs per inference", ylabel="part of calls", ylim=(0, 1))
    axes.legend(frameon=False)
    save_figure(figure, path)


def new_figure(title: str) -> tuple[Any, Any]:
    """A figure with one pair of axes, in the style of all of ours."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes: Any = figure.subplots()
    axes.set_title(title, loc="left")
    axes.grid(axis="y", color="#e5e7eb")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save_figure(figure: Any, path: Path) -> None:
    """Writes a figure, whole or not at all; the same data gives the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None} if path.suffix == ".svg" else None
    with replacing(path) as draft:
        figure.savefig(draft, format=path.suffix[1:], metadata=metadata)
