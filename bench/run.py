"""Measures lowstream against its peers, on the same models and under the same conditions.

    make bench        (or .venv/bin/python bench/run.py [--time 6] [--only lstm_step])

One stream, latency hint, f32 where a model is not quantized. Inputs are set once; then all runtimes infer in
turns, in one process. What counts is the ratio of the medians. Results go to the folder of docs/bench with the name of
the instruction set; ratios that are more than 5 % below those there, of the same CPU, are printed. `--only many`
measures the networks that bench/build_networks.py built, and writes their page in docs/benchmarks.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gru_step
import lpt_chain
import lstm_step
import many_networks
import single_layers
import whole_networks
from regressions import regressions

from lowstream.lowering.machine import choose_isa

OUTPUT = Path(__file__).parents[1] / "docs" / "bench"
SIZES = (128, 256, 512)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--time", type=float, default=6.0, help="seconds for each case")
    parts = ("lstm_step", "gru_step", "networks", "many", "layers", "lpt_chain")
    parser.add_argument("--only", choices=parts, help="measure a part")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where results and plots go")
    options = parser.parse_args()
    if options.only in (None, "lstm_step"):
        steps = [
            lstm_step.measure(hidden, options.time, bits) for bits in (8, 4) for hidden in SIZES
        ]
        save("lstm_step", steps, lstm_step.draw, options.output)
    if options.only in (None, "gru_step"):
        steps = [
            gru_step.measure(hidden, before_reset, options.time)
            for hidden in SIZES
            for before_reset in (False, True)
        ]
        save("gru_step", steps, gru_step.draw, options.output)
    if options.only in (None, "networks"):
        found = [whole_networks.measure(case, options.time) for case in whole_networks.CASES]
        save("networks", found, whole_networks.draw, options.output)
    if options.only == "many" or (options.only is None and many_networks.are_built()):
        found = many_networks.measure_all(options.time)
        save("many_networks", found, many_networks.draw, options.output)
        said = conditions()
        page = options.output.parent / "benchmarks" / f"{said['isa']}.md"
        many_networks.write_page(found, said, page)
    if options.only in (None, "layers"):
        layers = [single_layers.measure(layer, options.time) for layer in single_layers.LAYERS]
        save("layers", layers, single_layers.draw, options.output)
    if options.only in (None, "lpt_chain"):
        save("lpt_chain", lpt_chain.measure(), lpt_chain.draw, options.output)


def save(name: str, results: Sequence[dict[str, Any]], draw: Any, folder: Path) -> None:
    """Writes the numbers and the picture; prints what is slower than in the numbers of before."""
    said = conditions()
    folder = folder / said["isa"]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    before = OUTPUT / said["isa"] / path.name
    if before.is_file():
        for line in regressions(name, json.loads(before.read_text()), said, results):
            print(line)
    path.write_text(json.dumps({"conditions": said, name: list(results)}, indent=2) + "\n")
    draw(results, said, folder / f"{name}.svg")
    print(f"Written: {os.path.relpath(folder)}/{name}.json, {name}.svg")


def conditions() -> dict[str, Any]:
    """The machine, the day, and the versions of what is measured."""
    return {
        "date": date.today().isoformat(),
        "cpu": cpu_name(),
        "isa": choose_isa().name,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("openvino", "onnxruntime", "llvmlite")},
    }


def cpu_name() -> str:
    """What the machine calls its CPU, and on x86-64 which one that is: virtual machines call several alike."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        lines = (line.partition(":") for line in file)
        said = {key.strip(): value.strip() for key, _, value in lines}
    if "model name" not in said:
        return platform.machine()
    return f"{said['model name']} (family {said['cpu family']}, model {said['model']})"


if __name__ == "__main__":
    main()
