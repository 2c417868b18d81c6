"""Products of floats with compressed weights: exact products of the floats' digits with codes of 4 or 8 bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Unpack

from xdsl.dialects.builtin import DictionaryAttr, TensorType, f32, i8, i32
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from ..elements import is_narrow_float
from ..inferred import Shape, label
from ..operation import op_definition
from ..properties import INTEGER, integer
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written
from .packed_layout import PackedLayout, check_bits
from .types import BYTES, SHAPED, Shaped, shaped
from .whole import WholeKernelOp

DIGITS = 3
"""The digits of an activation, of 8 bits each: 24 bits, as many as f32 has."""

DIGIT_BASE = 256
"""The weight of a digit relative to the next one."""

GREATEST_DIGITS = 0x7F7F7F
"""The value of three digits of 127: the greatest number whose negative is representable as well."""

MOST_BLOCK = 256
"""Sums of up to so many products of digits and codes are exact in f32, zero points included."""

WHOLE_STEPS = 8
"""Digits of a block are filled up to a multiple of this: two steps of any instruction set, for pairs of codes."""


def blocks_of(depth: int, block: int) -> int:
    """The number of blocks; the last one may be shorter."""
    return -(-depth // block)


def padded_block(block: int) -> int:
    """Digits of a block, filled up."""
    return -(-block // WHOLE_STEPS) * WHOLE_STEPS


@op_definition
class SplitDigitsOp(WholeKernelOp):
    """
    The digits of activations [M, K], in blocks of K that have a unit each: digits [M, blocks, 3, block] with zeros up
    to a multiple of 8, units [M, blocks], and the digits' sums [M, blocks, 3].

    With x the body's result for an element, u the unit of its block and q the nearest integer to `x / u` (even ones
    where two are),

        u = 2**e, the least with max |x| <= 0x7f7f7f * u, e at least -126
        q = 65536 * d[0] + 256 * d[1] + d[2],  each digit from -128 to 127

    so that q u is x wherever the last bit of x is worth u at least, and else differs by half of u at most, which is
    less than the greatest |x| of the block times 2**-22.9 (but for those below 2**-104). A block with an infinity has
    the unit infinity, and digits of 0 for what is finite; one with NaN has the unit NaN.

        %d, %u, %s = kernel.split_digits block 128 ins(%x : tensor<1x256xf32>) outs()
            -> tensor<1x2x3x128xi8>, tensor<1x2xf32>, tensor<1x2x3xi32> {
        ^bb0(%0: f32):
          kernel.yield %0 : f32
        }
    """

    name = "kernel.split_digits"

    block = prop_def(INTEGER)

    assembly_format = (
        "`block` $block `ins` `(` $ins `:` type($ins) `)` `outs` `(` ($outs^ `:` type($outs))? `)` "
        "attr-dict-with-keyword (`->` type($results_)^)? $body"
    )

    def __init__(self, x: SSAValue, block: int, body: Region):
        rows, depth = shaped(x).get_shape()
        results = [TensorType(kind, size) for kind, size in _digits(rows, depth, block)]
        super().__init__(
            operands=[[x], []],
            result_types=[results],
            properties={"block": integer(block)},
            regions=[body],
        )

    def verify_(self) -> None:
        sizes = shaped(self.ins[0]).get_shape() if len(self.ins) == 1 else ()
        if len(sizes) != 2:
            raise VerifyException(f"{label(self)}: takes activations [rows, depth]")
        block = self.block.value.data
        _check_block(self, block)
        made = [(t.get_element_type(), t.get_shape()) for t in map(shaped, self.outputs)]
        if made != (wanted := _digits(*sizes, block)):
            listed = ", ".join(f"{list(size)} of {kind}" for kind, size in wanted)
            raise VerifyException(f"{label(self)}: gives {listed} in blocks of {block}")
        self.check_scalars([f32], f32)


def _digits(rows: int, depth: int, block: int) -> list[tuple[Attribute, Shape]]:
    """Digits, units and sums."""
    blocks = blocks_of(depth, block)
    return [
        (i8, (rows, blocks, DIGITS, padded_block(block))),
        (f32, (rows, blocks)),
        (i32, (rows, blocks, DIGITS)),
    ]


def _check_block(op: KernelOp | WholeKernelOp, block: int) -> None:
    if not 1 <= block <= MOST_BLOCK:
        raise VerifyException(f"{label(op)}: block {block} is not from 1 to {MOST_BLOCK}")


@op_definition
class CompressedMatMulOp(KernelOp):
    """
    A matrix product of digits that `kernel.split_digits` gave with codes of `bits` bits [N, K]; the domain is [M, N].
    With z the zero point of column n in block b, `zero` or an element of `zeros`, the sums

        S[i] = sum_k digits[m, b, i, k] * (codes[n, b * block + k] - z)

    are exact, and in f32, block after block, each a fused multiply-add, the body gets

        q   = (S[0] * 256 + S[1]) * 256 + S[2]
        acc = (q * units[m, b]) * scales[n, b] + acc         (`q * units[m, b] + acc` where there are no scales)

    followed by one scalar for each of `ins`. Zeros are bytes, scales f32 or narrower; both are [N, blocks].

    Once packed (`pack-weights`), codes are bytes [tiles][blocks][steps][nr_vectors][lanes][kr], and scales and zeros
    [tiles][blocks][nr_vectors * lanes], as `layout` says. Of 4-bit codes a byte of step s has that of k = 2 s kr + i in
    its low half, and that of k + kr in the high one. Where only products of i8 are fast, codes of 8 bits and
    zeros are i8, all less 128.

        %y = kernel.compressed_mat_mul [1, 32] bits 4 block 128 zero 8
            digits(%d, %u, %s : tensor<1x2x3x128xi8>, tensor<1x2xf32>, tensor<1x2x3xi32>)
            codes(%c : tensor<32x256xui8>) scales(%w : tensor<32x2xf32>) zeros() ins() outs()
            access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x32xf32> {
        ^bb0(%sum: f32):
          kernel.yield %sum : f32
        }
    """

    name = "kernel.compressed_mat_mul"

    BITS: ClassVar = (4, 8)

    digits = var_operand_def(SHAPED)
    codes = operand_def(SHAPED)
    scales = var_operand_def(SHAPED)
    zeros = var_operand_def(SHAPED)
    bits = prop_def(INTEGER)
    block = prop_def(INTEGER)
    zero = prop_def(INTEGER)
    layout = opt_prop_def(DictionaryAttr)

    assembly_format = (
        "$domain `bits` $bits `block` $block `zero` $zero `digits` `(` $digits `:` type($digits) `)` "
        "`codes` `(` $codes `:` type($codes) `)` `scales` `(` ($scales^ `:` type($scales))? `)` "
        f"`zeros` `(` ($zeros^ `:` type($zeros))? `)` {INS_OUTS_ACCESS} $body"
    )

    def __init__(
        self,
        domain: Sequence[int],
        bits: int,
        block: int,
        zero: int,
        factors: Sequence[Sequence[SSAValue]],
        epilogue: Epilogue,
        layout: PackedLayout | None = None,
        **written: Unpack[Written],
    ):
        """`factors` are digits (with units and sums), codes, scales and zeros."""
        numbers = {"bits": bits, "block": block, "zero": zero}
        own = {name: integer(number) for name, number in numbers.items()}
        packed = None if layout is None else layout.attribute()
        super().__init__(factors, domain, epilogue, {**own, "layout": packed}, **written)

    @property
    def factors(self) -> tuple[Sequence[SSAValue], ...]:
        return (self.digits, [self.codes], self.scales, self.zeros)

    @property
    def accumulators(self) -> list[Attribute]:
        return [f32]

    @property
    def packed(self) -> PackedLayout | None:
        """The layout of codes, once they are packed."""
        return None if self.layout is None else PackedLayout.of(self.layout)

    @property
    def blocks(self) -> int:
        """The number of blocks of K."""
        return shaped(self.digits[1]).get_shape()[1]

    def verify_(self) -> None:
        if len(self.shape) != 2:
            raise VerifyException(
                f"{label(self)}: domain {list(self.shape)}; it is rows and columns"
            )
        if (bits := self.bits.value.data) not in self.BITS:
            raise VerifyException(f"{label(self)}: codes of {bits} bits; they have 4 or 8")
        check_bits(self, self.packed)
        _check_block(self, self.block.value.data)
        self._verify_digits()
        self._verify_codes()
        self._verify_parameters()
        self.check_body()

    def _verify_digits(self) -> None:
        rows, block = self.shape[0], self.block.value.data
        found = [(t.get_element_type(), t.get_shape()) for t in map(shaped, self.digits)]
        blocks = found[1][1][-1] if len(found) == 3 and found[1][1] else 0
        if blocks < 1 or found != _digits(rows, blocks * block, block):
            raise VerifyException(
                f"{label(self)}: takes digits, units and sums of {rows} rows as kernel.split_digits gives them for "
                f"blocks of {block}"
            )

    def _verify_codes(self) -> None:
        codes, columns, blocks = shaped(self.codes), self.shape[1], self.blocks
        shape = codes.get_shape()
        if (layout := self.packed) is None:
            fits = len(shape) == 2 and shape[0] == columns
            fits = fits and blocks_of(shape[1], self.block.value.data) == blocks
        else:
            fits = shape == packed_codes(
                layout, columns, blocks, self.block.value.data, self.bits.value.data
            )
        if not fits or codes.get_element_type() not in BYTES:
            raise VerifyException(
                f"{label(self)}: codes {codes} are not bytes for {columns} columns and {blocks} blocks"
            )

    def _verify_parameters(self) -> None:
        columns, blocks = self.shape[1], self.blocks
        layout = self.packed
        wanted = (columns, blocks)
        if layout is not None:
            wanted = packed_parameters(layout, columns, blocks)
        for name, values, zero in (("scales", self.scales, False), ("zeros", self.zeros, True)):
            types: list[Shaped] = [shaped(value) for value in values]
            elements = [type.get_element_type() for type in types]
            if len(types) > 1 or any(type.get_shape() != wanted for type in types):
                raise VerifyException(
                    f"{label(self)}: {name} are one array of {list(wanted)} or none"
                )
            if not all(e in BYTES if zero else e == f32 or is_narrow_float(e) for e in elements):
                raise VerifyException(f"{label(self)}: {name} of {elements[0]}")


def packed_codes(layout: PackedLayout, columns: int, blocks: int, block: int, bits: int) -> Shape:
    """The shape of packed codes."""
    tiles = -(-columns // (layout.lanes * layout.nr_vectors))
    steps = padded_block(block) * bits // (8 * layout.kr)
    return (tiles, blocks, steps, layout.nr_vectors, layout.lanes, layout.kr)


def packed_parameters(layout: PackedLayout, columns: int, blocks: int) -> Shape:
    """The shape of packed scales and zeros."""
    width = layout.lanes * layout.nr_vectors
    return (-(-columns // width), blocks, width)
