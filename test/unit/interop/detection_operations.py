"""Operations of detectors, each over x [2, 4]."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import openvino.opset8 as opset8
import openvino.opset15 as opset
from openvino.utils.node_factory import NodeFactory

from lowstream.test.unit.interop.nodes import AXES, Build, constant, image, numbers


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
    yield "nms_rotated/clockwise", rotated(True, True, "i64")
    yield "nms_rotated/other", rotated(False, False, "i32")
    yield "non_max_suppression/any overlap", non_max_suppression(9, 9)
    yield "non_max_suppression/1", non_max_suppression(1, 4, 0.2, 0.1)
    yield "non_max_suppression/3", non_max_suppression(3, 4, 0.2, 0.1, **i32)
    yield "non_max_suppression/4", non_max_suppression(4, 4, 0.2, 0.1, **i32, **up)


def rotated(clockwise: bool, descending: bool, type: str) -> Build:
    """Of boxes of which many overlap."""

    def build(x: Any) -> Any:
        place, size = opset.split(boxes(x), constant(2, AXES), 2).outputs()
        angle = opset.reduce_sum(boxes(x), numbers(2), True)
        box = opset.concat([place, opset.add(opset.abs(size), constant(0.5)), angle], 2)
        limits = constant(4, AXES), constant(0.2), constant(0.1)
        return opset.nms_rotated(box, scores(x), *limits, descending, type, clockwise).outputs()

    return build


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
    for order in ("none", "classid"):
        yield (
            f"multiclass_nms/of each class {order}",
            lambda x, o=order: opset.multiclass_nms(
                opset.transpose(ordered(x), numbers(0, 1, 2)),
                opset.abs(opset.squeeze(part(scores(x), 1), numbers(1))),
                opset.constant(np.array([4, 0, 5])),
                sort_result_type=o, score_threshold=0.2, iou_threshold=0.2, keep_top_k=4, nms_top_k=3,
            ).outputs(),
        )  # fmt: skip
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


def last(x: Any) -> Any:
    """The last image's last channel."""
    return opset.slice(x, numbers(1, 3), numbers(2, 4), numbers(1, 1), numbers(0, 1))


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
    scored = {**counts, "min_size": 2.0, "nms_threshold": 0.3, "post_nms_count": 8}
    yield (
        "experimental_detectron_generate_proposals_single_image",
        lambda x: node(
            "opset6", "ExperimentalDetectronGenerateProposalsSingleImage", constant([12, 17, 1]),
            constant(anchors.reshape(30, 4)), opset.squeeze(part(deltas(x, 3, 5)), numbers(0)),
            opset.sigmoid(opset.squeeze(part(part(image(x, 3, 5), 1, 2)), numbers(0))), **scored,
        ).outputs(),
    )  # fmt: skip


def priors(batch: int, width: int, scale: float = 1) -> Any:
    """`[batch, 2, 8 * width]`: corners, behind the number of an image, and variances. The last two are none."""
    rng = np.random.default_rng(5)
    low = rng.uniform(0, 0.6, (batch, 8, 2))
    corners = np.concatenate([low, low + rng.uniform(0.2, 0.4, low.shape)], 2) * scale
    if width == 5:
        number = np.where(np.arange(8) < 6, 0, -1) * np.ones((batch, 1))
        corners = np.concatenate([number[..., None], corners], 2)
    variances = rng.uniform(0.1, 0.2, (batch, 8 * width))
    return constant(np.stack([corners.reshape(batch, -1), variances], 1))


