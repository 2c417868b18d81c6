"""Constants as initializers. Small ones are in the message; large ones are kept apart until the file is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ....dialects.blob import Blob, BlobAttr
from ....dialects.elements import bits_of
from ....reference.arrays import array_of
from ..elements import data_type_of
from ..package import import_onnx
from .nodes import read_by

SMALL = 1024
"""
Constants of up to so many bytes are in the message from the beginning: shapes, axes and limits, which shape inference
reads.
"""

MESSAGE_LIMIT = (1 << 31) - (1 << 24)
"""Bytes of constants in one message: protobuf's limit, less what else is in it."""

ALIGNMENT = 4096
"""Constants in a file of their own begin at multiples of this, so that they can be mapped."""


@dataclass
class Tensors:
    """The initializers of a model."""

    protos: list[Any] = field(default_factory=list[Any])
    large: dict[str, Blob] = field(default_factory=dict[str, Blob])
    """The ones whose bytes are not in the message, by name."""

    defaults: dict[str, BlobAttr] = field(default_factory=dict[str, BlobAttr])
    """The ones that are defaults of inputs."""

    def default(self, name: str, value: BlobAttr) -> None:
        """Adds the default of an input."""
        if name not in self.defaults:
            self.defaults[name] = value
            self.add(name, value)

    def add(self, name: str, value: BlobAttr) -> None:
        """Adds an initializer."""
        onnx, type = import_onnx(), value.type
        proto = onnx.TensorProto(
            name=name, data_type=data_type_of(type.element_type), dims=list(type.get_shape())
        )
        if value.data.nbytes <= SMALL or bits_of(type.element_type) == 1:
            proto.raw_data = raw_of(value)
        else:
            proto.data_location = onnx.TensorProto.EXTERNAL
            proto.external_data.add(key="location", value="later")
            self.large[name] = value.data
        self.protos.append(proto)

    def read_by(self, graph: Any) -> list[Any]:
        """The ones that a graph reads, or has as inputs or outputs; others are dropped."""
        read = {info.name for info in (*graph.input, *graph.output)}
        for node in graph.node:
            read |= read_by(node)
        self.protos = [proto for proto in self.protos if proto.name in read]
        self.large = {name: blob for name, blob in self.large.items() if name in read}
        return self.protos

    def without_large(self, model: Any) -> Any:
        """A copy of a model whose large constants are inputs: the check needs their types only."""
        copy, make = type(model)(), import_onnx().helper.make_tensor_value_info
        copy.CopyFrom(model)
        del copy.graph.initializer[:]
        copy.graph.initializer.extend(p for p in self.protos if p.name not in self.large)
        given = {info.name for info in copy.graph.input}
        copy.graph.input.extend(
            make(proto.name, proto.data_type, list(proto.dims))
            for proto in self.protos
            if proto.name in self.large and proto.name not in given
        )
        return copy

    def settle(self, model: Any, path: Path) -> None:
        """Stores the large constants in the message or, where that would be too large, in the file `path`."""
        protos = [(p, self.large[p.name]) for p in model.graph.initializer if p.name in self.large]
        if sum(blob.nbytes for blob in self.large.values()) <= MESSAGE_LIMIT:
            for proto, blob in protos:
                proto.ClearField("data_location")
                proto.ClearField("external_data")
                proto.raw_data = bytes(blob.expanded())
            return
        with path.open("wb") as file:
            for proto, blob in protos:
                file.write(bytes(-file.tell() % ALIGNMENT))
                entries = {"location": path.name, "offset": file.tell(), "length": blob.nbytes}
                del proto.external_data[:]
                for key, entry in entries.items():
                    proto.external_data.add(key=key, value=str(entry))
                file.write(blob.expanded())


def raw_of(value: BlobAttr) -> bytes:
    """The bytes of all elements. In ONNX, a boolean takes a byte."""
    if bits_of(value.type.element_type) == 1:
        return array_of(value).tobytes()
    return bytes(value.data.expanded())
