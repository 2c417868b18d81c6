"""StableHLO's operators that LiteRT has kernels for: updates at indices, and reductions of windows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.elements import is_integer, limits_of
from ...dialects.inferred import shape_of, spelled, tensor
from ...dialects.properties import Property
from ..channels_last import window_properties
from .translation import Translation, computes
from .values import outputs_of

REDUCTIONS = {"": "none", "ADD": "sum", "MUL": "prod", "MAXIMUM": "max", "MINIMUM": "min"}
"""What `nn.scatter_nd_update` calls the functions of two numbers; the first one gives the second number."""

MOST_DIMENSIONS = 3
"""The most dimensions along which windows have several elements, move or reach into padding."""


def _combined(t: Translation, op: tfl.TflOp, role: str) -> str:
    """The builtin by which a function puts two numbers together. Raises DiagnosticException where it does not."""
    function = t.called(op, role)
    arguments, outputs = list(function.args), list(outputs_of(function))
    if len(arguments) == 2 and outputs == arguments[1:]:
        return ""
    only = function.body.block.first_op
    if only is not None and list(only.results) == outputs:
        name = tfl.builtin_of(only).removeprefix("STABLEHLO_").replace("MULTIPLY", "MUL")
        is_plain = only.properties.get("fused_activation_function") in (None, _NO_ACTIVATION)
        if name in REDUCTIONS and list(only.operands) in (arguments, arguments[::-1]) and is_plain:
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
        reduction=REDUCTIONS[_combined(t, op, "update_computation")],
    )
    return t.transposed(result, np.argsort(order).tolist())


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


@computes("STABLEHLO_REDUCE_WINDOW")
def reduce_window(t: Translation, op: tfl.TflOp, x: SSAValue, start: SSAValue) -> SSAValue:
    """Pooling of the dimensions along which windows do anything, then with the number that each window begins with."""
    shape, kind = shape_of(x), _combined(t, op, "body")
    _check(op, shape, kind, is_integer(tensor(x).element_type))
    kernel, strides, dilations, padding = (
        list(op.integers(name))
        for name in ("window_dimensions", "window_strides", "window_dilations", "padding")
    )
    begins, ends = padding[::2], padding[1::2]
    plain = [(1, 1, 0, 0)] * len(shape)
    moves = list(zip(kernel, strides, begins, ends, strict=True))
    along = [axis for axis in range(len(shape)) if moves[axis] != plain[axis]] or [len(shape) - 1]
    if len(along) > MOST_DIMENSIONS:
        raise DiagnosticException(
            f"its windows {spelled(kernel)} have {len(along)} dimensions, more than {MOST_DIMENSIONS}; reduce some of "
            "them first"
        )
    rest = [axis for axis in range(len(shape)) if axis not in along]
    order = [*rest, *along]
    moved = t.transposed(x, order)
    flat = t.reshaped(moved, (1, math.prod(shape[i] for i in rest), *(shape[i] for i in along)))
    kernel, strides, dilations, begins, ends = (
        [each[axis] for axis in along] for each in (kernel, strides, dilations, begins, ends)
    )
    properties = window_properties(strides, dilations, "explicit", begins, ends)
    pooled = _pooled(t, kind, flat, kernel, properties)
    result = t.reshaped(pooled, (*(shape[i] for i in rest), *shape_of(pooled)[2:]))
    result = t.transposed(result, np.argsort(order).tolist())
    return _begun(t, op, kind, result, start)


def _check(op: tfl.TflOp, shape: Sequence[int], kind: str, whole: bool) -> None:
    if kind not in _NEUTRAL or (whole and kind == "ADD"):
        what = f"{kind or 'the last element'}{' of integers' if whole else ''}"
        raise DiagnosticException(
            f"reduces windows by {what}; supported are ADD of floating-point numbers, MAXIMUM and MINIMUM"
        )
    if DYNAMIC_INDEX in shape:
        raise DiagnosticException(
            f"takes {spelled(shape)}; its sizes must be known: convert the model with fixed shapes"
        )
    if any(step != 1 for step in op.integers("base_dilations")):
        raise DiagnosticException(
            f"base_dilations are {list(op.integers('base_dilations'))}, only 1 is supported; put zeros between the "
            "elements first"
        )


def _pooled(
    t: Translation, kind: str, x: SSAValue, kernel: list[int], properties: dict[str, Property]
) -> SSAValue:
    """Reduced windows of `[1, channels, *space]`, without the number that they begin with."""
    if kind == "ADD":
        mean = t(nn.AvgPoolOp, x, kernel=kernel, exclude_pad=False, **properties)
        return t(nn.MultiplyOp, mean, t.like(mean, math.prod(kernel)))
    if kind == "MAXIMUM":
        return t(nn.MaxPoolOp, x, kernel=kernel, **properties)
    # The least integer is not the negative of another.
    turned = nn.BitwiseNotOp if is_integer(tensor(x).element_type) else nn.NegativeOp
    return t(turned, t(nn.MaxPoolOp, t(turned, x), kernel=kernel, **properties))


_NEUTRAL = {"ADD": 0.0, "MAXIMUM": -math.inf, "MINIMUM": math.inf}
"""The number that changes nothing."""


def _begun(t: Translation, op: tfl.TflOp, kind: str, result: SSAValue, start: SSAValue) -> SSAValue:
    """Padding is the number that windows begin with, which a sum would add for each of its elements."""
    data = t.data(op.operands[1])
    if data is not None and (data == _NEUTRAL[kind]).all():
        return result
    if kind == "ADD":
        raise DiagnosticException(
            "its sums do not begin with a constant 0; begin with 0, and add the number afterwards"
        )
    return t(nn.MaximumOp if kind == "MAXIMUM" else nn.MinimumOp, result, start)
