"""TensorLists that loops fill, in whatever order and however far."""

import numpy as np
import pytest

import lowstream
from lowstream.dialects import context, infra
from lowstream.interop.mlir import parse_module
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

X = np.arange(12, dtype=np.float32).reshape(4, 3)
LIST = "tensor<!tf_type.variant<tensor<*xf32>>>"
INTEGER = "tensor<i32>"


def text(
    count: int,
    trips: int,
    place: str = "",
    grows: bool = False,
    until: float = 1e9,
    rows: str = "4",
) -> str:
    """A loop that sets the double of row `i` of `x` at a place of a list, while the row's first is small."""
    const = '"tf.Const"() {value = dense<'
    return f"""
    func.func @main(%x: tensor<{rows}x3xf32>) -> tensor<*xf32> {{
      %zero = {const}0> : {INTEGER}}} : () -> {INTEGER}
      %count = {const}{count}> : {INTEGER}}} : () -> {INTEGER}
      %shape = {const}-1> : {INTEGER}}} : () -> {INTEGER}
      %table = "tf.TensorListFromTensor"(%x, %shape) : (tensor<{rows}x3xf32>, {INTEGER}) -> {LIST}
      %list = "tf.TensorListReserve"(%shape, %count) : ({INTEGER}, {INTEGER}) -> {LIST}
      %first = {const}0.0> : tensor<f32>}} : () -> tensor<f32>
      %i, %l, %t, %f = "tf.While"(%zero, %list, %table, %first) {{cond = @cond, body = @body}}
        : ({INTEGER}, {LIST}, {LIST}, tensor<f32>) -> ({INTEGER}, {LIST}, {LIST}, tensor<f32>)
      %r = "tf.TensorListStack"(%l, %shape) : ({LIST}, {INTEGER}) -> tensor<*xf32>
      func.return %r : tensor<*xf32>
    }}
    func.func private @cond(%i: {INTEGER}, %l: {LIST}, %t: {LIST}, %f: tensor<f32>) -> tensor<i1> {{
      %n = {const}{trips}> : {INTEGER}}} : () -> {INTEGER}
      %go = "tf.Less"(%i, %n) : ({INTEGER}, {INTEGER}) -> tensor<i1>
      %u = {const}{until}> : tensor<f32>}} : () -> tensor<f32>
      %small = "tf.Less"(%f, %u) : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %both = "tf.LogicalAnd"(%go, %small) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      func.return %{"go" if until == 1e9 else "both"} : tensor<i1>
    }}
    func.func private @body(%i: {INTEGER}, %l: {LIST}, %t: {LIST}, %f: tensor<f32>)
        -> ({INTEGER}, {LIST}, {LIST}, tensor<f32>) {{
      %one = {const}1> : {INTEGER}}} : () -> {INTEGER}
      %shape = {const}-1> : {INTEGER}}} : () -> {INTEGER}
      %row = "tf.TensorListGetItem"(%t, %i, %shape) : ({LIST}, {INTEGER}, {INTEGER}) -> tensor<*xf32>
      %twice = "tf.AddV2"(%row, %row) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
      {place}
      %set = "tf.TensorListSetItem"(%l, %{"p" if place else "i"}, %twice)
        {{resize_if_index_out_of_bounds = {str(grows).lower()}}} : ({LIST}, {INTEGER}, tensor<*xf32>) -> {LIST}
      %axis = {const}[0]> : tensor<1xi32>}} : () -> tensor<1xi32>
      %most = "tf.Max"(%twice, %axis) {{keep_dims = false}} : (tensor<*xf32>, tensor<1xi32>) -> tensor<f32>
      %j = "tf.AddV2"(%i, %one) : ({INTEGER}, {INTEGER}) -> {INTEGER}
      func.return %j, %set, %t, %most : {INTEGER}, {LIST}, {LIST}, tensor<f32>
    }}"""


BACKWARD = (
    '%three = "tf.Const"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>\n'
    f'%p = "tf.Sub"(%three, %i) : ({INTEGER}, {INTEGER}) -> {INTEGER}'
)

STOP = float(2 * X[1].max())
"""What the second row of the result reaches: no third one follows."""

FILLED = {
    "all": (text(4, 4), 2 * X, True),
    "backward": (text(4, 4, BACKWARD), 2 * X[::-1], True),
    "in part": (text(4, 3), [*2 * X[:3], np.zeros(3)], False),
    "growing": (text(0, 3, grows=True), 2 * X[:3], True),
    "growing, a test ends it": (text(0, 4, grows=True, until=STOP), 2 * X[:2], True),
    "growing, not run": (text(0, 4, grows=True, until=-1.0), X[:0], True),
    "a test ends it": (text(4, 4, until=STOP), [*2 * X[:2], *np.zeros((2, 3))], False),
}


@pytest.mark.parametrize("name", FILLED)
def test_what_a_loop_fills_is_a_tensor(name: str):
    source, expected, concatenated = FILLED[name]
    module = parse_module(source, "test", context())
    run_passes(module, "legalize-tf-to-nn")
    (result,) = Executor(module).run([X])
    np.testing.assert_array_equal(result, np.asarray(expected, np.float32))
    (loop,) = (op for op in module.walk() if isinstance(op, infra.LoopOp))
    assert any(isinstance(port, infra.ConcatenatedAttr) for port in loop.outputs) == concatenated


def test_a_list_in_part_compiles():
    module = parse_module(FILLED["in part"][0], "test", context())
    found = lowstream.compile_model(module).create_infer_request().infer([X])[0]
    np.testing.assert_array_equal(found, np.asarray(FILLED["in part"][1], np.float32))
