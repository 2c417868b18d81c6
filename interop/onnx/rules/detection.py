"""Non-maximum suppression of detected boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, i64

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ..node import Node, Values
from ..rule_table import rule


@rule("NonMaxSuppression")
def non_max_suppression(node: Node) -> Values:
    """ONNX suppresses a box that overlaps by more than the threshold; ours, by at least the next greater number."""
    write, count, least, threshold = node.write, node.get(2), node.get(4), 0.0
    if (overlap := node.get(3)) is not None:
        if (blob := nn.constant_of(overlap)) is None:
            raise node.refuse(
                "iou_threshold is computed from what only a run knows; make it a constant"
            )
        (threshold,) = map(float, blob.data.values())
    above = float(np.nextafter(np.float32(threshold), np.float32(np.inf)))
    number: TensorType[Any] = TensorType(f32, [])
    return write(
        nn.NonMaxSuppressionOp,
        node[0],
        node[1],
        write.integer(0) if count is None else count,
        write.constant(BlobAttr.of(number, above)),
        write.constant(BlobAttr.of(number, float("-inf"))) if least is None else least,
        box_encoding="center" if node("center_point_box", 0) else "corner",
        sort_result_descending=False,
        output_type=i64,
    )
