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

from ...dialects import infra
from ...dialects.infra.states import variables_of
from .refusals import refuse, refuse_unknown
from .tensors import RESOURCE, UNKNOWN, Elements, Tensor
from .writer import TflWriter, emits, type_element


class VariableHandles:
    """The variables of a model, created when they are first asked for."""

    def __init__(self, write: TflWriter):
        self.write = write
        self.handles: dict[str, Tensor] = {}
        self.assigned: list[tuple[str, Tensor]] = []
        self._is_set: Tensor | None = None

    def read(self, op: infra.ReadValueOp) -> Tensor:
        """The value of a variable, or the initial value before it has one."""
        write, name = self.write, op.variable.string_value()
        handle, init = self.handle(op, name), write.plain(op.init)
        held = write.operator("READ_VARIABLE", [handle], init.type)
        choices = [self._set(), held, init]
        return write.op("SELECT_V2", choices, init.shape, init.element)

    def finish(self) -> None:
        """Writes the assigns, behind everything else."""
        for name, value in self.assigned:
            self.write.operators("ASSIGN_VARIABLE", [self.handles[name], value], [])
        if self._is_set is not None:
            self._mark()

    def handle(self, op: Operation, name: str) -> Tensor:
        """The handle by which operators access the variable."""
        if name not in self.handles:
            type = variables_of(op)[name].type
            shape, element = type.get_shape(), type_element(type)
            if any(size < 0 for size in shape):
                raise refuse(op, f"state '{name}' is a {type}; give it a known shape")
            self._zeros_once(name, shape, element)
            self.handles[name] = _handle_of(self.write, name)
        return self.handles[name]

    def _zeros_once(self, name: str, shape: tuple[int, ...], element: str) -> None:
        """Allocates the variable: LiteRT does not read one that was never written."""
        write = TflWriter(self.write.module)
        handle = _handle_of(write, name)
        number = write.constant(0, element)
        sizes = write.integers(shape) if shape else None
        zeros = number
        if sizes is not None:
            zeros = write.op("FILL", [sizes, number], shape, element)
        write.operators("ASSIGN_VARIABLE", [handle, zeros], [])
        self.write.operators("CALL_ONCE", [], [], init_subgraph=write.called(f"make {name}"))

    def _set(self) -> Tensor:
        """A boolean: whether an earlier call has assigned, and nobody has reset since."""
        if self._is_set is None:
            self._flag = self.write.variable(Elements("float32").tensor((1, 1)), "is_set")
            found = self.write.binary("GREATER", self._flag, 0.5, element="bool")
            self._is_set = self.write.reshaped(found, ())
        return self._is_set

    def _mark(self) -> None:
        """Sets the flag to 1, from a value that depends on all of its readers, so that it is set after them."""
        assert self._is_set is not None
        write = self.write
        always = write.op("LOGICAL_OR", [self._is_set, write.constant(np.True_)], (), "bool")
        one = write.reshaped(write.cast(always, "float32"), (1, 1))
        weight, none = write.constant([[1.0]], "float32"), write.constant([[0.0]], "float32")
        bias = write.constant([0.0], "float32")
        inputs = [one, weight, none, bias, self._flag]
        write.operators("RNN", inputs, [one.type])


def _handle_of(write: TflWriter, name: str) -> Tensor:
    type = Elements(RESOURCE).tensor((1,))
    return write.operator("VAR_HANDLE", [], type, container="", shared_name=name)


def states_of(write: TflWriter, op: Operation) -> VariableHandles:
    """The states of the entry's writer."""
    if write.states is None:
        raise refuse(op, "states in bodies cannot be kept; unroll them with low-latency2 first")
    return write.states


@emits(infra.ReadValueOp)
def read_value(write: TflWriter, op: infra.ReadValueOp) -> None:
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
def assign(write: TflWriter, op: infra.AssignOp) -> None:
    """Assigns take effect when the call ends."""
    states, value = states_of(write, op), write.plain(op.value)
    if UNKNOWN in value.shape:
        raise refuse_unknown(op, f"its value has shape {value.shape}")
    name = op.variable.string_value()
    states.handle(op, name)
    states.assigned.append((name, value))
