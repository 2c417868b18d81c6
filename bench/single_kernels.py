"""
Times single kernels, as they come out of code generation, without a runtime around them; products and
convolutions as a share of the peak that the machine has at the same time.

    .venv/bin/python bench/single_kernels.py
"""

from __future__ import annotations

import argparse
import ctypes
import time
from collections.abc import Sequence

import numpy as np
from layers import FLOAT, INT8, Convolution, MatMulLayer
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    Signedness,
    StringAttr,
    f32,
    i8,
    i32,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from lowstream.dialects import context, kernel
from lowstream.dialects.kernel import Access, Term
from lowstream.lowering.calling_convention import FLAGS, Frame
from lowstream.lowering.codegen.compile import compile_program
from lowstream.lowering.codegen.load import LoadedProgram
from lowstream.lowering.codegen.schedule.mat_mul import MatMulSchedule
from lowstream.lowering.codegen.schedule.register_tiles import MatMulShape
from lowstream.lowering.expand_math import ExpandMath
from lowstream.lowering.kernel_bodies.bodies import Scalar, build_body
from lowstream.lowering.machine import Isa, choose_isa
from lowstream.reference.arrays import blob_of
from lowstream.runtime.profiling.peak import Peak

GATES = 4
SCALE = 1e-4
"""Of sums, so that gates are neither open nor shut: arithmetic with the subnormal numbers of these is slow."""
ui8 = IntegerType(8, Signedness.UNSIGNED)


