"""
States of the model as LiteRT's resource variables, which calls share and nothing resets; and one
variable tensor that says whether they are set, which an interpreter's reset makes 0 again:

`value = is_set ? READ_VARIABLE : init`

Kernels of recurrent layers are the only ones that change a variable tensor in place, so that a cell
of one number (RNN, weight 1 for the input and 0 for itself) writes it, behind whoever reads it.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation

from ....dialects import infra
from ....dialects.infra.states import variables_of
from ..graph import UNKNOWN, Operator, Subgraph, Tensor
from .writer import Writer, emits, refuse, refuse_unknown, type_element


class States:
    """The variables of a model, made when they are first asked for."""

    def __init__(self, write: Writer):
        self.write = write
        self.handles: dict[str, Tensor] = {}
        self.assigned: list[tuple[str, Tensor]] = []
        self._is_set: Tensor | None = None

    def read(self, op: infra.ReadValueOp) -> Tensor:
        """What the variable has, or the initial value before it has any."""
        write, name = self.write, op.variable.string_value()
        handle, init = self.handle(op, name), write.plain(op.init)
        held = Tensor(init.shape, init.element)
        write.subgraph.operators.append(Operator("READ_VARIABLE", [handle], [held]))
        choices = [self._set(), held, init]
        return write.op("SELECT_V2", choices, init.shape, init.element)

    def finish(self) -> None:
        """Writes what was assigned, behind everything else."""
        for name, value in self.assigned:
            operator = Operator("ASSIGN_VARIABLE", [self.handles[name], value], [])
            self.write.subgraph.operators.append(operator)
        if self._is_set is not None:
            self._mark()

    def handle(self, op: Operation, name: str) -> Tensor:
        """What operators call the variable."""
        if name not in self.handles:
            type = variables_of(op)[name].type
            shape, element = type.get_shape(), type_element(type)
            if any(size < 0 for size in shape):
                raise refuse(op, f"state '{name}' is a {type}; give it a known shape")
            handle, operator = _handle_of(name)
            self.handles[name] = handle
            self.write.subgraph.operators += [self._zeros_once(name, shape, element), operator]
        return self.handles[name]

    def _zeros_once(self, name: str, shape: tuple[int, ...], element: str) -> Operator:
        """Memory for the variable: LiteRT does not read one that was never written."""
        handle, operator = _handle_of(name)
        inner = Subgraph(f"make {name}")
        write = Writer(inner, self.write.graph)
        inner.operators.append(operator)
        number = write.constant(0, element)
        sizes = write.integers(shape) if shape else None
        zeros = number
        if sizes is not None:
            zeros = write.op("FILL", [sizes, number], shape, element)
        inner.operators.append(Operator("ASSIGN_VARIABLE", [handle, zeros], []))
        index = self.write.graph.add(inner)
        return Operator("CALL_ONCE", [], [], {"initSubgraphIndex": index})

    def _set(self) -> Tensor:
        """A truth value: whether an earlier call has assigned, and nobody has reset since."""
        if self._is_set is None:
            self._flag = Tensor((1, 1), "float32", "is_set", variable=True)
            found = self.write.binary("GREATER", self._flag, 0.5, element="bool")
            self._is_set = self.write.reshaped(found, ())
        return self._is_set

    def _mark(self) -> None:
        """Makes the flag 1, of a number that its reader gives: no order but this one is left then."""
        assert self._is_set is not None
        write = self.write
        always = write.op("LOGICAL_OR", [self._is_set, write.constant(np.True_)], (), "bool")
        one = write.reshaped(write.cast(always, "float32"), (1, 1))
        weight, none = write.constant([[1.0]], "float32"), write.constant([[0.0]], "float32")
        bias = write.constant([0.0], "float32")
        inputs = [one, weight, none, bias, self._flag]
        write.subgraph.operators.append(Operator("RNN", inputs, [Tensor((1, 1), "float32")]))


def _handle_of(name: str) -> tuple[Tensor, Operator]:
    handle = Tensor((1,), "resource")
    return handle, Operator("VAR_HANDLE", [], [handle], {"container": "", "sharedName": name})


def states_of(write: Writer, op: Operation) -> States:
    """The states of the writer of the entry."""
    if write.states is None:
        raise refuse(op, "states in bodies cannot be kept; unroll them with low-latency2 first")
    return write.states


@emits(infra.ReadValueOp)
def read_value(write: Writer, op: infra.ReadValueOp) -> None:
    name = op.variable.string_value()
    parent = op.parent
    assert parent is not None
    is_assigned = any(
        isinstance(other, infra.AssignOp) and other.variable.string_value() == name
        for other in parent.ops
    )
    states = states_of(write, op)
    write.set(op.result, states.read(op) if is_assigned else write.plain(op.init))


@emits(infra.AssignOp)
def assign(write: Writer, op: infra.AssignOp) -> None:
    """All assigns take effect when the call ends."""
    states, value = states_of(write, op), write.plain(op.value)
    if UNKNOWN in value.shape:
        raise refuse_unknown(op, f"its value has shape {value.shape}")
    name = op.variable.string_value()
    states.handle(op, name)
    states.assigned.append((name, value))
