"""Inputs and outputs of a model: what they are called, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.module import NAMES, port_attributes, port_names, set_port_attribute
from ..dialects.short_types import short_type
from ..passes.errors import DiagnosticError, shown
from ..passes.port_names import PortNames
from ..passes.shapes.limits import limited_shape
from ..passes.shapes.partial_shape import PartialShape, Shape
from .rt_info import NOTES, RuntimeInfo

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, repr=False)
class Port(PortNames):
    """An input or output of a model: its tensor names and its type."""

    names: tuple[str, ...]
    type: TensorType[Any]
    role: str = "input"  # or "output"
    owner: func.FuncOp | None = field(default=None, compare=False)
    """The entry that it belongs to, as number `number` of its role."""
    number: int = field(default=0, compare=False)

    @property
    def any_name(self) -> str:
        """One of the names. Raises IndexError where there is none."""
        return self.names[0]

    @property
    def shape(self) -> Shape:
        """The dimensions; -1 where one is not known."""
        return Shape(-1 if n == DYNAMIC_INDEX else n for n in self.type.get_shape())

    @property
    def partial_shape(self) -> PartialShape:
        """The dimensions; -1 where one is not known, with its limits where an input has some."""
        if self.owner is None or self.role != "input":
            return PartialShape(self.shape)
        return limited_shape(self.owner, self.number)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type that holds an element."""
        from ..reference.arrays import dtype_of

        return dtype_of(self.type.element_type)

    def set_names(self, names: Iterable[str]) -> None:
        """
        Gives it these tensor names alone; of a set, in the order of the alphabet. Raises DiagnosticException where
        another port of its role has one of them.
        """
        given = _listed(names)
        assert self.owner is not None
        _rename(self.owner, self.role, self.number, given)
        object.__setattr__(self, "names", tuple(given))

    def add_names(self, names: Iterable[str]) -> None:
        """Gives it these tensor names, too. Raises DiagnosticException as `set_names` does."""
        self.set_names([*self.names, *sorted({*_listed(names)} - {*self.names})])

    @property
    def rt_info(self) -> RuntimeInfo:
        """What tools noted of it. Raises DiagnosticException for an output of an operation, whose node has notes."""
        if (entry := self.owner) is None:
            raise DiagnosticError("notes are of nodes, and of the model's inputs and outputs")

        def write(notes: DictionaryAttr) -> None:
            set_port_attribute(entry, self.role, self.number, NOTES, notes)

        return RuntimeInfo(
            lambda: port_attributes(entry, self.role)[self.number].data.get(NOTES), write
        )

    def get_rt_info(self) -> RuntimeInfo:
        """`rt_info`."""
        return self.rt_info

    def set_rt_info(self, value: Any, path: str | Sequence[str]) -> None:
        """Notes a value at the end of a path of names. Raises DiagnosticException for what no file can hold."""
        self.rt_info.note(value, path)

    def __repr__(self) -> str:
        return f"<Port {'|'.join(self.names) or 'without a name'}: {short_type(self.type)}>"


def _listed(names: Any) -> list[str]:
    """Names in order. Raises DiagnosticException for what is none, as for one text, whose letters are no names."""
    given: object = names
    is_listed = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    listed: list[Any] = list(names) if is_listed else []
    if not is_listed or not all(isinstance(name, str) for name in listed):
        raise DiagnosticError(f"names are {shown(names)}; give a list or a set of text")
    return sorted(listed) if isinstance(names, AbstractSet) else listed


def _rename(entry: func.FuncOp, role: str, number: int, names: Sequence[str]) -> None:
    """Gives a port of an entry these names. Raises DiagnosticException where another of its role has one."""
    types = entry.function_type.inputs if role == "input" else entry.function_type.outputs
    listed = port_names(entry.arg_attrs if role == "input" else entry.res_attrs, len(types))
    for index, others in enumerate(listed):
        if index != number and (taken := {*names} & {*others}):
            raise DiagnosticError(
                f"{role} {index} is named '{min(taken)}' already; names of {role}s are different"
            )
    set_port_attribute(entry, role, number, NAMES, ArrayAttr([StringAttr(name) for name in names]))


def ports_of(entry: func.FuncOp, role: str) -> list[Port]:
    """The inputs or the outputs of an entry. Raises DiagnosticException where one is no tensor."""
    types: Sequence[Attribute] = (
        entry.function_type.inputs if role == "input" else entry.function_type.outputs
    ).data
    names = port_names(entry.arg_attrs if role == "input" else entry.res_attrs, len(types))
    ports: list[Port] = []
    for number, (type, listed) in enumerate(zip(types, names, strict=True)):
        if not isinstance(type, TensorType):
            raise DiagnosticException(f"the entry takes or gives a {type}; use tensors")
        ports.append(Port(tuple(listed), cast(TensorType[Any], type), role, entry, number))
    return ports
