"""The machine's peak: the multiply-accumulates of a loop that does nothing else, all in registers."""

from __future__ import annotations

import ctypes
import time
from functools import cache

import numpy as np
from llvmlite import binding

from ...lowering.codegen import ir
from ...lowering.codegen.compile import machine_of
from ...lowering.codegen.instructions import emit_mac
from ...lowering.codegen.load import LoadedFunction
from ...lowering.codegen.vectors import F32, I8, I32, POINTER, byte_offset, loop, zero
from ...lowering.machine import BYTE_KINDS, Isa, Kind

SPARE = 4
"""Registers that hold no accumulator."""

ITERATIONS = 10000
"""Enough that the cost of the call does not count."""

RUNS = 100
"""Runs of which the best counts: a few milliseconds."""


class Peak:
    """Runs the loop of an instruction set's best multiply-accumulate for two kinds of elements."""

    def __init__(self, isa: Isa, kind: Kind):
        mac = next(mac for mac in isa.macs if kind in mac.kinds)
        sums = min(isa.registers - SPARE, 24)
        self.macs = ITERATIONS * sums * isa.lanes * mac.kr
        element, accumulator = (F32, F32) if kind[0] == "f32" else (I8, I32)
        factor = ir.VectorType(element, isa.lanes * mac.kr)
        total = ir.VectorType(accumulator, isa.lanes)
        module = ir.Module()
        function = ir.Function(module, ir.FunctionType(I32, [POINTER]), "entry")
        b = ir.IRBuilder(function.append_basic_block())
        place = function.args[0]
        x, y = (b.load(byte_offset(b, place, 64 * i), align=1, typ=factor) for i in range(2))

        def iteration(i: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            return [emit_mac(b, mac, one, x, y, kind) for one in sums]

        for i, one in enumerate(loop(b, ITERATIONS, [zero(total)] * sums, iteration)):
            b.store(one, byte_offset(b, place, 64 * i), align=1)
        b.ret(ir.Constant(I32, 0))
        self.code = LoadedFunction(
            [machine_of(isa).emit_object(binding.parse_assembly(str(module)))]
        )
        self.memory = np.zeros(64 * sums, np.uint8)
        self.address = ctypes.c_void_p(self.memory.ctypes.data).value or 0

    def nanoseconds(self) -> int:
        """One run."""
        start = time.perf_counter_ns()
        self.code.call(self.address)
        return time.perf_counter_ns() - start

    def giga_operations(self) -> float:
        """The best of several runs: billions of multiplications and additions a second, of one thread."""
        return 2 * self.macs / min(self.nanoseconds() for _ in range(RUNS))


@cache
def peak_of(isa: Isa, is_low: bool) -> float:
    """The peak of one thread, in billions of operations a second, of products of bytes or of f32."""
    if not is_low:
        return Peak(isa, ("f32", "f32")).giga_operations()
    kinds = next(kinds for mac in isa.macs if (kinds := mac.kinds & BYTE_KINDS))
    return Peak(isa, min(kinds)).giga_operations()
