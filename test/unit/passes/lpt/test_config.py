"""A configuration restricts, disables and adds; presets are configurations."""

from typing import Any, ClassVar

import pytest
from xdsl.dialects.builtin import ModuleOp, f32, i8
from xdsl.parser import Parser
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.dialects.inferred import tensor
from lowstream.dialects.infra import ReadValueOp
from lowstream.dialects.nn import ConvolutionOp, MatMulOp, MaximumOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt import Lpt, LptMain, LptMarkup
from lowstream.passes.lpt.attributes import declined
from lowstream.passes.lpt.callbacks import is_asymmetric_on_weights
from lowstream.passes.lpt.config import (
    PRESETS,
    Callback,
    LptConfig,
    PerTensorRestriction,
    PrecisionsRestriction,
)
from lowstream.passes.lpt.dequantization import Dequantization
from lowstream.passes.lpt.plan import LptPlan
from lowstream.passes.lpt.precision import ui8
from lowstream.passes.lpt.transformation import Transformation, replace
from lowstream.passes.pipeline import parse_pipeline, run_passes

QUANTIZE = "(tensor<4x2xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>)"
PRODUCT = f"""
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {{
  %l = nn.constant dense<[[-1.28], [-1.28], [-1.28], [-1.28]]> : tensor<4x1xf32>
  %h = nn.constant dense<[[1.27], [1.27], [1.27], [1.27]]> : tensor<4x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {{levels = 256 : i64}} : {QUANTIZE} -> tensor<4x2xf32>
  %c = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %w : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}}
"""
PER_ROW = PRODUCT.replace("[[1.27], [1.27]", "[[1.27], [2.54]").replace(
    "[[-1.28], [-1.28]", "[[-1.28], [-2.56]"
)


def transformed(text: str, config: LptConfig) -> ModuleOp:
    """The module after LPT."""
    module = Parser(context(), text).parse_module()
    run_passes(module, Lpt(config=config))
    return module


def only(module: ModuleOp, kind: type[Any]) -> Any:
    """The one operation of a kind."""
    (found,) = (op for op in module.walk() if isinstance(op, kind))
    return found


def restrict(*left: Any) -> LptConfig:
    """A product that takes these on its left."""
    return LptConfig(precisions=(PrecisionsRestriction("nn.mat_mul", 0, left),))


@pytest.mark.parametrize(("allowed", "element"), [((ui8, i8), i8), ((ui8,), ui8), ((i8,), i8)])
def test_a_restriction_decides_the_type_of_codes(allowed, element):
    module = transformed(PRODUCT, restrict(*allowed))
    assert tensor(only(module, FakeQuantizeOp).result).element_type == element
    assert tensor(only(module, MatMulOp).a).element_type == element


def test_a_port_that_takes_nothing_stays_in_floating_point():
    module = transformed(PRODUCT, restrict())
    assert only(module, FakeQuantizeOp).output_type is None
    assert declined(only(module, MatMulOp)) == "the configuration keeps input 0 in floating point"


STATE = f"""
infra.variable @kept : tensor<4x2xf32>
func.func @main(%x: tensor<4x2xf32>) -> tensor<4x4xf32> {{
  %start = nn.constant dense<0.0> : tensor<4x2xf32>
  %r = infra.read_value @kept, %start : tensor<4x2xf32> -> tensor<4x2xf32>
  %l = nn.constant dense<[[-1.28], [-1.28], [-1.28], [-1.28]]> : tensor<4x1xf32>
  %h = nn.constant dense<[[1.27], [1.27], [1.27], [1.27]]> : tensor<4x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {{levels = 256 : i64}} : {QUANTIZE} -> tensor<4x2xf32>
  infra.assign @kept, %q : tensor<4x2xf32>
  %y = nn.mat_mul %r, %r {{transpose_b = true}} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}}
"""


def test_a_state_whose_reader_takes_nothing_stays_in_floating_point():
    ports = tuple(PrecisionsRestriction("nn.mat_mul", port, ()) for port in (0, 1))
    module = transformed(STATE, LptConfig(precisions=ports))
    assert only(module, FakeQuantizeOp).output_type is None
    read = only(module, ReadValueOp)
    assert tensor(read.result).element_type == f32
    assert declined(read) == (
        "qnn.fake_quantize has no 8-bit type that the configuration lets its consumers take"
    )


