"""Normalizations along axes: reductions, then one kernel that scales."""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import normalize_axis, shape_of, tensor
from ...dialects.kernel import body_type
from ..bodies import Body, Scalar, same
from .chain import Chain
from .reduction import axes_of, reduced
from .rule import Lowered, map_kernel, rule, static_shape


def _scalar(op: Operation) -> Attribute:
    """The type in which an operation computes, and in which what it reduces is kept."""
    return body_type(tensor(op.operands[0]).element_type)


@rule(nn.SoftmaxOp)
def softmax(op: nn.SoftmaxOp) -> Lowered:
    """`e / sum e` of `e = exp(x - max x)`."""
    chain, scalar = Chain(op), _scalar(op)
    axes = [normalize_axis(op, op.axis.value.data, len(static_shape(op.input)))]
    most = chain.add(reduced(op, "max", [op.input], axes, same, same, scalar))
    wide: TensorType[Any] = TensorType(scalar, shape_of(op.input))

    def power(body: Body, x: Scalar, most: Scalar) -> Scalar:
        return body.exp(body.subtract(x, most))

    def inverse(body: Body, total: Scalar) -> Scalar:
        return body.divide(body.like(1, total), total)

    powers = chain.add(map_kernel(op, wide, [op.input, most], power))
    scale = chain.add(reduced(op, "sum", [powers], axes, same, inverse, scalar))
    new = map_kernel(op, tensor(op.result), [powers, scale], Body.multiply)
    return Lowered(chain.add(new), ops=chain.ops)


@rule(nn.MvnOp)
def mvn(op: nn.MvnOp) -> Lowered:
    """The variance is the mean square of what is left once the mean is taken away."""
    chain, scalar, eps = Chain(op), _scalar(op), op.eps.value.data
    shape = static_shape(op.input)
    axes = axes_of(op, op.axes, len(shape))
    count = prod(shape[axis] for axis in axes)

    def mean(body: Body, total: Scalar) -> Scalar:
        return body.divide(total, body.like(count, total))

    def square(body: Body, x: Scalar, mean: Scalar) -> Scalar:
        centered = body.subtract(x, mean)
        return body.multiply(centered, centered)

    def deviation(body: Body, total: Scalar) -> Scalar:
        variance = mean(body, total)
        if op.eps_mode.data == "inside_sqrt":
            return body.square_root(body.add(variance, body.like(eps, total)))
        return body.add(body.square_root(variance), body.like(eps, total))

    def scaled(body: Body, x: Scalar, mean: Scalar, deviation: Scalar) -> Scalar:
        return body.divide(body.subtract(x, mean), deviation)

    middle = chain.add(reduced(op, "sum", [op.input], axes, same, mean, scalar))
    operands: list[SSAValue] = [op.input, middle]
    if not op.normalize_variance:
        new = map_kernel(op, tensor(op.result), operands, Body.subtract)
        return Lowered(chain.add(new), ops=chain.ops)
    operands.append(chain.add(reduced(op, "sum", operands, axes, square, deviation, scalar)))
    new = map_kernel(op, tensor(op.result), operands, scaled)
    return Lowered(chain.add(new), ops=chain.ops)


@rule(nn.NormalizeL2Op)
def normalize_l2(op: nn.NormalizeL2Op) -> Lowered:
    chain, eps = Chain(op), op.eps.value.data
    axes = axes_of(op, op.axes, len(static_shape(op.input)))

    def square(body: Body, x: Scalar) -> Scalar:
        return body.multiply(x, x)

    def norm(body: Body, total: Scalar) -> Scalar:
        least = body.like(eps, total)
        add = op.eps_mode.data == "add"
        return body.square_root(body.add(total, least) if add else body.maximum(total, least))

    length = chain.add(reduced(op, "sum", [op.input], axes, square, norm, _scalar(op)))
    new = map_kernel(op, tensor(op.result), [op.input, length], Body.divide)
    return Lowered(chain.add(new), ops=chain.ops)
