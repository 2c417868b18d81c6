"""TensorFlow's operations, one by one, against what NumPy computes."""

from collections.abc import Callable
from math import erf, erfc
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.dialects.inferred import shape_of
from lowstream.dialects.module import entry_of
from lowstream.interop.mlir import parse_module
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

X = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(2, 3, 4)).astype(np.float32)

Expected = Callable[[Any, Any], Any]


def module(body: str, functions: str = "") -> ModuleOp:
    """A module whose entry takes two tensors and gives `%r`, whose type the body leaves open."""
    text = f"""
    func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<2x3x4xf32>) -> tensor<*xf32> {{
      {body}
      func.return %r : tensor<*xf32>
    }}
    {functions}"""
    ctx = context()
    parsed = parse_module(text, "test", ctx)
    parsed.verify()
    return parsed


def ints(name: str, *values: float) -> str:
    listed = f"[{', '.join(map(str, values))}]" if len(values) != 1 else f"[{values[0]}]"
    type = f"tensor<{len(values)}xi32>"
    return f'%{name} = "tf.Const"() {{value = dense<{listed}> : {type}}} : () -> {type}\n'


def scalar(name: str, value: float, type: str = "i32") -> str:
    held = f"dense<{value}> : tensor<{type}>"
    return f'%{name} = "tf.Const"() {{value = {held}}} : () -> tensor<{type}>\n'


T = "tensor<2x3x4xf32>"
ANY = "tensor<*xf32>"


def unary(name: str, attributes: str = "") -> str:
    return f'%r = "tf.{name}"(%x) {{{attributes}}} : ({T}) -> {ANY}'


def binary(name: str) -> str:
    return f'%r = "tf.{name}"(%x, %y) : ({T}, {T}) -> {ANY}'


def relu(x: Any) -> Any:
    return np.maximum(x, 0)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def elu(x: Any, alpha: float = 1.0) -> Any:
    return np.where(x > 0, x, alpha * (np.exp(x) - 1))


