"""Inputs, outputs and states: what they are called, what they hold, and which arrays they take."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ..passes.errors import DiagnosticError
from ..passes.port_names import PortNames
from ..passes.shapes.partial_shape import PartialShape, Shape
from .number_types import dtype_named, holds_every, kind_of, limits_of, widened

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Array = npt.NDArray[Any]


def is_array(given: Any) -> TypeGuard[Array]:
    """Whether this is an array of NumPy's."""
    return isinstance(given, np.ndarray)


OPENVINO = {
    "bf16": "bfloat16",
    "f8e4m3": "float8_e4m3fn",
    "f8e5m2": "float8_e5m2",
    "f8e8m0": "float8_e8m0fnu",
}
"""OpenVINO's names of 8-bit types that NumPy does not have, with ml_dtypes' names."""


@dataclass(frozen=True, repr=False)
class Port(PortNames):
    """
    A tensor that goes in, comes out or stays: `names` (messages say the first one), `shape`, and the
    name of its NumPy type in `type`. A dimension of -1 takes any size. An input that is not `is_used` need
    not be given.

    Of an output whose sizes only the run can tell, `shape` holds the largest, and `sizes` pairs: a dimension, and the
    number of the output that holds its size, which has the role "size" and which users do not see.
    """

    role: str  # "input", "output", "state" or "size"
    names: tuple[str, ...]
    shape: Shape
    type: str
    is_used: bool = True
    sizes: tuple[tuple[int, int], ...] = ()
    limits: tuple[tuple[int, int], ...] = ()
    """The least and the largest size of each dimension of an input, -1 for none, where an unknown one has limits."""

    @property
    def any_name(self) -> str:
        """One of the names."""
        return self.names[0]

    @property
    def declared(self) -> Port:
        """The port as users see it before the run: what that tells is unknown."""
        unknown = [dimension for dimension, _ in self.sizes]
        shape = (-1 if d in unknown else size for d, size in enumerate(self.shape))
        return replace(self, shape=Shape(shape), sizes=())

    def present(self, arrays: Sequence[Array], number: int) -> Array:
        """This output's array among those of all outputs, cut to the elements that exist."""
        array = arrays[number]
        for dimension, place in self.sizes:
            array = array[(slice(None),) * dimension + (slice(int(arrays[place].item())),)]
        return array

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type of its elements. Raises DiagnosticException where that needs a package which is missing."""
        return dtype_named(self.type, self)

    @property
    def rt_info(self) -> dict[str, Any]:
        """Nothing: what tools noted is of the model, not of what was compiled."""
        return {}

    def get_rt_info(self) -> dict[str, Any]:
        """`rt_info`."""
        return self.rt_info

    @property
    def target_inputs(self) -> set[Any]:
        """None: what was compiled has no nodes that would take it, as in OpenVINO."""
        return set()

    def get_target_inputs(self) -> set[Any]:
        """`target_inputs`."""
        return self.target_inputs

    @property
    def nbytes(self) -> int:
        """The size of its buffer."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def kind(self) -> str:
        """Type and shape, as `float32[1, ?]` or `float32[1..8, 2]`."""
        return f"{self.type}[{', '.join(map(str, self.partial_shape))}]"

    def __repr__(self) -> str:
        return f"<{self.role} {'|'.join(self.names)}: {self.kind}>"

    def __str__(self) -> str:
        """How messages call it."""
        return f"{self.role} '{self.any_name}'" if self.names else self.role

    def accept(self, given: Any) -> Array:
        """
        `given` (an array, a DLPack tensor, a buffer, nested lists) as an array of this type and shape:
        itself where it is one. Other types are converted where that loses nothing:

        - integers and booleans, where the type holds every value between the least and the greatest;
        - floats to wider floats, and to narrower ones rounded to nearest, where none becomes infinite.

        Raises DiagnosticException for other shapes, for floats where integers are wanted, and for values
        out of range.
        """
        array: Array = given if type(given) is np.ndarray else _array_of(given, self)
        if array.shape != self.shape:
            self._check_shape(array)
        return array if array.dtype == self.dtype else self._converted(array)

    def view(self, given: Any) -> Array:
        """
        The memory of `given` as an array, so that later writes to it are seen; its values, where they have to be
        converted, `accept` checks when they are read.

        Raises DiagnosticException where there is no memory, as of lists, and where shape or type never fit.
        """
        array: Array = given if type(given) is np.ndarray else _view_of(given, self)
        self._check_shape(array)
        self._check_kind(array)
        return array

    def target(self, given: Any) -> Array:
        """
        The memory of `given`, to which outputs of this type can be written, whatever their values. Raises
        DiagnosticException where they cannot.
        """
        array: Array = given if type(given) is np.ndarray else _view_of(given, self)
        self._check_shape(array)
        if not array.flags.writeable:
            raise self._refusal(array, "it is read-only; give one that can be written")
        if not holds_every(array.dtype, self.dtype):
            raise self._refusal(array, f"{array.dtype} does not hold every {self.dtype}")
        if _overlaps_itself(array):
            raise self._refusal(array, "several of its elements lie in one place; use a copy")
        return array

    def _check_shape(self, array: Array) -> None:
        if not self.fits(array.shape):
            is_number = kind_of(array.dtype) in "biuf"
            raise self._refusal(
                array, "reshape the array" if is_number else "only numbers can be converted"
            )

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Whether a value may have this shape."""
        return (
            len(shape) == len(self.shape)
            and all(want in (-1, have) for want, have in zip(self.shape, shape, strict=True))
            and all(
                least <= size and (size <= most or most < 0)
                for (least, most), size in zip(self.limits, shape, strict=False)
            )
        )

    @property
    def partial_shape(self) -> PartialShape:
        """The dimensions; -1 where one takes any size, with its limits where it has some."""
        return PartialShape(self.limits or self.shape)

    def _converted(self, array: Array) -> Array:
        self._check_kind(array)
        target, array = self.dtype, widened(array)
        if array.dtype.kind != "f":
            self._check_range(array)
            return array.astype(target)
        with np.errstate(over="ignore", invalid="ignore"):
            result = array.astype(target)
        lost = ~np.isfinite(widened(result)) & np.isfinite(array)
        if lost.any():
            raise self._refusal(array, f"{array[lost][0]} is too large for it")
        return result

    def _check_kind(self, array: Array) -> None:
        """Raises where no value of the array's type is converted to this type."""
        kind = kind_of(array.dtype)
        if kind not in "biuf":
            raise self._refusal(array, "only numbers can be converted")
        if kind == "f" and kind_of(self.dtype) != "f":
            raise self._refusal(array, "round and convert it yourself")

    def _check_range(self, array: Array) -> None:
        """Raises where an integer has no exact counterpart of this type."""
        if not array.size:
            return
        low, high = limits_of(self.dtype)
        for value in (int(array.min()), int(array.max())):
            if not low <= value <= high:
                raise self._refusal(array, f"{value} is outside {low} … {high}")

    def _refusal(self, array: Array, why: str) -> DiagnosticError:
        given = _text(str(array.dtype), array.shape)
        return DiagnosticError(f"{self} takes {self.kind}, was given {given}: {why}")


