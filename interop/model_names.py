"""
OpenVINO's names for what users ask models: operations as nodes, ports by number, names. Only `add_outputs` changes what
a model computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue

from ..dialects import infra, nn
from ..dialects.inferred import friendly_name, tensor
from ..dialects.infra import variables_of
from ..dialects.module import NAMES
from ..dialects.names import type_name
from ..passes.errors import DiagnosticError, as_runtime_error
from ..passes.port_names import PortNames
from .port import Port

if TYPE_CHECKING:
    from ..passes.partial_shape import PartialShape
    from ..passes.port_names import ElementType


@dataclass(frozen=True)
class Node:
    """An operation of a model, or what stands for an input (Parameter) or an output (Result)."""

    friendly_name: str
    type: str
    values: tuple[SSAValue, ...]
    op: Operation | None = None

    def get_friendly_name(self) -> str:
        """The name of the operation in the model's file; its type and number where it has none."""
        return self.friendly_name

    def get_name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def get_type_name(self) -> str:
        """OpenVINO's name of its type."""
        return self.type

    def outputs(self) -> list[Port]:
        """Its outputs."""
        return [
            Port((), tensor(value), "output")
            for value in self.values
            if isinstance(value.type, TensorType)
        ]

    def output(self, index: int = 0) -> Port:
        """The output of this number. Raises DiagnosticException where there is none."""
        if not 0 <= index < len(ports := self.outputs()):
            raise DiagnosticError(
                f"{self.friendly_name} has {len(ports)} outputs, and none number {index}"
            )
        return ports[index]

    def get_output_size(self) -> int:
        """The number of outputs."""
        return len(self.outputs())

    def get_output_shape(self, index: int) -> tuple[int, ...]:
        """The shape of an output. Raises DiagnosticException where it is unknown."""
        return self.output(index).partial_shape.to_shape()

    def get_output_partial_shape(self, index: int) -> PartialShape:
        """The shape of an output."""
        return self.output(index).partial_shape

    def get_output_element_type(self, index: int) -> ElementType:
        """The element type of an output."""
        return self.output(index).element_type

    @property
    def data(self) -> np.ndarray[Any, Any]:
        """The elements of a Constant. Raises DiagnosticException for any other node."""
        from ..reference.arrays import array_of

        if not isinstance(self.op, nn.ConstantOp):
            raise DiagnosticError(f"{self.friendly_name} is a {self.type}; a Constant has data")
        return array_of(self.op.value)


@dataclass(frozen=True)
class Variable:
    """A state as the model declares it."""

    variable_id: str
    type: TensorType[Any]

    @property
    def info(self) -> Variable:
        """OpenVINO's object that has the id: the variable itself."""
        return self

    def get_info(self) -> Variable:
        """`info`."""
        return self


