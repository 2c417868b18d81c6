"""Operations that move data or look at it in another shape."""

from __future__ import annotations

import numpy as np

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term
from ...reference.arrays import dtype_of
from .rule import Lowered, constant, known_integers, moved, rule


@rule(nn.ReshapeOp, nn.SqueezeOp, nn.UnsqueezeOp)
def reshape(op: nn.ReshapeOp | nn.SqueezeOp | nn.UnsqueezeOp) -> Lowered:
    static_shape(op.input)
    static_shape(op.result)
    new = kernel.ReshapeOp(op.input, tensor(op.result))
    return Lowered(new.result, ops=[new])


@rule(nn.ShapeOfOp)
def shape_of_tensor(op: nn.ShapeOfOp) -> Lowered:
    new = constant(np.array(static_shape(op.input), dtype_of(op.output_type)))
    return Lowered(new.result, ops=[new])


@rule(nn.BroadcastOp)
def broadcast(op: nn.BroadcastOp) -> Lowered:
    domain = static_shape(op.result)
    new = moved(op, op.input, tensor(op.result), Access.broadcast(domain, shape_of(op.input)))
    return Lowered(*new.results, ops=[new])


@rule(nn.TransposeOp)
def transpose(op: nn.TransposeOp) -> Lowered:
    rank = len(shape_of(op.input))
    order = known_integers(op, op.order, "order") or list(reversed(range(rank)))
    access = Access(rank, tuple(Term(order.index(i)) for i in range(rank)))
    new = moved(op, op.input, tensor(op.result), access)
    return Lowered(*new.results, ops=[new])


@rule(nn.SliceOp)
def slice_(op: nn.SliceOp) -> Lowered:
    shape = static_shape(op.input)
    names = ("start", "stop", "step", "axes")
    starts, stops, steps, axes = (
        known_integers(op, value, name) for name, value in zip(names, op.operands[1:], strict=True)
    )
    terms = [Term(i) for i in range(len(shape))]
    for start, stop, step, listed in zip(starts, stops, steps, axes, strict=True):
        axis = normalize_axis(op, listed, len(shape))
        first, _, _ = slice(start, stop, step).indices(shape[axis])
        terms[axis] = Term(axis, step, first)
    new = moved(op, op.input, tensor(op.result), Access(len(shape), tuple(terms)))
    return Lowered(*new.results, ops=[new])


@rule(nn.SplitOp)
def split(op: nn.SplitOp) -> Lowered:
    shape = static_shape(op.input)
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    parts: list[kernel.MapOp] = []
    for i, result in enumerate(op.results):
        size = shape_of(result)[axis]
        terms = [Term(d, 1, i * size if d == axis else 0) for d in range(len(shape))]
        parts.append(moved(op, op.input, tensor(result), Access(len(shape), tuple(terms))))
    return Lowered(*(part.results[0] for part in parts), ops=parts)


@rule(nn.ConcatOp)
def concat(op: nn.ConcatOp) -> Lowered:
    for value in op.inputs:
        static_shape(value)
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
    new = kernel.ConcatOp(op.inputs, axis, tensor(op.result))
    return Lowered(new.result, ops=[new])
