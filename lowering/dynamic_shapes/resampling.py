"""
Images in a dynamic size. Along each axis, which elements of the input make an element of the result, and by what
weights, is computed: a matrix for the largest size, whose rows beyond the size are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import AnyFloat, TensorType, f32, i64
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import constant_integers, normalize_axis, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...passes.shapes.computed_integers import source
from ...passes.shapes.sum_of_sizes import Sum
from .bounded import Bounded, refusal
from .data_movement import largest, take, wide


def interpolate(write: Writer, op: nn.InterpolateOp, given: Sequence[Bounded]) -> Bounded | None:
    """Along the axes that get a dynamic size, of those that have a known one."""
    data, rank = given[0], len(shape_of(op.input))
    axes = range(rank) if op.axes is None else constant_integers(op.axes) or ()
    axes = [normalize_axis(op, axis, rank) for axis in axes]
    if not any(axis in data.sizes for axis in axes) and constant_integers(op.scales_or_sizes):
        return Bounded(_again(write, op, data.value, op.scales_or_sizes, axes), data.sizes)
    is_float = isinstance(tensor(data.value).element_type, AnyFloat)
    if (
        any(map(any, op.padding(rank)))
        or op.shape_calculation_mode.data != "sizes"
        or (op.mode.data != "nearest" and not is_float)
    ):
        raise refusal(op)
    for place, axis in enumerate(axes):
        wanted = source(given[1].value, place)
        if axis in data.sizes:
            raise refusal(op)
        if not isinstance(wanted, int):
            size = wide(write, write.slice(given[1].value, place, place + 1, 0))
            data = _resized(write, op, data, axis, size)
        elif wanted != shape_of(data.value)[axis]:
            known = _again(write, op, data.value, write.integers(wanted), [axis])
            data = Bounded(known, data.sizes)
    return data


def _again(
    write: Writer, op: nn.InterpolateOp, value: SSAValue, wanted: SSAValue, axes: Sequence[int]
) -> SSAValue:
    """The operation with another input and along other axes."""
    return write(nn.InterpolateOp, value, wanted, write.integers(*axes), **op.properties)


def _resized(
    write: Writer, op: nn.InterpolateOp, data: Bounded, axis: int, size: SSAValue
) -> Bounded:
    """One axis in a dynamic size."""
    before, most = shape_of(data.value)[axis], largest(op, Sum.of(size))
    places = _places(write, op, before, most, size)
    if op.mode.data == "nearest":
        value = take(write, data.value, _nearest(write, op, places, before, size), axis)
    else:
        column = write.reshaped(places, (most, 1))
        match op.mode.data:
            case "linear_onnx":
                weights = _linear_weights(write, column, before)
            case "cubic":
                weights = _cubic_weights(write, column, before, op.cube_coeff.value.data)
            case _:
                raise refusal(op)
        value = _product(write, weights, data.value, axis)
    return Bounded(value, data.sizes | {axis: write(nn.MaximumOp, size, 0)})


def _places(
    write: Writer, op: nn.InterpolateOp, before: int, most: int, size: SSAValue
) -> SSAValue:
    """Where in the input the elements of the result lie, as numbers in float32."""
    index = _vector(write, range(most), most)
    after = write(nn.ConvertOp, size, destination_type=f32)
    scale = write(nn.DivideOp, after, before)
    match op.coordinate_transformation_mode.data:
        case "half_pixel" | "pytorch_half_pixel":
            places = write(nn.DivideOp, write(nn.AddOp, index, 0.5), scale)
            places = write(nn.SubtractOp, places, 0.5)
        case "asymmetric":
            places = write(nn.DivideOp, index, scale)
        case "tf_half_pixel_for_nn":
            places = write(nn.DivideOp, write(nn.AddOp, index, 0.5), scale)
        case _:
            apart = write(nn.MaximumOp, write(nn.SubtractOp, after, 1), 1)
            places = write(nn.DivideOp, write(nn.MultiplyOp, index, before - 1), apart)
    if op.coordinate_transformation_mode.data in ("pytorch_half_pixel", "align_corners"):
        places = write(nn.MultiplyOp, places, write.converted(write(nn.GreaterOp, size, 1), f32))
    return write(nn.SelectOp, write(nn.EqualOp, size, before), index, places)


def _nearest(
    write: Writer, op: nn.InterpolateOp, places: SSAValue, before: int, size: SSAValue
) -> SSAValue:
    """Which elements these places mean."""
    match op.nearest_mode.data:
        case "round_prefer_floor":
            chosen = write(nn.CeilingOp, write(nn.SubtractOp, places, 0.5))
        case "round_prefer_ceil":
            chosen = write(nn.FloorOp, write(nn.AddOp, places, 0.5))
        case "floor":
            chosen = write(nn.FloorOp, places)
        case "ceil":
            chosen = write(nn.CeilingOp, places)
        case _:
            up, down = write(nn.CeilingOp, places), write(nn.FloorOp, places)
            chosen = write(nn.SelectOp, write(nn.LessOp, size, before), up, down)
    return write(nn.ConvertOp, write.clamp(chosen, 0, before - 1), destination_type=i64)


def _linear_weights(write: Writer, places: SSAValue, before: int) -> SSAValue:
    """`[most, before]`: 1 at the place, 0 from one element away."""
    if before == 1:
        return write(nn.AddOp, write(nn.MultiplyOp, places, 0), 1)
    away = write(nn.SubtractOp, write.clamp(places, 0, before - 1), _row(write, before))
    return write(nn.ReluOp, write(nn.SubtractOp, 1, write(nn.AbsOp, away)))


def _cubic_weights(write: Writer, places: SSAValue, before: int, coefficient: float) -> SSAValue:
    """`[most, before]`: of four elements; those outside are the border."""
    base, row = write(nn.FloorOp, places), _row(write, before)
    after = write(nn.SubtractOp, places, base)
    a, total = coefficient, None
    inner = (1, 0, -(a + 3), a + 2)
    outer = (-4 * a, 8 * a, -5 * a, a)
    ahead = write(nn.SubtractOp, 1, after)
    for tap, (distance, polynomial) in enumerate(
        (
            (write(nn.AddOp, after, 1), outer),
            (after, inner),
            (ahead, inner),
            (write(nn.AddOp, ahead, 1), outer),
        )
    ):
        part = _polynomial(write, distance, polynomial)
        element = write.clamp(write(nn.AddOp, base, tap - 1), 0, before - 1)
        part = write(nn.SelectOp, write(nn.EqualOp, element, row), part, write.scalar_like(part, 0))
        total = part if total is None else write(nn.AddOp, total, part)
    assert total is not None
    return total


def _polynomial(write: Writer, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
    """By Horner's rule; coefficients of 1, x, x², … ."""
    *lower, value = coefficients
    result = write(nn.MultiplyOp, x, value)
    for each in reversed(lower[1:]):
        result = write(nn.MultiplyOp, write(nn.AddOp, result, each), x)
    return write(nn.AddOp, result, lower[0])


def _product(write: Writer, weights: SSAValue, value: SSAValue, axis: int) -> SSAValue:
    """What of the elements along an axis the rows of the weights make."""
    rank = len(shape_of(value))
    if axis == rank - 2:
        return write(nn.MatMulOp, weights, value)
    if axis == rank - 1:
        return write(nn.MatMulOp, value, weights, transpose_b=True)
    order = [*(d for d in range(rank) if d != axis), axis]
    product = write(nn.MatMulOp, write.transposed(value, order), weights, transpose_b=True)
    return write.transposed(product, [order.index(d) for d in range(rank)])


def _vector(write: Writer, numbers: Iterable[float], *shape: int) -> SSAValue:
    return write.constant(BlobAttr.of(TensorType(f32, shape), numbers))


def _row(write: Writer, count: int) -> SSAValue:
    return _vector(write, range(count), 1, count)
