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

OTHER_ENDINGS = {
    ".pt": _MODULE,
    ".pth": _MODULE,
    ".pt2": "call read_model(torch.export.load(path))",
    ".keras": _KERAS,
    ".h5": _KERAS,
    ".bin": "these are the weights of the .xml beside it, so give that",
    ".safetensors": "these are the constants of the .mlir beside it, so give that",
    ".pdiparams": "these are the weights of the .pdmodel beside it, so give that",
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


def reader_for(path: Path) -> Callable[[Path], ModuleOp]:
    """What reads a file of this ending. Raises SourceError where nothing does."""
    return _choose(READERS, "read", path)


def writer_for(path: Path) -> Callable[..., None]:
    """What writes a file of this ending. Raises SourceError where nothing does."""
    return _choose(WRITERS, "write", path)


def _choose(table: dict[str, str], verb: str, path: Path) -> Callable[..., Any]:
    ending = path.suffix.lower() if verb == "read" else path.suffix
    if (place := table.get(ending)) is None:
        what = f"'{path.suffix}' files" if path.suffix else "a file that has no ending"
        advice = OTHER_ENDINGS.get(ending, "") if verb == "read" else ""
        advice = advice or f"supported: {', '.join(table)}"
        raise SourceError(f"{path}: error: cannot {verb} {what}; {advice}")
    module, _, function = place.partition(":")
    return getattr(import_module(f".{module}", __package__), function)
