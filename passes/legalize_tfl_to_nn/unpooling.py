"""
MediaPipe's pooling that says where in its window each maximum lies, and what puts values back there
(mediapipe/util/tflite/operations/max_pool_argmax.cc and max_unpooling.cc).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, f32, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of, spelled
from ..channels_last import channels_first, channels_last, window_properties
from .steps import ACTIVATIONS
from .translation import Translation

PADDING = {1: "same_upper", 2: "valid"}
"""What the options' numbers stand for."""

FRACTION = 0.1
"""What kernels add to a place, so that it is the same number however it is rounded."""


@dataclass(frozen=True)
class Pooling:
    """The options of both: numbers of 32 bits, the width first."""

    padding: int
    strides: tuple[int, int]
    filter: tuple[int, int]
    activation: int

    @classmethod
    def of(cls, op: tfl.CustomOp) -> Pooling:
        options = op.custom_option.content.data
        if len(options) < 24:
            raise DiagnosticException(
                f"{op.custom_code.data}: {len(options)} bytes of options; it has 24 and more"
            )
        padding, *sizes, activation = struct.unpack("<6i", options[:24])
        if padding not in PADDING or min(sizes) < 1 or not 0 <= activation < len(tfl.ACTIVATIONS):
            raise DiagnosticException(
                f"{op.custom_code.data}: padding {padding}, strides and filter {sizes}, activation {activation} have "
                "no meaning; convert the model again"
            )
        return cls(padding, (sizes[1], sizes[0]), (sizes[3], sizes[2]), activation)


def max_pooling_with_argmax(t: Translation, op: tfl.CustomOp) -> None:
    """The maxima, and their places in their windows, row by row."""
    pooling, x = Pooling.of(op), channels_first(t, t.value(op.operands[0]))
    sizes = shape_of(x)[2:]
    if DYNAMIC_INDEX in sizes:
        raise DiagnosticException(
            f"{op.custom_code.data}: takes {spelled(shape_of(x))}; convert the model with fixed shapes"
        )
    auto_pad = PADDING[pooling.padding]
    properties = window_properties(pooling.strides, (1, 1), auto_pad, (0, 0), (0, 0))
    pooled = t(nn.MaxPoolOp, x, kernel=pooling.filter, **properties)
    places = t(
        nn.MaxPoolIndicesOp,
        x,
        kernel=pooling.filter,
        axis=2,
        index_element_type=i32,
        **properties,
    )
    made = pooled.owner
    assert isinstance(made, nn.MaxPoolOp)
    first = [
        np.arange(count, dtype=np.int32) * step - before
        for count, step, (before, _) in zip(
            shape_of(pooled)[2:],
            pooling.strides,
            made.pooling_window().padding(sizes),
            strict=True,
        )
    ]
    width = t.array(np.array(sizes[1], np.int32))
    row = t(nn.SubtractOp, t(nn.DivideOp, places, width), t.array(first[0][:, None]))
    column = t(nn.SubtractOp, t(nn.FloorModOp, places, width), t.array(first[1]))
    inside = t(nn.AddOp, t(nn.MultiplyOp, row, pooling.filter[1]), column)
    inside = t(nn.AddOp, t.converted(inside, f32), FRACTION)
    activated = ACTIVATIONS[tfl.ACTIVATIONS[pooling.activation]](t, channels_last(t, pooled))
    t.set(op.results[0], activated)
    t.set(op.results[1], channels_last(t, inside))


def max_unpooling(t: Translation, op: tfl.CustomOp) -> None:
    """Each value at its place in a window of its own, zeros elsewhere."""
    pooling, (x, places) = Pooling.of(op), map(t.value, op.operands)
    batch, height, width, channels = shape_of(x)
    if pooling.strides != pooling.filter or DYNAMIC_INDEX in (height, width, channels):
        raise DiagnosticException(
            f"{op.custom_code.data}: windows {spelled(pooling.filter)}, {spelled(pooling.strides)} apart, of "
            f"{spelled(shape_of(x))}; they must lie side by side, and sizes be known"
        )
    rows, columns = pooling.filter
    own = np.arange(rows * columns, dtype=np.int32).reshape(rows, 1, columns, 1)
    x, places = (_apart(t, each) for each in (x, t.converted(places, i32)))
    spread = t(nn.SelectOp, t(nn.EqualOp, places, t.array(own)), x, t.like(x, 0))
    t.set(op.results[0], t.reshaped(spread, (batch, height * rows, width * columns, channels)))


def _apart(t: Translation, value: SSAValue) -> SSAValue:
    """`[batch, row, column, channel]`, with room for the rows and columns of a window."""
    return t(nn.UnsqueezeOp, value, t.integers(2, 4))
