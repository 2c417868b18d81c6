"""
Instructions as data: what multiplies and accumulates (`Mac`), narrows and permutes. Each has a meaning in NumPy that
tests hold it to; `codegen.instructions` emits it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

Array = Any
"""A NumPy array; this module is imported by passes that must not import NumPy."""

Kind = tuple[str, str]
"""The elements of a product's left and right side: `("u8", "i8")`."""


# --- multiply-accumulate --------------------------------------------------------------------


@dataclass(frozen=True)
class Mac:
    """
    `acc[l] + sum_s a[l, s] * b[l, s]` over `kr` elements in each lane (KR), exact in i32, or one
    rounding in floats. `intrinsic` is LLVM's, where there is one for all kinds.
    If it is for a `single_row`, codes of a are prepared for it, which pays where all units multiply the same row. One
    that `adds` is written as two instructions: the second one adds the products. One that is `paired` takes two steps
    together, as a fast inner product does (`dialects.kernel.ConvolutionLayout`). One for `matched` weights is exact if
    these are in such an order (`dialects.kernel.Matched`).
    """

    name: str
    kinds: frozenset[Kind] = field(repr=False)
    kr: int
    meaning: Callable[[Array, Array, Array], Array] = field(repr=False)
    intrinsic: str = ""
    single_row: bool = False
    adds: bool = False
    paired: bool = False
    matched: bool = False


def exact_dot(acc: Array, a: Array, b: Array) -> Array:
    """The meaning of every integer Mac: sums modulo 2**32."""
    import numpy as np

    lanes = acc.size
    products = a.astype(np.int64).reshape(lanes, -1) * b.astype(np.int64).reshape(lanes, -1)
    return (acc.astype(np.int64) + products.sum(axis=1)).astype(np.int32)


def fused_multiply_add(acc: Array, a: Array, b: Array) -> Array:
    """The meaning of every float Mac: `a * b + acc` with one rounding."""
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


_INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32")
BYTE_KINDS = frozenset((a, b) for a in ("i8", "u8") for b in ("i8", "u8"))
WORD_KINDS = frozenset({("i16", "i16")})
WIDENED_KINDS = frozenset((a, "i16") for a in ("i8", "u8"))
"""Codes, and weights that were widened when they were packed."""

INTEGER_KINDS = frozenset((a, b) for a in _INTEGERS for b in _INTEGERS)

FLOAT_KINDS = frozenset({("f32", "f32"), ("f64", "f64")})

FMA = Mac("fma", FLOAT_KINDS, 1, fused_multiply_add)
MULTIPLY_ADD = Mac("multiply_add", INTEGER_KINDS, 1, exact_dot)
VPDPBUSD_512, VPDPBUSD_256 = (
    Mac("vpdpbusd", frozenset({("u8", "i8")}), 4, exact_dot, intrinsic)
    for intrinsic in ("llvm.x86.avx512.vpdpbusd.512", "llvm.x86.avx512.vpdpbusd.256")
)
DOT = Mac("dot", frozenset({("i8", "i8"), ("u8", "u8")}), 4, exact_dot)
VPDPWSSD_512, VPDPWSSD_256 = (
    Mac("vpdpwssd", WORD_KINDS, 2, exact_dot, intrinsic)
    for intrinsic in ("llvm.x86.avx512.vpdpwssd.512", "llvm.x86.avx512.vpdpwssd.256")
)
VPMADDWD_512, VPMADDWD_256 = (
    Mac("vpmaddwd", BYTE_KINDS | WORD_KINDS | WIDENED_KINDS, 2, exact_dot, intrinsic, adds=adds)
    for intrinsic, adds in (
        ("llvm.x86.avx512.pmaddw.d.512", False),
        ("llvm.x86.avx2.pmadd.wd", True),
    )
)
PAIRED_VPMADDWD = replace(VPMADDWD_256, paired=True)
"""
Half as many multiplications, with additions in their place: in tiles of 4 x 2, 86 G multiply-accumulates a second on
Zen 3, where two units of four multiply and all add; 69 otherwise.
"""

NARROW_KIND: Kind = ("u4", "i8")
"""Weights of 4 bits, from 0 on and each in a byte, times codes."""

WORD_STEPS = 8
"""Steps of such products whose sums of pairs fit i16: 8 * 2 * 15 * 128 is less than 1 << 15."""

VPMADDUBSW_256 = Mac(
    "vpmaddubsw",
    frozenset({("i8", "i8")}),
    4,
    exact_dot,
    "llvm.x86.avx2.pmadd.ub.sw",
    single_row=True,
)
VPMADDUBSW_NARROW_256 = Mac(
    "vpmaddubsw of 4 bits",
    frozenset({NARROW_KIND}),
    4,
    exact_dot,
    VPMADDUBSW_256.intrinsic,
)


MATCHED_VPMADDUBSW = Mac(
    "vpmaddubsw",
    frozenset({("u8", "i8")}),
    4,
    exact_dot,
    VPMADDUBSW_256.intrinsic,
    adds=True,
    matched=True,
)
"""
Three instructions for 32 products, where a fast inner product takes four: in tiles of 4 x 2, 30 multiply-accumulates in
a cycle of Zen 3, and 24 otherwise.
"""

PRODUCTS_OF_BYTES = 4
"""How many an instruction sums in a lane, where one multiplies bytes as they are; others widen them first."""


# --- narrowing ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Narrow:
    """
    Floats to codes: rounded to even, clamped to the range of i8 or u8, 0 for NaN. `vectors` vectors of floats become
    one vector of bytes.
    """

    name: str
    vectors: int
    meaning: Callable[[Array, bool], Array] = field(repr=False)


def nearest_codes(x: Array, signed: bool) -> Array:
    """The meaning of every Narrow."""
    import numpy as np

    dtype = np.dtype(np.int8 if signed else np.uint8)
    limits = np.iinfo(dtype)
    return np.where(np.isnan(x), 0, np.clip(np.rint(x), limits.min, limits.max)).astype(dtype)


PACK = Narrow("vpackssdw, vpackuswb", 4, nearest_codes)


# --- permutation ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Permute:
    """
    `table[x mod (lanes * tables)]` for a vector of `lanes` i32: the table is one of i32 that lies in as many vectors
    as `tables` says. `intrinsic` takes the first of them, x, and the others.
    """

    intrinsic: str
    lanes: int
    tables: int
    meaning: Callable[[Array, Array], Array] = field(repr=False)


def permuted(table: Array, x: Array) -> Array:
    """The meaning of every Permute."""
    return table[x % table.size]


WORD_CODES = 4
"""Codes in a word of the table of a `kernel.lookup`."""

LOADED_CODE, CODE_OF_WORD = 3, 6
"""Instructions that load a code and move it between vectors, and that make a place of a code, and a code of a word."""

VPERMI2D = Permute("llvm.x86.avx512.vpermi2var.d.512", 16, 2, permuted)
VPERMD = Permute("llvm.x86.avx2.permd", 8, 1, permuted)
