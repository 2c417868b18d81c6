"""What random models are made of beside that, since the fourth edition: bodies in bodies, masks, scales of groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, StringAttr, i64

from lowstream.dialects import infra, nn
from lowstream.test.unit.passes.lpt.random_bodies import branch, iterator, left
from lowstream.test.unit.passes.lpt.random_graphs import Known, RandomGraph
from lowstream.test.unit.passes.lpt.random_layers import Rule, boolean, convolution, i64s, window
from lowstream.test.unit.passes.lpt.random_recurrent import cell


def masks(g: RandomGraph, x: Known) -> Sequence[Known]:
    """StridedSlice that takes single elements, adds dimensions, and keeps those of an ellipsis."""
    if not x.shape:
        return []
    kinds = [g.one(["all", "slice", "one", "new"]) for _ in x.shape]
    while sum(kind != "new" for kind in kinds) > len(x.shape):
        kinds.pop()
    if g.chance(0.4):
        kinds[g.number(0, len(kinds) - 1)] = "dots"
    begin = [0 if kind in ("all", "slice", "new") else g.one([0, -1]) for kind in kinds]
    end = [1 if kind in ("slice", "one") else 0 for kind in kinds]
    whole = [int(kind == "all") for kind in kinds]
    properties = {
        "begin_mask": i64s(whole),
        "end_mask": i64s(whole),
        "new_axis_mask": i64s([int(kind == "new") for kind in kinds]),
        "shrink_axis_mask": i64s([int(kind == "one") for kind in kinds]),
        "ellipsis_mask": i64s([int(kind == "dots") for kind in kinds]),
    }
    ones = [1] * len(kinds)
    operands = [g.indices(*part) for part in (begin, end, ones)]
    return [g.add(nn.StridedSliceOp, x, *operands, **properties)]


def scale_of_groups(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A grouped convolution whose filters have a scale for each group, or for each input."""
    if (found := window(g, x, 3)) is None:
        return []
    channels, kernel = x.shape[1], found.pop("kernel")
    groups = g.one([n for n in range(1, channels + 1) if channels % n == 0])
    filters = g.weights((groups, g.number(1, 2), channels // groups, *kernel), g.one([0, 0, 2]))
    properties = {key: i64s(value) for key, value in found.items()}
    return [g.add(nn.GroupConvolutionOp, x, filters, **properties)]


def in_body(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A loop, a branch or a cell in a branch."""
    largest = g.add(nn.ReduceMaxOp, x, g.indices(*range(len(x.shape))), keep_dims=boolean(False))
    condition = g.add(nn.GreaterOp, largest, g.constant(g.one([-1000, 1000])))
    rule = g.one([iterator, branch, cell])
    with g.body(x) as (y,):
        made = [one for one in rule(g, g.quantize(y) if g.chance() else y) if one.is_fit]
        if not made:
            return []
        first = g.quantize(made[0]) if g.chance(0.7) else made[0]
        region = g.end(first)
    with g.body(x) as (y,):
        other = g.add(nn.MultiplyOp, g.constant(np.ones(first.shape)), g.constant(0.5))
        other = g.quantize(other) if g.chance(0.7) else other
        second = g.end(other)
    op = infra.IfOp(
        operands=[condition.value, [x.value]],
        result_types=[[first.value.type]],
        regions=[region, second],
    )
    return left(g, op, [condition, x], first, other)


def until(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A Loop that shrinks what it carries, quantized or not, while its largest number is above a limit."""
    if not x.shape:
        return []
    with g.body(x) as (y,):
        less = g.add(nn.MultiplyOp, y, g.constant(0.37))  # half of a code would be a tie
        less = g.quantize(less) if g.chance(0.7) and less.is_fit else less
        largest = g.add(
            nn.ReduceMaxOp, less, g.indices(*range(len(x.shape))), keep_dims=boolean(False)
        )
        goes_on = g.add(nn.GreaterOp, largest, g.constant(g.one([-1000, 1000])))
        region = g.end(less, goes_on)
    count = [g.constant(g.number(1, 3), np.int64), g.constant(True, np.bool_)]
    op = infra.LoopOp(
        operands=[*(one.value for one in count), [x.value]],
        result_types=[[x.value.type]],
        properties={
            "inputs": ArrayAttr([infra.MergedAttr(IntAttr(0))]),
            "outputs": ArrayAttr([infra.IterationAttr(IntAttr(0), IntAttr(-1))]),
            "body_names": ArrayAttr([StringAttr("h")]),
            "body_condition": IntegerAttr(1, i64),
        },
        regions=[region],
    )
    return left(g, op, [*count, x], less)


def many_levels(g: RandomGraph, x: Known) -> Sequence[Known]:
    """A FakeQuantize of 65535 or 65536 levels, or of 15 and 16, behind another."""
    levels = g.one([15, 16, 65535, 65536])
    most = max(float(np.max(abs(x.array))), 8 * x.noise * levels, 1e-3)
    low = -most if levels % 2 else -most * levels / (levels - 2)
    if not np.isfinite(g.cast(low)):
        return []
    limits = [g.cast(low), g.cast(most)] * 2
    return [g.shaken(g.fake_quantize(x, limits, levels), (most - low) / (levels - 1))]


def residual(g: RandomGraph, x: Known) -> Sequence[Known]:
    """The end of a residual block: a convolution that is quantized, a sum, and a FakeQuantize."""
    made = [one for one in convolution(g, g.quantize(x)) if one.is_fit]
    if not made:
        return []
    largest = g.add(nn.ReduceMaxOp, x, g.indices(*range(len(x.shape))), keep_dims=boolean(False))
    other = g.add(nn.AddOp, g.constant(g.random.normal(size=made[0].shape)), largest)
    total = g.add(nn.AddOp, g.quantize(made[0]), g.quantize(other) if g.chance() else other)
    total = g.add(nn.ReluOp, total) if g.chance() else total
    return [g.quantize(total) if total.is_fit else total]


NESTED: list[Rule] = [residual, masks, masks, scale_of_groups, in_body, in_body, until, many_levels]
