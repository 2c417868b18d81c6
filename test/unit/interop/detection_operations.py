"""Operations of detectors, each over x [2, 4]."""

from collections.abc import Iterator
from typing import Any

import openvino.opset8 as opset8
import openvino.opset15 as opset
from openvino.utils.node_factory import NodeFactory

from lowstream.test.unit.interop.network_operations import Build, image, numbers
from lowstream.test.unit.interop.nodes import AXES, constant


def boxes(x: Any) -> Any:
    """`[2, 9, 4]`, of which many overlap; either corner may be the lower one."""
    return opset.reshape(image(x, 9), numbers(2, 9, 4), False)


def scores(x: Any) -> Any:
    """`[2, 3, 9]`, different everywhere."""
    flat = opset.reshape(image(x, 9), numbers(2, 36), False)
    part = opset.slice(flat, numbers(5), numbers(32), numbers(1), numbers(1))
    return opset.reshape(part, numbers(2, 3, 9), False)


def non_max_suppression(version: int, *limits: float, **attributes: Any) -> Build:
    def build(x: Any) -> Any:
        count, *others = limits or (2,)
        operands = [boxes(x), scores(x), constant(count, AXES), *map(constant, others)]
        named = {"box_encoding": "corner", **attributes}
        node = NodeFactory(f"opset{version}").create(
            "NonMaxSuppression", [operand.output(0) for operand in operands], named
        )
        return node.outputs()

    return build


def suppressions() -> Iterator[tuple[str, Build]]:
    up = {"sort_result_descending": False}
    i32 = {"output_type": "i32"}
    yield "non_max_suppression", non_max_suppression(9, 4, 0.2, 0.1, **i32)
    yield "non_max_suppression/by class", non_max_suppression(9, 9, 0.1, 0, **up)
    yield "non_max_suppression/soft", non_max_suppression(5, 9, 0, 0.1, 0.3)
    yield "non_max_suppression/center", non_max_suppression(9, 5, 0.2, box_encoding="center")
    yield "non_max_suppression/any overlap", non_max_suppression(9, 9)
    yield "non_max_suppression/1", non_max_suppression(1, 4, 0.2, 0.1)
    yield "non_max_suppression/3", non_max_suppression(3, 4, 0.2, 0.1, **i32)
    yield "non_max_suppression/4", non_max_suppression(4, 4, 0.2, 0.1, **i32, **up)


def ordered(x: Any) -> Any:
    """The same, the lower corner first."""
    low, size = opset.split(boxes(x), constant(2, AXES), 2).outputs()
    return opset.concat([low, opset.add(low, opset.abs(size))], 2)


def of_classes(build: Any, **attributes: Any) -> Build:
    return lambda x: build(
        ordered(x), opset.abs(scores(x)), score_threshold=0.2, **attributes
    ).outputs()


def classes() -> Iterator[tuple[str, Build]]:
    orders = [("none", False), ("score", True), ("classid", False), ("classid", True)]
    for (kind, across), top in zip(orders, (3, -1, 5, 4), strict=True):
        name = f"{kind} {'across' if across else 'within'}"
        order = {"sort_result_type": kind, "sort_result_across_batch": across, "nms_top_k": top}
        kept = {"keep_top_k": max(top, -1), "background_class": 1 if across else -1}
        flags = {**order, **kept, "normalized": across}
        decay = "linear" if across else "gaussian"
        yield f"multiclass_nms/{name}", of_classes(opset.multiclass_nms, iou_threshold=0.2, **flags)
        yield (
            f"matrix_nms/{name}",
            of_classes(opset.matrix_nms, post_threshold=0.1, decay_function=decay, **flags),
        )
    yield "multiclass_nms/8", of_classes(opset8.multiclass_nms, iou_threshold=0.2)


DETECTION_OPERATIONS = {**dict(suppressions()), **dict(classes())}
"""By name of our operation; after a slash, what is tried of it."""
