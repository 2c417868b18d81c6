"""Iterators, branches and states of random models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, TensorType, f32
from xdsl.ir import Attribute, Operation, Region

from lowstream.dialects import infra, nn
from lowstream.test.unit.passes.lpt.random_graphs import Known, RandomGraph
from lowstream.test.unit.passes.lpt.random_layers import LAYERS, activation, boolean, rounded

MOST_STEPS = 4


def iterator(g: RandomGraph, x: Known) -> Sequence[Known]:
    """TensorIterator or Loop over dimension 1: of any layers, or of one that carries its result around."""
    if len(x.shape) < 2 or x.shape[1] > MOST_STEPS:
        return []
    part = replace(x, array=x.array[:, :1], echo=x.echo[:, :1])
    part = Known(g.constant(part.array).value, part.array, part.echo, part.reach)
    carried: list[Known] = []
    if g.chance():
        carried.append(g.constant(g.one([0.0, 0.5]) * np.ones((x.shape[0], g.number(1, 4)))))
    with g.body(part, *carried) as arguments:
        made = recurrent(g, *arguments) if carried else mapped(g, arguments[0])
        region = g.end(made)
    slicing = [infra.SlicedAttr(*map(IntAttr, (1, 0, -1, 1, 1)))]
    ports: list[Attribute] = [*slicing, *[infra.MergedAttr(IntAttr(0))] * len(carried)]
    outputs, types = ends(g, made, x.shape[1])
    properties = {
        "inputs": ArrayAttr(ports),
        "outputs": ArrayAttr(outputs),
        "body_names": ArrayAttr([StringAttr(f"p{i}") for i in range(len(ports))]),
    }
    operands = [x, *carried]
    inner = [one.value for one in operands]
    if g.chance():
        op = infra.TensorIteratorOp(
            operands=[inner], result_types=[types], properties=properties, regions=[region]
        )
        return left(g, op, operands, made)
    count = [g.constant(x.shape[1], np.int64), g.constant(True, np.bool_)]
    op = infra.LoopOp(
        operands=[*(one.value for one in count), inner],
        result_types=[types], properties=properties, regions=[region],
    )  # fmt: skip
    return left(g, op, [*count, *operands], made)


def left(
    g: RandomGraph, op: Operation, operands: Sequence[Known], *inner: Known
) -> Sequence[Known]:
    """What leaves bodies that end in these values: a limit within may have hidden what is disturbed."""
    reach = max(one.reach for one in inner)
    return [rounded(g, replace(one, reach=reach)) for one in g.write(op, operands)]


def mapped(g: RandomGraph, x: Known) -> Known:
    """Some layers, in each iteration anew."""
    for _ in range(g.number(1, 3)):
        one = g.pick()
        one = g.quantize(one) if g.chance(0.7) else one
        g.pool += [made for made in g.one(LAYERS)(g, one) if made.is_fit and made.shape]
    return g.pool[-1]


def recurrent(g: RandomGraph, x: Known, h: Known) -> Known:
    """`tanh(x W^T + h R^T)`, with x and h quantized or not. In f16 a later h is known too little for a code."""
    hidden, inputs = h.shape[1], x.array.size // x.shape[0]
    flat = g.add(nn.ReshapeOp, x, g.indices(x.shape[0], inputs))
    flat = g.quantize(flat) if g.chance(0.7) else flat
    around = signed(g, h) if g.chance() and g.element == f32 else h
    transposed = {"transpose_b": boolean(True)}
    entered = g.add(nn.MatMulOp, flat, g.weights((hidden, inputs), 0), **transposed)
    carried = g.add(nn.MatMulOp, around, g.weights((hidden, hidden), 0), **transposed)
    following = g.add(nn.TanhOp, g.add(nn.AddOp, entered, carried))
    return signed(g, following) if g.chance() else following


def signed(g: RandomGraph, h: Known) -> Known:
    """A FakeQuantize of what tanh gives, if that is known well enough."""
    levels = g.one([255, 256])
    if 8 * h.noise > 1 / 127:
        return h
    low, high = -(levels // 2) / 127, 1.0
    return g.shaken(g.fake_quantize(h, [low, high] * 2, levels), 1 / 127)


def ends(g: RandomGraph, one: Known, steps: int) -> tuple[list[Attribute], list[Attribute]]:
    """How the result of a body leaves an iterator, and as what: all of them in a row, the last one, or both."""
    axis = g.number(0, len(one.shape) - 1)
    size = one.shape[axis]
    shape = [steps * n if i == axis else n for i, n in enumerate(one.shape)]
    joined = infra.ConcatenatedAttr(*map(IntAttr, (0, axis, 0, -1, size, size)))
    last = infra.IterationAttr(IntAttr(0), IntAttr(-1))
    whole = TensorType(g.element, shape)
    return g.one([
        ([joined], [whole]), ([last], [one.value.type]), ([joined, last], [whole, one.value.type]),
    ])  # fmt: skip


def branch(g: RandomGraph, x: Known) -> Sequence[Known]:
    """One of two ways to compute the same shape, by the largest value."""
    largest = g.add(nn.ReduceMaxOp, x, g.indices(*range(len(x.shape))), keep_dims=boolean(False))
    condition = g.add(nn.GreaterOp, largest, g.constant(g.one([-1000, 0.7, 1000])))
    ways = [way(g, x) for _ in range(2)]
    op = infra.IfOp(
        operands=[condition.value, [x.value]],
        result_types=[[x.value.type]],
        regions=[region for region, _ in ways],
    )
    return left(g, op, [condition, x], *(one for _, one in ways))


def way(g: RandomGraph, x: Known) -> tuple[Region, Known]:
    """A body, and what it gives."""
    with g.body(x) as (y,):
        y = activation(g, y)[0] if g.chance(0.7) else y
        y = g.quantize(y) if g.chance(0.7) and y.is_fit else y
        return g.end(y), y


def state(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A state like `x`, added to it: the `x` of the call before, or a sum that decays."""
    begin = g.constant(g.one([0.0, 0.0, 0.0, 0.5]) * np.ones(x.shape))
    name = f"state{len(g.variables)}"
    type: Any = x.value.type
    g.variables.append(infra.VariableOp(name, type))
    read = infra.ReadValueOp(name, begin.value, type)
    g.block.add_op(read)
    total = g.add(nn.AddOp, x, Known(read.result, begin.array, begin.echo))
    following = x if g.chance() else g.add(nn.MultiplyOp, total, g.constant(0.5))
    following = g.quantize(following) if g.chance(0.8) else following
    g.block.add_op(infra.AssignOp(name, following.value))
    g.used.add(following.value)
    return [total]
