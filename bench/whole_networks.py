"""ResNet-50 and MobileNetV2 against OpenVINO and ONNX Runtime: one image at a time, in turns."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from networks import IMAGE, save_networks
from ratios import RUNTIMES, draw_ratios

import lowstream
from lowstream.tools.benchmark_tool import latency_table
from lowstream.tools.measure import PERCENTILES, REST, Contender, take_turns
from lowstream.tools.peers import Infer, onnxruntime, openvino
from lowstream.tools.table import print_table

TOLERANCE = {True: 0.2, False: 1e-3}
"""The largest difference to OpenVINO, as a part of its largest number, where int8 (random weights add up the
single codes by which roundings differ) and where f32."""


@dataclass(frozen=True)
class Case:
    """What is measured."""

    network: str
    quantized: bool
    threads: int

    def __str__(self) -> str:
        type = "int8" if self.quantized else "f32"
        return f"{self.network} {type}, {self.threads} thread{'s' * (self.threads > 1)}"


CASES = (
    *(Case(name, True, threads) for name in ("resnet50", "mobilenetv2") for threads in (1, 2)),
    *(Case("resnet50", False, threads) for threads in (1, 2)),
)


def measure(case: Case, seconds: float) -> dict[str, Any]:
    """Checks that the results agree, measures, prints a table and gives its numbers."""
    with tempfile.TemporaryDirectory() as folder:
        ir, proto = save_networks(case.network, case.quantized, Path(folder))
        image = np.random.default_rng(1).uniform(-1, 1, IMAGE).astype(np.float32)
        request = lowstream.compile_model(ir, num_threads=case.threads).create_infer_request()
        request.set_tensor(0, image)
        theirs = openvino(ir, [image], case.threads, stateful=False)
        error = _difference(case, request.infer()[0], theirs()[0])
        found = {"openvino": _pair(case, request.infer, "openvino", theirs, seconds)}
        other = onnxruntime(proto, [image], case.threads, stateful=False)
        found["onnxruntime"] = _pair(case, request.infer, "onnxruntime", other, seconds)
    return {
        "network": case.network,
        "type": "int8" if case.quantized else "f32",
        "threads": case.threads,
        "difference": error,
        "pairs": found,
    }


def _pair(
    case: Case, ours: Infer, name: str, theirs: Infer, seconds: float
) -> dict[str, dict[str, float]]:
    """
    Percentiles of both in turns, and the ratio of the medians. Two at a time, and with a rest before each turn of
    several threads: the threads of one runtime go on spinning for a while, and the next would pay for it.
    """
    contenders = [Contender("lowstream", ours), Contender(name, theirs)]
    take_turns(contenders, seconds, REST if case.threads > 1 else 0.0)
    print_table(f"{case}: µs", *latency_table(contenders))
    print()
    first, second = (contender.percentiles[0] for contender in contenders)
    return {
        "ratio": {"median": round(second / first, 2)},
        **{
            c.name: dict(zip(map(str, PERCENTILES), c.percentiles, strict=True)) for c in contenders
        },
    }


def _difference(case: Case, ours: Any, theirs: Any) -> float:
    """The largest one, as a part of the largest number. Exits where it is no rounding."""
    error = float(np.abs(ours - theirs).max() / np.abs(theirs).max())
    if not error <= TOLERANCE[case.quantized]:
        sys.exit(f"{case}: the results differ by {error:.1%}, so there is nothing to compare")
    return error


def _part(result: dict[str, Any], name: str) -> float:
    """Its time in parts of OpenVINO's, ONNX Runtime's by way of ours."""
    ours = 1 / result["pairs"]["openvino"]["ratio"]["median"]
    if name == "onnxruntime":
        return ours * result["pairs"]["onnxruntime"]["ratio"]["median"]
    return ours if name == "lowstream" else 1.0


def draw(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """Medians in parts of OpenVINO's."""
    parts = {name: [_part(result, name) for result in results] for name in RUNTIMES}
    labels = [f"{r['network']}\n{r['type']}, {r['threads']} thr." for r in results]
    draw_ratios("Time for one image", parts, labels, conditions, path)
