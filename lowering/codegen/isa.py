"""
Instruction sets: one record each. A new CPU is a new record in `ISAS`, not an `if` elsewhere.

A record says how wide vectors are, which multiply-accumulate instructions (`Mac`) there are for
which element types, and what LLVM may use. Every Mac has a meaning in NumPy that tests hold it to.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from llvmlite import ir
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
)
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import is_unsigned
from .intrinsics import Values, call_intrinsic
from .vectors import shuffle, splat, zero

Array = Any
"""A NumPy array; this module is imported by passes that must not import NumPy."""

Kind = tuple[str, str]
"""The elements of a product's left and right side: `("u8", "i8")`."""

I8, I16, I32 = ir.IntType(8), ir.IntType(16), ir.IntType(32)

ENVIRONMENT = "LOWSTREAM_ISA"
"""The environment variable that forces an instruction set."""


# --- multiply-accumulate --------------------------------------------------------------------


@dataclass(frozen=True)
class Mac:
    """
    `acc[l] + sum_s a[l, s] * b[l, s]` over `step` elements in each lane, exact in i32, or one
    rounding in floats. `emit` gets a and b as vectors of lanes * step elements, as in memory.
    """

    name: str
    kinds: frozenset[Kind] = field(repr=False)
    step: int
    emit: Callable[[ir.IRBuilder, ir.Value, ir.Value, ir.Value, Kind], ir.Value]
    meaning: Callable[[Array, Array, Array], Array]


def exact_dot(acc: Array, a: Array, b: Array) -> Array:
    """What every integer Mac means: sums modulo 2**32."""
    import numpy as np

    lanes = acc.size
    products = a.astype(np.int64).reshape(lanes, -1) * b.astype(np.int64).reshape(lanes, -1)
    return (acc.astype(np.int64) + products.sum(axis=1)).astype(np.int32)


def fused_multiply_add(acc: Array, a: Array, b: Array) -> Array:
    """What every float Mac means: `a * b + acc` with one rounding."""
    import numpy as np

    rows = zip(acc.tolist(), a.tolist(), b.tolist(), strict=True)
    return np.array([_round(acc.dtype, *row) for row in rows], acc.dtype)


def _round(dtype: Any, acc: float, a: float, b: float) -> float:
    from fractions import Fraction

    import numpy as np

    exact = Fraction(a) * Fraction(b) + Fraction(acc)
    near = dtype.type(float(exact))
    candidates = [
        np.nextafter(near, dtype.type(-np.inf)),
        near,
        np.nextafter(near, dtype.type(np.inf)),
    ]
    bits = np.array(candidates, dtype).view(f"u{dtype.itemsize}")
    distances = [abs(Fraction(float(c)) - exact) for c in candidates]
    best = min(range(3), key=lambda i: (distances[i], int(bits[i]) & 1))
    return float(candidates[best])


def _emit_vpdpbusd(intrinsic: str) -> Callable[..., ir.Value]:
    """Intel's intrinsics guide: `_mm512_dpbusd_epi32`, and `_mm256_dpbusd_avx_epi32` in half the width."""

    def emit(b: ir.IRBuilder, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind) -> ir.Value:
        return call_intrinsic(b, intrinsic, acc.type, [acc, x, y])

    return emit


def _emit_dot(b: ir.IRBuilder, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind) -> ir.Value:
    """Arm's architecture reference manual: `SDOT` and `UDOT` (vector), both operands of one sign."""
    name = "llvm.aarch64.neon." + ("udot" if kind[0].startswith("u") else "sdot")
    return call_intrinsic(b, name, acc.type, [acc, x, y], [acc.type, x.type])


def _emit_vpmaddwd(intrinsic: str) -> Callable[..., ir.Value]:
    """Intel's intrinsics guide: `_mm256_madd_epi16`; it cannot saturate on widened bytes."""

    def emit(b: ir.IRBuilder, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind) -> ir.Value:
        words = [widen(b, value, side, I16) for value, side in zip((x, y), kind, strict=True)]
        return b.add(acc, call_intrinsic(b, intrinsic, acc.type, words))

    return emit


def _emit_multiply_add(
    b: ir.IRBuilder, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind
) -> ir.Value:
    left, right = (widen(b, value, side, I32) for value, side in zip((x, y), kind, strict=True))
    return b.add(acc, b.mul(left, right))


