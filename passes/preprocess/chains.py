"""The chains of calls by which users say what is to be done: OpenVINO's classes, by its names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, SSAValue

from ...dialects.nn.expression import Expression
from ..errors import DiagnosticError, shown
from ..reshape import parse_shape
from . import steps
from .arguments import names, number, numbers, whole, wholes
from .names import (
    PLANES,
    UNKNOWN,
    ColorFormat,
    Layout,
    PaddingMode,
    ResizeAlgorithm,
    element_type,
    member,
)
from .steps import Step

Custom = Callable[[Expression], Expression | SSAValue]
"""Writes operations on a value, which has arithmetic operators, and returns what comes of them."""


class _Steps:
    """What pre- and postprocessing have in common. Each method adds a step, and returns the chain."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, Step]] = []
        self.moves: list[Layout | list[int]] = []
        """The layouts and the orders of dimensions that are asked for, in the order of the calls."""

    def _add(self, name: str, step: Step) -> Self:
        self.steps.append((name, step))
        return self

    def convert_element_type(self, type: Any = None) -> Self:
        """Another element type; without one, that which is wanted in the end."""
        asked = None if type is None or str(type) in UNSAID else element_type(type)
        return self._add(
            f"convert_element_type({'' if asked is None else asked})",
            partial(steps.convert_element_type, type=asked),
        )

    def convert_layout(self, layout: Any = None) -> Self:
        """
        Transposes to a layout ("NCHW"), by an order of dimensions (`[0, 3, 1, 2]`), or, without one, to the layout
        that is wanted in the end.
        """
        if isinstance(layout, (list, tuple, np.ndarray)):
            order = wholes("convert_layout", layout)
            self.moves.append(order)
            return self._add(f"convert_layout({order})", partial(steps.transpose, order=order))
        asked = None if layout is None else Layout(layout)
        if asked is not None and asked.is_known:
            self.moves.append(asked)
        return self._add(
            f"convert_layout({asked or ''})", partial(steps.convert_layout, layout=asked)
        )

    def custom(self, operation: Custom) -> Self:
        """
        What a function of yours writes: it gets the value, with arithmetic operators, and returns another.

            chain.custom(lambda x: (x * 2.0).at_most(255.0))
        """
        if not callable(operation):
            raise DiagnosticError(f"custom was given {shown(operation)}; give a function")
        return self._add("custom", partial(steps.custom, operation=operation))


UNSAID = ("<Type: 'dynamic'>", "<Type: 'undefined'>")
"""openvino.Type where it says nothing."""


class PreProcessSteps(_Steps):
    """Steps from what the caller gives to what the model takes, in the order of the calls."""

    def mean(self, value: float | Sequence[float]) -> PreProcessSteps:
        """Subtracts a number, or one for each channel, or the only one of a list. Takes floating point."""
        given = numbers("mean", value)
        return self._add(f"mean({given})", partial(steps.mean, numbers=given))

    def scale(self, value: float | Sequence[float]) -> PreProcessSteps:
        """Divides by a number, or by one for each channel, or by the only one of a list. Takes floating point."""
        given = numbers("scale", value)
        return self._add(f"scale({given})", partial(steps.scale, numbers=given))

    def resize(
        self, alg: Any, dst_height: int | None = None, dst_width: int | None = None
    ) -> PreProcessSteps:
        """Another height and width; without them, those of the model."""
        algorithm = member(ResizeAlgorithm, alg)
        if (dst_height is None) is not (dst_width is None):
            raise DiagnosticError("resize takes height and width, or none of them")
        size = None
        if dst_height is not None:
            size = whole("resize", dst_height), whole("resize", dst_width)
        return self._add(
            f"resize({algorithm.name}, {size or 'the size of the model'})",
            partial(steps.resize, algorithm=algorithm, size=size),
        )

    def crop(self, begin: Sequence[int], end: Sequence[int]) -> PreProcessSteps:
        """The elements from `begin` to `end`, a number for each dimension; negative ones count from the end."""
        limits = wholes("crop", begin), wholes("crop", end)
        return self._add(
            f"crop({limits[0]}, {limits[1]})", partial(steps.crop, begin=limits[0], end=limits[1])
        )

    def pad(
        self, pads_begin: Sequence[int], pads_end: Sequence[int], value: float, mode: Any
    ) -> PreProcessSteps:
        """Pads each dimension with so many elements before and behind it: with `value` where the mode is CONSTANT."""
        limits = wholes("pad", pads_begin), wholes("pad", pads_end)
        kind, filled = member(PaddingMode, mode), number("pad", value)
        return self._add(
            f"pad({limits[0]}, {limits[1]}, {filled}, {kind.name})",
            partial(steps.pad, begin=limits[0], end=limits[1], number=filled, mode=kind),
        )

    def convert_color(self, dst_format: Any) -> PreProcessSteps:
        """Colors in another format: of video RGB, BGR or GRAY, of colors others; a fourth channel is dropped."""
        wanted = member(ColorFormat, dst_format)
        return self._add(
            f"convert_color({wanted.name})", partial(steps.convert_color, wanted=wanted)
        )

    def reverse_channels(self) -> PreProcessSteps:
        """The last channel first."""
        return self._add("reverse_channels()", steps.reverse_channels)


