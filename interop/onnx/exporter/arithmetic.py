"""Arithmetic, comparisons, conversions and activations."""

from __future__ import annotations

import math
from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType, Signedness, i1, i32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.elements import bits_of, is_integer, is_unsigned, limits_of
from ....dialects.inferred import shape_of, tensor
from ....dialects.names import names_of
from ....reference.arrays import array_of
from ..elements import data_type_of
from .graph import GraphWriter
from .handlers import DeclinedError, Written, writes


def number_of(value: SSAValue) -> float:
    """A constant number. Raises DeclinedError where it is computed: ONNX has it as an attribute."""
    blob = nn.constant_of(value)
    if blob is None or blob.data.nbytes * 8 > 64:
        raise DeclinedError
    return float(array_of(blob).reshape(-1)[0])


@writes(nn.ClampOp)
def clamp(graph: GraphWriter, op: nn.ClampOp) -> Written:
    """Limits for integers are clamped to the range of their type."""
    element = tensor(op.input).element_type
    limits = list(op.limits)
    if is_integer(element):
        least, most = limits_of(element)
        limits = [
            float(min(max(round_(limit) if math.isfinite(limit) else limit, least), most))
            for limit, round_ in zip(limits, (math.ceil, math.floor), strict=True)
        ]
    given = [graph.scalar(limit, element) if math.isfinite(limit) else "" for limit in limits]
    return graph("Clip", graph[op.input], *given)


def _unless_zero(graph: GraphWriter, op: nn.BinaryOp, make: Callable[[str, str], str]) -> str:
    """The result for two integers, but 0 where the second one is 0, which is an error of ONNX Runtime."""
    element, left, right = tensor(op.lhs).element_type, graph[op.lhs], graph[op.rhs]
    known = nn.constant_of(op.rhs)
    if known is not None and all(known.data.distinct()):
        return make(left, right)
    zero = graph.scalar(0, element)
    nothing = graph("Equal", right, zero)
    whole = make(left, graph("Where", nothing, graph.scalar(1, element), right))
    return graph("Where", nothing, zero, whole)


@writes(nn.DivideOp)
def divide(graph: GraphWriter, op: nn.DivideOp) -> Written:
    """ONNX rounds quotients of integers toward zero. To round down, the remainder is subtracted first."""
    element = tensor(op.lhs).element_type
    if not is_integer(element):
        return graph("Div", graph[op.lhs], graph[op.rhs])

    def quotient(left: str, right: str) -> str:
        if op.m_pythondiv and not is_unsigned(element):
            left = graph("Sub", left, graph("Mod", left, right))
        return graph("Div", left, right)

    return _unless_zero(graph, op, quotient)


@writes(nn.FloorModOp)
def floor_mod(graph: GraphWriter, op: nn.FloorModOp) -> Written:
    """For floats, ONNX has only the remainder with the sign of the dividend."""
    element = tensor(op.lhs).element_type
    if is_integer(element):
        return _unless_zero(graph, op, lambda left, right: graph("Mod", left, right))
    right = graph[op.rhs]
    rest, zero = graph("Mod", graph[op.lhs], right, fmod=1), graph.scalar(0, element)
    below = graph("Xor", graph("Less", rest, zero), graph("Less", right, zero))
    is_off = graph("And", below, graph("Not", graph("Equal", rest, zero)))
    return graph("Where", is_off, graph("Add", rest, right), rest)


@writes(nn.ModOp)
def mod(graph: GraphWriter, op: nn.ModOp) -> Written:
    if is_integer(tensor(op.lhs).element_type):
        return _unless_zero(graph, op, lambda left, right: graph("Mod", left, right, fmod=1))
    return graph("Mod", graph[op.lhs], graph[op.rhs], fmod=1)


@writes(nn.NotEqualOp)
def not_equal(graph: GraphWriter, op: nn.ComparisonOp) -> Written:
    return graph("Not", graph("Equal", graph[op.lhs], graph[op.rhs]))


@writes(nn.RoundOp)
def round_(graph: GraphWriter, op: nn.RoundOp) -> Written:
    x, element = graph[op.input], tensor(op.input).element_type
    if is_integer(element):
        return graph("Identity", x)
    if op.mode.data == "half_to_even":
        return graph("Round", x)
    size = graph("Floor", graph("Add", graph("Abs", x), graph.scalar(0.5, element)))
    return graph("Mul", graph("Sign", x), size)


@writes(nn.FloorOp, nn.CeilingOp)
def whole(graph: GraphWriter, op: nn.UnaryOp) -> Written:
    if is_integer(tensor(op.input).element_type):
        return graph("Identity", graph[op.input])
    return graph.namesake(op)


LOGICAL = {nn.BitwiseAndOp: "And", nn.BitwiseOrOp: "Or", nn.BitwiseXorOp: "Xor"}


@writes(*LOGICAL)
def bitwise(graph: GraphWriter, op: nn.BitwiseOp) -> Written:
    """ONNX's bitwise operators do not take booleans."""
    if tensor(op.lhs).element_type == i1:
        return graph(LOGICAL[type(op)], graph[op.lhs], graph[op.rhs])
    return graph.namesake(op)


