"""The steps of a pipeline: each says in operations what becomes of a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, TensorType, f32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.expression import Expression, constant
from ...dialects.nn.writer import Writer
from ..errors import DiagnosticError, shown
from .names import PLANES, ColorFormat, Layout, PaddingMode, ResizeAlgorithm


@dataclass(frozen=True)
class Target:
    """What the value is to become in the end: the type and layout of the model's, or those that the caller wants."""

    type: TensorType[Any]
    layout: Layout


@dataclass(frozen=True)
class Stage:
    """A value on its way, of as many planes as its color format has, and where operations on it are written."""

    write: Writer
    planes: tuple[SSAValue, ...]
    layout: Layout
    color: ColorFormat
    target: Target

    @property
    def value(self) -> SSAValue:
        """The one plane."""
        return self.planes[0]

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(shape_of(self.value))

    @property
    def element(self) -> Attribute:
        """The element type."""
        return tensor(self.value).element_type

    def only_plane(self, step: str) -> SSAValue:
        """The value. Raises DiagnosticException where it has several planes."""
        if len(self.planes) > 1:
            raise DiagnosticError(
                f"{step} takes one plane, {self.color.value} has {len(self.planes)}; "
                "convert_color makes one of them"
            )
        return self.value

    def on(self, value: SSAValue, **changes: Any) -> Stage:
        """With another value."""
        return replace(self, planes=(value,), **changes)


Step = Callable[[Stage], Stage]
"""What a method of the chain remembers."""


def convert_element_type(stage: Stage, type: Attribute | None) -> Stage:
    """Converts to a type; to the target's if none is given."""
    wanted = stage.target.type.element_type if type is None else type
    value = stage.only_plane("convert_element_type")
    return stage.on(Expression(stage.write, value).to(wanted).value)


def convert_layout(stage: Stage, layout: Layout | None) -> Stage:
    """Transposes to a layout; to the target's if none is given. A layout that says no order is only noted."""
    value, wanted = stage.only_plane("convert_layout"), layout or stage.target.layout
    order = stage.layout.order_to(wanted, stage.rank)
    if order is None:
        return replace(stage, layout=wanted if wanted.is_known else stage.layout)
    return stage.on(stage.write.transposed(value, order), layout=wanted)


def transpose(stage: Stage, order: Sequence[int]) -> Stage:
    """Puts the dimensions in an order that is given as numbers."""
    value = stage.only_plane("convert_layout")
    if sorted(order) != list(range(stage.rank)):
        raise DiagnosticError(f"{list(order)} is no order of {stage.rank} dimensions")
    return stage.on(stage.write.transposed(value, order), layout=stage.layout.moved(order))


def mean(stage: Stage, numbers: float | Sequence[float]) -> Stage:
    """`x - numbers`: one number for all channels, or one for each."""
    return _per_channel(stage, "mean", nn.SubtractOp, numbers)


def scale(stage: Stage, numbers: float | Sequence[float]) -> Stage:
    """Multiplies by the reciprocals in f32, as OpenVINO does: divisions take ten times as long."""
    with np.errstate(divide="ignore"):
        reciprocals = np.float32(1) / np.asarray(numbers, np.float32)
    return _per_channel(stage, "scale", nn.MultiplyOp, reciprocals.tolist())


def _per_channel(
    stage: Stage,
    step: str,
    op: type[nn.SubtractOp | nn.MultiplyOp],
    numbers: float | Sequence[float],
) -> Stage:
    value = stage.only_plane(step)
    if not isinstance(stage.element, AnyFloat):
        raise DiagnosticError(
            f"{step} takes floating point, not {stage.element}; convert_element_type "
            "comes before it"
        )
    if isinstance(numbers, (int, float)):
        return stage.on(stage.write(op, value, float(numbers)))
    axis = stage.layout.index("C", stage.rank)
    channels = shape_of(value)[axis]
    if channels not in (DYNAMIC_INDEX, len(numbers)):
        raise DiagnosticError(f"{step} was given {len(numbers)} numbers for {channels} channels")
    shape = [1] * stage.rank
    shape[axis] = len(numbers)
    return stage.on(stage.write(op, value, constant(stage.write, stage.element, shape, numbers)))


