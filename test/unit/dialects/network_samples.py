"""Operands for the operations of `nn` that networks beyond recurrent ones are made of."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sampling import Draw, Kind, Sample, array, dtypes, sampled, shapes, sizes
from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, FloatAttr, StringAttr, f64, i64
from xdsl.ir import Attribute

from lowstream.dialects import nn


def string(*values: str) -> st.SearchStrategy[StringAttr]:
    return st.sampled_from(list(map(StringAttr, values)))


@sampled(nn.AbsOp, nn.NegativeOp, nn.FloorOp, nn.CeilingOp, nn.SignOp)
def unary(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(dtypes))])


@sampled(nn.ExpOp, nn.LogOp, nn.SqrtOp, nn.HswishOp)
def floating(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(floats))])


floats = st.sampled_from([np.float32, np.float64, np.float16])


@sampled(nn.RoundOp)
def round_(op: Kind, draw: Draw) -> Sample:
    mode = draw(string("half_to_even", "half_away_from_zero"))
    return Sample([array(draw(shapes), draw(dtypes))], {"mode": mode})


@sampled(nn.PReluOp)
def p_relu(op: Kind, draw: Draw) -> Sample:
    shape, dtype = draw(st.lists(sizes, min_size=1, max_size=4)), draw(floats)
    slopes = [[1], [draw(st.sampled_from([1, size])) for size in shape]]
    if len(shape) > 1:
        slopes.append([shape[1]])
    return Sample([array(shape, dtype), array(draw(st.sampled_from(slopes)), dtype)])


@sampled(nn.EluOp)
def elu(op: Kind, draw: Draw) -> Sample:
    return Sample([array(draw(shapes), draw(floats))], {"alpha": FloatAttr(0.5, f64)})


@sampled(nn.HardSigmoidOp)
def hard_sigmoid(op: Kind, draw: Draw) -> Sample:
    dtype, shape = draw(floats), draw(st.sampled_from([[], [1]]))
    return Sample([array(draw(shapes), dtype), array(shape, dtype), array(shape, dtype)])


@sampled(nn.SwishOp)
def swish(op: Kind, draw: Draw) -> Sample:
    dtype = draw(floats)
    beta = [array([], dtype)] if draw(st.booleans()) else []
    return Sample([array(draw(shapes), dtype), *beta])


@sampled(nn.GeluOp)
def gelu(op: Kind, draw: Draw) -> Sample:
    mode: dict[str, Attribute] = {"approximation_mode": draw(string("erf", "tanh"))}
    return Sample([array(draw(shapes), draw(floats))], mode)


def i64s(values: Sequence[int]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, list(values))


MODES = string("explicit", "explicit", "valid", "same_upper", "same_lower")


def several(draw: Draw, count: int, low: int, high: int) -> list[int]:
    return draw(st.lists(st.integers(low, high), min_size=count, max_size=count))


def geometry(draw: Draw, rank: int) -> dict[str, Attribute]:
    pads = {name: i64s(several(draw, rank, 0, 1)) for name in ("pads_begin", "pads_end")}
    steps = {name: i64s(several(draw, rank, 1, 2)) for name in ("strides", "dilations")}
    return {**pads, **steps, "auto_pad": draw(MODES)}


FACTORS = st.sampled_from([(np.float32,) * 2, (np.uint8, np.int8), (np.int8, np.int8)])


@sampled(nn.ConvolutionOp, nn.GroupConvolutionOp)
def convolution(op: Kind, draw: Draw) -> Sample:
    rank, (batch, inputs, outputs) = draw(st.integers(1, 2)), several(draw, 3, 1, 3)
    groups = draw(st.integers(1, 2)) if op is nn.GroupConvolutionOp else 1
    kernel, (left, right) = several(draw, rank, 1, 2), draw(FACTORS)
    filters = [groups, outputs, inputs] if op is nn.GroupConvolutionOp else [outputs, inputs]
    x = array([batch, groups * inputs, *several(draw, rank, 3, 5)], left)
    return Sample([x, array([*filters, *kernel], right)], geometry(draw, rank))


@sampled(nn.ConvolutionBackpropDataOp, nn.GroupConvolutionBackpropDataOp)
def convolution_backprop_data(op: Kind, draw: Draw) -> Sample:
    rank, (batch, inputs, outputs) = draw(st.integers(1, 2)), several(draw, 3, 1, 3)
    grouped = op is nn.GroupConvolutionBackpropDataOp
    groups = draw(st.integers(1, 2)) if grouped else 1
    kernel, (left, right) = several(draw, rank, 1, 2), draw(FACTORS)
    filters = [groups, inputs, outputs] if grouped else [inputs, outputs]
    x = array([batch, groups * inputs, *several(draw, rank, 3, 4)], left)
    operands = [x, array([*filters, *kernel], right)]
    if shaped := draw(st.booleans()):
        operands.append(np.array(several(draw, rank, 3, 9), np.int64))
    constant = frozenset({2}) if shaped and draw(st.booleans()) else frozenset[int]()
    more: dict[str, Attribute] = {"output_padding": i64s(several(draw, rank, 0, 2))}
    return Sample(operands, geometry(draw, rank) | more, constant)


@sampled(nn.MaxPoolOp, nn.AvgPoolOp)
def pooling(op: Kind, draw: Draw) -> Sample:
    rank = draw(st.integers(1, 2))
    properties = geometry(draw, rank)
    properties["kernel"] = i64s(several(draw, rank, 1, 2))
    properties["rounding_type"] = draw(string("floor", "ceil", "ceil_torch"))
    if op is nn.AvgPoolOp:
        properties["exclude_pad"] = BoolAttr.from_bool(draw(st.booleans()))
    shape = [*several(draw, 2, 1, 2), *several(draw, rank, 3, 5)]
    return Sample([array(shape, draw(dtypes))], properties)
