"""
Custom operations. Those of MediaPipe and of SSD models are legalized; others stay, for passes and for writing, since
nobody here knows what they compute.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from ..channels_last import channels_first, channels_last
from .suppression import detection_post_process
from .translation import Translation, rule
from .unpooling import max_pooling_with_argmax, max_unpooling
from .values import given_type

SAME = 1
"""The number of this padding in the options of kernels."""


@rule("CUSTOM")
def custom(t: Translation, op: tfl.CustomOp) -> None:
    if (known := KNOWN.get(op.custom_code.data)) is not None:
        known(t, op)
        return
    none = t.builder.insert(tfl.NoValueOp()).none_val
    operands = [none if tfl.is_absent(each) else _codes(t, each) for each in op.operands]
    types = [given_type(output) for output in op.results]
    made = tfl.CustomOp(operands, op.custom_code.data, op.custom_option.content.data, types)
    for output, value in zip(op.results, t.builder.insert(made).results, strict=True):
        t.give(output, value)


def _codes(t: Translation, operand: SSAValue) -> SSAValue:
    """An operand as the file has it."""
    if (data := t.data(operand)) is None:
        return t.taken(operand)
    return t.array(data, given_type(operand).element_type)


def transpose_conv_bias(t: Translation, op: tfl.CustomOp) -> None:
    """
    MediaPipe's transposed convolution of filters `[outputs, *kernel, inputs]`, with a bias. Of a result that its window
    reaches SAME padding cuts off `kernel - (size - 1) % stride - 1`, the smaller half of it before
    (mediapipe/util/tflite/operations/transpose_conv_bias.cc).
    """
    options = op.custom_option.content.data
    if len(op.operands) != 3 or len(options) < 12:
        raise DiagnosticException(
            f"{op.custom_code.data}: {len(op.operands)} operands and {len(options)} bytes of options; it has 3 and 12"
        )
    padding, *strides = struct.unpack("<iii", options[:12])
    strides.reverse()  # the width's stands first
    x, filters, bias = map(t.value, op.operands)
    sizes, kernel = shape_of(x)[1:3], shape_of(filters)[1:3]
    cut = [
        max(0, extent - (size - 1) % stride - 1) if padding == SAME else 0
        for size, extent, stride in zip(sizes, kernel, strides, strict=True)
    ]
    result = t(
        nn.ConvolutionBackpropDataOp,
        channels_first(t, x),
        t.transposed(filters, (3, 0, 1, 2)),
        strides=strides,
        dilations=(1, 1),
        pads_begin=[each // 2 for each in cut],
        pads_end=[each - each // 2 for each in cut],
        output_padding=(0, 0),
    )
    t.set(op.results[0], t(nn.AddOp, channels_last(t, result), bias))


KNOWN: dict[str, Callable[[Translation, tfl.CustomOp], None]] = {
    "Convolution2DTransposeBias": transpose_conv_bias,
    "MaxPoolingWithArgmax2D": max_pooling_with_argmax,
    "MaxUnpooling2D": max_unpooling,
    "TFLite_Detection_PostProcess": detection_post_process,
}
"""Known custom operations, by their code."""