def test_default_precisions_are_for_those_without_a_restriction():
    module = transformed(PRODUCT, LptConfig(default_precisions=(ui8,)))
    assert only(module, FakeQuantizeOp).output_type == ui8


def test_per_tensor_is_demanded_of_what_varies():
    config = LptConfig(per_tensor=(PerTensorRestriction("nn.mat_mul", 0),))
    assert tensor(only(transformed(PRODUCT, config), MatMulOp).a).element_type == i8
    assert tensor(only(transformed(PER_ROW, LptConfig()), MatMulOp).a).element_type == i8
    assert declined(only(transformed(PER_ROW, config), MatMulOp)) == (
        "input 0 is quantized per channel; the configuration takes one scale there, so quantize it per "
        "tensor"
    )


SHARED = f"""
func.func @main(%x: tensor<2x2xf32>, %a: tensor<2x2xi8>, %b: tensor<2x2xui8>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {{
  %l = nn.constant dense<[[-1.28]]> : tensor<1x1xf32>
  %h = nn.constant dense<[[1.27]]> : tensor<1x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {{levels = 256 : i64}} : {QUANTIZE} -> tensor<2x2xf32>
  %v = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %v : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %w, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}}
""".replace("4x2xf32", "2x2xf32").replace("4x1xf32", "1x1xf32")


def test_where_users_disagree_those_further_down_decide():
    config = LptConfig(
        precisions=(
            PrecisionsRestriction("nn.mat_mul", 0, (ui8,)),
            PrecisionsRestriction("nn.mat_mul", 1, (i8,)),
        )
    )
    module = transformed(SHARED, config)
    assert only(module, FakeQuantizeOp).output_type == i8
    first, second = (op for op in module.walk() if isinstance(op, MatMulOp))
    assert declined(first) == (
        "input 0 is quantized to i8; the configuration takes ui8 there: lpt chose i8, for what else takes these "
        "codes; put a FakeQuantize of its own in front of this"
    )
    assert tensor(second.b).element_type == i8


def test_a_disabled_transformation_does_nothing():
    module = transformed(PRODUCT, LptConfig(disabled=frozenset({"mat_mul"})))
    product = only(module, MatMulOp)
    assert tensor(product.a).element_type != i8
    assert declined(product) == "the configuration disables mat_mul"


WINDOW = "{strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>}"
FILTERS_AROUND_A_ZERO_POINT = f"""
func.func @main(%q: tensor<1x1x4xui8>) -> tensor<1x2x4xf32> {{
  %c = nn.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>>
      : tensor<2x1x1xi8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {WINDOW} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}}
"""


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (LptConfig(disabled=frozenset({"convolution"})), "the configuration disables convolution"),
        (
            LptConfig(callbacks=(Callback("convolution", is_asymmetric_on_weights),)),
            "a callback of the configuration leaves it as it is",
        ),
        (
            LptConfig(per_tensor=(PerTensorRestriction("nn.convolution", 1),)),
            "input 1 (filters) is quantized with a zero point; quantize it symmetrically around 0",
        ),
    ],
)
def test_zero_points_are_split_off_only_for_a_convolution_of_codes(config, reason):
    module = Parser(context(), FILTERS_AROUND_A_ZERO_POINT).parse_module()
    run_passes(module, [LptMarkup(config=config), LptMain(config=config)])
    convolution = only(module, ConvolutionOp)
    assert tensor(convolution.result).get_shape() == (1, 2, 4)
    assert declined(convolution) == reason


def test_unknown_names_are_refused():
    with pytest.raises(DiagnosticException, match="no transformation 'matmul'; there is mat_mul"):
        transformed(PRODUCT, LptConfig(disabled=frozenset({"matmul"})))
    with pytest.raises(DiagnosticException, match="no transformation 'rellu'; there is relu"):
        run_passes(ModuleOp([]), LptMain(only=("rellu",)))
    with pytest.raises(DiagnosticException, match="no preset 'gpu'; there is cpu-x86"):
        Lpt(preset="gpu").apply(context(), ModuleOp([]))


