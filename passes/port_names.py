"""What OpenVINO's users ask ports for, of models and of compiled ones: other names of the same things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    import numpy as np


class PartialShape(tuple[int, ...]):
    """Dimensions, -1 where one takes any size, which is written `?`: `[?,2]`."""

    __slots__ = ()

    @property
    def is_dynamic(self) -> bool:
        """Whether a dimension takes any size."""
        return -1 in self

    @property
    def is_static(self) -> bool:
        """Whether all are known."""
        return -1 not in self

    def __str__(self) -> str:
        return f"[{','.join('?' if size < 0 else str(size) for size in self)}]"


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

    def __eq__(self, other: object) -> bool:
        name = getattr(other, "get_type_name", None)
        return str.__eq__(self, other if name is None else str(name()))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


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


class PortNames:
    """What is built of a port's names, shape and type."""

    __slots__ = ()

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
"""OpenVINO's names of what NumPy's letters and sizes do not say."""
