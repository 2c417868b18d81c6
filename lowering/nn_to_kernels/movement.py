"""Operations that move data or look at it in another shape."""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term
from ...reference.arrays import dtype_of
from .rule import kernel_rule, known_integers
from .writer import KernelWriter


@kernel_rule(nn.ReshapeOp, nn.SqueezeOp, nn.UnsqueezeOp)
def reshape(op: nn.ReshapeOp | nn.SqueezeOp | nn.UnsqueezeOp, write: KernelWriter) -> SSAValue:
    static_shape(op.input)
    static_shape(op.result)
    return write.add(kernel.ReshapeOp(op.input, tensor(op.result)))


@kernel_rule(nn.ShapeOfOp)
def shape_of_tensor(op: nn.ShapeOfOp, write: KernelWriter) -> SSAValue:
    return write.constant(np.array(static_shape(op.input), dtype_of(op.output_type)))


@kernel_rule(nn.BroadcastOp)
def broadcast(op: nn.BroadcastOp, write: KernelWriter) -> SSAValue:
    domain = static_shape(op.result)
    return write.data_movement(op.input, Access.broadcast(domain, shape_of(op.input)), domain)


@kernel_rule(nn.TransposeOp)
def transpose(op: nn.TransposeOp, write: KernelWriter) -> SSAValue:
    rank = len(shape_of(op.input))
    order = known_integers(op, op.order, "order") or list(reversed(range(rank)))
    access = Access(rank, tuple(Term(order.index(i)) for i in range(rank)))
    return write.data_movement(op.input, access, static_shape(op.result))


@kernel_rule(nn.SliceOp)
def slice_(op: nn.SliceOp, write: KernelWriter) -> SSAValue:
    shape = static_shape(op.input)
    names = ("start", "stop", "step", "axes")
    starts, stops, steps, axes = (
        known_integers(op, value, name) for name, value in zip(names, op.operands[1:], strict=True)
    )
    terms = [Term(i) for i in range(len(shape))]
    for start, stop, step, listed in zip(starts, stops, steps, axes, strict=True):
        axis = normalize_axis(op, listed, len(shape))
        first, _, _ = op.part(start, stop, step, shape[axis]).indices(shape[axis])
        terms[axis] = Term(axis, step, first)
    return write.data_movement(op.input, Access(len(shape), tuple(terms)), static_shape(op.result))


@kernel_rule(nn.SplitOp, nn.VariadicSplitOp)
def split(op: nn.SplitOp | nn.VariadicSplitOp, write: KernelWriter) -> list[SSAValue]:
    shape = static_shape(op.input)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    parts: list[SSAValue] = []
    first = 0
    for result in op.results:
        part = static_shape(result)
        begin = [first if d == axis else 0 for d in range(len(shape))]
        parts.append(write.part(op.input, begin, part))
        first += part[axis]
    return parts


@kernel_rule(nn.ConcatOp)
def concat(op: nn.ConcatOp, write: KernelWriter) -> SSAValue:
    for value in op.inputs:
        static_shape(value)
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
    return write.concat(op.inputs, axis)
