"""
Networks of every kind, as bench/build_networks.py builds them, against OpenVINO and ONNX Runtime: one thread.

Runtimes take turns in one process, and what counts is the CPU time of a call, which other processes on the machine
change little. Compiling is from nothing in processes of their own, three for each runtime, which take turns, too: the
median of the seconds of CPU time from the start of the process, imports included, and of the peak of memory.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from compileall import compile_dir
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import numpy as np

import lowstream
from lowstream.runtime.random_input import random_input
from lowstream.tools.peers import Infer, onnxruntime, openvino
from lowstream.tools.plot import COLORS, new_figure, save_figure
from lowstream.tools.table import print_table

FOLDER = Path(__file__).parents[1] / "build" / "networks"
TYPES = ("f32", "int8")
RUNTIMES = ("lowstream", "openvino", "onnxruntime")
ENDINGS = {"lowstream": "xml", "openvino": "xml", "onnxruntime": "onnx"}
TURNS = 12
"""How often each runtime has its turn; calls of the first one do not count."""
PROCESSES = 3
"""How many processes compile with each runtime: one alone may differ by a fifth."""


def are_built() -> bool:
    """Whether there is a network to measure."""
    return any(FOLDER.glob("*.int8.xml"))


def networks() -> list[str]:
    """Those that are built. Exits where none is."""
    found = sorted(path.name.removesuffix(".int8.xml") for path in FOLDER.glob("*.int8.xml"))
    if not are_built():
        sys.exit(
            f"There are no networks in {os.path.relpath(FOLDER)}: run python bench/build_networks.py "
            "in an environment with PyTorch (it says what to install)"
        )
    return found


def measure_all(seconds: float) -> list[dict[str, Any]]:
    """Measures each network in both types, and prints the tables."""
    # As after installing: without bytecode, a process would spend a second on compiling Python.
    compile_dir(Path(lowstream.__file__).parent, quiet=1, rx=re.compile(r"/(\.venv|build)/"))
    results = [measure(name, type, seconds) for name in networks() for type in TYPES]
    for type in TYPES:
        print_table(f"{type}, one thread", HEADING, list(rows(results, type)))
        print()
    return results


def measure(name: str, type: str, seconds: float) -> dict[str, Any]:
    """Compiles and measures, prints a line and gives its numbers."""
    paths = {runtime: FOLDER / f"{name}.{type}.{ENDINGS[runtime]}" for runtime in RUNTIMES}
    compiled = _compiled_in_turns(paths)
    calls, difference = _calls(paths)
    medians = medians_in_turns(list(calls.values()), seconds)
    times = dict(zip(calls, medians, strict=True))
    ratios = {peer: times[peer] / times["lowstream"] for peer in RUNTIMES[1:] if peer in times}
    said = ", ".join(f"{ratio:.2f} {peer}" for peer, ratio in ratios.items())
    print(f"{name} {type}: {times['lowstream']:.0f} µs; {said}", flush=True)
    return {
        "network": name,
        "type": type,
        "difference": difference,
        "microseconds": {runtime: round(each, 1) for runtime, each in times.items()},
        "ratios": {peer: round(ratio, 3) for peer, ratio in ratios.items()},
        "compiling": compiled,
    }


def _calls(paths: dict[str, Path]) -> tuple[dict[str, Infer], float]:
    """What infers, and our largest difference to OpenVINO as a part of its largest number."""
    compiled = lowstream.compile_model(paths["lowstream"], num_threads=1)
    inputs = [random_input(port) for port in compiled.inputs]
    request = compiled.create_infer_request()
    for number, array in enumerate(inputs):
        request.set_tensor(number, array)
    calls: dict[str, Infer] = {
        "lowstream": request.infer,
        "openvino": openvino(paths["openvino"], inputs, 1, stateful=False),
    }
    ours, theirs = (np.array(each()[0]) for each in calls.values())
    try:
        other = onnxruntime(paths["onnxruntime"], inputs, 1, stateful=False)
        other()
        calls["onnxruntime"] = other
    except Exception as error:  # noqa: BLE001 (it raises what it likes)
        print(f"{paths['onnxruntime'].name}: ONNX Runtime does not run it: {error}")
    largest = max(float(np.abs(theirs).max()), 1e-30)  # of random weights, all may be 0
    return calls, float(np.abs(ours - theirs).max()) / largest


def medians_in_turns(calls: Sequence[Callable[[], object]], seconds: float) -> list[float]:
    """Microseconds of CPU time of each call."""
    now = time.process_time_ns
    found: list[list[float]] = [[] for _ in calls]
    for turn in range(TURNS + 1):
        for call, samples in zip(calls, found, strict=True):
            call()
            end = time.perf_counter() + seconds / TURNS / len(calls)
            while True:
                began = now()
                call()
                if turn:
                    samples.append((now() - began) / 1000)
                if time.perf_counter() > end:
                    break
    return [median(samples) for samples in found]


# --- compiling ------------------------------------------------------------------------------


def _compiled_in_turns(paths: dict[str, Path]) -> dict[str, dict[str, float]]:
    """The medians of each runtime."""
    turns = [
        {runtime: _compiled_apart(runtime, path) for runtime, path in paths.items()}
        for _ in range(PROCESSES)
    ]
    return {
        runtime: {what: median(turn[runtime][what] for turn in turns) for what in turns[0][runtime]}
        for runtime in paths
    }


def _compiled_apart(runtime: str, path: Path) -> dict[str, float]:
    """What bench/compiling.py says, with an empty cache."""
    script = Path(__file__).with_name("compiling.py")
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "LOWSTREAM_CACHE_DIR": cache}
        command = [sys.executable, str(script), runtime, str(path)]
        said = subprocess.run(command, check=True, capture_output=True, env=environment, text=True)
    return json.loads(said.stdout.splitlines()[-1])


# --- what is shown --------------------------------------------------------------------------


def best_ratio(result: dict[str, Any]) -> float:
    """The best peer's time by ours."""
    return min(result["ratios"].values())