def resize(stage: Stage, algorithm: ResizeAlgorithm, size: tuple[int, int] | None) -> Stage:
    """Resizes height and width; to those of the model if no size is given."""
    value = stage.only_plane("resize")
    axes = [stage.layout.index(name, stage.rank) for name in "HW"]
    if size is None:
        shape, layout = stage.target.type.get_shape(), stage.target.layout
        wanted = [shape[layout.index(name, len(shape))] for name in "HW"]
        if DYNAMIC_INDEX in wanted:
            raise DiagnosticError(
                "the model does not say the size to resize to; give height and width"
            )
        size = wanted[0], wanted[1]
    write = stage.write
    resized = write(
        nn.InterpolateOp,
        value,
        write.integers(*size),
        write.integers(*axes),
        mode=algorithm.value,
        shape_calculation_mode="sizes",
        coordinate_transformation_mode="half_pixel",
        nearest_mode="round_prefer_floor",
        antialias=False,
        pads_begin=[0] * stage.rank,
        pads_end=[0] * stage.rank,
        cube_coeff=-0.75,
    )
    return stage.on(resized)


def crop(stage: Stage, begin: Sequence[int], end: Sequence[int]) -> Stage:
    """`x[begin:end]`, with an element of both for each dimension."""
    value = stage.only_plane("crop")
    _check_count(stage, "crop", begin, end)
    write = stage.write
    limits = write.integers(*begin), write.integers(*end)
    steps, axes = write.integers(*[1] * stage.rank), write.integers(*range(stage.rank))
    return stage.on(write(nn.SliceOp, value, *limits, steps, axes))


def pad(
    stage: Stage, begin: Sequence[int], end: Sequence[int], number: float, mode: PaddingMode
) -> Stage:
    """Adds so many elements in front of and behind each dimension."""
    value = stage.only_plane("pad")
    _check_count(stage, "pad", begin, end)
    write = stage.write
    limits = write.integers(*begin), write.integers(*end)
    return stage.on(
        write(nn.PadOp, value, *limits, write.scalar_like(value, number), pad_mode=mode.value)
    )


def _check_count(stage: Stage, step: str, begin: Sequence[int], end: Sequence[int]) -> None:
    if not len(begin) == len(end) == stage.rank:
        raise DiagnosticError(
            f"{step} was given {len(begin)} and {len(end)} numbers for {stage.rank} dimensions"
        )


def reverse_channels(stage: Stage) -> Stage:
    """Puts the channels in reverse order."""
    return stage.on(_reversed(stage, stage.only_plane("reverse_channels")))


def _reversed(stage: Stage, value: SSAValue) -> SSAValue:
    axis = stage.layout.index("C", stage.rank)
    count = shape_of(value)[axis]
    if count == DYNAMIC_INDEX:
        raise DiagnosticError("how many channels there are is not known; they cannot be reversed")
    backwards = constant(stage.write, i64, [count], range(count - 1, -1, -1))
    return stage.write(nn.GatherOp, value, backwards, stage.write.integer(axis), batch_dims=0)


def custom(stage: Stage, operation: Callable[[Expression], Any]) -> Stage:
    """What a function of the caller's makes of the value. Raises DiagnosticException where that is no value."""
    made = operation(Expression(stage.write, stage.only_plane("custom")))
    value: Any = made.value if isinstance(made, Expression) else made
    if not isinstance(value, SSAValue):
        raise DiagnosticError(f"the custom operation gave {shown(made)}, not a value")
    return stage.on(cast(SSAValue, value))