def _emit_fma(b: ir.IRBuilder, acc: ir.Value, x: ir.Value, y: ir.Value, kind: Kind) -> ir.Value:
    if kind[1] in CODES:
        y = b.sitofp(widen(b, y, kind[1], I32), acc.type)
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


_INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32")
BYTE_KINDS = frozenset((a, b) for a in ("i8", "u8") for b in ("i8", "u8"))
INTEGER_KINDS = frozenset((a, b) for a in _INTEGERS for b in _INTEGERS)

CODES = ("i8", "u8", "i16")
"""Integers that f32 has all of: weights that stay codes in products of f32."""

FLOAT_KINDS = frozenset({("f32", "f32"), ("f64", "f64"), *(("f32", code) for code in CODES)})

FMA = Mac("fma", FLOAT_KINDS, 1, _emit_fma, fused_multiply_add)
MULTIPLY_ADD = Mac("multiply_add", INTEGER_KINDS, 1, _emit_multiply_add, exact_dot)
VPDPBUSD_512, VPDPBUSD_256 = (
    Mac("vpdpbusd", frozenset({("u8", "i8")}), 4, _emit_vpdpbusd(intrinsic), exact_dot)
    for intrinsic in ("llvm.x86.avx512.vpdpbusd.512", "llvm.x86.avx512.vpdpbusd.256")
)
DOT = Mac("dot", frozenset({("i8", "i8"), ("u8", "u8")}), 4, _emit_dot, exact_dot)
VPMADDWD_512 = Mac(
    "vpmaddwd", BYTE_KINDS, 2, _emit_vpmaddwd("llvm.x86.avx512.pmaddw.d.512"), exact_dot
)
VPMADDWD_256 = Mac("vpmaddwd", BYTE_KINDS, 2, _emit_vpmaddwd("llvm.x86.avx2.pmadd.wd"), exact_dot)


# --- narrowing ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Narrow:
    """
    Floats to codes: rounded to even, limited to what i8 or u8 holds, 0 for NaN. `emit` gets
    `vectors` vectors, whether codes are signed, and whether none is NaN or overflows i32; it gives their bytes
    in one vector.
    """

    name: str
    vectors: int
    emit: Callable[[ir.IRBuilder, Values, bool, bool], ir.Value]
    meaning: Callable[[Array, bool], Array]


def nearest_codes(x: Array, signed: bool) -> Array:
    """What every Narrow means."""
    import numpy as np

    dtype = np.dtype(np.int8 if signed else np.uint8)
    limits = np.iinfo(dtype)
    return np.where(np.isnan(x), 0, np.clip(np.rint(x), limits.min, limits.max)).astype(dtype)


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


PACK_512 = Narrow("vpackssdw, vpackuswb", 4, _emit_pack_512, nearest_codes)


# --- instruction sets -----------------------------------------------------------------------


@dataclass(frozen=True)
class Product:
    """How one product of a matrix kernel is computed: `offset` is added to the 8-bit codes of a."""

    kind: Kind
    mac: Mac
    offset: int


@dataclass(frozen=True)
class Isa:
    """
    An instruction set: `requires` is what a host must have, `cpu` and `features` what LLVM gets.
    """

    name: str
    lanes: int  # of 32 bits in a vector
    registers: int
    macs: tuple[Mac, ...]  # the best first
    cpu: str
    features: str
    requires: frozenset[str]
    half: bool  # converts f16 in hardware
    narrow: Narrow | None = None

    def products(
        self,
        elements: Sequence[tuple[Attribute, Attribute]],
        step: int | None = None,
        offsets: Sequence[int] | None = None,
    ) -> tuple[Product, ...]:
        """
        The fastest way to compute products of these elements (a, b) in one kernel: with one step, since
        they share a packed layout. A step or the offsets of a may be decided already. Raises
        DiagnosticException where there is none.
        """
        kinds = [(element_name(a), element_name(b)) for a, b in elements]
        steps = {mac.step for mac in self.macs} if step is None else {step}
        wanted = [None] * len(kinds) if offsets is None else offsets
        for each in sorted(steps, reverse=True):
            found = [self._product(*one, each) for one in zip(kinds, wanted, strict=True)]
            products = tuple(product for product in found if product is not None)
            if len(products) == len(kinds):
                return products
        listed = ", ".join(f"{a} x {b}" for a, b in kinds)
        raise DiagnosticException(
            f"kernel.mat_mul: {self.name} has no way to sum products of {listed} in one kernel"
            + ("; convert the operands to f32 or to 8 bits" if step is None else f" by {step}s")
        )

    def _product(self, kind: Kind, offset: int | None, step: int) -> Product | None:
        """Where only the other sign is fast, `a` of i8 is read as u8, `a + 128`, and u8 as i8, `a - 128`."""
        for mac in self.macs:
            if mac.step != step:
                continue
            if offset in (None, 0) and kind in mac.kinds:
                return Product(kind, mac, 0)
            shift, other = (128, "u8") if kind[0] == "i8" else (-128, "i8")
            is_code = kind[0] in ("i8", "u8")
            if offset in (None, shift) and is_code and (other, kind[1]) in mac.kinds:
                return Product((other, kind[1]), mac, shift)
        return None