def draw(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """The best peer's time by ours, for each network."""
    names = sorted({result["network"] for result in results})
    figure, axes = new_figure("The best peer's time / ours (more is better)")
    figure.set_size_inches(8, 0.32 * len(names) + 1.5)
    for index, type in enumerate(TYPES):
        found = {r["network"]: best_ratio(r) for r in results if r["type"] == type}
        places = [names.index(name) + (index - 0.5) * 0.38 for name in found]
        bars = axes.barh(places, list(found.values()), 0.38, color=COLORS[index], label=type)
        axes.bar_label(bars, [f"{ratio:.2f}" for ratio in found.values()], padding=2, fontsize=7)
    axes.axvline(1, color=COLORS[2], linewidth=1)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.invert_yaxis()
    axes.legend(frameon=False)
    versions = f"OpenVINO {conditions['openvino']}, ONNX Runtime {conditions['onnxruntime']}"
    figure.supxlabel(f"{conditions['cpu']}, one thread; {versions}", fontsize=8)
    save_figure(figure, path)


HEADING = ("network", "ms", "to OpenVINO", "to ONNX Runtime", "compiling, s", "memory, MiB")


def rows(results: Sequence[dict[str, Any]], type: str) -> Iterator[list[str]]:
    """The table of a type; the last row has geometric means."""
    found = [result for result in results if result["type"] == type]
    for each in found:
        compiling = [each["compiling"][runtime] for runtime in RUNTIMES]
        yield [
            each["network"],
            f"{each['microseconds']['lowstream'] / 1000:.2f}",
            *(
                f"{each['ratios'][peer]:.2f}" if peer in each["ratios"] else "–"
                for peer in RUNTIMES[1:]
            ),
            " / ".join(f"{one['seconds']:.1f}" for one in compiling),
            " / ".join(f"{one['MiB']:.0f}" for one in compiling),
        ]
    means = [
        geometric_mean([each["ratios"][peer] for each in found if peer in each["ratios"]])
        for peer in RUNTIMES[1:]
    ]
    yield ["geometric mean", "", *(f"{mean:.2f}" for mean in means), "", ""]


PAGE = """\
# Benchmarks with {isa}

    python bench/build_networks.py            # says what to install; random weights, published architectures
    python bench/run.py --only many           # measures, and writes this page

{what}

![The best peer's time by ours](../bench/{isa}/many_networks.svg)

{tables}
"""
WHAT = """\
Each network on one thread: lowstream, OpenVINO {openvino} and ONNX Runtime {onnxruntime} take turns in one process on
{cpu}, {date}. What counts is the median CPU time of a call. Ratios are a peer's time by ours: above 1 we are
faster. In int8, OpenVINO and lowstream run what NNCF quantized, ONNX Runtime what its own `quantize_static` made of the
same network; a dash is a model that ONNX Runtime does not run. Compiling is from nothing in processes of their own,
medians of three in turns: seconds of CPU time of the whole process, from its start and with all imports until the model
is compiled, and the peak of memory, lowstream / OpenVINO / ONNX Runtime.
[All numbers](../bench/{isa}/many_networks.json)."""


def write_page(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """The page of these networks in the documentation."""
    tables: list[str] = []
    for type in TYPES:
        lines = [HEADING, ["---"] * len(HEADING), *rows(results, type)]
        tables.append(f"## {type}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    what = WHAT.format(**conditions)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.format(isa=conditions["isa"], what=what, tables="\n\n".join(tables)))
    print(f"Written: {os.path.relpath(path)}")
