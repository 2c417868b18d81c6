"""Products of f32 with weights that stay codes, against the reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product as every
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from lowstream.dialects import context, infra, kernel, qnn
from lowstream.interop.mlir import parse_module
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import available_isas, choose_isa
from lowstream.lowering.products import compressed_weights
from lowstream.lowering.products.compressed_weights import WIDE
from lowstream.lowering.products.split_activations import SplitActivations
from lowstream.lowering.sink_constants import SinkConstants
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.runtime.build import build
from lowstream.test.unit.lowering.codegen.native import Native

ISAS = [pytest.param(isa.name, id=isa.name) for isa in available_isas()]
TYPES = {"i8": np.int8, "ui8": np.uint8}


@pytest.fixture(autouse=True)
def few_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small ones count, too."""
    monkeypatch.setattr(compressed_weights, "LEAST_WEIGHTS", 1)


@dataclass(frozen=True)
class Case:
    """`x · ((c - zero) * scale)`; `along` says which dimension of the weights the scales move along."""

    lead: tuple[int, ...] = (1,)
    depth: int = 5
    columns: int = 7
    element: str = "i8"
    transposed: bool = True
    along: str = "columns"
    zero: str = "one"
    seed: int = 0
    groups: int = 1
    """Parts of the depth with zero points and scales of their own, which a reshape then puts together."""
    limits: tuple[int, int] | None = None
    """The least and the greatest code, both there; of the element where nothing is said."""

    def sizes(self, depth: int, groups: int, columns: int) -> tuple[int, ...]:
        parts = (groups, depth) if self.groups > 1 else (depth,)
        return (columns, *parts) if self.transposed else (*parts, columns)

    @property
    def module(self) -> ModuleOp:
        """Numbers are drawn in this order: codes, zero points, scales."""
        rng = np.random.default_rng(self.seed)
        limits = np.iinfo(TYPES[self.element])
        depth, groups, columns = self.depth // self.groups, self.groups, self.columns
        low, high = self.limits or (limits.min, limits.max)
        codes = rng.integers(low, high, self.sizes(depth, groups, columns), endpoint=True)
        codes.flat[:2] = low, high
        shared, each = self.sizes(1, 1, 1), self.sizes(1, groups, columns)
        zero = rng.integers(low, high, each if self.zero == "each" else shared, endpoint=True)
        shapes = {"columns": each, "depth": self.sizes(depth, groups, 1), "nothing": shared}
        scale = rng.uniform(0.01, 2, shapes[self.along]).astype(np.float32)
        return parse_module(self._text(codes, zero, scale), "case.mlir", context())

    def _text(self, codes: Array, zero: Array, scale: Array) -> str:
        """Zero points are subtracted where there are some, and groups put together where there are several."""
        values, element = f"tensor<{_by(codes.shape)}xf32>", self.element
        whole = (self.columns, self.depth) if self.transposed else (self.depth, self.columns)
        matrix = f"tensor<{_by(whole)}xf32>"
        x, y = (f"tensor<{_by((*self.lead, n))}xf32>" for n in (self.depth, self.columns))
        lines = [
            f"%c = nn.constant dense<{codes.tolist()}> : tensor<{_by(codes.shape)}x{element}>",
            f"%f = nn.convert %c to f32 : tensor<{_by(codes.shape)}x{element}> -> {values}",
        ]
        if self.zero != "none":
            codes_type, floats = (f"tensor<{_by(zero.shape)}x{each}>" for each in (element, "f32"))
            lines += [
                f"%z = nn.constant dense<{zero.tolist()}> : {codes_type}",
                f"%zf = nn.convert %z to f32 : {codes_type} -> {floats}",
                f"%d = nn.subtract %f, %zf : ({values}, {floats}) -> {values}",
            ]
        factor = f"tensor<{_by(scale.shape)}xf32>"
        lines += [
            f"%s = nn.constant dense<{scale.tolist()}> : {factor}",
            f"%w = nn.multiply %{'f' if self.zero == 'none' else 'd'}, %s : ({values}, {factor}) -> {values}",
        ]
        if self.groups > 1:
            lines += [
                f"%shape = nn.constant dense<{list(whole)}> : tensor<2xi64>",
                f"%m = nn.reshape %w, %shape : ({values}, tensor<2xi64>) -> {matrix}",
            ]
        weights, transposed = "%m" if self.groups > 1 else "%w", str(self.transposed).lower()
        product = (
            f"nn.mat_mul %x, {weights} {{transpose_b = {transposed}}} : ({x}, {matrix}) -> {y}"
        )
        body = "\n    ".join([*lines, f"%y = {product}", f"func.return %y : {y}"])
        return f"func.func @main(%x: {x}) -> {y} {{\n    {body}\n}}"

    @property
    def input(self) -> Array:
        shape = (*self.lead, self.depth)
        return np.random.default_rng(self.seed + 1).normal(size=shape).astype(np.float32)

    def check(self, isa: str) -> None:
        """The machine computes what the model says, within what rounding each sum may add."""
        module, x = self.module, self.input
        program = lower(module, isa)
        (isa_record,) = (one for one in available_isas() if one.name == isa)
        (have,) = Native(program, isa_record).run([x])
        (want,) = Executor(module).run([x])
        bound = 2.0**-22 * (self.depth + 2) * 512 * 2 * np.abs(x).sum(-1, keepdims=True)
        assert np.all(np.abs(have - want) <= bound)


