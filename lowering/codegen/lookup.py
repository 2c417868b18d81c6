"""
Emits `kernel.lookup`: a lookup in a table of 256 codes for each lane of a vector.

A permutation of words finds an element by its number in a table that lies in registers. A word of the table has four
codes. Where the instruction set permutes fewer words than the table has, each part of it is looked up, and upper bits
of the code select between them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from ...dialects.elements import CODES
from ..instructions import WORD_CODES, Permute
from ..machine import Isa
from . import ir
from .intrinsics import call_intrinsic
from .vectors import I8, I32, byte_offset, index, lanes_of, shuffle, splat, zero


def emit_lookup(b: ir.IRBuilder, isa: Isa, codes: Sequence[int], x: ir.Value) -> ir.Value:
    """`codes[x mod 256]` for a vector of i32, whose lanes may lie in several registers."""
    count, signed = lanes_of(x), min(codes) < 0
    if isa.permute is None:
        return _loaded(b, codes, x, signed)
    lanes = isa.permute.lanes
    if count == lanes:
        return _permuted(b, isa.permute, codes, x, signed)
    if count < lanes:
        wide = shuffle(b, x, [n % count for n in range(lanes)])
        return shuffle(b, _permuted(b, isa.permute, codes, wide, signed), range(count))
    halves = (range(count // 2), range(count // 2, count))
    low, high = (emit_lookup(b, isa, codes, shuffle(b, x, half)) for half in halves)
    return shuffle(b, low, range(count), high)


def _permuted(
    b: ir.IRBuilder, permute: Permute, codes: Sequence[int], x: ir.Value, signed: bool
) -> ir.Value:
    data = bytes(code % CODES for code in codes)
    words = struct.unpack(f"<{CODES // WORD_CODES}i", data)
    type, lanes = ir.VectorType(I32, permute.lanes), permute.lanes
    tables = [ir.Constant(type, words[n : n + lanes]) for n in range(0, len(words), lanes)]
    number = b.lshr(x, splat(I32, lanes, 2))
    step = permute.tables
    found = [
        emit_permute(b, permute, tables[n : n + step], number) for n in range(0, len(tables), step)
    ]
    bit = WORD_CODES * lanes * step  # of the code, which tells one half of two parts from the other
    while len(found) > 1:
        is_low = b.icmp_signed("==", b.and_(x, splat(I32, lanes, bit)), zero(type))
        found = [
            b.select(is_low, low, high) for low, high in zip(found[::2], found[1::2], strict=True)
        ]
        bit *= 2
    # the code goes to the top of its word, and from there down again
    (word,) = found
    last = splat(I32, lanes, 8 * (WORD_CODES - 1))
    place = b.and_(b.shl(x, splat(I32, lanes, 3)), last)
    if signed:
        return b.ashr(b.shl(word, b.sub(last, place)), last)
    return b.and_(b.lshr(word, place), splat(I32, lanes, CODES - 1))


def emit_permute(
    b: ir.IRBuilder, permute: Permute, tables: Sequence[ir.Value], number: ir.Value
) -> ir.Value:
    """
    An element of the tables for each lane; see Intel's intrinsics guide, `_mm512_permutex2var_epi32` and
    `_mm256_permutevar8x32_epi32`.
    """
    first, *others = tables
    operands = [first, number, *others]
    return call_intrinsic(b, permute.intrinsic, number.type, operands)


def _loaded(b: ir.IRBuilder, codes: Sequence[int], x: ir.Value, signed: bool) -> ir.Value:
    """Lane by lane, from memory."""
    name = ".".join(map(str, ("codes", *codes)))
    table = b.module.globals.get(name)
    if table is None:
        data = ir.Constant(ir.ArrayType(I8, CODES), [code % CODES for code in codes])
        table = ir.Table(b.module, name, data, align=1)
    lanes = lanes_of(x)
    found: ir.Value = zero(ir.VectorType(I8, lanes))
    places = b.and_(x, splat(I32, lanes, CODES - 1))
    for lane in range(lanes):
        place = b.zext(b.extract_element(places, index(lane)), ir.IntType(64))
        code = b.load(byte_offset(b, table, place), align=1, typ=I8)
        found = b.insert_element(found, code, ir.Constant(I32, lane))
    return b.sext(found, x.type) if signed else b.zext(found, x.type)
