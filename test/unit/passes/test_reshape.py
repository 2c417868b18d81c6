"""`reshape`: the model computes for the new shapes what the text of the old one says for them."""

import re
from typing import Any

import numpy as np
import openvino
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import Model, run_passes
from lowstream.dialects import context
from lowstream.passes.reshape import parse_shapes, reshape
from lowstream.reference.executor import Executor

SIZES = st.integers(1, 4)


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def recurrent(steps: int, batch: int, width: int, stride: int = 1) -> ModuleOp:
    """A running sum, its outputs and its last value, over `steps` parts of a signal."""
    x, h = f"tensor<{steps}x{batch}x{width}xf32>", f"tensor<{batch}x{width}xf32>"
    part = f"tensor<1x{batch}x{width}xf32>"
    end = "start = 0, end = -1" if stride > 0 else "start = -1, end = 0"
    return parse(f"""
    func.func @main(%x: {x} {{nn.names = ["X"]}}, %h0: {h} {{nn.names = ["H"]}}) -> ({x}, {h}) {{
      %y, %h = infra.tensor_iterator %x, %h0
          inputs [#infra.sliced<axis = 0, {end}, stride = {stride}, part_size = 1>, #infra.merged<result = 1>]
          outputs [#infra.concatenated<result = 0, axis = 0, {end}, stride = {stride}, part_size = 1>,
                   #infra.iteration<result = 1, iteration = -1>]
          body_names ["X_t", "H_t"] : ({x}, {h}) -> ({x}, {h}) {{
      ^bb0(%xt: {part}, %ht: {h}):
        %axis = nn.constant dense<0> : tensor<1xi64>
        %flat = nn.squeeze %xt, %axis : ({part}, tensor<1xi64>) -> {h}
        %sum = nn.add %flat, %ht : ({h}, {h}) -> {h}
        %out = nn.unsqueeze %sum, %axis : ({h}, tensor<1xi64>) -> {part}
        infra.yield %out, %sum : {part}, {h}
      }}
      func.return %y, %h : {x}, {h}
    }}""")


def flattened(steps: int, batch: int, width: int, target: str = "[0, -1]") -> ModuleOp:
    """A reshape without sizes, between operations that take any."""
    x, y = f"tensor<{steps}x{batch}x{width}xf32>", f"tensor<{steps}x{batch * width}xf32>"
    return parse(f"""
    func.func @main(%x: {x} {{nn.names = ["X"]}}) -> {y} {{
      %target = nn.constant {{nn.name = "target"}} dense<{target}> : tensor<2xi64>
      %a = nn.tanh %x : {x}
      %b = nn.reshape %a, %target {{nn.name = "R", special_zero = true}} : ({x}, tensor<2xi64>) -> {y}
      func.return %b : {y}
    }}""")


def arrays(module: ModuleOp) -> list[np.ndarray[Any, Any]]:
    random = np.random.default_rng(0)
    return [random.standard_normal(port.shape).astype(port.dtype) for port in Model(module).inputs]


def assert_same_results(ours: ModuleOp, expected: ModuleOp) -> None:
    ours.verify()
    feeds = arrays(expected)
    for a, b in zip(Executor(ours).run(feeds), Executor(expected).run(feeds), strict=True):
        np.testing.assert_array_equal(a, b)


@settings(max_examples=25)
@given(
    old=st.tuples(SIZES, SIZES, SIZES),
    new=st.tuples(SIZES, SIZES, SIZES),
    stride=st.sampled_from([1, -1]),
)
def test_a_reshaped_iterator_is_the_one_of_that_shape(
    old: tuple[int, int, int], new: tuple[int, int, int], stride: int
):
    module, expected = recurrent(*old, stride), recurrent(*new, stride)
    reshape(module, {"X": new, "H": new[1:]})
    assert module.is_structurally_equivalent(expected)
    assert_same_results(module, expected)


