"""Emits the instructions that records of `machine` name: multiply-accumulate, and narrowing to codes."""

from __future__ import annotations

from collections.abc import Callable

from ..machine import Kind, Mac, Narrow
from . import ir
from .intrinsics import Values, call_intrinsic
from .vectors import I8, I16, I32, shuffle, splat, zero


def emit_mac(
    b: ir.IRBuilder, mac: Mac, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    """The accumulators after a Mac; x and y are vectors of lanes * kr elements, as in memory."""
    return MACS[mac.name](b, mac, acc, x, y, kind)


def emit_narrow(
    b: ir.IRBuilder, narrow: Narrow, values: Values, signed: bool, fit: bool
) -> ir.Value:
    """The codes of `narrow.vectors` vectors as bytes of one; `fit` says that none is NaN or overflows i32."""
    return NARROWS[narrow.name](b, values, signed, fit)


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


def _emit_pack_512(b: ir.IRBuilder, values: Values, signed: bool, fit: bool) -> ir.Value:
    """
    Intel's intrinsics guide: `_mm512_cvtps_epi32` gives the lowest integer where a float does not fit, so only
    high ones need a limit; `_mm512_packs_epi32` and `_mm512_packs_epi16` or `_mm512_packus_epi16` saturate and
    leave, in each quarter, four bytes of every vector.
    """
    wide = ir.VectorType(I32, 16)
    highest = splat(ir.FloatType(), 16, 127 if signed else 255)
    integers: list[ir.Value] = []
    for value in values:
        limited = value
        if not fit:
            limited = b.select(b.fcmp_ordered(">", value, highest), highest, value)
        rest = [zero(wide), ir.Constant(I16, -1), ir.Constant(I32, 4)]
        name = "llvm.x86.avx512.mask.cvtps2dq.512"
        whole = call_intrinsic(b, name, wide, [limited, *rest])
        if signed and not fit:
            whole = b.select(b.fcmp_ordered("ord", value, value), whole, zero(wide))
        integers.append(whole)
    words = ir.VectorType(I16, 32)
    halves = [
        call_intrinsic(b, "llvm.x86.avx512.packssdw.512", words, integers[i : i + 2])
        for i in (0, 2)
    ]
    name = f"llvm.x86.avx512.pack{'ss' if signed else 'us'}wb.512"
    quarters = b.bitcast(call_intrinsic(b, name, ir.VectorType(I8, 64), halves), wide)
    order = [4 * lane + vector for vector in range(4) for lane in range(4)]
    return b.bitcast(shuffle(b, quarters, order), ir.VectorType(I8, 64))


NARROWS: dict[str, Callable[..., ir.Value]] = {"vpackssdw, vpackuswb": _emit_pack_512}
"""By the name of a Narrow."""
