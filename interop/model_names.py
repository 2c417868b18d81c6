"""
OpenVINO's names for what users ask models: operations as nodes, ports by number, names. Only `add_outputs` changes what
a model computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import SSAValue

from ..dialects import infra
from ..dialects.infra import variables_of
from ..dialects.module import NAMES
from ..passes.errors import DiagnosticError, as_runtime_error, shown
from ..passes.port_names import PortNames
from .node import Node, Output, node_of, operation_node, result_node, text_named
from .node_values import evaluate
from .port import Port
from .rt_info import RuntimeInfo, UnknownNoteError, rt_info_in

if TYPE_CHECKING:
    from ..passes.port_names import Type
    from ..passes.shapes.partial_shape import PartialShape, Shape


T = TypeVar("T")


@dataclass(frozen=True)
class Variable:
    """A state as the model declares it."""

    variable_id: str
    type: TensorType[Any]

    @property
    def info(self) -> Variable:
        """OpenVINO's object that has the id: the variable itself."""
        return self

    @property
    def data_shape(self) -> PartialShape:
        """The shape of its values."""
        return self._port.partial_shape

    @property
    def data_type(self) -> Type:
        """The element type of its values."""
        return self._port.element_type

    @property
    def _port(self) -> Port:
        return Port((self.variable_id,), self.type)

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
        def inputs(self) -> list[Output]: ...
        @property
        def outputs(self) -> list[Output]: ...
        def is_dynamic(self) -> bool: ...

    # --- names ------------------------------------------------------------------------------

    @property
    def friendly_name(self) -> str:
        """The name of the module; empty where it has none."""
        name = self.module.sym_name
        return "" if name is None else name.data

    @friendly_name.setter
    def friendly_name(self, name: str) -> None:
        self.module.properties["sym_name"] = StringAttr(text_named(name))

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
        """Gives the module this name. Raises DiagnosticException for what is no text."""
        self.friendly_name = name

    @property
    def dynamic(self) -> bool:
        """Whether an input has an unknown dimension."""
        return self.is_dynamic()

    # --- notes ------------------------------------------------------------------------------

    @property
    def rt_info(self) -> RuntimeInfo:
        """What tools noted of the model: versions, labels, how it was quantized. Kept in .xml and .mlir."""
        return rt_info_in(self.module.attributes)

    def get_rt_info(self, path: str | Sequence[str] | None = None) -> Any:
        """`rt_info`; the note at the end of a path of names. Raises DiagnosticException where there is none."""
        return self.rt_info if path is None else self.rt_info.at(path)

    def has_rt_info(self, path: str | Sequence[str]) -> bool:
        """Whether there is a note at the end of a path of names."""
        try:
            self.rt_info.at(path)
        except UnknownNoteError:
            return False
        return True

    def set_rt_info(self, value: Any, path: str | Sequence[str]) -> None:
        """Notes a value at the end of a path of names. Raises DiagnosticException for what no file can hold."""
        self.rt_info.note(value, path)

    # --- nodes ------------------------------------------------------------------------------

    @property
    def parameters(self) -> list[Node]:
        """A node for each input."""
        return [node_of(argument) for argument in self.entry.args]

    def get_parameters(self) -> list[Node]:
        """`parameters`."""
        return self.parameters

    @property
    def results(self) -> list[Node]:
        """A node for each output."""
        return [result_node(self.entry, number) for number in range(len(self.outputs))]

    def get_results(self) -> list[Node]:
        """`results`."""
        return self.results

    @property
    def result(self) -> Node:
        """The only one of `results`. Raises DiagnosticException where there are others."""
        if (count := len(results := self.results)) != 1:
            raise DiagnosticError(f"the model has {count} results; take one of `results`")
        return results[0]

    def get_result(self) -> Node:
        """`result`."""
        return self.result

    def get_ordered_ops(self) -> list[Node]:
        """Inputs, then the entry's operations in the order of computation, constants among them, then outputs."""
        ops = list(self.entry.body.block.ops)
        nodes = [
            operation_node(op, number)
            for number, op in enumerate(ops)
            if not isinstance(op, func.ReturnOp)
        ]
        return [*self.parameters, *nodes, *self.results]

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

    def get_sink_index(self, node: Node) -> int:
        """The number of a sink; -1 where the node is none."""
        return _number(self.sinks, node)

    @property
    def variables(self) -> list[Variable]:
        """The states."""
        return [Variable(name, op.type) for name, op in variables_of(self.module).items()]

    def get_variables(self) -> list[Variable]:
        """`variables`."""
        return self.variables

    def get_variable_by_id(self, variable_id: str) -> Variable | None:
        """The state of this name; None where there is none."""
        return next((one for one in self.variables if one.variable_id == variable_id), None)

    # --- outputs by number ------------------------------------------------------------------

    def get_output_size(self) -> int:
        """The number of outputs."""
        return len(self.outputs)

    def get_output_op(self, index: int) -> Node:
        """The Result of this number."""
        return self.results[index]

    def get_output_shape(self, index: int) -> Shape:
        """The shape of an output. Raises DiagnosticException where it is unknown."""
        return self.outputs[index].partial_shape.to_shape()

    def get_output_partial_shape(self, index: int) -> PartialShape:
        """The shape of an output."""
        return self.outputs[index].partial_shape

    def get_output_element_type(self, index: int) -> Type:
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

    def remove_result(self, result: Node) -> None:
        """Makes an output none any more. Raises DiagnosticException where the node is not one of `results`."""
        if (number := self.get_result_index(result)) < 0:
            raise DiagnosticError(f"{_called(result)} is not a result of the model; see `results`")
        entry = self.entry
        returned = entry.get_return_op()
        assert returned is not None
        returned.operands = _without(returned.operands, number)
        if entry.res_attrs is not None:
            entry.res_attrs = ArrayAttr(_without(entry.res_attrs, number))
        entry.update_function_type()

    def remove_parameter(self, parameter: Node) -> None:
        """
        Makes an input none any more. Raises DiagnosticException where the node is not one of `parameters`, or something
        uses it.
        """
        if (number := self.get_parameter_index(parameter)) < 0:
            raise DiagnosticError(
                f"{_called(parameter)} is no parameter of the model; see `parameters`"
            )
        entry = self.entry
        if (argument := entry.args[number]).uses:
            raise DiagnosticError(
                f"{parameter.friendly_name} is used: give its users another source first, with replace_source_output"
            )
        entry.body.block.erase_arg(argument)
        if entry.arg_attrs is not None:
            entry.arg_attrs = ArrayAttr(_without(entry.arg_attrs, number))
        entry.update_function_type()

    def evaluate(self, output_tensors: Sequence[Any], input_tensors: Sequence[Any]) -> bool:
        """
        Computes outputs of inputs by the reference, slowly, and writes them to the arrays `output_tensors`, which have
        their shapes. Raises DiagnosticException where there is no reference, or where an array does not fit.
        """
        return evaluate(self.module, output_tensors, input_tensors)

    def add_outputs(self, outputs: Any) -> list[Output]:
        """
        Makes outputs of values: of a tensor or an operation by name, of `(operation, number)`, of what a node gives,
        or of a list of them. An output is named as what it is of, with `.1` behind an operation's second result. Gives
        these outputs; what was one before stays the one it was.

        Raises DiagnosticException where nothing is named so.
        """
        asked = cast("list[Any]", outputs) if isinstance(outputs, list) else [outputs]
        entry = self.entry
        count = len(self.outputs)
        returned = entry.get_return_op()
        assert returned is not None
        with as_runtime_error():
            named = [pair for one in asked for pair in _named_values(entry, one)]
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


def _named_values(entry: func.FuncOp, wanted: Any) -> list[tuple[str, SSAValue]]:
    """The values that one item of `add_outputs` names, each with the name of its output."""
    from ..passes.trim import values_named

    if isinstance(wanted, Output):
        behind = f".{wanted.place}" if wanted.place else ""
        return [(wanted.of.friendly_name + behind, wanted.value)]
    match wanted:
        case str(name):
            return list(values_named(entry, name))
        case (str(name), int(number)):
            return list(values_named(entry, f"{name}.{number}"))
        case _:
            raise DiagnosticError(
                f"add_outputs was given {shown(wanted)}; give a name, a name and a number, or what a node gives"
            )


def _called(node: Any) -> str:
    return node.friendly_name if isinstance(node, Node) else shown(node)


def _without(listed: Iterable[T], number: int) -> list[T]:
    return [one for place, one in enumerate(listed) if place != number]


def _number(listed: Iterable[object], wanted: object) -> int:
    return next((number for number, one in enumerate(listed) if one == wanted), -1)
