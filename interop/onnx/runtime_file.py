"""
Models in ONNX Runtime's own format (.ort), as ONNX's messages: the same graph in a FlatBuffer, optimized already
(https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/flatbuffers/schema/ort.fbs).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from .flat_buffer import Table
from .package import import_onnx

IDENTIFIER = b"ORTM"

DEEPEST = 64
"""How deep bodies may lie in each other."""

VALUE, PARAMETER = 1, 2
"""Kinds of dimensions: a size, and a name."""

TENSOR_TYPE = 1
"""The kind of a type that is a tensor's."""


class RuntimeFile:
    """Reads one file. Constants become external data of this file, so that nothing copies them."""

    def __init__(self, path: Path, data: Any):
        self.onnx = import_onnx()
        self.path, self.data = path, data

    def proto(self) -> Any:
        """The model as a ModelProto. Raises DiagnosticException where the file is not a whole model."""
        if bytes(self.data[4:8]) != IDENTIFIER:
            raise DiagnosticException(
                "not a model in ONNX Runtime's own format; if it is an ONNX model, name it .onnx"
            )
        model = Table.root(self.data).table(1)
        graph = None if model is None else model.table(7)
        if model is None or graph is None:
            raise DiagnosticException("it holds no graph; let ONNX Runtime write it again")
        proto = self.onnx.ModelProto(
            ir_version=model.number(0, "q"),
            producer_name=model.text(2),
            graph=self._graph(graph, 0),
        )
        proto.opset_import.extend(
            self.onnx.OperatorSetIdProto(domain=each.text(0), version=each.number(1, "q"))
            for each in model.tables(1)
        )
        for each in model.tables(9):
            proto.metadata_props.add(key=each.text(0), value=each.text(1))
        return proto

    def _graph(self, table: Table, depth: int) -> Any:
        if depth > DEEPEST:
            raise DiagnosticException(f"bodies lie in each other more than {DEEPEST} deep")
        types = {each.text(0): each.table(2) for each in table.tables(1)}
        graph = self.onnx.GraphProto(name="graph")
        graph.initializer.extend(map(self._tensor, table.tables(0)))
        graph.sparse_initializer.extend(map(self._sparse, table.tables(7)))
        for ports, field in ((graph.input, 5), (graph.output, 6)):
            ports.extend(self._port(name, types.get(name)) for name in table.texts(field))
        for each in sorted(table.tables(2), key=lambda node: node.number(4, "I")):
            node = graph.node.add(name=each.text(0), domain=each.text(2), op_type=each.text(5))
            node.input.extend(each.texts(8))
            node.output.extend(each.texts(9))
            node.attribute.extend(self._attribute(one, depth) for one in each.tables(10))
        return graph

    def _port(self, name: str, type: Table | None) -> Any:
        info = self.onnx.ValueInfoProto(name=name)
        if type is None:
            return info
        tensor = type.table(2)
        if type.number(1, "B") != TENSOR_TYPE or tensor is None:
            info.type.sequence_type.SetInParent()
            return info
        info.type.tensor_type.elem_type = tensor.number(0, "i")
        if (shape := tensor.table(1)) is not None:
            info.type.tensor_type.shape.SetInParent()
            for each in shape.tables(0):
                self._add_dimension(info.type.tensor_type.shape, each.table(0))
        return info

    def _add_dimension(self, shape: Any, value: Table | None) -> None:
        dimension = shape.dim.add()
        if value is None:
            return
        if (kind := value.number(0, "b")) == VALUE:
            dimension.dim_value = value.number(1, "q")
        elif kind == PARAMETER:
            dimension.dim_param = value.text(2)

    def _tensor(self, table: Table) -> Any:
        name = table.text(0)
        tensor = self.onnx.TensorProto(
            name=name, data_type=table.number(3, "i"), dims=table.numbers(2, "q")
        )
        if table.number(6, "q", -1) >= 0:
            raise DiagnosticException(
                f"the constant '{name}' is in another file, as those of training are; export the model for inference"
            )
        begin, count = table.raw(4)
        if not count:
            tensor.raw_data = b""
            return tensor
        tensor.data_location = self.onnx.TensorProto.EXTERNAL
        place = {"location": self.path.name, "offset": str(begin), "length": str(count)}
        for key, value in place.items():
            tensor.external_data.add(key=key, value=value)
        return tensor

    def _sparse(self, table: Table) -> Any:
        values, indices = table.table(0), table.table(1)
        if values is None or indices is None:
            raise DiagnosticException(
                "a sparse constant has no values or no indices; the file is damaged"
            )
        return self.onnx.SparseTensorProto(
            values=self._tensor(values), indices=self._tensor(indices), dims=table.numbers(2, "q")
        )

    def _attribute(self, table: Table, depth: int) -> Any:
        kinds = self.onnx.AttributeProto
        name, kind = table.text(0), table.number(2, "i")
        if kind not in kinds.AttributeType.values():
            raise self._unknown(name, kind)
        made = kinds(name=name, type=kind)
        match kind:
            case kinds.FLOAT:
                made.f = table.number(3, "f")
            case kinds.INT:
                made.i = table.number(4, "q")
            case kinds.STRING:
                made.s = table.text(5).encode()
            case kinds.TENSOR if (tensor := table.table(6)) is not None:
                made.t.CopyFrom(self._tensor(tensor))
            case kinds.GRAPH if (graph := table.table(7)) is not None:
                made.g.CopyFrom(self._graph(graph, depth + 1))
            case kinds.FLOATS:
                made.floats.extend(table.numbers(8, "f"))
            case kinds.INTS:
                made.ints.extend(table.numbers(9, "q"))
            case kinds.STRINGS:
                made.strings.extend(text.encode() for text in table.texts(10))
            case kinds.TENSORS:
                made.tensors.extend(map(self._tensor, table.tables(11)))
            case kinds.GRAPHS:
                made.graphs.extend(self._graph(each, depth + 1) for each in table.tables(12))
            case _:
                raise self._unknown(name, kind)
        return made

    @staticmethod
    def _unknown(name: str, kind: int) -> DiagnosticException:
        return DiagnosticException(
            f"attribute '{name}' is of kind {kind}, or has no value; the file is damaged"
        )
