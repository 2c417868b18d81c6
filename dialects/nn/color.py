"""Converts images of video (YUV: brightness and, at half the size, color differences) to RGB and BGR."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, f32
from xdsl.ir import SSAValue
from xdsl.irdl import var_operand_def

from ..compatible import compatible_shapes
from ..inferred import SAME_ELEMENT, Constants, Shape, shape_of, spelled, tensor
from ..names import Names
from ..operation import op_definition
from .derived import DerivedOp
from .expression import Expression, concatenated
from .shaped import ShapedOp
from .writer import Writer


class YuvOp(ShapedOp, DerivedOp, ABC):
    """
    Colors of brightness y and color differences u and v, which four pixels share:
    `red = 1.164 (y - 16) + 1.596 (v - 128)`, `green = 1.164 (y - 16) - 0.813 (v - 128) - 0.391 (u - 128)`,
    `blue = 1.164 (y - 16) + 2.018 (u - 128)`, within 0 and 255.

    Images are `[batch, height, width, channel]`. One operand holds the planes one below the other, or each plane is
    one.
    """

    PLANES: ClassVar[int]
    """How many there are, apart."""
    IS_RED_FIRST: ClassVar[bool]

    planes = var_operand_def(SAME_ELEMENT)

    @abstractmethod
    def differences(self, rest: Sequence[Expression], height: int, width: int) -> list[Expression]:
        """u and v, `[batch, height / 2, width / 2]`, of the planes behind the first or what lies below it."""

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        if len(self.planes) not in (1, self.PLANES):
            raise self.op_error(f"takes 1 or {self.PLANES} planes, not {len(self.planes)}")
        shape = shape_of(self.planes[0])
        if len(shape) != 4 or shape[3] not in (1, DYNAMIC_INDEX):
            raise self.op_error(f"plane {spelled(shape)} must be [batch, height, width, 1]")
        batch, height, width, _ = shape
        if len(self.planes) == 1 and height != DYNAMIC_INDEX:
            if height % 3:
                raise self.op_error(
                    f"{height} rows are not those of an image and half as many below"
                )
            height = height // 3 * 2
        if any(size != DYNAMIC_INDEX and size % 2 for size in (height, width)):
            raise self.op_error(
                f"an image {spelled((height, width))} cannot be halved in both dimensions"
            )
        for plane in self.planes[1:]:
            self._check_half(shape_of(plane), (batch, height, width))
        return (batch, height, width, 3)

    def _check_half(self, shape: Shape, image: Shape) -> None:
        batch, *sizes = image
        halves = [size if size == DYNAMIC_INDEX else size // 2 for size in sizes]
        wanted = (batch, *halves, 4 - self.PLANES)
        if not compatible_shapes(shape, wanted):
            raise self.op_error(
                f"plane {spelled(shape)} must be {spelled(wanted)}, half of the first"
            )

    def decompose(self, write: Writer) -> SSAValue:
        """Integers are computed in f32 and rounded last."""
        element = tensor(self.planes[0]).element_type
        is_whole = not isinstance(element, AnyFloat)
        planes = [Expression(write, plane) for plane in self.planes]
        if is_whole:
            planes = [plane.to(f32) for plane in planes]
        first, *rest = planes
        batch, height, width, _ = first.shape
        if not rest:
            height = height // 3 * 2
            rest = [first.slice(1, height, height // 2 * 3)]
            first = first.slice(1, 0, height)
        u, v = (_doubled(each) - 128 for each in self.differences(rest, height, width))
        y = (first.reshaped(batch, height, width) - 16) * 1.164
        colors = [y + v * 1.596, y - v * 0.813 - u * 0.391, y + u * 2.018]
        if not self.IS_RED_FIRST:
            colors.reverse()
        image = concatenated(3, *(color.reshaped(batch, height, width, 1) for color in colors))
        image = image.at_least(0).at_most(255)
        return (image.rounded().to(element) if is_whole else image).value


def _doubled(plane: Expression) -> Expression:
    """Each element as four, two in each dimension."""
    batch, height, width = plane.shape
    wide = plane.reshaped(batch, height, 1, width, 1).broadcast(batch, height, 2, width, 2)
    return wide.reshaped(batch, height * 2, width * 2)


class Nv12Op(YuvOp, ABC):
    """The second plane holds pairs of both differences."""

    PLANES: ClassVar[int] = 2

    def differences(self, rest: Sequence[Expression], height: int, width: int) -> list[Expression]:
        batch = rest[0].shape[0]
        return rest[0].reshaped(batch, height // 2, width // 2, 2).columns()


class I420Op(YuvOp, ABC):
    """The second and the third plane hold a difference each."""

    PLANES: ClassVar[int] = 3

    def differences(self, rest: Sequence[Expression], height: int, width: int) -> list[Expression]:
        batch, half = rest[0].shape[0], (height // 2, width // 2)
        if len(rest) == 1:
            pair = rest[0].reshaped(batch, 2, *half)
            rest = [pair.slice(1, i, i + 1) for i in range(2)]
        return [each.reshaped(batch, *half) for each in rest]


@op_definition
class Nv12ToRgbOp(Nv12Op):
    """
    Red, green and blue of an image in the format NV12: brightness, and below it, or as an operand of its own, pairs of
    color differences u and v, half as many in both dimensions.

    `red = 1.164 (y - 16) + 1.596 (v - 128)`, `green = 1.164 (y - 16) - 0.813 (v - 128) - 0.391 (u - 128)`,
    `blue = 1.164 (y - 16) + 2.018 (u - 128)`, within 0 and 255; integers are rounded.

        %rgb = nn.nv12_to_rgb %y, %uv : (tensor<1x4x6x1xf32>, tensor<1x2x3x2xf32>) -> tensor<1x4x6x3xf32>
    """

    name = "nn.nv12_to_rgb"
    NAMES: ClassVar = Names("NV12toRGB-8")
    IS_RED_FIRST: ClassVar[bool] = True


@op_definition
class Nv12ToBgrOp(Nv12Op):
    """
    As `nn.nv12_to_rgb`, blue first.

        %bgr = nn.nv12_to_bgr %yuv : (tensor<1x6x6x1xf32>) -> tensor<1x4x6x3xf32>
    """

    name = "nn.nv12_to_bgr"
    NAMES: ClassVar = Names("NV12toBGR-8")
    IS_RED_FIRST: ClassVar[bool] = False


@op_definition
class I420ToRgbOp(I420Op):
    """
    As `nn.nv12_to_rgb`, of the format I420, where the color differences are planes of their own.

        %rgb = nn.i420_to_rgb %y, %u, %v
            : (tensor<1x4x6x1xf32>, tensor<1x2x3x1xf32>, tensor<1x2x3x1xf32>) -> tensor<1x4x6x3xf32>
    """

    name = "nn.i420_to_rgb"
    NAMES: ClassVar = Names("I420toRGB-8")
    IS_RED_FIRST: ClassVar[bool] = True


@op_definition
class I420ToBgrOp(I420Op):
    """
    As `nn.i420_to_rgb`, blue first.

        %bgr = nn.i420_to_bgr %yuv : (tensor<1x6x6x1xf32>) -> tensor<1x4x6x3xf32>
    """

    name = "nn.i420_to_bgr"
    NAMES: ClassVar = Names("I420toBGR-8")
    IS_RED_FIRST: ClassVar[bool] = False
