"""Windows: convolutions, transposed convolutions, pooling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import label, shape_of, static_shape, tensor
from ....dialects.nn.convolution import BackwardConvolution, ForwardConvolution
from ....dialects.nn.pooling import PoolingOp
from ....dialects.nn.window import Window
from ....reference.arrays import array_of
from .graph import GraphWriter
from .handlers import Written, writes

AUTO_PAD = {"valid": "VALID", "same_upper": "SAME_UPPER", "same_lower": "SAME_LOWER"}


def window_attributes(window: Window, sizes: Sequence[int]) -> dict[str, Any]:
    """
    Strides, dilations and pads. Pads may depend on sizes that are unknown here; then `auto_pad` says them, as ONNX has
    it.
    """
    given = {"strides": list(window.strides), "dilations": list(window.dilations)}
    if window.auto_pad in AUTO_PAD and (window.auto_pad == "valid" or DYNAMIC_INDEX in sizes):
        return given | {"auto_pad": AUTO_PAD[window.auto_pad]}
    begin, end = zip(*window.padding(sizes), strict=True)
    return given | {"pads": [*begin, *end]}


def filters_of(graph: GraphWriter, op: nn.ConvolutionBase) -> str:
    """Filters without a dimension for groups. For constants, this is the same data in another shape."""
    return graph[op.operands[1]] if not op.GROUPED else merged(graph, op.operands[1])


def merged(graph: GraphWriter, filters: SSAValue) -> str:
    """The first two dimensions of a value, merged."""
    groups, first, *rest = static_shape(filters)
    owner, blob = filters.owner, nn.constant_of(filters)
    if isinstance(owner, nn.ReshapeOp) and shape_of(owner.input) == (groups * first, *rest):
        return graph[owner.input]
    if blob is None:
        return graph.reshaped(graph[filters], (groups * first, *rest))
    flat: TensorType[Any] = TensorType(blob.type.element_type, [groups * first, *rest])
    return graph.constant(BlobAttr(replace(blob.data, type=flat)))


def convolution_attributes(op: nn.ConvolutionBase) -> dict[str, Any]:
    """The attributes of a convolution. ONNX takes the size of the kernel from the filters."""
    shape = shape_of(op.operands[0])
    filters = op.split_filters(static_shape(op.operands[1]))
    found = window_attributes(op.window(filters.kernel), shape[2:])
    return found | {"group": filters.groups, "kernel_shape": list(filters.kernel)}


def convolve(graph: GraphWriter, op: ForwardConvolution) -> Written:
    """A convolution of floats; one of codes is written together with its dequantization (`quantization.py`)."""
    filters = filters_of(graph, op)
    return graph("Conv", graph[op.input], filters, **convolution_attributes(op))


@writes(nn.ConvolutionBackpropDataOp, nn.GroupConvolutionBackpropDataOp)
def transposed_convolution(graph: GraphWriter, op: BackwardConvolution) -> Written:
    """
    An output shape decides the pads; elements beyond the span of the window are output padding. Codes are multiplied as
    floats if their sums are exact in f32.
    """
    codes = tensor(op.input).element_type
    filters = op.split_filters(static_shape(op.filters))
    window = op.window(filters.kernel)
    if is_integer(codes) and not _is_exact_in_f32(op, window):
        raise DiagnosticException(
            f"{label(op)}: ONNX has no transposed convolution of codes, and sums of these may not be exact in f32; "
            "write the model before lpt"
        )
    more = [int(n) for n in op.output_padding.get_values()]
    attributes = convolution_attributes(op)
    attributes.pop("auto_pad", None)
    if op.output_shape is None:
        begin, end = window.pads_begin, window.pads_end
        if window.auto_pad != "explicit":
            begin = end = (0,) * len(more)
    else:
        sizes, result = static_shape(op.input)[2:], static_shape(op.result)[2:]
        begin, ends = op.pads_before(filters.kernel, sizes, result), list[int]()
        for i, size in enumerate(sizes):
            span = (size - 1) * window.strides[i] + window.extents[i]
            rest = span - result[i] - begin[i]  # what is left out, or lacking, at the end
            more[i] = max(-rest, 0)
            ends.append(max(rest, 0))
        end = tuple(ends)
    attributes |= {"pads": [*begin, *end], "output_padding": more}
    data, weights = graph[op.input], filters_of(graph, op)
    if not is_integer(codes):
        return _transposed(graph, [data, weights], attributes, more, window.strides)
    numbers = [
        graph.cast(data, codes, f32),
        graph.cast(weights, tensor(op.filters).element_type, f32),
    ]
    return graph.cast(_transposed(graph, numbers, attributes, more, window.strides), f32, i32)


def _is_exact_in_f32(op: BackwardConvolution, window: Window) -> bool:
    """
    Whether f32 holds every sum of products of codes exactly. Taps that are a stride apart contribute to one output.
    """
    if (filters := nn.constant_of(op.filters)) is None:
        return False
    weights = np.abs(array_of(filters).astype(np.int64))
    pairs = zip(window.strides, window.dilations, strict=True)
    apart = [stride if dilation == 1 else 1 for stride, dilation in pairs]
    first = weights.ndim - len(apart)
    summed = (first - 2, *range(first, weights.ndim))
    most = max(
        int(weights[(..., *map(slice, begin, [None] * len(apart), apart))].sum(summed).max())
        for begin in np.ndindex(*apart)
    )
    largest = max(map(abs, limits_of(tensor(op.input).element_type)))
    return most * largest <= 1 << np.finfo(np.float32).nmant + 1


def _transposed(
    graph: GraphWriter,
    names: Sequence[str],
    attributes: dict[str, Any],
    more: Sequence[int],
    strides: Sequence[int],
) -> str:
    if all(extra < stride for extra, stride in zip(more, strides, strict=True)):
        return graph("ConvTranspose", *names, **attributes)
    # ONNX Runtime takes less output padding than a stride: the rest is zeros behind the result.
    attributes["output_padding"] = [0] * len(more)
    value = graph("ConvTranspose", *names, **attributes)
    return graph("Pad", value, graph.integers(*[0] * (len(more) + 4), *more))


# --- pooling ----------------------------------------------------------------------------------------


@writes(nn.MaxPoolOp, nn.AvgPoolOp)
def pool(graph: GraphWriter, op: PoolingOp) -> Written:
    """If the last window reaches beyond the input, this is written as more padding, which does not count."""
    window, sizes = op.pooling_window(), shape_of(op.input)[2:]
    attributes = window_attributes(window, sizes) | {"kernel_shape": list(window.kernel)}
    if window.rounding != "floor":
        attributes |= _reaching(op, window, sizes)
    if not isinstance(op, nn.AvgPoolOp):
        return graph("MaxPool", graph[op.input], **attributes)
    attributes["count_include_pad"] = int(op.counts_outside())
    return graph("AveragePool", graph[op.input], **attributes)


def _reaching(op: PoolingOp, window: Window, sizes: Sequence[int]) -> dict[str, Any]:
    if DYNAMIC_INDEX in sizes:
        if window.rounding == "ceil" and any((*window.pads_begin, *window.pads_end)):
            raise DiagnosticException(
                f"{label(op)}: rounding_type 'ceil' of a padded input of unknown size is nothing that ONNX has; "
                "reshape the model"
            )
        return {"ceil_mode": 1}
    pads = window.padding(sizes)
    ends = [
        max((count - 1) * window.strides[i] + window.extents[i] - sizes[i] - pads[i][0], pads[i][1])
        for i, count in enumerate(window.positions(sizes))
    ]
    begins = [before for before, _ in pads]
    return {"auto_pad": None, "pads": [*begins, *ends]}


# --- products ---------------------------------------------------------------------------------------


def multiplied(graph: GraphWriter, op: nn.MatMulOp, a: str, b: str, type: str = "MatMul") -> str:
    """The operands of a product with other values in their places."""
    names: list[str] = []
    for name, value, flag in ((a, op.a, op.transpose_a), (b, op.b, op.transpose_b)):
        rank = len(shape_of(value))
        if flag and rank > 1:
            name = graph.transposed(name, [*range(rank - 2), rank - 1, rank - 2])
        names.append(name)
    return graph(type, *names)
