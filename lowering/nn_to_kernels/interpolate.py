"""
Images in another size, axis by axis: with mode `nearest` by looking elements up, else by phases (`phases.py`) or by
products with the matrix that says what each element of the result takes of each of the input.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import kernel, nn
from ...dialects.elements import limits_of
from ...dialects.inferred import label, normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import body_type
from ...dialects.tensor_types import typed
from ...reference.arrays import Array, dtype_of
from ...reference.constants import constant_array
from ...reference.nn.interpolate import Resizing, nearest_elements, resizings, weights_between
from ..kernel_bodies.bodies import Scalar
from .matrix import multiplied
from .phases import InterpolationPhases, enlarged, is_convolved
from .rule import is_integer, is_low, kernel_rule, known_integers
from .take import take
from .taps import Taps
from .writer import KernelWriter


@kernel_rule(nn.InterpolateOp)
def interpolate(op: nn.InterpolateOp, write: KernelWriter) -> SSAValue:
    """Codes are computed in f32, wider integers in f64."""
    shape = static_shape(op.input)
    wanted = constant_array(op.scales_or_sizes)
    if wanted is None:
        raise DiagnosticException(
            f"{label(op)}: scales or sizes are not constant; run fold-constants first or make them such"
        )
    axes = list(range(len(shape)))
    if op.axes is not None:
        listed = known_integers(op, op.axes, "axes")
        axes = [normalize_axis(op, axis, len(shape)) for axis in listed]
    value: SSAValue = op.input
    pads = op.padding(len(shape))
    if any(map(any, pads)):
        low, high = zip(*pads, strict=True)
        value = write.add(kernel.PadOp(value, low, high, 0))
    element = tensor(op.input).element_type
    exact = f64 if is_integer(element) else body_type(element)
    computed = f32 if is_low(op.input) else exact
    sizes = resizings(op, shape_of(value), axes, wanted.reshape(-1))
    if (found := _enlarged(op, write, value, sizes)) is not None:
        return found
    if op.mode.data == "nearest":
        for one in sizes:
            places = [int(place) for place in nearest_elements(op, one)]
            value = take(write, value, one.axis, places)
        return value
    rounds_each = op.rounds_each and is_integer(element)
    sums = [_WeightedSums.of(one.axis, weights_between(op, one), len(shape)) for one in sizes]
    for each in sums if rounds_each else sorted(sums, key=lambda each: each.early):
        if each.is_identity:
            continue
        value = each.over(write, write.convert(value, computed))
        if rounds_each:
            value = _rounded(write, value, element)
    return _rounded(write, value, element)


def _enlarged(
    op: nn.InterpolateOp, write: KernelWriter, value: SSAValue, sizes: Sequence[Resizing]
) -> SSAValue | None:
    """By phases, in f32 and where all axes have such: channels last, as who reads it wants them."""
    is_linear = op.mode.data in ("linear", "linear_onnx")
    if not is_linear or tensor(value).element_type != f32 or not is_convolved(op.result):
        return None
    grown = [one for one in sizes if one.before != one.after]
    phases = [InterpolationPhases.of(one.axis, weights_between(op, one)) for one in grown]
    known = [each for each in phases if each is not None]
    return enlarged(write, value, known) if len(known) == len(grown) else None


@dataclass(frozen=True)
class _WeightedSums:
    """What each element along an axis takes of those before: a matrix [after, before], and its taps where these pay."""

    axis: int
    matrix: Array
    taps: Taps | None
    cost: int
    """Of an element, in those of a product."""

    @classmethod
    def of(cls, axis: int, matrix: Array, rank: int) -> Self:
        taps = Taps.of(matrix, is_last := axis == rank - 1)
        return cls(axis, matrix, taps, matrix.shape[1] if taps is None else taps.cost(is_last))

    @property
    def is_identity(self) -> bool:
        after, before = self.matrix.shape
        return after == before and bool((self.matrix == np.eye(before)).all())

    @property
    def early(self) -> float:
        """
        Axes in the order of these numbers take the least time: those that shrink first, those that grow last, and of
        the latter the most costly ones first. Any order gives the same sums but for their rounding.
        """
        after, before = self.matrix.shape
        return (1 - before / max(1, after)) / max(1, self.cost)

    def over(self, write: KernelWriter, value: SSAValue) -> SSAValue:
        """The sums along the axis of a value."""
        if self.taps is None:
            return _product(write, value, self.axis, self.matrix)
        return self.taps.over(write, value, self.axis)


def _product(write: KernelWriter, value: SSAValue, axis: int, weights: Array) -> SSAValue:
    """The value times a matrix [after, before] along an axis."""
    shape, element = shape_of(value), tensor(value).element_type
    last = len(shape) - 1
    order = [*(d for d in range(last + 1) if d != axis), axis]
    value = write.transpose(value, order)
    rows = shape_of(value)[:-1]
    count = int(np.prod(rows, dtype=int))
    value = write.reshape(value, (count, shape[axis]))
    matrix = write.constant(weights.astype(dtype_of(element)), element)
    product = multiplied(value, matrix, element, typed(element, (count, weights.shape[0])))
    value = write.reshape(write.kernel(product), (*rows, weights.shape[0]))
    return write.transpose(value, [order.index(d) for d in range(last + 1)])


def _rounded(write: KernelWriter, value: SSAValue, element: Attribute) -> SSAValue:
    """Back in the type of the input."""
    computed = tensor(value).element_type
    if computed == element:
        return value

    def compute(x: Scalar) -> Scalar:
        if not is_integer(element):
            return x.convert(computed, element)
        low, high = limits_of(element)
        return x.round_even().clamp(low, high).convert(computed, body_type(element))

    return write.map(typed(element, shape_of(value)), [value], compute)
