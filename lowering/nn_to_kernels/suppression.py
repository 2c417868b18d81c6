"""Non-maximum suppression: one kernel, whose body computes the new score of a box from its overlap."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import static_shape, tensor
from ...dialects.nn.detection.non_max_suppression import EXCLUDED
from ..kernel_bodies.bodies import Scalar, build_body, select
from .rotated_boxes import ROTATED, rotated_overlap
from .rule import kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.SelectBoxesOp)
def select_boxes(op: nn.SelectBoxesOp, write: KernelWriter) -> Sequence[SSAValue]:
    element = tensor(op.scores).element_type
    shape, count = static_shape(op.scores), op.max_output.value.data
    *_, width = static_shape(op.boxes)

    def above(score: Scalar) -> Scalar:
        return select(score > op.score_threshold.value.data, score, EXCLUDED)

    def rescored(score: Scalar, *boxes: Scalar) -> Scalar:
        box, other = list(boxes[:width]), list(boxes[width:])
        iou = rotated_overlap(box, other) if width == ROTATED else _overlap(op, box, other)
        if sigma := op.soft_nms_sigma.value.data:
            return above(score * (iou * iou * (-0.5 / sigma)).exp())
        return select(iou >= op.iou_threshold.value.data, EXCLUDED, score)

    scores = write.map(TensorType(element, shape), [op.scores], above)
    body = build_body([element] * (1 + 2 * width), rescored)
    new = kernel.NonMaxSuppressionOp(op.boxes, scores, count, body)
    write.kernel(new)
    return new.results[:2]


def _overlap(op: nn.SelectBoxesOp, box: list[Scalar], other: list[Scalar]) -> Scalar:
    """Intersection over union; 0 where a box has no area."""

    def side(low: Scalar, high: Scalar, touching: bool) -> Scalar:
        size = high - low
        wide = (size + op.offset.value.data).at_least(0)
        return select(size >= 0, wide, 0) if touching else wide

    def area(corners: list[Scalar], touching: bool = False) -> Scalar:
        height, width = (side(corners[d], corners[d + 2], touching) for d in range(2))
        return height * width

    low = [box[d].at_least(other[d]) for d in range(2)]
    high = [box[d].at_most(other[d]) for d in range(2, 4)]
    both, one, two = area([*low, *high], bool(op.touching)), area(box), area(other)
    exists = (one > 0) & (two > 0)
    return select(exists, both / select(exists, one + two - both, 1), 0)
