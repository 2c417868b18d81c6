"""Quantization: QuantizeLinear and DequantizeLinear, as ONNX Runtime fuses them to kernels of integers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import Float64Type, IntegerType, Signedness, TensorType, i32
from xdsl.ir import Attribute, SSAValue

from ....dialects import nn, qnn
from ....dialects.blob import BlobAttr
from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import shape_of, tensor
from ....dialects.nn.convolution import ForwardConvolution
from ....reference.arrays import Array, array_of, blob_of
from ....reference.constants import constant_arrays
from .graph import GraphWriter
from .handlers import Written, writes
from .windows import convolution_attributes, convolve, filters_of, multiplied

NEARLY = 1e-3
"""How far a zero point may be from an integer: what rounding of intervals to f32 causes."""


@dataclass(frozen=True)
class LinearParameter:
    """
    Scales or zero points as ONNX has them: one for all elements (per tensor), or one for each index of an axis (per
    channel).
    """

    values: Array
    axis: int | None

    @classmethod
    def of(cls, values: Array, rank: int) -> LinearParameter | None:
        """From an array that broadcasts to a value of this rank. None where it varies along several axes."""
        if values.size == 1:
            return cls(values.reshape(()), None)
        along = [i for i, size in enumerate(values.shape) if size != 1]
        if len(along) != 1:
            return None
        return cls(values.reshape(-1), along[0] + rank - values.ndim)


def linear_parameters(rank: int, *arrays: Array) -> list[LinearParameter] | None:
    """Arrays along the same axis, all of one size. None where there is no such axis."""
    whole = np.broadcast_arrays(*arrays)
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    found = [LinearParameter.of(np.broadcast_to(each, shape), rank) for each in whole]
    listed = [parameter for parameter in found if parameter is not None]
    return listed if len(listed) == len(found) else None


# --- codes to values ----------------------------------------------------------------------------------


@writes(qnn.DequantizeOp)
def dequantize(graph: GraphWriter, op: qnn.DequantizeOp) -> Written:
    points = None if op.zero_point is None else array_of(op.zero_point)
    scale, element = array_of(op.scale), op.scale.type.element_type
    name = dequantized(graph, graph[op.input], tensor(op.input), scale, points, element)
    return graph.cast(name, element, op.output_type or element)


def dequantized(
    graph: GraphWriter,
    codes: str,
    type: TensorType[Any],
    scale: Array,
    points: Array | None,
    element: Attribute,
) -> str:
    """`(codes - points) * scale`, as arithmetic where a DequantizeLinear cannot express it."""
    code, rank = type.element_type, type.get_num_dims()
    shifts = np.zeros((), np.int64) if points is None else points
    parameters = linear_parameters(rank, scale, shifts)
    is_whole = bool((shifts == np.rint(shifts)).all()) and is_integer(code)
    least, most = limits_of(code) if is_integer(code) else (0, 0)
    fits = is_whole and shifts.min() >= least and shifts.max() <= most
    wide = code == i32 and bool(shifts.any())
    if parameters is None or not fits or wide or isinstance(element, Float64Type):
        value = graph.cast(codes, code, element)
        if shifts.any():
            value = graph("Sub", value, graph.constant(blob_of(shifts, element)))
        return graph("Mul", value, graph.constant(blob_of(scale, element)))
    scales, zeros = parameters
    given = [graph.constant(blob_of(scales.values, element))]
    if shifts.any():
        given.append(graph.constant(blob_of(zeros.values, code)))
    return graph("DequantizeLinear", codes, *given, axis=scales.axis)


# --- values to codes ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinearQuantization:
    """
    `code = round(clamp(x) / scale) + zero_point`, of `element`, from the code `first` on.

    Where 0 lies between codes, `shift` is taken from x first.
    """

    element: Attribute
    scale: Array
    zero_point: Array
    first: Array
    shift: Array | None
    is_full: bool
    """Whether the type has no other codes, so that it saturates as the interval does."""

    @classmethod
    def of(
        cls,
        low: Array,
        high: Array,
        levels: int,
        given: tuple[Attribute, Array] | None,
        is_weight: bool,
    ) -> LinearQuantization | None:
        """
        The quantization to an interval; `given` are the type of codes and the first one. None where no type has so many
        codes.
        """
        scale = (high - low) / (levels - 1)
        is_point = scale <= 0
        scale = np.where(is_point, 1.0, scale)
        zero = -low / scale  # counted from the first code
        if given is not None:
            element, first = given
        else:
            bits = next((n for n in (4, 8, 16) if levels <= 1 << n and (n > 4 or is_weight)), None)
            if bits is None:
                return None
            is_signed = bool((np.abs(zero - levels // 2) < NEARLY).all())
            element = IntegerType(bits, Signedness.SIGNLESS if is_signed else Signedness.UNSIGNED)
            first = np.full((), -(levels // 2) if is_signed else 0)
        least, most = limits_of(element)
        is_full = bool((first == least).all()) and levels == most - least + 1
        points = np.rint(zero) + first
        if (
            bool((np.abs(zero - np.rint(zero)) < NEARLY).all())
            and least <= points.min()
            and points.max() <= most
            and not is_point.any()
        ):
            return cls(element, scale, points, first, None, is_full)
        zeros = np.broadcast_to(first, scale.shape)
        return cls(element, scale, zeros, first, low, is_full and not is_point.any())

    def codes(self, x: Array, low: Array, high: Array) -> Array:
        """The codes of a constant."""
        steps = np.rint((np.clip(x.astype(np.float64), low, high) - low) / self.scale)
        return steps + self.first


@writes(qnn.FakeQuantizeOp)
def fake_quantize(graph: GraphWriter, op: qnn.FakeQuantizeOp) -> Written:
    """
    A QuantizeLinear, and a DequantizeLinear if the results are values. Without a code type in ONNX, it is written as
    arithmetic.
    """
    limits = constant_arrays(op.operands[1:])
    type, levels = tensor(op.input), op.levels.value.data
    if limits is None or isinstance(type.element_type, Float64Type):
        return _written_out(graph, op)
    low, high, first, last = (limit.astype(np.float64) for limit in limits)
    if ((low == high) & (first != last)).any():
        return _written_out(graph, op)
    given = None if op.output_type is None else (op.output_type, first)
    constant = nn.constant_of(op.input)
    plan = LinearQuantization.of(low, high, levels, given, constant is not None)
    steps = (last - first) / (levels - 1)
    if plan is None or (op.output_type is None and not (steps > 0).all()):
        return _written_out(graph, op)
    if op.output_type is not None and not (
        (steps == 1).all()
        and (first == np.rint(first)).all()
        and first.min() >= limits_of(op.output_type)[0]
    ):
        return _written_out(graph, op)
    codes = _codes(graph, op, plan, low, high, constant)
    if codes is None:
        return _written_out(graph, op)
    if op.output_type is not None:
        return codes
    element = type.element_type
    coded = TensorType(plan.element, type.get_shape())
    points = plan.first - first / steps
    if (np.abs(points - np.rint(points)) < NEARLY).all():
        least, most = limits_of(plan.element)
        if least <= points.min() and points.max() <= most:
            return dequantized(graph, codes, coded, steps, np.rint(points), element)
    begin = np.broadcast_to(plan.first, np.broadcast_shapes(plan.first.shape, steps.shape))
    value = dequantized(graph, codes, coded, steps, begin, element)
    return graph("Add", value, graph.constant(blob_of(first, element)))


def _codes(
    graph: GraphWriter,
    op: qnn.FakeQuantizeOp,
    plan: LinearQuantization,
    low: Array,
    high: Array,
    constant: BlobAttr | None,
) -> str | None:
    if constant is not None:
        return graph.constant(blob_of(plan.codes(array_of(constant), low, high), plan.element))
    parameters = linear_parameters(len(shape_of(op.input)), plan.scale, plan.zero_point)
    if parameters is None:
        return None
    x, element = graph[op.input], tensor(op.input).element_type
    if not plan.is_full:
        for type, limit in (("Max", low), ("Min", high)):
            x = graph(type, x, graph.constant(blob_of(limit, element)))
    if plan.shift is not None:
        x = graph("Sub", x, graph.constant(blob_of(plan.shift, element)))
    scales, points = parameters
    given = [
        graph.constant(blob_of(scales.values, element)),
        graph.constant(blob_of(points.values, plan.element)),
    ]
    return graph("QuantizeLinear", x, *given, axis=scales.axis)


def _written_out(graph: GraphWriter, op: qnn.FakeQuantizeOp) -> str:
    """The definition, as arithmetic."""
    element, count = tensor(op.input).element_type, op.levels.value.data - 1
    given, low, high, first, last = (graph[operand] for operand in op.operands)
    levels = graph.scalar(count, element)
    x = graph("Min", graph("Max", given, low), high)
    wide = graph("Sub", high, low)
    none = graph("Equal", wide, graph.scalar(0, element))
    wide = graph("Where", none, graph.scalar(1, element), wide)
    x = graph("Round", graph("Mul", graph("Div", graph("Sub", x, low), wide), levels))
    x = graph("Add", graph("Mul", graph("Div", x, levels), graph("Sub", last, first)), first)
    limits = constant_arrays(op.operands[1:3])
    if limits is None or (limits[0] == limits[1]).any():
        x = graph("Where", graph("Greater", given, high), last, x)
    return graph.cast(
        x if op.output_type is None else graph("Round", x), element, op.output_type or element
    )


# --- products -------------------------------------------------------------------------------------------


@writes(nn.MatMulOp)
def mat_mul(graph: GraphWriter, op: nn.MatMulOp) -> Written:
    """A product of codes whose meaning is unknown, exact in i32."""
    kind = "MatMulInteger" if holds_codes(op.a) else "MatMul"
    return multiplied(graph, op, graph[op.a], graph[op.b], kind)


@writes(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(graph: GraphWriter, op: ForwardConvolution) -> Written:
    """A constant that is added to each channel becomes the bias, if nothing else reads the sum without it."""
    if holds_codes(op.input):
        return _of_codes(graph, op)
    bias = _bias(op)
    if bias is None:
        return convolve(graph, op)
    add, value = bias
    names = graph[op.input], filters_of(graph, op), graph.constant(value)
    graph.stands_for(add, graph("Conv", *names, **convolution_attributes(op)))
    return []


def holds_codes(value: SSAValue) -> bool:
    """Whether a product of these values is one of 8-bit codes."""
    element = tensor(value).element_type
    return is_integer(element) and element not in (i32,) and limits_of(element)[1] < 256


def _bias(op: ForwardConvolution) -> tuple[nn.AddOp, BlobAttr] | None:
    uses = list(op.result.uses)
    if len(uses) != 1 or not isinstance(add := uses[0].operation, nn.AddOp):
        return None
    if (blob := nn.constant_of(add.operands[1 - uses[0].index])) is None:
        return None
    if add.result.type != op.result.type:
        return None
    shape = (1,) * (len(shape_of(op.result)) - len(blob.type.get_shape())) + blob.type.get_shape()
    if len(shape) < 2 or any(size != 1 for i, size in enumerate(shape) if i != 1):
        return None
    channels = shape_of(op.result)[1]
    if shape[1] != channels:
        return None
    flat: TensorType[Any] = TensorType(blob.type.element_type, [channels])
    return add, BlobAttr(replace(blob.data, type=flat))


def _of_codes(graph: GraphWriter, op: ForwardConvolution) -> str:
    """Padding with codes other than 0 is written in front: ConvInteger's own padding adds nothing to its sums."""
    x, attributes = graph[op.input], convolution_attributes(op)
    if op.outside:
        count = len(shape_of(op.input)) - 2
        pads = attributes.pop("pads")
        value = graph.scalar(op.outside, tensor(op.input).element_type)
        ends = graph.integers(0, 0, *pads[:count], 0, 0, *pads[count:])
        x = graph("Pad", x, ends, value)
    return graph("ConvInteger", x, filters_of(graph, op), **attributes)
