"""Inputs and outputs of a model: what they are called, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ..dialects.module import names_attribute, port_names
from ..dialects.short_types import short_type
from ..passes.errors import DiagnosticError
from ..passes.port_names import PortNames

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
    def shape(self) -> tuple[int, ...]:
        """The dimensions; -1 where one is not known."""
        return tuple(-1 if n == DYNAMIC_INDEX else n for n in self.type.get_shape())

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
        given = sorted(names) if isinstance(names, AbstractSet) else list(names)
        assert self.owner is not None
        _rename(self.owner, self.role, self.number, given)
        object.__setattr__(self, "names", tuple(given))

    def add_names(self, names: Iterable[str]) -> None:
        """Gives it these tensor names, too. Raises DiagnosticException as `set_names` does."""
        self.set_names([*self.names, *sorted({*names} - {*self.names})])

    def __repr__(self) -> str:
        return f"<Port {'|'.join(self.names) or 'without a name'}: {short_type(self.type)}>"


def _rename(entry: func.FuncOp, role: str, number: int, names: Sequence[str]) -> None:
    """Gives a port of an entry these names. Raises DiagnosticException where another of its role has one."""
    types = entry.function_type.inputs if role == "input" else entry.function_type.outputs
    listed = port_names(entry.arg_attrs if role == "input" else entry.res_attrs, len(types))
    for index, others in enumerate(listed):
        if index != number and (taken := {*names} & {*others}):
            raise DiagnosticError(
                f"{role} {index} is named '{min(taken)}' already; names of {role}s are different"
            )
    listed[number] = list(names)
    if role == "input":
        entry.arg_attrs = names_attribute(listed)
    else:
        entry.res_attrs = names_attribute(listed)


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