def element_name(element: Attribute) -> str:
    """How kinds call an element type in memory: "u8", "i8", "f32"; narrow integers lie in bytes."""
    match element:
        case IntegerType():
            sign = "u" if is_unsigned(element) else "i"
            return f"{sign}{max(element.width.data, 8)}"
        case Float16Type() | BFloat16Type() | Float32Type():
            return "f32"
        case Float64Type():
            return "f64"
        case _:
            raise DiagnosticException(f"kernels have no elements of {element}; convert to f32")


AVX512_VNNI = Isa(
    name="avx512_vnni",
    lanes=16,
    registers=32,
    macs=(VPDPBUSD_512, VPMADDWD_512, FMA, MULTIPLY_ADD),
    cpu="x86-64-v4",
    features="+avx512vnni,-prefer-256-bit",
    requires=frozenset(
        {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vnni", "f16c", "fma"}
    ),
    half=True,
    narrow=PACK_512,
)
AVX_VNNI = Isa(
    name="avx_vnni",
    lanes=8,
    registers=16,
    macs=(VPDPBUSD_256, VPMADDWD_256, FMA, MULTIPLY_ADD),
    cpu="x86-64-v3",
    features="+avxvnni",
    requires=frozenset({"avx2", "fma", "f16c", "bmi2", "avxvnni"}),
    half=True,
)
AVX2 = Isa(
    name="avx2",
    lanes=8,
    registers=16,
    macs=(VPMADDWD_256, FMA, MULTIPLY_ADD),
    cpu="x86-64-v3",
    features="",
    requires=frozenset({"avx2", "fma", "f16c", "bmi2"}),
    half=True,
)
NEON_DOT = Isa(
    name="neon_dot",
    lanes=4,
    registers=32,
    macs=(DOT, FMA, MULTIPLY_ADD),
    cpu="generic",
    features="+neon,+dotprod",
    requires=frozenset({"neon", "dotprod"}),
    half=True,
)
PORTABLE = Isa(
    name="portable",
    lanes=4,
    registers=16,
    macs=(FMA, MULTIPLY_ADD),
    cpu="",
    features="",
    requires=frozenset(),
    half=False,
)

ISAS = (AVX512_VNNI, AVX_VNNI, AVX2, NEON_DOT, PORTABLE)
"""The best first; the last runs everywhere."""


@cache
def host_features() -> frozenset[str]:
    """What LLVM says this CPU has."""
    from llvmlite import binding

    return frozenset(name for name, has in binding.get_host_cpu_features().items() if has)


def available_isas(features: frozenset[str] | None = None) -> tuple[Isa, ...]:
    """The instruction sets of a CPU with these features (default: this one), the best first."""
    have = host_features() if features is None else features
    return tuple(isa for isa in ISAS if isa.requires <= have)


def choose_isa(name: str | None = None, features: frozenset[str] | None = None) -> Isa:
    """
    The best instruction set of this CPU, or the one called `name` (default: what LOWSTREAM_ISA
    says). Raises DiagnosticException where there is none of that name or the CPU lacks it.
    """
    available = available_isas(features)
    wanted = os.environ.get(ENVIRONMENT, "") if name is None else name
    if not wanted:
        return available[0]
    for isa in available:
        if isa.name == wanted:
            return isa
    known = any(isa.name == wanted for isa in ISAS)
    problem = "is not supported by this CPU" if known else "is not an instruction set"
    listed = ", ".join(isa.name for isa in available)
    asked = f"{ENVIRONMENT}={wanted}" if name is None else f"isa={wanted}"
    raise DiagnosticException(f"{asked} {problem}; this machine has {listed}")
