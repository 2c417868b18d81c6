"""Reductions of windows: pooling where that is the same, and else one dimension after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.elements import is_integer
from ...dialects.inferred import InferredOp, shape_of, spelled, tensor
from ..channels_last import window_properties
from .stablehlo import combined, spread
from .translation import Builtin, Translation, computes

MOST_DIMENSIONS = 3
"""The most dimensions that pooling has."""

FUNCTIONS = ("", "ADD", "MUL", "MINIMUM", "MAXIMUM", "ALL", "ANY")
"""The functions of REDUCE_WINDOW, in the order of the schema's numbers."""

OPERATIONS: dict[str, type[InferredOp]] = {
    "ADD": nn.AddOp,
    "MUL": nn.MultiplyOp,
    "MINIMUM": nn.MinimumOp,
    "MAXIMUM": nn.MaximumOp,
    "ALL": nn.LogicalAndOp,
    "ANY": nn.LogicalOrOp,
}
"""What puts two elements together."""

_NEUTRAL = {"ADD": 0.0, "MAXIMUM": -math.inf, "MINIMUM": math.inf}
"""The number that changes nothing, of what pooling computes."""


@dataclass(frozen=True)
class Windows:
    """How windows lie, by dimension. Padding is the number that each window begins with."""

    kernel: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    begins: Sequence[int]
    ends: Sequence[int]

    def along(self) -> list[int]:
        """The dimensions along which windows have several elements, move or reach into padding; one at least."""
        moves = list(zip(self.kernel, self.strides, self.begins, self.ends, strict=True))
        found = [axis for axis, move in enumerate(moves) if move != (1, 1, 0, 0)]
        return found or [len(moves) - 1]


@computes("STABLEHLO_REDUCE_WINDOW")
def reduce_window(t: Translation, op: tfl.TflOp, x: SSAValue, start: SSAValue) -> SSAValue:
    kind = combined(t, op, "body")
    names = ("window_dimensions", "window_strides", "window_dilations")
    padding = op.integers("padding")
    kernel, strides, dilations = map(op.integers, names)
    windows = Windows(kernel, strides, dilations, padding[::2], padding[1::2])
    return _reduced(t, op, kind, spread(t, x, op.integers("base_dilations"), start), start, windows)


@computes("REDUCE_WINDOW")
def reduce_window_without_padding(
    t: Translation, op: tfl.TflOp, x: SSAValue, start: SSAValue, *sizes: SSAValue
) -> SSAValue:
    number = op.integer("reduce_function")
    kind = FUNCTIONS[number] if number < len(FUNCTIONS) else ""
    names = ("window dimensions", "window strides", "window dilations")
    kernel, strides, dilations = (
        t.integers_of(Builtin(op, ""), *each) for each in zip(sizes, names, strict=True)
    )
    none = [0] * len(shape_of(x))
    return _reduced(t, op, kind, x, start, Windows(kernel, strides, dilations, none, none))


def _reduced(
    t: Translation, op: tfl.TflOp, kind: str, x: SSAValue, start: SSAValue, windows: Windows
) -> SSAValue:
    if kind not in OPERATIONS:
        raise DiagnosticException(
            f"reduces windows by {kind or 'a function without a name'}; supported are {', '.join(OPERATIONS)}"
        )
    if DYNAMIC_INDEX in shape_of(x):
        raise DiagnosticException(
            f"takes {spelled(shape_of(x))}; its sizes must be known: convert the model with fixed shapes"
        )
    begun = t.data(op.operands[1])
    is_neutral = kind in _NEUTRAL and begun is not None and bool((begun == _NEUTRAL[kind]).all())
    whole = is_integer(tensor(x).element_type)
    pools = not whole and is_neutral if kind == "ADD" else kind in _NEUTRAL
    if len(windows.kernel) and pools and len(windows.along()) <= MOST_DIMENSIONS:
        result = _pooled(t, kind, x, windows)
        return result if is_neutral else t(OPERATIONS[kind], result, start)
    return _put_together(t, OPERATIONS[kind], x, start, windows)


def _pooled(t: Translation, kind: str, x: SSAValue, windows: Windows) -> SSAValue:
    """Pooling of the dimensions along which windows do anything, without the number that windows begin with."""
    shape, along = shape_of(x), windows.along()
    rest = [axis for axis in range(len(shape)) if axis not in along]
    order = [*rest, *along]
    moved = t.transposed(x, order)
    flat = t.reshaped(moved, (1, math.prod(shape[i] for i in rest), *(shape[i] for i in along)))
    kernel, strides, dilations, begins, ends = (
        [each[axis] for axis in along]
        for each in (
            windows.kernel,
            windows.strides,
            windows.dilations,
            windows.begins,
            windows.ends,
        )
    )
    properties = window_properties(strides, dilations, "explicit", begins, ends)
    if kind == "ADD":
        mean = t(nn.AvgPoolOp, flat, kernel=kernel, exclude_pad=False, **properties)
        pooled = t(nn.MultiplyOp, mean, t.like(mean, math.prod(kernel)))
    elif kind == "MAXIMUM":
        pooled = t(nn.MaxPoolOp, flat, kernel=kernel, **properties)
    else:  # the least integer is not the negative of another
        turned = nn.BitwiseNotOp if is_integer(tensor(x).element_type) else nn.NegativeOp
        pooled = t(turned, t(nn.MaxPoolOp, t(turned, flat), kernel=kernel, **properties))
    result = t.reshaped(pooled, (*(shape[i] for i in rest), *shape_of(pooled)[2:]))
    return t.transposed(result, np.argsort(order).tolist())


def _put_together(
    t: Translation, kind: type[InferredOp], x: SSAValue, start: SSAValue, windows: Windows
) -> SSAValue:
    """Elements of windows along one dimension after the other, and the number that windows begin with."""
    start = t.reshaped(start, ())
    if any((*windows.begins, *windows.ends)):
        ends = (t.integers(*each) for each in (windows.begins, windows.ends))
        x = t(nn.PadOp, x, *ends, start, pad_mode="constant")
    for axis, (size, step, apart) in enumerate(
        zip(windows.kernel, windows.strides, windows.dilations, strict=True)
    ):
        count = (shape_of(x)[axis] - (size - 1) * apart - 1) // step + 1
        firsts = (place * apart for place in range(size))
        parts = [
            t(
                nn.SliceOp,
                x,
                *map(t.integers, (first, first + (count - 1) * step + 1, step, axis)),
            )
            for first in firsts
        ]
        x, *others = parts
        for other in others:
            x = t(kind, x, other)
    return t(kind, x, start)