def detection_output(
    version: int, width: int = 4, kinds: int = 1, aux: bool = False, **more: Any
) -> Build:
    named = {"keep_top_k": [7], "nms_threshold": 0.2, "confidence_threshold": 0.3}
    named |= {
        "share_location": kinds == 1,
        "normalized": width == 4,
        "code_type": "caffe.PriorBoxParameter.CENTER_SIZE",
    }

    def flat(x: Any) -> Any:
        return opset.reshape(x, numbers(2, -1), False)

    def build(x: Any) -> Any:
        priors_ = priors(1 + aux, width, 9 if width == 5 else 1)
        if more.get("variance_encoded_in_target"):
            priors_ = opset.slice(priors_, numbers(0), numbers(1), numbers(1), numbers(1))
        operands = [flat(image(x, 8 * kinds)), flat(opset.sigmoid(image(x, 6))), priors_]
        if aux:
            operands += [
                flat(opset.sigmoid(image(x, 4))),
                flat(opset.negative(image(x, 8 * kinds))),
            ]
        return node(f"opset{version}", "DetectionOutput", *operands, **{**named, **more}).outputs()

    return build


def detections() -> Iterator[tuple[str, Build]]:
    corner: dict[str, Any] = {"code_type": "caffe.PriorBoxParameter.CORNER"}
    yield "detection_output", detection_output(8)
    yield "detection_output/1", detection_output(1, num_classes=3, background_label_id=1, **corner)
    yield (
        "detection_output/classes",
        detection_output(
            8, kinds=3, background_label_id=-1, top_k=3, keep_top_k=[-1], clip_after_nms=True
        ),
    )
    yield (
        "detection_output/pixels",
        detection_output(
            8, 5, input_height=9, input_width=9, keep_top_k=[40], clip_before_nms=True
        ),
    )
    yield (
        "detection_output/best class",
        detection_output(
            8, decrease_label_id=True, variance_encoded_in_target=True, top_k=5, **corner
        ),
    )
    yield "detection_output/refined", detection_output(8, aux=True, objectness_score=0.5)
    yield (
        "detection_output/refined classes",
        detection_output(8, kinds=3, aux=True, objectness_score=0.4, keep_top_k=[-1]),
    )


def detectron() -> Iterator[tuple[str, Build]]:
    rng = np.random.default_rng(6)
    low = rng.uniform(0, 9, (9, 2))
    rois = constant(np.concatenate([low, low + rng.uniform(-1, 9, low.shape)], 1))
    weights = {"deltas_weights": [10.0, 10.0, 5.0, 5.0], "class_agnostic_box_regression": False}
    counts = {"num_classes": 3, "post_nms_count": 4, "max_delta_log_wh": 0.2, **weights}
    for kept in (5, 40):
        yield (
            f"experimental_detectron_detection_output/{kept}",
            lambda x, k=kept: node(
                "opset6", "ExperimentalDetectronDetectionOutput", rois,
                opset.reshape(part(image(x, 3, 9)), numbers(9, 12), False),
                opset.sigmoid(opset.reshape(last(image(x, 27)), numbers(9, 3), False)),
                constant([[12, 17, 1]]), score_threshold=0.3, nms_threshold=0.3,
                max_detections_per_image=k, **counts,
            ).outputs(),
        )  # fmt: skip
    for name, more in (
        ("clamped", {"aligned": False, "sampling_ratio": 2}),
        ("aligned", {"aligned": True, "sampling_ratio": 2}),
        ("by size", {"aligned": False, "sampling_ratio": 0}),
    ):
        yield (
            f"experimental_detectron_roi_feature_extractor/{name}",
            lambda x, m=more: node(
                "opset6", "ExperimentalDetectronROIFeatureExtractor",
                constant([[0, 0, 300, 280], [-9, 5, 40, 99], [7, 7, 7, 90], [20, 20, 20.5, 21], [100, 9, 700, 999]]),
                *(part(image(x, *sizes)) for sizes in ((9, 12), (5, 6), (3, 3))),
                output_size=2, pyramid_scales=[32, 64, 128], **m,
            ).outputs(),
        )  # fmt: skip


DETECTION_OPERATIONS = {
    **dict(suppressions()),
    **dict(classes()),
    **dict(proposals()),
    **dict(detections()),
    **dict(detectron()),
}
"""By name of our operation; after a slash, what is tried of it."""
