"""The operations of Detectron's detectors: anchors (priors), the best regions, and features of regions."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, result_def, var_operand_def
from xdsl.utils.exceptions import DiagnosticException

from ...compatible import compatible_shapes
from ...inferred import (
    SAME_ELEMENT,
    Constants,
    floating,
    label,
    shape_of,
    spelled,
    static_shape,
    tensor,
)
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, integer_prop, integers_prop, number_prop
from ..derived import DerivedOp
from ..expression import Expression, concatenated
from ..shaped import ShapedOp
from ..writer import Writer
from .regions import RoiAlignOp, check_ratio, check_regions

CANONICAL_SIZE, CANONICAL_LEVEL = 224, 2
"""A region of 224 x 224 pixels reads image 2 of the pyramid (Lin et al., "Feature pyramid networks", 2017)."""


@op_definition
class ExperimentalDetectronPriorGridGeneratorOp(ShapedOp, DerivedOp):
    """
    `result[y, x, p] = priors[p] + [x', y', x', y']`, the middle of each cell of `features` in pixels of the image:
    `x' = (x + 0.5) * stride_x`, where a stride of 0 is the size of the image by that of the features. With
    `flatten` the first three dimensions are one.

        %y = nn.experimental_detectron_prior_grid_generator %priors, %features, %image {flatten = true, h = 0 : i64,
              w = 0 : i64, stride_x = 0.0 : f64, stride_y = 0.0 : f64}
            : (tensor<3x4xf32>, tensor<1x2x4x5xf32>, tensor<1x3x32x60xf32>) -> tensor<60x4xf32>
    """

    name = "nn.experimental_detectron_prior_grid_generator"
    NAMES: ClassVar = Names("ExperimentalDetectronPriorGridGenerator-6")

    priors = operand_def(SAME_ELEMENT)
    features = operand_def(TensorType)
    image = operand_def(TensorType)
    flatten = flag_prop(True)
    h = integer_prop(0)
    w = integer_prop(0)
    stride_x = number_prop(0.0)
    stride_y = number_prop(0.0)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.priors)
        priors, features, image = (shape_of(operand) for operand in self.operands)
        if (
            len(priors) != 2
            or priors[1] not in (4, DYNAMIC_INDEX)
            or {len(features), len(image)} != {4}
        ):
            raise self.op_error(
                f"takes priors [number, 4] and images, not {spelled(priors)}, "
                f"{spelled(features)} and {spelled(image)}"
            )
        grid = features[2:]
        if not self.flatten:
            return (*grid, priors[0], 4)
        sizes = (*grid, priors[0])
        known = DYNAMIC_INDEX not in sizes
        count = sizes[0] * sizes[1] * sizes[2] if known else DYNAMIC_INDEX
        return (count, 4)

    def decompose(self, write: Writer) -> SSAValue:
        priors = Expression(write, self.priors)
        rows, columns = static_shape(self.features)[2:]
        for name, wanted, size in (("h", self.h, rows), ("w", self.w, columns)):
            if wanted.value.data not in (0, size):
                raise DiagnosticException(
                    f"{label(self)}: {name} {wanted.value.data} is not the {size} of its features; use 0"
                )
        height, width = static_shape(self.image)[2:]
        step_y = self.stride_y.value.data or height / max(rows, 1)
        step_x = self.stride_x.value.data or width / max(columns, 1)
        middles = [
            place
            for y in range(rows)
            for x in range(columns)
            for place in ((x + 0.5) * step_x, (y + 0.5) * step_y) * 2
        ]
        count = priors.shape[0]
        grid = priors.constant((rows, columns, 1, 4), middles) + priors.reshaped(1, 1, count, 4)
        return (grid.reshaped(rows * columns * count, 4) if self.flatten else grid).value


@op_definition
class ExperimentalDetectronTopKRoisOp(ShapedOp, DerivedOp):
    """
    The `max_rois` regions of the greatest probabilities, in their order; zeros where there are fewer.

        %y = nn.experimental_detectron_top_k_rois %rois, %probabilities {max_rois = 3 : i64}
            : (tensor<6x4xf32>, tensor<6xf32>) -> tensor<3x4xf32>
    """

    name = "nn.experimental_detectron_top_k_rois"
    NAMES: ClassVar = Names("ExperimentalDetectronTopKROIs-6")

    rois = operand_def(SAME_ELEMENT)
    probabilities = operand_def(SAME_ELEMENT)
    max_rois = integer_prop()

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.rois)
        rois, numbers = shape_of(self.rois), shape_of(self.probabilities)
        if len(rois) != 2 or not compatible_shapes(rois, (*numbers, 4)):
            raise self.op_error(
                f"takes regions [number, 4] and a probability of each, not {spelled(rois)} and "
                f"{spelled(numbers)}"
            )
        return (self.max_rois.value.data, 4)

    def decompose(self, write: Writer) -> SSAValue:
        rois, wanted = Expression(write, self.rois), self.max_rois.value.data
        count = min(wanted, rois.shape[0])
        best = rois.gathered(rois.on(self.probabilities).top(count, 0)[1], 0)
        if count == wanted:
            return best.value
        none = rois.constant((1, 1), [0]).broadcast(wanted - count, 4)
        return concatenated(0, best, none).value


@op_definition
class ExperimentalDetectronRoiFeatureExtractorOp(DerivedOp):
    """
    Each region of interest of one image, `[left, top, right, bottom]`, aligned (`nn.roi_align`, at least 1 wide and
    high) in the one of the images that is of its size, `log2(sqrt(area) / 224) + 2`, rounded down. A region without an
    area is 0. `pyramid_scales` says by how much each image is smaller. The regions follow as they are.

        %y, %same = nn.experimental_detectron_roi_feature_extractor %rois, %x, %x2 {output_size = 2 : i64,
              sampling_ratio = 2 : i64, pyramid_scales = array<i64: 4, 8>, aligned = false}
            : (tensor<5x4xf32>, tensor<1x2x8x8xf32>, tensor<1x2x4x4xf32>) -> (tensor<5x2x2x2xf32>, tensor<5x4xf32>)
    """

    name = "nn.experimental_detectron_roi_feature_extractor"
    NAMES: ClassVar = Names("ExperimentalDetectronROIFeatureExtractor-6")

    rois = operand_def(SAME_ELEMENT)
    features = var_operand_def(SAME_ELEMENT)
    roi_features = result_def(SAME_ELEMENT)
    same_rois = result_def(SAME_ELEMENT)
    output_size = integer_prop()
    sampling_ratio = integer_prop()
    pyramid_scales = integers_prop()
    aligned = flag_prop(False)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        levels, size = len(self.features), self.output_size.value.data
        for image in self.features:
            check_regions(self, image, self.rois, 4)
        if not levels or len(self.pyramid_scales.get_values()) != levels or size < 1:
            raise self.op_error(
                f"needs images, a scale for each, and an output_size; has {levels} images, "
                f"{len(self.pyramid_scales.get_values())} scales and {size}"
            )
        channels = {shape_of(image)[1] for image in self.features} - {DYNAMIC_INDEX}
        if len(channels) > 1:
            raise self.op_error(f"images have {sorted(channels)} channels; all have as many")
        check_ratio(self, self.sampling_ratio.value.data)
        rois = tensor(self.rois)
        shape = (rois.get_shape()[0], *(channels or {DYNAMIC_INDEX}), size, size)
        return [TensorType(rois.element_type, shape), rois]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        rois = Expression(write, self.rois)
        count, levels = rois.shape[0], len(self.features)
        left, top_, right, bottom = rois.columns()
        area = (right - left) * (bottom - top_)
        size = (area.at_least(0).root() / CANONICAL_SIZE + 1e-6).log() / log(2)
        level = (size + CANONICAL_LEVEL).floor().at_least(0).at_most(levels - 1)
        level = (area > 0).where(level, levels).reshaped(count, 1, 1, 1)
        of_image = rois.constant((1,), [0]).to(i32).broadcast(count).value
        found: Expression | None = None
        for number, (image, scale) in enumerate(
            zip(self.features, self.pyramid_scales.get_values(), strict=True)
        ):
            parts = left, top_, right.at_least(left + scale), bottom.at_least(top_ + scale)
            regions = concatenated(1, *(each.reshaped(count, 1) for each in parts))
            read = rois.on(
                write(
                    RoiAlignOp,
                    image,
                    regions.value,
                    of_image,
                    pooled_h=self.output_size,
                    pooled_w=self.output_size,
                    sampling_ratio=self.sampling_ratio,
                    spatial_scale=1 / scale,
                    mode="avg",
                    aligned_mode="half_pixel_for_nn" if self.aligned else "asymmetric",
                )
            )
            found = level.equals(number).where(read, 0 if found is None else found)
        assert found is not None
        return [found.value, self.rois]
