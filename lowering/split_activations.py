"""
`split-activations`: products of f32 with i8 codes become exact products of 8-bit digits, where one instruction sums as
many products of bytes as there are digits.

Widening a vector of codes takes twice the time of multiplying it; digits are multiplied by codes as they are. This is
the Ozaki scheme (Ootomo, Ozaki, Yokota: DGEMM on Integer Matrix Multiplication Unit, https://arxiv.org/abs/2306.11975)
with a factor of each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import (
    BoolAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    StringAttr,
    f32,
    i8,
    i64,
)
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import nn
from ..dialects.inferred import shape_of, tensor
from ..dialects.nn.writer import Writer
from ..dialects.origins import origin_of, set_origins
from ..passes.erase_unused import erase_unused
from .compressed_weights import is_kept
from .machine import Isa, choose_isa

if TYPE_CHECKING:
    from ..dialects.blob import BlobAttr

ui8 = IntegerType(8, Signedness.UNSIGNED)

DIGITS = 4
"""Of each activation: together 31 bits and the sign, where f32 has 24 bits."""

LARGEST, BASE = 127, 254
"""The first digit is from -127 to 127; what rounding leaves, at most half of one, is the next digit times `1 / 254`."""

ZERO = 128
"""The code of digit 0: the instruction's left operand is unsigned."""

MOST_ROWS = 2
"""With more, multiplying by all digits takes longer than widening the codes once and multiplying f32."""

DEEPEST = (1 << 31) // (255 * 128)
"""Sums of so many products of codes are exact in i32."""

LEAST, GREATEST = 2.0**-110, 2.0**128
"""Activations that are all smaller count as parts of the first, so that `LARGEST` of them is finite; none is as great
as the second."""


@dataclass(frozen=True)
class SplitActivations(ModulePass):
    """
    `x · c = m / 127 * sum_i (d_i · c) / 254^i` for at most two rows of f32 and constant i8 codes `c`, where `m` is the
    largest magnitude in a row, `d_i = round(r_i)`, `r_0 = 127 x / m` and `r_(i+1) = 254 (r_i - d_i)`.

    Products of digits and codes are exact, and what is left of `x` is less than `m / 2^31`: sums are about as near to
    the exact ones as one rounding of f32. An infinity stays one, and NaN does.
    """

    name = "split-activations"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if sums_digits(choose_isa(self.isa)):
            split_activations(op)


def split_activations(module: ModuleOp) -> None:
    """The law, whatever the instruction set."""
    for op in list(module.walk()):
        if isinstance(op, nn.MatMulOp) and (codes := _codes(op)) is not None:
            _split(op, codes)


def sums_digits(isa: Isa) -> bool:
    """Whether all digits times codes take as many instructions as one multiplication in f32."""
    return isa.products([(ui8, i8)])[0].mac.kr >= DIGITS


def _codes(op: nn.MatMulOp) -> SSAValue | None:
    """The codes of a product that is to be split."""
    widened = op.b.owner
    if isinstance(widened, Block) or not is_kept(widened):
        return None
    codes = widened.operands[0]
    *batch, columns, depth = shape_of(codes)
    if tensor(codes).element_type != i8 or op.transpose_a or depth > DEEPEST:
        return None
    if batch and list(shape_of(op.a)[:-2]) != batch:
        return None
    return codes if prod(shape_of(op.result)) <= MOST_ROWS * prod(batch) * columns else None


def _split(op: nn.MatMulOp, codes: SSAValue) -> None:
    """Puts products of digits in the place of a product of f32."""
    block = Block()
    write = Writer(InsertPoint.at_end(block))
    *batch, columns, depth = shape_of(codes)
    axis = len(batch) + 1
    rows = prod(shape_of(op.result)) // prod((*batch, columns))
    x = write.reshaped(op.a, (*batch, rows, 1, depth))
    peak = _peak(write, x)
    digits = write(nn.ConcatOp, *_digits(write, x, peak), axis=IntegerAttr(axis, i64))
    left = write.reshaped(digits, (*batch, rows * DIGITS, depth))
    sums = write(nn.MatMulOp, left, codes, transpose_b=BoolAttr.from_bool(True))
    exact = write(nn.SubtractOp, sums, write.constant(_sums_of_zeros(codes)))
    parts = write(nn.ConvertOp, exact, destination_type=f32)
    parts = write.reshaped(parts, (*batch, rows, DIGITS, columns))
    total, *others = reversed(write.split(parts, DIGITS, axis))
    for part in others:
        total = write(nn.AddOp, write(nn.MultiplyOp, total, 1 / BASE), part)
    unit = write(nn.MultiplyOp, peak, 1 / LARGEST)
    result = write.reshaped(write(nn.MultiplyOp, total, unit), shape_of(op.result))
    new, origins = list(block.ops), origin_of(op)
    for each in new:
        each.detach()
        if not isinstance(each, nn.ConstantOp):
            set_origins(each, origins)
    Rewriter.insert_op(new, InsertPoint.before(op))
    widened = op.b
    Rewriter.replace_op(op, [], [result])
    erase_unused(widened)


def _peak(write: Writer, x: SSAValue) -> SSAValue:
    """The largest magnitude of each row."""
    keep = BoolAttr.from_bool(True)
    peak = write(nn.ReduceMaxOp, write(nn.AbsOp, x), write.integers(-1), keep_dims=keep)
    return write(nn.MaximumOp, peak, LEAST)


def _digits(write: Writer, x: SSAValue, peak: SSAValue) -> list[SSAValue]:
    """
    The codes of the digits of each row, the first ones first. The factor is never 0, so that an infinity, which it
    leaves as it is, has the largest digit.
    """
    factor = write(nn.DivideOp, write.scalar_like(peak, LARGEST), peak)
    factor = write(nn.MaximumOp, factor, LARGEST / GREATEST)
    rest = write.clamp(write(nn.MultiplyOp, x, factor), -LARGEST, LARGEST)
    codes: list[SSAValue] = []
    for _ in range(DIGITS):
        digit = write(nn.RoundOp, rest, mode=StringAttr("half_to_even"))
        codes.append(write(nn.ConvertOp, write(nn.AddOp, digit, ZERO), destination_type=ui8))
        rest = write(nn.MultiplyOp, write(nn.SubtractOp, rest, digit), BASE)
    erase_unused(rest)
    return codes


def _sums_of_zeros(codes: SSAValue) -> BlobAttr:
    """What digits 0 add up to in each column: [batch…, 1, N]."""
    import numpy as np

    from ..reference.arrays import array_of, blob_of

    known = nn.constant_of(codes)
    assert known is not None, "is_kept says so"
    return blob_of(ZERO * array_of(known).sum(axis=-1, dtype=np.int32)[..., None, :])
