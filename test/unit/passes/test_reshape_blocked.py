"""`reshape` refuses shapes that a constant stands in the way of: the error names it, its reader and what helps."""

import re

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import run_passes
from lowstream.dialects import context
from lowstream.passes.reshape import reshape


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def model_with(*lines: str, result: str = "tensor<?x?x?xf32>") -> ModuleOp:
    """A model of X [1, 6, 4] that gives the ReLU of %y."""
    body = " ".join(lines)
    return parse(f"""
    func.func @main(%x: tensor<1x6x4xf32> {{nn.names = ["X"]}}) -> {result} {{
      {body} %end = nn.relu %y : {result}
      func.return %end : {result}
    }}""")


def integers(name: str, *values: int) -> str:
    listed = f"{list(values)}", f"tensor<{len(values)}xi64>"
    return f'%{name} = nn.constant {{nn.name = "{name}"}} dense<{listed[0]}> : {listed[1]}'


X = "tensor<1x6x4xf32>"
ANY = "tensor<?x?x?xf32>"
LIMIT = "tensor<1xi64>"
LIMITS = f"{LIMIT}, {LIMIT}, {LIMIT}, {LIMIT}"

BLOCKING_CONSTANTS: dict[str, tuple[ModuleOp, str, str]] = {
    "a target": (
        model_with(
            integers("c", 1, 6, 4),
            f'%y = nn.reshape %x, %c {{nn.name = "op"}} : ({X}, tensor<3xi64>) -> {X}',
            result=X,
        ),
        "1x3x4",
        "constant 'c' holds 6 for dimension 1 of nn.reshape 'op'",
    ),
    "a product": (
        model_with(
            integers("c", 1, 24, 1),
            f'%y = nn.reshape %x, %c {{nn.name = "op"}} : ({X}, tensor<3xi64>) -> {ANY}',
        ),
        "1x3x4",
        "constant 'c' holds 24 for dimension 1 of nn.reshape 'op'",
    ),
    "a part of a target": (
        model_with(
            integers("a", 1),
            integers("c", 6, 4),
            "%t = nn.concat %a, %c {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>",
            f'%y = nn.reshape %x, %t {{nn.name = "op"}} : ({X}, tensor<3xi64>) -> {ANY}',
        ),
        "1x3x4",
        "constant 'c' holds 6 for dimension 1 of nn.reshape 'op'",
    ),
    "a batch": (
        model_with(
            integers("c", 1, -1, 4),
            integers("zero", 0),
            f'%r = nn.reshape %x, %c {{nn.name = "op"}} : ({X}, tensor<3xi64>) -> {X}',
            f"%y = nn.concat %r, %x {{axis = 2 : i64}} : ({X}, {X}) -> tensor<1x6x8xf32>",
            result="tensor<1x6x8xf32>",
        ),
        "2x6x4",
        "constant 'c' holds 1 for dimension 0 of nn.reshape 'op'",
    ),
    "a broadcast before": (
        model_with(
            integers("c", 1, 6, 4),
            "%s = nn.constant dense<0.0> : tensor<f32>",
            f'%b = nn.broadcast %s, %c {{nn.name = "op"}} : (tensor<f32>, tensor<3xi64>) -> {X}',
            f"%t = nn.tanh %b : {X}",
            f"%y = nn.add %x, %t : ({X}, {X}) -> {X}",
            result=X,
        ),
        "1x3x4",
        "nn.add: shapes .* constant 'c' holds 6 for dimension 1 of nn.broadcast 'op'",
    ),
    "a stop": (
        model_with(
            "%table = nn.constant dense<0.0> : tensor<1x9x4xf32>",
            integers("zero", 0),
            integers("one", 1),
            integers("c", 6),
            f'%p = nn.slice %table, %zero, %c, %one, %one {{nn.name = "op"}} : (tensor<1x9x4xf32>, {LIMITS}) -> {X}',
            f"%y = nn.add %x, %p : ({X}, {X}) -> {X}",
            result=X,
        ),
        "1x3x4",
        "constant 'c' holds 6 for dimension 1 of nn.slice 'op'",
    ),
    "data": (
        model_with(
            '%c = nn.constant {nn.name = "c"} dense<0.5> : tensor<1x6x4xf16>',
            "%d = nn.convert %c to f32 : tensor<1x6x4xf16> -> tensor<1x6x4xf32>",
            f'%y = nn.add %x, %d {{nn.name = "op"}} : ({X}, {X}) -> {X}',
            result=X,
        ),
        "1x3x4",
        "constant 'c' holds 6 for dimension 1 of nn.add 'op'",
    ),
    "weights": (
        model_with(
            '%c = nn.constant {nn.name = "c"} dense<0.5> : tensor<4x8xf32>',
            f'%y = nn.mat_mul %x, %c {{nn.name = "op"}} : ({X}, tensor<4x8xf32>) -> tensor<1x6x8xf32>',
            result="tensor<1x6x8xf32>",
        ),
        "1x6x5",
        "constant 'c' holds 4 for dimension 0 of nn.mat_mul 'op'",
    ),
    "an initial value": (
        model_with(
            '%c = nn.constant {nn.name = "c"} dense<0.5> : tensor<1x4xf32>',
            f"""%y, %h = infra.tensor_iterator %x, %c
                inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>,
                        #infra.merged<result = 1>]
                outputs [#infra.concatenated<result = 0, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>,
                         #infra.iteration<result = 1, iteration = -1>]
                body_names ["X_t", "H_t"] {{nn.name = "op"}} : ({X}, tensor<1x4xf32>) -> ({X}, tensor<1x4xf32>) {{
            ^bb0(%xt: tensor<1x1x4xf32>, %ht: tensor<1x4xf32>):
              %axis = nn.constant dense<1> : tensor<1xi64>
              %flat = nn.squeeze %xt, %axis : (tensor<1x1x4xf32>, {LIMIT}) -> tensor<1x4xf32>
              %both = nn.concat %flat, %ht {{axis = 1 : i64}} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x8xf32>
              %two = nn.constant dense<1> : tensor<i64>
              %next, %rest = nn.split %both, %two {{num_splits = 2 : i64}}
                  : (tensor<1x8xf32>, tensor<i64>) -> (tensor<1x4xf32>, tensor<1x4xf32>)
              infra.yield %xt, %next : tensor<1x1x4xf32>, tensor<1x4xf32>
            }}""",
            result=X,
        ),
        "2x6x4",
        "nn.concat: inputs differ .* constant 'c' holds 1 for dimension 0 of infra.tensor_iterator 'op'",
    ),
    "a trip count": (
        model_with(
            '%c = nn.constant {nn.name = "c"} dense<6> : tensor<i64>',
            "%true = nn.constant dense<true> : tensor<i1>",
            f"""%y = infra.loop %c, %true, %x
                inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>]
                outputs [#infra.concatenated<result = 0, axis = 1, start = 0, end = -1, stride = 1, part_size = 1>]
                body_names ["X"] {{nn.name = "op"}} : (tensor<i64>, tensor<i1>, {X}) -> {X} {{
            ^bb0(%xt: tensor<1x1x4xf32>):
              infra.yield %xt : tensor<1x1x4xf32>
            }}""",
            result=X,
        ),
        "1x3x4",
        "runs 6 iterations, .* constant 'c' holds 6 for dimension 1 of infra.loop 'op'",
    ),
}


