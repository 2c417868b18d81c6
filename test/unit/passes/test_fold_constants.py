"""`fold-constants`: what is folded is what would have been computed, and takes no more room than allowed."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from lowstream.dialects import context, nn
from lowstream.dialects.module import entry_of
from lowstream.passes import infer_shapes
from lowstream.passes.fold_constants import ALLOWANCE, SMALL, folded
from lowstream.passes.pipeline import run_passes
from lowstream.passes.shapes import computed_integers
from lowstream.passes.shapes.computed_integers import Size
from lowstream.reference.arrays import blob_of
from lowstream.reference.executor import Executor

VALUES = ("dense<[[1.5, -2.0], [0.25, 3.0]]>", "dense<-0.5>")
UNARY = ("nn.relu", "nn.sigmoid", "nn.tanh", "nn.clamp")
BINARY = ("nn.add", "nn.subtract", "nn.multiply", "nn.divide", "nn.maximum", "nn.minimum")
MATRIX = "tensor<2x2xf32>"


@st.composite
def expressions(draw: st.DrawFn) -> str:
    """A random chain of operations on constants, all equal or not, of one shape."""
    lines = [f"%v0 = nn.constant {draw(st.sampled_from(VALUES))} : {MATRIX}"]
    for i in range(1, draw(st.integers(1, 6)) + 1):
        a, b = (f"%v{draw(st.integers(0, i - 1))}" for _ in range(2))
        match draw(st.sampled_from(("constant", "unary", "binary", "matrix", "move", "parts"))):
            case "constant":
                lines.append(f"%v{i} = nn.constant {draw(st.sampled_from(VALUES))} : {MATRIX}")
            case "unary":
                op = draw(st.sampled_from(UNARY))
                limits = "{min = -0.5 : f64, max = 0.5 : f64}" if op == "nn.clamp" else ""
                lines.append(f"%v{i} = {op} {a} {limits} : {MATRIX}")
            case "binary":
                op = draw(st.sampled_from(BINARY))
                lines.append(f"%v{i} = {op} {a}, {b} : ({MATRIX}, {MATRIX}) -> {MATRIX}")
            case "matrix":
                lines.append(f"%v{i} = nn.mat_mul {a}, {b} : ({MATRIX}, {MATRIX}) -> {MATRIX}")
            case "move":
                lines += [
                    f"%o{i} = nn.constant dense<[1, 0]> : tensor<2xi64>",
                    f"%v{i} = nn.transpose {a}, %o{i} : ({MATRIX}, tensor<2xi64>) -> {MATRIX}",
                ]
            case _:
                part = "tensor<1x2xf32>"
                halves = f"({MATRIX}, tensor<i64>) -> ({part}, {part})"
                whole = f"({part}, {part}) -> {MATRIX}"
                lines += [
                    f"%o{i} = nn.constant dense<0> : tensor<i64>",
                    f"%p{i}, %q{i} = nn.split {a}, %o{i} {{num_splits = 2 : i64}} : {halves}",
                    f"%v{i} = nn.concat %q{i}, %p{i} {{axis = 0 : i64}} : {whole}",
                ]
    last = lines[-1].split(" ", 1)[0]
    lines.append(f"func.return {last} : {MATRIX}")
    return "\n  ".join((f"func.func @main() -> {MATRIX} {{", *lines)) + "\n}"


@given(text=expressions())
def test_what_is_folded_is_what_would_have_been_computed(text: str):
    module = Parser(context(), text).parse_module()
    (expected,) = Executor(module).run([])
    run_passes(module, "fold-constants")
    returned = entry_of(module).get_return_op()
    assert returned is not None
    assert isinstance(returned.operands[0].owner, nn.ConstantOp)
    (ours,) = Executor(module).run([])
    np.testing.assert_array_equal(ours, expected)


def held(module: ModuleOp) -> int:
    """The bytes that constants occupy."""
    constants = [op for op in module.walk() if isinstance(op, nn.ConstantOp)]
    return sum(memoryview(constant.value.data.buffer).nbytes for constant in constants)


@pytest.mark.parametrize("rows", [ALLOWANCE // 8, ALLOWANCE // 8 + 16])
def test_small_constants_are_not_blown_up(rows: int):
    """Two numbers repeated fold up to the allowance (and twice their own bytes), and not beyond."""
    text = f"""
    func.func @main() -> tensor<{rows}x2xf32> {{
      %two = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %shape = nn.constant dense<[{rows}, 2]> : tensor<2xi64>
      %x = nn.broadcast %two, %shape : (tensor<2xf32>, tensor<2xi64>) -> tensor<{rows}x2xf32>
      func.return %x : tensor<{rows}x2xf32>
    }}"""
    module = Parser(context(), text).parse_module()
    run_passes(module, "fold-constants")
    is_folded = not any(isinstance(op, nn.BroadcastOp) for op in module.walk())
    assert is_folded == (rows == ALLOWANCE // 8)
    assert held(module) <= ALLOWANCE + 64


@pytest.mark.parametrize("size", [SMALL // 4, SMALL // 4 + 1])
def test_reading_computes_small_results_alone(size: int):
    """Weights stay where they lie until the model is compiled."""
    number = nn.ConstantOp(blob_of(np.arange(size, dtype=np.float32)))
    op = nn.NegativeOp.of(number.result)
    assert folded(op) is not None
    assert (folded(op, is_read=True) is None) == (4 * size > SMALL)


@pytest.mark.parametrize(("source", "result"), [("f8E4M3FN", "f32"), ("ui4", "i32")])
def test_narrow_floats_and_places_in_tables_are_converted_at_any_size(source: str, result: str):
    """Weights in FP8, and in NF4, which is looked up in a table."""
    bits = 4 if source == "ui4" else 8
    count = ALLOWANCE * 8 // bits
    text = f"""
    func.func @main() -> tensor<{count}x{result}> {{
      %q = nn.constant dense<"0x{"3031" * (ALLOWANCE // 2)}"> : tensor<{count}x{source}>
      %f = nn.convert %q to {result} : tensor<{count}x{source}> -> tensor<{count}x{result}>
      func.return %f : tensor<{count}x{result}>
    }}"""
    module = Parser(context(), text).parse_module()
    run_passes(module, "fold-constants")
    assert held(module) == 4 * count


@pytest.mark.parametrize("element", ["i8", "ui8"])
def test_codes_become_numbers_at_any_size(element: str):
    """Four times their bytes, which other results may not take."""
    count = ALLOWANCE
    codes = (bytes(range(256)) * (count // 256)).hex()
    text = f"""
    func.func @main() -> tensor<{count}xf32> {{
      %q = nn.constant dense<"0x{codes}"> : tensor<{count}x{element}>
      %f = nn.convert %q to f32 : tensor<{count}x{element}> -> tensor<{count}xf32>
      func.return %f : tensor<{count}xf32>
    }}"""
    module = Parser(context(), text).parse_module()
    (expected,) = Executor(module).run([])
    run_passes(module, "fold-constants")
    assert held(module) == count
    run_passes(module, "fold-constants{dequantization=true}")
    assert held(module) == 4 * count
    np.testing.assert_array_equal(Executor(module).run([])[0], expected)


def test_equal_elements_are_held_once():
    text = """
    func.func @main() -> tensor<30000x30000xf32> {
      %one = nn.constant dense<1.0> : tensor<f32>
      %many = nn.constant dense<1.0> : tensor<30000x30000xf32>
      %y = nn.sigmoid %many : tensor<30000x30000xf32>
      %z = nn.add %y, %one : (tensor<30000x30000xf32>, tensor<f32>) -> tensor<30000x30000xf32>
      func.return %z : tensor<30000x30000xf32>
    }"""
    module = Parser(context(), text).parse_module()
    run_passes(module, "fold-constants")
    (constant,) = [op for op in module.walk() if isinstance(op, nn.ConstantOp)]
    assert constant.value.data.splat
    assert held(module) == 4


WINDOW = (
    "strides = array<i64: 30000000>, pads_begin = array<i64: 30000000>, pads_end = array<i64: 0>, "
    "dilations = array<i64: 1>"
)
ONE = "tensor<1x1x1xf32>"
THREE = "tensor<3xi64>"
SIZES = 'mode = "nearest", shape_calculation_mode = "sizes"'
BOMBS = {
    "tensor<1x1x2xf32>": f"nn.convolution %x, %x {{{WINDOW}}} : ({ONE}, {ONE})",
    "tensor<1x1x1xf32>": f"nn.avg_pool %x {{kernel = array<i64: 30000000>, exclude_pad = true, {WINDOW}}} : {ONE}",
    "tensor<1x1x3xf32>": f"""nn.interpolate %x, %sizes {{{SIZES}, pads_begin = array<i64: 0, 0, 30000000>,
        pads_end = array<i64>}} : ({ONE}, {THREE})""",
    "tensor<30000001x0x1xf32>": f'nn.pad %x, %more, %less {{pad_mode = "edge"}} : ({ONE}, {THREE}, {THREE})',
    "tensor<30000000x0xi64>": """nn.one_hot %none, %deep, %deep, %deep {axis = 0 : i64}
        : (tensor<0xi64>, tensor<i64>, tensor<i64>, tensor<i64>)""",
}


@pytest.mark.parametrize("result", BOMBS)
def test_work_that_results_do_not_show_is_not_done(result: str):
    """Constants and results are tiny; what is between them would take 100 MB and more."""
    text = f"""func.func @main() -> {result} {{
      %x = nn.constant dense<1.0> : tensor<1x1x1xf32>
      %sizes = nn.constant dense<[1, 1, 3]> : tensor<3xi64>
      %more = nn.constant dense<[30000000, -1, 0]> : tensor<3xi64>
      %less = nn.constant dense<0> : tensor<3xi64>
      %none = nn.constant dense<[]> : tensor<0xi64>
      %deep = nn.constant dense<30000000> : tensor<i64>
      %y = {BOMBS[result]} -> {result}
      func.return %y : {result}
    }}"""
    module = Parser(context(), text).parse_module()
    module.verify()
    tracemalloc.start()
    try:
        run_passes(module, "fold-constants,infer-shapes")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 32 << 20


def test_equal_elements_are_not_one_where_they_meet():
    """Softmax takes one tensor and looks elementwise, but is not."""
    text = """func.func @main() -> tensor<2x4xf32> {
      %x = nn.constant dense<3.0> : tensor<2x4xf32>
      %y = nn.softmax %x {axis = 1 : i64} : tensor<2x4xf32>
      func.return %y : tensor<2x4xf32>
    }"""
    module = Parser(context(), text).parse_module()
    run_passes(module, "fold-constants")
    (found,) = Executor(module).run([])
    np.testing.assert_array_equal(found, np.full((2, 4), 0.25, np.float32))


@pytest.mark.parametrize(("positions", "walked"), [("8", 1), ("128x768", 0)])
def test_what_is_no_shape_is_not_searched_for_sizes(
    positions: str, walked: int, monkeypatch: pytest.MonkeyPatch
):
    """The codes of an embedding are integers, too: none is searched where there are many, one where it is unknown."""
    asked: list[int] = []

    def source(value: SSAValue, index: int) -> Size | None:
        asked.append(index)
        return computed_integers.source(value, index)

    monkeypatch.setattr(infer_shapes, "source", source)
    text = f"""
    func.func @main(%table: tensor<4xi8>, %places: tensor<{positions}xi64>) -> tensor<{positions}xi8> {{
      %axis = nn.constant dense<0> : tensor<i64>
      %r = nn.gather %table, %places, %axis {{batch_dims = 0 : i64}}
        : (tensor<4xi8>, tensor<{positions}xi64>, tensor<i64>) -> tensor<{positions}xi8>
      func.return %r : tensor<{positions}xi8>
    }}"""
    run_passes(Parser(context(), text).parse_module(), "fold-constants")
    assert len(asked) == walked
