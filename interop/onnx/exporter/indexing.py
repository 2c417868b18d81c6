"""Gather, scatter and top-k: elements at computed indices."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import constant_integers, label, shape_of, static_shape, tensor
from ....reference.arrays import array_of
from .graph import GraphWriter
from .handlers import DeclinedError, Written, writes


def may_leave(graph: GraphWriter, op: Operation, indices: SSAValue, size: int) -> bool:
    """
    Whether indices may be out of bounds, where ours give 0 or change nothing and ONNX reports an error. Indices of the
    model itself are taken to be in bounds; those of a decomposition may not be.
    """
    if (blob := nn.constant_of(indices)) is None:
        return op in graph.shared.decomposed
    values = array_of(blob)
    return bool(values.size) and (size < 0 or values.min() < -size or values.max() >= size)


def redirected(graph: GraphWriter, indices: SSAValue, size: int) -> str:
    """Indices; those out of bounds become the index right behind the end of the dimension."""
    name = graph.cast(graph[indices], tensor(indices).element_type, i64)
    zero, count = graph.scalar(0, i64), graph.scalar(size, i64)
    name = graph("Where", graph("Less", name, zero), graph("Add", name, count), name)
    inside = graph("And", graph("GreaterOrEqual", name, zero), graph("Less", name, count))
    return graph("Where", inside, name, count)


def one_more(graph: GraphWriter, value: SSAValue, axis: int) -> str:
    """A value with zeros behind the end of a dimension."""
    rank, element = len(shape_of(value)), tensor(value).element_type
    pads = graph.integers(*[0] * rank, *(int(i == axis) for i in range(rank)))
    if element != i1:
        return graph("Pad", graph[value], pads)
    return graph.cast(graph("Pad", graph.cast(graph[value], i1, i32), pads), i32, i1)


def _in_bounds(
    graph: GraphWriter, op: Operation, data: SSAValue, indices: SSAValue, axis: int
) -> tuple[str, str, bool]:
    """Data and indices, none of which leaves the data, and whether the data have `one_more` element for that."""
    size = shape_of(data)[axis]
    if may_leave(graph, op, indices, size):
        return one_more(graph, data, axis), redirected(graph, indices, size), True
    return graph[data], graph[indices], False


@writes(nn.GatherOp)
def gather(graph: GraphWriter, op: nn.GatherOp) -> Written:
    """With batch dimensions, GatherND selects one element of the next dimension."""
    shape, places = shape_of(op.input), shape_of(op.indices)
    axis = (constant_integers(op.axis) or (0,))[0] % len(shape)
    x, indices, _ = _in_bounds(graph, op, op.input, op.indices, axis)
    batch = op.batch_dims.value.data
    batch += len(places) if batch < 0 else 0
    if not batch:
        return graph("Gather", x, indices, axis=axis)
    order = [*range(batch), axis, *(i for i in range(batch, len(shape)) if i != axis)]
    x = graph.transposed(x, order)
    if tensor(op.indices).element_type != i64:
        indices = graph.cast(indices, i32, i64)
    rows = graph("Unsqueeze", indices, graph.integers(-1))
    found = graph("GatherND", x, rows, batch_dims=batch)
    middle, own = axis - batch, len(places) - batch
    moved = [
        *range(batch),
        *range(batch + own, batch + own + middle),
        *range(batch, batch + own),
        *range(batch + own + middle, len(shape_of(op.result))),
    ]
    return graph.transposed(found, moved)


@writes(nn.GatherElementsOp)
def gather_elements(graph: GraphWriter, op: nn.GatherElementsOp) -> Written:
    axis = op.axis.value.data % len(shape_of(op.input))
    x, indices, _ = _in_bounds(graph, op, op.input, op.indices, axis)
    return graph("GatherElements", x, indices, axis=axis)


@writes(nn.GatherNdOp)
def gather_nd(graph: GraphWriter, op: nn.GatherNdOp) -> Written:
    """Indices of the model itself are taken as they are."""
    if op in graph.shared.decomposed or nn.constant_of(op.indices) is not None:
        raise DeclinedError
    indices = graph.cast(graph[op.indices], tensor(op.indices).element_type, i64)
    return graph("GatherND", graph[op.input], indices, batch_dims=op.batch_dims.value.data)


# --- updates ----------------------------------------------------------------------------------------


@writes(nn.ScatterUpdateOp)
def scatter_update(graph: GraphWriter, op: nn.ScatterUpdateOp) -> Written:
    """ScatterND with rows of one index, after the axis is moved to the front."""
    shape, places = shape_of(op.data), shape_of(op.indices)
    axis = (constant_integers(op.axis) or (0,))[0] % len(shape)
    rank, own = len(shape), len(places)
    x, indices, leaves = _in_bounds(graph, op, op.data, op.indices, axis)
    if not leaves:
        indices = graph.cast(indices, tensor(op.indices).element_type, i64)
    order = [axis, *(i for i in range(rank) if i != axis)]
    whole = len(shape_of(op.updates))
    moved = [*range(axis, axis + own), *(i for i in range(whole) if not axis <= i < axis + own)]
    updates = graph.transposed(graph[op.updates], moved)
    rows = graph("Unsqueeze", indices, graph.integers(-1))
    result = graph("ScatterND", graph.transposed(x, order), rows, updates)
    result = graph.transposed(result, [order.index(i) for i in range(rank)])
    return _without_last(graph, result, axis) if leaves else result


def _without_last(graph: GraphWriter, x: str, axis: int) -> str:
    return graph("Slice", x, graph.integers(0), graph.integers(-1), graph.integers(axis))


REDUCTIONS = {"none": "none", "sum": "add", "prod": "mul", "min": "min", "max": "max"}


@writes(nn.ScatterElementsUpdateOp)
def scatter_elements(graph: GraphWriter, op: nn.ScatterElementsUpdateOp) -> Written:
    """If the old elements do not count, they are first overwritten by the neutral element of the reduction."""
    shape, element, kind = shape_of(op.data), tensor(op.data).element_type, op.reduction.data
    axis = (constant_integers(op.axis) or (0,))[0] % len(shape)
    if element == i1 and kind != "none":
        raise DiagnosticException(
            f"{label(op)}: ONNX does not put booleans together; convert them to i32 first"
        )
    x, indices, leaves = _in_bounds(graph, op, op.data, op.indices, axis)
    if not op.use_init_val and kind != "none":
        neutral = graph.scalar(_neutral(kind, element), element)
        given = graph("Expand", neutral, graph("Shape", graph[op.updates]))
        x = graph("ScatterElements", x, indices, given, axis=axis)
    theirs = REDUCTIONS.get(kind, "add")
    result = graph("ScatterElements", x, indices, graph[op.updates], axis=axis, reduction=theirs)
    if kind == "mean":
        one = graph.scalar(1, element)
        ones = graph("Expand", one, graph("Shape", graph[op.updates]))
        first = one if op.use_init_val else graph.scalar(0, element)
        counts = graph("Expand", first, graph("Shape", x))
        counts = graph("ScatterElements", counts, indices, ones, axis=axis, reduction="add")
        counts = graph("Max", counts, one)
        if is_integer(element):
            result = graph("Sub", result, graph("Mod", result, counts))
        result = graph("Div", result, counts)
    return _without_last(graph, result, axis) if leaves else result


def _neutral(kind: str, element: Attribute) -> float:
    least, most = limits_of(element) if is_integer(element) else (-np.inf, np.inf)
    return {"sum": 0, "mean": 0, "prod": 1, "min": most, "max": least}[kind]


@writes(nn.ScatterNdUpdateOp)
def scatter_nd(graph: GraphWriter, op: nn.ScatterNdUpdateOp) -> Written:
    kind, updates = op.reduction.data, graph[op.updates]
    if kind == "sub":
        kind, updates = "sum", graph("Neg", updates)
    x, indices = graph[op.data], graph.cast(graph[op.indices], tensor(op.indices).element_type, i64)
    leaves = op in graph.shared.decomposed
    if leaves:
        x, indices = one_more(graph, op.data, 0), _rows_inside(graph, op, indices)
    result = graph("ScatterND", x, indices, updates, reduction=REDUCTIONS[kind])
    return _without_last(graph, result, 0) if leaves else result


def _rows_inside(graph: GraphWriter, op: nn.ScatterNdUpdateOp, indices: str) -> str:
    """Rows of indices. A row with an index out of bounds becomes one behind the end of the first dimension."""
    sizes = static_shape(op.data)[: shape_of(op.indices)[-1]]
    zero, limits = graph.scalar(0, i64), graph.integers(*sizes)
    below = graph("Less", indices, zero)
    indices = graph("Where", below, graph("Add", indices, limits), indices)
    inside = graph("And", graph("GreaterOrEqual", indices, zero), graph("Less", indices, limits))
    whole = graph("ReduceMin", inside, graph.integers(-1), keepdims=1)
    return graph("Where", whole, indices, graph.integers(sizes[0], *[0] * (len(sizes) - 1)))


# --- the greatest, and those that count ---------------------------------------------------------------


@writes(nn.TopKOp)
def top_k(graph: GraphWriter, op: nn.TopKOp) -> Written:
    """If results are sorted by index, they are sorted a second time. Booleans are sorted as numbers."""
    element = tensor(op.input).element_type
    x = graph.cast(graph[op.input], element, i32) if element == i1 else graph[op.input]
    axis, k = op.axis.value.data, graph.vector(op.k)
    largest = int(op.mode.data == "max")
    values, indices = graph.node("TopK", [x, k], 2, axis=axis, largest=largest, sorted=1)
    if op.sort.data == "index":
        indices, order = graph.node("TopK", [indices, k], 2, axis=axis, largest=0, sorted=1)
        values = graph("GatherElements", values, order, axis=axis)
    values = graph.cast(values, i32, i1) if element == i1 else values
    return [values, graph.cast(indices, i64, op.index_element_type)]


@writes(nn.NonZeroOp)
def non_zero(graph: GraphWriter, op: nn.NonZeroOp) -> Written:
    return graph.cast(graph("NonZero", graph[op.input]), i64, op.output_type)


@writes(nn.UniqueOp)
def unique(graph: GraphWriter, op: nn.UniqueOp) -> Written:
    axis = None if op.axis is None else (constant_integers(op.axis) or (0,))[0]
    names = graph.node("Unique", [graph[op.input]], 4, axis=axis, sorted=int(bool(op.sorted)))
    return [
        names[0],
        *(
            graph.cast(name, i64, tensor(result).element_type)
            for name, result in zip(names[1:], op.results[1:], strict=True)
        ),
    ]
