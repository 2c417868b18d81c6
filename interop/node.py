"""Operations of a model as OpenVINO's users ask them: nodes, their inputs and outputs, and how these are connected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import infra
from ..dialects.inferred import NAME, friendly_name, tensor
from ..dialects.names import SPELLED, names_of, type_name
from ..passes.errors import DiagnosticError, shown
from ..passes.port_names import PortNode
from .layouts import get_layout, set_layout
from .node_values import NodeValues
from .port import Port, ports_of
from .rt_info import RuntimeInfo, rt_info_in

if TYPE_CHECKING:
    from ..passes.port_names import Type
    from ..passes.preprocess.names import Layout
    from ..passes.shapes.partial_shape import PartialShape, Shape


@dataclass(frozen=True)
class TypeInfo:
    """The type of a node, and the opset that defined it."""

    name: str
    version_id: str


@dataclass(eq=False)
class Node(NodeValues, PortNode):
    """
    An operation of a model, or what stands for an input (Parameter) or an output (Result). An operation is called as in
    the model's file, or by its type and number where it had no name there.
    """

    op: Operation | None = None
    port: Port | None = None
    """The input or output that it stands for."""

    @property
    def values(self) -> Sequence[SSAValue]:
        """The results of the operation; of a Parameter or Result, the value that goes in or out."""
        if self.op is not None:
            return self.op.results
        assert self.port is not None and self.port.owner is not None
        entry, number = self.port.owner, self.port.number
        if self.type == "Parameter":
            return [entry.args[number]]
        returned = entry.get_return_op()
        assert returned is not None
        return [returned.operands[number]]

    @property
    def _identity(self) -> tuple[object, ...]:
        """What stays when types are inferred anew, and names change."""
        if (port := self.port) is None:
            return (self.op,)
        return port.owner, port.role, port.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def friendly_name(self) -> str:
        """What it is called. To be set of operations; raises DiagnosticException as `set_friendly_name` does."""
        return self._name

    @friendly_name.setter
    def friendly_name(self, name: str) -> None:
        self.set_friendly_name(name)

    def set_friendly_name(self, name: str) -> None:
        """
        Names an operation. Raises DiagnosticException for what is no text, and for an input or output, which has tensor
        names.
        """
        if self.op is None:
            raise DiagnosticError(
                f"{self.friendly_name} is a {self.type}, which is called by its tensor names: set_names of its port"
            )
        self.op.attributes[NAME] = StringAttr(text_named(name))
        self._name = name

    @property
    def name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    @property
    def type_info(self) -> TypeInfo:
        """Its type, and the opset that defined it."""
        version = "1" if self.op is None else names_of(type(self.op)).openvino.partition("-")[2]
        return TypeInfo(self.type, f"opset{version or 1}")

    def get_type_info(self) -> TypeInfo:
        """`type_info`."""
        return self.type_info

    def get_attributes(self) -> dict[str, object]:
        """The attributes that the model says, by OpenVINO's names; what has no other value anywhere is left out."""
        from .openvino.attributes import attributes_of

        if self.type in ("Parameter", "Constant"):
            port = self.output(0)
            return {"element_type": str(port.element_type), "shape": list(port.partial_shape)}
        return {} if self.op is None else attributes_of(self.op)

    @property
    def rt_info(self) -> RuntimeInfo:
        """What tools noted of it."""
        if self.op is not None:
            return rt_info_in(self.op.attributes)
        assert self.port is not None
        return self.port.rt_info

    def get_rt_info(self) -> RuntimeInfo:
        """`rt_info`."""
        return self.rt_info

    def set_rt_info(self, value: Any, path: str | Sequence[str]) -> None:
        """Notes a value at the end of a path of names. Raises DiagnosticException for what no file can hold."""
        self.rt_info.note(value, path)

    @property
    def layout(self) -> Layout:
        """What the dimensions of an input or output are; to be set. Raises DiagnosticException for other nodes."""
        return get_layout(self._port_with_layout)

    @layout.setter
    def layout(self, layout: Layout | str) -> None:
        set_layout(self._port_with_layout, layout)

    def get_layout(self) -> Layout:
        """`layout`."""
        return self.layout

    def set_layout(self, layout: Layout | str) -> None:
        """Sets `layout`. Raises DiagnosticException where there are other dimensions."""
        self.layout = layout

    @property
    def _port_with_layout(self) -> Port:
        if self.port is None:
            raise DiagnosticError(
                f"{self.friendly_name} is a {self.type}; inputs and outputs of the model have layouts"
            )
        return self.port

    def get_variable_id(self) -> str:
        """The state that a ReadValue or Assign is of. Raises DiagnosticException for any other node."""
        if not isinstance(self.op, infra.ReadValueOp | infra.AssignOp):
            raise DiagnosticError(
                f"{self.friendly_name} is a {self.type}; a ReadValue or an Assign has a state"
            )
        return self.op.variable.string_value()

    # --- outputs ----------------------------------------------------------------------------

    def outputs(self) -> list[Output]:
        """Its outputs; that of a Parameter or Result is the input or output of the model."""
        at: tuple[str, func.FuncOp | None, int] = ("output", None, 0)
        if (port := self.port) is not None:
            at = (port.role, port.owner, port.number)
        return [
            Output(_names_of(value), tensor(value), *at, of=self, place=place)
            for place, value in enumerate(self.values)
            if isinstance(value.type, TensorType)
        ]

    def output(self, index: int = 0) -> Output:
        """The output of this number. Raises DiagnosticException where there is none."""
        return _at(self.outputs(), index, self, "outputs")

    def get_output_size(self) -> int:
        """The number of outputs."""
        return len(self.outputs())

    def get_output_shape(self, index: int) -> Shape:
        """The shape of an output. Raises DiagnosticException where it is unknown."""
        return self.output(index).partial_shape.to_shape()

    def get_output_partial_shape(self, index: int) -> PartialShape:
        """The shape of an output."""
        return self.output(index).partial_shape

    def get_output_element_type(self, index: int) -> Type:
        """The element type of an output."""
        return self.output(index).element_type

    def get_output_tensor(self, index: int) -> Output:
        """What has the names, shape and type of an output: the output itself."""
        return self.output(index)

    # --- inputs -----------------------------------------------------------------------------

    def inputs(self) -> list[Input]:
        """Its inputs: the operands. Constants of OpenVINO's graph that are attributes here are not among them."""
        taken = self.op.operands if self.op else ()
        if self.type == "Result":
            taken = self.values
        return [
            Input((), tensor(value), "input", of=self, place=place)
            for place, value in enumerate(taken)
            if isinstance(value.type, TensorType)
        ]

    def input(self, index: int) -> Input:
        """The input of this number. Raises DiagnosticException where there is none."""
        return _at(self.inputs(), index, self, "inputs")

    def get_input_size(self) -> int:
        """The number of inputs."""
        return len(self.inputs())

    def get_input_shape(self, index: int) -> Shape:
        """The shape of an input. Raises DiagnosticException where it is unknown."""
        return self.input(index).partial_shape.to_shape()

    def get_input_partial_shape(self, index: int) -> PartialShape:
        """The shape of an input."""
        return self.input(index).partial_shape

    def get_input_element_type(self, index: int) -> Type:
        """The element type of an input."""
        return self.input(index).element_type

    def get_input_tensor(self, index: int) -> Input:
        """What has the shape and type of an input: the input itself."""
        return self.input(index)

    def set_argument(self, index: int, output: Output) -> None:
        """`input(index).replace_source_output(output)`."""
        self.input(index).replace_source_output(output)

    def set_arguments(self, sources: Sequence[Node | Output]) -> None:
        """
        Lets all its inputs come from other outputs, in order; a node stands for its first. Raises DiagnosticException
        as `replace_source_output` does, and where there are not as many as inputs.
        """
        from .rewiring import rewire  # reading a model starts without it

        if len(sources) != (count := self.get_input_size()):
            raise DiagnosticError(
                f"{self.friendly_name} has {count} inputs; {len(sources)} sources were given"
            )
        values = [_value_of(one.output(0) if isinstance(one, Node) else one) for one in sources]
        rewire({one.operand: value for one, value in zip(self.inputs(), values, strict=True)})

    def input_values(self) -> list[Output]:
        """The outputs of other nodes that its inputs come from."""
        return [one.get_source_output() for one in self.inputs()]

    def input_value(self, index: int) -> Output:
        """The output that an input comes from. Raises DiagnosticException where there is no such input."""
        return self.input(index).get_source_output()


