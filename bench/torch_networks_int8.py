"""
Networks of PyTorch in int8, as NNCF quantizes them: OpenVINO and lowstream beside OpenVINO's f32. The second table of
docs/networks.md.

    pip install torch timm transformers onnx onnxscript openvino nncf onnxruntime
    python bench/torch_networks_int8.py [NAME …]

Calibrated and measured with random inputs of the example's kind. Those in `QDQ` are also exported to ONNX and
quantized there, by ONNX Runtime.
"""

from __future__ import annotations

import logging
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nncf  # pyright: ignore[reportMissingImports]
import numpy as np
import onnxruntime.quantization as ort  # pyright: ignore[reportMissingImports]
import openvino
import torch
from torch_networks import NETWORKS, Network  # pyright: ignore[reportMissingImports]

import lowstream
from lowstream.passes.precision_report import precision_summary

QDQ = ("ResNet-18", "MobileNetV3", "BERT", "Llama", "YOLOv8-like", "U-Net")
CONVOLUTIONAL = (
    "ResNet-18",
    "MobileNetV3",
    "EfficientNet-B0",
    "YOLOv8-like",
    "DeepLabV3",
    "U-Net",
    "Silero-like VAD",
    "Tacotron-like loop",
)
"""The others are transformers, which NNCF quantizes otherwise."""

CALIBRATION, MEASURED = 10, 96
"""How many inputs."""

PRODUCTS = ("Convolution", "Deconvolution", "FullyConnected", "MatMul", "RNNSeq", "RNNCell")
"""The layers of OpenVINO's executed graph that are products; attention is a Subgraph around a Softmax."""

F32 = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}

Feed = tuple[np.ndarray, ...]
Outputs = list[list[np.ndarray]]


def feeds(inputs: Sequence[Any], seed: int, count: int) -> list[Feed]:
    """Inputs like the example: numbers around 0, and tokens up to its largest."""
    random = torch.Generator().manual_seed(seed)

    def like(x: Any) -> np.ndarray:
        if x.is_floating_point():
            return torch.randn(x.shape, generator=random).numpy()
        return torch.randint(0, int(x.max()) + 1, x.shape, generator=random).numpy()

    return [tuple(map(like, inputs)) for _ in range(count)]


def quantized_in_openvino(name: str, network: Network, folder: Path) -> tuple[Path, Path]:
    """The files of the f32 model and of the quantized one."""
    module, example = network
    inputs = example if isinstance(example, tuple) else (example,)
    try:
        model = openvino.convert_model(module, example_input=example)
    except Exception:  # noqa: BLE001 (what its front end cannot trace)
        model = openvino.convert_model(torch.export.export(module, inputs))
    model.reshape({port: list(x.shape) for port, x in zip(model.inputs, inputs, strict=True)})
    data = nncf.Dataset(feeds(inputs, 1, CALIBRATION), lambda feed: dict(enumerate(feed)))
    kind = {} if name in CONVOLUTIONAL else {"model_type": nncf.ModelType.TRANSFORMER}
    low = nncf.quantize(model, data, subset_size=CALIBRATION, **kind)
    files = folder / "f32.xml", folder / "int8.xml"
    for one, file in zip((model, low), files, strict=True):
        openvino.save_model(one, file, compress_to_fp16=False)
    return files


class Calibration(ort.CalibrationDataReader):
    """What ONNX Runtime reads inputs from."""

    def __init__(self, names: Sequence[str], data: Sequence[Feed]):
        self.feeds = iter([dict(zip(names, feed, strict=True)) for feed in data])

    def get_next(self) -> Any:
        return next(self.feeds, None)


def quantized_in_onnx(_: str, network: Network, folder: Path) -> tuple[Path, Path]:
    """The same, of the ONNX export."""
    module, example = network
    inputs = example if isinstance(example, tuple) else (example,)
    file, ready, low = (folder / f"{stem}.onnx" for stem in ("f32", "ready", "int8"))
    torch.onnx.export(module, inputs, file, verbose=False, external_data=False)
    ort.quant_pre_process(file, ready, skip_symbolic_shape=True)
    names = [port.any_name for port in lowstream.read_model(file).inputs]
    data = Calibration(names, feeds(inputs, 1, CALIBRATION))
    ort.quantize_static(ready, low, data, per_channel=True, weight_type=ort.QuantType.QInt8)
    return file, low


def run(infer: Callable[[Any], Any], data: Sequence[Feed]) -> Outputs:
    """All outputs of all inputs."""
    found = [infer(list(feed)) for feed in data]
    return [[np.array(each[i]) for i in range(len(each))] for each in found]


def error(found: Outputs, wanted: Outputs) -> str:
    """The mean and the largest difference of the worst output, as a part of its largest number."""
    means, most = [], []
    for ours, theirs in zip(zip(*found, strict=True), zip(*wanted, strict=True), strict=True):
        apart, scale = abs(np.stack(ours) - np.stack(theirs)), abs(np.stack(theirs)).max()
        means.append(apart.mean() / scale)
        most.append(apart.max() / scale)
    return f"{max(means):.2e} / {max(most):.0e}"


def openvino_products(compiled: Any) -> str:
    """How many products have 8-bit inputs in OpenVINO's executed graph, of how many."""
    found: list[bool] = []
    for node in compiled.get_runtime_model().get_ordered_ops():
        said = node.get_rt_info()
        kind, layers, precision = (
            said[key].astype(str)
            for key in ("layerType", "originalLayersNames", "runtimePrecision")
        )
        if kind in PRODUCTS or (kind == "Subgraph" and "Softmax" in layers):
            found.append(precision in ("i8", "u8"))
    return f"{sum(found)} of {len(found)}"


def row(name: str, quantize: Callable[..., tuple[Path, Path]]) -> list[str]:
    """What the table says about a network."""
    torch.manual_seed(0)
    module, example = NETWORKS[name]()
    module.eval()
    inputs = example if isinstance(example, tuple) else (example,)
    data = feeds(inputs, 2, MEASURED)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        plain, low = quantize(name, (module, example), Path(folder))
        core = openvino.Core()
        wanted = run(core.compile_model(plain, "CPU", F32), data)
        other = core.compile_model(low, "CPU", F32)
        model = lowstream.read_model(low)
    as_f32, as_int8 = (lowstream.compile_model(model, pipeline=each) for each in (None, "auto"))
    found = [error(run(infer, data), wanted) for infer in (as_f32, other, as_int8)]
    lowstream.run_passes(model, "lpt")
    ours = precision_summary(model)
    return [*found, openvino_products(other), f"{ours.low_products} of {ours.products}"]


HEADING = """\
| network | rounded in f32 | OpenVINO | lowstream | products, OpenVINO | products, lowstream |
|---|---|---|---|---|---|"""


def main() -> None:
    warnings.simplefilter("ignore")
    nncf.set_log_level(logging.ERROR)
    print(HEADING)
    for name in sys.argv[1:] or NETWORKS:
        ways = [(name, quantized_in_openvino)]
        ways += [(f"{name}, ONNX", quantized_in_onnx)] if name in QDQ else []
        for title, quantize in ways:
            print(f"| {' | '.join([title, *row(name, quantize)])} |", flush=True)


if __name__ == "__main__":
    main()