@writes(nn.BitwiseNotOp)
def bitwise_not(graph: GraphWriter, op: nn.BitwiseNotOp) -> Written:
    is_truth = tensor(op.input).element_type == i1
    return graph("Not" if is_truth else "BitwiseNot", graph[op.input])


@writes(nn.BitwiseLeftShiftOp, nn.BitwiseRightShiftOp)
def shift(graph: GraphWriter, op: nn.BitwiseOp) -> Written:
    """
    ONNX shifts only unsigned integers, by less than their bits. A negative number is shifted to the right as `~(~x >>
    n)`.
    """
    element = tensor(op.lhs).element_type
    value, by, bits = graph[op.lhs], graph[op.rhs], bits_of(element)
    codes, zero = IntegerType(bits, Signedness.UNSIGNED), graph.scalar(0, element)
    is_right, is_signed = type(op) is nn.BitwiseRightShiftOp, not is_unsigned(element)
    known = nn.constant_of(op.rhs)
    is_near = known is not None and all(0 <= number < bits for number in known.data.distinct())
    below = graph("Less", value, zero) if is_signed and is_right else ""
    if below:
        value = graph("Where", below, graph("BitwiseNot", value), value)
    is_far = "" if is_near else graph("GreaterOrEqual", by, graph.scalar(bits, element))
    if is_far:
        is_far = graph("Or", is_far, graph("Less", by, zero)) if is_signed else is_far
        by = graph("Where", is_far, graph.scalar(bits - 1, element), by)
    operands = graph.cast(value, element, codes), graph.cast(by, element, codes)
    moved = graph("BitShift", *operands, direction="RIGHT" if is_right else "LEFT")
    moved = graph.cast(moved, codes, element)
    if is_far:
        moved = graph("Where", is_far, zero, moved)
    return graph("Where", below, graph("BitwiseNot", moved), moved) if below else moved


@writes(nn.ConvertOp)
def convert(graph: GraphWriter, op: nn.ConvertOp) -> Written:
    """Between booleans and numbers as ONNX does it: 0 is false."""
    return graph("Cast", graph[op.input], to=data_type_of(op.destination_type))


@writes(nn.BitcastOp)
def bitcast(graph: GraphWriter, op: nn.BitcastOp) -> Written:
    return graph("BitCast", graph[op.input], to=data_type_of(op.destination_type))


# --- activations ----------------------------------------------------------------------------------


@writes(nn.PReluOp)
def p_relu(graph: GraphWriter, op: nn.PReluOp) -> Written:
    """A slope with one dimension is for channels here, and for the last dimension in ONNX."""
    slope, shape = graph[op.slope], shape_of(op.slope)
    wanted = op.slope_shape(shape_of(op.input), shape)
    slope = slope if wanted == shape else graph.reshaped(slope, wanted)
    return graph("PRelu", graph[op.input], slope)


@writes(nn.GeluOp)
def gelu(graph: GraphWriter, op: nn.GeluOp) -> Written:
    mode = {"erf": "none", "tanh": "tanh"}[op.approximation_mode.data.lower()]
    return graph("Gelu", graph[op.input], approximate=mode)


@writes(nn.HardSigmoidOp)
def hard_sigmoid(graph: GraphWriter, op: nn.HardSigmoidOp) -> Written:
    alpha, beta = number_of(op.alpha), number_of(op.beta)
    return graph("HardSigmoid", graph[op.input], alpha=alpha, beta=beta)


@writes(nn.SwishOp)
def swish(graph: GraphWriter, op: nn.SwishOp) -> Written:
    """ONNX Runtime has no kernel for ONNX's Swish, so it is written out."""
    raise DeclinedError


@writes(nn.SeluOp)
def selu(graph: GraphWriter, op: nn.SeluOp) -> Written:
    alpha, gamma = number_of(op.alpha), number_of(op.factor)
    return graph("Selu", graph[op.input], alpha=alpha, gamma=gamma)


@writes(nn.CumSumOp)
def cum_sum(graph: GraphWriter, op: nn.CumSumOp) -> Written:
    place = graph.scalar(int(number_of(op.axis)), i32)
    flags = {"exclusive": int(bool(op.exclusive)), "reverse": int(bool(op.reverse))}
    return graph("CumSum", graph[op.input], place, **flags)


# --- reductions -----------------------------------------------------------------------------------


TRUTH: dict[type[nn.ReduceOp], str] = {
    nn.ReduceLogicalAndOp: "ReduceMin",
    nn.ReduceLogicalOrOp: "ReduceMax",
}


@writes(nn.ReduceOp)
def reduce(graph: GraphWriter, op: nn.ReduceOp) -> Written:
    """A reduction over no dimension is the identity. Booleans are reduced by minimum and maximum."""
    x, axes = graph[op.input], graph.vector(op.axes)
    keep = int(bool(op.keep_dims))
    name = TRUTH[type(op)] if type(op) in TRUTH else names_of(type(op)).of("onnx")[0]
    return graph(name, x, axes, keepdims=keep, noop_with_empty_axes=1)
