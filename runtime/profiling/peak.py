"""
The machine's peak: the multiply-accumulates of a loop that does nothing else. Sums stay in registers; a factor of each
is loaded, which costs nothing beside, so that all products are computed.
"""

from __future__ import annotations

import time
from functools import cache

import numpy as np
from llvmlite import binding

from ...lowering.codegen import ir
from ...lowering.codegen.compile import machine_of
from ...lowering.codegen.instructions import emit_mac
from ...lowering.codegen.load import LoadedFunction
from ...lowering.codegen.vectors import F32, I8, I16, I32, POINTER, byte_offset, loop, zero
from ...lowering.instructions import BYTE_KINDS, WORD_KINDS, Kind, Mac
from ...lowering.machine import Isa

SPARE = 4
"""Registers that hold no accumulator."""

BYTES = 64
"""Of the largest vectors, which lie at multiples of that."""

ITERATIONS = 10000
"""Enough that the cost of the call does not count."""

RUNS = 100
"""Runs of which the best counts: a few milliseconds."""


class Peak:
    """
    Runs the loop of an instruction set's best multiply-accumulate for two kinds of elements. Bytes that it multiplies
    as words are widened already.
    """

    def __init__(self, isa: Isa, kind: Kind):
        mac = next(mac for mac in isa.macs if kind in mac.kinds)
        sums = min(isa.registers - SPARE, 24)
        self.macs = ITERATIONS * sums * isa.lanes * mac.kr
        assembly = str(loop_of(isa, mac, kind, sums))
        self.code = LoadedFunction([machine_of(isa).emit_object(binding.parse_assembly(assembly))])
        self.memory = np.zeros(BYTES * (sums + 1), np.uint8)
        self.address = -(-self.memory.ctypes.data // BYTES) * BYTES

    def nanoseconds(self) -> int:
        """One run."""
        start = time.perf_counter_ns()
        self.code.call(self.address)
        return time.perf_counter_ns() - start

    def giga_operations(self) -> float:
        """The best of several runs: billions of multiplications and additions a second, of one thread."""
        return 2 * self.macs / min(self.nanoseconds() for _ in range(RUNS))


def loop_of(isa: Isa, mac: Mac, kind: Kind, sums: int) -> ir.Module:
    """A function `entry` with the loop, which takes memory for `sums` vectors of zeros."""
    if kind in BYTE_KINDS and mac.kinds >= WORD_KINDS:
        (kind,) = WORD_KINDS
    total = ir.VectorType(F32 if kind[0] == "f32" else I32, isa.lanes)
    factor = ir.VectorType({"f32": F32, "i16": I16}.get(kind[0], I8), isa.lanes * mac.kr)
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(I32, [POINTER]), "entry")
    b = ir.IRBuilder(function.append_basic_block())
    places = [byte_offset(b, function.args[0], BYTES * i) for i in range(sums)]
    y = b.load(places[0], align=1, typ=factor)

    def iteration(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        b.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [])
        factors = [b.load(place, align=1, typ=factor) for place in places]
        return [emit_mac(b, mac, one, x, y, kind) for one, x in zip(sums, factors, strict=True)]

    for one, place in zip(
        loop(b, ITERATIONS, [zero(total)] * sums, iteration), places, strict=True
    ):
        b.store(one, place, align=1)
    b.ret(ir.Constant(I32, 0))
    return module


@cache
def peak_of(isa: Isa, is_low: bool) -> float:
    """The peak of one thread, in billions of operations a second, of products of bytes or of f32."""
    if not is_low:
        return Peak(isa, ("f32", "f32")).giga_operations()
    kinds = next(kinds for mac in isa.macs if (kinds := mac.kinds & BYTE_KINDS))
    return Peak(isa, min(kinds)).giga_operations()
