"""A streaming step of an int8 LSTM, weights of 8 or 4 bits, against OpenVINO: inputs set once, one call, one step."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from models import FRAME, streaming_lstm

import lowstream
from lowstream.tools.benchmark_tool import latency_table
from lowstream.tools.measure import PERCENTILES, Contender, take_turns
from lowstream.tools.peers import openvino
from lowstream.tools.plot import COLORS, new_figure, save_figure
from lowstream.tools.table import print_table

STEPS = 20
"""Steps over which results are compared before anything is measured."""

TOLERANCE = 5e-3
"""
The largest difference to the quantized model computed in f32, in which an activation may round to the code beside it.
OpenVINO's may be greater: on CPUs without VNNI, sums of two of its products saturate at 16 bits.
"""


def measure(hidden: int, seconds: float, bits: int = 8) -> dict[str, Any]:
    """Checks that both compute the same, measures, prints a table and gives its numbers."""
    with saved_model(hidden, bits) as path:
        model = lowstream.read_model(path)
        lowstream.run_passes(model, "low-latency2,lpt")
        request = lowstream.compile_model(model, num_threads=1).create_infer_request()
        plain = lowstream.read_model(path)
        lowstream.run_passes(plain, "low-latency2")
        exact = lowstream.compile_model(plain, pipeline="").create_infer_request()
        frame = np.zeros((1, 1, FRAME), np.float32)
        theirs = openvino(path, [frame], 1, stateful=True)
        request.set_tensor(0, frame)
        exact.set_tensor(0, frame)
        error, their_error = differences(request, exact, theirs, frame)
        contenders = [Contender("lowstream", request.infer), Contender("openvino", theirs)]
        take_turns(contenders, seconds)
    columns, rows = latency_table(contenders)
    print_table(
        f"LSTM step, {hidden} hidden, int8, weights of {bits} bits: µs "
        f"(largest difference {error:.1e}, OpenVINO's {their_error:.1e})",
        columns,
        rows,
    )
    print()
    ours, other = (contender.percentiles for contender in contenders)
    return {
        "hidden": hidden,
        "bits": bits,
        "ratio": round(other[0] / ours[0], 2),
        "difference": error,
        "difference_openvino": their_error,
        "microseconds": {
            contender.name: dict(zip(map(str, PERCENTILES), contender.percentiles, strict=True))
            for contender in contenders
        },
    }


@contextmanager
def saved_model(hidden: int, bits: int = 8) -> Iterator[Path]:
    """The file of the model."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"lstm{hidden}.xml"
        ov.save_model(streaming_lstm(hidden, bits=bits), path, compress_to_fp16=False)
        yield path


def differences(
    request: lowstream.InferRequest, exact: lowstream.InferRequest, theirs: Any, frame: np.ndarray
) -> tuple[float, float]:
    """
    The largest differences to the exact results over some steps, ours and theirs, each from the same states: others,
    which differ by less than f32 shows, may lie on two sides of a code's limit. Exits where ours is more than that.
    """
    rng = np.random.default_rng(1)
    worst = other = 0.0
    for _ in range(STEPS):
        frame[...] = rng.uniform(-1, 1, frame.shape)  # all read this array in place
        states = {state.name: state.state.copy() for state in request.query_state()}
        for state in exact.query_state():
            state.state = states[state.name]
        for state in theirs.__self__.query_state():
            state.state = ov.Tensor(states[state.name])
        wanted = exact.infer()[0]
        worst = max(worst, float(np.abs(request.infer()[0] - wanted).max()))
        other = max(other, float(np.abs(theirs()[0] - wanted).max()))
    if not worst <= TOLERANCE:
        sys.exit(f"the results differ by {worst:.1e}, so there is nothing to compare")
    return worst, other


def draw(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """Medians side by side, with the ratio above."""
    figure, axes = new_figure("One step of a two-layer int8 LSTM, one thread")
    width = 0.38
    places = np.arange(len(results))
    for index, name in enumerate(("lowstream", "openvino")):
        medians = [result["microseconds"][name]["50.0"] for result in results]
        bars = axes.bar(
            places + (index - 0.5) * width, medians, width, color=COLORS[index], label=name
        )
        axes.bar_label(bars, [f"{median:.1f}" for median in medians], padding=2)
    labels = [
        f"{result['hidden']} hidden\n{result['bits']} bits\n{result['ratio']:.1f}x faster"
        for result in results
    ]
    axes.set_xticks(places, labels)
    axes.set_ylabel("µs, median")
    axes.margins(y=0.1)
    axes.legend(frameon=False)
    figure.supxlabel(f"{conditions['cpu']}, OpenVINO {conditions['openvino']}", fontsize=8)
    save_figure(figure, path)
