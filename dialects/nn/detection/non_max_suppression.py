"""Non-maximum suppression: which boxes of a detector stay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, f32, f64, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import DiagnosticException

from ...inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    TensorOp,
    choice,
    floating,
    label,
    shape_of,
    spelled,
)
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, word_prop
from ..constant import constant_of
from ..derived import DerivedOp
from ..expression import Expression, concatenated
from ..non_zero import first_of, first_places
from ..trigonometry import CosOp, SinOp
from ..writer import Writer
from .suppression import BoxesOp, SelectBoxesOp, check_boxes

EXCLUDED = float("-inf")
"""The score of a box that takes no part."""

SMALL, ULP = 2.0**-126, 2.0**-23
"""The least normal number of f32, and the difference between 1 and the next one."""


class SuppressionOp(BoxesOp, DerivedOp, ABC):
    """Boxes and scores, and behind them constants: a count, two thresholds, a sigma."""

    WIDTH: ClassVar[int]
    """How many numbers describe a box."""

    MAY_REACH: ClassVar[bool]
    """Whether an overlap that reaches the threshold suppresses nothing yet."""

    NEEDS_KNOWN_SHAPES: ClassVar = True

    limits = var_operand_def(TensorType)
    selected_indices = result_def(INDEX)
    selected_scores = result_def(SAME_ELEMENT)
    valid_outputs = result_def(INDEX)
    sort_result_descending = flag_prop(True)
    output_type = prop_def(IntegerType, default_value=i64)

    @abstractmethod
    def prepared(self, boxes: Expression) -> Expression:
        """Boxes as `nn.select_boxes` takes them."""

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        type = floating(self, self.boxes)
        check_boxes(self, type.get_shape(), shape_of(self.scores), self.WIDTH)
        if 0 in shape_of(self.scores):
            raise self.op_error(f"scores {spelled(shape_of(self.scores))} are none")
        if len(self.limits) > 4 or any(shape_of(each) not in ((), (1,)) for each in self.limits):
            raise self.op_error(
                "at most four scalars follow the scores: a count, two thresholds and a sigma"
            )
        return [
            TensorType(self.output_type, (DYNAMIC_INDEX, 3)),
            TensorType(type.element_type, (DYNAMIC_INDEX, 3)),
            TensorType(self.output_type, (1,)),
        ]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        boxes, scores = (computed(Expression(write, each)) for each in (self.boxes, self.scores))
        batch, classes, size = scores.shape
        names = ("max_output_boxes_per_class", "iou_threshold", "score_threshold", "soft_nms_sigma")
        given = dict(zip(names, self.limits, strict=False))
        numbers = [number_of(self, given.get(name), name) for name in names]
        count = min(int(numbers[0]), size)
        if count <= 0:
            raise DiagnosticException(
                f"{label(self)}: max_output_boxes_per_class {int(numbers[0])} selects nothing; use 1 or more"
            )
        iou = above(numbers[1]) if self.MAY_REACH else numbers[1]
        picked, best = selected(
            self.prepared(boxes), scores, count, iou=iou, score=numbers[2], sigma=numbers[3]
        )
        total = batch * classes * count
        picked, best = picked.reshaped(total), best.reshaped(total)
        exists = picked >= 0
        order, found = first_places(write, exists.value)
        if self.sort_result_descending:
            order = exists.where(best, EXCLUDED).top(total)[1].value
        places = picked.on(order).to(i32)
        rows = [places / (classes * count), (places / count) % classes]
        indices = concatenated(
            1, *(each.reshaped(total, 1) for each in (*rows, picked.gathered(places, 0)))
        )
        values = [*(each.to(best.element) for each in rows), best.gathered(places, 0)]
        details = concatenated(1, *(each.reshaped(total, 1) for each in values))
        return [
            first_of(write, indices.to(self.output_type).value, found, 0),
            first_of(write, details.to(boxes.on(self.boxes).element).value, found, 0),
            indices.on(found).to(self.output_type).value,
        ]


@op_definition
class NonMaxSuppressionOp(SuppressionOp):
    """
    Of each class, at most so many boxes of which no two overlap too much (greedy non-maximum suppression).

    Behind boxes and scores follow constants: `max_output_boxes_per_class`, `iou_threshold`, `score_threshold` and
    `soft_nms_sigma`, 0 where they are absent. A box is suppressed where its intersection with a better one over the
    union of both reaches the threshold; with a sigma above 0, its score is multiplied by `exp(-iou² / (2 sigma))`, and
    no other threshold than that of scores counts.

    Results are rows `[batch, class, box]`, rows `[batch, class, score]`, and how many there are. They are in the order
    of their scores, or with `sort_result_descending = false`, class by class. A box is `corner` (two opposite ones,
    `[y1, x1, y2, x2]`) or `center` (`[x, y, width, height]`).

        %count = nn.constant dense<3> : tensor<i64>
        %iou = nn.constant dense<0.5> : tensor<f32>
        %least = nn.constant dense<0.1> : tensor<f32>
        %boxes_, %scores_, %valid = nn.non_max_suppression %boxes, %x, %count, %iou, %least {box_encoding = "corner",
              sort_result_descending = true, output_type = i64}
            : (tensor<2x6x4xf32>, tensor<2x3x6xf32>, tensor<i64>, tensor<f32>, tensor<f32>)
            -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
    """

    name = "nn.non_max_suppression"
    NAMES: ClassVar = Names("NonMaxSuppression-9")

    WIDTH: ClassVar = 4
    MAY_REACH: ClassVar = False

    box_encoding = word_prop("corner")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        choice(self, "box_encoding", "corner", "center")
        return super().infer_types(constants)

    def prepared(self, boxes: Expression) -> Expression:
        """Boxes as their lower corner, then the upper one."""
        first, second = boxes.slice(2, 0, 2), boxes.slice(2, 2, 4)
        if self.box_encoding.data == "corner":
            return concatenated(2, first.at_most(second), first.at_least(second))
        half = second / 2
        return concatenated(2, first - half, first + half)


@op_definition
class NmsRotatedOp(SuppressionOp):
    """
    The same (`nn.non_max_suppression`) of boxes that are rotated, `[middle x, middle y, width, height, angle]`, in
    radians, `clockwise` or not; three constants follow. A box is suppressed where its overlap with a better one is
    above the threshold.

        %count = nn.constant dense<3> : tensor<i64>
        %iou = nn.constant dense<0.5> : tensor<f32>
        %least = nn.constant dense<0.1> : tensor<f32>
        %boxes_, %scores_, %valid = nn.nms_rotated %boxes, %x, %count, %iou, %least {sort_result_descending = true,
              output_type = i64, clockwise = true}
            : (tensor<2x6x5xf32>, tensor<2x3x6xf32>, tensor<i64>, tensor<f32>, tensor<f32>)
            -> (tensor<?x3xi64>, tensor<?x3xf32>, tensor<1xi64>)
    """

    name = "nn.nms_rotated"
    NAMES: ClassVar = Names("NMSRotated-13")
    WIDTH: ClassVar = 5
    MAY_REACH: ClassVar = True

    clockwise = flag_prop(True)

    def prepared(self, boxes: Expression) -> Expression:
        place, angle = boxes.slice(2, 0, 4), boxes.slice(2, 4, 5)
        if not self.clockwise:
            angle = 0 - angle
        turns = (angle.on(boxes.write(kind, angle.value)) for kind in (CosOp, SinOp))
        return concatenated(2, place, *turns)


def above(threshold: float) -> float:
    """The least number in f32 above a threshold: what overlaps reach if they are to be greater than it."""
    return max(threshold * (1 + ULP), threshold + SMALL)


def computed(value: Expression) -> Expression:
    """In a type that kernels compute with."""
    return value if value.element in (f32, f64) else value.to(f32)


def number_of(op: TensorOp, value: SSAValue | None, what: str) -> float:
    """A number that must be constant, 0 where it is absent. Raises DiagnosticException where it is unknown."""
    if value is None:
        return 0.0
    if (blob := constant_of(value)) is None:
        raise DiagnosticException(
            f"{label(op)}: {what} is not constant; run fold-constants first or make it one"
        )
    (number,) = blob.data.values()
    return float(number)


def selected(
    boxes: Expression,
    scores: Expression,
    count: int,
    *,
    iou: float,
    score: float,
    sigma: float = 0.0,
    offset: float = 0.0,
    touching: bool = False,
) -> tuple[Expression, Expression]:
    """Numbers of at most `count` boxes of each class, and their scores (`nn.select_boxes`)."""
    numbers, best = boxes.write.all(
        SelectBoxesOp,
        boxes.value,
        scores.value,
        max_output=count,
        iou_threshold=iou,
        score_threshold=score,
        soft_nms_sigma=sigma,
        offset=float(offset),
        touching=touching,
    )
    return boxes.on(numbers), boxes.on(best)