def _by(shape: Any) -> str:
    return "x".join(map(str, shape))


def weights_of(module: ModuleOp, isa: str = "portable") -> Iterator[str]:
    """What the weights of each product are, as compiled: numbers, or codes of so many bits."""
    for op in lower(module, isa).body.block.ops:
        if isinstance(op, kernel.MatMulOp):
            yield from (str(kernel.shaped(b).get_element_type()) for b in op.b)
        if isinstance(op, kernel.CompressedMatMulOp):
            yield f"{op.bits.value.data} bits"


@st.composite
def cases(draw: st.DrawFn) -> Case:
    groups = draw(st.sampled_from([1, 2, 3]))
    return Case(
        groups=groups,
        lead=draw(st.sampled_from([(), (1,), (4,), (5,), (1, 2), (2, 1, 2), (7,), (16,), (67,)])),
        depth=groups * draw(st.sampled_from([1, 3, 8, 16, 31, 66, 300])),
        columns=draw(st.sampled_from([1, 3, 4, 7, 16, 17, 33, 130])),
        element=draw(st.sampled_from(list(TYPES))),
        transposed=draw(st.booleans()),
        along=draw(st.sampled_from(["columns", "depth", "nothing"])),
        zero=draw(st.sampled_from(["none", "one", "each"])),
        seed=draw(st.integers(0, 99)),
        limits=draw(st.sampled_from([None, (0, 15)])),
    )


@pytest.mark.parametrize("isa", ISAS)
@settings(max_examples=20)
@given(case=cases())
def test_products_are_what_the_model_says(isa: str, case: Case):
    case.check(isa)


@pytest.mark.host
def test_a_profile_knows_them():
    digits, product = build(Case(zero="none").module, None, profiling=True, threads=1).kernels
    assert (digits.name, digits.factors) == ("kernel.split_digits", ())
    assert (product.name, product.factors) == ("kernel.compressed_mat_mul", ("i8", "u8"))
    assert product.multiply_accumulates == 5 * 7


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("transposed", [True, False])
@pytest.mark.parametrize("along", ["columns", "nothing"])
@pytest.mark.parametrize("zero", ["none", "one", "each"])
def test_codes_stay(element: str, transposed: bool, along: str, zero: str):
    case = Case((2, 2), 40, 9, element, transposed, along, zero)
    assert list(weights_of(case.module)) == ["8 bits"]


@pytest.mark.parametrize("transposed", [True, False])
@pytest.mark.parametrize("along", ["columns", "nothing"])
@pytest.mark.parametrize("zero", ["none", "each"])
def test_codes_of_groups_stay(transposed: bool, along: str, zero: str):
    case = Case((2, 2), 64, 9, "i8", transposed, along, zero, groups=4)
    assert list(weights_of(case.module)) == ["8 bits"]


