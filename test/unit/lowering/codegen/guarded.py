"""
Runs whole networks, and with `light` kernels over odd sizes, each buffer flush against a closed page: before its first
byte, then after its last. A read or write outside ends the process that runs them.

    python -m lowstream.test.unit.lowering.codegen.guarded networks light over inside

Each of these is a process of its own, whose status is printed.
With `light`, LLVM compiles all kernels at the level for those that do next to no work; at the other level, `check` of
`judge` holds each kernel to the same.
With `over`, one kernel is told that it has a row more than there is, with `inside` one that writes to a buffer in the
middle of the arena: both must fault.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from multiprocessing import get_context
from typing import Any

import numpy as np
from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i8, i32
from xdsl.ir import Block, Operation, SSAValue

from lowstream.dialects import context, kernel
from lowstream.dialects.kernel import Access, Term, body_type
from lowstream.interop.mlir import parse_module
from lowstream.lowering.codegen import work
from lowstream.lowering.codegen.convolution.winograd import WinogradKernel
from lowstream.lowering.codegen.emitter import Emitter
from lowstream.lowering.kernel_bodies.bodies import build_body
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa, available_isas
from lowstream.reference.arrays import Array
from lowstream.reference.program import ProgramExecutor
from lowstream.runtime.build import prepared
from lowstream.test.unit.lowering.codegen.convolution.convolutions import (
    ConvolutionCase as Convolution,
)
from lowstream.test.unit.lowering.codegen.convolution.test_depthwise import Case as Depthwise
from lowstream.test.unit.lowering.codegen.convolution.test_winograd import Case as Winograd
from lowstream.test.unit.lowering.codegen.judge import GUARDS
from lowstream.test.unit.lowering.codegen.kernels import (
    VECTOR_ISAS,
    Memref,
    dense,
    one_kernel,
    program_of,
    random_array,
    ui8,
)
from lowstream.test.unit.lowering.codegen.mat_mul.case import Case
from lowstream.test.unit.lowering.codegen.native import Native
from lowstream.test.unit.lowering.codegen.products import ProductCase
from lowstream.test.unit.lowering.codegen.scattered import Scattered
from lowstream.test.unit.lowering.codegen.test_attention import Case as Attention
from lowstream.test.unit.lowering.codegen.test_gather import Case as Gather
from lowstream.test.unit.lowering.codegen.test_reduce import Case as Reduce
from lowstream.test.unit.runtime.small_networks import NETWORKS


def map_of(element: Any, domain: Sequence[int], order: Sequence[int]) -> kernel.ProgramOp:
    """A transposed map and a broadcast one, to two outputs."""
    rank = len(domain)
    transposed_access = Access(rank, tuple(Term(d) for d in order))
    along = Access(rank, (Term(rank - 1),))
    whole = Access.identity(rank)
    type = body_type(element)

    def make(ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> Operation:
        region = build_body([type, type], lambda x, y: [x, y])
        accesses = [transposed_access, along, whole, transposed_access]
        return kernel.MapOp(domain, ins, accesses, region, outs=outs)

    shape = [domain[d] for d in order]
    ins = [dense(element, *shape), dense(element, domain[-1])]
    return one_kernel(ins, [dense(element, *domain), dense(element, *shape)], make)


def copy_of(type: Memref) -> kernel.ProgramOp:
    """A copy."""
    return one_kernel([type], [type], lambda ins, outs: kernel.CopyOp(ins[0], outs[0]))


def depthwise_cases(isa: Isa) -> Iterator[Depthwise]:
    """Rows, columns and channels left over; windows with gaps; one, two and three dimensions."""
    for kind, channels in product(((ui8, i8), (i8, i8), (f32, f32)), (1, 3 * isa.lanes + 5)):
        yield Depthwise(positions=(3, 2), channels=channels, kind=kind)
        yield Depthwise(positions=(2, 3), channels=channels, kind=kind, strides=(2, 2))
    yield Depthwise(positions=(3, 4), channels=isa.lanes + 1, units=2, dilations=(2, 3))
    yield Depthwise(positions=(5, 1), channels=5, taps=(5, 2), packed=False)
    for rank in (1, 3):
        ones, sizes = (1,) * rank, (3,) * rank
        yield Depthwise(2, sizes, isa.lanes - 1, 1, sizes, ones, ones)
    yield Depthwise(1, (2, 2, 3), isa.lanes + 1, 2, (5, 4, 4), (1, 2, 1), (1, 1, 2), (f32, f32))


def convolution_cases(isa: Isa) -> Iterator[Convolution]:
    """
    Units, channels and positions left over, in slices of concatenations as well; windows with gaps; taps that are
    one row with the channels; one, two and three dimensions.
    """
    kinds = ((ui8, i8), (i8, i8), (ui8, ui8), (f32, f32))
    sizes = ((1, 3), (isa.lanes + 1, 2), (3 * isa.lanes - 1, 7))
    for i, (kind, (units, channels)) in enumerate(product(kinds, sizes)):
        yield Convolution(units=units, channels=channels, kind=kind, packed=i % 2 == 0)
    yield Convolution(units=isa.lanes + 1, channels=6, strides=(2, 3), dilations=(2, 1), codes=i8)
    yield Convolution(positions=(7, 7), channels=5, units=5, groups=2, room=3)
    yield Convolution(positions=(31, 1), taps=(1, 1), channels=9, units=2 * isa.lanes + 1)
    yield Convolution(positions=(3, 5), taps=(1, 1), channels=67, units=128 + isa.lanes + 1)
    yield Convolution(positions=(3, 5), taps=(1, 1), channels=68, units=64 + isa.lanes + 1)
    yield Convolution(positions=(2, 40), taps=(7, 7), strides=(2, 2), channels=3)
    for rank in (1, 3):
        ones, sizes = (1,) * rank, (3,) * rank
        yield Convolution(2, sizes, sizes, ones, ones, channels=3, units=isa.lanes - 1)


def winograd_cases(isa: Isa) -> Iterator[Winograd]:
    """Tiles, channels and units left over, in slices of concatenations as well."""
    for tile, positions in ((2, (3, 4)), (4, (4, 7))):
        for more in (-1, 1):
            sizes = positions, isa.lanes + more, 2 * isa.lanes + more
            yield Winograd(tile, *sizes, rows=3, room=more + 1)


def attention_cases(isa: Isa) -> Iterator[Attention]:
    """Rows, keys, columns and depths left over; codes and numbers; shared keys and values."""
    sizes = ((1, 1, 1), (isa.lanes + 1, 2 * isa.lanes + 1, 7))
    for codes, (i, (keys, columns, depth)) in product((True, False), enumerate(sizes)):
        yield Attention((), 5, keys, depth, columns, codes, codes, packed=codes == bool(i))
    yield Attention((2,), 3, isa.lanes - 1, 5, 3, codes=True, shared=True)


def programs(
    isa: Isa,
) -> Iterator[tuple[kernel.ProgramOp, ProductCase | None]]:
    """
    Every kind of kernel, at sizes just under, at and over those of vectors, tiles and steps. Weights are packed in
    every second one, so that each type and each size is seen both ways.
    """
    for element in (i1, i8, ui8, i32, f16, bf16, f32, f64):
        for columns in (1, isa.lanes - 1, isa.lanes + 1):
            yield map_of(element, [3, columns], [1, 0]), None
            yield map_of(element, [columns], [0]), None
        yield copy_of(dense(element, 3, 7)), None
    kinds = ((i8, i8), (ui8, i8), (ui8, ui8), (f32, f32))
    sizes = ((1, 1, 1), (1, 2 * isa.lanes + 1, 7), (5, isa.lanes - 1, 66))
    for i, (kind, (rows, columns, depth)) in enumerate(product(kinds, sizes)):
        case = Case(
            rows=rows,
            columns=columns,
            groups=2,
            depths=(depth, depth + 1),
            kinds=(kind, kind),
            packed=i % 2 == 0,
            k_by_n=i % 4 == 3,
        )
        yield case.program(isa), case
    case = Case(rows=9, columns=128 + isa.lanes + 1, depths=(67,), kinds=((i8, i8),))
    yield case.program(isa), case
    anchored = attention_cases, convolution_cases, depthwise_cases, winograd_cases
    for case in (case for cases in anchored for case in cases(isa)):
        yield case.program(isa), case
    for element in (ui8, f16, f32):
        for inner in (1, isa.lanes + 1, 7 * isa.lanes + 3):
            yield (
                Reduce("max", element, element, 2, (2, 3), inner, (3, 2), stride=2).program(),
                None,
            )
            yield Gather(element, 2, 3, inner, 2).program(), None
            yield Gather(element, 2, 3, 2, inner).program(), None
        for window in (7, 50):
            reduce = Reduce("sum", element, f32, 2, (2,), 3, (window,), lanes=16, last=True)
            yield reduce.program(), None


PRODUCTS = """func.func @main(
    %a: tensor<2x5x35xf32>, %b: tensor<2x35x67xf32>, %c: tensor<2x67x35xf32>
) -> (tensor<2x5x67xf32>, tensor<2x5x67xf32>) {
  %x = nn.mat_mul %a, %b : (tensor<2x5x35xf32>, tensor<2x35x67xf32>) -> tensor<2x5x67xf32>
  %y = nn.mat_mul %a, %c {transpose_b = true} : (tensor<2x5x35xf32>, tensor<2x67x35xf32>) -> tensor<2x5x67xf32>
  func.return %x, %y : tensor<2x5x67xf32>, tensor<2x5x67xf32>
}"""
"""
Two whose right operands are computed, one read where it lies and one packed in each call; columns do not fill the last
vectors.
"""


def networks(isa: Isa) -> Iterator[tuple[kernel.ProgramOp, list[Array]]]:
    """Programs of a whole network, which instruction sets take in turn, and of products, with inputs for each."""
    turns = (("residual", True), ("inverted", True), ("inverted", False))
    name, low = turns[available_isas().index(isa) % len(turns)]
    module, image = NETWORKS[name](low)
    yield lower(prepared(module, "auto"), isa.name), [image]
    products = parse_module(PRODUCTS, "products.mlir", context())
    shapes = (2, 5, 35), (2, 35, 67), (2, 67, 35)
    yield lower(products, isa.name), [np.ones(shape, np.float32) for shape in shapes]


def run_kernels(isa: Isa) -> None:
    """Each on random inputs; those without products where they differ."""
    rng = np.random.default_rng(0)
    for program, case in programs(isa):
        if case is None and isa not in VECTOR_ISAS:
            continue
        inputs = (
            [random_array(rng, arg.type) for arg in program.input_args]
            if case is None
            else case.inputs(program, isa)
        )
        native = Native(program, isa)
        for guard in GUARDS:
            native.place(guard)
            for argument, array in zip(program.input_args, inputs, strict=True):
                native.set(argument, array)
            assert native.call() == 0


def run_networks(isa: Isa) -> None:
    """Each with every buffer of the arena and every constant beside a closed page."""
    for program, inputs in networks(isa):
        Scattered(program, isa).check(inputs, ProgramExecutor(program).run(inputs))


def leave(program: kernel.ProgramOp) -> kernel.ProgramOp:
    """Its first kernel thinks that there is a row more."""
    op = next(op for op in program.body.block.ops if isinstance(op, kernel.MapOp))
    rows, *rest = op.shape
    op.properties["domain"] = kernel.MapOp([rows + 1, *rest], [], [], op.body.clone()).domain
    return program


def through_arena(columns: int) -> kernel.ProgramOp:
    """Two rows of three go to the middle of an arena, and on from there."""
    whole, type = Access.identity(2), dense(f32, 2, columns)

    def make(block: Block, ins: Sequence[SSAValue], outs: Sequence[SSAValue]) -> None:
        kept = kernel.BufferOp(block.args[-1], kernel.ALIGNMENT, type)
        block.add_op(kept)
        for source, target in ((ins[0], kept.result), (kept.result, outs[0])):
            same = build_body([f32], lambda x: x)
            block.add_op(kernel.MapOp([2, columns], [source], [whole] * 2, same, outs=[target]))

    return program_of([dense(f32, 3, columns)], [type], make, arena=16 * columns)


def run(mode: str) -> None:
    """What goes on in the process of this name."""
    isas = available_isas()
    work.LIGHT_WORK = 0
    if mode == "over":
        Native(leave(map_of(f32, [2, isas[0].lanes], [0, 1])), isas[0], guard="after").call()
    elif mode == "inside":
        program, x = through_arena(64), np.ones((3, 64), np.float32)
        Native(program.clone(), isas[0], guard="after").run([x])
        Native(leave(program.clone()), isas[0], guard="after").run([x])
        print("not seen in the arena", flush=True)
        Scattered(leave(program), isas[0]).run([x], "after")
    else:
        if mode == "light":
            work.LIGHT_PART = Emitter.small_part = WinogradKernel.small_part = 0
        for isa in isas:
            if mode == "light":
                run_kernels(isa)
            run_networks(isa)


def main(modes: Sequence[str]) -> None:
    for mode in modes:
        process = get_context("fork").Process(target=run, args=(mode,))
        process.start()
        process.join()
        print(mode, process.exitcode, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