@pytest.mark.parametrize(
    ("operation", "port", "message"),
    [
        ("nn.mat_mul", 7, "nn.mat_mul has no input 7; there is 0, 1"),
        ("nn.mat_mul", -1, "nn.mat_mul has no input -1; there is 0, 1"),
        ("nn.concat", -1, "no input -1; they count from 0"),
        (
            "nm.mat_mul",
            0,
            "no transformation is about 'nm.mat_mul'; there are some about nn.mat_mul",
        ),
        ("nn.sigmoid", 0, "nn.sigmoid takes values only: no transformation is about it"),
    ],
)
def test_restrictions_that_name_nothing_are_refused(operation, port, message):
    for config in (
        LptConfig(precisions=(PrecisionsRestriction(operation, port, (i8,)),)),
        LptConfig(per_tensor=(PerTensorRestriction(operation, port),)),
    ):
        with pytest.raises(DiagnosticException) as raised:
            transformed(PRODUCT, config)
        assert str(raised.value) == f"lpt: {message}"


def test_a_restriction_of_any_input_of_several_is_one():
    transformed(PRODUCT, LptConfig(precisions=(PrecisionsRestriction("nn.concat", 7, (i8,)),)))


@pytest.mark.parametrize("name", PRESETS)
def test_a_pass_with_a_preset_as_its_configuration_prints_its_name(name):
    one = Lpt(config=PRESETS[name])
    assert str(one) == f'lpt{{preset="{name}"}}'
    (again,) = parse_pipeline(str(one))
    assert isinstance(again, Lpt) and again.chosen == one.chosen


def test_a_pass_with_another_configuration_prints_too():
    assert str(Lpt(config=LptConfig())) == 'lpt{config="LptConfig(…)"}'


WEIGHTS = """
func.func @main() -> tensor<2xf32> {
  %x = nn.constant dense<[0.1, 0.6]> : tensor<2xf32>
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 128 : i64}
      : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return %q : tensor<2xf32>
}
"""
JOINED = f"""
func.func @main(%x: tensor<2x2xf32>) -> tensor<4x2xf32> {{
  %l = nn.constant dense<-1.28> : tensor<4x1xf32>
  %h = nn.constant dense<1.27> : tensor<4x1xf32>
  %c = nn.concat %x, %x {{axis = 0 : i64}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %q = qnn.fake_quantize %c, %l, %h, %l, %h {{levels = 256 : i64}} : {QUANTIZE} -> tensor<4x2xf32>
  func.return %q : tensor<4x2xf32>
}}
"""


@pytest.mark.parametrize(("disabled", "count"), [((), 2), (("move_fake_quantize",), 1)])
def test_patterns_of_the_first_step_are_disabled_by_name(disabled, count):
    module = transformed(JOINED, LptConfig(disabled=frozenset(disabled)))
    assert sum(isinstance(op, FakeQuantizeOp) for op in module.walk()) == count


@pytest.mark.parametrize(("disabled", "count"), [((), 0), (("fold_fake_quantize",), 1)])
def test_patterns_of_the_last_step_are_disabled_by_name(disabled, count):
    module = transformed(WEIGHTS, LptConfig(disabled=frozenset(disabled)))
    assert sum(isinstance(op, FakeQuantizeOp) for op in module.walk()) == count


class SinkDequantizeThroughMaximum(Transformation[MaximumOp]):
    """`max(dq(a), dq(b)) = dq(max(a, b))` for one dequantization whose scale is positive."""

    name: ClassVar[str] = "maximum"
    op: ClassVar[type[MaximumOp]] = MaximumOp
    preserves_precision: ClassVar[bool] = True

    def transform(self, op: MaximumOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        left, right = Dequantization.on(op.lhs), Dequantization.on(op.rhs)
        if left is None or right is None:
            return "an input is not quantized"
        if not left.same_as(right) or (left.scale <= 0).any():
            return "its inputs have different scales"
        moved = MaximumOp.of(left.codes, right.codes, **op.properties)
        replace(op, moved, [left.over(moved.result)], rewriter)
        return None


@pytest.mark.parametrize(
    ("scale", "reason"), [(0.5, ""), (0.25, "its inputs have different scales")]
)
def test_a_users_transformation_joins_the_sweep(scale, reason):
    text = f"""
    func.func @main(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xf32> {{
      %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
      %y = qnn.dequantize %b scale <dense<{scale}> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
      %z = nn.maximum %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      func.return %z : tensor<4xf32>
    }}
    """
    module = transformed(text, LptConfig(additional=(SinkDequantizeThroughMaximum(),)))
    maximum = only(module, MaximumOp)
    assert (tensor(maximum.result).element_type == i8) == (not reason)
    assert declined(maximum) == reason
