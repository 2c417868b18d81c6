"""The data of a model's tensors: in the message, or in files beside that of the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.mapped import mapped
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
        try:
            offset, length = (int(entries.get(key, 0)) for key in ("offset", "length"))
        except ValueError:
            raise DiagnosticException(
                f"tensor '{tensor.name}': offset or length of its external data is not an integer"
            ) from None
        data = self._mapped(tensor.name, location)
        end = offset + length if length else len(data)
        if not 0 <= offset <= end <= len(data):
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
        folder = self.folder.resolve()
        path = (folder / location).resolve()
        if not location or not path.is_relative_to(folder):
            raise DiagnosticException(
                f"tensor '{name}': its data is in '{location}', outside of the model's folder; put it beside the model"
            )
        try:
            data = mapped(path)
        except OSError as error:
            raise DiagnosticException(
                f"tensor '{name}': its data in '{location}' cannot be read ({error.strerror}); the file belongs beside "
                "the model"
            ) from None
        self.files[location] = data
        return data


def densified(sparse: Any) -> Any:
    """A SparseTensorProto as a TensorProto of all its elements."""
    onnx = import_onnx()
    values, indices = map(onnx.numpy_helper.to_array, (sparse.values, sparse.indices))
    dense = np.zeros(tuple(sparse.dims), values.dtype)
    place = indices if indices.ndim == 1 else np.ravel_multi_index(tuple(indices.T), dense.shape)
    dense.reshape(-1)[place] = values
    return onnx.numpy_helper.from_array(dense, sparse.values.name)
