"""`make-stateful`: pairs of an input and an output become states."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DictionaryAttr, ModuleOp, TensorType
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import infra, nn
from ..dialects.compatible import compatible
from ..dialects.inferred import tensor
from ..dialects.module import entry_of, port_names
from ..dialects.rewriter import Rewriter
from .nearest import nearest


@dataclass(frozen=True)
class MakeStateful(ModulePass):
    """
    The first of `inputs` and the first of `outputs` become one state, and so on: what a call gave at the output,
    the next call reads where the input was.

    Neither is a port of the model any more; another output of the same value stays. The state is called as the
    input and the output together, `h` and `hn` as `hhn`. It begins with zeros, and is empty along dimensions of
    unknown size. Source: OpenVINO's MakeStateful.
    """

    name = "make-stateful"

    inputs: tuple[str | int, ...]
    outputs: tuple[str | int, ...]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        inputs, outputs = ([str(name) for name in names] for names in (self.inputs, self.outputs))
        if len(inputs) != len(outputs):
            raise DiagnosticException(
                f"make-stateful: {len(inputs)} inputs and {len(outputs)} outputs; name an output for each input"
            )
        make_stateful(op, list(zip(inputs, outputs, strict=True)))


@dataclass(frozen=True)
class _Port:
    """An input or an output, by its number and the name that it was given."""

    number: int
    name: str

    @classmethod
    def of(cls, role: str, name: str, ports: Sequence[Sequence[str]]) -> Self:
        """The port that has this tensor name. Raises DiagnosticException where there is none."""
        for number, names in enumerate(ports):
            if name in names:
                return cls(number, name)
        known = [each for names in ports for each in names]
        near = " or ".join(map(repr, nearest(name, known)))
        advice = (
            f"did you mean {near}?" if near else f"{role}s: {', '.join(known) or 'none has one'}"
        )
        raise DiagnosticException(f"make-stateful: there is no {role} '{name}'; {advice}")


@dataclass(frozen=True)
class _Pair:
    """An input and an output that are to be a state."""

    input: _Port
    output: _Port

    @property
    def state(self) -> str:
        return self.input.name + self.output.name


def make_stateful(module: ModuleOp, pairs: Sequence[tuple[str, str]]) -> None:
    """
    Makes states of inputs and the outputs that give their next values, by tensor names.

    Raises DiagnosticException, and leaves the module as it was, where there is no such input or output, two of the
    names are of one, types differ, or there is a state of such a name already.
    """
    entry = entry_of(module)
    types = entry.function_type
    inputs = port_names(entry.arg_attrs, len(types.inputs))
    outputs = port_names(entry.res_attrs, len(types.outputs))
    found = [
        _Pair(_Port.of("input", input, inputs), _Port.of("output", output, outputs))
        for input, output in pairs
    ]
    _refuse_twice("inputs", [pair.input for pair in found])
    _refuse_twice("outputs", [pair.output for pair in found])
    states = set(infra.variables_of(entry))
    for pair in found:
        _check(entry, pair, states)
        states.add(pair.state)
    for pair in found:
        type = tensor(entry.body.block.args[pair.input.number])
        zeros = nn.ConstantOp(_zeros(type))
        add_state(entry, pair.state, pair.input.number, pair.output.number, zeros)
    drop_ports(entry, {pair.input.number for pair in found}, {pair.output.number for pair in found})


def _refuse_twice(role: str, ports: Iterable[_Port]) -> None:
    first: dict[int, str] = {}
    for port in ports:
        if port.number in first:
            raise DiagnosticException(
                f"make-stateful: {role} '{first[port.number]}' and '{port.name}' are the same; "
                "a state has one of each"
            )
        first[port.number] = port.name


def _check(entry: func.FuncOp, pair: _Pair, states: Collection[str]) -> None:
    """Raises DiagnosticException where a pair can be no state."""
    types = entry.function_type
    before, after = types.inputs.data[pair.input.number], types.outputs.data[pair.output.number]
    if not (compatible(before, after) and isinstance(before, TensorType)):
        raise DiagnosticException(
            f"make-stateful: state '{pair.state}' would be read as {before} and assigned {after}; "
            "its input and its output have one type, so pair others, or reshape the input"
        )
    if pair.state in states:
        raise DiagnosticException(
            f"make-stateful: the model has a state '{pair.state}' already; rename the input or the output"
        )


def add_state(
    entry: func.FuncOp, name: str, input: int, output: int, initial: nn.ConstantOp
) -> None:
    """A state that is read where an input is, is assigned what an output is given, and begins with a constant."""
    block, returned = entry.body.block, entry.get_return_op()
    assert returned is not None, "an entry of one block returns"
    argument = block.args[input]
    type = tensor(argument)
    read = infra.ReadValueOp(name, initial, type)
    argument.replace_all_uses_with(read.result)
    Rewriter.insert_op([initial, read], InsertPoint.at_start(block))
    assign = infra.AssignOp(name, returned.operands[output])
    Rewriter.insert_op(assign, InsertPoint.before(returned))
    Rewriter.insert_op(infra.VariableOp(name, type), InsertPoint.before(entry))


def _zeros(type: TensorType[Any]) -> nn.BlobAttr:
    sizes = [0 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    return nn.BlobAttr.of(TensorType(type.element_type, sizes), 0)


def drop_ports(entry: func.FuncOp, inputs: set[int], outputs: set[int]) -> None:
    """Removes inputs that nothing reads, and outputs, with their attributes."""
    block, returned = entry.body.block, entry.get_return_op()
    assert returned is not None
    entry.arg_attrs = _without(entry.arg_attrs, inputs)
    entry.res_attrs = _without(entry.res_attrs, outputs)
    for argument in [arg for arg in block.args if arg.index in inputs]:
        block.erase_arg(argument)
    returned.operands = [v for i, v in enumerate(returned.operands) if i not in outputs]
    entry.update_function_type()


def _without(
    attributes: ArrayAttr[DictionaryAttr] | None, indices: set[int]
) -> ArrayAttr[DictionaryAttr] | None:
    if attributes is None:
        return None
    return ArrayAttr(entry for i, entry in enumerate(attributes) if i not in indices)
