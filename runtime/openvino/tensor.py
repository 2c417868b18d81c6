"""Arrays with the methods of OpenVINO's tensors, which requests give and take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from ...passes.errors import DiagnosticError, shown
from ...passes.port_names import Type
from ...passes.shapes.partial_shape import Shape
from ..number_types import dtype_named
from ..ports import OPENVINO
from .by_name import in_order

Array = npt.NDArray[Any]


class Tensor(np.ndarray[Any, np.dtype[Any]]):
    """
    An array of NumPy's that also has OpenVINO's names. Arithmetic with it gives plain arrays.

        Tensor(array)                        # a copy
        Tensor(array, shared_memory=True)    # the memory of an array that lies in a row
        Tensor(Type.f32, [1, 3])             # zeros; also of a port
        Tensor(array, [2, 2], Type.bf16)     # the memory of an array, in another shape and of another type
        Tensor(tensor, [0, 8], [4, 16])      # a part of another: its memory, from one corner to the other

    Raises DiagnosticException for what is no array of numbers.
    """

    def __new__(cls, *given: Any, shared_memory: bool = False, **named: Any) -> Self:
        match in_order(given, named, ORDERS):
            case (array,) | (array, bool()) as all_given:
                array = _array_of(array, shared_memory or all_given[-1] is True)
            case (np.ndarray() as array, begin, end) if not _is_type(end):
                array = _part(cast(Array, array), begin, end)
            case (np.ndarray() as array, shape, type):
                array = _of_type(cast(Array, array), Type(type)).reshape(tuple(shape))
            case (np.ndarray() as array, shape):
                array = cast(Array, array).reshape(tuple(shape))
            case (port, array) if not _is_type(port):
                array = _array_of(array, shared_memory)
            case (type, shape):
                array = _zeros(shape, Type(type).to_dtype())
            case _:
                raise _no_tensor()
        return array.view(cls)

    def __array_wrap__(
        self, array: Any, context: Any = None, return_scalar: bool = False, /
    ) -> Any:
        return array[()] if return_scalar else array.view(np.ndarray)

    @property
    def data(self) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The array: its memory."""
        return self.view(np.ndarray)

    @property
    def element_type(self) -> Type:
        """The element type, by OpenVINO's name."""
        return Type(self.dtype)

    def get_element_type(self) -> Type:
        """`element_type`."""
        return self.element_type

    def get_shape(self) -> Shape:
        """`shape`."""
        return Shape(self.shape)

    def get_size(self) -> int:
        """The number of elements."""
        return self.size

    @property
    def byte_size(self) -> int:
        """The bytes of all elements."""
        return self.nbytes

    def get_byte_size(self) -> int:
        """`byte_size`."""
        return self.nbytes

    def get_strides(self) -> tuple[int, ...]:
        """`strides`."""
        return self.strides

    def is_continuous(self) -> bool:
        """Whether elements lie in a row."""
        return self.flags.c_contiguous

    def set_shape(self, shape: Sequence[int]) -> None:
        """Raises DiagnosticException for another shape than its own: `reshape` gives another tensor."""
        if tuple(shape) != self.shape:
            raise DiagnosticError(
                f"a tensor keeps its shape; take tensor.reshape({list(shape)}), or make another one"
            )

    def copy_to(self, target: Array) -> None:
        """Writes its elements to an array of its type and shape, whose memory may have any strides; see `copy_from`."""
        is_array = isinstance(cast("object", target), np.ndarray)
        array = target if is_array else _array_of(target, shared_memory=True)
        array.view(Tensor).copy_from(self)

    def copy_from(self, source: Array) -> None:
        """
        Takes the elements of an array of its type and shape. Raises DiagnosticException for any other, and where its
        memory is read-only.
        """
        if (source.dtype, source.shape) != (self.dtype, self.shape):
            raise DiagnosticError(
                f"a tensor of {self.dtype}{list(self.shape)} takes no elements of {source.dtype}{list(source.shape)}"
            )
        if not self.flags.writeable:
            raise DiagnosticError("the tensor's memory is read-only; copy to another tensor")
        self[...] = source


ORDERS = (
    ("array", "shape", "type"),
    ("type", "shape"),
    ("port", "array"),
    ("other", "begin", "end"),
    ("list",),
)
"""What OpenVINO calls the arguments of a tensor."""


def _no_tensor() -> DiagnosticError:
    return DiagnosticError(
        "a Tensor is made of an array, of an element type and a shape, of an array, a shape and a type, of a port, or "
        "of a tensor and two corners"
    )


def _zeros(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    try:
        return np.zeros(tuple(shape), dtype)
    except (ValueError, MemoryError, OverflowError):
        raise DiagnosticError(f"no tensor has the shape {shown(list(shape))}") from None


def _of_type(array: Array, type: Type) -> Array:
    """The memory of an array as elements of this type. Raises DiagnosticException where these have another size."""
    if type.is_dynamic():
        return array
    dtype = dtype_named(OPENVINO[type], "the tensor") if type in OPENVINO else type.to_dtype()
    if type.bitwidth < 8:
        raise DiagnosticError(
            f"a tensor of {type} has one element in each byte; write them to Tensor(Type.{type}, shape)"
        )
    if type.bitwidth != 8 * array.itemsize or dtype.itemsize != array.itemsize:
        raise DiagnosticError(
            f"elements of {array.dtype} are not those of {type}, of {type.bitwidth} bits; give an array of {dtype}"
        )
    return array.view(dtype)


def _array_of(given: Any, shared_memory: bool) -> Array:
    if hasattr(given, "element_type") and not hasattr(given, "data"):  # a port
        return np.zeros(tuple(given.get_shape()), given.element_type.to_dtype())
    array: Array = np.asarray(given)
    kind = array.dtype.kind
    if kind in "OUSMm" or not (np.ndim(given) or isinstance(given, np.ndarray)):
        raise DiagnosticError(f"a Tensor holds numbers, and no {type(given).__name__}")
    if kind == "c" or array.dtype.fields or array.dtype == np.longdouble:
        what = {"c": "complex ones", "f": "long doubles"}.get(kind, "records")
        raise DiagnosticError(f"a Tensor holds numbers, and no {what}")
    if not shared_memory:
        return np.array(array, order="C")
    if not array.flags.c_contiguous:
        raise DiagnosticError(
            "memory is shared where elements lie in a row: give a contiguous array, or the array itself to set_tensor"
        )
    return array


def _is_type(given: Any) -> bool:
    return isinstance(given, str | type | np.dtype) or hasattr(given, "to_dtype")


def _part(array: Array, begin: Sequence[int], end: Sequence[int]) -> Array:
    """Between two corners. Raises DiagnosticException where there is no such part."""
    corners = list(zip(begin, end, array.shape, strict=False))
    if not len(begin) == len(end) == array.ndim or not all(
        0 <= low <= high <= size for low, high, size in corners
    ):
        raise DiagnosticError(
            f"a tensor of shape {list(array.shape)} has no part from {list(begin)} to {list(end)}"
        )
    return array[tuple(slice(low, high) for low, high, _ in corners)]
