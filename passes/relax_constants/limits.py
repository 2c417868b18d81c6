"""Limits of slices, shapes to broadcast to, and trip counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
)
from xdsl.ir import Operation, SSAValue

from ...dialects import infra, nn
from ...dialects.elements import bits_of
from ...dialects.inferred import (
    constant_integers,
    normalize_axis,
    tensor,
)
from ...dialects.module import entry_of
from ...dialects.walk import all_operations
from .constant_elements import Element, constant_of, put, replace
from .sizes import ReadDimension, Size, Sizes, follows, resized

BOUNDS: dict[type[Operation], tuple[int, ...]] = {nn.BroadcastOp: (1,), nn.SliceOp: (2,)}
"""The operands that may hold a size of an input that the operation does not read."""


@dataclass(frozen=True)
class _Cut:
    """What a slice takes of a dimension: at `place` of its limits, with `step`, an only element if `is_single`."""

    place: int
    size: Size
    step: int
    is_single: bool = False


def relax_slice(op: nn.SliceOp, sizes: Sizes) -> list[str]:
    """`slice(x, a, size) = slice(x, a, end)` where the size follows an input; so for a start at the last element."""
    source, steps, axes = sizes.of_value(op.input), *map(constant_integers, (op.step, op.axes))
    if not source or steps is None or axes is None or len(axes) != len(steps):
        return []
    dimensions = [source[normalize_axis(op, axis, len(source))] for axis in axes]
    return _relax_limits(
        op, [_Cut(i, *cut) for i, cut in enumerate(zip(dimensions, steps, strict=True))]
    )


def relax_strided_slice(op: nn.StridedSliceOp, sizes: Sizes) -> list[str]:
    """As `relax_slice`, for the entries of a strided slice that keep or drop a dimension."""
    source, begin = sizes.of_value(op.input), constant_of(op.begin)
    steps = constant_integers(op.strides) if op.strides else [1] * len(begin or ())
    if not source or begin is None or steps is None or len(begin) != len(steps):
        return []
    return _relax_limits(
        op,
        [
            _Cut(entry.place, source[entry.dimension], steps[entry.place], entry.kind == "shrink")
            for entry in op.entries(len(begin), len(source))
            if entry.kind in ("slice", "shrink")
        ],
    )


def _relax_limits(op: nn.SliceOp | nn.StridedSliceOp, cuts: Sequence[_Cut]) -> list[str]:
    """Both give where they start and stop as operands 1 and 2."""
    starts, stops = map(constant_of, op.operands[1:3])
    if stops is None or any(cut.place >= len(stops) for cut in cuts):
        return []
    new_starts, new_stops = list[Element](starts or ()), list[Element](stops)
    for cut in cuts:
        i, size = cut.place, cut.size[0]
        if not follows(cut.size):
            continue
        if cut.step > 0 and stops[i] == size and not cut.is_single:
            new_stops[i] = _end(op.operands[2])
        is_last = starts is not None and len(starts) == len(stops) and starts[i] == size - 1 > 0
        if is_last and (cut.is_single or cut.step < 0 or stops[i] >= size):
            new_starts[i] = -1
    notes = list[str]()
    if new_stops != list(stops):
        notes.append(replace(op, 2, new_stops))
    if starts is not None and new_starts != list(starts):
        notes.append(replace(op, 1, new_starts))
    return notes


def _end(stops: SSAValue) -> int:
    """The largest number of the type, which as a stop means the end."""
    element = tensor(stops).element_type
    return (1 << (bits_of(element) - 1)) - 1


def relax_broadcast(op: nn.BroadcastOp, sizes: Sizes) -> list[str]:
    """`broadcast(x, [n]) = broadcast(x, [shape_of(x)[i]])` where dimension i of x is n and follows an input."""
    target, source = constant_of(op.target_shape), sizes.of_value(op.input)
    if target is None:
        return []
    elements, ahead = list[Element](target), len(target) - len(source)
    for i, size in enumerate(source):
        if i + ahead >= 0 and follows(size) and size[0] == target[i + ahead] != 1:
            elements[i + ahead] = ReadDimension(op.input, i)
    if elements == list(target):
        return []
    return [replace(op, 1, elements)]


def relax_trip_count(op: infra.LoopOp, sizes: Sizes) -> list[str]:
    """A trip count that is the number of parts of every sliced input becomes -1, if all of these follow the inputs."""
    trip = constant_of(op.trip_count)
    parts = [
        _parts(port.slicing, sizes.of_value(operand)[port.axis.data])
        for operand, port in zip(op.operands_, op.inputs, strict=True)
        if isinstance(port, infra.SlicedAttr)
    ]
    if not trip or not parts or not all(follows(each) and each[0] == trip[0] for each in parts):
        return []
    return [replace(op, 0, [-1])]


def _parts(slicing: infra.Slicing, size: Size) -> Size:
    """How many parts a loop takes of a dimension."""
    return tuple(n if n == DYNAMIC_INDEX else slicing.iterations(n) for n in size)


def relax_by_trial(module: ModuleOp, op: Operation, operand: int, sizes: Sizes) -> list[str]:
    """Lets one element follow an input's dimension of the same size if more of the model fits then."""
    if (old := constant_of(op.operands[operand])) is None:
        return []
    place = all_operations(module).index(op)
    for i, value in enumerate(old):
        for dimension, size in sizes.input_dimensions(op):
            if size[0] != value or value not in sizes.probed:
                continue
            trial = module.clone()
            copy = all_operations(trial)[place]
            argument = entry_of(trial).body.block.args[sizes.inputs.index(dimension.value)]
            elements = list[Element](old)
            elements[i] = ReadDimension(argument, dimension.index)
            put(copy, operand, elements)
            if resized(trial, value, value + 1)[1] < resized(module, value, value + 1)[1]:
                elements[i] = dimension
                return [replace(op, operand, elements)]
    return []
