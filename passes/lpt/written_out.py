"""Dequantization that is written out as arithmetic, as models hold it until the prerequisites raise it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.elements import bits_of, is_float
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn import ConvertOp, MultiplyOp, SubtractOp
from ...dialects.traits import moved_data
from ...reference.arrays import Array
from .constants import constant_behind


@dataclass(frozen=True)
class WrittenOut:
    """`multiply([subtract](convert(codes), zero_point), scale)`, of constants that broadcast to the codes."""

    codes: SSAValue
    scale: Array
    zero_point: Array

    @classmethod
    def of(cls, op: MultiplyOp) -> Self | None:
        """The dequantization that ends in this product; None where constants are computed, or make it larger."""
        for value, factor in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if (scale := constant_behind(factor)) is None or (found := _shifted(value)) is None:
                continue
            codes, zero_point = found
            if shape_of(op.result) == shape_of(codes):
                return cls(codes, scale, zero_point)
        return None


def _shifted(value: SSAValue) -> tuple[SSAValue, Array] | None:
    """The integers and the zero point of `[subtract](convert(codes), zero_point)`."""
    zero_point = np.zeros((), np.int32)
    if isinstance(value.owner, SubtractOp):
        if (known := constant_behind(value.owner.rhs)) is None:
            return None
        value, zero_point = value.owner.lhs, known
    if not isinstance(value.owner, ConvertOp) or is_float(tensor(value.owner.input).element_type):
        return None
    return value.owner.input, zero_point


def is_written_out(value: SSAValue) -> bool:
    """Whether what gives a value, or the data that it moves, is a dequantization of low codes that can be raised."""
    owner = value.owner
    while isinstance(owner, Operation) and (moved := moved_data(owner)):
        owner = moved[0].owner
    found = WrittenOut.of(owner) if isinstance(owner, MultiplyOp) else None
    return found is not None and has_low_bits(found.codes)


def has_low_bits(codes: SSAValue) -> bool:
    """Whether codes have 2 to 8 bits."""
    return 1 < bits_of(tensor(codes).element_type) <= 8
