"""`nn.interpolate`: resizes images (resampling, also called upsampling)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.irdl import operand_def, opt_operand_def, traits_def

from ..elements import is_integer
from ..inferred import INDEX, Constants, choice, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integers_prop, number_prop, word_prop
from ..traits import HasWindow
from .constant import constant_of
from .reduction import constant_axes
from .shaped import InputOp
from .window import padded, sizes_of

NEARLY = 1e-5
"""What is added before a scaled size is rounded down, as OpenVINO does."""


MODES = ("nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow")
TRANSFORMATIONS = (
    *("half_pixel", "pytorch_half_pixel", "asymmetric"),
    *("tf_half_pixel_for_nn", "align_corners"),
)
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple")
"""What `mode`, `coordinate_transformation_mode` and `nearest_mode` may be."""


@op_definition
class InterpolateOp(InputOp):
    """
    The input, padded with zeros, in another size along constant `axes` (all where absent): `sizes`, or
    the input's times `scales`, as `shape_calculation_mode` says.

    `coordinate_transformation_mode` says where in the input a result's element lies; `mode` how it is made
    of the elements around: of the `nearest` one, of two in each dimension (`linear_onnx`, and `linear`, which with
    `antialias`, if any axis gets smaller, takes as many as the scales ask for), or of four (`cubic`).
    `bilinear_pillow` and `bicubic_pillow` are what the library Pillow does: of as many as the scale asks for, around
    the middle, whatever the other attributes say. Integers are rounded at the end, with these after each axis, of
    which the last is the first.

        %sizes = nn.constant dense<[8, 8]> : tensor<2xi64>
        %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
        %y = nn.interpolate %x, %sizes, %axes {mode = "nearest", shape_calculation_mode = "sizes",
              coordinate_transformation_mode = "half_pixel", nearest_mode = "round_prefer_floor",
              antialias = false, pads_begin = array<i64>, pads_end = array<i64>, cube_coeff = -0.75 : f64}
            : (tensor<1x3x4x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x3x8x8xf32>
    """

    name = "nn.interpolate"
    NAMES: ClassVar = Names(
        "Interpolate-11",
        "ResizeBilinear ResizeNearestNeighbor",
        "RESIZE_BILINEAR RESIZE_NEAREST_NEIGHBOR",
        "Resize-19",
    )

    scales_or_sizes = operand_def(TensorType)
    axes = opt_operand_def(INDEX)
    mode = word_prop()
    shape_calculation_mode = word_prop()
    coordinate_transformation_mode = word_prop("half_pixel")
    nearest_mode = word_prop("round_prefer_floor")
    antialias = flag_prop(False)
    pads_begin = integers_prop()
    pads_end = integers_prop()
    cube_coeff = number_prop(-0.75)

    traits = traits_def(HasWindow())

    @property
    def rounds_each(self) -> bool:
        """Whether integers are rounded after each axis, the last one first; else they are at the end."""
        return self.mode.data.endswith("pillow")

    def padding(self, rank: int) -> list[tuple[int, int]]:
        """Before and after each dimension; none where no pads are given."""
        pads = [
            sizes_of(self, name, (1,) * rank, 0) if len(given) else (0,) * rank
            for name, given in (("pads_begin", self.pads_begin), ("pads_end", self.pads_end))
        ]
        return list(zip(*pads, strict=True))

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        by_sizes = self._check_modes()
        shape = list(padded(self, self.padding(len(shape_of(self.input)))))
        axes = list(range(len(shape)))
        if self.axes is not None:
            axes = constant_axes(self, self.axes, len(shape), constants)
        wanted = self._wanted(by_sizes, len(axes), constants)
        for i, axis in enumerate(axes):
            if wanted is None:
                shape[axis] = DYNAMIC_INDEX
            elif by_sizes and not shape[axis]:
                raise self.op_error(f"dimension {axis} has no elements to make {wanted[i]} of")
            elif by_sizes:
                shape[axis] = int(wanted[i])
            elif shape[axis] != DYNAMIC_INDEX:
                shape[axis] = scaled(shape[axis], wanted[i])
        return shape

    def _check_modes(self) -> bool:
        """Raises VerifyException for modes that there are not. Whether sizes are given, not scales."""
        choice(self, "mode", *MODES)
        choice(self, "coordinate_transformation_mode", *TRANSFORMATIONS)
        choice(self, "nearest_mode", *ROUNDINGS)
        by_sizes = choice(self, "shape_calculation_mode", "sizes", "scales") == "sizes"
        element = tensor(self.scales_or_sizes).element_type
        if is_integer(element) != by_sizes:
            raise self.op_error(
                f"{'sizes' if by_sizes else 'scales'} cannot be {element}; "
                f"shape_calculation_mode is '{self.shape_calculation_mode.data}'"
            )
        return by_sizes

    def _wanted(self, by_sizes: bool, count: int, constants: Constants) -> Sequence[float] | None:
        """The sizes or scales of so many axes; None where they are not known."""
        blob = None if by_sizes else constant_of(self.scales_or_sizes)
        known = constants(self.scales_or_sizes) if by_sizes else None
        wanted = known if blob is None else list(blob.data.values())
        if wanted is None:
            return None
        if len(wanted) != count or not all(0 < n < math.inf for n in wanted):
            raise self.op_error(
                f"scales or sizes {list(wanted)} must be {count} positive numbers, one for each axis"
            )
        return wanted


def scaled(size: int, scale: float) -> int:
    """A dimension's size times a scale."""
    return math.floor(size * scale + NEARLY)