@settings(max_examples=25)
@given(old=st.tuples(SIZES, SIZES, SIZES), new=st.tuples(SIZES, SIZES, SIZES))
def test_a_reshape_without_sizes_follows(old: tuple[int, int, int], new: tuple[int, int, int]):
    module, expected = flattened(*old), flattened(*new)
    reshape(module, {"X": new})
    assert module.is_structurally_equivalent(expected)
    assert_same_results(module, expected)


@settings(max_examples=25)
@given(old=st.tuples(SIZES, SIZES, SIZES), new=st.tuples(SIZES, SIZES, SIZES))
def test_unknown_dimensions_are_as_good(old: tuple[int, int, int], new: tuple[int, int, int]):
    module = recurrent(*old)
    reshape(module, {"X": [None, old[1], old[2]]})
    expected = recurrent(new[0], old[1], old[2])
    assert_same_results(module, expected)
    reshape(module, {"X": [-1, -1, -1], "H": "?x?"})
    assert_same_results(module, recurrent(*new))


@settings(max_examples=25)
@given(shape=st.lists(st.integers(-1, 9), max_size=4))
def test_all_forms_of_a_shape_are_the_same(shape: list[int]):
    """A list, a tuple, NumPy integers, text with `x` or commas, in brackets or not."""
    by_x, by_comma = ("x".join(map(str, shape)), ", ".join(map(str, shape)))
    forms: list[Any] = [
        shape, tuple(shape), np.array(shape, np.int64), by_x, by_comma, f"[{by_comma}]",
        by_x.replace("-1", "?"), [None if n == -1 else n for n in shape],
    ]  # fmt: skip
    found: list[tuple[int, ...]] = []
    for form in forms:
        model = Model(
            parse(
                "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {func.return %x : tensor<?xf32>}"
            )
        )
        model.reshape(form)
        assert model.inputs[0].type == model.outputs[0].type
        found.append(model.inputs[0].shape)
    assert set(found) == {tuple(shape)}


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("X=1x1x16", {"X": "1x1x16"}),
        ("X=1x?x16,Y=?", {"X": "1x?x16", "Y": "?"}),
        (" X = -1x4 , 1=", {"X": "-1x4", "1": ""}),
        ("a,b=2,c=d=3x4", {"a,b": "2", "c=d": "3x4"}),
        ("X=[1, ?,16],Y[-1,4]", {"X": "[1, ?,16]", "Y": "[-1,4]"}),
        ("x[0]=2, y[1][3] ,z[]", {"x[0]": "2", "y[1]": "[3]", "z": "[]"}),
    ],
)
def test_shapes_as_text(text: str, shapes: dict[str, str]):
    assert parse_shapes(text, recurrent(3, 1, 4)) == shapes


@pytest.mark.parametrize(
    "text", ["", "X", "X=1x", "X=1;Y", "X=axb", "=1", "X=-2", "1x2", "[1,2]", "X[1,a]"]
)
def test_text_that_is_no_list_of_shapes(text: str):
    with pytest.raises(
        DiagnosticException, match=r"is not a list of inputs and shapes; write X=3x1x4,H=1x4$"
    ):
        parse_shapes(text, recurrent(3, 1, 4))


UNNAMED = "func.func @main(%x: tensor<?x4xf32>) {func.return}"


@pytest.mark.parametrize(
    ("model", "example"),
    [(UNNAMED, "0=?x4"), (UNNAMED.replace("%x: tensor<?x4xf32>", ""), "nothing,")],
)
def test_the_example_is_of_the_model(model: str, example: str):
    with pytest.raises(DiagnosticException, match=f"write {re.escape(example)}"):
        parse_shapes("X", parse(model))


@pytest.mark.parametrize("shape", ["3x4", "?x4", "-1x4", "5", "[3,4]", "[?, 4]", "[]"])
def test_the_only_input_needs_no_name(shape: str):
    assert parse_shapes(shape, parse(UNNAMED)) == {0: shape}


