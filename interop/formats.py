"""The formats of files, by ending: what reads and writes them, and what to do with files that nothing reads."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from .mlir import SourceError

READERS = {
    ".mlir": "mlir_file:read_mlir",
    ".xml": "openvino:read_xml",
    ".onnx": "onnx:read_onnx",
    ".tflite": "tflite:read_tflite",
    ".pb": "openvino:read_converted",
    ".pdmodel": "openvino:read_converted",
}
"""By file ending, the function `(path) -> ModuleOp` that reads it; imported when first needed."""

_MODULE = "load the module with PyTorch, then call read_model(module, example_input=…) or torch.onnx.export"
_KERAS = "load the model with Keras and call read_model(model), or write it with model.export"

_DOWNLOAD = "download the file itself"
_PACKED = "unpack it, and give the file that it holds"
_PICKLED = "load the model, and convert it with skl2onnx or onnxmltools"
_OF_RUNTIME = "give the .onnx that ONNX Runtime made it of"

OTHER_ENDINGS = {
    ".pt": _MODULE,
    ".pth": _MODULE,
    ".pt2": "call read_model(torch.export.load(path))",
    ".keras": _KERAS,
    ".h5": _KERAS,
    ".bin": "these are the weights of the .xml beside it, so give that",
    ".safetensors": "it holds weights without their graph; give the .mlir beside it, or export the model that they are "
    "of with torch.onnx.export",
    ".pdiparams": "these are the weights of the .pdmodel beside it, so give that",
    ".json": "save a program of PaddlePaddle 3 as .pdmodel (FLAGS_enable_pir_api=0) or .onnx (paddle2onnx)",
    ".ort": _OF_RUNTIME,
    ".gguf": "it holds weights without their graph; export the model that they are of with torch.onnx.export",
    ".task": "it is an archive, of MediaPipe; unzip it, and give a .tflite that it holds",
    ".gz": _PACKED,
    ".zip": _PACKED,
    ".tar": _PACKED,
    ".pkl": _PICKLED,
    ".joblib": _PICKLED,
}
"""What to do with files that people have and no reader takes, by ending."""

WRITERS = {
    ".mlir": "mlir_file:write_mlir",
    ".xml": "openvino:write_xml",
    ".onnx": "onnx:write_onnx",
    ".tflite": "tflite:write_tflite",
    ".dot": ".passes.view_op_graph:write_graph",
    ".svg": ".passes.view_op_graph:write_graph",
}
"""By file ending, the function `(module, path)` that writes it: models, and pictures of them."""


BEGINNINGS = (
    (
        0,
        b"version https://git-lfs",
        "",
        "a pointer of Git LFS",
        "fetch the file itself with git lfs pull",
    ),
    (0, b"<!doctype html", "", "a web page", _DOWNLOAD),
    (0, b"<!DOCTYPE html", "", "a web page", _DOWNLOAD),
    (0, b"<html", "", "a web page", _DOWNLOAD),
    (0, b"\x1f\x8b", "", "packed by gzip", _PACKED),
    (
        0,
        b"PK\x03\x04",
        "",
        "a zip archive, as PyTorch and Keras write",
        "load it there and read that, or unpack it",
    ),
    (0, b"\x89HDF", "", "a file of HDF5, as Keras writes", _KERAS),
    (0, b"GGUF", "", "a GGUF file", OTHER_ENDINGS[".gguf"]),
    (2, b"\0\0ORTM", "", "a model in ONNX Runtime's own format", _OF_RUNTIME),
    (2, b"\0\0TFL3", ".tflite", "a LiteRT model", "name it .tflite"),
    (0, b"<?xml", ".xml", "XML", "name it .xml if it is OpenVINO IR"),
)
"""
Of files that people take for others: a place, what stands there, the ending that is right, what such a file is, and
what to do. The identifier of a FlatBuffer follows the place of its root, which is near the front; in an .onnx file the
name of what wrote it may stand there.
"""


def check_beginning(path: Path) -> None:
    """Raises SourceError where a file begins as one of another format than its ending says."""
    with path.open("rb") as file:
        begin = file.read(32)
    if (other := other_format(begin, path.suffix.lower())) is not None:
        what, advice = other
        raise SourceError(f"{path}: error: not what its ending says, but {what}; {advice}")


def other_format(data: bytes, ending: str) -> tuple[str, str] | None:
    """What data is, and what to do with it, where it begins as no file of this ending does; else None."""
    for place, bytes_, right, what, advice in BEGINNINGS:
        if data.startswith(bytes_, place) and ending != right:
            return what, advice
    return None


def reader_for(path: Path) -> Callable[..., ModuleOp]:
    """What reads a file of this ending. Raises SourceError where nothing does."""
    return _choose(READERS, "read", path)


def writer_for(path: Path) -> Callable[..., None]:
    """What writes a file of this ending. Raises SourceError where nothing does."""
    return _choose(WRITERS, "write", path)


def _choose(table: dict[str, str], verb: str, path: Path) -> Callable[..., Any]:
    if verb == "write" and path.is_dir():
        raise SourceError(
            f"{path}: error: this is a folder; give a file in it, such as {path / 'model.mlir'}"
        )
    ending = path.suffix.lower() if verb == "read" else path.suffix
    if (place := table.get(ending)) is None:
        what = f"'{path.suffix}' files" if path.suffix else "a file that has no ending"
        advice = OTHER_ENDINGS.get(ending, "") if verb == "read" else ""
        advice = advice or f"supported: {', '.join(table)}"
        raise SourceError(f"{path}: error: cannot {verb} {what}; {advice}")
    module, _, function = place.partition(":")
    return getattr(import_module(f".{module}", __package__), function)
