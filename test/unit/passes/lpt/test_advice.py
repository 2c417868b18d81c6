"""What a reason says is so, and what it advises helps: the layer that is told is in low precision then."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i16, i64
from xdsl.ir import SSAValue

import lowstream
from lowstream.dialects.nn import (
    AvgPoolOp,
    ClampOp,
    ConcatOp,
    ConvertOp,
    GatherElementsOp,
    GatherOp,
    GreaterOp,
    InterpolateOp,
    MultiplyOp,
    MvnOp,
    NormalizeL2Op,
    PadOp,
    PReluOp,
    ReduceSumOp,
    ReluOp,
    ReshapeOp,
    SelectOp,
    SpaceToBatchOp,
    SubtractOp,
    TileOp,
    TransposeOp,
)
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt.precision import ui8
from lowstream.test.unit.passes.lpt.small_models import (
    IMAGE,
    SIGNED,
    UNEVEN,
    UNSIGNED,
    Layers,
    after_lpt,
    apart,
    is_low,
    named,
    row_of,
    window,
)

Build = Callable[[Layers, SSAValue, bool], SSAValue]


@dataclass(frozen=True)
class Advice:
    """A layer that says why it is in floating point, and the model as it is where the advice is followed."""

    layer: str
    reason: str
    build: Build
    result_changes: bool = False
    """Whether what is advised is another quantization, which gives other numbers."""
    followed: str = ""
    """What the layer is called then, where that is another name."""


def channels(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    factor = np.array([1, 2, 3]).reshape(1, 3, 1, 1)
    return low * factor, high * factor


def levels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    return layers.convolution(layers.quantized(x, UNSIGNED, levels=256 if follow else 257))


def not_quantized(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    return layers.convolution(layers.quantized(x, UNSIGNED) if follow else x)


def float_weights(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    values = layers.constant(np.random.default_rng(0).uniform(-1, 1, (4, 3, 3, 3)))
    x = layers.quantized(x, UNSIGNED)
    return layers.convolution(x, layers.weights((4, 3, 3, 3)) if follow else values)


def wide_codes(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    scaled = layers.add(MultiplyOp.of(x, layers.constant(100.0)))
    limited = layers.add(ClampOp.of(scaled, min=0.0, max=255.0))
    codes = layers.add(ConvertOp.of(limited, destination_type=ui8 if follow else i16))
    values = layers.add(ConvertOp.of(codes, destination_type=f32))
    scaled = layers.add(MultiplyOp.of(values, layers.constant(0.01)))
    order = layers.constant([0, 1, 3, 2], np.int64)
    return layers.convolution(layers.add(TransposeOp.of(scaled, order)))


def per_channel(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    return layers.convolution(layers.quantized(x, UNSIGNED if follow else channels(*UNSIGNED)))


def without_zero(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    return layers.convolution(layers.quantized(x, (0.0, 3.55) if follow else (1.0, 3.55)))


def inverted(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    ends = [layers.constant(end) for end in UNSIGNED]
    outputs = [layers.constant(end) for end in ((-2.55, 0.0) if follow else (2.55, 0.0))]
    op = FakeQuantizeOp.of(x, *ends, *outputs, levels=256)
    value = layers.add(named(op, "fq"))
    return layers.convolution(
        layers.add(MultiplyOp.of(value, layers.constant(-1.0))) if follow else value
    )


def point(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    """A branch that needs 0 at code 0 beside one that takes u8, for which LPT chose zero point 128."""
    one = layers.quantized(x, SIGNED)
    other = layers.quantized(x, SIGNED, "own") if follow else one
    convolved = layers.convolution(one)
    y = layers.add(named(PReluOp.of(other, layers.constant([0.25])), "layer"))
    return layers.concat(convolved, y)


def normalized(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    one = layers.quantized(x, SIGNED)
    other = layers.quantized(x, SIGNED, "own") if follow else one
    axes = layers.constant([1], np.int64)
    op = NormalizeL2Op.of(other, axes, eps=1e-6, eps_mode="add")
    return layers.concat(layers.convolution(one), layers.add(named(op, "layer")))


def pooled(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    kernel = [3, 3]
    op = AvgPoolOp.of(
        layers.quantized(x, SIGNED),
        kernel=kernel,
        exclude_pad=False,
        **window(1),
    )
    y = layers.add(named(op, "layer"))
    return layers.convolution(layers.quantized(y, SIGNED, "behind") if follow else y)


def rectified(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.add(named(ReluOp.of(layers.quantized(x, SIGNED)), "layer"))
    return layers.convolution(layers.quantized(y, SIGNED, "behind") if follow else y)


def without_zero_or_padding(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, (0.0, 3.55) if follow else (1.0, 3.55))
    return layers.convolution(y, pad=0)


def asymmetric(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, SIGNED if follow else UNEVEN)
    return layers.add(named(PReluOp.of(y, layers.constant([0.25])), "layer"))


def right_of_product(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    left = layers.quantized(x, UNSIGNED, "left")
    return layers.mat_mul(
        left, layers.quantized(layers.inputs[1], SIGNED if follow else UNEVEN, "right")
    )


def shared_right_of_product(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    """The right of a product takes i8, a convolution u8: for one of them lpt chose."""
    one = layers.quantized(x, SIGNED)
    own = layers.quantized(x, SIGNED, "own") if follow else one
    return layers.concat(
        layers.convolution(one),
        layers.mat_mul(layers.quantized(layers.inputs[1], UNSIGNED, "left"), own),
    )


def left_of_computed(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    left = layers.quantized(x, SIGNED if follow else UNEVEN, "left")
    return layers.mat_mul(left, layers.quantized(layers.inputs[1], SIGNED, "right"))


def two_zero_points(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    left = layers.quantized(x, SIGNED if follow else UNEVEN, "left")
    right = layers.quantized(layers.inputs[1], UNEVEN, "right")
    return layers.add(named(MultiplyOp.of(left, right), "layer"))


def half_a_product(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    left = layers.quantized(x, SIGNED, "left")
    right = layers.quantized(layers.inputs[1], SIGNED, "right") if follow else layers.inputs[1]
    return layers.add(named(MultiplyOp.of(left, right), "layer"))


def off_a_value(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    left = layers.quantized(layers.inputs[1], SIGNED, "left") if follow else layers.inputs[1]
    return layers.add(named(SubtractOp.of(left, layers.quantized(x, SIGNED)), "layer"))


def joined_constant(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    constant = layers.constant(np.random.default_rng(0).uniform(0, 2, IMAGE))
    y = layers.concat(layers.quantized(x, UNSIGNED), constant)
    return layers.convolution(layers.quantized(y, UNSIGNED, "behind") if follow else y)


def joined_types(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.concat(layers.quantized(x, UNSIGNED), layers.weights(IMAGE))
    return layers.convolution(layers.quantized(y, SIGNED, "behind") if follow else y)


def pooled_channels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, UNSIGNED if follow else channels(*UNSIGNED))
    op = ClampOp.of(y, min=0.5, max=1.5)
    return layers.add(named(op, "layer"))


def normalized_channels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, UNSIGNED if follow else channels(*UNSIGNED))
    op = MvnOp.of(
        y,
        layers.constant([2, 3], np.int64),
        eps=1e-6,
        eps_mode="inside_sqrt",
        normalize_variance=True,
    )
    return layers.add(named(op, "layer"))


def resized(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    op = InterpolateOp.of(
        layers.quantized(x, UNSIGNED),
        layers.constant([12, 12], np.int64),
        layers.constant([2, 3], np.int64),
        mode="nearest" if follow else "linear_onnx",
        shape_calculation_mode="sizes",
        antialias=False,
        pads_begin=[],
        pads_end=[],
        cube_coeff=-0.75,
    )
    return layers.convolution(layers.add(named(op, "layer")))


def gathered(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    """Indices that the model computes may be any."""
    y = layers.quantized(x, SIGNED if follow else UNEVEN)
    indices = layers.add(ConvertOp.of(layers.inputs[1], destination_type=i64))
    op = GatherOp.of(y, indices, layers.constant(1, np.int64), batch_dims=0)
    return layers.add(named(op, "layer"))


def blocks(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, SIGNED if follow else UNEVEN)
    numbers = ([1, 1, 2, 2], [0, 0, 1, 1], [0, 0, 1, 1])
    op = SpaceToBatchOp.of(y, *(layers.constant(each, np.int64) for each in numbers))
    return layers.add(named(op, "layer"))


def summed_channels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, UNSIGNED if follow else channels(*UNSIGNED))
    return layers.add(named(ReduceSumOp.of(y, layers.constant([1], np.int64)), "layer"))


def long_sum(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    """More products than 32 bits hold, and as many as the reason says are safe."""
    row = layers.add(ReshapeOp.of(x, layers.constant([1, 1, 1, 108], np.int64), special_zero=False))
    count = 65793 // 108 + (not follow)
    many = layers.add(TileOp.of(row, layers.constant([1, 1, 1, count], np.int64)))
    return layers.mat_mul(layers.quantized(many, UNSIGNED))


def padded(layers: Layers, x: SSAValue, value: float) -> SSAValue:
    sizes = [layers.constant([0, 0, 1, 1], np.int64) for _ in range(2)]
    pad = PadOp.of(x, *sizes, layers.constant(value), pad_mode="constant")
    return layers.add(named(pad, "layer"))


def padded_with_one(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    return padded(layers, layers.quantized(x, UNEVEN), 0.0 if follow else 1.0)


def padded_between_codes(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    return padded(layers, layers.quantized(x, UNEVEN if follow else (-1.003, 1.547)), 0.0)


def resized_and_padded(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    op = InterpolateOp.of(
        layers.quantized(x, SIGNED if follow else UNEVEN),
        layers.constant([12, 12], np.int64),
        layers.constant([2, 3], np.int64),
        mode="nearest",
        shape_calculation_mode="sizes",
        antialias=False,
        pads_begin=[0, 0, 1, 1],
        pads_end=[0, 0, 0, 0],
        cube_coeff=-0.75,
    )
    return layers.add(named(op, "layer"))


def along_the_sum(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    factor = np.arange(1, 7)
    own = (0.0 * factor, 2.55 * factor)
    return layers.mat_mul(layers.quantized(x, UNSIGNED if follow else own))


def joined_along_the_sum(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    other = layers.quantized(layers.inputs[1], UNSIGNED if follow else (0.0, 5.1), "other")
    return layers.mat_mul(layers.add(ConcatOp.of(layers.quantized(x, UNSIGNED), other, axis=-1)))


def scaled_channels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    factors = layers.constant(np.arange(1, 4).reshape(1, 3, 1, 1))
    scaled = layers.add(MultiplyOp.of(layers.quantized(x, UNSIGNED), factors))
    return layers.convolution(layers.quantized(scaled, (0.0, 7.65), "own") if follow else scaled)


def around_0_with_256_levels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    right = layers.quantized(layers.inputs[1], SIGNED if follow else (-1.275, 1.275), "right")
    return layers.mat_mul(layers.quantized(x, UNSIGNED, "left"), right)


def chosen_from(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    one = layers.quantized(x, UNSIGNED)
    two = layers.quantized(layers.inputs[1], UNSIGNED if follow else SIGNED, "other")
    is_above = layers.add(GreaterOp.of(*layers.inputs))
    return layers.add(named(SelectOp.of(is_above, one, two), "layer"))


def gathered_elements(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, SIGNED if follow else UNEVEN)
    indices = layers.add(ConvertOp.of(layers.inputs[1], destination_type=i64))
    return layers.add(named(GatherElementsOp.of(y, indices, axis=1), "layer"))


def behind_a_clamp(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, UNEVEN)
    clamp = ClampOp.of(y, min=-0.505, max=0.5)
    z = layers.add(named(clamp, "between"))
    z = layers.quantized(z, SIGNED, "behind") if follow else z
    return layers.add(named(ReluOp.of(z), "layer"))


def computed_filters(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    shape = layers.constant([3, 4, 3, 3], np.int64)
    column = layers.add(ReshapeOp.of(x, shape, special_zero=False))
    order = layers.constant([1, 0, 2, 3], np.int64)
    filters = layers.quantized(layers.add(TransposeOp.of(column, order)), SIGNED, "filters")
    return layers.convolution(layers.quantized(x, SIGNED), None if follow else filters)


def merged_channels(layers: Layers, x: SSAValue, follow: bool) -> SSAValue:
    y = layers.quantized(x, UNSIGNED if follow else channels(*UNSIGNED))
    op = ReshapeOp.of(y, layers.constant([3, 36], np.int64), special_zero=False)
    transposed = TransposeOp.of(layers.add(op), layers.constant([1, 0], np.int64))
    flat = ReshapeOp.of(
        layers.add(transposed),
        layers.constant([108], np.int64),
        special_zero=False,
    )
    return layers.add(named(flat, "layer"))


ADVICE = [
    Advice("conv", "input 0 has codes of i16; quantize it to integers of 8", wide_codes, True),
    Advice("layer", "it pads with another value than 0", padded_with_one, True),
    Advice("layer", "no code stands for 0; move its interval so that", padded_between_codes, True),
    Advice("layer", "padded with zeros; quantize it symmetrically", resized_and_padded, True),
    Advice("fc", "per channel along the dimension that is summed over", along_the_sum, True),
    Advice("fc", "summed over; give the FakeQuantize that are joined", joined_along_the_sum, True),
    Advice("conv", "behind the arithmetic with a constant", scaled_channels, True),
    Advice("fc", "255 levels, or an upper end that is a step", around_0_with_256_levels, True),
    Advice("layer", "different scales or types; give their FakeQuantize one", chosen_from, True),
    Advice("layer", "what lies outside of it is 0; quantize it symm", gathered_elements, True),
    Advice("layer", "from codes; put a FakeQuantize on it", behind_a_clamp, True),
    Advice("conv", "since this takes ui8 only; make input 1 constant", computed_filters, True),
    Advice("layer", "which is lost from", merged_channels, True),
    Advice(
        "layer",
        "mode 'linear_onnx' gives values between codes; 'nearest' gives codes",
        resized,
        True,
    ),
    Advice(
        "layer", "an index may be out of range, which gives 0; quantize it symm", gathered, True
    ),
    Advice("layer", "may be padded with zeros; quantize it symmetrically around 0", blocks, True),
    Advice("layer", "quantize it per tensor", summed_channels, True),
    Advice("fc", "65880 products, and 32 bits may overflow; 65793 are safe", long_sum, True),
    Advice("fq", "257 levels; low precision takes 2 to 256", levels, True),
    Advice(
        "conv", "input 0 is not quantized; the model quantizes weights only", not_quantized, True
    ),
    Advice(
        "conv",
        "input 1 (filters) is a constant in floating point; quantize it to i8",
        float_weights,
        True,
    ),
    Advice("conv", "quantize it per tensor", per_channel, True),
    Advice(
        "conv", "without 0, so padding has no code; widen the interval to 0", without_zero, True
    ),
    Advice("fq", "an inverted output interval", inverted),
    Advice(
        "layer",
        "its input is quantized with a zero point; lpt chose it, for what takes ui8 only; put a "
        "FakeQuantize of its own in front of this (FakeQuantize 'fq')",
        point,
    ),
    Advice("layer", "put a FakeQuantize of its own in front of this", normalized),
    Advice(
        "layer",
        "lpt chose it, for what takes ui8 only; put a FakeQuantize behind this, too",
        pooled,
        True,
    ),
    Advice("layer", "put a FakeQuantize behind this, too", rectified, True),
    Advice(
        "conv", "without 0, so its zero point is none of its codes", without_zero_or_padding, True
    ),
    Advice("layer", "quantize it symmetrically around 0", asymmetric, True),
    Advice("fc", "quantize it symmetrically around 0", right_of_product, True),
    Advice(
        "conv",
        "input 0 is quantized to i8; preset 'cpu-x86' takes ui8 there: lpt chose i8, for what else takes these "
        "codes; put a FakeQuantize of its own in front of this (FakeQuantize 'fq')",
        shared_right_of_product,
    ),
    Advice("fc", "quantize input 0 symmetrically around 0", left_of_computed, True),
    Advice("layer", "quantize one symmetrically around 0", two_zero_points, True),
    Advice("layer", "input 1 is not quantized; put a FakeQuantize on it", half_a_product, True),
    Advice("layer", "put a FakeQuantize on input 0", off_a_value, True),
    Advice(
        "concat",
        "off the grid of what it is joined with; give it values that the FakeQuantize keeps, or put one FakeQuantize "
        "behind it",
        joined_constant,
        True,
        "behind",
    ),
    Advice(
        "concat",
        "its inputs have codes of ui8 and i8; put one FakeQuantize behind it",
        joined_types,
        True,
        "behind",
    ),
    Advice("layer", "quantize it per tensor", pooled_channels, True),
    Advice("layer", "quantize it per tensor", normalized_channels, True),
]


def model(advice: Advice, follow: bool):
    layers = Layers(IMAGE, IMAGE)
    return layers.module(advice.build(layers, layers.inputs[0], follow))


by_advice = pytest.mark.parametrize("advice", ADVICE, ids=lambda one: one.build.__name__)


@by_advice
def test_the_reason_is_given(advice: Advice):
    rows = after_lpt(model(advice, follow=False))
    assert advice.reason in row_of(rows, advice.layer)["reason"]


@by_advice
def test_the_advice_helps(advice: Advice):
    module = model(advice, follow=True)
    before = module.clone()
    rows = after_lpt(module)
    products = [row for row in rows if row["type"] in ("Convolution", "MatMul")]
    assert [row for row in products if not is_low(row)] == []
    shown = row_of(rows, advice.followed or advice.layer)
    assert is_low(shown), shown["reason"]
    random = np.random.default_rng(0)
    inputs = [random.normal(0, 1, IMAGE).astype(np.float32) for _ in range(2)]
    assert apart(before, module, *inputs) < 1e-5
    if not advice.result_changes:
        assert apart(model(advice, follow=False), module, *inputs) < 1e-5


@pytest.mark.parametrize("zero_point", [None, 3.0])
@pytest.mark.parametrize("layer", ["conv", "fc"])
def test_a_model_of_quantized_weights_is_quantized(layer: str, zero_point: float | None):
    layers = Layers(IMAGE)
    shape = (4, 3, 3, 3) if layer == "conv" else (6, 4)
    product = layers.convolution if layer == "conv" else layers.mat_mul
    module = layers.module(product(layers.inputs[0], layers.weights(shape, np.int8, zero_point)))
    samples = list(np.random.default_rng(0).normal(0, 1, (8, *IMAGE)).astype(np.float32))
    low = lowstream.quantize(module, samples).module
    before = module.clone()
    reason = row_of(after_lpt(module), layer)["reason"]
    assert "the model quantizes weights only" in reason
    assert reason.endswith("lowstream.quantize(model, samples)")
    assert is_low(row_of(after_lpt(low), layer))
    assert apart(before, low, samples[0]) < 0.02
