"""
`split-dilated-convolutions`: every d-th output of a convolution with dilation d (a phase) is a convolution without
dilation of every d-th input, which may take Winograd's algorithm.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import TAPS
from ...dialects.nn.convolution import ForwardConvolution
from ...dialects.nn.writer import Writer
from ...dialects.walk import all_operations
from .trailing_elementwise import Trailing

FEWEST_CHANNELS = 128
"""Channels, and units, with which the products that are saved are worth moving the phases."""

SMALLEST_PHASE = 4
"""Lines of outputs that fill one of Winograd's large tiles."""


class SplitDilatedConvolutions(ModulePass):
    """
    `conv(x, f, dilation d) = interleaved(conv(phases(x), f))`, with the d * d phases as images of a batch

    d divides sizes and padding. The filters are constants of 3 x 3 taps of f32, in one group and with stride 1. There
    are channels and positions enough that Winograd's algorithm is worth it.

    Elementwise operations behind the convolution, with numbers and constants for each channel, are computed before the
    phases are put together, so that they become its epilogue.
    """

    name = "split-dilated-convolutions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if isinstance(inner, nn.ConvolutionOp) and _takes_winograd(inner):
                _split(inner)


def _takes_winograd(op: ForwardConvolution) -> bool:
    """Whether its phases may be computed by Winograd's algorithm."""
    shapes = [shape_of(value) for value in (op.input, op.filters, op.result)]
    if len(shapes[0]) != 4 or any(size < 1 for shape in shapes for size in shape):
        return False
    units, channels = shapes[1][:2]
    kernel = shapes[1][2:]
    window = op.window(kernel)
    return (
        tensor(op.filters).element_type == tensor(op.input).element_type == f32
        and nn.constant_of(op.filters) is not None
        and not op.outside
        and kernel == (TAPS, TAPS)
        and min(units, channels) >= FEWEST_CHANNELS
        and all(stride == 1 for stride in window.strides)
        and max(window.dilations) > 1
        and all(
            not any(size % dilation for size in (size, *pads))
            and result >= SMALLEST_PHASE * dilation
            for size, pads, result, dilation in zip(
                shapes[0][2:],
                window.padding(shapes[0][2:]),
                shapes[2][2:],
                window.dilations,
                strict=True,
            )
        )
    )


def _split(op: ForwardConvolution) -> None:
    """Replaces a convolution, and the elementwise operations behind it, by one of its phases."""
    chain, block = Trailing.behind(op), Block()
    write = Writer(InsertPoint.at_end(block))
    window = op.window(shape_of(op.filters)[2:])
    rows, columns = window.dilations
    pads = [
        [pad // dilation for pad in both]
        for both, dilation in zip(
            window.padding(shape_of(op.input)[2:]), window.dilations, strict=True
        )
    ]
    value = write(
        type(op),
        _phases(write, op.input, rows, columns),
        op.filters,
        strides=[1, 1],
        pads_begin=[first for first, _ in pads],
        pads_end=[last for _, last in pads],
        dilations=[1, 1],
    )
    value = chain.on(write, value, lambda operand: operand)
    chain.replace(_interleaved(write, value, rows, columns), block)


def _phases(write: Writer, value: SSAValue, rows: int, columns: int) -> SSAValue:
    """Images [N, C, H, W], each as so many images of every d-th line."""
    batch, channels, height, width = shape_of(value)
    height, width = height // rows, width // columns
    value = write.transposed(value, (0, 2, 3, 1))
    value = write.reshaped(value, (batch, height, rows, width, columns, channels))
    value = write.transposed(value, (0, 2, 4, 1, 3, 5))
    value = write.reshaped(value, (batch * rows * columns, height, width, channels))
    return write.transposed(value, (0, 3, 1, 2))


def _interleaved(write: Writer, value: SSAValue, rows: int, columns: int) -> SSAValue:
    """The images that such phases are made of."""
    images, channels, height, width = shape_of(value)
    batch = images // (rows * columns)
    value = write.transposed(value, (0, 2, 3, 1))
    value = write.reshaped(value, (batch, rows, columns, height, width, channels))
    value = write.transposed(value, (0, 3, 1, 4, 2, 5))
    value = write.reshaped(value, (batch, height * rows, width * columns, channels))
    return write.transposed(value, (0, 3, 1, 2))
