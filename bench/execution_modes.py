"""
Networks of f32 in both execution modes: PERFORMANCE, with Winograd's algorithm, and ACCURACY, without it. One thread;
CPU time in turns, and OpenVINO's; and the largest difference to the same network in f64, relative to its
largest result.

    python bench/execution_modes.py [FILE.onnx …] [--time 4]

By default, those that bench/build_networks.py builds. Only files whose floats are all f32 can be turned to f64.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from many_networks import FOLDER, medians_in_turns
from onnx import TensorProto, numpy_helper

import lowstream
from lowstream.runtime.random_input import random_input
from lowstream.tools.peers import openvino
from lowstream.tools.table import print_table

MODES = ("PERFORMANCE", "ACCURACY")


def doubled(path: Path) -> Any:
    """The model with f64 in the place of f32."""
    model = onnx.load(path)
    constants = [attribute.t for node in model.graph.node for attribute in node.attribute]
    for tensor in (*model.graph.initializer, *constants):
        if tensor.data_type == TensorProto.FLOAT:
            wide = numpy_helper.to_array(tensor).astype(np.float64)
            tensor.CopyFrom(numpy_helper.from_array(wide, tensor.name))
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.DOUBLE
    return model


def exact(path: Path, inputs: list[Any]) -> Any:
    """The first result in f64."""
    with tempfile.TemporaryDirectory() as folder:
        wide = Path(folder) / "wide.onnx"
        onnx.save(doubled(path), wide)
        model = lowstream.compile_model(wide, num_threads=1)
    arrays = [x.astype(np.float64) if x.dtype == np.float32 else x for x in inputs]
    return np.array(model(arrays)[0])


def measure(path: Path, seconds: float) -> list[list[str]]:
    """A line for each mode and for OpenVINO: its name, milliseconds, megabytes of weights and the difference."""
    compiled = [
        lowstream.compile_model(path, "CPU", {"EXECUTION_MODE_HINT": mode}, num_threads=1)
        for mode in MODES
    ]
    inputs = [random_input(port) for port in compiled[0].inputs]
    calls: list[Any] = []
    for model in compiled:
        request = model.create_infer_request()
        for number, array in enumerate(inputs):
            request.set_tensor(number, array)
        calls.append(request.infer)
    calls.append(openvino(path, inputs, 1, stateful=False))
    wanted = exact(path, inputs)
    most = np.abs(wanted).max()
    differences = [np.abs(np.array(call()[0]) - wanted).max() / most for call in calls]
    times = medians_in_turns(calls, seconds)
    sizes = [f"{len(model.executable().weights) / 1e6:.1f}" for model in compiled]
    names = (*MODES, "OpenVINO")
    rows = zip(names, times, [*sizes, ""], differences, strict=True)
    return [[name, f"{time / 1000:.2f}", size, f"{apart:.1e}"] for name, time, size, apart in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description="Networks of f32 in both execution modes.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.onnx")
    parser.add_argument("--time", type=float, default=4.0, help="seconds for each network")
    arguments = parser.parse_args()
    for path in arguments.files or sorted(FOLDER.glob("*.f32.onnx")):
        columns = ["", "ms", "weights, MB", "difference"]
        print_table(path.stem, columns, measure(path, arguments.time))
        print()


if __name__ == "__main__":
    main()