def lstm_layer(isa: Isa, inputs: int, hidden: int, repeat: int = 1) -> kernel.ProgramOp:
    """One step of an int8 LSTM layer as fusion leaves it: two products, four gates, three results."""
    depths = (inputs, hidden)
    schedule = MatMulSchedule.choose(isa, MatMulShape(1, hidden, depths, GATES, [(i8, i8)] * 2))
    row = MemRefType(f32, [1, hidden])
    codes = [MemRefType(i8, [1, k]) for k in depths]
    block = Block(arg_types=[*codes, row, row, row, codes[1], MemRefType(i8, [0])])
    x, h, c, c_next, y, h_next, _ = block.args
    place = 0
    rng = np.random.default_rng(0)

    def constant(array: np.ndarray) -> SSAValue:
        nonlocal place
        op = kernel.ConstantOp(blob_of(array), place)
        block.add_op(op)
        place = -(-(place + array.nbytes) // kernel.ALIGNMENT) * kernel.ALIGNMENT
        return op.result

    def weights(depth: int) -> SSAValue:
        shape = schedule.layout.shape(hidden, GATES, depth)
        return constant(rng.integers(-128, 128, shape, np.int8))

    along = Access(2, (Term(1),))
    whole = Access.identity(2)
    b = [weights(k) for k in depths]
    scales = rng.normal(size=(3 * GATES, hidden)) * SCALE
    vectors = [constant(row.astype(np.float32)) for row in scales]

    types: list[Attribute] = [*[i32] * (2 * GATES), *[f32] * (3 * GATES + 1)]
    for _ in range(repeat):
        block.add_op(
            kernel.MatMulOp(
                [1, hidden],
                GATES,
                [x, h],
                b,
                kernel.Epilogue(
                    [*vectors, c],
                    [*[along] * len(vectors), whole, whole, whole, whole],
                    build_body(types, _gates),
                ),
                outs=[c_next, y, h_next],
                offset_a=schedule.offsets,
                layout=schedule.layout,
            )
        )
    return program_of(block, 3)


def _gates(*args: Scalar) -> Sequence[Scalar]:
    """The new cell state, the output and its code, from both products, scales, biases and the cell state."""
    sums, scales = args[: 2 * GATES], args[2 * GATES : 5 * GATES]
    gates: list[Scalar] = []
    for g in range(GATES):
        value = scales[2 * GATES + g]
        for p in range(2):
            value = sums[p * GATES + g].convert(i32, f32).fma(scales[p * GATES + g], value)
        gates.append(value)
    i, f, n, o = gates
    cell = f.sigmoid().fma(args[-1], i.sigmoid() * n.tanh())
    output = o.sigmoid() * cell.tanh()
    return cell, output, (output * 127.0).round_even().clamp(-128, 127).convert(f32, i32)


class Native:
    """A program with buffers of its own."""

    def __init__(self, program: kernel.ProgramOp, isa: Isa):
        compiled = compile_program(program, isa)
        self.code = LoadedProgram(compiled.objects)
        rng = np.random.default_rng(1)
        args = program.body.block.args
        weights = compiled.weights.in_memory()
        *sizes, _ = (kernel.storage_bytes(kernel.shaped(arg)) for arg in args)
        # The scratch memory of kernels lies behind the program's arena.
        sizes = [*sizes, compiled.arena_bytes, len(weights)]
        self.buffers = [aligned(size) for size in sizes]
        self.buffers[-1][:] = np.frombuffer(weights, np.uint8)
        for arg, buffer in zip(args, self.buffers, strict=False):
            if kernel.shaped(arg).get_element_type() == f32:
                buffer.view(np.float32)[:] = rng.normal(size=buffer.size // 4)
            else:
                buffer[:] = rng.integers(0, 256, buffer.size)
        inputs = len(program.inputs)
        addresses = [buffer.ctypes.data for buffer in self.buffers]
        tables = [addresses[:inputs], addresses[inputs:-2], [0], [0] * FLAGS]
        self.tables = [(ctypes.c_uint64 * max(len(t), 1))(*t) for t in tables]
        i, o, s, c = (ctypes.addressof(table) for table in self.tables)
        frame = Frame(i, o, s, addresses[-1], addresses[-2], c, 0)
        self.frame = (ctypes.c_uint64 * len(frame))(*frame)

    def nanoseconds(self) -> int:
        """One call."""
        start = time.perf_counter_ns()
        self.code.call(ctypes.addressof(self.frame))
        return time.perf_counter_ns() - start

    def best(self, calls: int) -> float:
        """The shortest of many calls, in µs."""
        return min(self.nanoseconds() for _ in range(calls)) / 1000


def aligned(size: int) -> np.ndarray:
    """Zeros from a multiple of ALIGNMENT on."""
    room = np.zeros(size + kernel.ALIGNMENT, np.uint8)
    return room[-room.ctypes.data % kernel.ALIGNMENT :][:size]


def program_of(block: Block, inputs: int) -> kernel.ProgramOp:
    """A program without states; the first arguments are its inputs."""

    def names(prefix: str, count: int) -> ArrayAttr[StringAttr]:
        return ArrayAttr([StringAttr(f"{prefix}{i}") for i in range(count)])

    program = kernel.ProgramOp(
        properties={
            "sym_name": StringAttr("main"),
            "inputs": names("x", inputs),
            "outputs": names("y", len(block.args) - inputs - 1),
            "states": ArrayAttr([]),
            "assigned": ArrayAttr([]),
            "inits": ArrayAttr([]),
        },
        regions=[Region(block)],
    )
    module = ModuleOp([program])
    ExpandMath().apply(context(), module)
    module.verify()
    return program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--isa", help="instruction set (default: the host's best)")
    parser.add_argument("--calls", type=int, default=3000, help="of each LSTM step")
    parser.add_argument("--time", type=float, default=2.0, help="seconds for each layer")
    options = parser.parse_args()
    isa = choose_isa(options.isa)
    repeat = 11
    for inputs, hidden in ((64, 128), (128, 128), (64, 256), (256, 256), (64, 512), (512, 512)):
        one, many = (
            Native(lstm_layer(isa, inputs, hidden, n), isa).best(options.calls) for n in (1, repeat)
        )
        kernel_time = (many - one) / (repeat - 1)
        macs = (inputs + hidden) * hidden * GATES
        print(
            f"{isa.name} LSTM step {inputs:3} -> {hidden:3}: {kernel_time:7.2f} µs "
            f"({macs / kernel_time / 1000:5.0f} GMAC/s), a call of one {one:.2f} µs"
        )

    for kind, layers in ((("u8", "i8"), INT8), (("f32", "f32"), FLOAT)):
        peak = Peak(isa, kind)
        for layer in layers:
            print(f"{isa.name} {kind[0]} {layer.name:28} {measure(layer, peak, isa, options.time)}")


def measure(layer: Convolution | MatMulLayer, peak: Peak, isa: Isa, seconds: float) -> str:
    """The layer and the peak in turns, the shortest of each: what both are without what else runs here."""
    native = Native(layer.program(isa), isa)
    ours = theirs = 1e18
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        theirs = min(theirs, peak.nanoseconds())
        ours = min(ours, native.nanoseconds())
    rate, most = layer.macs / ours, peak.macs / theirs
    return f"{ours / 1000:8.1f} µs {rate:5.0f} GMAC/s, {rate / most:4.0%} of {most:.0f}"


if __name__ == "__main__":
    main()