RELAXED = {"a target", "a batch", "a broadcast before", "a stop", "a trip count"}
"""Of these, `relax-constants` knows what the constant follows."""


@pytest.mark.parametrize("case", BLOCKING_CONSTANTS)
def test_the_error_names_the_constant_its_reader_and_the_dimension(case: str):
    module, shape, message = BLOCKING_CONSTANTS[case]
    before = str(module)
    with pytest.raises(DiagnosticException, match=message) as raised:
        reshape(module, {"X": shape})
    assert re.search(r'cut it off \(trim\{inputs="op(\.0)?"\}\)', str(raised.value))
    assert 'replace it (replace-constant{name="c" file=….npy})' in str(raised.value)
    assert "\n" not in str(raised.value)
    assert str(module) == before
    run_passes(module, "relax-constants")
    if "let it follow the inputs (relax-constants)" in str(raised.value):
        assert case in RELAXED
        reshape(module, {"X": shape})
        return
    assert case not in RELAXED
    with pytest.raises(DiagnosticException, match=message):
        reshape(module, {"X": shape})


def test_nothing_is_cut_off_that_nothing_follows():
    text = """
    func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> tensor<1x4xf32> {
      %c = nn.constant dense<2.0> : tensor<4xf32>
      %y = nn.multiply %x, %c {nn.name = "op"} : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
      func.return %y : tensor<1x4xf32>
    }"""
    with pytest.raises(DiagnosticException) as raised:
        reshape(parse(text), {"X": "1x6"})
    assert str(raised.value).endswith("of nn.multiply 'op': give the inputs other shapes")


