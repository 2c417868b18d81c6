"""
Interleaves bytes of several rows, so that an instruction that sums neighbouring bytes sums rows.

Shuffles are chosen so that each is one instruction: dwords across a register, then bytes and words inside of
its blocks of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ..machine import Isa
from . import ir
from .vectors import F32, I8, I16, I32, broadcast, lanes_of, shuffle, zero

BLOCK = 16
"""Bytes of the blocks inside of which instructions unpack."""

LANES = 8
"""Pairs of words in a vector of 256 bits."""

ZERO_BYTE = -128
"""What selects no byte in `vpshufb`."""

LOW = (
    "vpunpcklbw $1, $0, $0",
    "vpunpcklbw $3, $2, $2",
    "vpunpckhwd $2, $0, $1",
    "vpunpcklwd $2, $0, $0",
)
"""
Interleaves the lower halves of blocks of four registers, which become the first two. Instructions are Intel's, in AT&T
syntax: https://www.felixcloutier.com/x86/punpcklbw:punpcklwd:punpckldq:punpcklqdq.
"""

FOURTH = "vpunpckhwd $2, $0, $4"
"""What makes the fourth of four vectors."""

BOTH = (
    "vpunpcklbw $1, $0, $4",
    "vpunpckhbw $1, $0, $0",
    "vpunpcklbw $3, $2, $1",
    "vpunpckhbw $3, $2, $2",
    "vpunpckhwd $1, $4, $3",
    "vpunpcklwd $1, $4, $1",
    FOURTH,
    "vpunpcklwd $2, $0, $2",
)
"""The same for both halves: four vectors, which are in registers 1, 3, 2 and 4 then."""


TEMPORARIES, ZERO = 5, 3
"""Registers beside those of rows, and the one that holds zeros until it holds a vector."""

UNPACKED = {8: "bw", 16: "wd"}
"""How instructions that unpack elements of so many bits are called."""

PERMUTED = {16: "w", 32: "d"}
"""How AVX-512's permutations of two registers are called for elements of so many bits."""


