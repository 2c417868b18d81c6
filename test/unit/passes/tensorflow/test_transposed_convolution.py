"""Transposed convolutions whose sizes are computed give what those of known sizes give."""

import numpy as np
import pytest

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

ONE, PLACE = "tensor<1xi32>", "tensor<i32>"


def size(name: str, axis: int) -> str:
    """A size of `x`."""
    numbers = "".join(
        f'%{name}{i} = "tf.Const"() {{value = dense<{value}> : {ONE}}} : () -> {ONE}\n'
        for i, value in enumerate((axis, axis + 1, 1))
    )
    return numbers + (
        f'%{name} = "tf.StridedSlice"(%shape, %{name}0, %{name}1, %{name}2) {{shrink_axis_mask = 1 : i64}} '
        f": (tensor<4xi32>, {ONE}, {ONE}, {ONE}) -> {PLACE}\n"
    )


def transposed(x: str, stride: int, padding: str, order: str, known: str = "") -> str:
    """To `stride` times the height and width, or to those known."""
    height, width = order.index("H"), order.index("W")
    strides = ", ".join(f"{stride if letter in 'HW' else 1}" for letter in order)
    pads = {
        letter: "0, 1" if letter in "HW" and padding == "EXPLICIT" else "0, 0" for letter in order
    }
    explicit = ", ".join(pads.values()) if padding == "EXPLICIT" else ""
    listed = {"N": "%n", "H": "%tall", "W": "%wide", "C": "%outputs"}
    packed = ", ".join(listed[letter] for letter in order)
    computed = f"""
      %shape = "tf.Shape"(%x) : ({x}) -> tensor<4xi32>
      {size("n", 0)}{size("h", height)}{size("w", width)}
      %outputs = "tf.Const"() {{value = dense<2> : {PLACE}}} : () -> {PLACE}
      %times = "tf.Const"() {{value = dense<{stride}> : {PLACE}}} : () -> {PLACE}
      %tall = "tf.Mul"(%h, %times) : ({PLACE}, {PLACE}) -> {PLACE}
      %wide = "tf.Mul"(%w, %times) : ({PLACE}, {PLACE}) -> {PLACE}
      %sizes = "tf.Pack"({packed}) {{axis = 0 : i64}} : ({PLACE}, {PLACE}, {PLACE}, {PLACE}) -> tensor<4xi32>
    """
    constant = (
        f'%sizes = "tf.Const"() {{value = dense<{known}> : tensor<4xi32>}} : () -> tensor<4xi32>'
    )
    return f"""
    func.func @main(%x: {x}, %f: tensor<3x3x2x3xf32>) -> tensor<*xf32> {{
      {constant if known else computed}
      %r = "tf.Conv2DBackpropInput"(%sizes, %f, %x) {{data_format = "{order}", strides = [{strides}],
          dilations = [1, 1, 1, 1], padding = "{padding}", explicit_paddings = [{explicit}]}}
          : (tensor<4xi32>, tensor<3x3x2x3xf32>, {x}) -> tensor<*xf32>
      func.return %r : tensor<*xf32>
    }}"""


@pytest.mark.parametrize("order", ["NHWC", "NCHW"])
@pytest.mark.parametrize(
    ("padding", "stride"), [("SAME", 2), ("SAME", 1), ("VALID", 3), ("EXPLICIT", 2)]
)
def test_computed_sizes(order: str, padding: str, stride: int):
    given = {"N": 2, "H": 4, "W": 5, "C": 3}
    wanted = given | {"H": 4 * stride, "W": 5 * stride, "C": 2}
    shape, result = ([sizes[letter] for letter in order] for sizes in (given, wanted))
    rng = np.random.default_rng(0)
    x, filters = (rng.normal(size=s).astype(np.float32) for s in (shape, (3, 3, 2, 3)))
    static = f"tensor<{'x'.join(map(str, shape))}xf32>"
    dynamic = f"tensor<{'x'.join('3' if letter == 'C' else '?' for letter in order)}xf32>"
    texts = (
        transposed(static, stride, padding, order, str(result)),
        transposed(dynamic, stride, padding, order),
    )
    found: list[np.ndarray] = []
    for text in texts:
        module = parse_module(text, "test", context())
        run_passes(module, "legalize-tf-to-nn")
        found.append(Executor(module).run([x, filters])[0])
    assert list(found[0].shape) == result
    np.testing.assert_array_equal(found[1], found[0])