@dataclass(frozen=True, repr=False, kw_only=True)
class Output(Port):
    """An output of a node. Its tensor names are those that the value has as an input or output of the model."""

    of: Node
    place: int

    @property
    def value(self) -> SSAValue:
        """The value in the model, which is another one once types were inferred anew."""
        return self.of.values[self.place]

    @property
    def node(self) -> Node:
        """The node that it is an output of."""
        return self.of

    @property
    def index(self) -> int:
        """Its number among the outputs of the node."""
        return self.place

    @property
    def target_inputs(self) -> set[Input]:
        """The inputs of other nodes that come from it; none where it is the output of a Result."""
        return {_user(op, place) for op, place in self._uses}

    def get_target_inputs(self) -> set[Input]:
        """`target_inputs`."""
        return self.target_inputs

    def replace(self, other: Output) -> None:
        """Lets all its users take another output. Raises DiagnosticException as `replace_source_output` does."""
        from .rewiring import rewire  # reading a model starts without it

        rewire(dict.fromkeys(self._uses, _value_of(other)))

    @property
    def _uses(self) -> list[tuple[Operation, int]]:
        """The operands that it is, each an operation and a number. A Result's value is what it is given."""
        if self.of.type == "Result":
            return []
        return [(use.operation, use.index) for use in self.value.uses]


