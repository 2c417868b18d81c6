"""Emits the instructions that records of `machine` name: multiply-accumulate, and narrowing to codes."""

from __future__ import annotations

from collections.abc import Callable

from ..machine import Kind, Mac, Narrow
from . import ir
from .intrinsics import Values, call_intrinsic
from .vectors import I8, I16, I32, splat, zero


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
}
"""By the name of a Mac."""


def _emit_pack_512(
    b: ir.IRBuilder, values: Values, signed: bool, fit: bool, in_blocks: bool
) -> ir.Value:
    """
    Intel's intrinsics guide: `_mm512_cvtps_epi32` gives the lowest integer where a float does not fit, so only
    high ones need a limit; `_mm512_packs_epi32` and `_mm512_packs_epi16` or `_mm512_packus_epi16` saturate and
    leave, in each quarter, four bytes of every vector. Assembly spares LLVM to select and to combine them.
    """
    wide, count = ir.VectorType(I32, 16), len(values)
    if not fit:
        highest = splat(ir.FloatType(), 16, 127 if signed else 255)
        limited = [b.select(b.fcmp_ordered(">", x, highest), highest, x) for x in values]
        if signed:  # NaN becomes the lowest integer, and that 0 only as u8
            none = zero(values[0].type)
            limited = [b.select(b.fcmp_ordered("ord", x, x), x, none) for x in limited]
        values = limited
    temporaries = max(count, 2)
    text = [f"vcvtps2dq ${temporaries + n}, ${n}" for n in range(count)]
    text += [f"vpackssdw ${min(n + 1, count - 1)}, ${n}, ${n}" for n in range(0, count, 2)]
    text.append(f"vpack{'ss' if signed else 'us'}wb ${2 if count > 2 else 0}, $0, $0")
    given = [*values]
    if not in_blocks:
        text.append(f"vpermd $0, ${temporaries + count}, $0")
        order = [4 * lane + vector for vector in range(4) for lane in range(4)]
        given.append(ir.Constant(wide, order))
    constraints = ",".join([*["=&v"] * temporaries, *["v"] * len(given)])
    results = b.module.struct(*[wide] * temporaries)
    signature = ir.FunctionType(results, [value.type for value in given])
    done = b.asm(signature, "\\0A".join(text), constraints, given)
    return b.bitcast(b.extract_value(done, 0), ir.VectorType(I8, 64))


NARROWS: dict[str, Callable[..., ir.Value]] = {"vpackssdw, vpackuswb": _emit_pack_512}
"""By the name of a Narrow."""
