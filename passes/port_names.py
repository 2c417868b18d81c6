"""OpenVINO's names for methods of ports, of models and of compiled models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from .errors import DiagnosticError, shown
from .shapes.partial_shape import PartialShape, Shape

if TYPE_CHECKING:
    import numpy as np


class Type(str):
    """
    The name of an element type, `Type.f32`; equals openvino.Type of this name. It is made of text, or of a type of
    NumPy's. Raises DiagnosticException where there is none.
    """

    f64: ClassVar[Type]
    f32: ClassVar[Type]
    f16: ClassVar[Type]
    bf16: ClassVar[Type]
    f8e4m3: ClassVar[Type]
    f8e5m2: ClassVar[Type]
    f8e8m0: ClassVar[Type]
    f4e2m1: ClassVar[Type]
    i64: ClassVar[Type]
    i32: ClassVar[Type]
    i16: ClassVar[Type]
    i8: ClassVar[Type]
    i4: ClassVar[Type]
    u64: ClassVar[Type]
    u32: ClassVar[Type]
    u16: ClassVar[Type]
    u8: ClassVar[Type]
    nf4: ClassVar[Type]
    u6: ClassVar[Type]
    u4: ClassVar[Type]
    u3: ClassVar[Type]
    u2: ClassVar[Type]
    u1: ClassVar[Type]
    boolean: ClassVar[Type]
    dynamic: ClassVar[Type]

    _dtype: np.dtype[Any] | None

    def __new__(cls, given: Any, dtype: np.dtype[Any] | None = None) -> Self:
        name = given if isinstance(given, str) else _name_of(given)
        if name not in MEMBERS:
            raise DiagnosticError(
                f"there is no element type {shown(given)}; there are {', '.join(MEMBERS)}"
            )
        made = super().__new__(cls, name)
        made._dtype = dtype
        return made

    def get_type_name(self) -> str:
        """The name."""
        return str(self)

    def to_dtype(self) -> np.dtype[Any]:
        """The NumPy type that holds an element. Raises DiagnosticException where there is none."""
        if self._dtype is None:
            from ..dialects.element_names import OPENVINO
            from ..reference.arrays import dtype_of

            if self not in OPENVINO:
                raise DiagnosticError(f"no array has elements of type {self}")
            self._dtype = dtype_of(OPENVINO[self])
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

    @property
    def real(self) -> bool:
        """Whether elements are floating point."""
        return self.startswith(("f", "bf"))

    def is_real(self) -> bool:
        """`real`."""
        return self.real

    @property
    def integral(self) -> bool:
        """Whether elements are integers or booleans."""
        return not self.real

    def is_integral(self) -> bool:
        """`integral`."""
        return self.integral

    @property
    def integral_number(self) -> bool:
        """Whether elements are integers, or codes of a table, as those of nf4 are."""
        return self.startswith(("i", "u", "nf"))

    def is_integral_number(self) -> bool:
        """`integral_number`."""
        return self.integral_number

    @property
    def signed(self) -> bool:
        """Whether elements may be negative."""
        return not self.startswith(("u", "boolean", "nf"))

    def is_signed(self) -> bool:
        """`signed`."""
        return self.signed

    @property
    def quantized(self) -> bool:
        """Whether elements may be codes."""
        return self in QUANTIZED

    def is_quantized(self) -> bool:
        """`quantized`."""
        return self.quantized

    def is_static(self) -> bool:
        """Whether it is known: that of a port is."""
        return not self.is_dynamic()

    def is_dynamic(self) -> bool:
        """Whether it stands for any type."""
        return str.__eq__(self, "dynamic")

    def compatible(self, other: object) -> bool:
        """Whether both may be the same type."""
        return self.is_dynamic() or other in (self, "dynamic")

    def __eq__(self, other: object) -> bool:
        name = getattr(other, "get_type_name", None)
        return str.__eq__(self, other if name is None else str(name()))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


QUANTIZED = ("nf4", "i4", "i8", "i32", "u8", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1")
"""Types of codes, and of the sums of their products, as OpenVINO has them."""

MEMBERS = tuple(name for name in Type.__annotations__ if name != "_dtype")

for _name in MEMBERS:
    setattr(Type, _name, Type(_name))


def _name_of(given: Any) -> str:
    """OpenVINO's name of a type of NumPy's, or of its own."""
    if hasattr(given, "get_type_name"):
        return given.get_type_name()
    import numpy as np  # models from the cache have it, tools may not

    try:
        dtype = np.dtype("" if given is None else given)
    except (TypeError, ValueError):
        return ""
    return NAMES.get(dtype.name) or f"{dtype.kind}{8 * dtype.itemsize}"


@dataclass(unsafe_hash=True)
class PortNode:
    """What a port is of: a Parameter or Result, which has its name."""

    _name: str
    type: str

    @property
    def friendly_name(self) -> str:
        """What it is called."""
        return self._name

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
    def shape(self) -> Shape: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def any_name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def partial_shape(self) -> PartialShape: ...
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
    def element_type(self: _Port) -> Type:
        """The element type, by OpenVINO's name."""
        return _element_type(self)

    def get_any_name(self: _Port) -> str:
        """`any_name`."""
        return self.any_name

    def get_names(self: _Port) -> set[str]:
        """`names`, without their order."""
        return set(self.names)

    def get_shape(self: _Port) -> Shape:
        """`shape`."""
        return self.shape

    def get_partial_shape(self: _Port) -> PartialShape:
        """`partial_shape`."""
        return self.partial_shape

    def get_element_type(self: _Port) -> Type:
        """`element_type`."""
        return _element_type(self)


def _element_type(port: _Port) -> Type:
    return Type(_name_of(port.dtype), port.dtype)


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