CASES: dict[str, tuple[str, Expected]] = {
    "Relu": (unary("Relu"), lambda x, y: relu(x)),
    "Relu6": (unary("Relu6"), lambda x, y: np.clip(x, 0, 6)),
    "LeakyRelu": (
        unary("LeakyRelu", "alpha = 0.1 : f32"),
        lambda x, y: np.where(x > 0, x, 0.1 * x),
    ),
    "Erf": (unary("Erf"), lambda x, y: np.vectorize(erf)(x)),
    "Roll": (
        ints("s", 1, -6, 2)
        + ints("a", 0, -1, 1)
        + f'%r = "tf.Roll"(%x, %s, %a) : ({T}, tensor<3xi32>, tensor<3xi32>) -> {ANY}',
        lambda x, y: np.roll(x, (1, -6, 2), (0, -1, 1)),
    ),
    "Elu": (unary("Elu"), lambda x, y: elu(x)),
    "Selu": (unary("Selu"), lambda x, y: 1.0507009873554805 * elu(x, 1.6732632423543772)),
    "Softplus": (unary("Softplus"), lambda x, y: np.log1p(np.exp(x))),
    "Softsign": (unary("Softsign"), lambda x, y: x / (1 + np.abs(x))),
    "Square": (unary("Square"), lambda x, y: x * x),
    "Neg": (unary("Neg"), lambda x, y: -x),
    "Erfc": (unary("Erfc"), lambda x, y: np.vectorize(erfc)(x)),
    "Expm1": (unary("Expm1"), lambda x, y: np.expm1(x)),
    "Einsum": (
        f'%r = "tf.Einsum"(%x, %y) {{equation = "bij,bkj->bik"}} : ({T}, {T}) -> {ANY}',
        lambda x, y: np.einsum("bij,bkj->bik", x, y),
    ),
    "RFFT": (
        ints("n", 6)
        + f'%f = "tf.RFFT"(%x, %n) : ({T}, tensor<1xi32>) -> tensor<*xcomplex<f32>>\n'
        + f'%r = "tf.ComplexAbs"(%f) : (tensor<*xcomplex<f32>>) -> {ANY}',
        lambda x, y: np.abs(np.fft.rfft(x, 6)),
    ),
    "RFFT2D": (
        ints("n", 3, 4)
        + f'%f = "tf.RFFT2D"(%x, %n) : ({T}, tensor<2xi32>) -> tensor<*xcomplex<f32>>\n'
        + '%c = "tf.Conj"(%f) : (tensor<*xcomplex<f32>>) -> tensor<*xcomplex<f32>>\n'
        + f'%r = "tf.Imag"(%c) : (tensor<*xcomplex<f32>>) -> {ANY}',
        lambda x, y: -np.fft.rfft2(x).imag,
    ),
    "IRFFT of FFT": (
        ints("n", 6)
        + f'%c = "tf.Complex"(%x, %y) : ({T}, {T}) -> tensor<*xcomplex<f32>>\n'
        + '%f = "tf.FFT"(%c) : (tensor<*xcomplex<f32>>) -> tensor<*xcomplex<f32>>\n'
        + f'%r = "tf.IRFFT"(%f, %n) : (tensor<*xcomplex<f32>>, tensor<1xi32>) -> {ANY}',
        lambda x, y: np.fft.irfft(np.fft.fft(x + 1j * y), 6),
    ),
    "Reciprocal": (unary("Reciprocal"), lambda x, y: 1 / x),
    "Softmax": (unary("Softmax"), lambda x, y: softmax(x)),
    "LogSoftmax": (unary("LogSoftmax"), lambda x, y: np.log(softmax(x))),
    "ZerosLike": (unary("ZerosLike"), lambda x, y: 0 * x),
    "OnesLike": (unary("OnesLike"), lambda x, y: 0 * x + 1),
    "Sub": (binary("Sub"), lambda x, y: x - y),
    "Maximum": (binary("Maximum"), np.maximum),
    "SquaredDifference": (binary("SquaredDifference"), lambda x, y: (x - y) ** 2),
    "FloorDiv": (binary("FloorDiv"), lambda x, y: np.floor(x / y)),
    "AddN": (binary("AddN"), lambda x, y: x + y),
    "BatchMatMulV2": (
        f'%r = "tf.BatchMatMulV2"(%x, %y) {{adj_x = false, adj_y = true}} : ({T}, {T}) -> {ANY}',
        lambda x, y: x @ y.transpose(0, 2, 1),
    ),
    "Transpose": (
        ints("p", 2, 0, 1) + f'%r = "tf.Transpose"(%x, %p) : ({T}, tensor<3xi32>) -> {ANY}',
        lambda x, y: x.transpose(2, 0, 1),
    ),
    "ReverseV2": (
        ints("p", 0, -1) + f'%r = "tf.ReverseV2"(%x, %p) : ({T}, tensor<2xi32>) -> {ANY}',
        lambda x, y: x[::-1, :, ::-1],
    ),
    "ReverseV2 twice": (
        ints("p", 1)
        + f'%a = "tf.ReverseV2"(%x, %p) : ({T}, tensor<1xi32>) -> {ANY}\n'
        + f'%r = "tf.ReverseV2"(%a, %p) : ({ANY}, tensor<1xi32>) -> {ANY}',
        lambda x, y: x,
    ),
    "ConcatV2": (
        scalar("a", -1) + f'%r = "tf.ConcatV2"(%x, %y, %a) : ({T}, {T}, tensor<i32>) -> {ANY}',
        lambda x, y: np.concatenate([x, y], -1),
    ),
    "Split": (
        scalar("a", 2) + f'%q, %r = "tf.Split"(%a, %x) : (tensor<i32>, {T}) -> ({ANY}, {ANY})',
        lambda x, y: x[..., 2:],
    ),
    "SplitV": (
        ints("s", 1, -1)
        + scalar("a", 1)
        + f'%q, %r = "tf.SplitV"(%x, %s, %a) : ({T}, tensor<2xi32>, tensor<i32>) -> ({ANY}, {ANY})',
        lambda x, y: x[:, 1:],
    ),
    "Slice": (
        ints("b", 0, 1, 2)
        + ints("s", -1, 2, 1)
        + f'%r = "tf.Slice"(%x, %b, %s) : ({T}, tensor<3xi32>, tensor<3xi32>) -> {ANY}',
        lambda x, y: x[:, 1:3, 2:3],
    ),
    "Pack": (
        f'%r = "tf.Pack"(%x, %y) {{axis = 1 : i64}} : ({T}, {T}) -> {ANY}',
        lambda x, y: np.stack([x, y], 1),
    ),
    "Unpack": (
        f'%a, %b, %r = "tf.Unpack"(%x) {{axis = 1 : i64}} : ({T}) -> ({ANY}, {ANY}, {ANY})',
        lambda x, y: x[:, 2],
    ),
    "Tile": (
        ints("m", 1, 2, 1) + f'%r = "tf.Tile"(%x, %m) : ({T}, tensor<3xi32>) -> {ANY}',
        lambda x, y: np.tile(x, (1, 2, 1)),
    ),
    "GatherV2": (
        ints("i", 2, 0)
        + scalar("a", 1)
        + f'%r = "tf.GatherV2"(%x, %i, %a) : ({T}, tensor<2xi32>, tensor<i32>) -> {ANY}',
        lambda x, y: x[:, [2, 0]],
    ),
    "Mean": (
        ints("a", 0, 2)
        + f'%r = "tf.Mean"(%x, %a) {{keep_dims = true}} : ({T}, tensor<2xi32>) -> {ANY}',
        lambda x, y: x.mean((0, 2), keepdims=True),
    ),
    "Pad": (
        '%p = "tf.Const"() {value = dense<[[0, 1], [0, 0], [2, 0]]> : tensor<3x2xi32>} '
        ": () -> tensor<3x2xi32>\n" + f'%r = "tf.Pad"(%x, %p) : ({T}, tensor<3x2xi32>) -> {ANY}',
        lambda x, y: np.pad(x, [(0, 1), (0, 0), (2, 0)]),
    ),
    "Squeeze and ExpandDims": (
        scalar("a", -2)
        + f'%e = "tf.ExpandDims"(%x, %a) : ({T}, tensor<i32>) -> {ANY}\n'
        + f'%r = "tf.Squeeze"(%e) {{squeeze_dims = []}} : ({ANY}) -> {ANY}',
        lambda x, y: x,
    ),
    "shapes are computed": (
        ints("b", 1)
        + ints("e", 2)
        + ints("o", 1)
        + f'%s = "tf.Shape"(%x) : ({T}) -> tensor<3xi32>\n'
        + '%n = "tf.StridedSlice"(%s, %b, %e, %o) {shrink_axis_mask = 1 : i64} '
        + ": (tensor<3xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>\n"
        + scalar("m", -1)
        + '%d = "tf.Pack"(%n, %m) {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>\n'
        + f'%r = "tf.Reshape"(%x, %d) : ({T}, tensor<2xi32>) -> {ANY}',
        lambda x, y: x.reshape(3, 8),
    ),
    "one element printed for many": (
        (
            '%c = "tf.Const"() {value = dense<2.0> : tensor<1xf32>} : () -> tensor<2x3x1xf32>\n'
            + scalar("a", -1)
            + f'%r = "tf.ConcatV2"(%x, %c, %a) : ({T}, tensor<2x3x1xf32>, tensor<i32>) -> {ANY}'
        ),
        lambda x, y: np.concatenate([x, np.full((2, 3, 1), 2)], -1),
    ),
    "Select of rows": (
        (
            '%c = "tf.Const"() {value = dense<[true, false]> : tensor<2xi1>} : () -> tensor<2xi1>\n'
            f'%r = "tf.Select"(%c, %x, %y) : (tensor<2xi1>, {T}, {T}) -> {ANY}'
        ),
        lambda x, y: np.stack([x[0], y[1]]),
    ),
    "BiasAdd of channels": (
        (
            '%b = "tf.Const"() {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : () -> tensor<3xf32>\n'
            '%r = "tf.BiasAdd"(%x, %b) {data_format = "NCHW"} '
            f": ({T}, tensor<3xf32>) -> {ANY}"
        ),
        lambda x, y: x + np.array([[1], [2], [3]], np.float32),
    ),
    "GatherV2 of each batch entry": (
        (
            '%i = "tf.Const"() {value = dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>} '
            ": () -> tensor<2x2xi32>\n"
            + scalar("a", 1)
            + '%r = "tf.GatherV2"(%x, %i, %a) {batch_dims = 1 : i64} '
            + f": ({T}, tensor<2x2xi32>, tensor<i32>) -> {ANY}"
        ),
        lambda x, y: np.stack([x[0, [2, 0]], x[1, [1, 1]]]),
    ),
    "If": (
        scalar("c", 1, "i1").replace("dense<1>", "dense<true>")
        + '%r = "tf.If"(%c, %x, %y) {then_branch = @plus, else_branch = @minus} '
        + f": (tensor<i1>, {T}, {T}) -> {ANY}",
        lambda x, y: x + y,
    ),
}