@pytest.mark.parametrize(
    ("limits", "bits"), [((-8, 7), 4), ((0, 15), 4), ((-8, 8), 8), ((-1, 15), 8)]
)
def test_codes_that_span_four_bits_are_packed_so(limits: tuple[int, int], bits: int):
    """Zero points are among them."""
    case = Case((2,), 64, 9, zero="none", groups=2, limits=limits)
    assert list(weights_of(case.module)) == [f"{bits} bits"]


@pytest.mark.parametrize("groups", [1, 2])
def test_each_group_has_four_bits_around_its_zero_point(groups: int):
    """Also where zero points have been subtracted from the codes, so that these span five bits."""
    case = Case((2,), 64, 9, "ui8", zero="each", groups=groups, limits=(0, 15))
    assert list(weights_of(case.module)) == ["4 bits"]


@pytest.mark.parametrize(
    "case",
    [
        Case(along="depth"),
        Case(lead=(5,)),
        Case(depth=32, along="depth", groups=2),
        Case(depth=30, groups=2),
        Case(lead=(5,), depth=32, groups=2),
    ],
    ids=[
        "scales of each row",
        "five rows",
        "scales of each row of groups",
        "groups of fifteen",
        "five rows, groups",
    ],
)
def test_others_are_numbers(case: Case):
    assert list(weights_of(case.module)) == ["f32"]


@pytest.mark.parametrize(
    ("isa", "rows"), [("portable", 4), ("avx2", 4), ("avx512_vnni", 64), ("neon_dot", 64)]
)
def test_so_many_rows_read_codes(isa: str, rows: int):
    """A row more makes numbers."""
    assert list(weights_of(Case((rows,)).module, isa)) == ["8 bits"]
    assert list(weights_of(Case((rows + 1,)).module, isa)) == ["f32"]


@pytest.mark.parametrize(
    ("isa", "weights"), [("avx2", "f32"), ("avx512_vnni", "8 bits"), ("neon_dot", "8 bits")]
)
def test_any_number_of_rows_reads_codes_of_many_columns(isa: str, weights: str):
    """Where one instruction sums four products of bytes. A column less makes numbers."""
    assert list(weights_of(Case((65,), columns=WIDE).module, isa)) == [weights]
    assert list(weights_of(Case((65,), columns=WIDE - 1).module, isa)) == ["f32"]


@pytest.mark.parametrize(
    ("isa", "stay"), [("avx2", False), ("avx512_vnni", True), ("neon_dot", True)]
)
def test_where_any_number_of_rows_reads_codes_an_unknown_one_does(isa: str, stay: bool):
    text = str(Case((65,), columns=WIDE).module).replace("<65x", "<?x")
    module = parse_module(text, "case.mlir", context())
    SinkConstants(isa).apply(context(), module)
    assert any(isinstance(op, qnn.DequantizeOp) for op in module.walk()) == stay


def test_rows_of_streams_are_as_many_for_each():
    module = Case((15,)).module
    module.attributes[infra.STREAMS] = IntegerAttr(3, i64)
    assert list(weights_of(module, "avx2")) == ["f32"]
    module.attributes[infra.STREAMS] = IntegerAttr(5, i64)
    assert list(weights_of(module, "avx2")) == ["8 bits"]


def test_zero_points_that_are_no_integers_make_numbers():
    text = str(Case(zero="one").module)
    assert list(weights_of(parse_module(text, "case.mlir", context()))) == ["8 bits"]
    text = re.sub(r"nn.convert %z to f32 : .*", "nn.constant dense<0.5> : tensor<1x1xf32>", text)
    assert list(weights_of(parse_module(text, "case.mlir", context()))) == ["f32"]


def test_zero_points_that_no_byte_has_make_numbers():
    text = str(Case(zero="one").module)
    for zero, kept in (("300", "f32"), ("-128", "8 bits")):
        line = f"nn.constant dense<{zero}.0> : tensor<1x1xf32>"
        changed = re.sub(r"nn.convert %z to f32 : .*", line, text)
        assert list(weights_of(parse_module(changed, "case.mlir", context()))) == [kept]


