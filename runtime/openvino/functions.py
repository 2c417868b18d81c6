"""Functions of OpenVINO's module: `convert_model`, `serialize`, batches by layouts, bytes of files, the version."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...interop.layouts import get_layout
from ...interop.model import Model, read_model, save_model
from ...passes.errors import DiagnosticError, shown
from .core import files_are_there
from .tensor import Tensor

if TYPE_CHECKING:
    from ...interop.model import AnyPath
    from ...interop.node import Output
    from ...passes.shapes.partial_shape import Dimension


def convert_model(
    input_model: Any, *, input: Any = None, output: Any = None, example_input: Any = None
) -> Model:
    """
    `read_model`, then `reshape` to the shapes that `input` says: that of the first input, a pair of a name and a shape,
    a list of pairs, or a mapping. Raises DiagnosticException for other outputs, which `add_outputs` makes.
    """
    if output is not None:
        raise DiagnosticError(
            "convert_model keeps outputs: leave output away, and use model.add_outputs"
        )
    with files_are_there():
        model = read_model(input_model, example_input=example_input)
    if shapes := _shapes(input):
        model.reshape(shapes)
    return model


def _shapes(input: Any) -> Mapping[Any, Any]:
    """New shapes, by name or number."""
    match input:
        case None:
            return {}
        case dict():
            return cast("dict[Any, Any]", input)
        case (str() as name, shape) if not isinstance(shape, str):
            return {name: shape}
        case [(str(), _), *_]:
            return dict(cast("list[tuple[str, Any]]", input))
        case _:
            return {0: input}


def serialize(
    model: Model,
    xml_path: AnyPath,
    bin_path: AnyPath | None = None,
    version: str = "UNSPECIFIED",
) -> None:
    """
    `save_model` as OpenVINO IR; constants go to `bin_path`, or beside the .xml. Raises DiagnosticException for another
    ending, where there is no folder for them, and for another version than `IR_V11`, and what `save_model` raises.
    """
    path = Path(xml_path)
    if version not in ("UNSPECIFIED", "IR_V11"):
        raise DiagnosticError(f"serialize writes IR_V11, not {shown(version)}")
    if path.suffix != ".xml":
        raise DiagnosticError(f"serialize writes .xml, not {path.name}; save_model writes others")
    if bin_path and not (folder := Path(bin_path).parent).is_dir():
        raise DiagnosticError(f"serialize cannot write {bin_path}: there is no folder {folder}")
    save_model(model, path)
    if bin_path:
        os.replace(path.with_suffix(".bin"), bin_path)


def tensor_from_file(path: AnyPath) -> Tensor:
    """The bytes of a file as a tensor of u8. Raises OSError where it cannot be read."""
    return Tensor(np.fromfile(path, np.uint8), shared_memory=True)


def get_version() -> str:
    """The version of lowstream."""
    return version("lowstream")


def get_batch(model: Model) -> Dimension:
    """The size of dimension N of the inputs; -1 where it is unknown. Raises DiagnosticException as `set_batch` does."""
    sizes = {port.partial_shape[place] for port, place in _batched(model)}
    if len(sizes) > 1:
        raise DiagnosticError(f"inputs have batches of {sorted(sizes)}; reshape the model")
    return sizes.pop()


def set_batch(model: Model, batch_size: Any) -> None:
    """
    Gives dimension N of all inputs this size. Raises DiagnosticException where no input has one, by its layout, or the
    model does not fit.
    """
    shapes: dict[Any, Any] = {}
    for port, place in _batched(model):
        shape = list(port.partial_shape)
        shape[place] = batch_size
        shapes[port.number] = shape
    model.reshape(shapes)


def _batched(model: Model) -> list[tuple[Output, int]]:
    """The inputs with a dimension N, and which that is."""
    found = [
        (port, layout.index("N", len(port.partial_shape)))
        for port in model.inputs
        if (layout := get_layout(port)).has_name("N")
    ]
    if not found:
        raise DiagnosticError(
            "no input says which dimension is the batch: layout_helpers.set_layout(model.input(0), 'NCHW'), or reshape "
            "the model"
        )
    return found
