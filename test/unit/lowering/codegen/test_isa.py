"""Instruction sets: each instruction means what its record says, and only what exists is chosen."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from llvmlite import binding
from xdsl.dialects.builtin import IntegerType, StringAttr, f16, f32, f64, i8, i16, i32
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import kernel
from lowstream.dialects.kernel import PackedLayout
from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.compile import machine_of
from lowstream.lowering.codegen.instructions import emit_mac, emit_narrow
from lowstream.lowering.codegen.load import Library
from lowstream.lowering.codegen.lookup import emit_permute
from lowstream.lowering.codegen.vectors import byte_offset
from lowstream.lowering.instructions import Kind, Mac
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import (
    AVX2,
    AVX512_VNNI,
    AVX_VNNI,
    ISAS,
    NEON_DOT,
    PORTABLE,
    Isa,
    available_isas,
    choose_isa,
    features_in,
    planned_isa,
)
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.kernels import ui8, without_products
from lowstream.test.unit.lowering.codegen.mat_mul.case import Case
from lowstream.test.unit.lowering.codegen.native import assembly_of, call
from lowstream.test.unit.lowering.codegen.test_gather import Case as Gather
from lowstream.test.unit.lowering.codegen.test_reduce import Case as Reduce
from lowstream.test.unit.lowering.codegen.test_softmax import Case as Softmax
from lowstream.test.unit.lowering.convolution_case import ConvolutionCase

POINTER = ir.PointerType()
TYPES = {
    "i8": (ir.IntType(8), np.int8),
    "u8": (ir.IntType(8), np.uint8),
    "u4": (ir.IntType(8), np.uint8),
    "i16": (ir.IntType(16), np.int16),
    "u16": (ir.IntType(16), np.uint16),
    "i32": (ir.IntType(32), np.int32),
    "u32": (ir.IntType(32), np.uint32),
    "f32": (ir.FloatType(), np.float32),
    "f64": (ir.DoubleType(), np.float64),
}
MACS = [
    pytest.param(isa, mac, kind, id=f"{isa.name}-{mac.name}-{kind[0]}x{kind[1]}")
    for isa in available_isas()
    for mac in isa.macs
    for kind in sorted(mac.kinds)
    if kind[0][1:] == kind[1][1:] or mac.kr > 1 or kind[0] == "f32"
]


def run_mac(isa: Isa, mac: Mac, kind: Kind, acc: Array, a: Array, b: Array) -> Array:
    """The instruction alone, in a function of three pointers that replaces the accumulators."""
    accumulator = {"f32": ir.FloatType(), "f64": ir.DoubleType()}.get(kind[0], ir.IntType(32))
    wide = isa.lanes * mac.kr
    types = [
        ir.VectorType(accumulator, isa.lanes),
        *(ir.VectorType(TYPES[side][0], wide) for side in kind),
    ]
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER] * 3), "entry")
    builder = ir.IRBuilder(function.append_basic_block())
    values = [
        builder.load(pointer, align=1, typ=type)
        for pointer, type in zip(function.args, types, strict=True)
    ]
    acc_value, x, y = values
    builder.store(emit_mac(builder, mac, acc_value, x, y, kind), function.args[0], align=1)
    builder.ret_void()
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    library = Library([machine_of(isa).emit_object(parsed)], ["entry"])
    result = acc.copy()
    call(library["entry"], result, a, b)
    return result


def values_of(name: str, count: int, rng: np.random.Generator) -> Array:
    """Random values of an element type, the extremes of integers among them."""
    if name == "u4":
        return rng.choice([0, 7, 15], count).astype(np.uint8)
    dtype = np.dtype(TYPES[name][1])
    if dtype.kind == "f":
        return (rng.normal(size=count) * 10.0 ** rng.integers(-4, 4, count)).astype(dtype)
    limits = np.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, count, dtype, endpoint=True)
    return np.where(
        rng.random(count) < 0.5, values, rng.choice([limits.min, limits.max], count)
    ).astype(dtype)


@pytest.mark.parametrize(("isa", "mac", "kind"), MACS)
def test_instructions_mean_what_they_say(isa: Isa, mac: Mac, kind: Kind):
    rng = np.random.default_rng(0)
    for _ in range(4):
        a, b = (values_of(side, isa.lanes * mac.kr, rng) for side in kind)
        acc = values_of(kind[0] if kind[0][0] == "f" else "i32", isa.lanes, rng)
        expected = mac.meaning(acc, a, b)
        np.testing.assert_array_equal(run_mac(isa, mac, kind, acc, a, b), expected)


@pytest.mark.parametrize("fit", [False, True], ids=["anything", "fit"])
@pytest.mark.parametrize("signed", [False, True], ids=["u8", "i8"])
@pytest.mark.parametrize(
    "isa", [isa for isa in available_isas() if isa.narrow], ids=lambda isa: isa.name
)
@pytest.mark.parametrize("vectors", [1, 2, 3, 4])
@pytest.mark.parametrize("in_blocks", [False, True], ids=["vectors", "blocks"])
def test_narrowing_means_what_it_says(
    isa: Isa, signed: bool, fit: bool, vectors: int, in_blocks: bool
):
    assert isa.narrow is not None
    whole, count = isa.narrow.vectors * isa.lanes, vectors * isa.lanes
    edges = [2.0**30, -(2.0**30), 1e5, -0.0, 0.5, 1.5, 2.5, -0.5]
    edges += [] if fit else [np.nan, np.inf, -np.inf, 3e9, -3e9, 2.0**31, -(2.0**31)]
    edges += [126.5, 127.5, 128, 254.5, 255.5, 256, -127.5, -128.5, -129]
    x = np.random.default_rng(0).normal(scale=150, size=whole).astype(np.float32)
    x[: len(edges)] = edges
    x = np.ascontiguousarray(x[:count])
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER] * 2), "entry")
    builder = ir.IRBuilder(function.append_basic_block())
    vector = ir.VectorType(ir.FloatType(), isa.lanes)
    values = [
        builder.load(byte_offset(builder, function.args[0], 4 * isa.lanes * i), align=1, typ=vector)
        for i in range(vectors)
    ]
    codes = emit_narrow(builder, isa.narrow, values, signed, fit, in_blocks)
    builder.store(codes, function.args[1], align=1)
    builder.ret_void()
    library = Library([machine_of(isa).emit_object(binding.parse_assembly(str(module)))], ["entry"])
    expected = isa.narrow.meaning(x, signed)
    result = np.zeros(whole, expected.dtype)
    call(library["entry"], x, result)
    if in_blocks:  # [blocks, vectors, 4]
        result = result.reshape(-1, isa.narrow.vectors, 4)[:, :vectors].swapaxes(0, 1).ravel()
    np.testing.assert_array_equal(result[:count], expected)


@pytest.mark.parametrize(
    "isa", [isa for isa in available_isas() if isa.permute], ids=lambda isa: isa.name
)
def test_permutation_means_what_it_says(isa: Isa):
    permute = isa.permute
    assert permute is not None
    vector = ir.VectorType(ir.IntType(32), permute.lanes)
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER] * 3), "entry")
    builder = ir.IRBuilder(function.append_basic_block())
    table, x, to = function.args
    *tables, number = [
        builder.load(byte_offset(builder, pointer, 4 * permute.lanes * i), align=1, typ=vector)
        for pointer, i in (*((table, i) for i in range(permute.tables)), (x, 0))
    ]
    builder.store(emit_permute(builder, permute, tables, number), to, align=1)
    builder.ret_void()
    library = Library([machine_of(isa).emit_object(binding.parse_assembly(str(module)))], ["entry"])
    rng = np.random.default_rng(0)
    words, places = (values_of("i32", permute.lanes * n, rng) for n in (permute.tables, 1))
    result = np.zeros_like(places)
    call(library["entry"], words, places, result)
    np.testing.assert_array_equal(result, permute.meaning(words, places))


def test_fused_means_one_rounding():
    """`(1 + e)² - (1 + 2e)` is e², which a rounded product would lose."""
    for dtype, e in ((np.float32, 2.0**-20), (np.float64, 2.0**-40)):
        x = np.array([1 + e], dtype)
        (mac,) = (mac for mac in PORTABLE.macs if mac.name == "fma")
        (result,) = mac.meaning(np.array([-(1 + 2 * e)], dtype), x, x).tolist()
        assert Fraction(result) == Fraction(e) ** 2


# --- choice ---------------------------------------------------------------------------------

ZEN5 = AVX512_VNNI.requires | AVX_VNNI.requires


def test_the_best_one_is_chosen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("LOWSTREAM_ISA", raising=False)
    assert choose_isa(features=ZEN5) is AVX512_VNNI
    assert choose_isa(features=ZEN5 - {"avx512vnni"}) is AVX_VNNI
    assert choose_isa(features=ZEN5 - {"avx512vnni", "avxvnni"}) is AVX2
    assert choose_isa(features=frozenset({"neon", "dotprod", "fp16"})) is NEON_DOT
    assert choose_isa(features=frozenset()) is PORTABLE


NEOVERSE_N1 = """
processor\t: 0
BogoMIPS\t: 50.00
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp
CPU part\t: 0xd0c
"""


def test_linux_knows_the_dot_product(monkeypatch: pytest.MonkeyPatch):
    """LLVM finds it on no machine."""
    monkeypatch.delenv("LOWSTREAM_ISA", raising=False)
    assert features_in(NEOVERSE_N1) == {"dotprod"}
    assert features_in(NEOVERSE_N1.replace("asimddp", "asimd")) == frozenset()
    assert features_in("flags\t\t: fpu avx2 asimddp\n") == frozenset()
    assert choose_isa(features=features_in(NEOVERSE_N1) | {"neon"}) is NEON_DOT


def test_one_can_be_forced(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOWSTREAM_ISA", "avx2")
    assert choose_isa(features=ZEN5) is AVX2
    assert choose_isa("portable", ZEN5) is PORTABLE


@pytest.mark.parametrize(
    ("name", "problem"),
    [("avx512_vnni", "is not supported by this CPU"), ("avx1024", "is not an instruction set")],
)
def test_what_there_is_not(monkeypatch: pytest.MonkeyPatch, name: str, problem: str):
    monkeypatch.setenv("LOWSTREAM_ISA", name)
    listed = "this machine has avx2, portable"
    with pytest.raises(DiagnosticException, match=f"LOWSTREAM_ISA={name} {problem}; {listed}"):
        choose_isa(features=AVX2.requires)
    with pytest.raises(DiagnosticException, match=f"^isa={name} {problem}; {listed}"):
        choose_isa(name, AVX2.requires)


@pytest.mark.parametrize("isa", ISAS, ids=lambda isa: isa.name)
def test_plans_are_for_any(isa: Isa):
    """What this CPU lacks, too: they are not run."""
    case = ConvolutionCase((5, 5), (3, 3), (1, 1), (1, 1), ((0, 0),) * 2)
    (op,) = (op for op in lower(case.module, isa.name).walk() if op.name == "kernel.convolution")
    assert isinstance(op, kernel.ConvolutionOp) and op.layout is not None
    assert PackedLayout.of(op.layout).lanes == isa.lanes
    with pytest.raises(DiagnosticException, match=r"^isa=avx1024 is not .*; there are avx512_vnni"):
        planned_isa("avx1024")


FORBIDDEN = {
    AVX_VNNI: ("zmm", "{evex}"),
    AVX2: ("zmm", "vpdpbusd"),
    PORTABLE: ("zmm", "ymm", "vfmadd", "pmaddubsw"),
}


@pytest.mark.parametrize("kind", [(i8, i8), (ui8, i8), (ui8, ui8)], ids=str)
def test_arm_sums_bytes_in_one_instruction(kind: tuple[IntegerType, IntegerType]):
    program = Case(rows=3, columns=21, kinds=(kind,)).program(NEON_DOT)
    kernels, _ = assembly_of(program, NEON_DOT)
    assembly = machine_of(NEON_DOT, "aarch64-unknown-linux-gnu").emit_assembly(
        binding.parse_assembly(kernels)
    )
    wanted = "udot" if kind == (ui8, ui8) else "sdot"
    assert wanted in assembly


@pytest.mark.host
@pytest.mark.parametrize("isa", [AVX_VNNI, AVX2, PORTABLE], ids=lambda isa: isa.name)
def test_a_forced_one_uses_nothing_else(isa: Isa):
    for kind in ((i8, i8), (f32, f32), (f16, f32)):
        program = Case(rows=3, columns=21, kinds=(kind,)).program(isa)
        kernels, _ = assembly_of(program, isa)
        assembly = machine_of(isa).emit_assembly(binding.parse_assembly(kernels))
        assert not [word for word in FORBIDDEN[isa] if word in assembly]


# --- products -------------------------------------------------------------------------------


def test_the_fastest_product():
    def of(isa: Isa, *elements: tuple[object, object]) -> list[tuple[str, int, int]]:
        found = isa.products(elements)  # pyright: ignore[reportArgumentType]
        return [(product.mac.name, product.mac.kr, product.offset) for product in found]

    assert of(AVX512_VNNI, (ui8, i8)) == [("vpdpbusd", 4, 0)]
    assert of(AVX512_VNNI, (i8, i8)) == [("vpdpbusd", 4, 128)]
    assert of(AVX512_VNNI, (ui8, ui8)) == [("vpmaddwd", 2, 0)]
    # One layout for both: the step that both have.
    assert of(AVX512_VNNI, (i8, i8), (ui8, ui8)) == [("vpmaddwd", 2, 0)] * 2
    assert of(AVX_VNNI, (i8, i8)) == [("vpdpbusd", 4, 128)]
    assert of(AVX2, (i8, i8)) == [("vpmaddwd", 2, 0)]
    assert of(NEON_DOT, (i8, i8), (ui8, i8)) == [("dot", 4, 0), ("dot", 4, -128)]
    assert of(NEON_DOT, (ui8, ui8)) == [("dot", 4, 0)]
    assert of(PORTABLE, (i8, i8)) == [("multiply_add", 1, 0)]
    assert of(PORTABLE, (f32, f32)) == [("fma", 1, 0)]


def test_a_single_row_has_instructions_of_its_own():
    """Whatever the row's sign; and where weights are packed for them. Nearest miss: weights that are no codes i8."""
    for offset, elements in ((0, (i8, i8)), (-128, (ui8, i8))):
        (product,) = AVX2.products([elements], single_row=True)
        assert (product.mac.name, product.mac.kr, product.offset) == ("vpmaddubsw", 4, offset)
        assert AVX2.products([elements], 4, [offset]) == (product,)
    (product,) = AVX2.products([(ui8, ui8)], single_row=True)
    assert (product.mac.name, product.mac.kr) == ("vpmaddwd", 2)