def test_groups_behind_a_transposed_operand_are_numbers():
    text = str(Case((2,), depth=32, groups=2, zero="none").module)
    text = text.replace("tensor<2x32xf32>", "tensor<32x2xf32>")
    text = text.replace("transpose_b = true", "transpose_a = true, transpose_b = true")
    assert list(weights_of(parse_module(text, "case.mlir", context()))) == ["f32"]


def test_few_weights_are_numbers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compressed_weights, "LEAST_WEIGHTS", 36)
    assert list(weights_of(Case(depth=5, columns=7, zero="none").module)) == ["f32"]
    monkeypatch.setattr(compressed_weights, "LEAST_WEIGHTS", 35)
    assert list(weights_of(Case(depth=5, columns=7, zero="none").module)) == ["8 bits"]


def test_what_overflows_as_a_scale_is_a_number():
    """`inf * 0` is NaN, which sums of codes do not know."""
    text = """func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
    %c = nn.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi8>
    %f = nn.convert %c to f32 : tensor<2x2xi8> -> tensor<2x2xf32>
    %s = nn.constant dense<0x7F800000> : tensor<1x1xf32>
    %w = nn.multiply %f, %s : (tensor<2x2xf32>, tensor<1x1xf32>) -> tensor<2x2xf32>
    %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    func.return %y : tensor<1x2xf32>
}"""
    assert list(weights_of(parse_module(text, "case.mlir", context()))) == ["f32"]


def test_columns_that_a_reshape_puts_together_are_numbers():
    """It puts groups of the depth together elsewhere."""
    text = """func.func @main(%x: tensor<1x32xf32>) -> tensor<1x8xf32> {
    %c = nn.constant dense<1> : tensor<4x2x32xi8>
    %f = nn.convert %c to f32 : tensor<4x2x32xi8> -> tensor<4x2x32xf32>
    %s = nn.constant dense<0.5> : tensor<4x1x1xf32>
    %w = nn.multiply %f, %s : (tensor<4x2x32xf32>, tensor<4x1x1xf32>) -> tensor<4x2x32xf32>
    %sizes = nn.constant dense<[8, 32]> : tensor<2xi64>
    %r = nn.reshape %w, %sizes : (tensor<4x2x32xf32>, tensor<2xi64>) -> tensor<8x32xf32>
    %y = nn.mat_mul %x, %r {transpose_b = true} : (tensor<1x32xf32>, tensor<8x32xf32>) -> tensor<1x8xf32>
    func.return %y : tensor<1x8xf32>
}"""
    assert list(weights_of(parse_module(text, "case.mlir", context()))) == ["f32"]


@pytest.mark.parametrize("transposed", [True, False])
def test_bytes_may_lie_in_either_order(transposed: bool):
    """They lie as products read them in the one, and are put in that order in the other."""
    text = f"""func.func @main(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {{
    %c = nn.constant dense<{np.arange(64).reshape(8, 8).tolist()}> : tensor<8x8xui8>
    %w = qnn.dequantize %c scale <dense<1.0> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
        : tensor<8x8xui8> -> tensor<8x8xf32>
    %y = nn.mat_mul %x, %w {{transpose_b = {str(transposed).lower()}}}
        : (tensor<1x8xf32>, tensor<8x8xf32>) -> tensor<1x8xf32>
    func.return %y : tensor<1x8xf32>
}}"""
    module, x = parse_module(text, "case.mlir", context()), np.ones((1, 8), np.float32)
    assert list(weights_of(module)) == ["8 bits"]
    (have,) = Native(lower(module, "portable"), choose_isa("portable")).run([x])
    np.testing.assert_array_equal(have, Executor(module).run([x])[0])


FIRST = np.arange(40) == 3
CHANGES: dict[str, Callable[[Array], Array]] = {
    "normal": lambda x: x,
    "zero": lambda x: 0 * x,
    "small": lambda x: x * 1e-30,
    "great": lambda x: x * 1e30,
    "outlier": lambda x: np.where(FIRST, 1e5, 0.1 * x),
    "nan": lambda x: np.where(FIRST, np.nan, x),
    "inf": lambda x: np.where(FIRST, np.inf, x),
    "-inf": lambda x: np.where(FIRST, -np.inf, x),
}