WRONG: list[tuple[Any, str]] = [
    ({"Z": [1]}, "there is no input 'Z'; inputs: X, H"),
    ({2: [1]}, "there is no input 2; inputs: X, H"),
    ({"X": [1, -2]}, "'X' cannot have a dimension of size -2"),
    ({"X": "1xa"}, "'X' cannot have a dimension of size a"),
    ({"X": None}, r"'X' was given None; give a shape, such as \[1, 16\]"),
    ({"X": 3}, r"'X' was given 3; give a shape, such as \[1, 16\]"),
    ({"X": [1.5]}, "'X' cannot have a dimension of size 1.5"),
    ({"X": [1] * 65}, "'X' was given 65 dimensions; 64 do"),
    ({"X": [10**30]}, "'X' cannot have a dimension of size 1000000000000"),
    ({"X": [10**5000]}, "'X' cannot have a dimension of size 0x[0-9a-f]{78}… "),
    ({"X": "1x" + "9" * 500}, r"'X' cannot have a dimension of size 9{80}… \(500 characters\)"),
    ({"X": openvino.PartialShape.dynamic()}, "'X' was given <PartialShape: .*>; give a shape"),
    ({10**5000: [1]}, "there is no input 0x.*; inputs: X, H"),
    ({"X": [1, 2, 4], 0: [1, 2, 4]}, "input 0 is named twice"),
    ({"X": []}, "infra.tensor_iterator: axis 0 is out of range for rank 0"),
    ({"H": [3]}, r"nn.add: shapes \[2, 4\] and \[3\] do not broadcast; .* give the inputs other shapes"),
    ([1, 2, 4], "the model has 2 inputs; give a shape by name"),
]  # fmt: skip


@pytest.mark.parametrize(("shapes", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_failure_is_one_line_and_leaves_the_model(shapes: Any, message: str):
    model = Model(recurrent(2, 2, 4))
    before = str(model.module)
    with pytest.raises(DiagnosticException, match=message) as raised:
        model.reshape(shapes)
    assert str(raised.value).startswith("reshape: ")
    assert "\n" not in str(raised.value)
    assert str(model.module) == before


def test_limits_by_the_pass_and_the_method():
    ours, theirs = Model(recurrent(3, 2, 4)), Model(recurrent(3, 2, 4))
    ours.reshape({"X": [(1, 8), 2, 4]})
    run_passes(theirs, 'reshape{inputs="X=1..8x2x4"}')
    assert ours.module.is_structurally_equivalent(theirs.module)
    assert str(ours.input("X").partial_shape) == "[1..8,2,4]"
    ours.reshape({"X": [5, 2, 4]})
    assert "nn.limits" not in str(ours.module)


@pytest.mark.parametrize("limits", ['"[1..8]"', '"[8..1,2,4]"', "5"])
def test_limits_that_do_not_fit_are_refused(limits: str):
    model = Model(recurrent(3, 2, 4))
    model.reshape({"X": [(1, 8), 2, 4]})
    wrong = Model(parse(str(model.module).replace('"[1..8,2,4]"', limits)))
    with pytest.raises(DiagnosticException, match="input 0 of 3 dimensions has the nn"):
        print(wrong.input("X").partial_shape)


def test_the_pass_is_the_method():
    ours, theirs = Model(recurrent(3, 2, 4)), Model(recurrent(3, 2, 4))
    ours.reshape({"X": [1, 2, 4]})
    run_passes(theirs, 'reshape{inputs="X=1x2x4"}')
    assert ours.module.is_structurally_equivalent(theirs.module)
    assert ours.inputs[0].shape == (1, 2, 4)
    assert ours.outputs[0].shape == (1, 2, 4)


def test_names_come_before_numbers():
    model = Model(
        parse("""
    func.func @main(%a: tensor<2xf32> {nn.names = ["1"]}, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      func.return %a, %b : tensor<2xf32>, tensor<2xf32>
    }""")
    )
    model.reshape({"1": [3]})
    assert [port.shape for port in model.inputs] == [(3,), (2,)]


@pytest.mark.parametrize("shape", [{0: 2, 1: 3}, {2, 3}, b"23", bytearray(b"23"), 3, None])
def test_what_is_no_shape(shape: Any):
    module = flattened(2, 3, 4)
    with pytest.raises(
        DiagnosticException, match=rf"'X' was given {re.escape(repr(shape))}; give a shape"
    ):
        reshape(module, {"X": shape})
