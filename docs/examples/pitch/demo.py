"""Follows the pitch of a voice, frame by frame, with a two-layer LSTM in int8.

    make demo        (or .venv/bin/python docs/examples/pitch/demo.py [--picture build/pitch.png])

Makes the committed model stateful and low precision with opt-tool, compiles it for this CPU,
streams voices that its training (train.py) never heard, and draws what it found.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import voice
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from voice import LINES, Array, Score, Voice
from xdsl.dialects.builtin import StringAttr
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import nn, qnn
from lowstream.dialects.inferred import NAME
from lowstream.reference.arrays import array_of

HERE = Path(__file__).resolve().parent
MODEL = HERE / "pitch.mlir"
SHOWN = 4  # the voice that is drawn
COLUMNS = 72  # of the sketch in the terminal
ROUNDS, CALLS = 40, 100  # of the comparison: rounds take turns, each of so many calls

console = Console(highlight=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--picture", type=Path, default=HERE.parents[2] / "build" / "pitch.png")
    arguments = parser.parse_args()
    try:
        show(arguments.picture)
    except (DiagnosticException, OSError) as error:
        sys.exit(f"demo: error: {error}")
    except ModuleNotFoundError as error:
        sys.exit(f"demo: error: {error}; install what the demo needs: make venv")


def show(picture_file: Path) -> None:
    import picture  # matplotlib takes a moment, and its absence one line

    title("1. opt-tool makes the model low precision and stateful")
    with tempfile.TemporaryDirectory() as folder:
        model = opt_tool("--lpt", "--low-latency2", output=Path(folder) / "pitch.mlir")
        request = lowstream.compile_model(model, num_threads=1).create_infer_request()
        table("States, carried from frame to frame", states_table(request.query_state()))
        table("Precisions, as executed", precision_table(lowstream.precision_report(model)))

    title("2. It hears voices one frame at a time: 10 ms each, nothing later is looked at")
    voices = voice.held_out()
    true = [voice.truth(v) for v in voices]
    answers, microseconds = listen("int8", request, voices)
    sketch(true[SHOWN], voice.pitch(answers[SHOWN]))
    heard = voice.frames(voices[SHOWN].sound)
    heading = "A two-layer int8 LSTM follows the pitch of a voice"
    picture.draw(heard, true[SHOWN], answers[SHOWN], heading, picture_file)
    console.print(f"\nDrawn in {os.path.relpath(picture_file)}", soft_wrap=True)

    title("3. What int8 costs, and what it gains")
    twin = lowstream.compile_model(float_twin(), num_threads=1).create_infer_request()
    found = {"int8": answers, "f32": listen("f32", twin, voices)[0]}
    frame = heard[100].reshape(1, 1, LINES)
    if (peer := openvino_request(frame)) is not None:
        found["OpenVINO, int8"] = listen("OpenVINO", peer, voices)[0]
    count = f"{sum(map(len, true))} frames of {len(true)} voices held out from training"
    table(f"Accuracy on {count}", score_table(found, true))
    request.set_tensor("frame", frame)
    table("Speed on one thread", speed_table(request, microseconds, peer))


# --- the model ----------------------------------------------------------------------------------


def opt_tool(*flags: str, output: Path) -> lowstream.Model:
    """The committed model after opt-tool."""
    command = ["opt-tool", *flags, os.path.relpath(MODEL), "-o", str(output)]
    console.print(f"[dim]$ {shlex.join(command)}[/dim]\n", soft_wrap=True)
    done = subprocess.run([sys.executable, "-m", "lowstream.tools.opt_tool", *command[1:]])
    if done.returncode:
        raise SystemExit(done.returncode)  # opt-tool has said why
    return lowstream.read_model(output)


def float_twin() -> lowstream.Model:
    """The committed model, stateful, without FakeQuantize: f32 between its i8 weights."""
    model = lowstream.read_model(MODEL)
    lowstream.run_passes(model, "low-latency2")
    for op in list(model.module.walk()):
        if isinstance(op, qnn.FakeQuantizeOp):
            op.result.replace_all_uses_with(op.input)
            op.detach()
            op.erase()
    return model


def openvino_request(frame: Array) -> Any | None:
    """The same model with this input in OpenVINO, on one thread; None where it is not installed."""
    try:
        import openvino
        from openvino._offline_transformations import apply_low_latency_transformation
        from openvino_form import openvino_model
    except ImportError:
        return None
    arrays = {
        name.data: array_of(op.value)
        for op in lowstream.read_model(MODEL).module.walk()
        if isinstance(op, nn.ConstantOp) and isinstance(name := op.attributes[NAME], StringAttr)
    }
    model = openvino_model(arrays)
    apply_low_latency_transformation(model)
    one_thread = {"PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1, "INFERENCE_NUM_THREADS": 1}
    request = openvino.compile_model(model, "CPU", one_thread).create_infer_request()
    request.set_tensor("frame", openvino.Tensor(frame))
    return request


# --- listening ----------------------------------------------------------------------------------


def listen(name: str, request: Any, voices: list[Voice]) -> tuple[list[Array], Array]:
    """The answers [frames, 2] to each voice, and the microseconds that each frame took."""
    answers: list[Array] = []
    microseconds: list[float] = []
    columns = (
        TextColumn("listening, {task.description:8}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("frames"),
    )
    terminal = console.is_terminal
    with Progress(*columns, console=console, auto_refresh=False, disable=not terminal) as bar:
        task = bar.add_task(name, total=sum(len(v.sound) // voice.HOP for v in voices))
        for v in voices:
            request.reset_state()
            found: list[Array] = []
            for frame in voice.stream(v.sound):
                shaped = frame.reshape(1, 1, LINES)
                start = time.perf_counter()
                answer = request.infer({"frame": shaped})["answers"]
                microseconds.append((time.perf_counter() - start) * 1e6)
                found.append(np.array(answer).reshape(2))
                if len(microseconds) % 100 == 0:
                    bar.update(task, completed=len(microseconds), refresh=True)
            answers.append(np.stack(found))
    return answers, np.array(microseconds, np.float32)


def take_turns(requests: Sequence[Any]) -> list[float]:
    """Each request's median microseconds per call, its input set before."""
    times: list[list[float]] = [[] for _ in requests]
    for _ in range(ROUNDS):
        for request, spent in zip(requests, times, strict=True):
            for _ in range(CALLS):
                start = time.perf_counter()
                request.infer()
                spent.append((time.perf_counter() - start) * 1e6)
    return [float(np.median(spent)) for spent in times]


