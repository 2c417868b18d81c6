"""Operations of detectors, each over x [2, 4]."""

from collections.abc import Iterator
from typing import Any

import numpy as np
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


def node(opset: str, type: str, *operands: Any, **attributes: Any) -> Any:
    return NodeFactory(opset).create(type, [each.output(0) for each in operands], attributes)


def deltas(x: Any, *sizes: int) -> Any:
    """`[2, 8, *sizes]`, small."""
    parts = opset.concat([image(x, *sizes), opset.negative(image(x, *sizes))], 1)
    return opset.multiply(opset.sin(opset.multiply(parts, constant(9))), constant(0.4))


def part(x: Any, axis: int = 0, count: int = 1) -> Any:
    """The first ones along an axis."""
    return opset.slice(x, numbers(0), numbers(count), numbers(1), numbers(axis))


def proposal(version: int, scales: Any = (1.5,), **attributes: Any) -> Build:
    named = {"base_size": 4, "pre_nms_topn": 20, "post_nms_topn": 8, "nms_thresh": 0.3}
    named |= {"feat_stride": 3, "min_size": 1, "ratio": [0.5, 2.0], "scale": [1.3]}

    def build(x: Any) -> Any:
        probabilities = opset.sigmoid(image(x, 3, 5))
        image_ = constant([12, 17, *scales])
        made = node(
            f"opset{version}",
            "Proposal",
            probabilities,
            deltas(x, 3, 5),
            image_,
            **{**named, **attributes},
        )
        return made.outputs()

    return build


def proposals() -> Iterator[tuple[str, Build]]:
    yield "proposal", proposal(4)
    yield "proposal/1", proposal(1, (2.0, 1.0), clip_before_nms=False, clip_after_nms=True)
    yield (
        "proposal/tensorflow",
        proposal(
            4, framework="tensorflow", normalize=True, box_size_scale=5.0, box_coordinate_scale=10.0
        ),
    )
    yield "proposal/few", proposal(1, nms_thresh=0.0, post_nms_topn=50)
    counts = {"min_size": 0.5, "nms_threshold": 0.2, "pre_nms_count": 20, "post_nms_count": 7}
    low = np.random.default_rng(4).uniform(0, 12, (30, 2))
    anchors = np.concatenate([low, low + 4], 1).reshape(3, 5, 2, 4)
    for normalized, sides in ((True, [[12, 17, 1], [14, 16, 8]]), (False, [[12, 17, 1, 2]] * 2)):
        yield (
            f"generate_proposals/{normalized}",
            lambda x, n=normalized, s=sides: node(
                "opset9", "GenerateProposals", constant(s), constant(anchors), deltas(x, 3, 5),
                opset.sigmoid(part(image(x, 3, 5), 1, 2)),
                normalized=n, roi_num_type="i32", **counts,
            ).outputs(),
        )  # fmt: skip
    scored = {**counts, "min_size": 2.0, "post_nms_count": 4}
    yield (
        "experimental_detectron_generate_proposals_single_image",
        lambda x: node(
            "opset6", "ExperimentalDetectronGenerateProposalsSingleImage", constant([12, 17, 1]),
            constant(anchors.reshape(30, 4)), opset.squeeze(part(deltas(x, 3, 5)), numbers(0)),
            opset.sigmoid(opset.squeeze(part(part(image(x, 3, 5), 1, 2)), numbers(0))), **scored,
        ).outputs(),
    )  # fmt: skip


DETECTION_OPERATIONS = {**dict(suppressions()), **dict(classes()), **dict(proposals())}
"""By name of our operation; after a slash, what is tried of it."""
