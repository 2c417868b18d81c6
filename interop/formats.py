"""The formats of files, by ending: what reads and writes them, and what to do with files that nothing reads."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from .mlir import SourceError
from .other_endings import DOWNLOAD, PACKED, advice_about

READERS = {
    ".mlir": "mlir_file:read_mlir",
    ".xml": "openvino:read_xml",
    ".onnx": "onnx:read_onnx",
    ".tflite": "tflite:read_tflite",
    ".pb": "openvino:read_converted",
    ".pdmodel": "openvino:read_converted",
    ".ort": "onnx:read_ort",
    ".keras": "tensorflow:read_keras",
    ".h5": "tensorflow:read_keras",
    ".pt2": "pytorch:read_program",
}
"""By file ending, the function `(path) -> ModuleOp` that reads it; imported when first needed."""

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
    (0, b"<!doctype html", "", "a web page", DOWNLOAD),
    (0, b"<!DOCTYPE html", "", "a web page", DOWNLOAD),
    (0, b"<html", "", "a web page", DOWNLOAD),
    (0, b"\x1f\x8b", "", "packed by gzip", PACKED),
    (
        0,
        b"PK\x03\x04",
        ".keras .pt2",
        "a zip archive, as PyTorch and Keras write",
        "load it there and read that, or unpack it",
    ),
    (0, b"\x89HDF", ".h5", "a file of HDF5, as Keras writes", "name it .h5"),
    (0, b"GGUF", "", "a GGUF file", advice_about(".gguf")),
    (2, b"\0\0ORTM", ".ort", "a model in ONNX Runtime's own format", "name it .ort"),
    (2, b"\0\0TFL3", ".tflite", "a LiteRT model", "name it .tflite"),
    (0, b"<?xml", ".xml", "XML", "name it .xml if it is OpenVINO IR"),
)
"""
Of files that people take for others: a place, what stands there, the endings that are right, what such a file is, and
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
        if data.startswith(bytes_, place) and ending not in right.split():
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
        advice = advice_about(ending) if verb == "read" else ""
        if verb == "read" and not advice and path.is_file():
            check_beginning(path)
        advice = advice or f"supported: {', '.join(table)}"
        raise SourceError(f"{path}: error: cannot {verb} {what}; {advice}")
    module, _, function = place.partition(":")
    return getattr(import_module(f".{module}", __package__), function)