def _array_of(given: Any, port: Port, copy: bool | None = None) -> Array:
    """
    What NumPy makes of what is no plain array of its own; with `copy=False`, only memory that is there. Its
    subclasses become plain arrays, since their arithmetic is not meant here.
    """
    if _is_masked(given):
        raise DiagnosticError(f"{port} was given a masked array; give array.filled(value)")
    if hasattr(given, "element_type") and hasattr(given, "data"):
        given = _array_of_openvino(given, port)
    if _is_tensor_of_pytorch(given):
        given = _array_of_pytorch(given, port)
    try:
        shared = copy is False and not is_array(given)
        if hasattr(given, "__dlpack__") and (shared or not hasattr(given, "__array__")):
            return np.from_dlpack(given)
        return np.asarray(given, copy=copy)
    except (ValueError, TypeError, BufferError, RuntimeError) as error:
        text = " ".join(str(error).split())
        raise DiagnosticError(
            f"{port} was given what is not an array: {text}; give an array of NumPy's"
        ) from None


def _is_masked(given: Any) -> bool:
    return is_array(given) and bool(np.any(np.ma.getmask(given)))


def _array_of_openvino(tensor: Any, port: Port) -> Array:
    """The memory of a tensor of OpenVINO's, which shows types that NumPy lacks as others of their size."""
    type = tensor.element_type.get_type_name()
    dtype = np.dtype(tensor.element_type.to_dtype())
    if type in ("boolean", f"{dtype.kind}{8 * dtype.itemsize}"):
        return tensor.data
    if type in OPENVINO:
        return tensor.data.view(dtype_named(OPENVINO[type], port))
    raise DiagnosticError(
        f"{port} was given elements of {type}, two to a byte; give an array with one in each"
    )


def _is_tensor_of_pytorch(given: Any) -> bool:
    torch: Any = sys.modules.get("torch")
    return torch is not None and isinstance(given, torch.Tensor)


def _array_of_pytorch(tensor: Any, port: Port) -> Any:
    """The memory of a tensor of PyTorch's whose type NumPy lacks, such as bfloat16; of others the tensor."""
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in OPENVINO.values() or tensor.requires_grad:
        return tensor
    torch: Any = sys.modules["torch"]
    of_this_size = {1: torch.uint8, 2: torch.int16}[tensor.element_size()]
    return tensor.cpu().view(of_this_size).numpy().view(dtype_named(name, port))


def _view_of(given: Any, port: Port) -> Array:
    """The memory of what is no plain array of NumPy's. Raises DiagnosticException where it has none."""
    try:
        return _array_of(given, port, copy=False)
    except DiagnosticException:
        _array_of(given, port)  # raises what is wrong with it as an array, if anything
        raise DiagnosticError(
            f"{port} was given a {type(given).__name__}, whose memory cannot be used in place: make it an array"
            f"{', or give it to infer' if port.role == 'input' else ''}"
        ) from None


def _overlaps_itself(array: Array) -> bool:
    """Whether two elements of an array may share memory, as broadcast ones do."""
    extent = array.itemsize
    for stride, size in sorted(
        (abs(n), size) for n, size in zip(array.strides, array.shape, strict=True)
    ):
        if size > 1:
            if stride < extent:
                return True
            extent += stride * (size - 1)
    return False


def _text(type: str, shape: tuple[int, ...]) -> str:
    return f"{type}[{', '.join('?' if n < 0 else str(n) for n in shape)}]"