def test_a_constant_without_a_name_is_not_replaced_by_one():
    """Nor is one of two of a name, nor an operation of a body cut off."""
    text = """
    func.func @main(%x: tensor<1x6x4xf32> {nn.names = ["X"]}, %c: tensor<i1>) -> tensor<24x1xf32> {
      %y = infra.if %c, %x {nn.name = "choice"} : (tensor<i1>, tensor<1x6x4xf32>) -> tensor<24x1xf32> {
      ^bb0(%a: tensor<1x6x4xf32>):
        %inner = nn.constant NAME dense<[24, 1]> : tensor<2xi64>
        %r = nn.reshape %a, %inner {nn.name = "op"} : (tensor<1x6x4xf32>, tensor<2xi64>) -> tensor<24x1xf32>
        infra.yield %r : tensor<24x1xf32>
      } else {
      ^bb0(%b: tensor<1x6x4xf32>):
        %inner = nn.constant NAME dense<[24, 1]> : tensor<2xi64>
        %r = nn.reshape %b, %inner {nn.name = "op"} : (tensor<1x6x4xf32>, tensor<2xi64>) -> tensor<24x1xf32>
        infra.yield %r : tensor<24x1xf32>
      }
      %end = nn.relu %y : tensor<24x1xf32>
      func.return %end : tensor<24x1xf32>
    }"""
    for name in ("", '{nn.name = "c"}'):
        with pytest.raises(DiagnosticException) as raised:
            reshape(parse(text.replace("NAME", name)), {"X": "1x3x4"})
        assert re.search(r"24 for dimension 0 of nn.reshape 'op': ", str(raised.value))
        assert str(raised.value).endswith('cut it off (trim{inputs="choice"})')
        assert "replace-constant" not in str(raised.value)


def test_a_size_in_a_body_is_found():
    module = parse("""
    func.func @main(%x: tensor<1x6x4xf32> {nn.names = ["X"]}, %c: tensor<i1>) -> tensor<6x4xf32> {
      %y = infra.if %c, %x : (tensor<i1>, tensor<1x6x4xf32>) -> tensor<6x4xf32> {
      ^bb0(%a: tensor<1x6x4xf32>):
        %inner = nn.constant {nn.name = "inner"} dense<[6, 4]> : tensor<2xi64>
        %r = nn.reshape %a, %inner : (tensor<1x6x4xf32>, tensor<2xi64>) -> tensor<6x4xf32>
        infra.yield %r : tensor<6x4xf32>
      } else {
      ^bb0(%b: tensor<1x6x4xf32>):
        %axis = nn.constant dense<0> : tensor<1xi64>
        %r = nn.squeeze %b, %axis : (tensor<1x6x4xf32>, tensor<1xi64>) -> tensor<6x4xf32>
        infra.yield %r : tensor<6x4xf32>
      }
      func.return %y : tensor<6x4xf32>
    }""")
    with pytest.raises(DiagnosticException, match="constant 'inner' holds 6 for dimension 0"):
        reshape(module, {"X": "1x3x4"})


BLAMELESS = {
    "the change got through": (
        """
        func.func @main(%x: tensor<1x6x4xf32> {nn.names = ["X"]}, %h: tensor<1x6x6xf32>) -> tensor<1x6x6xf32> {
          %w = nn.constant dense<0.5> : tensor<4x6xf32>
          %m = nn.mat_mul %x, %w : (tensor<1x6x4xf32>, tensor<4x6xf32>) -> tensor<1x6x6xf32>
          %y = nn.add %m, %h : (tensor<1x6x6xf32>, tensor<1x6x6xf32>) -> tensor<1x6x6xf32>
          func.return %y : tensor<1x6x6xf32>
        }""",
        "1x3x4",
    ),
    "weights are no products": (
        """
        func.func @main(%x: tensor<2x4xf32> {nn.names = ["X"]}, %h: tensor<2x6xf32>) -> tensor<2x6xf32> {
          %w = nn.constant dense<0.5> : tensor<6x4xf32>
          %r = nn.constant dense<0.5> : tensor<6x6xf32>
          %b = nn.constant dense<0.5> : tensor<6xf32>
          %y = rnn.rnn_cell %x, %h, %w, %r, %b {hidden_size = 6 : i64}
              : (tensor<2x4xf32>, tensor<2x6xf32>, tensor<6x4xf32>, tensor<6x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
          func.return %y : tensor<2x6xf32>
        }""",
        "5x4",
    ),
}


@pytest.mark.parametrize("case", BLAMELESS)
def test_no_constant_is_blamed_where_inputs_contradict_each_other(case: str):
    text, shape = BLAMELESS[case]
    with pytest.raises(DiagnosticException, match=r"; give the inputs other shapes$"):
        reshape(parse(text), {"X": shape})


def test_what_lies_in_front_of_a_contradiction_has_the_new_shape():
    text, shape = BLAMELESS["the change got through"]
    module = parse(text.replace("nn.mat_mul %x, %w", 'nn.mat_mul %x, %w {nn.name = "m"}'))
    with pytest.raises(DiagnosticException, match=r"nn\.add") as raised:
        reshape(module, {"X": shape})
    assert 'or end the model in front of it (trim{outputs="m"})' in str(raised.value)
    run_passes(module, 'trim{outputs="m"}')
    reshape(module, {"X": shape})