class ModelNames:
    """Methods that build on a module's entry and its ports."""

    if TYPE_CHECKING:
        module: ModuleOp

        @property
        def entry(self) -> func.FuncOp: ...
        @property
        def inputs(self) -> list[Port]: ...
        @property
        def outputs(self) -> list[Port]: ...
        def is_dynamic(self) -> bool: ...

    # --- names ------------------------------------------------------------------------------

    @property
    def friendly_name(self) -> str:
        """The name of the module; empty where it has none."""
        name = self.module.sym_name
        return "" if name is None else name.data

    @friendly_name.setter
    def friendly_name(self, name: str) -> None:
        self.module.properties["sym_name"] = StringAttr(name)

    @property
    def name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def get_friendly_name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def get_name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def set_friendly_name(self, name: str) -> None:
        """Gives the module this name."""
        self.friendly_name = name

    @property
    def dynamic(self) -> bool:
        """Whether an input has an unknown dimension."""
        return self.is_dynamic()

    # --- nodes ------------------------------------------------------------------------------

    @property
    def parameters(self) -> list[Node]:
        """A node for each input."""
        arguments = self.entry.args
        return [
            Node(port.node.friendly_name, "Parameter", (argument,))
            for port, argument in zip(self.inputs, arguments, strict=True)
        ]

    def get_parameters(self) -> list[Node]:
        """`parameters`."""
        return self.parameters

    @property
    def results(self) -> list[Node]:
        """A node for each output."""
        returned = self.entry.get_return_op()
        assert returned is not None
        return [
            Node(port.node.friendly_name, "Result", (value,))
            for port, value in zip(self.outputs, returned.operands, strict=True)
        ]

    def get_results(self) -> list[Node]:
        """`results`."""
        return self.results

    def get_ordered_ops(self) -> list[Node]:
        """Inputs, then the entry's operations in the order of computation, constants among them, then outputs."""
        found: list[Node] = []
        for number, op in enumerate(self.entry.body.block.ops):
            if not isinstance(op, func.ReturnOp):
                kind = type_name(op)
                found.append(
                    Node(friendly_name(op) or f"{kind}_{number}", kind, tuple(op.results), op)
                )
        return [*self.parameters, *found, *self.results]

    def get_ops(self) -> list[Node]:
        """`get_ordered_ops`."""
        return self.get_ordered_ops()

    @property
    def sinks(self) -> list[Node]:
        """The operations that assign states."""
        return [node for node in self.get_ordered_ops() if isinstance(node.op, infra.AssignOp)]

    def get_sinks(self) -> list[Node]:
        """`sinks`."""
        return self.sinks

    def get_variables(self) -> list[Variable]:
        """The states."""
        return [Variable(name, op.type) for name, op in variables_of(self.module).items()]

    # --- outputs by number ------------------------------------------------------------------

    def get_output_size(self) -> int:
        """The number of outputs."""
        return len(self.outputs)

    def get_output_op(self, index: int) -> Node:
        """The Result of this number."""
        return self.results[index]

    def get_output_shape(self, index: int) -> tuple[int, ...]:
        """The shape of an output. Raises DiagnosticException where it is unknown."""
        return self.outputs[index].partial_shape.to_shape()

    def get_output_partial_shape(self, index: int) -> PartialShape:
        """The shape of an output."""
        return self.outputs[index].partial_shape

    def get_output_element_type(self, index: int) -> ElementType:
        """The element type of an output."""
        return self.outputs[index].element_type

    def get_parameter_index(self, node: Node) -> int:
        """The number of the input that this node stands for; -1 where it is none."""
        return _number(self.parameters, node)

    def get_result_index(self, output: Node | PortNames) -> int:
        """The number of an output, or of the one that this node stands for; -1 where it is none."""
        listed: Sequence[object] = self.results if isinstance(output, Node) else self.outputs
        return _number(listed, output)

    # --- changes ----------------------------------------------------------------------------

    def validate_nodes_and_infer_types(self) -> None:
        """Infers all types anew. Raises DiagnosticException where they do not fit."""
        from ..passes.reshape import retype

        with as_runtime_error():
            retype(self.module, {})

    def add_outputs(self, outputs: Any) -> list[Port]:
        """
        Makes outputs of values: of a tensor or an operation by name, of `(operation, number)`, or of a list of them. An
        output is named as what it is of, with `.1` behind an operation's second result. Gives these outputs; what was
        one before stays the one it was.

        Raises DiagnosticException where nothing is named so.
        """
        from ..passes.trim import values_named

        asked: list[Any] = [outputs] if isinstance(outputs, str | tuple) else list(outputs)
        entry = self.entry
        count = len(self.outputs)
        returned = entry.get_return_op()
        assert returned is not None
        with as_runtime_error():
            named = [
                pair
                for one in asked
                for pair in values_named(entry, one if isinstance(one, str) else _named_result(one))
            ]
        already = list(returned.operands)
        found = [pair for pair in named if pair[1] not in already]
        attributes = list(entry.res_attrs or [DictionaryAttr({})] * count)
        returned.operands = [*already, *(value for _, value in found)]
        entry.res_attrs = ArrayAttr(
            [
                *attributes,
                *(DictionaryAttr({NAMES: ArrayAttr([StringAttr(name)])}) for name, _ in found),
            ]
        )
        entry.update_function_type()
        after, ports = list(returned.operands), self.outputs
        return [ports[after.index(value)] for _, value in named]


def _named_result(given: tuple[str, int]) -> str:
    """The output name that `add_outputs` gives to the result of an operation."""
    name, number = given
    return f"{name}.{number}"


def _number(listed: Iterable[object], wanted: object) -> int:
    return next((number for number, one in enumerate(listed) if one == wanted), -1)
