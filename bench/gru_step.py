"""A streaming step of a GRU in int8 against the peers in f32: OpenVINO's int8 GRU is far off, ONNX Runtime has none."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from models import FRAME, streaming_gru
from ratios import RUNTIMES, draw_ratios

import lowstream
from lowstream.tools.benchmark_tool import latency_table
from lowstream.tools.measure import PERCENTILES, Contender, take_turns
from lowstream.tools.peers import onnxruntime, openvino
from lowstream.tools.table import print_table

STEPS = 20
"""Steps over which results are compared before anything is measured."""

TOLERANCE = {"int8": 0.05, "f32": 1e-5}
"""
The largest difference of f32 to OpenVINO, and of int8 to the quantized model computed in f32, in which an activation
may round to the code beside it.
"""


def measure(hidden: int, linear_before_reset: bool, seconds: float) -> dict[str, Any]:
    """Checks the results, measures, prints a table and gives its numbers."""
    label = f"GRU step, {hidden} hidden{', linear_before_reset' * linear_before_reset}"
    frame = np.zeros((1, 1, FRAME), np.float32)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        quantized, plain = (
            _saved(hidden, linear_before_reset, kind, folder) for kind in ("int8", "f32")
        )
        ours = {"int8": _request(quantized, frame), "f32": _request(plain, frame)}
        exact = _request(quantized, frame, pipeline="")
        theirs = openvino(plain, [frame], 1, stateful=False)
        proto = plain.with_suffix(".onnx")
        lowstream.save_model(lowstream.read_model(plain), proto)
        other = onnxruntime(proto, [frame], 1, stateful=False)
        differences = dict.fromkeys(ours, 0.0)
        rng = np.random.default_rng(1)
        for _ in range(STEPS):
            frame[...] = rng.uniform(-1, 1, frame.shape)  # all read this array in place
            for kind, wanted in (("int8", exact.infer()[0]), ("f32", theirs()[0])):
                apart = float(np.abs(ours[kind].infer()[0] - wanted).max())
                differences[kind] = max(differences[kind], apart)
        for kind, difference in differences.items():
            if not difference <= TOLERANCE[kind]:
                sys.exit(f"{label}, {kind}: the results differ by {difference:.1e}")
        contenders = [
            Contender("lowstream", ours["int8"].infer),
            Contender("lowstream f32", ours["f32"].infer),
            Contender("openvino f32", theirs),
            Contender("onnxruntime f32", other),
        ]
        take_turns(contenders, seconds)
    print_table(f"{label}: µs", *latency_table(contenders))
    print()
    medians = {contender.name: contender.percentiles[0] for contender in contenders}
    peers = [medians["openvino f32"], medians["onnxruntime f32"]]
    return {
        "hidden": hidden,
        "linear_before_reset": linear_before_reset,
        "ratio": round(min(peers) / medians["lowstream"], 2),
        "ratio_f32": round(min(peers) / medians["lowstream f32"], 2),
        "difference": differences,
        "microseconds": {
            contender.name: dict(zip(map(str, PERCENTILES), contender.percentiles, strict=True))
            for contender in contenders
        },
    }


def _saved(hidden: int, linear_before_reset: bool, kind: str, folder: Path) -> Path:
    path = folder / f"{kind}.xml"
    model = streaming_gru(hidden, linear_before_reset, quantized=kind == "int8")
    ov.save_model(model, path, compress_to_fp16=False)
    return path


def _request(path: Path, frame: np.ndarray, **options: Any) -> lowstream.InferRequest:
    request = lowstream.compile_model(path, num_threads=1, **options).create_infer_request()
    request.set_tensor(0, frame)
    return request


def draw(results: Sequence[dict[str, Any]], conditions: dict[str, Any], path: Path) -> None:
    """Medians in parts of OpenVINO's."""

    def part(result: dict[str, Any], name: str) -> float:
        medians = {key: found["50.0"] for key, found in result["microseconds"].items()}
        key = name if name == "lowstream" else f"{name} f32"
        return medians[key] / medians["openvino f32"]

    parts = {name: [part(result, name) for result in results] for name in RUNTIMES}
    labels = [f"{r['hidden']}{' lbr' * r['linear_before_reset']}" for r in results]
    draw_ratios("A step of a two-layer GRU, ours in int8", parts, labels, conditions, path)
