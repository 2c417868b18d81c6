"""Operands for the operations of `nn` that networks beyond recurrent ones are made of."""

import numpy as np
from hypothesis import strategies as st
from sampling import Draw, Kind, Sample, array, dtypes, sampled, shapes, sizes
from xdsl.dialects.builtin import FloatAttr, StringAttr, f64
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
