"""A graph of an ONNX model under construction: it writes nodes, names their outputs, and holds constants."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra, nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import constant_integers, friendly_name, label, shape_of, tensor
from ....dialects.names import names_of
from ....dialects.nn.derived import DerivedOp
from ....passes.decompose_ops import decompose
from ....reference.arrays import blob_of
from ..elements import data_type_of, type_proto
from ..package import import_onnx, schema_of
from .handlers import DeclinedError, handler_of
from .nodes import needed, rename
from .tensors import Tensors

OPSET = 26
"""The newest opset that both the `onnx` package and ONNX Runtime know."""


@dataclass
class Shared:
    """What all graphs of a model share. Names are unique in the whole model."""

    tensors: Tensors = field(default_factory=Tensors)
    taken: set[str] = field(default_factory=set[str])
    constants: dict[tuple[str, BlobAttr], str] = field(
        default_factory=dict[tuple[str, BlobAttr], str]
    )
    states: Any = None
    decomposed: set[Operation] = field(default_factory=set[Operation])
    """Operations that a derived one was decomposed into: their indices may be out of bounds."""

    def name(self, wanted: str) -> str:
        """A name that nothing else has."""
        name, number = wanted, 1
        while name in self.taken:
            name, number = f"{wanted}_{number}", number + 1
        self.taken.add(name)
        return name


@dataclass
class GraphWriter:
    """Writes operations as nodes, in order. A body refers to the values around it by their names, as ONNX does."""

    shared: Shared = field(default_factory=Shared)
    nodes: list[Any] = field(default_factory=list[Any])
    values: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    written: set[Operation] = field(default_factory=set[Operation])
    """Operations that the nodes of another one stand for."""
    orders: dict[str, tuple[str, Sequence[int]]] = field(
        default_factory=dict[str, tuple[str, Sequence[int]]]
    )
    """What a Transpose gives: what it is a transpose of, and in which order."""
    hint: str = ""
    """The prefix of names of new values."""

    # --- what handlers use ----------------------------------------------------------------------------

    def __getitem__(self, value: SSAValue) -> str:
        """The name of a value; a constant becomes an initializer where it is first asked for."""
        if value not in self.values:
            blob = nn.constant_of(value)
            assert blob is not None, "operands are written before what takes them"
            owner = cast(Operation, value.owner)
            self.values[value] = self.constant(blob, friendly_name(owner) or "")
        return self.values[value]

    def __call__(self, type: str, *inputs: str, **attributes: Any) -> str:
        """Adds a node with one output. Attributes that are None are left out."""
        return self.node(type, inputs, 1, **attributes)[0]

    def node(self, type: str, inputs: Sequence[str], outputs: int, **attributes: Any) -> list[str]:
        """Adds a node; returns the names of its outputs."""
        names = [self.shared.name(f"{self.hint}/{type}") for _ in range(outputs)]
        self.add(type, inputs, names, **attributes)
        return names

    def add(
        self, type: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Any
    ) -> None:
        """Adds a node whose outputs have these names."""
        given = {name: value for name, value in attributes.items() if value is not None}
        given_inputs = list(inputs)
        while given_inputs and not given_inputs[-1]:
            given_inputs.pop()
        self.nodes.append(
            import_onnx().helper.make_node(
                type, given_inputs, list(outputs), name=outputs[0], **given
            )
        )

    def constant(self, value: BlobAttr, name: str = "") -> str:
        """An initializer. Equal ones of one name are shared."""
        key = (name, value)
        if key not in self.shared.constants:
            made = self.shared.name(name or f"{self.hint}/constant")
            self.shared.tensors.add(made, value)
            self.shared.constants[key] = made
        return self.shared.constants[key]

    def integers(self, *numbers: int) -> str:
        """A vector of 64-bit integers."""
        return self.constant(blob_of(np.array(numbers, np.int64)))

    def scalar(self, number: float, element: Attribute) -> str:
        """A number of an element type."""
        return self.constant(blob_of(np.array(number), element))

    def cast(self, name: str, old: Attribute, new: Attribute) -> str:
        """A value in another element type."""
        return name if old == new else self("Cast", name, to=data_type_of(new))

    def vector(self, value: SSAValue) -> str:
        """Axes, sizes or limits, as ONNX has them: a vector of 64-bit integers."""
        if (known := constant_integers(value)) is not None:
            return self.integers(*known)
        name = self.cast(self[value], tensor(value).element_type, i64)
        return name if len(shape_of(value)) == 1 else self("Reshape", name, self.integers(-1))

    def single(self, value: SSAValue) -> str:
        """A scalar of rank 0, where ours may have rank 1."""
        name = self[value]
        return self("Reshape", name, self.integers()) if shape_of(value) else name

    def reshaped(self, name: str, shape: Sequence[int]) -> str:
        """A value in another shape."""
        return self("Reshape", name, self.integers(*shape))

    def transposed(self, name: str, order: Sequence[int]) -> str:
        """A value with its dimensions in another order; of one that was transposed, what it was transposed from."""
        source, before = self.orders.get(name, (name, range(len(order))))
        whole = [before[i] for i in order]
        if whole == sorted(whole):
            return source
        result = self("Transpose", source, perm=whole)
        self.orders[result] = source, whole
        return result

    # --- operations -----------------------------------------------------------------------------------

    def write(self, block: Block) -> list[str]:
        """Writes the operations of a block without its terminator; returns the names of the terminator's operands."""
        op = block.first_op
        while op is not None and not isinstance(op, func.ReturnOp | infra.YieldOp):
            before = op.prev_op
            if op not in self.written and not isinstance(op, nn.ConstantOp) and not self._write(op):
                op = block.first_op if before is None else before.next_op
                continue
            op = op.next_op
        assert op is not None
        return [self[value] for value in op.operands]

    def _write(self, op: Operation) -> bool:
        """Writes an operation, and returns True; or replaces it by its decomposition."""
        self.hint = friendly_name(op) or op.name.rpartition(".")[2]
        before = len(self.nodes)
        handler = handler_of(op)
        try:
            names = handler(self, op) if handler else self.namesake(op)
        except DeclinedError:
            if not isinstance(op, DerivedOp):
                raise _unknown(op) from None
            self.shared.decomposed.update(decompose(op))
            return False
        listed = [names] if isinstance(names, str) else list(names)
        if listed:
            listed[0] = self._named(op, listed[0], self.nodes[before:])
        self.values.update(zip(op.results, listed, strict=False))
        return True

    def stands_for(self, op: Operation, value: str) -> None:
        """The last node's output is the result of a later operation, which is then not written."""
        self.written.add(op)
        self.values[op.results[0]] = self._named(op, value, self.nodes[-1:])

    def _named(self, op: Operation, value: str, new: Sequence[Any]) -> str:
        """Gives the node of the first result, and its output, the name of the operation."""
        node = next((node for node in new if value in node.output), None)
        if node is None or not (name := friendly_name(op)):
            return value
        node.name = name
        if name in self.shared.taken:
            return value
        self.shared.taken.add(name)
        rename(new, value, name)
        if value in self.orders:
            self.orders[name] = self.orders.pop(value)
        return name

    def namesake(self, op: Operation) -> str | list[str]:
        """
        The operator of the same name; properties become attributes. Raises DeclinedError where it cannot express one.
        """
        listed = names_of(type(op)).of("onnx")
        schema = schema_of(listed[0], OPSET) if listed else None
        if schema is None:
            raise DeclinedError
        attributes: dict[str, Any] = {}
        for name, attribute in op.properties.items():
            if name in ("auto_broadcast", "operandSegmentSizes"):
                continue  # of shapes that must be equal, too
            if name not in schema.attributes:
                raise DeclinedError
            attributes[name] = value_of(attribute)
        return self.node(listed[0], [self[v] for v in op.operands], len(op.results), **attributes)

    # --- the whole ------------------------------------------------------------------------------------

    def result(self, value: str, name: str, kept: Collection[str] = ()) -> None:
        """
        Gives a value a name that is reserved for a result of the graph. The node's output takes that name, unless its
        own is to be `kept`; any other value is copied.
        """
        if value in kept or not any(value in node.output for node in self.nodes):
            self.add("Identity", [value], [name])
            return
        rename(self.nodes, value, name)
        self.values.update({key: name for key, old in self.values.items() if old == value})

    def proto(self, name: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
        """The GraphProto, without nodes that nothing reads. Constants of a body are added to the model."""
        nodes = needed(self.nodes, [info.name for info in outputs])
        return import_onnx().helper.make_graph(nodes, name, inputs, outputs)

    def within(self) -> GraphWriter:
        """A graph for a body."""
        return GraphWriter(self.shared, values=dict(self.values), hint=self.hint)


def value_of(attribute: Attribute) -> Any:
    """A property as a value for `onnx.helper`."""
    match attribute:
        case StringAttr() | FloatAttr():
            return attribute.data if isinstance(attribute, StringAttr) else attribute.value.data
        case IntegerAttr():
            return (
                abs(attribute.value.data)
                if attribute.type == IntegerType(1)
                else attribute.value.data
            )
        case DenseArrayBase():
            return list(cast(DenseArrayBase[IntegerType], attribute).get_values())
        case ArrayAttr():
            return [value_of(each) for each in cast(Sequence[Attribute], attribute.data)]
        case _:
            raise DeclinedError


def info_of(name: str, type: TensorType[Any]) -> Any:
    """The ValueInfoProto of a value. Each unknown dimension has a name of its own."""
    info = import_onnx().helper.make_value_info(name, type_proto(type))
    for axis, dimension in enumerate(info.type.tensor_type.shape.dim):
        if not dimension.HasField("dim_value"):
            dimension.dim_param = f"{name}_{axis}"
    return info


def _unknown(op: Operation) -> DiagnosticException:
    return DiagnosticException(
        f"{label(op)}: ONNX has no such operation; run the pass that makes it one of nn's, or leave it out"
    )
