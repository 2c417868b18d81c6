"""The noun that all of LPT shares: the scale and the zero point that sit on a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from ...dialects.blob import BlobAttr, bits_of
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.nn import ConstantOp
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...reference.arrays import Array, array_of, blob_of, dtype_of
from .marks import declined


@dataclass(frozen=True)
class Dequantization:
    """`(codes - zero_point) * scale`; both arrays have the rank of the codes, or none where one number does."""

    codes: SSAValue
    scale: Array
    zero_point: Array
    element: Attribute

    @classmethod
    def on(cls, value: SSAValue) -> Self | None:
        """The dequantization that gives this value."""
        op = value.owner
        if not isinstance(op, DequantizeOp):
            return None
        scale = array_of(op.scale)
        zero_point = np.zeros((), np.int32) if op.zero_point is None else array_of(op.zero_point)
        rank = len(shape_of(op.input))
        return cls(op.input, spread(scale, rank), spread(zero_point, rank), scale_element(op))

    @property
    def is_low(self) -> bool:
        """Whether the codes have at most 8 bits: only these are worth moving a dequantization for."""
        element = tensor(self.codes).element_type
        return isinstance(element, IntegerType) and bits_of(element) <= 8

    @property
    def is_symmetric(self) -> bool:
        """Whether code 0 means 0."""
        return not self.zero_point.any()

    @property
    def is_per_tensor(self) -> bool:
        """Whether one scale and one zero point hold for all elements."""
        return self.scale.size == 1 and self.zero_point.size == 1

    def varies_along(self, axis: int) -> bool:
        """Whether elements along this axis have different scales."""
        return self.scale.ndim > 0 and self.scale.shape[axis] != 1

    def same_as(self, other: Dequantization) -> bool:
        """Whether equal codes of the same type mean equal values."""
        return (
            np.array_equal(self.scale, other.scale)
            and np.array_equal(self.zero_point, other.zero_point)
            and tensor(self.codes).element_type == tensor(other.codes).element_type
        )

    def over(
        self, codes: SSAValue, change: Callable[[Array], Array] = lambda array: array
    ) -> DequantizeOp:
        """This dequantization on other codes, with `change` applied to arrays that are not one number."""
        scale, zero_point = (
            array if array.ndim == 0 else change(array) for array in (self.scale, self.zero_point)
        )
        return dequantize(codes, scale, zero_point, self.element)


def scale_element(op: DequantizeOp) -> Attribute:
    """The element type in which a dequantization computes."""
    return op.scale.type.element_type


def spread(array: Array, rank: int) -> Array:
    """The array with leading dimensions of 1 up to `rank`, or without dimensions if it is one number."""
    if array.size == 1 or (array.size and (array == array.flat[0]).all()):
        return array.reshape(-1)[0].reshape(())
    return array.reshape((1,) * (rank - array.ndim) + array.shape)


def dequantize(
    codes: SSAValue, scale: Array, zero_point: Array, element: Attribute
) -> DequantizeOp:
    """The operation `(codes - zero_point) * scale`; a zero point of 0 is left out."""
    rank = len(shape_of(codes))
    scale = spread(np.asarray(scale).astype(dtype_of(element)), rank)
    properties: dict[str, Attribute] = {"scale": blob_of(scale, element)}
    if zero_point.any():
        properties["zero_point"] = _zero_point(spread(zero_point, rank), codes, element)
    return DequantizeOp.of(codes, **properties)


def _zero_point(zero_point: Array, codes: SSAValue, element: Attribute) -> BlobAttr:
    """In the codes' own type where it holds the zero points exactly, else in floating point."""
    code = tensor(codes).element_type
    limits = np.iinfo(dtype_of(code))
    if (
        (zero_point == np.rint(zero_point)).all()
        and limits.min <= zero_point.min()
        and zero_point.max() <= limits.max
    ):
        return blob_of(zero_point.astype(dtype_of(code)), code)
    return blob_of(zero_point.astype(dtype_of(element)), element)


def why_not_quantized(value: SSAValue, port: int) -> str:
    """What a user can do about an input that carries no dequantization."""
    owner = value.owner
    if isinstance(owner, FakeQuantizeOp):
        return f"input {port} is not quantized: {label(owner)} has {declined(owner) or 'no 8-bit form'}"
    if isinstance(owner, ConstantOp):
        return f"input {port} is a constant in floating point; quantize it to i8"
    return f"input {port} is not quantized; put a FakeQuantize on it"
