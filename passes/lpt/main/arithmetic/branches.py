"""Two quantized operands: which one is read as codes, and which one keeps a dequantization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from .....dialects.elements import bits_of
from .....dialects.inferred import shape_of, tensor
from .....dialects.infra import ReadValueOp
from .....dialects.nn import AddOp, BinaryOp, ConvertOp
from .....dialects.qnn import DequantizeOp, FakeQuantizeOp
from .....reference.arrays import Array
from ...dequantization import NO_ZERO_POINT, Dequantization, broadcast_to_rank
from ...products import PRODUCTS

SMALLEST = float(np.finfo(np.float32).tiny)
"""Scales nearer to 0 are subnormal in f32; nothing is divided by them."""


def reads_codes(op: BinaryOp) -> bool:
    """Whether the law was applied before: an operand is a conversion of codes."""
    return any(
        isinstance(value.owner, ConvertOp)
        and isa(element := tensor(value.owner.input).element_type, IntegerType)
        and 1 < bits_of(element) <= 8
        for value in op.operands
    )


@dataclass(frozen=True)
class Branch:
    """An operand as `(data - zero_point) * scale`; one that is not quantized has scale 1."""

    data: SSAValue
    scale: Array
    zero_point: Array
    is_low: bool

    @classmethod
    def of(cls, value: SSAValue) -> Self:
        """The branch that ends in this value."""
        if (found := Dequantization.on(value)) is None:
            return cls(value, np.ones(()), NO_ZERO_POINT, False)
        scale = found.scale.astype(np.float64)
        return cls(found.codes, scale, found.zero_point.astype(np.float64), found.is_low)

    def negated(self) -> Self:
        """The branch with the opposite values."""
        return replace(self, scale=-self.scale)

    @property
    def can_divide(self) -> bool:
        """Whether `1 / scale` is a number as exact as the scale."""
        return bool((np.abs(self.scale) >= SMALLEST).all())

    def takes(self, *arrays: Array) -> bool:
        """Whether these can be scale and zero point of this branch in its own shape."""
        shape = shape_of(self.data)
        return all(
            len(array.shape) <= len(shape)
            and all(
                size == 1 or (size == have != DYNAMIC_INDEX)
                for size, have in zip(array.shape[::-1], shape[::-1], strict=False)
            )
            for array in (broadcast_to_rank(array, len(shape)) for array in arrays)
        )


def keeps_dequantization(op: BinaryOp, branches: Sequence[Branch]) -> int:
    """
    Which operand keeps a dequantization in front of the operation, where both could.

    The one that is no 8-bit codes; else the one that can be fused again: codes of a FakeQuantize, or of a
    state, that nothing else reads, then what is broadcast, then what a product gives; else the first.
    """
    low, quantizes, shared, product, small = zip(
        *(
            (
                branch.is_low,
                isinstance(branch.data.owner, FakeQuantizeOp | ReadValueOp),
                readers(branch.data) > 1,
                behind_product(branch.data),
                is_one_for_each_channel(branch.data),
            )
            for branch in branches
        ),
        strict=True,
    )
    if low[0] != low[1]:
        return int(low[0])
    if quantizes[0] != quantizes[1]:
        return int(quantizes[1])
    if quantizes[0] and shared[0] != shared[1]:
        return int(shared[0])
    if product[0] == product[1] and any(small):
        return small.index(True)
    if shared[0] != shared[1]:
        return int(shared[0])
    return int(product[1] and not product[0])


def readers(codes: SSAValue) -> int:
    """How many operations use codes or what they are dequantized to."""
    return sum(
        len(list(use.operation.result.uses)) if isinstance(use.operation, DequantizeOp) else 1
        for use in codes.uses
    )


def behind_product(value: SSAValue) -> bool:
    """Whether a value is a product, possibly with bias and quantization."""
    while True:
        match value.owner:
            case FakeQuantizeOp() | DequantizeOp() | ConvertOp() as op:
                value = op.input
            case AddOp() as op:
                return any(behind_product(operand) for operand in op.operands)
            case owner:
                return isinstance(owner, PRODUCTS)


def is_one_for_each_channel(value: SSAValue) -> bool:
    """Whether a value is broadcast along all spatial dimensions."""
    shape = shape_of(value)
    return all(size == 1 for size in shape[min(len(shape) - 1, 2) :])