def convert_color(stage: Stage, wanted: ColorFormat) -> Stage:
    """As OpenVINO: video to RGB, BGR or GRAY, colors among each other, and of four channels the first three."""
    have = stage.color
    if have is wanted:
        return stage
    convert = CONVERSIONS.get((have, wanted))
    if convert is None:
        raise DiagnosticError(
            f"colors of {have.value} are not convertible to {wanted.value}; "
            "set_color_format says what the image has"
        )
    return stage.on(convert(stage), color=wanted)


def _video(op: type[nn.YuvOp]) -> Callable[[Stage], SSAValue]:
    return lambda stage: stage.write(op, *stage.planes)


def _brightness(stage: Stage) -> SSAValue:
    """The first plane is gray, and where planes lie below each other two thirds of the rows are."""
    if len(PLANES[stage.color]) > 1:
        return stage.value
    height = shape_of(stage.value)[1]
    if height == DYNAMIC_INDEX:
        return stage.write.joined(stage.write.split(stage.value, 3, 1)[:2], 1)
    return stage.write.slice(stage.value, 0, height // 3 * 2, 1)


def _swapped(stage: Stage) -> SSAValue:
    return _reversed(stage, stage.value)


def _three_channels(stage: Stage) -> SSAValue:
    return stage.write.slice(stage.value, 0, 3, stage.layout.index("C", stage.rank))


def _three_swapped(stage: Stage) -> SSAValue:
    return _reversed(stage, _three_channels(stage))


RED, GREEN, BLUE = 0.299, 0.587, 0.114
"""What of a color is gray, by ITU-R BT.601."""


def _gray(*weights: float) -> Callable[[Stage], SSAValue]:
    """The weighted sum of channels, in f32; integers are rounded."""

    def gray(stage: Stage) -> SSAValue:
        axis = stage.layout.index("C", stage.rank)
        image = Expression(stage.write, stage.value)
        shape = [1] * stage.rank
        shape[axis] = 3
        wide = image if isinstance(stage.element, AnyFloat) else image.to(f32)
        sum = (wide * wide.constant(shape, weights)).sum(axis, keep=True)
        return (sum if wide is image else sum.rounded().to(stage.element)).value

    return gray


_ = ColorFormat

CONVERSIONS: dict[tuple[ColorFormat, ColorFormat], Callable[[Stage], SSAValue]] = {
    **{(have, _.RGB): _video(nn.Nv12ToRgbOp) for have in (_.NV12_SINGLE_PLANE, _.NV12_TWO_PLANES)},
    **{(have, _.BGR): _video(nn.Nv12ToBgrOp) for have in (_.NV12_SINGLE_PLANE, _.NV12_TWO_PLANES)},
    **{
        (have, _.RGB): _video(nn.I420ToRgbOp) for have in (_.I420_SINGLE_PLANE, _.I420_THREE_PLANES)
    },
    **{
        (have, _.BGR): _video(nn.I420ToBgrOp) for have in (_.I420_SINGLE_PLANE, _.I420_THREE_PLANES)
    },
    **{(have, _.GRAY): _brightness for have in PLANES},
    (_.RGB, _.BGR): _swapped,
    (_.BGR, _.RGB): _swapped,
    (_.RGB, _.GRAY): _gray(RED, GREEN, BLUE),
    (_.BGR, _.GRAY): _gray(BLUE, GREEN, RED),
    (_.RGBX, _.RGB): _three_channels,
    (_.BGRX, _.BGR): _three_channels,
    (_.RGBX, _.BGR): _three_swapped,
    (_.BGRX, _.RGB): _three_swapped,
}
"""What makes colors of one format colors of another."""


def finished(stage: Stage, to_type: bool = True) -> Stage:
    """The layout that is wanted in the end, and the type unless any is right."""
    if len(stage.planes) > 1:
        raise DiagnosticError(
            f"the model takes no {len(stage.planes)} planes of {stage.color.value}; "
            "convert_color makes one of them"
        )
    return convert_layout(convert_element_type(stage, None) if to_type else stage, None)