@pytest.mark.parametrize("early", [True, False])
def test_what_is_rounded_to_halves_on_the_way_stays_codes(early: bool):
    """Results are those of weights that are not rounded."""
    case = Case((2,), 64, 9, zero="one", groups=2)
    (want,) = Executor(case.module).run([case.input])
    lines = str(case.module).splitlines()
    half = "nn.convert %{0} to f16 : tensor<{1}xf32> -> tensor<{1}xf16>"
    wide = "nn.convert %{0} to f32 : tensor<{1}xf16> -> tensor<{1}xf32>"
    last, reshape = (next(i for i, line in enumerate(lines) if f"%{n} = " in line) for n in "ym")
    lines[last] = lines[last].replace("%m", "%m2")
    lines.insert(last, "%m2 = " + wide.format("m1", "9x64"))
    if early:
        lines[reshape] = (
            lines[reshape].replace("f32", "f16").replace("%m", "%m1").replace("%w", "%h")
        )
        lines.insert(reshape, "%h = " + half.format("w", "9x2x32"))
    else:
        lines.insert(last, "%m1 = " + half.format("m", "9x64"))
    module = parse_module("\n".join(lines), "case.mlir", context())
    program = lower(module)
    assert list(weights_of(module)) == ["8 bits"]
    (have,) = Native(program, choose_isa()).run([case.input])
    assert np.abs(have - want).max() < 1e-6 * np.abs(want).max()
    (rounded,) = Executor(module).run([case.input])
    assert np.abs(have - rounded).max() < 2.0**-9 * np.abs(want).max()


def split(case: Case) -> ModuleOp:
    """A model whose product reads codes."""
    module = case.module
    for each in (SinkConstants(), SplitActivations()):
        each.apply(context(), module)
    assert any(isinstance(op, kernel.CompressedMatMulOp) for op in module.walk())
    return module


@pytest.mark.parametrize("groups", [1, 2])
def test_sums_are_as_near_as_those_of_floats(groups: int):
    """
    Within a rounding of each factor and of the result, and half a unit of the greatest of each block; infinities stay.
    """
    case = Case((2,), 40, 17, zero="none", groups=groups)
    (weights,) = Executor(Case((40,), 40, 17, zero="none", groups=groups).module).run(
        [np.eye(40, dtype="f")]
    )
    program = lower(case.module)
    executors = [Executor(split(case)), Native(program, choose_isa())]
    for (name, change), executor in every(CHANGES.items(), executors):
        x = change(case.input).astype(np.float32)
        (have,) = executor.run([x])
        with np.errstate(invalid="ignore"):
            want = x.astype(np.float64) @ weights
        if not np.isfinite(x).all():
            assert np.array_equal(have, want.astype(np.float32), equal_nan=True), name
            continue
        each = np.abs(x) @ np.abs(weights)
        peaks = np.abs(x).reshape(2, groups, -1).max(-1).repeat(40 // groups, axis=1)
        bound = 2.0**-22 * np.abs(want) + 2.0**-24 * each + 2.0**-22.9 * peaks @ np.abs(weights)
        assert np.all(np.abs(have - want) <= bound), name


def test_short_activations_are_exact():
    """Numbers whose bits are within 23 of the greatest one's lose none."""
    case = Case((2,), 40, 17, zero="none", along="nothing")
    text = re.sub(r"(%s = nn.constant dense<)[^>]*", r"\1 0.5", str(case.module))
    x = np.random.default_rng(0).integers(-4095, 4096, (2, 40)).astype(np.float32)
    (have,) = Native(lower(parse_module(text, "case.mlir", context())), choose_isa()).run([x])
    (weights,) = Executor(parse_module(text.replace("2x", "40x"), "case.mlir", context())).run(
        [np.eye(40, dtype="f")]
    )
    assert np.array_equal(have, x.astype(np.float64) @ weights)