def interleave(
    b: ir.IRBuilder,
    isa: Isa,
    rows: Sequence[ir.Value],
    lanes: int,
    vectors: int,
    behind: ir.Value | None = None,
    in_blocks: bool = False,
) -> list[ir.Value]:
    """
    Interleaves two or four rows of bytes, or two of other elements. A row has `lanes` elements for each vector:
    `result[v][l, r] = rows[r][v * lanes + l]`. Four rows for several vectors fill a register each; what is wanted of
    them may lie so many dwords `behind` their beginning, if `can_begin_behind`. Four vectors may be
    `in_blocks` then: each has four elements of each 16.
    """
    if len(rows) == 2:
        upper, lower = rows
        return [_side_by_side(b, upper, lower, v * lanes, lanes) for v in range(vectors)]
    assert len(rows) == 4 and vectors <= 4
    if vectors == 1:
        return [_side_by_side_of_four(b, rows)]
    assert lanes_of(rows[0]) == 4 * lanes
    if in_blocks:
        return _in_blocks(b, isa, rows)
    if can_begin_behind(isa):
        return _by_assembly(b, isa, rows, vectors, behind)
    assert behind is None
    first, second, third, fourth = (_dwords_by_vector(b, row) for row in rows)
    found: list[ir.Value] = []
    for high in (False, True)[: -(-vectors // 2)]:
        x, y = _unpack(b, first, second, I8, high), _unpack(b, third, fourth, I8, high)
        found += [_unpack(b, x, y, I16, upper) for upper in (False, True)]
    return found[:vectors]


def can_begin_behind(isa: Isa) -> bool:
    """Whether what is interleaved of four rows may lie behind their beginning, as far as a program finds out."""
    return isa.vector in ("ymm", "zmm")


def _by_assembly(
    b: ir.IRBuilder, isa: Isa, rows: Sequence[ir.Value], vectors: int, behind: ir.Value | None
) -> list[ir.Value]:
    """
    Four rows for several vectors, with the same instructions as assembly: half of LLVM's time for a depthwise kernel
    would go into combining their shuffles. Rows of zeros are not given.
    """
    type, dwords = rows[0].type, lanes_of(rows[0]) // 4
    order: ir.Value = ir.Constant(ir.VectorType(I32, dwords), _dword_order(dwords))
    if behind is not None:
        order = b.add(order, broadcast(b, b.trunc(behind, I32), dwords))
    lines, found, temporaries = (LOW, (0, 1), 4) if vectors == 2 else (BOTH, (1, 3, 2, 4), 5)
    lines = [line for line in lines if vectors != 3 or line is not FOURTH]
    given: list[ir.Value] = [order]
    text: list[str] = []
    for n, row in enumerate(rows):
        if row is zero(type):
            exclusive_or = "vpxord" if isa.has_evex else "vpxor"
            text.append(f"{exclusive_or} ${n}, ${n}, ${n}")
        else:
            text.append(f"vpermd ${temporaries + len(given)}, ${temporaries}, ${n}")
            given.append(row)
    results = b.module.struct(*[type] * temporaries)
    constraints = ",".join([*["=&v"] * temporaries, *["v"] * len(given)])
    signature = ir.FunctionType(results, [value.type for value in given])
    done = b.asm(signature, "\\0A".join([*text, *lines]), constraints, given)
    return [b.extract_value(done, n) for n in found[:vectors]]


def _in_blocks(b: ir.IRBuilder, isa: Isa, rows: Sequence[ir.Value]) -> list[ir.Value]:
    """Four rows for four vectors, with the instructions that unpack alone. Rows of zeros are not given."""
    type, exclusive_or = rows[0].type, "vpxord" if isa.has_evex else "vpxor"
    given = [row for row in rows if row is not zero(type)]
    places = iter(range(TEMPORARIES, TEMPORARIES + len(given)))
    r = [f"${ZERO if row is zero(type) else next(places)}" for row in rows]
    text = [f"{exclusive_or} ${ZERO}, ${ZERO}, ${ZERO}"] if len(given) < len(rows) else []
    text += [
        f"vpunpcklbw {r[1]}, {r[0]}, $4",
        f"vpunpckhbw {r[1]}, {r[0]}, $0",
        f"vpunpcklbw {r[3]}, {r[2]}, $1",
        f"vpunpckhbw {r[3]}, {r[2]}, $2",
        *BOTH[4:],
    ]
    results = b.module.struct(*[type] * TEMPORARIES)
    constraints = ",".join([*["=&v"] * TEMPORARIES, *["v"] * len(given)])
    signature = ir.FunctionType(results, [value.type for value in given])
    done = b.asm(signature, "\\0A".join(text), constraints, given)
    return [b.extract_value(done, n) for n in (1, 3, 2, 4)]


def pairs_of_words(
    b: ir.IRBuilder, upper: ir.Value, lower: ir.Value, is_signed: bool
) -> list[ir.Value]:
    """
    Two rows of 8 or 16 bytes in turn, widened to words: a vector of 256 bits for each 8 of their bytes. Assembly has
    them widened by `vpshufb`, since `vpmovzxbw` of a register takes three times as long on Zen 3.
    """
    count = lanes_of(upper)
    whole, words = ir.VectorType(I8, 2 * BLOCK), ir.VectorType(I16, BLOCK)
    both = [shuffle(b, row, [*range(count)] * (2 * BLOCK // count)) for row in (upper, lower)]
    zeros = [ZERO_BYTE] * BLOCK
    order = [n for i, none in enumerate(zeros) for n in ((none, i) if is_signed else (i, none))]
    vectors = count // LANES
    text = [f"vpunpck{half}bw $3, $2, ${n}" for n, half in ((0, "l"), (1, "h"))][:vectors]
    text += [f"vpshufb $4, ${n}, ${n}" for n in range(vectors)]
    if is_signed:
        text += [f"vpsraw $$8, ${n}, ${n}" for n in range(vectors)]
    signature = ir.FunctionType(b.module.struct(words, words), [whole] * 3)
    given = [*both, ir.Constant(whole, order)]
    done = b.asm(signature, "\\0A".join(text), "=&x,=&x,x,x,m", given)
    return [b.extract_value(done, n) for n in range(vectors)]


def _side_by_side(b: ir.IRBuilder, x: ir.Value, y: ir.Value, first: int, count: int) -> ir.Value:
    """`count` elements of both from `first` on, in turn."""
    size = lanes_of(x)
    return shuffle(b, x, [first + i // 2 + i % 2 * size for i in range(2 * count)], y)


def transposed(
    b: ir.IRBuilder, isa: Isa, rows: Sequence[ir.Value], size: int, columns: int
) -> list[ir.Value]:
    """
    The first columns of a square of vectors of `size` elements (a power of two); rows that are not given hold zeros.
    Rows are put side by side as often as a half of them can be halved. Where two rows of bytes fit into a block,
    vectors hold two: shuffles take most of LLVM's time, and these are half as many.
    """
    zeros, steps = zero(rows[0].type), size.bit_length() - 1
    if rows[0].type is not ir.VectorType(I8, size) or 2 * size > BLOCK:
        return _put_side_by_side(b, isa, rows, size, steps, columns)
    given = [*rows, *[zeros] * (size - len(rows))]
    pairs = [
        _side_by_side(b, given[i], given[size // 2 + i], 0, size)
        for i in range(min(len(rows), size // 2))
    ]
    found = _put_side_by_side(b, isa, pairs, size // 2, steps - 1, -(-columns // 2))
    return [
        shuffle(b, found[n // 2], range(n % 2 * size, (n % 2 + 1) * size)) for n in range(columns)
    ]


def _put_side_by_side(
    b: ir.IRBuilder,
    isa: Isa,
    vectors: Sequence[ir.Value],
    count: int,
    steps: int,
    results: int,
) -> list[ir.Value]:
    """
    The first results of so many steps, each of which puts the halves of all vectors side by side with those of the
    vectors half of their `count` behind them. Those that are not given hold zeros, and are left out, as is what no
    result needs.
    """
    zeros = zero(vectors[0].type)
    needed = [[*range(results)]]
    for _ in range(steps - 1):
        read = {n // 2 + behind for n in needed[-1] for behind in (0, count // 2)}
        needed.append(sorted(read))
    found: dict[int, ir.Value] = dict(enumerate(vectors))
    for numbers in reversed(needed):
        before, found = found, {}
        for pair in sorted({n // 2 for n in numbers}):
            x, y = before.get(pair, zeros), before.get(pair + count // 2, zeros)
            if (x, y) != (zeros, zeros):
                halves = [n % 2 for n in numbers if n // 2 == pair]
                both = zip(halves, _halves_side_by_side(b, isa, x, y, halves), strict=True)
                found |= {2 * pair + half: value for half, value in both}
    return [found.get(n, zeros) for n in range(results)]


def _halves_side_by_side(
    b: ir.IRBuilder, isa: Isa, x: ir.Value, y: ir.Value, halves: Sequence[int]
) -> list[ir.Value]:
    """
    The lower (0) and upper (1) halves of both, side by side. Where an instruction does that, it is written as assembly:
    two thirds of LLVM's time for a transpose would go into combining shuffles, only to find these instructions.
    """
    lanes = lanes_of(x)
    orders = [[half * lanes // 2 + i // 2 + i % 2 * lanes for i in range(lanes)] for half in halves]
    bits = _bits(cast(ir.VectorType, x.type).element)
    if isa.vector in ("ymm", "zmm") and bits in UNPACKED and lanes * bits == 8 * BLOCK:
        return _unpacked_by_assembly(b, x, y, bits, halves)
    if isa.has_evex and bits in PERMUTED:
        return _permuted_by_assembly(b, x, y, bits, orders)
    return [shuffle(b, x, order, y) for order in orders]


def _bits(element: ir.Type) -> int | None:
    """Of integers and f32. LLVM has no registers of f16 for assembly where the instruction set has no such sums."""
    if isinstance(element, ir.IntType):
        return element.width
    return 32 if element is F32 else None


def _unpacked_by_assembly(
    b: ir.IRBuilder, x: ir.Value, y: ir.Value, bits: int, halves: Sequence[int]
) -> list[ir.Value]:
    """What `vpunpck*` makes of registers of one block."""
    given = len(halves)
    text = [
        f"vpunpck{'lh'[half]}{UNPACKED[bits]} ${given + 1}, ${given}, ${n}"
        for n, half in enumerate(halves)
    ]
    constraints = [*["=&v"] * (given - 1), "=v", "v", "v"]  # the last is written when all is read
    return _results_of(b, text, constraints, [x, y], len(halves))


def _permuted_by_assembly(
    b: ir.IRBuilder, x: ir.Value, y: ir.Value, bits: int, orders: Sequence[Sequence[int]]
) -> list[ir.Value]:
    """What `vpermt2*` takes from two registers, of which it overwrites the first with the result."""
    type = ir.VectorType(ir.IntType(bits), lanes_of(x))
    given = [x, y, *[ir.Constant(type, list(order)) for order in orders]]
    permute = f"vpermt2{PERMUTED[bits]}"
    if len(orders) == 1:
        return _results_of(b, [f"{permute} $2, $3, $0"], ["=v", "0", "v", "v"], given, 1)
    text = ["vmovdqa64 $1, $0", f"{permute} $3, $4, $0", f"{permute} $3, $5, $1"]
    return _results_of(b, text, ["=&v", "=v", "1", "v", "v", "v"], given, 2)


def _results_of(
    b: ir.IRBuilder,
    text: Sequence[str],
    constraints: Sequence[str],
    given: Sequence[ir.Value],
    results: int,
) -> list[ir.Value]:
    """What assembly gives: so many vectors of the type of the first that it is given."""
    type = given[0].type
    whole = type if results == 1 else b.module.struct(*[type] * results)
    signature = ir.FunctionType(whole, [value.type for value in given])
    done = b.asm(signature, "\\0A".join(text), ",".join(constraints), given)
    return [done] if results == 1 else [b.extract_value(done, n) for n in range(results)]


def in_turn(b: ir.IRBuilder, rows: Sequence[ir.Value], count: int) -> ir.Value:
    """The first `count` elements of two to four vectors, one of each in turn (interleaved)."""
    size = lanes_of(rows[0])
    most = len(rows) - 1
    halves = [_joined(b, rows[min(i, most)], rows[min(i + 1, most)]) for i in (0, 2)]
    order = [row * size + i for i in range(count) for row in range(len(rows))]
    return shuffle(b, halves[0], order, halves[1])


def in_turn_of_blocks(b: ir.IRBuilder, codes: ir.Value, rows: int, count: int) -> ir.Value:
    """
    The first `count` bytes of so many rows (two to four), one of each in turn. Each block of `codes` has the next four
    of every row: they take turns inside of it, and blocks close the gaps between them.
    """
    blocks, word = range(lanes_of(codes) // BLOCK), BLOCK // 4
    turns = [
        first * BLOCK + i % rows * word + i // rows % word for first in blocks for i in range(BLOCK)
    ]
    dwords = b.bitcast(shuffle(b, codes, turns), ir.VectorType(I32, len(blocks) * word))
    filled = [first * word + n for first in blocks for n in range(rows)]
    bytes = ir.VectorType(I8, len(filled) * 4)
    return shuffle(b, b.bitcast(shuffle(b, dwords, filled), bytes), range(rows * count))


def taken_apart(b: ir.IRBuilder, whole: ir.Value, count: int, size: int) -> list[ir.Value]:
    """
    The inverse: `count` vectors of `size` elements, which lie interleaved. Elements past the end repeat the last one.
    """
    last = lanes_of(whole) // count - 1
    return [
        shuffle(b, whole, [min(i, last) * count + row for i in range(size)]) for row in range(count)
    ]


def _side_by_side_of_four(b: ir.IRBuilder, rows: Sequence[ir.Value]) -> ir.Value:
    """Four rows in one register: first block k gets dword k of each, then each block is transposed."""
    whole = _joined(b, _joined(b, rows[0], rows[1]), _joined(b, rows[2], rows[3]))
    size = lanes_of(whole)
    blocks = size // BLOCK
    words = b.bitcast(whole, ir.VectorType(I32, size // 4))
    order = [row * blocks + block for block in range(blocks) for row in range(4)]
    bytes = b.bitcast(shuffle(b, words, order), whole.type)
    return shuffle(
        b,
        bytes,
        [
            first + row * 4 + i
            for first in range(0, size, BLOCK)
            for i in range(4)
            for row in range(4)
        ],
    )


def _joined(b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """The elements of x, then those of y."""
    return shuffle(b, x, range(2 * lanes_of(x)), y)


def _dwords_by_vector(b: ir.IRBuilder, row: ir.Value) -> ir.Value:
    """
    A register's dwords in an order that unpacking inside of blocks turns into theirs: dword k of block j is
    the j-th of vector k.
    """
    dwords = lanes_of(row) // 4
    words = b.bitcast(row, ir.VectorType(I32, dwords))
    return b.bitcast(shuffle(b, words, _dword_order(dwords)), row.type)


def _dword_order(dwords: int) -> list[int]:
    blocks = dwords * 4 // BLOCK
    return [blocks * k + j for j in range(blocks) for k in range(4)]


def _unpack(b: ir.IRBuilder, x: ir.Value, y: ir.Value, unit: ir.IntType, high: bool) -> ir.Value:
    """The lower (or upper) halves of each block of x and y, unit by unit in turn."""
    bytes = ir.VectorType(I8, lanes_of(x))
    size = BLOCK * 8 // unit.width
    count = lanes_of(x) * 8 // unit.width
    type = ir.VectorType(unit, count)
    x, y = b.bitcast(x, type), b.bitcast(y, type)
    mask = [
        block + high * (size // 2) + i // 2 + i % 2 * count
        for block in range(0, count, size)
        for i in range(size)
    ]
    return b.bitcast(shuffle(b, x, mask, y), bytes)