# --- what is shown ------------------------------------------------------------------------------


def title(text: str) -> None:
    console.print(f"\n[bold]{text}[/bold]\n")


def table(heading: str, rows: Table) -> None:
    console.print(f"[italic]{heading}[/italic]", soft_wrap=True)
    console.print(rows)


def states_table(states: Sequence[lowstream.VariableState]) -> Table:
    table = Table("state", "shape")
    for state in states:
        table.add_row(state.name, " x ".join(map(str, state.shape)))
    return table


def precision_table(report: Sequence[Mapping[str, Any]]) -> Table:
    """A line for all operations that agree in everything but their names, 8-bit ones first."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in report:
        # Each precision once: FakeQuantize takes five inputs, all f32.
        taken, given = (" ".join(dict.fromkeys(row[side])) for side in ("inputs", "outputs"))
        alike.setdefault((row["reason"], row["type"], taken, given), []).append(row["name"])
    table = Table("count", "type", "in", "out")
    table.add_column("why not in 8 bits")
    for (reason, *columns), names in sorted(alike.items()):
        table.add_row(str(len(names)), *columns, reason, style=None if reason else "green")
    return table


def sketch(true: Array, found: Array) -> None:
    """Two lines of bars, as high as the pitch in each of COLUMNS slices of time."""
    for name, pitch, color in (("true ", true, "bright_black"), ("found", found, "red")):
        console.print(f"{name} [{color}]{bars(pitch, COLUMNS)}[/{color}]")


def bars(pitch: Array, columns: int) -> str:
    """Each slice's middle pitch as one of eight heights, a semitone scale; a space for none."""
    octaves = np.log2(np.maximum(pitch, voice.LOWEST) / voice.LOWEST)
    heights = np.minimum(octaves / np.log2(voice.HIGHEST / voice.LOWEST) * 8, 7).astype(int)
    middles = ((np.arange(columns) + 0.5) * len(pitch) / columns).astype(int)
    return "".join("▁▂▃▄▅▆▇█"[heights[at]] if pitch[at] > 0 else " " for at in middles)


def score_table(answers: dict[str, list[Array]], true: list[Array]) -> Table:
    scores = {
        name: Score.of(voice.pitch(np.concatenate(found)), np.concatenate(true))
        for name, found in answers.items()
    }
    table = Table("", *scores)
    table.add_row("pitch or none, rightly told", *(f"{s.voicing:.2%}" for s in scores.values()))
    table.add_row("pitch within half a semitone", *(f"{s.near:.2%}" for s in scores.values()))
    table.add_row("median distance", *(f"{s.cents:.1f} cents" for s in scores.values()))
    return table


def speed_table(request: lowstream.InferRequest, microseconds: Array, peer: Any | None) -> Table:
    table = Table("", "µs per frame")
    table.add_row("listening, median", f"{np.median(microseconds):.1f}")
    table.add_row("listening, 99th percentile", f"{np.percentile(microseconds, 99):.1f}")
    if peer is None:
        table.add_row("OpenVINO", "not installed")
        return table
    ours, theirs = take_turns([request, peer])
    table.add_row("interleaved: lowstream, median", f"{ours:.1f}")
    table.add_row("interleaved: OpenVINO, median", f"{theirs:.1f}")
    table.add_row("OpenVINO / lowstream", f"{theirs / ours:.1f} x")
    return table


if __name__ == "__main__":
    main()
