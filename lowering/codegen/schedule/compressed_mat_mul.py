"""How a product with compressed weights goes over its points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from xdsl.dialects.builtin import IntegerType, Signedness, i8
from xdsl.utils.exceptions import DiagnosticException

from ....dialects.kernel import DIGITS, PackedLayout, padded_block
from ...instructions import NARROW_KIND, PRODUCTS_OF_BYTES, WORD_STEPS
from ...machine import Isa, ProductInstruction
from .costs import check_lanes
from .register_tiles import halves

ui8 = IntegerType(8, Signedness.UNSIGNED)

MOST_VECTORS = 4
"""Vectors of units beside each other: as many lines are read at once, in one stream."""

MOST_MR = 4
"""
Rows of a register tile: with so many, unpacking codes takes little of the time. One where products are of words or
wider, since digits are widened for each row, and the more vectors share these the better.
"""

OTHER_REGISTERS = 6
"""For a step's codes, their halves, the mask and what an instruction needs."""

OTHER_REGISTERS_OF_WORDS = 4
"""The same where sums of i16 wait for no codes: for the mask, the halves of codes, and digits."""

UNROLLED_MACS = 48
"""Multiply-accumulates in one iteration over the steps of a block: enough to hide the loop."""


AHEAD = 4096
"""
Bytes by which codes are prefetched: the CPU's own prefetching ends with each page, and follows what is read, which
waits for what is summed.
"""


@dataclass(frozen=True)
class CompressedMatMulSchedule:
    """
    A register tile has MR rows and `nr_vectors` vectors of units, with a sum for each of the digits. `mr` lists the
    values of MR: the largest, its half and so on to 1. The sums of a block stay in registers; `unroll` of its steps
    make an iteration. Codes are prefetched so many bytes `ahead`. `product` is that of codes and digits.
    """

    lanes: int
    nr_vectors: int
    mr: tuple[int, ...]
    unroll: int
    ahead: int
    product: ProductInstruction

    @classmethod
    def choose(cls, isa: Isa, rows: int, columns: int, block: int, bits: int) -> Self:
        """For codes that may be packed."""
        room = _room(isa, bits)
        mr = max(1, min(rows, _most_mr(isa, bits), room))
        units = -(-columns // isa.lanes)
        nr_vectors = max(1, min(room // mr, MOST_VECTORS, units))
        return cls._of(isa, nr_vectors, mr, block, bits)

    @classmethod
    def follow(
        cls, isa: Isa, layout: PackedLayout | None, rows: int, block: int, bits: int
    ) -> Self:
        """
        The same where the layout is decided. Raises DiagnosticException where codes are not packed, or were for another
        instruction set.
        """
        name = "kernel.compressed_mat_mul: codes"
        if layout is None:
            raise DiagnosticException(f"{name} are not packed; run pack-weights for {isa.name}")
        check_lanes(name, isa, layout.lanes)
        kr = codes_product(isa, bits).mac.kr
        if layout.kr != kr:
            raise DiagnosticException(
                f"{name} are packed with {layout.kr} elements of k at once, {isa.name} takes {kr}; run pack-weights "
                f"for {isa.name}"
            )
        room = _room(isa, bits)
        mr = max(1, min(rows, _most_mr(isa, bits), room // layout.nr_vectors))
        return cls._of(isa, layout.nr_vectors, mr, block, bits)

    @classmethod
    def _of(cls, isa: Isa, nr_vectors: int, mr: int, block: int, bits: int) -> Self:
        product = codes_product(isa, bits)
        codes = 8 // bits
        steps = padded_block(block) // (product.mac.kr * codes)
        macs = DIGITS * mr * nr_vectors * codes
        unroll = max(1, min(steps, -(-UNROLLED_MACS // macs)))
        if product.kind == NARROW_KIND:  # no more steps fit i16
            unroll = min(steps, WORD_STEPS // codes)
        return cls(isa.lanes, nr_vectors, tuple(halves(mr)), unroll, AHEAD, product)

    @property
    def sums_words(self) -> bool:
        """Whether an iteration sums pairs of products as i16."""
        return self.product.kind == NARROW_KIND

    @property
    def layout(self) -> PackedLayout:
        """How codes are packed for this schedule."""
        return PackedLayout(self.lanes, self.product.mac.kr, self.nr_vectors)


def _room(isa: Isa, bits: int) -> int:
    """Vectors of units in all rows whose sums stay in registers: of each digit one, or one of i16 and one of i32."""
    if codes_product(isa, bits).kind == NARROW_KIND:
        return max(1, (isa.registers - OTHER_REGISTERS_OF_WORDS) // (2 * DIGITS))
    return (isa.registers - OTHER_REGISTERS) // DIGITS


def _most_mr(isa: Isa, bits: int) -> int:
    """The most rows of a register tile."""
    return MOST_MR if codes_product(isa, bits).mac.kr >= PRODUCTS_OF_BYTES else 1


def codes_product(isa: Isa, bits: int) -> ProductInstruction:
    """
    The product of codes and digits. Codes are unsigned; where only products of i8 are fast, those of 8 bits are offset,
    and those of 4 bits are i8 as well. There may be an instruction for codes of 4 bits alone.
    """
    narrow = [mac for mac in isa.macs if bits == 4 and NARROW_KIND in mac.kinds]
    if narrow:
        return ProductInstruction(NARROW_KIND, narrow[0], 0)
    (product,) = isa.products([(ui8, i8)])
    if bits == 4 and product.offset:
        (product,) = isa.products([(i8, i8)])
    return product
