"""Channels in blocks, as `DepthwiseLayout` has them: vectors of these and vectors of neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.kernel.packed_layout import block_order
from . import ir
from .elements import Operand, memory_type
from .vectors import byte_offset, lanes_of, shuffle

BLOCK_VECTORS = 4
"""Vectors that share each block."""


def in_blocks(b: ir.IRBuilder, vectors: Sequence[ir.Value]) -> list[ir.Value]:
    """Four vectors of neighbours, as vectors of channels in blocks."""
    return _ordered(b, vectors, block_order(BLOCK_VECTORS * lanes_of(vectors[0])))


def in_order(b: ir.IRBuilder, vectors: Sequence[ir.Value]) -> list[ir.Value]:
    """The inverse."""
    order = block_order(BLOCK_VECTORS * lanes_of(vectors[0]))
    return _ordered(b, vectors, [order.index(channel) for channel in range(len(order))])


def _ordered(b: ir.IRBuilder, vectors: Sequence[ir.Value], order: Sequence[int]) -> list[ir.Value]:
    """The lanes of all four vectors in an order."""
    lanes = lanes_of(vectors[0])
    low, high = (shuffle(b, x, range(2 * lanes), y) for x, y in (vectors[:2], vectors[2:]))
    return [
        shuffle(b, low, order[n : n + lanes], high) for n in range(0, BLOCK_VECTORS * lanes, lanes)
    ]


def is_of_channels(operand: Operand) -> bool:
    """Whether an operand has a scalar for each channel and no other, each of which fills a lane."""
    *around, last = operand.strides
    return not any(around) and last == 1 and operand.size == 4


def stored_in_blocks(b: ir.IRBuilder, pointer: ir.Value, operand: Operand, lanes: int) -> ir.Value:
    """The scalars of a tile's channels, which lie at a pointer, in blocks on the stack."""
    type = ir.VectorType(memory_type(operand.element), lanes)
    size = lanes * operand.size
    found = [
        b.load(byte_offset(b, pointer, v * size), type, align=operand.size)
        for v in range(BLOCK_VECTORS)
    ]
    place = b.alloca(type, BLOCK_VECTORS)
    for v, value in enumerate(in_blocks(b, found)):
        b.store(value, byte_offset(b, place, v * size))
    return place
