"""What the network heard and found, drawn."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from voice import DELAY, HIGHEST, HOP, LINES, LOWEST, RATE, WINDOW, Array, pitch

PAPER, INK, TRUE, FOUND = "white", "#30343f", "#b9bec9", "#d1495b"


def draw(heard: Array, true: Array, answers: Array, title: str, file: Path) -> None:
    """Draws frames [n, LINES], the true pitch in Hz [n], and the network's answers [n, 2]."""
    seconds = np.arange(1, len(heard) + 1) * HOP / RATE - DELAY
    extent = (seconds[0], seconds[-1], RATE / WINDOW / 2, (LINES + 0.5) * RATE / WINDOW)
    style: dict[Any, Any] = {
        "font.size": 10,
        "text.color": INK,
        "axes.edgecolor": TRUE,
        "axes.labelcolor": INK,
    }
    style |= {"xtick.color": INK, "ytick.color": INK}
    with mpl.rc_context(style):
        figure = Figure(figsize=(11, 7), dpi=110, layout="constrained", facecolor=PAPER)
        top, middle, bottom = figure.subplots(3, sharex=True, height_ratios=[3, 4, 1])
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")

        top.imshow(heard.T, origin="lower", aspect="auto", extent=extent, cmap="magma")
        top.set(ylabel="heard, Hz")

        wide = {"linewidth": 7, "solid_capstyle": "butt"}
        middle.plot(seconds, gapped(true), color=TRUE, label="true pitch", **wide)
        found = gapped(pitch(answers))
        middle.plot(seconds, found, color=FOUND, linewidth=1.8, label="found by the int8 LSTM")
        middle.set_yscale("log", base=2)
        middle.set(ylabel="pitch, Hz", ylim=(LOWEST * 0.9, HIGHEST * 1.1))
        ticks = [100, 150, 200, 300, 400]
        middle.set_yticks(ticks, labels=[str(tick) for tick in ticks])
        middle.minorticks_off()
        middle.grid(color="#eceef2")
        figure.legend(loc="upper right", frameon=False, ncols=2)

        certain = 1 / (1 + np.exp(-answers[:, 0]))
        bottom.fill_between(seconds, true > 0, color=TRUE, linewidth=0, step="mid")
        bottom.plot(seconds, certain, color=FOUND, linewidth=1.2)
        bottom.set(xlabel="seconds", ylabel="is there\na pitch?", ylim=(-0.05, 1.05))
        bottom.set_yticks([0, 1], labels=["no", "yes"])
        for axes in (middle, bottom):
            axes.spines[["top", "right"]].set_visible(False)
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file)


def gapped(hertz: Array) -> Array:
    """Pitch with NaN where there is none and where it jumps, which breaks a drawn line."""
    line = np.where(hertz > 0, hertz, np.nan)
    with np.errstate(invalid="ignore"):
        jumps = np.abs(np.diff(np.log2(line))) > 1 / 12
    line[1:][jumps] = np.nan
    return line.astype(np.float32)
