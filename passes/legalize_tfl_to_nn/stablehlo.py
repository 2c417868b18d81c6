"""StableHLO's operators that update, take, pad and spread elements, as LiteRT has kernels for them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, product
from math import prod
from operator import mul

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.elements import limits_of
from ...dialects.inferred import shape_of, spelled, tensor
from .translation import Builtin, Translation, computes
from .values import outputs_of

REDUCTIONS = {"": "none", "ADD": "sum", "MUL": "prod", "MAXIMUM": "max", "MINIMUM": "min"}
"""What `nn.scatter_nd_update` calls the functions of two numbers; the first one gives the second number."""

LOGICAL = {"AND": "ALL", "LOGICAL_AND": "ALL", "OR": "ANY", "LOGICAL_OR": "ANY"}
"""Functions of two booleans, as reductions are called."""


def combined(t: Translation, op: tfl.TflOp, role: str) -> str:
    """The builtin by which a function puts two numbers together. Raises DiagnosticException where it does not."""
    function = t.called(op, role)
    arguments, outputs = list(function.args), list(outputs_of(function))
    if len(arguments) == 2 and outputs == arguments[1:]:
        return ""
    only = function.body.block.first_op
    if only is not None and list(only.results) == outputs:
        name = tfl.builtin_of(only).removeprefix("STABLEHLO_").replace("MULTIPLY", "MUL")
        is_plain = only.properties.get("fused_activation_function") in (None, _NO_ACTIVATION)
        name = LOGICAL.get(name, name)
        if (
            name in (*REDUCTIONS, "ALL", "ANY")
            and list(only.operands) in (arguments, arguments[::-1])
            and is_plain
        ):
            return name
    raise DiagnosticException(
        "its function is none of addition, multiplication, maximum and minimum; write it in LiteRT's own operations"
    )


_NO_ACTIVATION = tfl.option_of("NONE")


@computes("STABLEHLO_SCATTER")
def scatter(
    t: Translation, op: tfl.TflOp, x: SSAValue, indices: SSAValue, updates: SSAValue
) -> SSAValue:
    """Whole slices of `x` are updated; what lies outside, below 0 too, changes nothing."""
    windows, inserted, named = map(
        op.integers, ("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims")
    )
    shape, sizes = shape_of(x), shape_of(updates)
    kept = [axis for axis in range(len(shape)) if axis not in named]
    slices = [sizes[axis] for axis in windows]
    if sorted(inserted) != sorted(named) or slices != [shape[axis] for axis in kept]:
        raise DiagnosticException(
            f"updates {spelled(sizes)} are parts of slices of {spelled(shape)}; update whole slices, or single elements"
        )
    places = [axis for axis in range(len(sizes)) if axis not in windows]
    order = [*named, *kept]
    result = t(
        nn.ScatterNdUpdateOp,
        t.transposed(x, order),
        _rows(t, indices, op.integer("index_vector_dim")),
        t.transposed(updates, [*places, *windows]),
        reduction=_update(combined(t, op, "update_computation")),
    )
    return t.transposed(result, np.argsort(order).tolist())


def _update(kind: str) -> str:
    if kind not in REDUCTIONS:
        raise DiagnosticException(
            f"updates booleans by {kind}, which is not supported; use numbers"
        )
    return REDUCTIONS[kind]


def _rows(t: Translation, indices: SSAValue, axis: int) -> SSAValue:
    """Indices whose last dimension names an element. Those below 0 are beyond the end, and do not count from it."""
    rank = len(shape_of(indices))
    if axis == rank:
        indices = t(nn.UnsqueezeOp, indices, t.integers(axis))
    else:
        indices = t.transposed(indices, [*(i for i in range(rank) if i != axis), axis])
    if (known := t.known(indices)) is not None and min(known, default=0) >= 0:
        return indices
    _, beyond = limits_of(tensor(indices).element_type)
    is_below = t(nn.LessOp, indices, t.scalar_like(indices, 0))
    return t(nn.SelectOp, is_below, t.scalar_like(indices, beyond), indices)


@computes("STABLEHLO_GATHER", moves=True)
def gather(t: Translation, op: tfl.TflOp, x: SSAValue, starts: SSAValue) -> SSAValue:
    """Slices of `x` at places that are moved into it as far as they reach beyond."""
    shape, sizes = shape_of(x), list(op.integers("slice_sizes"))
    offsets, dropped, named = map(
        op.integers, ("offset_dims", "collapsed_slice_dims", "start_index_map")
    )
    rank, axis = len(shape_of(starts)), op.integer("index_vector_dim")
    if DYNAMIC_INDEX in (*shape, *shape_of(starts)):
        raise DiagnosticException(
            f"takes of {spelled(shape)} at {spelled(shape_of(starts))}; its sizes must be known: convert the model "
            "with fixed shapes"
        )
    order = [*(i for i in range(rank) if i != axis), *([axis] if axis < rank else [])]
    batch = [shape_of(starts)[i] for i in range(rank) if i != axis]
    starts = t.converted(t.reshaped(t.transposed(starts, order), (*batch, len(named))), i32)
    last = t.array(np.array([shape[d] - sizes[d] for d in named], np.int32))
    starts = t(nn.MinimumOp, t(nn.MaximumOp, starts, 0), last)
    head = len(shape)  # slices are whole along the dimensions behind these
    while head > 1 and sizes[head - 1] == shape[head - 1] and head - 1 not in dropped:
        head -= 1
    steps = [*([1, *accumulate(reversed(shape[1:head]), mul)][::-1]), *[0] * (len(shape) - head)]
    scaled = t(nn.MultiplyOp, starts, t.array(np.array([steps[d] for d in named], np.int32)))
    first = t(nn.ReduceSumOp, scaled, t.integers(len(batch)), keep_dims=False)
    kept = [sizes[d] for d in range(head) if d not in dropped]
    inside = [
        sum(i * step for i, step in zip(place, steps[:head], strict=True))
        for place in product(*map(range, sizes[:head]))
    ]
    within = t.array(np.array(inside, np.int32).reshape(kept))
    places = t(nn.AddOp, t.reshaped(first, (*batch, *[1] * len(kept))), within)
    rows = t.reshaped(x, (prod(shape[:head]), *shape[head:]))
    found = t(nn.GatherOp, rows, places, t.integer(0), batch_dims=0)
    result = [0] * len(shape_of(found))
    rest = [d for d in range(len(result)) if d not in offsets]
    for source, target in enumerate((*rest, *offsets)):
        result[target] = source
    return t.transposed(found, result)


@computes("STABLEHLO_PAD", moves=True)
def pad(t: Translation, op: tfl.TflOp, x: SSAValue, filler: SSAValue) -> SSAValue:
    """Padding between elements, then at both ends, where negative padding takes elements away."""
    low, high, between = map(
        op.integers, ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    x = spread(t, x, [count + 1 for count in between], filler)
    rank = len(shape_of(x))
    for axis, (first, last) in enumerate(zip(low, high, strict=True)):
        if min(first, last) < 0:
            size = _known(shape_of(x)[axis])
            x = t.slice(x, max(-first, 0), size - max(-last, 0), axis)
    begin, end = (t.integers(*(max(n, 0) for n in each)) for each in (low, high))
    if rank and any(n > 0 for n in (*low, *high)):
        x = t(nn.PadOp, x, begin, end, filler, pad_mode="constant")
    return x


@computes("DILATE", moves=True)
def dilate(
    t: Translation, op: tfl.TflOp, x: SSAValue, dilations: SSAValue, filler: SSAValue
) -> SSAValue:
    """Padding between elements."""
    return spread(t, x, t.integers_of(Builtin(op, ""), dilations, "dilations"), filler)


def spread(t: Translation, x: SSAValue, steps: Sequence[int], filler: SSAValue) -> SSAValue:
    """Elements that are `steps` apart along each dimension, with a number between them."""
    filler = t.reshaped(filler, ())
    for axis, step in enumerate(steps):
        if step == 1:
            continue
        shape = list(shape_of(x))
        size = _known(shape[axis])
        end = [0] * (axis + 1) + [step - 1] + [0] * (len(shape) - axis - 1)
        apart = t(nn.UnsqueezeOp, x, t.integers(axis + 1))
        none = t.integers(*[0] * len(end))
        padded = t(nn.PadOp, apart, none, t.integers(*end), filler, pad_mode="constant")
        x = t.reshaped(padded, (*shape[:axis], size * step, *shape[axis + 1 :]))
        x = t.slice(x, 0, max((size - 1) * step + 1, 0), axis)
    return x


def _known(size: int) -> int:
    if size == DYNAMIC_INDEX:
        raise DiagnosticException("its sizes must be known: convert the model with fixed shapes")
    return size
