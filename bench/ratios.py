"""Draws times as parts of OpenVINO's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lowstream.tools.plot import COLORS, new_figure, save_figure

RUNTIMES = ("lowstream", "openvino", "onnxruntime")


def draw_ratios(
    title: str,
    parts: Mapping[str, Sequence[float]],
    labels: Sequence[str],
    conditions: dict[str, Any],
    path: Path,
) -> None:
    """Bars for each of RUNTIMES side by side, a group for each label."""
    figure, axes = new_figure(f"{title}, OpenVINO = 1 (less is faster)")
    width = 0.8 / len(RUNTIMES)
    places = np.arange(len(labels))
    for index, name in enumerate(RUNTIMES):
        x = places + (index - 1) * width
        bars = axes.bar(x, parts[name], width, color=COLORS[index], label=name)
        axes.bar_label(bars, [f"{part:.2f}" for part in parts[name]], padding=2, fontsize=7)
    axes.set_xticks(places, labels, fontsize=8)
    axes.set_ylabel("median time / OpenVINO's")
    axes.legend(frameon=False)
    text = f"{conditions['cpu']}, OpenVINO {conditions['openvino']}, ONNX Runtime {conditions['onnxruntime']}"
    figure.supxlabel(text, fontsize=8)
    save_figure(figure, path)