def test_offsets_that_are_decided_stay():
    (product,) = AVX512_VNNI.products([(i8, i8)], None, [0])
    assert (product.mac.name, product.offset) == ("vpmaddwd", 0)
    (product,) = AVX512_VNNI.products([(i8, i8)], 4, [128])
    assert (product.mac.name, product.kind) == ("vpdpbusd", ("u8", "i8"))


def test_products_there_are_not():
    with pytest.raises(DiagnosticException, match="no way to sum products of f32 x f64 in one"):
        PORTABLE.products([(f32, f64)])
    with pytest.raises(
        DiagnosticException, match="i8 x i8 in one kernel with 4 elements of k at once"
    ):
        PORTABLE.products([(i8, i8)], 4)
    with pytest.raises(DiagnosticException, match="kernels have no elements of"):
        PORTABLE.products([(StringAttr("x"), i8)])
    assert PORTABLE.products([(i16, i32)])
    assert PORTABLE.products([(f64, f64)])


def test_instruction_sets_that_only_multiply_otherwise_are_one_for_other_kernels():
    """LLVM gets the same of both, but for the names of functions, in which that of the instruction set is."""
    assert without_products(ISAS) == [AVX512_VNNI, AVX2, NEON_DOT, PORTABLE]
    for case in (
        Gather(f16, 2, 5, 7, 19),
        Reduce("sum", ui8, f32, 2, (2, 3), 67, (3, 2), stride=2),
        Softmax(rows=(3,), keys=70, quantized=True),
    ):
        texts = {
            re.sub(r"Kernel\.\w+", "", "".join(assembly_of(case.program(), isa)))
            for isa in (AVX_VNNI, AVX2)
        }
        assert len(texts) == 1
