"""`Dequantization`, on which all of LPT works: the scale and the zero point of a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from ...dialects.blob import BlobAttr
from ...dialects.elements import bits_of, limits_of
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.nn import ConstantOp
from ...dialects.qnn import DequantizeOp
from ...reference.arrays import Array, array_of, blob_of, dtype_of
from .attributes import declined
from .diagnostics import declining, kept_in_float, quantizer_of
from .other_codes import other_codes
from .quantization_parameters import QuantizationParameters, computed_in
from .written_out import is_written_out

NO_ZERO_POINT = np.zeros((), np.int32)


@dataclass(frozen=True)
class Dequantization(QuantizationParameters):
    """`(codes - zero_point) * scale`, rounded to `element`: the quantization parameters of codes that there are."""

    codes: SSAValue

    @classmethod
    def on(cls, value: SSAValue) -> Self | None:
        """The dequantization that gives this value."""
        op = value.owner
        if not isinstance(op, DequantizeOp):
            return None
        rank = len(shape_of(op.input))
        zero_point = NO_ZERO_POINT if op.zero_point is None else array_of(op.zero_point)
        return cls(
            tensor(op.input).element_type,
            broadcast_to_rank(array_of(op.scale), rank),
            broadcast_to_rank(zero_point, rank),
            tensor(value).element_type,
            op.input,
        )

    @classmethod
    def low_on(cls, value: SSAValue) -> Self | str:
        """The dequantization that gives this value, of codes that can be computed with; or why there is none."""
        found = cls.on(value)
        if found is None:
            return ""
        return found if found.is_low else found.why_high

    @property
    def is_low(self) -> bool:
        """Whether the codes have at most 8 bits; dequantization of others is not moved."""
        return bits_of(self.code) <= 8

    @property
    def why_high(self) -> str:
        """Why the codes have more than 8 bits, and what a user can do."""
        if isinstance(self.code, IntegerType):
            return "its input is the 32-bit sum of a product; it is dequantized in front of it"
        return "its input is computed in floating point from codes; put a FakeQuantize on it"

    @property
    def of_integers(self) -> QuantizationParameters | str:
        """Its parameters, in the type that it computes in; or why the codes are no integers of at most 8 bits."""
        is_integer = isinstance(self.code, IntegerType)
        if not (self.is_low and is_integer):
            return "it is the 32-bit sum of a product; put a FakeQuantize on it"
        computed = dtype_of(self.computed)
        scale, zero_point = self.scale.astype(computed), self.zero_point.astype(computed)
        return QuantizationParameters(self.code, scale, zero_point, self.element)

    def over(
        self, codes: SSAValue, change: Callable[[Array], Array] = lambda array: array
    ) -> DequantizeOp:
        """This dequantization on other codes; `change` rearranges arrays that are not per tensor."""
        scale, zero_point = (
            array if array.ndim == 0 else change(array) for array in (self.scale, self.zero_point)
        )
        return self.with_arrays(codes, scale, zero_point)

    def with_arrays(self, codes: SSAValue, scale: Array, zero_point: Array) -> DequantizeOp:
        """Dequantization to values of the same type."""
        return dequantize(codes, scale, zero_point, self.element)


def broadcast_to_rank(array: Array, rank: int) -> Array:
    """The array with leading dimensions of 1 up to `rank`, or of rank 0 if all elements are equal, as none are."""
    if array.size == 0:
        return np.zeros((), array.dtype)
    if array.size == 1 or (array == array.flat[0]).all():
        return array.reshape(-1)[0].reshape(())
    return array.reshape((1,) * (rank - array.ndim) + array.shape)


def dequantize(
    codes: SSAValue, scale: Array, zero_point: Array, element: Attribute
) -> DequantizeOp:
    """
    The operation `(codes - zero_point) * scale` with results of type `element`.

    It computes in f32 where that is shorter. A zero point of 0 is left out.
    """
    rank, computed = len(shape_of(codes)), computed_in(element)
    scale = broadcast_to_rank(np.asarray(scale, dtype_of(computed)), rank)
    properties: dict[str, Attribute] = {"scale": blob_of(scale, computed)}
    if zero_point.any():
        properties["zero_point"] = _zero_point(broadcast_to_rank(zero_point, rank), codes, computed)
    if element != computed:
        properties["output_type"] = element
    return DequantizeOp.of(codes, **properties)


def _zero_point(zero_point: Array, codes: SSAValue, computed: Attribute) -> BlobAttr:
    """In the codes' own type where that holds the zero points exactly, else in floating point."""
    code = tensor(codes).element_type
    if not isa(code, IntegerType):
        return blob_of(zero_point.astype(dtype_of(code)), code)
    (lowest, highest), whole = limits_of(code), (zero_point == np.rint(zero_point)).all()
    if whole and lowest <= zero_point.min() and zero_point.max() <= highest:
        return blob_of(zero_point.astype(dtype_of(code)), code)
    return blob_of(zero_point.astype(dtype_of(computed)), computed)


PUT_FAKE_QUANTIZE = "put a FakeQuantize on it"
"""The advice about a value that nothing quantizes."""

RAISE = "run lpt, or lpt-prerequisites first, which raises them"
"""The advice where a step of LPT runs without those in front of it."""


def why_not_quantized(value: SSAValue, port: int, advice: str = PUT_FAKE_QUANTIZE) -> str:
    """What a user can do about an input that carries no dequantization."""
    if (source := quantizer_of(value)) is not None:
        if reason := declined(source):
            return f"input {port} is not quantized by {label(source)}: {reason}"
        if (between := declining(value)) is not None:
            return (
                f"input {port} is not quantized: {label(between)} gives values: {declined(between)}"
            )
    elif (source := kept_in_float(value)) is not None:
        return f"input {port} is not quantized: {label(source)} gives values: {declined(source)}"
    if isinstance(value.owner, ConstantOp):
        return f"input {port} is a constant in floating point; quantize it to i8"
    if (reason := other_codes(value, port)) is not None:
        return reason
    if is_written_out(value):
        return f"input {port} is dequantized by Convert and Multiply; {RAISE}"
    return f"input {port} is not quantized; {advice}"
