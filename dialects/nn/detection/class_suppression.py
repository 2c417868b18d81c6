"""Boxes of all classes that stay, best first and in rows of their own: of classes alone, and by all pairs at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, IntegerAttr, IntegerType, TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import opt_operand_def, prop_def, result_def

from ...inferred import INDEX, SAME_ELEMENT, Constants, choice, floating, shape_of, spelled
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, integer_prop, number_prop, word_prop
from ..derived import DerivedOp
from ..expression import Expression, concatenated, places
from ..non_zero import first_of, first_places
from ..writer import Writer
from .non_max_suppression import EXCLUDED, computed, selected
from .suppression import BoxesOp, check_boxes

ALL = IntegerAttr(-1, i64)


class _ClassesOp(BoxesOp, DerivedOp):
    """
    What both have. Boxes `[batch, box, 4]` are two corners, the lower one first. Of each class but the background the
    `nms_top_k` best boxes take part, and of each batch the `keep_top_k` best ones stay (-1: all).
    """

    selected_outputs = result_def(SAME_ELEMENT)
    selected_indices = result_def(INDEX)
    selected_num = result_def(INDEX)
    sort_result_type = word_prop("none")
    sort_result_across_batch = flag_prop(False)
    output_type = prop_def(IntegerType, default_value=i64)
    score_threshold = number_prop(0.0)
    nms_top_k = integer_prop(-1)
    keep_top_k = integer_prop(-1)
    background_class = integer_prop(-1)
    normalized = flag_prop(True)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        type, scores = floating(self, self.boxes), shape_of(self.scores)
        check_boxes(self, type.get_shape(), scores, 4)
        choice(self, "sort_result_type", "none", "score", "classid")
        if 0 in scores:
            raise self.op_error(f"scores {spelled(scores)} are none")
        return self.types_of(type.element_type, scores[:1])

    def types_of(self, element: Attribute, batch: Sequence[int]) -> Sequence[Attribute]:
        """The types of the results, for `batch` images. Raises VerifyException where no box may stay."""
        for name in ("nms_top_k", "keep_top_k"):
            number = self.properties[name]
            assert isinstance(number, IntegerAttr)
            if number.value.data < 1 and number != ALL:
                raise self.op_error(f"{name} {number.value.data} keeps nothing; use -1 for all")
        return [
            TensorType(element, (DYNAMIC_INDEX, 6)),
            TensorType(self.output_type, (DYNAMIC_INDEX, 1)),
            TensorType(self.output_type, batch),
        ]

    @property
    def offset(self) -> float:
        """What is added to a difference of coordinates."""
        return 0.0 if self.normalized else 1.0

    @abstractmethod
    def suppressed(
        self, boxes: Expression, scores: Expression, numbers: Expression
    ) -> tuple[Expression, Expression]:
        """
        Numbers and scores `[batch, class, k]` of what stays, -1 for others. Of boxes `[batch * class, k, 4]`, scores
        `[batch, class, k]`, best first and minus infinity where a box takes no part, and numbers of these boxes.
        """

    @abstractmethod
    def counts(self, scores: Expression) -> Expression:
        """Which scores are high enough."""

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        boxes, scores = (computed(Expression(write, each)) for each in (self.boxes, self.scores))
        scores = self.scored(scores)
        batch, classes, size = scores.shape
        counts = self.counts(scores)
        if 0 <= (background := self.background_class.value.data) < classes:
            kinds = places(write, classes).reshaped(1, classes, 1)
            counts = counts & ((kinds - background).magnitude() > 0)
        count = _least(self.nms_top_k, size)
        best, order = counts.where(scores, EXCLUDED).top(count)
        chosen = self.chosen(boxes, order).reshaped(batch * classes, count, 4)
        return self._rows(boxes, *self.suppressed(chosen, best, order))

    def scored(self, scores: Expression) -> Expression:
        """The scores `[batch, class, box]`; minus infinity where a box is none of the batch."""
        return scores

    def chosen(self, boxes: Expression, order: Expression) -> Expression:
        """The boxes of numbers `[batch, class, k]`."""
        batch, classes, count = order.shape
        return boxes.gathered(order.reshaped(batch, classes * count), 1, 1)

    def found(
        self, sizes: Sequence[int], row: Expression, kind: Expression, number: Expression
    ) -> tuple[Expression, Expression]:
        """Which of all boxes, of such sizes, the boxes of these numbers are; and the indices that say so."""
        return (indices := row * sizes[1] + number), indices

    def _rows(self, boxes: Expression, numbers: Expression, scores: Expression) -> list[SSAValue]:
        """The best ones of each batch, and then those of all batches in their order."""
        write = boxes.write
        batch, classes, count = numbers.shape
        kept = _least(self.keep_top_k, classes * count)
        numbers = numbers.reshaped(batch, classes * count)
        keys = (numbers >= 0).where(scores.reshaped(batch, classes * count), EXCLUDED)
        keys, order = keys.top(kept)
        numbers = numbers.gathered(order, 1, 1)
        found = (numbers >= 0).to(i32).sum(1)
        total = batch * kept
        kinds, numbers, keys = (each.reshaped(total) for each in (order / count, numbers, keys))
        order = self._order(kinds, numbers, keys, batch, classes)
        kinds, numbers, keys, rows = (
            each.gathered(order, 0) for each in (kinds, numbers, keys, places(write, total) / kept)
        )
        which, indices = self.found(boxes.shape, rows, kinds, numbers)
        flat = boxes.reshaped(-1, 4)
        details = concatenated(
            1,
            kinds.to(flat.element).reshaped(total, 1),
            keys.reshaped(total, 1),
            flat.gathered(which.at_least(0), 0),
        )
        many = found.sum(0).reshaped(1).value
        details = details.to(boxes.on(self.boxes).element)
        indices = indices.to(self.output_type).reshaped(total, 1)
        return [
            first_of(write, details.value, many, 0),
            first_of(write, indices.value, many, 0),
            found.to(self.output_type).value,
        ]

    SORTS_BATCHES_BY_CLASS: ClassVar[bool]
    """Whether the order by classes is also one within a batch."""

    def _order(
        self, kinds: Expression, numbers: Expression, keys: Expression, batch: int, classes: int
    ) -> Expression:
        """In what order boxes leave; those of a batch stand in the order of their scores."""
        exists, kind = numbers >= 0, self.sort_result_type.data
        across = bool(self.sort_result_across_batch)
        if kind == "score" and across:
            return keys.top(keys.shape[0])[1]
        if kind == "classid" and (across or self.SORTS_BATCHES_BY_CLASS):
            kept = keys.shape[0] // batch
            rows = places(keys.write, batch * kept) / kept
            key = kinds if across else rows * classes + kinds
            return exists.where(key, batch * classes).top(keys.shape[0], mode="min")[1]
        order, _ = first_places(keys.write, exists.value)
        return keys.on(order).to(i32)


def _least(wanted: IntegerAttr[I64], size: int) -> int:
    """`wanted`, but at most `size`; `size` where all are wanted."""
    return size if wanted == ALL else min(wanted.value.data, size)


@op_definition
class MulticlassNmsOp(_ClassesOp):
    """
    Greedy non-maximum suppression within each class (`nn.select_boxes`), of boxes whose score is at least
    `score_threshold`.

    Results are rows `[class, score, x1, y1, x2, y2]`, the index of each box (`batch * boxes + box`), and how many there
    are of each batch. With numbers of boxes of each batch, `roisnum`, classes have boxes `[class, box, 4]` of their own
    and scores `[class, box]`, those of all batches behind each other; indices are `box * classes + class`. Those of a
    batch are in the order of their scores, or of their classes (`classid`); with
    `sort_result_across_batch` all are.

        %rows, %indices, %counts = nn.multiclass_nms %boxes, %x {sort_result_type = "classid", keep_top_k = 5 : i64,
              iou_threshold = 0.3 : f64, score_threshold = 0.1 : f64, background_class = 0 : i64}
            : (tensor<2x6x4xf32>, tensor<2x3x6xf32>) -> (tensor<?x6xf32>, tensor<?x1xi64>, tensor<2xi64>)
    """

    name = "nn.multiclass_nms"
    NAMES: ClassVar = Names("MulticlassNms-9")
    SORTS_BATCHES_BY_CLASS: ClassVar = True

    roisnum = opt_operand_def(INDEX)
    iou_threshold = number_prop(0.0)
    nms_eta = number_prop(1.0)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if (eta := self.nms_eta.value.data) != 1:
            raise self.op_error(f"a threshold that changes (nms_eta {eta}) is not supported; use 1")
        if self.roisnum is None:
            return super().infer_types(constants)
        choice(self, "sort_result_type", "none", "score", "classid")
        boxes, scores, numbers = map(shape_of, (self.boxes, self.scores, self.roisnum))
        check_boxes(self, boxes, (*scores[:1], 1, *scores[1:]), 4)
        if len(numbers) != 1 or len(scores) != 2 or 0 in (*numbers, *scores):
            raise self.op_error(
                f"takes scores [class, box] and numbers [batch] of boxes, not {spelled(scores)} and "
                f"{spelled(numbers)}"
            )
        element = floating(self, self.boxes).element_type
        return self.types_of(element, numbers)

    def scored(self, scores: Expression) -> Expression:
        if self.roisnum is None:
            return scores
        classes, count = scores.shape
        numbers = scores.on(self.roisnum).to(i32)
        (batch,) = numbers.shape
        earlier = numbers.constant(
            (batch, batch), [j <= i for i in range(batch) for j in range(batch)]
        )
        ends = (earlier * numbers.reshaped(1, batch)).sum(1).reshaped(batch, 1, 1)
        place, begins = places(scores.write, 1, 1, count), ends - numbers.reshaped(batch, 1, 1)
        mine = (place >= begins) & (place < ends)
        return mine.where(scores.reshaped(1, classes, count), EXCLUDED)

    def chosen(self, boxes: Expression, order: Expression) -> Expression:
        if self.roisnum is None:
            return super().chosen(boxes, order)
        batch, classes, count = order.shape
        order = order.transposed(1, 0, 2).reshaped(classes, batch * count)
        found = boxes.gathered(order, 1, 1).reshaped(classes, batch, count, 4)
        return found.transposed(1, 0, 2, 3)

    def found(
        self, sizes: Sequence[int], row: Expression, kind: Expression, number: Expression
    ) -> tuple[Expression, Expression]:
        if self.roisnum is None:
            return super().found(sizes, row, kind, number)
        return kind * sizes[1] + number, number * sizes[0] + kind

    def counts(self, scores: Expression) -> Expression:
        return scores >= self.score_threshold.value.data

    def suppressed(
        self, boxes: Expression, scores: Expression, numbers: Expression
    ) -> tuple[Expression, Expression]:
        batch, classes, count = scores.shape
        rows = scores.reshaped(batch * classes, 1, count)
        picked, best = selected(
            boxes,
            rows,
            count,
            iou=self.iou_threshold.value.data,
            score=EXCLUDED,
            offset=self.offset,
        )
        of_row = numbers.reshaped(batch * classes, count)
        picked = picked.reshaped(batch * classes, count)
        found = of_row.gathered(picked.at_least(0), 1, 1)
        found = (picked >= 0).where(found, -1)
        return found.reshaped(batch, classes, count), best.reshaped(batch, classes, count)


@op_definition
class MatrixNmsOp(_ClassesOp):
    """
    The score of box i is multiplied by the least `decay(i, j)` of all better boxes j of its class. It stays if the
    product is above `post_threshold`.

    `linear: (1 - iou(i, j)) / (1 - most(j))`, `gaussian: exp((most(j)² - iou(i, j)²) * gaussian_sigma)`,

    where `most(j)` is the greatest overlap of j with a better one. Only scores above `score_threshold` take part.
    Results are those of `nn.multiclass_nms`, but that `classid` orders them only across batches.

        %rows, %indices, %counts = nn.matrix_nms %boxes, %x {nms_top_k = 4 : i64, keep_top_k = 5 : i64,
              score_threshold = 0.1 : f64, post_threshold = 0.2 : f64, decay_function = "linear"}
            : (tensor<2x6x4xf32>, tensor<2x3x6xf32>) -> (tensor<?x6xf32>, tensor<?x1xi64>, tensor<2xi64>)
    """

    name = "nn.matrix_nms"
    NAMES: ClassVar = Names("MatrixNms-8")
    SORTS_BATCHES_BY_CLASS: ClassVar = False

    decay_function = word_prop("linear")
    gaussian_sigma = number_prop(2.0)
    post_threshold = number_prop(0.0)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        choice(self, "decay_function", "linear", "gaussian")
        return super().infer_types(constants)

    def counts(self, scores: Expression) -> Expression:
        return scores > self.score_threshold.value.data

    def suppressed(
        self, boxes: Expression, scores: Expression, numbers: Expression
    ) -> tuple[Expression, Expression]:
        batch, classes, count = scores.shape
        number = places(boxes.write, count)
        better = number.reshaped(1, 1, count) < number.reshaped(1, count, 1)
        iou = better.where(self._overlaps(boxes), 0)
        most = iou.most(2).reshaped(batch * classes, 1, count)
        if self.decay_function.data == "linear":
            left = (most >= 1).where(1, (1 - iou) / (1 - most).at_least(1e-30))
        else:
            left = ((most * most - iou * iou) * self.gaussian_sigma.value.data).exp()
        decay = better.where(left, 1).least(2).at_most(1)
        alive = scores > EXCLUDED
        decayed = alive.where(scores, 0) * decay.reshaped(batch, classes, count)
        stays = alive & (decayed > self.post_threshold.value.data)
        return stays.where(numbers, -1), decayed

    def _overlaps(self, boxes: Expression) -> Expression:
        """Intersection over union of all pairs, 0 where a box has no area, or both do not touch."""
        rows, count, _ = boxes.shape
        low, high = boxes.slice(2, 0, 2), boxes.slice(2, 2, 4)
        one, other = (rows, count, 1), (rows, 1, count)
        sides: list[Expression] = []
        for axis in range(2):
            first, last = (each.slice(2, axis, axis + 1) for each in (low, high))
            sides.append(
                last.reshaped(*one).at_most(last.reshaped(*other))
                - first.reshaped(*one).at_least(first.reshaped(*other))
            )
        height_of, width_of = sides
        touch = (height_of >= 0) & (width_of >= 0)
        both = touch.where((height_of + self.offset) * (width_of + self.offset), 0)
        width, height = (high - low + self.offset).at_least(0).columns()
        area = width * height
        union = area.reshaped(*one) + area.reshaped(*other) - both
        exists = (area.reshaped(*one) > 0) & (area.reshaped(*other) > 0)
        return exists.where(both / exists.where(union, 1), 0)
