"""Attention in one kernel gives every number that the kernels give one after the other, as does machine code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context, kernel
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.dialects.module import entry_of
from lowstream.interop.mlir import parse_module
from lowstream.lowering.attention import fuse_attention
from lowstream.lowering.attention.fuse_attention import FuseAttention
from lowstream.lowering.lower_to_kernels import fusing_passes, lower
from lowstream.lowering.machine import Isa
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.kernels import each_isa

MASKS = {"none": "", "added": "1x1x{keys}xf32", "chosen": "{rows}x{keys}xi1", "causal": ""}


def model(heads: int, sizes: tuple[int, int, int, int], mask: str, quantized: bool) -> str:
    """Attention as one operation, or spelled out with codes of i8 and probabilities of ui8."""
    rows, keys, depth, columns = sizes
    q, k, v, y = (
        f"tensor<1x{heads}x{m}x{n}x"
        for m, n in ((rows, depth), (keys, depth), (keys, columns), (rows, columns))
    )
    if quantized:
        s = f"tensor<1x{heads}x{rows}x{keys}x"
        return f"""func.func @main(%q: {q}i8>, %k: {k}i8>, %v: {v}i8>) -> {y}f32> {{
          %unit = nn.constant dense<0.01> : tensor<f32>
          %levels = nn.constant dense<255.0> : tensor<f32>
          %0 = nn.mat_mul %q, %k {{transpose_b = true}} : ({q}i8>, {k}i8>) -> {s}i32>
          %1 = nn.convert %0 to f32 : {s}i32> -> {s}f32>
          %2 = nn.multiply %1, %unit : ({s}f32>, tensor<f32>) -> {s}f32>
          %3 = nn.softmax %2 {{axis = -1 : i64}} : {s}f32>
          %4 = nn.multiply %3, %levels : ({s}f32>, tensor<f32>) -> {s}f32>
          %5 = nn.round %4 {{mode = "half_to_even"}} : {s}f32>
          %6 = nn.convert %5 to ui8 : {s}f32> -> {s}ui8>
          %7 = nn.mat_mul %6, %v : ({s}ui8>, {v}i8>) -> {y}i32>
          %8 = nn.convert %7 to f32 : {y}i32> -> {y}f32>
          func.return %8 : {y}f32>
        }}"""
    type = MASKS[mask].format(rows=rows, keys=keys)
    given, operand, typed = (
        (f", %m: tensor<{type}>", ", %m", f", tensor<{type}>") if type else ("", "", "")
    )
    causal = " {causal = true}" if mask == "causal" else ""
    return f"""func.func @main(%q: {q}f32>, %k: {k}f32>, %v: {v}f32>{given}) -> {y}f32> {{
      %y = nn.scaled_dot_product_attention %q, %k, %v{operand}{causal}
          : ({q}f32>, {k}f32>, {v}f32>{typed}) -> {y}f32>
      func.return %y : {y}f32>
    }}"""


def model_of_floats(heads: int, sizes: tuple[int, int, int, int]) -> str:
    """Attention spelled out in f32: the softmax divides, not what comes after it."""
    rows, keys, depth, columns = sizes
    q, k, v, y, s = (
        f"tensor<1x{heads}x{m}x{n}xf32>"
        for m, n in ((rows, depth), (keys, depth), (keys, columns), (rows, columns), (rows, keys))
    )
    return f"""func.func @main(%q: {q}, %k: {k}, %v: {v}) -> {y} {{
      %0 = nn.mat_mul %q, %k {{transpose_b = true}} : ({q}, {k}) -> {s}
      %1 = nn.softmax %0 {{axis = -1 : i64}} : {s}
      %2 = nn.mat_mul %1, %v : ({s}, {v}) -> {y}
      func.return %2 : {y}
    }}"""


def model_of_windows(windows: int, heads: int, sizes: tuple[int, int]) -> str:
    """Attention inside of windows: queries, keys and values lie side by side; one mask is added in five dimensions."""
    rows, depth = sizes
    qkv, parts, part, one, values, scores, masked, mask, y = (
        f"tensor<{'x'.join(map(str, shape))}xf32>"
        for shape in (
            (windows, rows, 3, heads, depth),
            (3, windows, heads, rows, depth),
            (1, windows, heads, rows, depth),
            (windows, heads, rows, depth),
            (windows, heads, depth, rows),
            (windows, heads, rows, rows),
            (1, windows, heads, rows, rows),
            (1, windows, 1, rows, rows),
            (windows, heads, rows, depth),
        )
    )
    index = "tensor<1xi64>"
    taken = "\n".join(
        f"""%s{i} = nn.slice %parts, %n{i}, %n{i + 1}, %n1, %n0
          : ({parts}, {index}, {index}, {index}, {index}) -> {part}
      %x{i} = nn.squeeze %s{i}, %n0 : ({part}, {index}) -> {one}"""
        for i in range(3)
    )
    numbers = "\n".join(f"%n{i} = nn.constant dense<{i}> : {index}" for i in range(4))
    return f"""func.func @main(%qkv: {qkv}, %mask: {mask}) -> {y} {{
      {numbers}
      %order = nn.constant dense<[2, 0, 3, 1, 4]> : tensor<5xi64>
      %more = nn.constant dense<[1, {windows}, {heads}, {rows}, {rows}]> : tensor<5xi64>
      %fewer = nn.constant dense<[{windows}, {heads}, {rows}, {rows}]> : tensor<4xi64>
      %parts = nn.transpose %qkv, %order : ({qkv}, tensor<5xi64>) -> {parts}
      {taken}
      %last = nn.constant dense<[0, 1, 3, 2]> : tensor<4xi64>
      %keys = nn.transpose %x1, %last : ({one}, tensor<4xi64>) -> {values}
      %a = nn.mat_mul %x0, %keys : ({one}, {values}) -> {scores}
      %b = nn.reshape %a, %more : ({scores}, tensor<5xi64>) -> {masked}
      %c = nn.add %b, %mask : ({masked}, {mask}) -> {masked}
      %d = nn.reshape %c, %fewer : ({masked}, tensor<4xi64>) -> {scores}
      %p = nn.softmax %d {{axis = -1 : i64}} : {scores}
      %y = nn.mat_mul %p, %x2 : ({scores}, {one}) -> {y}
      func.return %y : {y}
    }}"""


def inputs_of(module: ModuleOp) -> list[Array]:
    """Normal numbers, any codes, booleans of which the first of each row holds."""
    rng, found = np.random.default_rng(1), list[Array]()
    for value in entry_of(module).args:
        shape = shape_of(value)
        match str(tensor(value).element_type):
            case "i8":
                found.append(rng.integers(-128, 128, shape).astype(np.int8))
            case "i1":
                kept = rng.random(shape) < 0.5
                kept[..., 0] = True
                found.append(kept)
            case _:
                found.append(rng.normal(size=shape).astype(np.float32))
    return found


@pytest.fixture(autouse=True)
def fuse_all(monkeypatch: pytest.MonkeyPatch):
    """Few scores are fused, too."""
    monkeypatch.setattr(fuse_attention, "FAR_SCORES", 0)
    monkeypatch.setattr(fuse_attention, "FEWEST_QUERIES", 0)


MODELS = {
    "heads": st.integers(1, 3),
    "sizes": st.tuples(*[st.integers(2, 24)] * 2, *[st.integers(2, 9)] * 2),
    "mask": st.sampled_from(sorted(MASKS)),
    "quantized": st.booleans(),
}


@settings(max_examples=10)
@given(heads=MODELS["heads"], sizes=MODELS["sizes"])
def test_sums_are_divided(heads: int, sizes: tuple[int, int, int, int]):
    """Instead of weights in f32; a sum differs by roundings."""
    module = parse_module(model_of_floats(heads, sizes), "attention.mlir", context())
    inputs = inputs_of(module)
    (wanted,) = Executor(module).run(inputs)
    for item in fusing_passes():
        item.apply(context(), module)
    (op,) = (op for op in module.walk() if isinstance(op, kernel.AttentionOp))
    assert [type(inner) for inner in op.weight.block.ops] == [kernel.YieldOp]
    (result,) = Executor(module).run(inputs)
    np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)


@settings(max_examples=15)
@given(**MODELS)
def test_every_number_is_the_same(
    heads: int, sizes: tuple[int, int, int, int], mask: str, quantized: bool
):
    module = parse_module(model(heads, sizes, mask, quantized), "attention.mlir", context())
    inputs = inputs_of(module)
    for item in fusing_passes():
        if isinstance(item, FuseAttention):
            break
        item.apply(context(), module)
    wanted = Executor(module).run(inputs)
    FuseAttention().apply(context(), module)
    module.verify()
    assert sum(isinstance(op, kernel.AttentionOp) for op in module.walk()) == 1
    assert not any(isinstance(op, kernel.MatMulOp) for op in module.walk())
    for have, want in zip(Executor(module).run(inputs), wanted, strict=True):
        np.testing.assert_array_equal(have, want)


@each_isa
@pytest.mark.parametrize(("mask", "quantized"), [("chosen", False), ("none", True)])
def test_machine_code_from_a_model(isa: Isa, mask: str, quantized: bool):
    text = model(2, (9, 37, 6, 18), mask, quantized)
    module = parse_module(text, "attention.mlir", context())
    inputs, program = inputs_of(module), lower(module, isa.name)
    (result,) = ProgramExecutor(program).run(inputs)
    (wanted,) = Executor(module).run(inputs)
    np.testing.assert_allclose(result, wanted, rtol=2e-5, atol=2e-6 if not quantized else 0)
    check(program, isa, inputs)


@each_isa
@given(
    windows=st.integers(1, 3),
    heads=st.integers(1, 3),
    sizes=st.tuples(st.integers(2, 40), st.integers(1, 40)),
)
@settings(max_examples=10)
def test_windows(isa: Isa, windows: int, heads: int, sizes: tuple[int, int]):
    """They are fused where a mask has a dimension of 1 more; values are packed from where they lie."""
    text = model_of_windows(windows, heads, sizes)
    module = parse_module(text, "attention.mlir", context())
    inputs, program = inputs_of(module), lower(module, isa.name)
    assert sum(isinstance(op, kernel.AttentionOp) for op in program.walk()) == 1
    (result,) = ProgramExecutor(program).run(inputs)
    (wanted,) = Executor(module).run(inputs)
    np.testing.assert_allclose(result, wanted, rtol=2e-5, atol=2e-6)


@each_isa
@pytest.mark.parametrize("sizes", [(9, 5), (17, 16), (33, 37)])
def test_machine_code_of_windows(isa: Isa, sizes: tuple[int, int]):
    module = parse_module(model_of_windows(3, 2, sizes), "attention.mlir", context())
    check(lower(module, isa.name), isa, inputs_of(module))


def test_scores_that_leave_stay():
    """The product gives them twice, scaled and as they are: attention has the former only."""
    q, s = "tensor<1x9x6xf32>", "tensor<1x9x9xf32>"
    text = f"""func.func @main(%q: {q}, %k: {q}, %v: {q}) -> ({q}, {s}) {{
      %half = nn.constant dense<0.5> : tensor<f32>
      %s = nn.mat_mul %q, %k {{transpose_b = true}} : ({q}, {q}) -> {s}
      %scaled = nn.multiply %s, %half : ({s}, tensor<f32>) -> {s}
      %p = nn.softmax %scaled {{axis = -1 : i64}} : {s}
      %y = nn.mat_mul %p, %v : ({s}, {q}) -> {q}
      func.return %y, %s : {q}, {s}
    }}"""
    module = parse_module(text, "attention.mlir", context())
    inputs, program = inputs_of(module), lower(module, "portable")
    assert not any(isinstance(op, kernel.AttentionOp) for op in program.walk())
    for have, want in zip(
        ProgramExecutor(program).run(inputs), Executor(module).run(inputs), strict=True
    ):
        np.testing.assert_allclose(have, want, rtol=2e-5, atol=2e-6)
