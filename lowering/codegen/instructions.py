"""Emits the instructions that records of `machine` name: multiply-accumulate, and narrowing to codes."""

from __future__ import annotations

from collections.abc import Callable

from ..instructions import VPMADDWD_256, Kind, Mac, Narrow
from . import ir
from .intrinsics import Values, call_intrinsic
from .vectors import I1, I8, I16, I32, lanes_of, shuffle, splat, zero


def emit_mac(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """The accumulators after a Mac; x and y are vectors of lanes * kr elements, as in memory."""
    return MACS[mac.name](b, mac, acc, x, y, kind)


def emit_narrow(
    b: ir.IRBuilder,
    narrow: Narrow,
    values: Values,
    signed: bool,
    fit: bool,
    in_blocks: bool = False,
) -> ir.Value:
    """
    The codes of at most `narrow.vectors` vectors as bytes of one; `fit` says that none is NaN or overflows i32. They
    lie vector by vector or, `in_blocks`, as packing leaves them: block by block of 16 bytes, each with the next four
    codes of every vector.
    """
    return NARROWS[narrow.name](b, values, signed, fit, in_blocks)


def _emit_dot_product(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """
    Intel's intrinsics guide: `_mm512_dpbusd_epi32` of bytes and `_mm512_dpwssd_epi32` of words, and
    `_mm256_dpbusd_avx_epi32` and `_mm256_dpwssd_avx_epi32` in half the width.
    """
    return call_intrinsic(b, mac.intrinsic, acc.type, [acc, x, y])


def _emit_dot(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """Arm's architecture reference manual: `SDOT` and `UDOT` (vector), both operands of one sign."""
    name = "llvm.aarch64.neon." + ("udot" if kind[0].startswith("u") else "sdot")
    return call_intrinsic(b, name, acc.type, [acc, x, y], [acc.type, x.type])


def _emit_vpmaddwd(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """Intel's intrinsics guide: `_mm256_madd_epi16`; no pair of widened bytes saturates, and one of words wraps."""
    words = [widen(b, value, side, I16) for value, side in zip((x, y), kind, strict=True)]
    return b.add(acc, call_intrinsic(b, mac.intrinsic, acc.type, words))


def _emit_vpmaddubsw(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """Intel's intrinsics guide: `_mm256_maddubs_epi16`, of bytes that are prepared so that no pair saturates."""
    magnitudes, negative = magnitudes_and_signs(b, x)
    total = b.add(acc, sum_of_fours(b, mac, magnitudes, b.xor(y, negative)))
    return b.sub(total, sum_of_fours(b, mac, magnitudes, negative))


def _emit_vpmaddubsw_narrow(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """The same instruction; codes of 4 bits do not saturate."""
    return b.add(acc, sum_of_fours(b, mac, x, y))


def magnitudes_and_signs(b: ir.IRBuilder, x: ir.Value) -> tuple[ir.Value, ir.Value]:
    """
    Codes i8 as magnitudes u8, and masks: -1 for the negative ones, else 0. As `~y` is `-y - 1`,
    `x * y = |x| * (y ^ mask) - |x| * mask`, and two such products sum up to at least `-2 * 128 * 128`, which is the
    lowest i16.
    """
    negative = b.ashr(x, splat(I8, lanes_of(x), 7))
    return call_intrinsic(b, "llvm.abs", x.type, [x, ir.Constant(I1, 0)], [x.type]), negative


def sum_of_fours(b: ir.IRBuilder, mac: Mac, unsigned: ir.Value, signed: ir.Value) -> ir.Value:
    """Sums of four products u8 times i8, as i32, of which no two saturate i16."""
    words = sum_of_pairs(b, mac, unsigned, signed)
    return add_pairs(b, words)


def sum_of_pairs(b: ir.IRBuilder, mac: Mac, unsigned: ir.Value, signed: ir.Value) -> ir.Value:
    """Sums of two products u8 times i8, as i16, which none of them saturates."""
    words = ir.VectorType(I16, lanes_of(unsigned) // 2)
    return call_intrinsic(b, mac.intrinsic, words, [unsigned, signed])


def add_pairs(b: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """Sums of two i16, as i32."""
    ones = splat(I16, lanes_of(words), 1)
    sums = ir.VectorType(I32, lanes_of(words) // 2)
    return call_intrinsic(b, VPMADDWD_256.intrinsic, sums, [words, ones])


def _emit_multiply_add(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    left, right = (widen(b, value, side, I32) for value, side in zip((x, y), kind, strict=True))
    return b.add(acc, b.mul(left, right))


def _emit_fma(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    return call_intrinsic(b, "llvm.fma", acc.type, [x, y, acc], [acc.type])


def widen(b: ir.IRBuilder, value: ir.Value, element: str, to: ir.Type) -> ir.Value:
    """A vector of integers, signed or not as `element` ("u8") says, in lanes of another width."""
    assert isinstance(value.type, ir.VectorType)
    assert isinstance(value.type.element, ir.IntType)
    assert isinstance(to, ir.IntType)
    wide = ir.VectorType(to, value.type.count)
    if value.type.element.width >= to.width:
        return value if value.type == wide else b.trunc(value, wide)
    return b.zext(value, wide) if element.startswith("u") else b.sext(value, wide)


MACS: dict[str, Callable[..., ir.Value]] = {
    "fma": _emit_fma,
    "multiply_add": _emit_multiply_add,
    "vpdpbusd": _emit_dot_product,
    "vpdpwssd": _emit_dot_product,
    "dot": _emit_dot,
    "vpmaddwd": _emit_vpmaddwd,
    "vpmaddubsw": _emit_vpmaddubsw,
    "vpmaddubsw of 4 bits": _emit_vpmaddubsw_narrow,
}
"""By the name of a Mac."""


def _emit_pack(
    b: ir.IRBuilder, values: Values, signed: bool, fit: bool, in_blocks: bool
) -> ir.Value:
    """
    Intel's intrinsics guide: `_mm256_packs_epi32` and `_mm256_packs_epi16` or `_mm256_packus_epi16` saturate and
    leave, in each block of 16 bytes, four bytes of every vector. The same in twice the width. Assembly spares LLVM to
    select and to combine them; it works in the registers of the values.
    """
    lanes, count = lanes_of(values[0]), len(values)
    given = [*values] if fit else _in_range(b, values, signed)
    constraints = [*["=&v"] * count, *map(str, range(count))]
    text = [f"vcvtps2dq ${n}, ${n}" for n in range(count)]
    text += [f"vpackssdw ${min(n + 1, count - 1)}, ${n}, ${n}" for n in range(0, count, 2)]
    text.append(f"vpack{'ss' if signed else 'us'}wb ${2 if count > 2 else 0}, $0, $0")
    wide, is_permuted = ir.VectorType(I32, lanes), lanes > TWO_BLOCKS and not in_blocks
    if is_permuted:
        text.append(f"vpermd $0, ${2 * count}, $0")
        order = [4 * block + vector for vector in range(4) for block in range(lanes // 4)]
        given.append(ir.Constant(wide, order))
        constraints.append("v")
    results = b.module.struct(*[wide] * count) if count > 1 else wide
    signature = ir.FunctionType(results, [value.type for value in given])
    done = b.asm(signature, "\\0A".join(text), ",".join(constraints), given)
    packed = b.extract_value(done, 0) if count > 1 else done
    ordered = packed if is_permuted or in_blocks else _unpacked(b, packed)
    return b.bitcast(ordered, ir.VectorType(I8, 4 * lanes))


TWO_BLOCKS = 8
"""Dwords of a vector of two blocks, which `vpunpckldq` and `vpunpckhdq` order: no order takes a register."""


def _in_range(b: ir.IRBuilder, values: Values, signed: bool) -> list[ir.Value]:
    """
    Values that `_mm256_cvtps_epi32` converts to codes or to what saturates to them. It gives the lowest integer where
    a float does not fit, so only high ones need a limit. NaN becomes the lowest integer, and that 0 only as u8.
    """
    like = values[0].type
    highest = splat(ir.FloatType(), lanes_of(values[0]), 127 if signed else 255)
    limited = [b.select(b.fcmp_ordered(">", x, highest), highest, x) for x in values]
    if not signed:
        return limited
    return [b.select(b.fcmp_ordered("ord", x, x), x, zero(like)) for x in limited]


def _unpacked(b: ir.IRBuilder, packed: ir.Value) -> ir.Value:
    """The dwords of two blocks, one of each in turn; halves are shuffled alone, for they are stored alone."""
    low, high = (shuffle(b, packed, range(first, first + 4)) for first in (0, 4))
    first, second = (shuffle(b, low, [n, n + 4, n + 1, n + 5], high) for n in (0, 2))
    return shuffle(b, first, range(TWO_BLOCKS), second)


NARROWS: dict[str, Callable[..., ir.Value]] = {"vpackssdw, vpackuswb": _emit_pack}
"""By the name of a Narrow."""
