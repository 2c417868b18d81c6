"""Detection outputs: the best boxes of all classes, after non-maximum suppression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, result_def, var_operand_def

from ...compatible import compatible_shapes
from ...inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    choice,
    floating,
    shape_of,
    spelled,
    static_shape,
)
from ...names import Names
from ...operation import op_definition
from ...properties import (
    flag_prop,
    integer_prop,
    integers_prop,
    number_prop,
    numbers_prop,
    word_prop,
)
from ..derived import DerivedOp
from ..expression import Expression, concatenated, places
from ..non_zero import first_places
from ..shaped import ShapedOp
from ..writer import Writer
from .anchors import halves, padded, refined
from .non_max_suppression import EXCLUDED, above, computed, selected

CORNER = "caffe.PriorBoxParameter.CORNER"
CENTER = "caffe.PriorBoxParameter.CENTER_SIZE"


@op_definition
class DetectionOutputOp(ShapedOp, DerivedOp):
    """
    Boxes of all classes but the background: priors, moved by logits `[image, prior * class * 4]` (or of all classes
    together, `share_location`), of scores `[image, prior * class]` above `confidence_threshold`. Of each class the
    `top_k` best ones take part, of which no two overlap by more than `nms_threshold`, and of each image the
    `keep_top_k` best ones stay (-1: all).

    Rows of the result are `[image, class, score, left, top, right, bottom]`, class by class, best first; behind the
    last one there are zeros, with image -1 in the first of them.

    Priors `[image or 1, 2, prior * 4]` are corners and variances, which logits are multiplied by, or with
    `variance_encoded_in_target` corners alone. With `code_type` `CORNER` logits are added to corners, with
    `CENTER_SIZE` they are parts of sizes, and what sizes grow by exponentially. Where they are not `normalized`, priors
    have 5 numbers, of which the first is -1 behind the last one, and are divided by the sizes of the image.

    With `decrease_label_id` each prior counts for its best class alone, and classes count from the one behind the
    background. Two more operands move priors before that, and say `[image, prior * 2]` which may be objects at all, by
    a second number of at least `objectness_score`.

        %y = nn.detection_output %boxes, %x, %priors {background_label_id = 0 : i64, top_k = -1 : i64,
              variance_encoded_in_target = false, keep_top_k = array<i64: 5>,
              code_type = "caffe.PriorBoxParameter.CENTER_SIZE", share_location = true, nms_threshold = 0.4 : f64,
              confidence_threshold = 0.1 : f64, clip_after_nms = false, clip_before_nms = false,
              decrease_label_id = false, normalized = true, input_height = 1 : i64, input_width = 1 : i64,
              objectness_score = 0.0 : f64}
            : (tensor<2x24xf32>, tensor<2x18xf32>, tensor<1x2x24xf32>) -> tensor<1x1x10x7xf32>
    """

    name = "nn.detection_output"
    NAMES: ClassVar = Names("DetectionOutput-8")

    box_logits = operand_def(SAME_ELEMENT)
    class_preds = operand_def(SAME_ELEMENT)
    proposals = operand_def(SAME_ELEMENT)
    refinement = var_operand_def(SAME_ELEMENT)
    background_label_id = integer_prop(0)
    top_k = integer_prop(-1)
    variance_encoded_in_target = flag_prop(False)
    keep_top_k = integers_prop()
    code_type = word_prop(CORNER)
    share_location = flag_prop(True)
    nms_threshold = number_prop()
    confidence_threshold = number_prop(0.0)
    clip_after_nms = flag_prop(False)
    clip_before_nms = flag_prop(False)
    decrease_label_id = flag_prop(False)
    normalized = flag_prop(False)
    input_height = integer_prop(1)
    input_width = integer_prop(1)
    objectness_score = number_prop(0.0)

    @property
    def prior_size(self) -> int:
        """How many numbers each prior has."""
        return 4 if self.normalized else 5

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.box_logits)
        choice(self, "code_type", CORNER, CENTER)
        shapes = [shape_of(each) for each in self.operands]
        if [len(each) for each in shapes] not in ([2, 2, 3], [2, 2, 3, 2, 2]):
            raise self.op_error(
                "takes logits, scores and priors, and logits and scores that refine priors, not "
                f"{', '.join(map(spelled, shapes))}"
            )
        if self.decrease_label_id and self.background_label_id.value.data:
            raise self.op_error(
                "decrease_label_id goes with background_label_id 0, not "
                f"{self.background_label_id.value.data}"
            )
        kept, best = self._limits
        if 0 in (kept, best):
            raise self.op_error("keeps 0 boxes, which is none; use -1 for all")
        images, rows = shapes[1][0], DYNAMIC_INDEX
        if not any(DYNAMIC_INDEX in each for each in shapes):
            _, priors, classes, _ = self._sizes()
            rows = images * (best if best > 0 else priors) * classes
        if kept > 0 and images != DYNAMIC_INDEX:
            rows = images * kept
        return (1, 1, rows, 7)

    @property
    def _limits(self) -> tuple[int, int]:
        """How many boxes stay of an image, and take part of a class; below 0: all."""
        return self.keep_top_k.get_values()[0], self.top_k.value.data

    def _sizes(self) -> tuple[int, int, int, int]:
        """Images, priors, classes, and classes that boxes differ by. Raises VerifyException where they do not fit."""
        shapes = [static_shape(each) for each in self.operands]
        (images, _), (_, scores), (batch, _, numbers) = shapes[:3]
        priors = numbers // self.prior_size
        classes = scores // max(priors, 1)
        kinds = 1 if self.share_location else classes
        wanted = [
            (images, priors * kinds * 4),
            (images, priors * classes),
            (batch, 1 if self.variance_encoded_in_target else 2, priors * self.prior_size),
            (images, priors * 2),
            (images, priors * kinds * 4),
        ]
        if (
            not images * priors * classes
            or batch not in (1, images)
            or shapes != wanted[: len(shapes)]
        ):
            raise self.op_error(
                f"operands {', '.join(map(spelled, shapes))} are not logits, scores and priors of as "
                "many boxes; see share_location, normalized and variance_encoded_in_target"
            )
        return images, priors, classes, kinds

    def decompose(self, write: Writer) -> SSAValue:
        images, priors, classes, kinds = self._sizes()
        operands = [computed(Expression(write, each)) for each in self.operands]
        logits, scores = (
            each.reshaped(images, priors, count, numbers)
            for each, count, numbers in zip(operands, (kinds, classes), (4, 1), strict=False)
        )
        scores = scores.reshaped(images, priors, classes)
        batch, size = operands[2].shape[0], self.prior_size
        corners = operands[2].slice(1, 0, 1).reshaped(batch, priors, 1, size)
        variances = None
        if not self.variance_encoded_in_target:
            # Variances lie together, also where priors have more numbers.
            variances = operands[2].slice(1, 1, 2).reshaped(batch, priors * size)
            variances = variances.slice(1, 0, priors * 4).reshaped(batch, priors, 1, 4)
        boxes = corners.slice(3, size - 4, size)
        if self.refinement:
            first = operands[4].reshaped(images, priors, kinds, 4)
            boxes = self._decoded(boxes, first, variances)
            is_none = operands[3].reshaped(images, priors, 2).slice(2, 1, 2)
            is_none = is_none < self.objectness_score.value.data
            background = scores.constant(
                (1, 1, classes), [c == self.background_label_id.value.data for c in range(classes)]
            )
            scores = is_none.where(background, scores)
        boxes = self._decoded(boxes, logits, variances).transposed(0, 2, 1, 3)
        there = None
        if not self.normalized:
            number = places(write, 1, priors)
            ends = corners.slice(3, 0, 1).reshaped(batch, priors).equals(-1)
            there = number < ends.where(number, priors).least(1, keep=True)
        keys, order = self._candidates(scores, there)
        return self._rows(boxes, keys, order)

    def _decoded(
        self, corners: Expression, logits: Expression, variances: Expression | None
    ) -> Expression:
        """Corners `[image, prior, class, 4]`, moved."""
        if not self.normalized:
            sides = [self.input_width.value.data, self.input_height.value.data] * 2
            corners = corners / corners.constant((4,), sides)
        if variances is not None:
            logits = logits * variances
        boxes = corners + logits if self.code_type.data == CORNER else refined(corners, logits)
        return boxes.at_least(0).at_most(1) if self.clip_before_nms else boxes

    def _candidates(
        self, scores: Expression, there: Expression | None
    ) -> tuple[Expression, Expression]:
        """The best priors of each class `[image, class, number]`: their scores, and which they are."""
        images, priors, classes = scores.shape
        threshold, limit = self.confidence_threshold.value.data, self._limits[1]
        count = priors if limit < 0 else min(limit, priors)
        kind = places(scores.write, classes).reshaped(1, 1, classes)
        counts = (kind - self.background_label_id.value.data).magnitude() > 0
        if there is not None:
            counts = counts & there.reshaped(-1, priors, 1)
        if not self.decrease_label_id:
            keys = (counts & (scores > threshold)).where(scores, EXCLUDED)
            return keys.transposed(0, 2, 1).top(count)
        best, which = (counts & (scores >= threshold)).where(scores, EXCLUDED).top(1)
        best, order = best.reshaped(images, priors).top(count)
        which = which.reshaped(images, priors).gathered(order, 1, 1)
        mine = which.reshaped(images, 1, count).equals(kind.reshaped(1, classes, 1))
        keys = mine.where(best.reshaped(images, 1, count), EXCLUDED)
        return keys, order.reshaped(images, 1, count).broadcast(images, classes, count)

    def _rows(self, boxes: Expression, keys: Expression, order: Expression) -> SSAValue:
        """The result, of boxes `[image, 1 or class, prior, 4]` and candidates, best first."""
        images, kinds, priors, _ = boxes.shape
        _, classes, count = keys.shape
        shared = images * kinds
        boxes = boxes.reshaped(shared, priors, 4)
        boxes = boxes.gathered(order.reshaped(shared, classes // kinds * count), 1, 1)
        boxes = boxes.reshaped(images * classes, count, 4)
        numbers, scores = selected(
            boxes,
            keys.reshaped(images * classes, 1, count),
            count,
            iou=above(self.nms_threshold.value.data),
            score=EXCLUDED,
        )
        size = classes * count
        numbers, scores = (each.reshaped(images, size) for each in (numbers, scores))
        place = places(boxes.write, images, size)
        if 0 < (kept := self._limits[0]) < size:
            _, chosen = (numbers >= 0).where(scores, EXCLUDED).top(kept, sort="index")
            place, numbers, scores = (
                each.gathered(chosen, 1, 1) for each in (place, numbers, scores)
            )
        return self._table(boxes, place, numbers, scores, (classes, count))

    def _table(
        self,
        boxes: Expression,
        place: Expression,
        numbers: Expression,
        scores: Expression,
        sizes: tuple[int, int],
    ) -> SSAValue:
        """
        Rows of image, label, score and box, those of selected boxes first, and a row of -1 behind them. A place counts
        the candidates of images and classes, of which there are `sizes` in each image; numbers are -1 where no box is
        selected.
        """
        classes, count = sizes
        size, total = classes * count, numbers.shape[0] * numbers.shape[1]
        order = numbers.on(first_places(boxes.write, (numbers.reshaped(total) >= 0).value)[0])
        place, numbers, scores = (
            each.reshaped(total).gathered(order.to(i32), 0) for each in (place, numbers, scores)
        )
        boxes = boxes.reshaped(boxes.shape[0] * count, 4)
        found = boxes.gathered(place / count * count + numbers.at_least(0), 0)
        if self.clip_after_nms:
            found = found.at_least(0).at_most(1)
        kind = place / count % classes - int(bool(self.decrease_label_id))
        labels = (each.to(found.element) for each in (place / size, kind))
        columns = [each.reshaped(total, 1) for each in (*labels, scores)]
        exists = (numbers >= 0).reshaped(total, 1)
        rows = exists.where(concatenated(1, *columns, found), 0).transposed(1, 0)
        wanted = shape_of(self.result)[2]
        rows = padded(rows, wanted, 0).transposed(1, 0)
        many = exists.to(i32).sum(0, 1)
        ends = places(rows.write, wanted, 1).equals(many)
        marker = rows.constant((1, 7), [-1, *[0] * 6])
        return ends.where(marker, rows).reshaped(1, 1, wanted, 7).value


@op_definition
class ExperimentalDetectronDetectionOutputOp(DerivedOp):
    """
    Boxes of all classes but the first: regions, moved by deltas `[region, class * 4]`, of scores `[region, class]`
    above `score_threshold`. Of each class the `post_nms_count` best ones stay, of which no two overlap by more than
    `nms_threshold`, class by class; where these are more than `max_detections_per_image`, the best ones of all. Zeros
    follow. Deltas are divided by `deltas_weights`; those of sizes, which grow exponentially, are `max_delta_log_wh` at
    the most.

        %boxes, %classes, %y = nn.experimental_detectron_detection_output %rois, %deltas, %x, %info
            {score_threshold = 0.1 : f64, nms_threshold = 0.4 : f64, max_delta_log_wh = 4.0 : f64,
             num_classes = 3 : i64, post_nms_count = 4 : i64, max_detections_per_image = 6 : i64,
             class_agnostic_box_regression = false, deltas_weights = [10.0, 10.0, 5.0, 5.0]}
            : (tensor<5x4xf32>, tensor<5x12xf32>, tensor<5x3xf32>, tensor<1x3xf32>)
            -> (tensor<6x4xf32>, tensor<6xi32>, tensor<6xf32>)
    """

    name = "nn.experimental_detectron_detection_output"
    NAMES: ClassVar = Names("ExperimentalDetectronDetectionOutput-6")

    rois = operand_def(SAME_ELEMENT)
    deltas = operand_def(SAME_ELEMENT)
    scores = operand_def(SAME_ELEMENT)
    im_info = operand_def(SAME_ELEMENT)
    boxes = result_def(SAME_ELEMENT)
    classes = result_def(INDEX)
    box_scores = result_def(SAME_ELEMENT)
    score_threshold = number_prop()
    nms_threshold = number_prop()
    max_delta_log_wh = number_prop()
    num_classes = integer_prop()
    post_nms_count = integer_prop()
    max_detections_per_image = integer_prop()
    class_agnostic_box_regression = flag_prop(False)
    deltas_weights = numbers_prop()

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        element = floating(self, self.rois).element_type
        count, classes = self.max_detections_per_image.value.data, self.num_classes.value.data
        shapes = [shape_of(each) for each in self.operands]
        regions = shapes[0][0] if shapes[0] else 0
        wanted = [(regions, 4), (regions, classes * 4), (regions, classes), (1, 3)]
        if not regions or not all(map(compatible_shapes, shapes, wanted)):
            raise self.op_error(
                f"takes regions {spelled(wanted[0])}, deltas {spelled(wanted[1])}, scores "
                f"{spelled(wanted[2])} and an image [1, 3], not {', '.join(map(spelled, shapes))}"
            )
        if self.class_agnostic_box_regression:
            raise self.op_error(
                "deltas that classes share (class_agnostic_box_regression) are not supported; repeat "
                "them for each class"
            )
        if len(self.deltas_weights.data) != 4 or min(count, self.post_nms_count.value.data) < 1:
            raise self.op_error(
                "needs 4 deltas_weights, and counts of at least 1; has "
                f"{len(self.deltas_weights.data)}, {count} and {self.post_nms_count.value.data}"
            )
        return [
            TensorType(element, (count, 4)),
            TensorType(i32, (count,)),
            TensorType(element, (count,)),
        ]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        rois, deltas, scores, _ = (computed(Expression(write, each)) for each in self.operands)
        regions, classes = scores.shape
        weights = [each.value.data for each in self.deltas_weights.data]
        deltas = deltas.reshaped(regions, classes, 4) / deltas.constant((4,), weights)
        most = self.max_delta_log_wh.value.data
        boxes = refined(rois.reshaped(regions, 1, 4), deltas, offset=1, inset=1, most=most)
        boxes = boxes.at_least(0).transposed(1, 0, 2)
        low, high = halves(rois)
        wide, tall = (high > low).columns()
        counts = (wide & tall).reshaped(regions, 1) & (places(write, 1, classes) > 0)
        counts = counts & (scores > self.score_threshold.value.data)
        keys = counts.where(scores, EXCLUDED).transposed(1, 0).reshaped(classes, 1, regions)
        count = min(self.post_nms_count.value.data, regions)
        iou = above(self.nms_threshold.value.data)
        numbers, found = selected(
            boxes, keys, count, iou=iou, score=EXCLUDED, offset=1, touching=True
        )
        size, wanted = classes * count, self.max_detections_per_image.value.data
        kept = min(wanted, size)
        numbers, found = numbers.reshaped(size), found.reshaped(size)
        exists = numbers >= 0
        order, many = (numbers.on(each) for each in first_places(write, exists.value))
        _, best = exists.where(found, EXCLUDED).top(kept)
        order = (many > wanted).where(best, order.to(i32).slice(0, 0, kept))
        kind = order / count
        exists, number, found = (each.gathered(order, 0) for each in (exists, numbers, found))
        rows = boxes.reshaped(classes * regions, 4).gathered(kind * regions + number.at_least(0), 0)
        element = rois.on(self.rois).element
        results = [
            padded(exists.where(each.reshaped(kept, -1).transposed(1, 0), 0), wanted, 0)
            for each in (rows.to(element), kind, found.to(element))
        ]
        return [
            results[0].transposed(1, 0).value,
            *(each.reshaped(wanted).value for each in results[1:]),
        ]