@dataclass(frozen=True, repr=False, kw_only=True)
class Input(Port):
    """An input of a node."""

    of: Node
    place: int

    @property
    def node(self) -> Node:
        """The node that it is an input of."""
        return self.of

    @property
    def index(self) -> int:
        """Its number among the inputs of the node."""
        return self.place

    def get_source_output(self) -> Output:
        """The output of another node that it comes from."""
        op, place = self.operand
        source = op.operands[place]
        return next(one for one in node_of(source).outputs() if one.value is source)

    def replace_source_output(self, output: Output) -> None:
        """
        Lets it come from another output; types of what follows are inferred anew. Raises DiagnosticException, and
        leaves the model as it was, where they do not fit, or an operation would need its own result.
        """
        from .rewiring import rewire  # reading a model starts without it

        rewire({self.operand: _value_of(output)})

    @property
    def operand(self) -> tuple[Operation, int]:
        """The operand that it is: an operation, and which of its operands. That of a Result is returned."""
        if (port := self.of.port) is None:
            assert self.of.op is not None
            return self.of.op, self.place
        assert port.owner is not None
        returned = port.owner.get_return_op()
        assert returned is not None
        return returned, port.number


def _value_of(output: object) -> SSAValue:
    """The value of an output. Raises DiagnosticException for what is none."""
    if not isinstance(output, Output):
        raise DiagnosticError(f"a source is what a node gives, node.output(0), not {shown(output)}")
    return output.value


def text_named(name: object) -> str:
    """A friendly name. Raises DiagnosticException for what is no text."""
    if not isinstance(name, str):
        raise DiagnosticError(f"a friendly name is text, not {shown(name)}")
    return name


def node_of(value: SSAValue) -> Node:
    """The node that computes a value of an entry: its operation, or the Parameter."""
    owner = value.owner
    if isinstance(owner, Block):
        entry = owner.parent_op()
        assert isinstance(entry, func.FuncOp)
        return _node_at(ports_of(entry, "input")[owner.args.index(value)])
    block = owner.parent
    assert block is not None
    return operation_node(owner, block.get_operation_index(owner))


def operation_node(op: Operation, number: int) -> Node:
    """The node of an entry's operation of this number."""
    kind = SPELLED.get(written := type_name(op), written)
    return Node(friendly_name(op) or f"{kind}_{number}", kind, op)


def result_node(entry: func.FuncOp, number: int) -> Node:
    """The Result of this number."""
    return _node_at(ports_of(entry, "output")[number])


def model_ports(entry: func.FuncOp, role: str) -> list[Output]:
    """The "input"s or "output"s of an entry, as its Parameters and Results have them."""
    return [
        Output(port.names, port.type, role, entry, port.number, of=_node_at(port), place=0)
        for port in ports_of(entry, role)
    ]


def _node_at(port: Port) -> Node:
    """The Parameter or Result of an input or output."""
    return Node(port.node.friendly_name, port.node.type, port=port)


def _user(op: Operation, place: int) -> Input:
    """The input that is this operand of an operation."""
    block = op.parent
    assert block is not None
    if isinstance(op, func.ReturnOp):
        entry = block.parent_op()
        assert isinstance(entry, func.FuncOp)
        return result_node(entry, place).input(0)
    node = operation_node(op, block.get_operation_index(op))
    return next(one for one in node.inputs() if one.place == place)


def _names_of(value: SSAValue) -> tuple[str, ...]:
    """The tensor names of a value: those of the input that it is, or of the outputs."""
    if isinstance(owner := value.owner, Block):
        entry = owner.parent_op()
        assert isinstance(entry, func.FuncOp)
        return ports_of(entry, "input")[owner.args.index(value)].names
    returned = [use for use in value.uses if isinstance(use.operation, func.ReturnOp)]
    entry = owner.parent_op()
    if not returned or not isinstance(entry, func.FuncOp):
        return ()
    ports = ports_of(entry, "output")
    return tuple(name for use in returned for name in ports[use.index].names)


PortT = TypeVar("PortT", bound=Port)


def _at(ports: Sequence[PortT], index: int, node: Node, what: str) -> PortT:
    if not 0 <= index < len(ports):
        raise DiagnosticError(
            f"{node.friendly_name} has {len(ports)} {what}, and none number {index}"
        )
    return ports[index]
