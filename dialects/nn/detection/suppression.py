"""The boxes that stay of those that overlap: what all kinds of non-maximum suppression are made of."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, Float32Type, Float64Type, TensorType, i32
from xdsl.ir import Attribute
from xdsl.irdl import VarConstraint, base, operand_def, result_def

from ...compatible import compatible_dims
from ...inferred import INDEX, SAME_ELEMENT, Constants, TensorOp, shape_of, spelled, tensor
from ...operation import op_definition
from ...properties import flag_prop, integer_prop, number_prop
from ..shaped import ExtendedOp

FLOATS = TensorType.constr(VarConstraint("ELEMENT", base(Float32Type) | base(Float64Type)))


class BoxesOp(ExtendedOp, ABC):
    """Chooses boxes by their scores."""

    boxes = operand_def(SAME_ELEMENT)
    scores = operand_def(SAME_ELEMENT)


@op_definition
class SelectBoxesOp(TensorOp):
    """
    Greedy non-maximum suppression within each class of each row. As long as the greatest score is above
    `score_threshold`, its box is taken, and boxes that overlap it are suppressed:

    `score = iou >= iou_threshold ? -inf : score`, or with a `soft_nms_sigma` above 0, `score * exp(-iou² / (2 sigma))`.

    Boxes `[row, box, 4]` are two corners, the lower one first; `offset` is added to differences of coordinates
    (1, where the last pixel belongs to a box), with `touching` only where boxes touch without it. Boxes `[row, box, 6]`
    are rotated: `[middle x, middle y, width, height, cosine, sine]` of their angle. Results `[row, class, max_output]`
    are numbers of boxes, -1 behind the last one, and their scores, 0 there. Of equal scores the first one is taken; NaN
    is none.

        %numbers, %y = nn.select_boxes %boxes, %x {max_output = 3 : i64, iou_threshold = 0.5 : f64,
              score_threshold = 0.1 : f64, soft_nms_sigma = 0.0 : f64, offset = 0.0 : f64}
            : (tensor<2x6x4xf32>, tensor<2x3x6xf32>) -> (tensor<2x3x3xi32>, tensor<2x3x3xf32>)
    """

    name = "nn.select_boxes"

    boxes = operand_def(FLOATS)
    scores = operand_def(FLOATS)
    numbers = result_def(INDEX)
    selected_scores = result_def(FLOATS)
    max_output = integer_prop()
    iou_threshold = number_prop()
    score_threshold = number_prop()
    soft_nms_sigma = number_prop(0.0)
    offset = number_prop(0.0)
    touching = flag_prop(False)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        boxes, scores = shape_of(self.boxes), shape_of(self.scores)
        check_boxes(self, boxes, scores, 4, 6)
        count = self.max_output.value.data
        if count < 0 or (scores[2] != DYNAMIC_INDEX and count > scores[2]):
            raise self.op_error(f"max_output {count} is not between 0 and the {scores[2]} boxes")
        if self.soft_nms_sigma.value.data < 0:
            raise self.op_error(
                f"soft_nms_sigma {self.soft_nms_sigma.value.data} is below 0; use 0 for none"
            )
        shape = (*scores[:2], count)
        return [TensorType(i32, shape), TensorType(tensor(self.scores).element_type, shape)]


def check_boxes(op: TensorOp, boxes: Sequence[int], scores: Sequence[int], *widths: int) -> None:
    """Raises VerifyException, naming `op`, where these are no boxes of such widths and scores `[row, class, box]`."""
    fits = (
        len(boxes) == len(scores) == 3
        and boxes[2] in (*widths, DYNAMIC_INDEX)
        and all(map(compatible_dims, boxes, scores[::2]))
    )
    if not fits:
        raise op.op_error(
            f"takes boxes [batch, box, {' or '.join(map(str, widths))}] and scores [batch, class, box], "
            f"not {spelled(boxes)} and {spelled(scores)}"
        )
