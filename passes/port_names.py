"""OpenVINO's names for methods of ports, of models and of compiled models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

from .partial_shape import PartialShape

if TYPE_CHECKING:
    import numpy as np


class ElementType(str):
    """The name of an element type, `f32`; equals openvino.Type of this name."""

    __slots__ = ("_dtype",)

    def __new__(cls, name: str, dtype: np.dtype[Any]) -> Self:
        made = super().__new__(cls, name)
        made._dtype = dtype
        return made

    def get_type_name(self) -> str:
        """The name."""
        return str(self)

    def to_dtype(self) -> np.dtype[Any]:
        """The NumPy type that holds an element."""
        return self._dtype

    @property
    def type_name(self) -> str:
        """The name."""
        return str(self)

    def to_string(self) -> str:
        """The name."""
        return str(self)

    @property
    def bitwidth(self) -> int:
        """The bits of an element; 8 for a boolean, whose name has no number."""
        number = re.search(r"\d+", self)
        return 8 if number is None else int(number[0])

    def get_bitwidth(self) -> int:
        """`bitwidth`."""
        return self.bitwidth

    @property
    def size(self) -> int:
        """The bytes of an element; 1 where two elements share a byte."""
        return -(-self.bitwidth // 8)

    def get_size(self) -> int:
        """`size`."""
        return self.size

    def is_real(self) -> bool:
        """Whether elements are floating point."""
        return self.startswith(("f", "bf"))

    def is_integral(self) -> bool:
        """Whether elements are integers or booleans."""
        return not self.is_real()

    def is_integral_number(self) -> bool:
        """Whether elements are integers."""
        return self.startswith(("i", "u"))

    def is_signed(self) -> bool:
        """Whether elements may be negative."""
        return not self.startswith(("u", "boolean"))

    def is_static(self) -> bool:
        """Always: a port has a type."""
        return True

    def is_dynamic(self) -> bool:
        """Never."""
        return False

    def __eq__(self, other: object) -> bool:
        name = getattr(other, "get_type_name", None)
        return str.__eq__(self, other if name is None else str(name()))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


@dataclass(frozen=True)
class PortNode:
    """What a port is of: a Parameter or Result, which has its name."""

    friendly_name: str
    type: str

    def get_friendly_name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def get_name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def get_type_name(self) -> str:
        """OpenVINO's name of its type."""
        return self.type


class _Port(Protocol):
    """What a port has of its own."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def any_name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def node(self) -> PortNode: ...


class PortNames:
    """Methods that build on a port's names, shape and type."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def any_name(self) -> str: ...

    @property
    def index(self) -> int:
        """The number among the results of its node, which has one result."""
        return 0

    def get_index(self) -> int:
        """`index`."""
        return self.index

    @property
    def node(self: _Port) -> PortNode:
        """The Parameter or Result of this port; it has the name of the port."""
        name = self.any_name if self.names else self.role
        return PortNode(name, "Parameter" if self.role == "input" else "Result")

    def get_node(self: _Port) -> PortNode:
        """`node`."""
        return self.node

    @property
    def tensor(self) -> Self:
        """OpenVINO's object with the names, shape and type: the port itself."""
        return self

    def get_tensor(self) -> Self:
        """`tensor`."""
        return self

    @property
    def partial_shape(self: _Port) -> PartialShape:
        """The dimensions; -1 where one takes any size."""
        return PartialShape(self.shape)

    @property
    def element_type(self: _Port) -> ElementType:
        """The element type, by OpenVINO's name."""
        return _element_type(self)

    def get_any_name(self: _Port) -> str:
        """`any_name`."""
        return self.any_name

    def get_names(self: _Port) -> set[str]:
        """`names`, without their order."""
        return set(self.names)

    def get_shape(self: _Port) -> tuple[int, ...]:
        """`shape`."""
        return self.shape

    def get_partial_shape(self: _Port) -> PartialShape:
        """`partial_shape`."""
        return PartialShape(self.shape)

    def get_element_type(self: _Port) -> ElementType:
        """`element_type`."""
        return _element_type(self)


def _element_type(port: _Port) -> ElementType:
    dtype = port.dtype
    return ElementType(NAMES.get(dtype.name) or f"{dtype.kind}{8 * dtype.itemsize}", dtype)


NAMES = {
    "bool": "boolean",
    "bfloat16": "bf16",
    "int4": "i4",
    "uint4": "u4",
    "float8_e4m3fn": "f8e4m3",
    "float8_e5m2": "f8e5m2",
    "float8_e8m0fnu": "f8e8m0",
    "float4_e2m1fn": "f4e2m1",
}
"""OpenVINO's names of types that do not follow from NumPy's letters and sizes."""