class PostProcessSteps(_Steps):
    """Steps from what the model gives to what the caller wants, in the order of the calls."""


class ModelInfo:
    """What the model says of a port, beside its type."""

    def __init__(self) -> None:
        self.layout = UNKNOWN

    def set_layout(self, layout: Any) -> Self:
        """What its dimensions are: "NCHW"."""
        self.layout = Layout(layout)
        return self


class OutputTensorInfo:
    """What the caller wants to get."""

    def __init__(self) -> None:
        self.element: Attribute | None = None
        self.layout: Layout | None = None

    def set_element_type(self, type: Any) -> Self:
        """The type of an element: "u8", openvino.Type.u8, or numpy.uint8."""
        self.element = element_type(type)
        return self

    def set_layout(self, layout: Any) -> Self:
        """What its dimensions are: "NHWC"."""
        self.layout = Layout(layout)
        return self


class InputTensorInfo(OutputTensorInfo):
    """What the caller gives."""

    def __init__(self) -> None:
        super().__init__()
        self.shape: tuple[int, ...] | None = None
        self.size: tuple[int, int] | None = None
        self.color = ColorFormat.UNDEFINED
        self.sub_names: tuple[str, ...] = ()

    def set_shape(self, shape: Any) -> InputTensorInfo:
        """
        Its shape; -1, None, "?" and openvino.Dimension() are unknown dimensions. Raises DiagnosticException for what is
        no shape.
        """
        self.shape = parse_shape("set_shape", shape)
        return self

    def set_spatial_dynamic_shape(self) -> InputTensorInfo:
        """Height and width are those of each call."""
        self.size = DYNAMIC_INDEX, DYNAMIC_INDEX
        return self

    def set_spatial_static_shape(self, height: int, width: int) -> InputTensorInfo:
        """Height and width, which its layout says the places of."""
        step = "set_spatial_static_shape"
        size = whole(step, height), whole(step, width)
        if min(size) < 0:
            raise DiagnosticError(
                f"{step} was given {list(size)}; give sizes, or call set_spatial_dynamic_shape"
            )
        self.size = size
        return self

    def set_color_format(self, format: Any, sub_names: Sequence[str] = ()) -> InputTensorInfo:
        """What its colors are. Planes are inputs of their own, `name/y`, `name/uv`, or as `sub_names` says."""
        color, listed = member(ColorFormat, format), names("set_color_format", sub_names)
        count = len(PLANES.get(color, ()))
        if listed and (count == 1 or len(listed) != count):
            taken = f"{count} planes" if count > 1 else "no planes with names"
            raise DiagnosticError(
                f"set_color_format was given {len(listed)} names; {color.name} has {taken}"
            )
        self.color, self.sub_names = color, listed
        return self

    def set_from(self, tensor: Any) -> InputTensorInfo:
        """Shape and type of an array, or of a tensor of OpenVINO's."""
        type = getattr(tensor, "element_type", None) or getattr(tensor, "dtype", None)
        if type is None or not hasattr(tensor, "shape"):
            raise DiagnosticError(f"set_from was given {shown(tensor)}; give an array")
        self.set_shape(tensor.shape)
        return self.set_element_type(type)

    def set_memory_type(self, memory_type: str) -> InputTensorInfo:
        """Where it lies: "" is this computer's memory, and there is no other."""
        if memory_type != "":
            raise DiagnosticError(
                f"there is no memory of type {shown(memory_type)}: models run on this CPU"
            )
        return self


class InputInfo:
    """What is said of an input."""

    def __init__(self) -> None:
        self._tensor, self._steps, self._model = InputTensorInfo(), PreProcessSteps(), ModelInfo()

    def tensor(self) -> InputTensorInfo:
        """What the caller gives."""
        return self._tensor

    def preprocess(self) -> PreProcessSteps:
        """What happens to it."""
        return self._steps

    def model(self) -> ModelInfo:
        """What the model says."""
        return self._model


class OutputInfo:
    """What is said of an output."""

    def __init__(self) -> None:
        self._tensor, self._steps, self._model = OutputTensorInfo(), PostProcessSteps(), ModelInfo()

    def tensor(self) -> OutputTensorInfo:
        """What the caller gets."""
        return self._tensor

    def postprocess(self) -> PostProcessSteps:
        """What happens to it."""
        return self._steps

    def model(self) -> ModelInfo:
        """What the model says."""
        return self._model
