"""The data of a model's tensors: in the message, or in files beside that of the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ...dialects.mapped import mapped
from ...passes.digits import natural
from .package import import_onnx


@dataclass
class Data:
    """
    Finds tensors' raw bytes. `folder` is that of the model's file, where files beside it must be: external data is
    mapped into memory, and nothing outside of the folder is read.
    """

    folder: Path | None = None
    files: dict[str, Any] = field(default_factory=dict[str, Any])

    def of(self, tensor: Any) -> Any:
        """The raw bytes of a tensor. None where its numbers are in the field of their type."""
        if tensor.data_location == import_onnx().TensorProto.EXTERNAL:
            return self._external(tensor)
        return memoryview(tensor.raw_data) if tensor.HasField("raw_data") else None

    def _external(self, tensor: Any) -> memoryview:
        entries = {each.key: each.value for each in tensor.external_data}
        location = entries.get("location", "")
        offset, length = (natural(entries.get(key, "0")) for key in ("offset", "length"))
        if offset is None or length is None:
            raise DiagnosticException(
                f"tensor '{tensor.name}': offset or length of its external data is not a number of bytes"
            )
        data = self._mapped(tensor.name, location)
        end = offset + length if length else len(data)
        if not offset <= end <= len(data):
            raise DiagnosticException(
                f"tensor '{tensor.name}': bytes {offset} to {end} of {location}, which has {len(data)}; it is "
                "truncated or another model's"
            )
        return memoryview(data)[offset:end]

    def _mapped(self, name: str, location: str) -> Any:
        if location in self.files:
            return self.files[location]
        if self.folder is None:
            raise DiagnosticException(
                f"tensor '{name}' is in the file '{location}'; read the model by its path, or load external data first"
            )
        data = self.files[location] = mapped(_inside(self.folder.resolve(), name, location))
        return data


def _inside(folder: Path, name: str, location: str) -> Path:
    """The file at a location. Raises DiagnosticException where it is none, or outside of the folder."""
    try:
        path = (folder / location).resolve()
        if path.is_relative_to(folder) and path.is_file():  # to open a pipe would not end
            return path
        why = "is no file" if path.is_relative_to(folder) else "is outside of the model's folder"
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # too long, links in a circle, a null character
        why = f"cannot be read ({getattr(error, 'strerror', error)})"
    raise DiagnosticException(
        f"tensor '{name}': its data in '{location}' {why}; the file belongs beside the model"
    )
