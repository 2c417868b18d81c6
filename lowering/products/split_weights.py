"""
`split-weights`: products of 8-bit codes with constants of f32 become exact products of codes with 8-bit digits.

Three instructions that sum four products of bytes each take the place of four that multiply f32. The inputs of
recurrent layers are such codes, where a quantizer found no weights behind them. What is split are weights, otherwise
this is the Ozaki scheme, as in `split-activations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, i8
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.elements import bits_of, is_integer
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused
from ...passes.instrumentation import note_rewrite
from ..instructions import PRODUCTS_OF_BYTES
from ..machine import planned_isa

if TYPE_CHECKING:
    from ...reference.arrays import Array

DIGITS = 3
"""Bytes of a weight: about as many bits as the fraction of f32 has."""

LARGEST = 127 * 256**2
"""What a weight is at most in its units, so that no digit overflows."""

LEAST_UNIT = 2.0**-126
"""The least normal number of f32. Columns of smaller weights than this times `LARGEST` are not split."""

FEWEST_CODES, FEWEST_UNITS = 32, 16
"""Sizes from which on three sums for each result are worth it."""

MOST_CODES = 2**16
"""The largest depth of a product: the sums of so many products of bytes do not overflow 32 bits."""


@dataclass(frozen=True)
class SplitWeights(ModulePass):
    """
    `(c * s) · w = s u (65536 (c · d0) + 256 (c · d1) + c · d2)` for 8-bit codes `c` with one scale, and constants
    `w = u (65536 d0 + 256 d1 + d2)` of f32 with a unit u for each column.

    Products with digits are exact, and sums of them rounded about four times. A weight differs from what its digits
    stand for by less than 2^-22.9 of the greatest of its column. `isa` is that of `sink-constants`: one of its
    instructions has to sum four products of bytes.
    """

    name = "split-weights"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        isa = planned_isa(self.isa)
        for inner in all_operations(op):
            if not isinstance(inner, nn.MatMulOp) or (codes := _Codes.of(inner.a)) is None:
                continue
            (product,) = isa.products([(tensor(codes.value).element_type, i8)])
            if product.mac.kr < PRODUCTS_OF_BYTES or (weights := _weights(inner)) is None:
                continue
            if (digits := _Digits.of(weights)) is not None:
                _split(inner, codes, digits)
                note_rewrite("SplitWeights")


@dataclass(frozen=True)
class _Codes:
    """Bytes, and the scale of all of them."""

    value: SSAValue
    scale: float

    @classmethod
    def of(cls, value: SSAValue) -> Self | None:
        """The codes that a value in f32 is a multiple of."""
        op = value.owner
        if not isinstance(op, nn.MultiplyOp) or not isinstance(op.lhs.owner, nn.ConvertOp):
            return None
        codes, scale = op.lhs.owner.input, nn.constant_of(op.rhs)
        type = tensor(codes).element_type
        if not is_integer(type) or bits_of(type) != 8 or scale is None:
            return None
        if prod(shape_of(op.rhs)) != 1 or shape_of(op.result) != shape_of(codes):
            return None
        from ...reference.arrays import array_of

        return cls(codes, float(array_of(scale).flat[0]))


def _weights(op: nn.MatMulOp) -> Array | None:
    """The constants [N, K] that a product multiplies with, if it is so large that digits take less time."""
    types = [tensor(value) for value in (op.a, op.b, op.result)]
    if any(type.element_type != f32 or not type.has_static_shape() for type in types):
        return None
    constant = nn.constant_of(op.b)
    if constant is None or len(shape_of(op.b)) != 2 or op.transpose_a:
        return None
    from ...reference.arrays import array_of

    weights = array_of(constant) if op.transpose_b else array_of(constant).T
    columns, depth = weights.shape
    pays = columns >= FEWEST_UNITS and FEWEST_CODES <= depth <= MOST_CODES
    return weights if pays else None


@dataclass(frozen=True)
class _Digits:
    """Digits [3, N, K], the highest first, and the unit of each column [N], a power of 2."""

    digits: Array
    units: Array

    @classmethod
    def of(cls, weights: Array) -> Self | None:
        """The digits of weights [N, K], unless there are infinite or tiny ones."""
        import numpy as np

        most = np.abs(weights).max(axis=1)
        _, exponent = np.frexp(most / np.float32(LARGEST))
        units = np.where(most > 0, np.ldexp(np.float32(1), exponent), np.float32(1))
        if not np.isfinite(most).all() or (units < LEAST_UNIT).any():
            return None
        left = np.rint(weights / units[:, None]).astype(np.int32)
        digits = np.empty((DIGITS, *weights.shape), np.int8)
        for place in reversed(range(DIGITS)):
            digits[place] = left.astype(np.int8)  # the lowest byte, with a sign
            left -= digits[place]
            left >>= 8
        return cls(digits, units)


def _split(op: nn.MatMulOp, codes: _Codes, weights: _Digits) -> None:
    """Replaces a product by one with all digits side by side, whose parts are added up."""
    import numpy as np

    from ...reference.arrays import blob_of

    holder = Block()
    write = Writer(InsertPoint.at_end(holder), op)
    digits = write.constant(blob_of(weights.digits.reshape(-1, weights.digits.shape[-1])))
    sums = write(nn.MatMulOp, codes.value, digits, transpose_b=True)
    axis = write.integer(len(shape_of(sums)) - 1)
    parts = write.all(nn.SplitOp, sums, axis, num_splits=DIGITS)
    total, *lower = (write(nn.ConvertOp, part, destination_type=f32) for part in parts)
    for part in lower:
        total = write(nn.AddOp, write(nn.MultiplyOp, total, 256.0), part)
    scales = write.constant(blob_of(np.float32(codes.scale) * weights.units))
    result = write(nn.MultiplyOp, total, scales)
    for each in list(holder.ops):
        each.detach()
        if not isinstance(each, nn.ConstantOp):
            set_origins(each, origin_of(op))
        Rewriter.insert_op(each, InsertPoint.before(op))
    factors = op.a, op.b
    Rewriter.replace_op(op, [], [result])
    erase_unused(*factors)
