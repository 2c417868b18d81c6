"""Tensors of a LiteRT model as emitters see them: values of `tfl`, described by their types and constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from ...dialects import tfl
from ...dialects.blob import BlobAttr
from ...dialects.quant import PER_TENSOR, UniformQuantizedType, storage_of
from ...reference.arrays import Array, array_of, dtype_of, element_of

UNKNOWN = -1
"""A size that is known only at run time."""

Order = tuple[int, ...]
"""The dimension at each position."""

RESOURCE = "resource"
"""The name of the element type of handles."""


def identity(rank: int) -> Order:
    """The order that moves nothing."""
    return tuple(range(rank))


def inverse(order: Sequence[int]) -> Order:
    """The inverse of an order."""
    return tuple(order.index(i) for i in range(len(order)))


@dataclass(frozen=True)
class TensorQuantization:
    """
    `real = scale * (code - zero_point)`, one of each, or one for every element along `axis`.

    Without zero points they are 0.
    """

    scales: tuple[float, ...]
    zero_points: tuple[int, ...] = ()
    axis: int = 0

    @property
    def zero_point(self) -> int:
        """The one zero point of a quantization per tensor."""
        assert len(self.scales) == 1
        return self.zero_points[0] if self.zero_points else 0

    @classmethod
    def of(cls, element: Attribute) -> TensorQuantization | None:
        """The quantization that an element type says."""
        if not isinstance(element, UniformQuantizedType):
            return None
        axis = element.axis.data if element.is_per_axis else 0
        return cls(element.scales.get_values(), element.zero_points.get_values(), axis)

    def over(self, storage: Attribute) -> UniformQuantizedType:
        """The type of elements that have codes of this type."""
        assert isinstance(storage, IntegerType)
        codes = cast(IntegerType, storage)
        is_whole = len(self.scales) == 1 and self.axis == 0
        axis = PER_TENSOR if is_whole else self.axis
        return UniformQuantizedType.of(codes, self.scales, self.zero_points, axis)


def is_same(left: TensorQuantization | None, right: TensorQuantization | None) -> bool:
    """Whether codes of two activations have the same meaning, apart from rounding of scales."""
    if left is None or right is None or len(left.scales) != 1 or len(right.scales) != 1:
        return left == right
    near = bool(np.isclose(left.scales[0], right.scales[0], 1e-5, 0))
    return near and left.zero_point == right.zero_point


@dataclass(frozen=True)
class Elements:
    """The type of elements: NumPy's name (`float32`, `bool`) or `resource`, and the quantization."""

    element: str
    quantization: TensorQuantization | None = None

    def tensor(self, shape: Sequence[int]) -> TensorType[Any]:
        """The type of a tensor of these."""
        storage = tfl.ResourceType()
        if self.element != RESOURCE:
            storage = element_of(np.dtype(self.element))
        element = storage if self.quantization is None else self.quantization.over(storage)
        sizes = [DYNAMIC_INDEX if size == UNKNOWN else int(size) for size in shape]
        return TensorType(element, sizes)


@dataclass(frozen=True)
class Tensor:
    """A value of the function under construction; one with `data` is constant."""

    value: SSAValue

    @property
    def type(self) -> TensorType[Any]:
        """The type of the value."""
        type: Attribute = self.value.type
        assert isinstance(type, TensorType)
        return cast(TensorType[Any], type)

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimensions, unknown ones as LiteRT writes them."""
        return tuple(UNKNOWN if n == DYNAMIC_INDEX else n for n in self.type.get_shape())

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return self.type.get_num_dims()

    @property
    def element(self) -> str:
        """NumPy's name of the element type, or that of handles."""
        element = storage_of(self.type.element_type)
        return RESOURCE if isinstance(element, tfl.ResourceType) else dtype_of(element).name

    @property
    def quantization(self) -> TensorQuantization | None:
        """What the elements stand for, if they are codes."""
        return TensorQuantization.of(self.type.element_type)

    @property
    def is_real(self) -> bool:
        """Whether the elements are real numbers, or codes of them."""
        return self.quantization is not None or self.element.startswith("float")

    @property
    def elements(self) -> Elements:
        """What the elements are."""
        return Elements(self.element, self.quantization)

    @property
    def data(self) -> Array | None:
        """The elements of a constant."""
        op = self.value.owner
        if not isinstance(op, tfl.PseudoConstOp):
            return None
        assert isinstance(op.value, BlobAttr)
        return array_of(op.value)

    @property
    def name(self) -> str:
        """What the tensor is called; nothing where it has no name of its own."""
        op = self.value.owner
        return tfl.result_names(op)[self._place] if isinstance(op, Operation) else ""

    @property
    def _place(self) -> int:
        """The number of the result of its operation that this is."""
        return cast(OpResult, self.value).index

    def rename(self, name: str) -> None:
        """Renames the tensor; one that is an argument has the name of the function's port."""
        if isinstance(op := self.value.owner, Operation):
            names = tfl.result_names(op)
            names[self._place] = name
            tfl.name_results(op, names)


Like = Tensor | Elements
"""A value whose element type and quantization a result gets."""
