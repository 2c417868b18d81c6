"""Non-maximum suppression. ONNX lists the selected boxes; our operations have room for the largest number of them."""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, i1, i64
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.inferred import label, shape_of, static_shape, tensor
from ....reference.arrays import blob_of
from .control import closed
from .graph import GraphWriter, info_of
from .handlers import Written, writes

CORNERS = 4
"""The numbers of a box whose sides are parallel to the axes."""


@writes(nn.SelectBoxesOp)
def select_boxes(graph: GraphWriter, op: nn.SelectBoxesOp) -> Written:
    """A NonMaxSuppression; a Loop where suppression is soft (Soft-NMS), or boxes have an offset."""
    if shape_of(op.boxes)[-1] != CORNERS:
        raise DiagnosticException(
            f"{label(op)}: boxes are rotated, of {shape_of(op.boxes)[-1]} numbers; ONNX has nothing that cuts out what "
            "two of them share; write the model without this operation"
        )
    others = op.soft_nms_sigma.value.data or op.offset.value.data
    if others or tensor(op.scores).element_type != f32 or not 0 < op.iou_threshold.value.data <= 1:
        return _one_by_one(graph, op)
    return _listed(graph, op)


def _listed(graph: GraphWriter, op: nn.SelectBoxesOp) -> list[str]:
    """
    The selected boxes as rows `[row, class, box]`, class by class: the n-th box of a class goes to its place n. ONNX
    suppresses boxes that overlap by more than a threshold, ours also those that overlap by exactly as much.
    """
    rows, classes, boxes = static_shape(op.scores)
    most, groups = op.max_output.value.data, rows * classes
    below = float(np.nextafter(np.float32(op.iou_threshold.value.data), np.float32(0)))
    limits = [graph.integers(most), graph.scalar(below, f32)]
    limits.append(graph.scalar(op.score_threshold.value.data, f32))
    lower, upper = graph.node("Split", [graph[op.boxes]], 2, axis=2, num_outputs=2)
    # ONNX exchanges corners, so that a box of none would become one.
    given = graph("Concat", lower, graph("Max", lower, upper), axis=2)
    found = graph("NonMaxSuppression", given, graph[op.scores], *limits)
    row, kind, box = (graph("Gather", found, graph.scalar(i, i64), axis=1) for i in range(3))
    group = graph("Add", graph("Mul", row, graph.scalar(classes, i64)), kind)
    one = graph("Expand", graph.scalar(1, i64), graph("Shape", group))
    nothing = graph.constant(blob_of(np.zeros(groups, np.int64)))
    counts = graph("ScatterElements", nothing, group, one, axis=0, reduction="add")
    before = graph("CumSum", counts, graph.scalar(0, i64), exclusive=1)
    number = graph("CumSum", one, graph.scalar(0, i64), exclusive=1)
    place = graph("Sub", number, graph("Gather", before, group, axis=0))
    place = graph("Add", place, graph("Mul", group, graph.scalar(most, i64)))
    score = graph("Add", graph("Mul", group, graph.scalar(boxes, i64)), box)
    score = graph("Gather", graph.reshaped(graph[op.scores], (-1,)), score, axis=0)
    results: list[str] = []
    empty = np.full(groups * most, -1), np.zeros(groups * most, np.float32)
    for value, fill in zip((box, score), empty, strict=True):
        whole = graph("ScatterElements", graph.constant(blob_of(fill)), place, value, axis=0)
        results.append(graph.reshaped(whole, (rows, classes, most)))
    return [graph.cast(results[0], i64, tensor(op.numbers).element_type), results[1]]