BRANCHES = f"""
func.func private @plus(%a: {T}, %b: {T}) -> {ANY} {{
  %0 = "tf.AddV2"(%a, %b) : ({T}, {T}) -> {ANY}
  func.return %0 : {ANY}
}}
func.func private @minus(%a: {T}, %b: {T}) -> {ANY} {{
  %0 = "tf.Sub"(%a, %b) : ({T}, {T}) -> {ANY}
  func.return %0 : {ANY}
}}"""


@pytest.mark.parametrize("name", CASES)
def test_operation(name: str):
    body, expected = CASES[name]
    model = module(body, BRANCHES)
    run_passes(model, "legalize-tf-to-nn")
    (result,) = Executor(model).run([X, Y])
    np.testing.assert_allclose(result, expected(X, Y), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize(("name", "exact"), [("Expm1", np.expm1), ("Log1p", np.log1p)])
def test_no_digit_is_lost_near_0(name: str, exact: Any):
    near = [0, 1e-30, 1e-7, -1e-7, 3e-4, 0.1, -0.3, 0.39, 0.41, -0.41, -0.999, 1, 3, 80]
    x = np.resize(np.array(near, np.float32), X.shape)
    model = module(unary(name))
    run_passes(model, "legalize-tf-to-nn")
    (result,) = Executor(model).run([x, Y])
    np.testing.assert_allclose(result, exact(x.astype(np.float64)), rtol=5e-7, atol=0)


def test_unique():
    body = ints("x0", 3, 1, 3, 2, 1)
    body += '%r, %i = "tf.Unique"(%x0) : (tensor<5xi32>) -> (tensor<*xf32>, tensor<5xi32>)'
    model = module(body)
    run_passes(model, "legalize-tf-to-nn")
    assert Executor(model).run([X, Y])[0].tolist() == [3, 1, 2]


def test_real_numbers_are_no_complex_ones():
    with pytest.raises(DiagnosticException, match=r"tf\.Real: takes real numbers"):
        run_passes(module(unary("Real")), "legalize-tf-to-nn")
    body = f'%c = "tf.Complex"(%x, %y) : ({T}, {T}) -> tensor<*xcomplex<f32>>\n'
    body += f'%r = "tf.Neg"(%c) : (tensor<*xcomplex<f32>>) -> {ANY}'
    with pytest.raises(DiagnosticException, match=r"tf\.Neg: takes a complex where only a tensor"):
        run_passes(module(body), "legalize-tf-to-nn")


MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
SLICES: dict[str, tuple[tuple[list[int], list[int], list[int]], tuple[int, ...], Any]] = {
    "plain": (([0, 1, 0], [2, 3, 4], [1, 1, 2]), (0, 0, 0, 0, 0), np.s_[:, 1:3, ::2]),
    "masks": (([1, 1], [1, 1], [1, 1]), (1, 2, 0, 0, 0), np.s_[:1, 1:]),
    "last": (([0, -1], [0, 0], [1, 1]), (1, 1, 0, 0, 2), np.s_[:, -1]),
    "ellipsis": (([0, 1], [0, 3], [1, 1]), (0, 0, 1, 0, 0), np.s_[..., 1:3]),
    "new axis": (([0, 0, 1], [0, 0, 2], [1, 1, 1]), (2, 2, 0, 1, 4), np.s_[None, :, 1]),
    "ellipsis and new axis": (
        ([0, 0, 1], [0, 0, 3], [1, 1, 1]),
        (0, 0, 1, 2, 0),
        np.s_[..., None, 1:3],
    ),
    "backward": (([0, 2], [0, 0], [1, -1]), (1, 1, 0, 0, 0), np.s_[:, 2:0:-1]),
    "whole backward": (([0, 0], [0, 0], [1, -1]), (3, 3, 0, 0, 0), np.s_[:, ::-1]),
}


@pytest.mark.parametrize("name", SLICES)
def test_strided_slice(name: str):
    limits, masks, where = SLICES[name]
    listed = ", ".join(f"{m} = {v} : i64" for m, v in zip(MASKS, masks, strict=True))
    type = f"tensor<{len(limits[0])}xi32>"
    body = "".join(ints(n, *v) for n, v in zip("bes", limits, strict=True))
    body += f'%r = "tf.StridedSlice"(%x, %b, %e, %s) {{{listed}}} : ({T}, {type}, {type}, {type}) -> {ANY}'
    model = module(body)
    run_passes(model, "legalize-tf-to-nn")
    (result,) = Executor(model).run([X, Y])
    np.testing.assert_array_equal(result, X[where])


@pytest.mark.parametrize("place", [1, -1])
def test_strided_slice_of_one_element_at_a_computed_place(place: int):
    """As a loop's counter has it in `x[:, i]`: a gather, for which nothing has to be constant."""
    body = ints("z", 0) + scalar("i", place) + scalar("none", 0) + scalar("zero", 0.0, "f32")
    body += ints("all", 0, 1, 2) + ints("end", 0, 0) + ints("step", 1, 1)
    body += f'%s = "tf.Sum"(%x, %all) : ({T}, tensor<3xi32>) -> tensor<f32>\n'
    body += '%o = "tf.Mul"(%s, %zero) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n'
    body += '%c = "tf.Cast"(%o) : (tensor<f32>) -> tensor<i32>\n'
    body += '%p = "tf.AddV2"(%c, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n'
    body += (
        '%b = "tf.Pack"(%none, %p) {axis = 0 : i64} : (tensor<i32>, tensor<i32>) -> tensor<2xi32>\n'
    )
    listed = "begin_mask = 1 : i64, end_mask = 1 : i64, shrink_axis_mask = 2 : i64"
    type = "tensor<2xi32>"
    body += f'%r = "tf.StridedSlice"(%x, %b, %end, %step) {{{listed}}} : ({T}, {type}, {type}, {type}) -> {ANY}'
    model = module(body)
    run_passes(model, "legalize-tf-to-nn")
    names = [op.name for op in model.walk()]
    assert "nn.gather" in names and "nn.strided_slice" not in names
    (result,) = Executor(model).run([X, Y])
    np.testing.assert_array_equal(result, X[:, place])


@pytest.mark.parametrize("size", [1, 2, 0])
def test_slice_of_constant_size_at_a_computed_place(size: int):
    """Its elements are gathered, and all sizes are known."""
    body = scalar("one", 1) + scalar("zero", 0.0, "f32") + ints("all", 0, 1, 2)
    body += f'%s = "tf.Sum"(%x, %all) : ({T}, tensor<3xi32>) -> tensor<f32>\n'
    body += '%o = "tf.Mul"(%s, %zero) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n'
    body += '%c = "tf.Cast"(%o) : (tensor<f32>) -> tensor<i32>\n'
    body += '%p = "tf.AddV2"(%c, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n'
    packed = "(tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>"
    body += f'%b = "tf.Pack"(%one, %p, %c) {{axis = 0 : i64}} : {packed}\n' + ints("n", -1, size, 2)
    body += f'%r = "tf.Slice"(%x, %b, %n) : ({T}, tensor<3xi32>, tensor<3xi32>) -> {ANY}'
    model = module(body)
    run_passes(model, "legalize-tf-to-nn")
    wanted = X[1:, 1 : 1 + size, :2]
    (result,) = Executor(model).run([X, Y])
    np.testing.assert_array_equal(result, wanted)
    returned = entry_of(model).get_return_op()
    assert returned is not None and shape_of(returned.operands[0]) == wanted.shape


REFUSED = {
    "unknown operation": (
        unary("Bessel"),
        "tf.Bessel: legalize-tf-to-nn does not know this operation; leave it out of the model",
    ),
    "a call of nothing": (
        unary("PartitionedCall"),
        "tf.PartitionedCall: its attribute 'f' must name a function; write f = @function",
    ),
    "a constant of nothing": (
        f'%r = "tf.Const"() : () -> {ANY}',
        "tf.Const: has no value; write value = dense<…>",
    ),
    "unknown function": (
        f'%r = "tf.PartitionedCall"(%x) {{f = @nowhere}} : ({T}) -> {ANY}',
        "there is no function @nowhere to call",
    ),
    "one argument too many": (
        f'%r = "tf.PartitionedCall"(%x, %y, %x, %y) {{f = @main}} : ({T}, {T}, {T}, {T}) -> {ANY}',
        "tf.PartitionedCall: gives @main 4 arguments; it takes",
    ),
    "recursion": (
        f'%r = "tf.PartitionedCall"(%x) {{f = @again}} : ({T}) -> {ANY}',
        "@again calls itself; unroll the recursion",
    ),
    "an order that inputs decide": (
        (
            f'%p = "tf.Cast"(%x) : ({T}) -> tensor<3xi32>\n'
            f'%r = "tf.Transpose"(%y, %p) : ({T}, tensor<3xi32>) -> {ANY}'
        ),
        "tf.Transpose: its permutation must be known while compiling",
    ),
    "shapes that do not fit": (
        ints("b", 0)
        + f'%s = "tf.Slice"(%x, %b, %b) : ({T}, tensor<1xi32>, tensor<1xi32>) -> {ANY}\n'
        + f'%r = "tf.MatMul"(%x, %y) : ({T}, {T}) -> {ANY}',
        "tf.MatMul: nn.mat_mul: reduces 4 elements on the left and 3 on the right",
    ),
    "a variable without value": (
        (
            '%h = "tf.VarHandleOp"() {shared_name = "w"} : () -> tensor<!tf_type.resource>\n'
            f'%r = "tf.ReadVariableOp"(%h) : (tensor<!tf_type.resource>) -> {ANY}'
        ),
        "variable 'w' has no value in this module",
    ),
}

AGAIN = f"""
func.func private @again(%a: {T}) -> {ANY} {{
  %0 = "tf.PartitionedCall"(%a) {{f = @again}} : ({T}) -> {ANY}
  func.return %0 : {ANY}
}}"""


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str):
    body, message = REFUSED[name]
    model = module(body, AGAIN)
    with pytest.raises(DiagnosticException) as error:
        run_passes(model, "legalize-tf-to-nn")
    assert message in str(error.value)


