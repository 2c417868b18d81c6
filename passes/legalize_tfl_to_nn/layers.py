"""Builtins with windows and weights."""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from ...dialects.properties import Property
from ..channels_last import AUTO_PADS, channels_first, channels_last, window_properties
from .dynamic_range import by_codes, quantized_rows, quantizes
from .translation import Translation, computes

LETTERS = {2: "hw", 3: "dhw"}
"""Of the dimensions of a window, in the names of its attributes."""


def window(op: tfl.WindowOp, rank: int) -> dict[str, Property]:
    """Strides, dilations and padding."""
    strides = [op.integer(f"stride_{letter}") for letter in LETTERS[rank]]
    factors = [f"dilation_{letter}_factor" for letter in LETTERS[rank]]
    dilations = [op.integer(name) if name in op.properties else 1 for name in factors]
    return window_properties(strides, dilations, AUTO_PADS[op.word("padding")])


def biased(t: Translation, op: tfl.TflOp, result: SSAValue, bias: SSAValue | None) -> SSAValue:
    """A result with its bias, the last operand, which zeros are none of."""
    if bias is None or ((data := t.data(op.operands[-1])) is not None and not data.any()):
        return result
    return t(nn.AddOp, result, bias)


@computes("CONV_2D", "CONV_3D")
def convolution(
    t: Translation, op: tfl.WindowOp, x: SSAValue, filters: SSAValue, bias: SSAValue | None = None
) -> SSAValue:
    """Filters `[outputs, *kernel, inputs]`, of a volume `[*kernel, inputs, outputs]`."""
    rank = len(shape_of(x)) - 2
    order = (rank + 1, rank, *range(rank)) if rank == 3 else (0, rank + 1, *range(1, rank + 1))
    filters = t.transposed(filters, order)
    outputs, inputs, *kernel = shape_of(filters)
    if (groups := shape_of(x)[-1] // inputs) > 1:
        filters = t.reshaped(filters, (groups, outputs // groups, inputs, *kernel))
    kind = nn.GroupConvolutionOp if groups > 1 else nn.ConvolutionOp

    def product(x: SSAValue) -> SSAValue:
        return channels_last(t, t(kind, channels_first(t, x), filters, **window(op, rank)))

    each = outputs * prod(kernel) / prod(op.integer(f"stride_{letter}") for letter in LETTERS[rank])
    sizes = shape_of(x)[1:]
    if groups == 1 and rank == 2 and quantizes(op.operands[0], op.operands[1], each, sizes):
        return biased(t, op, by_codes(t, x, (1, 2, 3), product), bias)
    return biased(t, op, product(x), bias)


@computes("DEPTHWISE_CONV_2D")
def depthwise(
    t: Translation, op: tfl.WindowOp, x: SSAValue, filters: SSAValue, bias: SSAValue | None = None
) -> SSAValue:
    _, height, width, outputs = shape_of(filters)
    channels = shape_of(x)[3]
    shape = (channels, outputs // channels, 1, height, width)
    moved = t.reshaped(t.transposed(filters, (3, 0, 1, 2)), shape)
    result = t(nn.GroupConvolutionOp, channels_first(t, x), moved, **window(op, 2))
    return biased(t, op, channels_last(t, result), bias)


@computes("TRANSPOSE_CONV", "CONV_3D_TRANSPOSE")
def transpose_conv(
    t: Translation,
    op: tfl.WindowOp,
    sizes: SSAValue,
    filters: SSAValue,
    x: SSAValue,
    bias: SSAValue | None = None,
) -> SSAValue:
    """
    Filters `[outputs, height, width, inputs]`, of three dimensions `[*kernel, outputs, inputs]`. Of SAME padding LiteRT
    cuts off the smaller half before, which for a transposed convolution is `same_lower`. The shape is often computed,
    as of an unknown batch; only its spatial sizes say anything.
    """
    spatial = len(shape_of(x)) - 2
    known = t.known_one_by_one(sizes)[1 : 1 + spatial]
    found = [size for size in known if size is not None]
    is_known = len(found) == spatial
    space = t.integers(*found) if is_known else t.slice(t.long(sizes), 1, 1 + spatial, 0)
    properties = {**window(op, spatial), "output_padding": (0,) * spatial}
    if op.word("padding") == "SAME":
        properties["auto_pad"] = "same_lower"
    filters = t.transposed(filters, (3, 0, 1, 2) if spatial == 2 else (4, 3, 0, 1, 2))
    operands = channels_first(t, x), filters, space
    result = t(nn.ConvolutionBackpropDataOp, *operands, **properties)
    return biased(t, op, channels_last(t, result), bias)


@computes("L2_POOL_2D")
def l2_pool(t: Translation, op: tfl.PoolOp, x: SSAValue) -> SSAValue:
    squares = channels_first(t, t(nn.MultiplyOp, x, x))
    means = t(nn.AvgPoolOp, squares, exclude_pad=True, **_pooling(op))
    return channels_last(t, t(nn.SqrtOp, means))


@computes("LOCAL_RESPONSE_NORMALIZATION")
def local_response_normalization(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """The window is along the channels, and its sum is not divided by its size."""
    size = 2 * op.integer("radius") + 1
    numbers = {name: op.number(name) for name in ("alpha", "beta", "bias")}
    numbers["alpha"] *= size
    return t(nn.LrnOp, x, t.integers(len(shape_of(x)) - 1), size=size, **numbers)


@computes("MAX_POOL_2D", moves=True)
def max_pool(t: Translation, op: tfl.PoolOp, x: SSAValue) -> SSAValue:
    return channels_last(t, t(nn.MaxPoolOp, channels_first(t, x), **_pooling(op)))


@computes("AVERAGE_POOL_2D")
def average_pool(t: Translation, op: tfl.PoolOp, x: SSAValue) -> SSAValue:
    pooled = t(nn.AvgPoolOp, channels_first(t, x), exclude_pad=True, **_pooling(op))
    return channels_last(t, pooled)


def _pooling(op: tfl.PoolOp) -> dict[str, Property]:
    kernel = op.integer("filter_height"), op.integer("filter_width")
    return {**window(op, 2), "kernel": kernel}


@computes("FULLY_CONNECTED")
def fully_connected(
    t: Translation, op: tfl.TflOp, x: SSAValue, weights: SSAValue, bias: SSAValue | None = None
) -> SSAValue:
    if op.word("weights_format") != "DEFAULT":
        raise DiagnosticException("shuffled weights cannot be read; convert the model without them")
    if not op.flag("keep_num_dims") and len(shape_of(x)) != 2:
        x = t.reshaped(x, (-1, shape_of(weights)[1]))

    units, *depth = shape_of(weights)
    if quantizes(op.operands[0], op.operands[1], units, depth):
        x = quantized_rows(t, x)
    return biased(t, op, t(nn.MatMulOp, x, weights, transpose_b=True), bias)