def _one_by_one(graph: GraphWriter, op: nn.SelectBoxesOp) -> list[str]:
    """
    The definition of the operation: an iteration for each selected box. A score of -inf means that no box is left.
    """
    type, (rows, classes, _) = tensor(op.scores), shape_of(op.scores)
    element, inner = type.element_type, graph.within()
    nothing, zero = graph.scalar(-math.inf, element), graph.scalar(0, element)
    names = [graph.shared.name(f"{graph.hint}/{each}") for each in ("iteration", "runs", "scores")]
    types = TensorType(i64, []), TensorType(i1, []), type
    scores = names[2]
    best = inner("ReduceMax", scores, inner.integers(-1), keepdims=0)
    index = inner("ArgMax", scores, axis=-1, keepdims=0)
    is_one = inner("Greater", best, inner.scalar(op.score_threshold.value.data, element))
    number = inner("Where", is_one, index, inner.scalar(-1, i64))
    taken = inner(
        "GatherND", inner[op.boxes], inner("Unsqueeze", index, inner.integers(-1)), batch_dims=1
    )
    fewer = _suppressed(inner, op, scores, taken, nothing)
    count = inner("Squeeze", inner("Shape", scores, start=2, end=3))
    all_boxes = inner("Range", inner.scalar(0, i64), count, inner.scalar(1, i64))
    is_taken = inner("Equal", all_boxes, inner("Unsqueeze", index, inner.integers(-1)))
    gone = inner("Or", is_taken, inner("Equal", scores, nothing))
    fewer = inner("Where", gone, nothing, fewer)
    results = [
        (names[1], types[1]),
        (fewer, type),
        (number, TensorType(i64, [rows, classes])),
        (inner("Where", is_one, best, zero), TensorType(element, [rows, classes])),
    ]
    inputs = [info_of(name, each) for name, each in zip(names, types, strict=True)]
    body = closed(inner, f"{graph.hint}/body", inputs, results)
    start = graph("Where", graph("IsNaN", graph[op.scores]), nothing, graph[op.scores])
    most = graph.scalar(op.max_output.value.data, i64)
    _, numbers, best = graph.node("Loop", [most, "", start], 3, body=body)
    numbers, best = (graph.transposed(each, (1, 2, 0)) for each in (numbers, best))
    return [graph.cast(numbers, i64, tensor(op.numbers).element_type), best]


def _suppressed(
    graph: GraphWriter, op: nn.SelectBoxesOp, scores: str, taken: str, nothing: str
) -> str:
    """Scores as a box that was taken leaves them: lower where boxes overlap it, or `nothing` beyond the threshold."""
    iou = _overlap(
        graph,
        op,
        graph("Unsqueeze", graph[op.boxes], graph.integers(1)),
        graph("Unsqueeze", taken, graph.integers(2)),
    )
    element = tensor(op.scores).element_type
    if sigma := op.soft_nms_sigma.value.data:
        power = graph("Div", graph("Mul", iou, iou), graph.scalar(-2 * sigma, element))
        return graph("Mul", scores, graph("Exp", power))
    limit = graph.scalar(op.iou_threshold.value.data, element)
    return graph("Where", graph("GreaterOrEqual", iou, limit), nothing, scores)


def _overlap(graph: GraphWriter, op: nn.SelectBoxesOp, one: str, other: str) -> str:
    """Intersection over union of boxes that broadcast; 0 where one has no area."""
    element = tensor(op.boxes).element_type
    zero, offset = graph.scalar(0, element), graph.scalar(op.offset.value.data, element)

    def area(low: str, high: str, touching: bool = False) -> str:
        sides = graph("Max", graph("Add", graph("Sub", high, low), offset), zero)
        if touching:
            sides = graph("Where", graph("Less", high, low), zero, sides)
        return graph("ReduceProd", sides, graph.integers(-1), keepdims=0)

    pairs = [graph.node("Split", [each], 2, axis=-1, num_outputs=2) for each in (one, other)]
    (low, high), (lower, higher) = pairs
    both = area(graph("Max", low, lower), graph("Min", high, higher), bool(op.touching))
    first, second = area(low, high), area(lower, higher)
    exists = graph("And", graph("Greater", first, zero), graph("Greater", second, zero))
    union = graph("Sub", graph("Add", first, second), both)
    union = graph("Where", exists, union, graph.scalar(1, element))
    return graph("Where", exists, graph("Div", both, union), zero)