# --- loops ----------------------------------------------------------------------------------------

CONDITION = """
func.func private @cond(%i: tensor<i32>, %n: tensor<i32>, %s: tensor<3x4xf32>) -> tensor<i1> {{
  %t = {compare} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  func.return %t : tensor<i1>
}}
func.func private @body(%i: tensor<i32>, %n: tensor<i32>, %s: tensor<3x4xf32>)
    -> (tensor<i32>, tensor<i32>, tensor<3x4xf32>) {{
  %1 = "tf.Const"() {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
  %2 = "tf.AddV2"(%i, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %3 = "tf.AddV2"(%s, %s) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %2, %n, %3 : tensor<i32>, tensor<i32>, tensor<3x4xf32>
}}"""


@pytest.mark.parametrize(
    ("compare", "steps"),
    [
        ('"tf.Less"(%i, %n)', 3),
        ('"tf.Greater"(%n, %i)', 3),
        ('"tf.LessEqual"(%i, %n)', 4),  # no trip count: it is computed at each step
        ('"tf.Less"(%n, %i)', 0),
    ],
)
def test_while(compare: str, steps: int):
    body = (
        scalar("i", 2)
        + scalar("n", 5)
        + ints("b", 0)
        + ints("e", 1)
        + '%s = "tf.StridedSlice"(%x, %b, %e, %e) {shrink_axis_mask = 1 : i64} '
        + f": ({T}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3x4xf32>\n"
        + '%j, %m, %r = "tf.While"(%i, %n, %s) {cond = @cond, body = @body} : '
        + "(tensor<i32>, tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<i32>, tensor<*xf32>)"
    )
    model = module(body, CONDITION.format(compare=compare))
    run_passes(model, "legalize-tf-to-nn")
    (result,) = Executor(model).run([X, Y])
    np.testing.assert_array_equal(result, X[0] * 2**steps)


def test_bits():
    body = f"""
      %i = "tf.Bitcast"(%x) : ({T}) -> tensor<2x3x4xi32>
      %j = "tf.AddV2"(%i, %i) : (tensor<2x3x4xi32>, tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
      %r = "tf.Bitcast"(%j) : (tensor<2x3x4xi32>) -> {ANY}"""
    parsed = module(body)
    run_passes(parsed, "legalize-tf-to-nn")
    (found,) = Executor(parsed).run([X, Y])
    bits = X.view(np.int32)
    np.testing.assert_array_equal(found.view(np.int32), bits + bits)
