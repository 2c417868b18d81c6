"""Vectors and loops in LLVM IR: what every emitter builds from."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import product as every

from ..machine import Isa
from . import ir
from .intrinsics import call_intrinsic

I1, I8, I16, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
F16, F32, F64 = ir.HalfType(), ir.FloatType(), ir.DoubleType()
POINTER = ir.PointerType()
VOID = ir.VoidType()


FIRST_LEVEL, SECOND_LEVEL = 3, 2
"""The cache that `prefetch` fetches into, as LLVM numbers locality."""


def splat(type: ir.Type, lanes: int, number: float) -> ir.Value:
    """A vector of `lanes` times this number."""
    return _splat(type, lanes, number, math.copysign(1, number))


@cache
def _splat(type: ir.Type, lanes: int, number: float, sign: float) -> ir.Value:
    """The same; `sign` tells apart the two zeros, which compare equal."""
    return ir.Value(ir.VectorType(type, lanes), f"splat ({ir.Constant(type, number).typed})")


@cache
def zero(type: ir.Type) -> ir.Value:
    """Zero in every lane."""
    return ir.Value(type, "zeroinitializer")


@cache
def undefined(type: ir.Type) -> ir.Value:
    """An undefined value."""
    return ir.Value(type, "poison")


@cache
def index(number: int) -> ir.Constant:
    """An i64 constant."""
    return ir.Constant(I64, number)


def broadcast(b: ir.IRBuilder, scalar: ir.Value, lanes: int) -> ir.Value:
    """`scalar` in every lane."""
    nothing = undefined(ir.VectorType(scalar.type, lanes))
    first = b.insert_element(nothing, scalar, index(0))
    return b.shuffle_vector(first, nothing, zero(ir.VectorType(I32, lanes)))


def shuffle(
    b: ir.IRBuilder, x: ir.Value, order: Iterable[int], y: ir.Value | None = None
) -> ir.Value:
    """Lanes of x and y in this order; those of y are numbered after those of x."""
    return b.shuffle_vector(x, undefined(x.type) if y is None else y, _places(tuple(order)))


@cache
def _places(order: tuple[int, ...]) -> ir.Constant:
    return ir.Constant(ir.VectorType(I32, len(order)), list(order))


def lanes_of(vector: ir.Value) -> int:
    """The number of lanes of a vector."""
    assert isinstance(vector.type, ir.VectorType)
    return vector.type.count


@cache
def first_lanes(lanes: int, active: int) -> ir.Constant:
    """A mask of the first `active` lanes."""
    return ir.Constant(ir.VectorType(I1, lanes), [int(i < active) for i in range(lanes)])


def leading_lanes(b: ir.IRBuilder, lanes: int, active: ir.Value) -> ir.Value:
    """The same where `active` is known only at run time, as an i64 that is at most `lanes`."""
    numbers = ir.Constant(ir.VectorType(I32, lanes), list(range(lanes)))
    return b.icmp_unsigned("<", numbers, broadcast(b, b.trunc(active, I32), lanes))


def fold_lanes(
    b: ir.IRBuilder,
    vectors: Sequence[ir.Value],
    combine: Callable[[ir.Value, ir.Value], ir.Value],
) -> ir.Value:
    """
    Combines all lanes of these vectors, a power of two of them, into one: the upper half is combined into the lower
    half, repeatedly.
    """
    found = list(vectors)
    while len(found) > 1:
        half = len(found) // 2
        found = [combine(low, high) for low, high in zip(found[:half], found[half:], strict=True)]
    (vector,) = found
    while (half := lanes_of(vector) // 2) > 0:
        low, high = (shuffle(b, vector, range(first, first + half)) for first in (0, half))
        vector = combine(low, high)
    return vector


def fold_each(
    b: ir.IRBuilder,
    vectors: Sequence[ir.Value],
    combine: Callable[[ir.Value, ir.Value], ir.Value],
) -> ir.Value:
    """
    The lanes of each of these vectors, a power of two of them, combined as `fold_lanes` does: lane n of the result is
    what vector n gives. Halves of two vectors share one, so that a step takes one combination for both.
    """
    found, width = list(vectors), lanes_of(vectors[0])
    while width > 1:
        half = width // 2
        count = lanes_of(found[0]) * min(2, len(found))
        low = [first + lane for first in range(0, count, width) for lane in range(half)]
        high = [lane + half for lane in low]
        others = found[1::2] or [None]
        found = [
            combine(shuffle(b, x, low, y), shuffle(b, x, high, y))
            for x, y in zip(found[::2], others, strict=True)
        ]
        width = half
    (result,) = found
    return result


def byte_offset(b: ir.IRBuilder, pointer: ir.Value, bytes: ir.Value | int) -> ir.Value:
    """The address so many bytes further."""
    if isinstance(bytes, int):
        bytes = index(bytes)
    if bytes is index(0):
        return pointer
    return b.gep(pointer, bytes, I8)


def prefetch_line(b: ir.IRBuilder, place: ir.Value, locality: int) -> None:
    """Prefetches the cache line at an address. It never faults."""
    reading, data = 0, 1
    flags = [ir.Constant(I32, flag) for flag in (reading, locality, data)]
    call_intrinsic(b, "llvm.prefetch", VOID, [place, *flags], [POINTER])


def prefetch_near(
    b: ir.IRBuilder,
    isa: Isa,
    pointer: ir.Value,
    lines: Sequence[int],
    count: int,
    stride: int | ir.Value,
) -> None:
    """
    Prefetches the cache lines so many bytes after each of `count` places, which lie `stride` bytes apart. There are
    many of them; on x86-64 they are one piece of inline assembly.
    """
    if not isa.vector:
        for i, line in every(range(count), lines):
            distance = scaled(b, index(i), stride)
            prefetch_line(b, byte_offset(b, byte_offset(b, pointer, distance), line), FIRST_LEVEL)
        return
    if isinstance(stride, int):
        found = [f"prefetcht0 {i * stride + line}($0)" for i, line in every(range(count), lines)]
        b.asm(ir.FunctionType(VOID, [POINTER]), "\\0A".join(found), "r", [pointer])
        return
    each = [f"prefetcht0 {line}($0)" for line in lines]
    found = [line for _ in range(count) for line in (*each, "addq $1, $0")]
    type = ir.FunctionType(POINTER, [I64, POINTER])
    b.asm(type, "\\0A".join(found[:-1]), "=&r,r,0,~{flags}", [stride, pointer])


def scaled(b: ir.IRBuilder, number: ir.Value, factor: int | ir.Value) -> ir.Value:
    """`number * factor`."""
    if factor == 1:
        return number
    if isinstance(number, ir.Constant) and isinstance(factor, int):
        assert isinstance(number.constant, int)
        return index(number.constant * factor)
    return b.mul(number, index(factor) if isinstance(factor, int) else factor)


def loop(
    b: ir.IRBuilder,
    count: ir.Value | int,
    carried: Sequence[ir.Value],
    emit: Callable[[ir.Value, list[ir.Value]], Sequence[ir.Value]],
    *,
    runs: bool = False,
) -> list[ir.Value]:
    """
    Emits a loop over 0 … count - 1. `emit` gets the index and the carried values of the iteration before, and gives
    those for the next. A loop whose count is known only at run time carries no values, unless it `runs` at least once.
    A known count of 0 or 1 makes no loop.
    """
    if isinstance(count, int) and count <= 1:
        return list(emit(index(0), list(carried))) if count == 1 else list(carried)
    before = b.block
    body = b.append_basic_block()
    after = b.append_basic_block()
    if isinstance(count, int) or runs:
        count = index(count) if isinstance(count, int) else count
        b.branch(body)
    else:
        assert not carried
        b.cbranch(b.icmp_signed(">", count, index(0)), body, after)

    b.position_at_end(body)
    position = b.phi(I64)
    position.add_incoming(index(0), before)
    phis = [b.phi(value.type) for value in carried]
    results = emit(position, list(phis))
    following = b.add(position, index(1))
    last = b.block
    b.cbranch(b.icmp_signed("<", following, count), body, after)
    position.add_incoming(following, last)
    for phi, first, value in zip(phis, carried, results, strict=True):
        phi.add_incoming(first, before)
        phi.add_incoming(value, last)

    b.position_at_end(after)
    return list(results)


def for_each(
    b: ir.IRBuilder,
    count: ir.Value | int,
    emit: Callable[[ir.Value], None],
    *,
    runs: bool = False,
) -> None:
    """Emits a `loop` that carries no values; `emit` gets the index."""

    def iteration(i: ir.Value, carried: list[ir.Value]) -> list[ir.Value]:
        emit(i)
        return []

    loop(b, count, [], iteration, runs=runs)


def for_each_block(
    b: ir.IRBuilder, total: ir.Value, size: ir.Value, emit: Callable[[ir.Value, ir.Value], None]
) -> None:
    """Emits a loop over blocks of `size`, the last one maybe smaller; `emit` takes where one begins, and its size."""

    def block(i: ir.Value) -> None:
        first = b.mul(i, size)
        emit(first, b.smin(b.sub(total, first), size))

    for_each(b, b.udiv(b.add(total, b.sub(size, index(1))), size), block)


def any_lane(b: ir.IRBuilder, flags: ir.Value) -> ir.Value:
    """Whether a flag of a vector of i1 is set, as i1."""
    assert isinstance(flags.type, ir.VectorType)
    mask = ir.IntType(flags.type.count)
    return b.icmp_signed("!=", b.bitcast(flags, mask), ir.Constant(mask, 0))


def unless(
    b: ir.IRBuilder, condition: ir.Value, usual: ir.Value, emit: Callable[[], ir.Value]
) -> ir.Value:
    """The usual value or, where the condition holds, which is unlikely, the one that `emit` computes then."""
    before, other, after = b.block, b.append_basic_block(), b.append_basic_block()
    b.cbranch(condition, other, after, is_unlikely=True)
    b.position_at_end(other)
    computed, behind = emit(), b.block
    b.branch(after)
    b.position_at_end(after)
    found = b.phi(usual.type)
    found.add_incoming(usual, before)
    found.add_incoming(computed, behind)
    return found


def loop_while(
    b: ir.IRBuilder,
    carried: Sequence[ir.Value],
    holds: Callable[[list[ir.Value]], ir.Value],
    emit: Callable[[list[ir.Value]], Sequence[ir.Value]],
) -> list[ir.Value]:
    """Emits a loop that runs while `holds` is true of the values that it carries; gives the last ones."""
    before = b.block
    test, body, after = (b.append_basic_block() for _ in range(3))
    b.branch(test)
    b.position_at_end(test)
    phis = [b.phi(value.type) for value in carried]
    b.cbranch(holds(list(phis)), body, after)
    b.position_at_end(body)
    results = emit(list(phis))
    for phi, first, value in zip(phis, carried, results, strict=True):
        phi.add_incoming(first, before)
        phi.add_incoming(value, b.block)
    b.branch(test)
    b.position_at_end(after)
    return list(phis)
