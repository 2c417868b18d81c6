"""Operations of detectors. Scores differ, so that every order of them is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from openvino.utils.node_factory import NodeFactory

from .case import Array, Case, Draw


def _made(opset: int, kind: str, **attributes: Any) -> Any:
    def build(*operands: Any) -> Any:
        given = [operand.output(0) for operand in operands]
        return NodeFactory(f"opset{opset}").create(kind, given, attributes)

    return build


UNTRUSTED = ("Proposal", "MatrixNms")
"""OpenVINO ends the process now and then, or leaves results unwritten."""


def _case(draw: Draw, opset: int, kind: str, given: list[Array], fixed: Any, **more: Any) -> Case:
    # OpenVINO has less room for these than it writes.
    peer = kind not in UNTRUSTED and not more.get("fixed_ratio")
    build = _made(opset, kind, **more)
    return Case(f"{kind}-{opset} {more}", given, build, tuple(fixed), 1e-4, False, peer)


def _scores(draw: Draw, *shape: int) -> Array:
    """All different, from 0 to 1."""
    count = int(np.prod(shape))
    found = (draw.random.permutation(count) + 0.5) / max(count, 1)
    return found.reshape(shape).astype(np.float32)


def _boxes(draw: Draw, *lead: int, room: float = 1.0, flipped: bool = False) -> Array:
    """Corners, of which many overlap."""
    low = draw.random.uniform(-0.1, 0.8, (*lead, 2)) * room
    found = np.concatenate([low, low + draw.random.uniform(0.05, 0.6, low.shape) * room], -1)
    if flipped:
        found = np.where(draw.random.random((*lead, 1)) < 0.3, found[..., [2, 3, 0, 1]], found)
    return found.astype(np.float32)


def _number(value: Any, kind: Any = np.float32) -> Array:
    return np.asarray(value, kind)


def non_max_suppression(draw: Draw) -> Case:
    version = draw.one(1, 3, 4, 5, 9)
    batch, classes, count = draw.number(1, 3), draw.number(1, 3), draw.number(1, 20)
    given = [
        _boxes(draw, batch, count, flipped=True),
        _scores(draw, batch, classes, count),
        _number(draw.number(1, 9), np.int64),
        _number(draw.one(0, 0.2, 0.5, 0.9)),
        _number(draw.one(0, 0.3, 0.7)),
    ]
    more: dict[str, Any] = {
        "box_encoding": draw.one("corner", "center"),
        "sort_result_descending": draw.flag(),
    }
    if version > 1:
        more["output_type"] = draw.one("i32", "i64")
    if version >= 5 and draw.flag():
        given.append(_number(draw.one(0, 0.3, 0.8)))
    return _case(draw, version, "NonMaxSuppression", given, range(2, 6), **more)


def class_suppression(draw: Draw) -> Case:
    batch, classes, count = draw.number(1, 3), draw.number(1, 4), draw.number(1, 15)
    given = [_boxes(draw, batch, count), _scores(draw, batch, classes, count)]
    more: dict[str, Any] = {
        "sort_result_type": draw.one("none", "score", "classid"),
        "sort_result_across_batch": draw.flag(),
        "output_type": draw.one("i32", "i64"),
        "nms_top_k": draw.one(-1, 3, 8),
        "keep_top_k": draw.one(-1, 2, 9),
        "background_class": draw.one(-1, 0, 1),
        "normalized": draw.flag(),
        "score_threshold": draw.one(0.0, 0.3),
    }
    if draw.flag():
        more |= {"iou_threshold": draw.one(0.2, 0.5), "nms_eta": 1.0}
        return _case(draw, draw.one(8, 9), "MulticlassNms", given, (), **more)
    more |= {
        "decay_function": draw.one("linear", "gaussian"),
        "gaussian_sigma": draw.one(1.0, 2.0),
        "post_threshold": draw.one(0.0, 0.2),
    }
    return _case(draw, 8, "MatrixNms", given, (), **more)


def detection_output(draw: Draw) -> Case:
    batch, count, classes = draw.number(1, 2), draw.number(1, 10), draw.number(2, 4)
    shares, normalized, encoded = draw.flag(), draw.flag(0.7), draw.flag(0.3)
    width, room = (4, 1.0) if normalized else (5, 9.0)
    priors = _boxes(draw, 1, count, room=room)
    if not normalized:
        priors = np.concatenate([np.zeros((1, count, 1), np.float32), priors], -1)
    parts = [priors.reshape(1, -1)]
    if not encoded:
        parts.append(draw.random.uniform(0.1, 0.2, (1, count * width)).astype(np.float32))
    given = [
        draw.floats(batch, count * 4 * (1 if shares else classes), scale=0.7),
        _scores(draw, batch, count * classes),
        np.stack(parts, 1),
    ]
    codes = [f"caffe.PriorBoxParameter.{name}" for name in ("CORNER", "CENTER_SIZE")]
    more: dict[str, Any] = {
        "background_label_id": draw.one(-1, 0, 1),
        "top_k": draw.one(-1, 3),
        "variance_encoded_in_target": encoded,
        "keep_top_k": [draw.one(-1, 3, 20)],
        "code_type": draw.one(*codes),
        "share_location": shares,
        "nms_threshold": draw.one(0.2, 0.5),
        "confidence_threshold": draw.one(0.0, 0.3),
        "clip_before_nms": draw.flag(),
        "clip_after_nms": draw.flag(),
        "normalized": normalized,
        "input_height": 9,
        "input_width": 9,
    }
    version = draw.one(1, 8)
    if version == 1:
        more["num_classes"] = classes
    return _case(draw, version, "DetectionOutput", given, (), **more)


def proposal(draw: Draw) -> Case:
    height, width = draw.number(1, 5), draw.number(1, 5)
    ratios, scales = [0.5, 1.0, 2.0][: draw.number(1, 3)], [1.3, 2.5][: draw.number(1, 2)]
    anchors = len(ratios) * len(scales)
    count = anchors * height * width  # OpenVINO ends the process where more are asked for
    image = [12.0, 17.0, *draw.one((1.0,), (1.5,), (1.0, 2.0))]
    given = [
        _scores(draw, 1, 2 * anchors, height, width),
        draw.floats(1, 4 * anchors, height, width, scale=0.3),
        _number(image),
    ]
    more = {
        "base_size": draw.one(4, 8),
        "pre_nms_topn": min(draw.one(5, 20, 100), count),
        "post_nms_topn": min(draw.one(3, 8), count),
        "nms_thresh": draw.one(0.3, 0.7),
        "feat_stride": 3,
        "min_size": 1,  # what is smaller has the score 0, in any order
        "ratio": ratios,
        "scale": scales,
        "clip_before_nms": draw.flag(),
        "clip_after_nms": draw.flag(),
        "normalize": draw.flag(),
        "framework": draw.one("", "tensorflow"),
    }
    version = draw.one(1, 4)
    return _case(draw, version, "Proposal", given, (2,), **more)


def _rois(draw: Draw, count: int, batch: int) -> Array:
    images = draw.integers(0, batch - 1, count, 1).astype(np.float32)
    return np.concatenate([images, _boxes(draw, count, room=9)], 1)


def regions(draw: Draw) -> Case:
    batch, count = draw.number(1, 2), draw.number(1, 5)
    height, width = draw.number(4, 9), draw.number(4, 9)
    out = [draw.number(1, 4), draw.number(1, 4)]
    channels, scale = draw.number(1, 5), draw.one(0.5, 1.0)
    match draw.number(0, 3):
        case 0:
            x = draw.floats(batch, channels, height, width)
            more: dict[str, Any] = {"output_size": out, "spatial_scale": scale}
            more["method"] = draw.one("max", "bilinear")
            rois = _rois(draw, count, batch)
            if more["method"] == "bilinear":
                rois[:, 1:] = np.clip(rois[:, 1:] / 9, 0, 1)
            return _case(draw, 2, "ROIPooling", [x, np.abs(rois)], (), **more)
        case 1:
            x = draw.floats(batch, channels, height, width)
            more = {"pooled_h": out[0], "pooled_w": out[1], "spatial_scale": scale}
            more |= {"sampling_ratio": draw.number(0, 3), "mode": draw.one("avg", "max")}
            version = draw.one(3, 9)
            if version == 9:
                more["aligned_mode"] = draw.one("asymmetric", "half_pixel_for_nn", "half_pixel")
            rois = _boxes(draw, count, room=9)
            images = draw.integers(0, batch - 1, count, dtype=np.int32)
            return _case(draw, version, "ROIAlign", [x, rois, images], (), **more)
        case 2:
            side, bins = draw.number(1, 3), [draw.number(1, 2), draw.number(1, 2)]
            mode = draw.one("average", "bilinear")
            groups = side * side if mode == "average" else bins[0] * bins[1]
            x = draw.floats(batch, channels * groups, height, width)
            rois = np.abs(_rois(draw, count, batch))
            if mode == "bilinear":
                rois[:, 1:] = np.clip(rois[:, 1:] / 9, 0, 1)
            more = {"output_dim": channels, "group_size": side, "spatial_scale": scale}
            more |= {"spatial_bins_x": bins[0], "spatial_bins_y": bins[1], "mode": mode}
            return _case(draw, 1, "PSROIPooling", [x, rois], (), **more)
        case _:
            side, part = draw.number(1, 3), draw.number(1, 3)
            x = draw.floats(batch, channels * side * side, height, width)
            rois = np.abs(_rois(draw, count, batch))
            given = [x, rois]
            if shifts := draw.flag():
                given.append(draw.floats(count, 2, part, part, scale=0.3))
            more = {"output_dim": channels, "group_size": side, "spatial_scale": scale}
            more |= {"spatial_bins_x": draw.number(1, 3), "spatial_bins_y": draw.number(1, 3)}
            more |= {"trans_std": 0.1, "part_size": part} if shifts else {}
            more["mode"] = "bilinear_deformable"
            return _case(draw, 1, "DeformablePSROIPooling", given, (), **more)


def yolo(draw: Draw) -> Case:
    height, width = draw.number(1, 5), draw.number(1, 5)
    if draw.flag(0.3):
        stride = draw.number(1, 3)
        x = draw.floats(
            draw.number(1, 2), draw.number(1, 3) * stride**2, height * stride, width * stride
        )
        return _case(draw, 2, "ReorgYolo", [x], (), stride=[stride])
    classes, count = draw.number(1, 4), draw.number(1, 3)
    softmax = draw.flag()
    more = {
        "coords": 4, "classes": classes, "num": count, "do_softmax": softmax,
        "mask": list(range(count)), "anchors": [1.0] * 2 * count, "axis": 1, "end_axis": draw.one(1, 3),
    }  # fmt: skip
    x = draw.floats(draw.number(1, 2), count * (classes + 5), height, width)
    return _case(draw, 1, "RegionYolo", [x], (), **more)


def priors(draw: Draw) -> Case:
    sizes = _number([draw.number(1, 5), draw.number(1, 5)], np.int64)
    image = _number([draw.number(9, 40), draw.number(9, 40)], np.int64)
    shared: dict[str, Any] = {"clip": draw.flag(), "offset": draw.one(0.0, 0.5)}
    shared["variance"] = draw.one([0.1], [0.1, 0.1, 0.2, 0.2])
    if draw.flag(0.4):
        count = draw.number(1, 3)
        more: dict[str, Any] = {"width": [3.0, 5.0, 9.0][:count], "height": [4.0, 2.0, 7.0][:count]}
        more |= draw.one({"step": 4.0}, {"step_widths": 3.0, "step_heights": 4.0}, {})
        return _case(draw, 1, "PriorBoxClustered", [sizes, image], (0, 1), **shared, **more)
    more = {
        "min_size": [3.0, 5.0][: draw.number(1, 2)],
        "aspect_ratio": draw.one([], [2.0], [1.0, 2.0, 3.0]),
        "flip": draw.flag(),
        "step": draw.one(0.0, 4.0),
        "scale_all_sizes": draw.flag(),
    }
    if more["scale_all_sizes"]:
        more["max_size"] = draw.one([], [v + 3 for v in more["min_size"]])
    if draw.flag(0.3):
        more |= {
            "min_size": [],
            "max_size": [],
            "scale_all_sizes": True,
            "fixed_size": [4.0],
            "fixed_ratio": draw.one([], [1.0, 2.0]),
            "density": [draw.one(1.0, 2.0)],
        }
    version = draw.one(1, 8)
    if version == 8:
        more["min_max_aspect_ratios_order"] = draw.flag()
    return _case(draw, version, "PriorBox", [sizes, image], (0, 1), **shared, **more)


def detectron(draw: Draw) -> Case:
    height, width, count = draw.number(1, 4), draw.number(1, 4), draw.number(1, 3)
    sizes: dict[str, Any] = {"min_size": draw.one(0.0, 1.0), "nms_threshold": draw.one(0.2, 0.7)}
    sizes |= {"pre_nms_count": draw.one(4, 30), "post_nms_count": draw.one(2, 9)}
    anchors = _boxes(draw, height, width, count, room=12)
    scores = _scores(draw, 1, count, height, width)
    deltas = draw.floats(1, 4 * count, height, width, scale=0.3)
    match draw.number(0, 4):
        case 0:
            more = {**sizes, "normalized": draw.flag(), "roi_num_type": draw.one("i32", "i64")}
            image = _number([[12, 17, 1.5]])
            return _case(draw, 9, "GenerateProposals", [image, anchors, deltas, scores], (), **more)
        case 1:
            kind = "ExperimentalDetectronGenerateProposalsSingleImage"
            given = [_number([12, 17, 1]), anchors.reshape(-1, 4), deltas[0], scores[0]]
            return _case(draw, 6, kind, given, (), **sizes)
        case 2:
            grid = {"h": height, "w": width, "stride_x": 3.0, "stride_y": draw.one(0.0, 4.0)}
            x, image = (
                np.zeros((1, 2, height, width), np.float32),
                np.zeros((1, 3, 12, 17), np.float32),
            )
            kind = "ExperimentalDetectronPriorGridGenerator"
            given = [_boxes(draw, count, room=9), x, image]
            return _case(
                draw, 6, kind, given, (), flatten=draw.flag(), **(grid if draw.flag() else {})
            )
        case 3:
            kind, rows = "ExperimentalDetectronTopKROIs", draw.number(1, 9)
            given = [_boxes(draw, rows, room=9), _scores(draw, rows)]
            # OpenVINO does not write rows that it does not have.
            return _case(draw, 6, kind, given, (), max_rois=draw.number(1, rows))
        case _:
            return _detectron_output(draw, draw.number(1, 9), draw.number(2, 4))


def _detectron_output(draw: Draw, rows: int, classes: int) -> Case:
    given = [
        _boxes(draw, rows, room=12),
        draw.floats(rows, 4 * classes, scale=0.5),
        _scores(draw, rows, classes),
        _number([[12, 17, 1]]),
    ]
    more = {
        "score_threshold": draw.one(0.05, 0.4),
        "nms_threshold": draw.one(0.2, 0.6),
        "num_classes": classes,
        "post_nms_count": draw.one(2, 20),
        "max_detections_per_image": draw.one(3, 40),
        "class_agnostic_box_regression": False,
        "max_delta_log_wh": 2.0,
        "deltas_weights": [10.0, 10.0, 5.0, 5.0],
    }
    return _case(draw, 6, "ExperimentalDetectronDetectionOutput", given, (), **more)


def _plain(maker: Callable[[Draw], Case]) -> Callable[[Draw], Case]:
    """Without NaN and infinities, whose boxes no specification knows, and without empty dimensions."""

    @wraps(maker)
    def made(draw: Draw) -> Case:
        draw.specials = draw.empty = False
        return maker(draw)

    return made


MAKERS = (
    *(non_max_suppression, non_max_suppression, class_suppression, class_suppression),
    *(detection_output, detection_output, proposal, regions, regions, regions),
    *(yolo, priors, detectron, detectron),
)
FAMILY = tuple(map(_plain, MAKERS))
