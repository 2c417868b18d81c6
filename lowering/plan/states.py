"""The memory of states: of the value that a call reads, and of the one that it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast
from weakref import proxy

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel, nn
from ...dialects.inferred import label, tensor
from ..separate_results import root_of
from .initial_values import initializers
from .memref_layout import memref_of

if TYPE_CHECKING:
    from .planner import Planner

Types = tuple[MemRefType[Any], MemRefType[Any]]
"""The types of a state's current and next value."""


class States:
    """
    The states of the program that `planner` makes: each is two arguments, for its values before and after a call.
    `initializers` are the operations that only initial values need, by the entry's reads.
    """

    def __init__(self, planner: Planner):
        entry, memory = planner.entry, planner.memory
        self._planner: Planner = proxy(planner)  # else weights are in memory until a collection
        self._places = {
            name: (memory.argument(current, None), memory.argument(following, None))
            for name, (current, following) in state_types(entry, planner.variables).items()
        }
        self._assigns = {
            op.variable.string_value(): op
            for op in entry.body.block.ops
            if isinstance(op, infra.AssignOp)
        }
        self._initial: dict[str, SSAValue] = {}
        self.initializers = initializers(entry.body.block)

    def targets(self) -> Iterator[tuple[SSAValue, SSAValue]]:
        """What the entry assigns, and where."""
        for name, assign in self._assigns.items():
            yield assign.value, self._places[name][assign.in_place is None]

    def begin(self) -> None:
        """
        Lets every iteration go on from what the one before left: the next value of what bodies assign begins as a copy
        of the current one.
        """
        self._inside = self._assigned_inside()
        for name in self._inside:
            current, following = self._places[name]
            if current.type != following.type:
                raise DiagnosticException(
                    f"variable '{name}' is read as {current.type} and assigned as {following.type} inside a body; "
                    "only outside of bodies can a state change its size"
                )
            self._planner.memory.copy(current, following)

    def _assigned_inside(self) -> list[str]:
        """The variables that bodies assign."""
        entry = self._planner.entry
        found: dict[str, None] = {}
        for op in kernel.outside_bodies(entry):
            if isinstance(op, infra.AssignOp) and op.parent is not entry.body.block:
                name = op.variable.string_value()
                if name in self._assigns:
                    raise DiagnosticException(
                        f"{label(op)}: variable '{name}' is assigned inside a body and outside of it"
                    )
                found[name] = None
        return list(found)

    def keep_what_changes(self, block: Block) -> None:
        """What a body reads is what it began with, whatever bodies inside it assign meanwhile: a copy of it."""
        changed = {
            inner.variable.string_value()
            for op in block.ops
            for inner in kernel.outside_bodies(op)
            if isinstance(inner, infra.AssignOp) and inner.parent is not block
        }
        for op in block.ops:
            if isinstance(op, infra.ReadValueOp) and op.variable.string_value() in changed:
                _, following = self._places[op.variable.string_value()]
                self._planner.memory.copy(following, self._planner.target(op.result))

    def assign_inside(self, block: Block) -> None:
        """Copies what a body assigns, at its end."""
        for op in block.ops:
            if isinstance(op, infra.AssignOp):
                _, following = self._places[op.variable.string_value()]
                self._planner.memory.copy(self._planner.where(op.value), following)

    def emit_read(self, op: infra.ReadValueOp) -> None:
        """Places a read; the entry's first one of an unset state computes its initial value, unless it is constant."""
        planner, name = self._planner, op.variable.string_value()
        current, following = self._places[name]
        is_first = self._check_init(name, op)
        is_constant = nn.constant_of(root_of(op.init)) is not None
        if op not in self.initializers:
            assert is_constant, "`flag-states`"
            planner.place.setdefault(op.result, following if name in self._inside else current)
            return
        planner.place[op.result] = current
        if not is_first or is_constant:
            return
        body, early = Block(), self.initializers[op]
        with planner.memory.inside(body):
            in_place = root_of(op.init).owner in early and planner.sink(op.init, current)
            for inner in early:
                planner.emit(inner)
            if not in_place:
                planner.memory.copy(planner.where(op.init), current)
        planner.memory.add(kernel.IfUnsetOp(list(self._places).index(name), Region(body)))

    def _check_init(self, name: str, op: infra.ReadValueOp) -> bool:
        """
        Whether this is the first read of the variable. Raises DiagnosticException where another one has
        another initial value.
        """
        if name not in self._initial:
            self._initial[name] = op.init
            return True
        first = self._initial[name]
        constants = [nn.constant_of(root_of(init)) for init in (first, op.init)]
        if first is not op.init and (None in constants or constants[0] != constants[1]):
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is read with two different initial values"
            )
        return False

    def properties(self) -> dict[str, Attribute]:
        """What the program says of them, once all of it is written."""
        variables = self._planner.variables
        properties: dict[str, Attribute] = {
            "states": ArrayAttr(map(StringAttr, self._places)),
            "assigned": ArrayAttr(
                BoolAttr.from_bool(name in {*self._assigns, *self._inside}) for name in self._places
            ),
            "inits": ArrayAttr(map(self._constant_init, self._places)),
        }
        if flags := {name: op.flag for name, op in variables.items() if op.flag is not None}:
            properties["flags"] = DictionaryAttr(
                {name: StringAttr(flag.string_value()) for name, flag in flags.items()}
            )
        if in_place := [name for name, op in self._assigns.items() if op.in_place is not None]:
            properties["in_place"] = ArrayAttr(map(StringAttr, in_place))
        return properties

    def _constant_init(self, name: str) -> Attribute:
        has_flag = self._planner.variables[name].flag is not None
        init = None if has_flag else self._initial.get(name)
        return (nn.constant_of(root_of(init)) if init is not None else None) or UnitAttr()


def state_types(entry: func.FuncOp, variables: Mapping[str, infra.VariableOp]) -> dict[str, Types]:
    """
    The memrefs of each variable's current and next value: of what is read, and of what is assigned. A
    variable with only one of them has that type, one with neither the declared one.

    Raises DiagnosticException, naming the variable, where a size is unknown or two uses differ.
    """
    read: dict[str, TensorType[Any]] = {}
    assigned: dict[str, TensorType[Any]] = {}
    for op in kernel.outside_bodies(entry):
        match op:
            case infra.ReadValueOp():
                found, type = read, tensor(op.result)
            case infra.AssignOp():
                found, type = assigned, tensor(op.value)
            case _:
                continue
        name = op.variable.string_value()
        if not type.has_static_shape():
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is {type}, of unknown size while compiling; give its initial "
                "value a shape that follows from those of inputs and states"
            )
        if found.setdefault(name, type) != type:
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is {type} here and {found[name]} elsewhere; give it one size"
            )
    return {
        name: (
            memref_of(read.get(name) or assigned.get(name) or _declared(op)),
            memref_of(assigned.get(name) or read.get(name) or _declared(op)),
        )
        for name, op in variables.items()
    }


def _declared(op: infra.VariableOp) -> TensorType[Any]:
    """The declared type; nobody uses the variable, so what is unknown may be empty."""
    type = cast(TensorType[Any], op.type)
    sizes = [0 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    return TensorType(type.element_type, sizes)
