"""Region proposals: the best anchors of an image, moved by deltas, after non-maximum suppression."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, prod, sqrt
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, IntegerAttr, IntegerType, TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, result_def

from ...compatible import compatible_dims
from ...inferred import INDEX, SAME_ELEMENT, Constants, choice, floating, shape_of, spelled
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, integer_prop, number_prop, numbers_prop, word_prop
from ..derived import DerivedOp
from ..expression import Expression, concatenated, places
from ..non_zero import first_of, first_places
from ..writer import Writer
from .anchors import no_smaller, proposed, refined
from .non_max_suppression import computed

LARGEST_GROWTH = log(1000 / 16)
"""The greatest logarithm that a side of an anchor is multiplied by, as Detectron has it."""


class _AnchorsOp(DerivedOp):
    """Anchors that the model gives, an image at a time or several."""

    SCALED: ClassVar[bool]
    """Whether the least size is one of the image before scaling, and smaller boxes are none; else they score 0."""

    im_info = operand_def(SAME_ELEMENT)
    anchors = operand_def(SAME_ELEMENT)
    deltas = operand_def(SAME_ELEMENT)
    scores = operand_def(SAME_ELEMENT)
    rois = result_def(SAME_ELEMENT)
    roi_scores = result_def(SAME_ELEMENT)
    min_size = number_prop()
    nms_threshold = number_prop()
    pre_nms_count = integer_prop()
    post_nms_count = integer_prop()

    def _check(self, wanted: str, ranks: Sequence[int], infos: Sequence[int]) -> None:
        """Raises VerifyException where operands have not these ranks and sizes that fit."""
        info, anchors, deltas, scores = map(shape_of, self.operands)
        known = [len(each) for each in (info, anchors, deltas, scores)] == list(ranks)
        if known:
            kinds = deltas[-3] // 4 if deltas[-3] != DYNAMIC_INDEX else DYNAMIC_INDEX
            pairs = [*zip(deltas, (*scores[:-3], kinds * 4, *scores[-2:]), strict=True)]
            pairs += [(anchors[-1], 4), (kinds, scores[-3])]
            if len(anchors) == 4:
                pairs += [*zip(anchors, (*scores[-2:], kinds), strict=False), (info[0], scores[0])]
            elif DYNAMIC_INDEX not in scores:
                pairs.append((anchors[0], prod(scores)))
            known = info[-1] in (*infos, DYNAMIC_INDEX) and all(
                map(compatible_dims, *zip(*pairs, strict=True))
            )
        fits = known and 0 not in (*info, *scores)
        if not fits:
            raise self.op_error(
                f"takes {wanted}, not {', '.join(map(spelled, (info, anchors, deltas, scores)))}"
            )
        _check_counts(self, self.pre_nms_count, self.post_nms_count)

    def _proposed(
        self, write: Writer, offset: float, shared: float
    ) -> tuple[Expression, Expression, Expression]:
        """
        Boxes `[image, number, 4]`, scores, and whether there are so many. The last pixel adds `offset` to the sizes of
        boxes, and `shared` where they overlap.
        """
        info, anchors, deltas, scores = (
            computed(Expression(write, each)) for each in self.operands
        )
        *_, kinds, rows, columns = scores.shape
        info = info.reshaped(-1, info.shape[-1])
        images, size = info.shape[0], kinds * rows * columns
        deltas = deltas.reshaped(images, kinds, 4, rows, columns).transposed(0, 3, 4, 1, 2)
        scores = scores.reshaped(images, kinds, rows, columns).transposed(0, 2, 3, 1)
        scores = scores.reshaped(images, size)
        boxes = refined(
            anchors.reshaped(1, size, 4),
            deltas.reshaped(images, size, 4),
            offset=offset,
            inset=offset,
            most=LARGEST_GROWTH,
        )
        parts = [info.slice(1, i, i + 1) for i in range(info.shape[1])]
        height, width, high, wide = *parts[:3], parts[-1]
        sides = concatenated(1, width, height, width, height).reshaped(images, 1, 4)
        boxes = boxes.at_most(sides - offset).at_least(0)
        least = self.min_size.value.data
        if self.SCALED:
            scales = concatenated(1, wide, high).reshaped(images, 1, 2)
            alive = no_smaller(boxes, scales * least, offset)
        else:
            scores = no_smaller(boxes, boxes.constant((), [least]), offset).where(scores, 0)
            alive = None
        return proposed(
            boxes,
            scores,
            alive,
            before=self.pre_nms_count.value.data,
            after=self.post_nms_count.value.data,
            iou=self.nms_threshold.value.data,
            offset=shared,
        )


def _check_counts(op: DerivedOp, *counts: IntegerAttr[I64]) -> None:
    for count in counts:
        if count.value.data < 1:
            raise op.op_error(f"{count.value.data} boxes are none; use 1 or more")


@op_definition
class GenerateProposalsOp(_AnchorsOp):
    """
    The `post_nms_count` best of the `pre_nms_count` best anchors of each image, of which no two overlap by more than
    `nms_threshold`, and none is smaller than `min_size` times the scales of the image.

    An image is `[height, width, scale]` or `[height, width, scale of heights, scale of widths]`. Deltas move anchors by
    parts of their sizes and grow these exponentially. Without `normalized` the last pixel belongs to a box. Results are
    boxes, scores, and how many there are of each image.

        %rois, %roi_scores, %count = nn.generate_proposals %info, %anchors, %deltas, %x {min_size = 0.1 : f64,
              nms_threshold = 0.5 : f64, pre_nms_count = 9 : i64, post_nms_count = 4 : i64, normalized = true}
            : (tensor<2x3xf32>, tensor<2x3x2x4xf32>, tensor<2x8x2x3xf32>, tensor<2x2x2x3xf32>)
            -> (tensor<?x4xf32>, tensor<?xf32>, tensor<2xi64>)
    """

    name = "nn.generate_proposals"
    NAMES: ClassVar = Names("GenerateProposals-9")
    SCALED: ClassVar = True

    rois = result_def(SAME_ELEMENT)
    roi_scores = result_def(SAME_ELEMENT)
    roi_num = result_def(INDEX)
    normalized = flag_prop(True)
    nms_eta = number_prop(1.0)
    roi_num_type = prop_def(IntegerType, default_value=i64)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        element = floating(self, self.scores).element_type
        self._check(
            "images [image, 3 or 4], anchors [row, column, anchor, 4], deltas [image, anchor * 4, row, column] and "
            "scores [image, anchor, row, column]",
            (2, 4, 4, 4),
            (3, 4),
        )
        if (eta := self.nms_eta.value.data) != 1:
            raise self.op_error(f"a threshold that changes (nms_eta {eta}) is not supported; use 1")
        return [
            TensorType(element, (DYNAMIC_INDEX, 4)),
            TensorType(element, (DYNAMIC_INDEX,)),
            TensorType(self.roi_num_type, shape_of(self.scores)[:1]),
        ]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        pixel = 0.0 if self.normalized else 1.0
        boxes, scores, exists = self._proposed(write, pixel, pixel)
        images, count = exists.shape
        order, many = first_places(write, exists.reshaped(images * count).value)
        there = boxes.on(order).to(i32)
        boxes = boxes.reshaped(images * count, 4).gathered(there, 0)
        scores = scores.reshaped(images * count).gathered(there, 0)
        element = boxes.on(self.scores).element
        return [
            first_of(write, boxes.to(element).value, many, 0),
            first_of(write, scores.to(element).value, many, 0),
            exists.to(i32).sum(1).to(self.roi_num_type).value,
        ]


@op_definition
class ExperimentalDetectronGenerateProposalsSingleImageOp(_AnchorsOp):
    """
    The same (`nn.generate_proposals`, not normalized) of one image `[height, width, scale]`, where boxes smaller than
    `min_size` have a score of 0, and overlap without their last pixels. Zeros follow where there are less than
    `post_nms_count`.

        %rois, %y = nn.experimental_detectron_generate_proposals_single_image %info, %anchors, %deltas, %x
            {min_size = 0.1 : f64, nms_threshold = 0.5 : f64, pre_nms_count = 9 : i64, post_nms_count = 4 : i64}
            : (tensor<3xf32>, tensor<12x4xf32>, tensor<8x2x3xf32>, tensor<2x2x3xf32>)
            -> (tensor<4x4xf32>, tensor<4xf32>)
    """

    name = "nn.experimental_detectron_generate_proposals_single_image"
    NAMES: ClassVar = Names("ExperimentalDetectronGenerateProposalsSingleImage-6")
    SCALED: ClassVar = False

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        element = floating(self, self.scores).element_type
        self._check(
            "an image [3], anchors [row * column * anchor, 4], deltas [anchor * 4, row, column] and scores "
            "[anchor, row, column]",
            (1, 2, 3, 3),
            (3,),
        )
        count = self.post_nms_count.value.data
        return [TensorType(element, (count, 4)), TensorType(element, (count,))]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        boxes, scores, _ = self._proposed(write, 1.0, 0.0)
        return [boxes.reshaped(*boxes.shape[1:]).value, scores.reshaped(-1).value]


@op_definition
class ProposalOp(DerivedOp):
    """
    The `post_nms_topn` best of the `pre_nms_topn` best anchors of each image, of which no two overlap by more than
    `nms_thresh`: rows `[image, left, top, right, bottom]`, and their scores. Where there are less, zeros follow, the
    first of these rows with image -1. What is smaller than `min_size` times the scales of the image has a score of 0.

    Anchors of all `ratio` and `scale` of `base_size` lie `feat_stride` apart. Scores `[image, 2 * anchor, row, column]`
    are those of the background first. The image is `[height, width, scale]` or with two scales. Framework `tensorflow`
    has rows where others have columns, and boxes without their last pixels.

        %rois, %y = nn.proposal %x, %deltas, %info {base_size = 4 : i64, pre_nms_topn = 9 : i64,
              post_nms_topn = 4 : i64, nms_thresh = 0.5 : f64, feat_stride = 2 : i64, min_size = 1 : i64,
              ratio = [0.5, 2.0], scale = [1.0], clip_before_nms = true, clip_after_nms = false, normalize = false,
              box_size_scale = 1.0 : f64, box_coordinate_scale = 1.0 : f64, framework = ""}
            : (tensor<2x4x2x3xf32>, tensor<2x8x2x3xf32>, tensor<3xf32>) -> (tensor<8x5xf32>, tensor<8xf32>)
    """

    name = "nn.proposal"
    NAMES: ClassVar = Names("Proposal-4")

    class_probs = operand_def(SAME_ELEMENT)
    bbox_deltas = operand_def(SAME_ELEMENT)
    image_shape = operand_def(SAME_ELEMENT)
    rois = result_def(SAME_ELEMENT)
    probs = result_def(SAME_ELEMENT)
    base_size = integer_prop()
    pre_nms_topn = integer_prop()
    post_nms_topn = integer_prop()
    nms_thresh = number_prop()
    feat_stride = integer_prop()
    min_size = integer_prop()
    ratio = numbers_prop()
    scale = numbers_prop()
    clip_before_nms = flag_prop(True)
    clip_after_nms = flag_prop(False)
    normalize = flag_prop(False)
    box_size_scale = number_prop(1.0)
    box_coordinate_scale = number_prop(1.0)
    framework = word_prop("")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        element = floating(self, self.class_probs).element_type
        choice(self, "framework", "", "tensorflow")
        kinds = len(self.ratio.data) * len(self.scale.data)
        scores, deltas, image = map(shape_of, self.operands)
        fits = (
            (len(scores), len(deltas), len(image)) == (4, 4, 1)
            and image[0] in (3, 4, DYNAMIC_INDEX)
            and 0 not in scores
            and all(
                map(
                    compatible_dims,
                    (scores[1], *deltas),
                    (2 * kinds, scores[0], 4 * kinds, *scores[2:]),
                )
            )
        )
        if not fits:
            raise self.op_error(
                f"takes scores [image, {2 * kinds}, row, column], deltas [image, {4 * kinds}, row, "
                f"column] and an image [3 or 4], not {spelled(scores)}, {spelled(deltas)} and {spelled(image)}"
            )
        _check_counts(self, self.pre_nms_topn, self.post_nms_topn)
        images = scores[0]
        total = images if images == DYNAMIC_INDEX else images * self.post_nms_topn.value.data
        return [TensorType(element, (total, 5)), TensorType(element, (total,))]

    @property
    def is_tensorflow(self) -> bool:
        """Whether boxes are counted as TensorFlow's object detection does, else as Caffe does."""
        return self.framework.data == "tensorflow"

    @property
    def offset(self) -> float:
        """What the last pixel adds to a size."""
        return 0.0 if self.is_tensorflow else 1.0

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        scores, deltas, info = (computed(Expression(write, each)) for each in self.operands)
        images, channels, rows, columns = scores.shape
        kinds, count = channels // 2, self.post_nms_topn.value.data
        size = rows * columns * kinds
        scores = scores.slice(1, kinds, channels).transposed(0, 2, 3, 1).reshaped(images, size)
        deltas = deltas.reshaped(images, kinds, 4, rows, columns).transposed(0, 3, 4, 1, 2)
        scales = [each.value.data for each in (self.box_coordinate_scale, self.box_size_scale)]
        deltas = deltas / deltas.constant((4,), [scales[0]] * 2 + [scales[1]] * 2)
        parts = [info.slice(0, i, i + 1) for i in range(info.shape[0])]
        height, width, high, wide = *parts[:3], parts[-1]
        if self.is_tensorflow:
            height, width = width, height
        sides = concatenated(0, width, height, width, height)
        anchors = scores.constant((size, 4), self._anchors(rows, columns))
        if self.is_tensorflow:
            anchors = anchors.at_most(sides).at_least(0)
        boxes = refined(anchors, deltas.reshaped(images, size, 4), offset=self.offset)
        if self.clip_before_nms:
            boxes = boxes.at_most(sides - self.offset).at_least(0)
        least = concatenated(0, wide, high) * self.min_size.value.data
        rois, found, exists = proposed(
            boxes,
            no_smaller(boxes, least, self.offset).where(scores, 0),
            None,
            before=self.pre_nms_topn.value.data,
            after=count,
            iou=self.nms_thresh.value.data,
            offset=self.offset,
        )
        if self.clip_after_nms:
            rois = rois.at_most(sides).at_least(0)
        if self.normalize:
            rois = rois / sides
        number = places(write, images * count).reshaped(images, count)
        many = exists.to(i32).sum(1, keep=True)
        marker = (number % count).equals(many).where(number.constant((1, 1), [-1]), 0)
        image = exists.where(number / count, marker)
        rows_of = concatenated(2, image.to(rois.element).reshaped(images, count, 1), rois)
        return [rows_of.reshaped(images * count, 5).value, found.reshaped(images * count).value]

    def _anchors(self, rows: int, columns: int) -> list[float]:
        """The corners of all anchors, row by row."""
        base, offset = float(self.base_size.value.data), self.offset
        middle = 0.5 * (base - offset) - (base / 2 if self.is_tensorflow else 0)
        around: list[tuple[float, ...]] = []
        for ratio in (each.value.data for each in self.ratio.data):
            width = sqrt(base * base / ratio)
            if not self.is_tensorflow:
                width = _rounded(width)
            height = width * ratio if self.is_tensorflow else _rounded(width * ratio)
            for scale in (each.value.data for each in self.scale.data):
                half = [0.5 * (side * scale - offset) for side in (width, height)]
                around.append(
                    (*(middle - each for each in half), *(middle + each for each in half))
                )
        step = self.feat_stride.value.data
        corners: list[float] = []
        for row in range(rows):
            for column in range(columns):
                x, y = (row, column) if self.is_tensorflow else (column, row)
                for anchor in around:
                    corners += [p + q * step for p, q in zip(anchor, (x, y, x, y), strict=True)]
        return corners


def _rounded(number: float) -> float:
    """The nearest whole number, of two the greater one."""
    return float(int(number + 0.5))
