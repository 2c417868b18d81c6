"""Boxes that stay of those that overlap: one kernel, whose body says what becomes of a score."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType

from ...dialects import kernel, nn
from ...dialects.inferred import static_shape, tensor
from ...dialects.origins import origin_of, set_origins
from ..bodies import Body, Scalar, build_body
from .chain import Chain
from .rule import Lowered, map_kernel, rule

OUT = float("-inf")


@rule(nn.SelectBoxesOp)
def select_boxes(op: nn.SelectBoxesOp) -> Lowered:
    chain, element = Chain(op), tensor(op.scores).element_type
    shape, count = static_shape(op.scores), op.max_output.value.data
    static_shape(op.boxes)

    def above(body: Body, score: Scalar) -> Scalar:
        limit = body.like(op.score_threshold.value.data, score)
        return body.select(body.greater(score, limit), score, body.like(OUT, score))

    def rescored(body: Body, score: Scalar, *boxes: Scalar) -> Scalar:
        iou = _overlap(body, op, list(boxes[:4]), list(boxes[4:]))
        if sigma := op.soft_nms_sigma.value.data:
            decay = body.multiply(body.multiply(iou, iou), body.like(-0.5 / sigma, iou))
            return above(body, body.multiply(score, body.exp(decay)))
        limit = body.like(op.iou_threshold.value.data, iou)
        return body.select(body.compare("ge", iou, limit), body.like(OUT, score), score)

    scores = chain.add(map_kernel(op, TensorType(element, shape), [op.scores], above))
    body = build_body([element] * 9, rescored)
    new = kernel.NonMaxSuppressionOp(op.boxes, scores, count, body)
    set_origins(new, origin_of(op))
    chain.add(new)
    return Lowered(*new.results[:2], ops=chain.ops)


def _overlap(body: Body, op: nn.SelectBoxesOp, box: list[Scalar], other: list[Scalar]) -> Scalar:
    """Intersection over union; 0 where a box has no area."""

    def side(low: Scalar, high: Scalar, touching: bool) -> Scalar:
        size, zero = body.subtract(high, low), body.like(0, low)
        wide = body.at_least(body.add(size, body.like(op.offset.value.data, size)), zero)
        return body.select(body.compare("ge", size, zero), wide, zero) if touching else wide

    def area(corners: list[Scalar], touching: bool = False) -> Scalar:
        return body.multiply(*(side(corners[d], corners[d + 2], touching) for d in range(2)))

    low = [body.at_least(box[d], other[d]) for d in range(2)]
    high = [body.at_most(box[d], other[d]) for d in range(2, 4)]
    both, one, two = area([*low, *high], bool(op.touching)), area(box), area(other)
    zero = body.like(0, one)
    exists = body.logic("and", body.greater(one, zero), body.greater(two, zero))
    union = body.subtract(body.add(one, two), both)
    iou = body.divide(both, body.select(exists, union, body.like(1, one)))
    return body.select(exists, iou, zero)
