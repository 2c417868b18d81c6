"""Operators on windows and images: convolutions, pooling, resampling, regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from lowstream.test.fuzz.operations.case import Array, Draw

from .case import OnnxCase


def _spatial(draw: Draw, rank: int) -> list[int]:
    return [draw.one(5, 6, 7, 8, 9, 12, 17) if rank < 3 else draw.number(5, 7) for _ in range(rank)]


def _window(draw: Draw, rank: int) -> tuple[list[int], dict[str, Any]]:
    taps = [draw.number(1, 3) for _ in range(rank)]
    attributes: dict[str, Any] = {"kernel_shape": taps}
    attributes["strides"] = [draw.one(1, 1, 2, 3) for _ in range(rank)]
    attributes["dilations"] = [draw.one(1, 1, 1, 2) for _ in range(rank)]
    auto: str = draw.one("", "", "", "SAME_UPPER", "SAME_LOWER", "VALID")
    if auto:
        attributes["auto_pad"] = auto
        if auto.startswith("SAME"):
            attributes["dilations"] = [1] * rank
    else:
        attributes["pads"] = [draw.number(0, t - 1) for t in taps * 2]
    return taps, attributes


def convolution(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    rank = draw.number(1, 3)
    taps, attributes = _window(draw, rank)
    groups = draw.one(1, 1, 1, 2, 3, 8)
    inputs, outputs = draw.one(1, 2, 3, 4, 8, 16), draw.one(1, 2, 3, 4, 8, 16, 17)
    attributes["group"] = groups
    x = draw.floats(draw.number(1, 2), groups * inputs, *_spatial(draw, rank))
    if draw.flag(0.35):
        weights = draw.floats(groups * inputs, outputs, *taps)
        attributes["output_padding"] = [draw.number(0, s - 1) for s in attributes["strides"]]
        if "auto_pad" in attributes and attributes["auto_pad"].startswith("SAME"):
            del attributes["output_padding"]
        name = "ConvTranspose"
    else:
        weights, name = draw.floats(groups * outputs, inputs, *taps), "Conv"
    given = {"X": x, "W": weights} | ({"B": draw.floats(groups * outputs)} if draw.flag() else {})
    # ONNX Runtime does not add what a transpose with this padding lacks.
    lacks = name == "ConvTranspose" and attributes.get("auto_pad", "").startswith("SAME")
    return OnnxCase(name, given, attributes, tolerance=5e-5, least=11, peer=not lacks)


def quantized_convolution(draw: Draw) -> OnnxCase:
    rank = draw.number(1, 2)
    taps, attributes = _window(draw, rank)
    groups = draw.one(1, 1, 2, 8)
    inputs, outputs = draw.one(1, 2, 3, 4, 8), draw.one(1, 2, 3, 4, 8, 17)
    attributes["group"] = groups
    kinds: Any = draw.one(np.uint8, np.int8), draw.one(np.uint8, np.int8)
    x = _codes(draw, kinds[0], draw.number(1, 2), groups * inputs, *_spatial(draw, rank))
    weights = _codes(draw, kinds[1], groups * outputs, inputs, *taps)
    points = _codes(draw, kinds[0]), np.zeros((), kinds[1])
    if draw.flag():
        given = {"x": x, "w": weights, "x_zero_point": points[0], "w_zero_point": points[1]}
        return OnnxCase("ConvInteger", dict([*given.items()][: draw.number(2, 4)]), attributes)
    every = groups * outputs if draw.flag() else 1
    scales = draw.random.uniform(0.01, 0.1, every).astype(np.float32)
    given = {
        "x": x, "x_scale": np.float32(0.04), "x_zero_point": points[0],
        "w": weights, "w_scale": scales if every > 1 else scales[0],
        "w_zero_point": np.zeros(every if every > 1 else (), kinds[1]),
        "y_scale": np.float32(0.8), "y_zero_point": _codes(draw, kinds[0]),
    }  # fmt: skip
    if draw.flag():
        given["B"] = draw.integers(-999, 999, groups * outputs, dtype=np.int32)
    fixed = [name for name in given if name not in ("x", "w")]
    return OnnxCase(
        "QLinearConv", {k: np.asarray(v) for k, v in given.items()}, attributes, fixed=fixed
    )


def _codes(draw: Draw, kind: Any, *shape: int) -> Array:
    limits = np.iinfo(kind)
    return np.asarray(draw.random.integers(limits.min, limits.max + 1, shape).astype(kind))


def pooling(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    rank = draw.number(1, 3)
    _, attributes = _window(draw, rank)
    attributes["ceil_mode"] = draw.number(0, 1) if "auto_pad" not in attributes else 0
    name: str = draw.one("MaxPool", "AveragePool", "LpPool")
    kind: Any = np.float32
    outputs = 1
    if name == "MaxPool":
        kind, outputs = draw.one(np.float32, np.float32, np.int8, np.uint8), draw.one(1, 1, 2)
        attributes |= {"storage_order": draw.number(0, 1)} if outputs == 2 else {}
    if name == "AveragePool":
        attributes["count_include_pad"] = draw.number(0, 1)
        if draw.flag():
            del attributes["dilations"]
    if name == "LpPool":
        attributes["p"] = draw.one(1, 2, 3)
    x = draw.array(kind, draw.number(1, 2), draw.one(1, 3, 8, 17), *_spatial(draw, rank))
    # ONNX Runtime has negative padding where strides are larger than windows.
    shifts = name == "AveragePool" and attributes.get("auto_pad", "").startswith("SAME")
    return OnnxCase(name, {"X": x}, attributes, outputs, least=11, peer=not shifts)


def whole_pooling(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    x = draw.floats(draw.number(1, 2), draw.one(1, 3, 8, 17), *_spatial(draw, draw.number(1, 3)))
    name: str = draw.one("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
    return OnnxCase(
        name, {"X": x}, {"p": draw.one(1, 2)} if name == "GlobalLpPool" else {}, most=21
    )


def resize(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    rank = draw.number(1, 2)
    x = draw.floats(draw.number(1, 2), draw.number(1, 3), *(draw.number(1, 8) for _ in range(rank)))
    mode: str = draw.one("nearest", "linear", "cubic" if rank == 2 else "linear")
    attributes: dict[str, Any] = {"mode": mode}
    attributes["coordinate_transformation_mode"] = draw.one(
        "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"
    )
    if mode == "nearest":
        attributes["nearest_mode"] = draw.one(
            "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"
        )
    if mode == "cubic":
        attributes |= {"cubic_coeff_a": draw.one(-0.5, -0.75), "exclude_outside": draw.number(0, 1)}
    if draw.flag(0.3) and mode != "nearest":
        attributes["antialias"] = 1
    given: dict[str, Array | None] = {"X": x, "roi": None}
    sizes: list[int] = []
    if draw.flag():
        scales = [draw.one(0.5, 0.6, 1, 1.5, 2, 3) for _ in range(rank)]
        if min(s * f for s, f in zip(x.shape[2:], scales, strict=True)) < 1:
            scales = [2] * rank
        given["scales"] = np.array([1, 1, *scales], np.float32)
    else:
        sizes = [draw.number(1, 12) for _ in range(rank)]
        given |= {"scales": None, "sizes": np.array([*x.shape[:2], *sizes], np.int64)}
    # With scales, ONNX's own tests have sizes that are not whole in these; ONNX Runtime has whole ones.
    rounds = attributes["coordinate_transformation_mode"] in ("align_corners", "pytorch_half_pixel")
    # It has a single cubic result elsewhere than at the first element, where ONNX says it is.
    is_one = mode == "cubic" and 1 in sizes
    peer = not (rounds and (given["scales"] is not None or is_one))
    fixed = ("scales", "sizes")
    return OnnxCase("Resize", given, attributes, 1, fixed, 5e-5, peer, least=11)


def sampling(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    x = draw.floats(draw.number(1, 2), draw.number(1, 4), draw.number(1, 6), draw.number(1, 6))
    if draw.flag(0.3):
        theta = draw.floats(len(x), 2, 3)
        size = np.array(x.shape, np.int64)
        attributes = {"align_corners": draw.number(0, 1)}
        return OnnxCase("AffineGrid", {"theta": theta, "size": size}, attributes, fixed=("size",))
    grid = draw.floats(len(x), draw.number(1, 5), draw.number(1, 5), 2, scale=0.8)
    attributes = {
        "align_corners": draw.number(0, 1),
        "mode": draw.one("linear", "nearest", "cubic"),
        "padding_mode": draw.one("zeros", "border", "reflection"),
    }
    return OnnxCase("GridSample", {"X": x, "grid": grid}, attributes, tolerance=1e-4, least=20)


def regions(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    x = draw.floats(draw.number(1, 2), draw.number(1, 4), draw.number(3, 8), draw.number(3, 8))
    count = draw.number(1, 4)
    low = draw.random.uniform(-1, 5, (count, 2))
    boxes = np.concatenate([low, low + draw.random.uniform(0.5, 6, (count, 2))], 1)
    batch = draw.integers(0, len(x) - 1, count)
    to = {"output_height": draw.number(1, 4), "output_width": draw.number(1, 4)}
    attributes = {
        "mode": draw.one("avg", "max"),
        "sampling_ratio": draw.number(0, 3),
        "spatial_scale": draw.one(0.5, 1.0, 1.5),
        "coordinate_transformation_mode": draw.one("half_pixel", "output_half_pixel"),
    }
    given = {"X": x, "rois": boxes.astype(np.float32), "batch_indices": batch}
    return OnnxCase("RoiAlign", given, attributes | to, tolerance=1e-4, least=16, most=21)


def suppression(draw: Draw) -> OnnxCase:
    batch, classes, count = draw.number(1, 2), draw.number(1, 3), draw.number(1, 12)
    low = draw.random.uniform(0, 5, (batch, count, 2))
    boxes = np.concatenate([low, low + draw.random.uniform(0.5, 4, low.shape)], -1)
    scores = draw.random.permutation(batch * classes * count).reshape(batch, classes, count)
    given: dict[str, Array | None] = {
        "boxes": boxes.astype(np.float32),
        "scores": (scores / scores.size).astype(np.float32),
        "max_output_boxes_per_class": np.array([draw.number(1, 9)]),
        "iou_threshold": np.array([draw.one(0, 0.2, 0.5, 1)], np.float32),
        "score_threshold": np.array([draw.one(0, 0.3)], np.float32) if draw.flag() else None,
    }
    attributes = {"center_point_box": draw.number(0, 1)}
    fixed = [*given][2:]
    return OnnxCase("NonMaxSuppression", given, attributes, fixed=fixed, least=11)


def columns(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    image = [draw.number(4, 7) for _ in "hw"]
    block = [draw.number(1, 3) for _ in "hw"]
    strides, dilations = [draw.number(1, 2) for _ in "hw"], [1, 1]
    pads = [draw.number(0, 1) for _ in "hwhw"]
    count = 1
    for i in range(2):
        count *= (image[i] + pads[i] + pads[i + 2] - block[i]) // strides[i] + 1
    x = draw.floats(draw.number(1, 2), draw.number(1, 3) * block[0] * block[1], count)
    sizes = {"image_shape": np.array(image), "block_shape": np.array(block)}
    attributes = {"strides": strides, "dilations": dilations, "pads": pads}
    return OnnxCase("Col2Im", {"input": x, **sizes}, attributes, fixed=tuple(sizes))


FAMILY = (
    *(convolution, convolution, quantized_convolution, pooling, pooling, whole_pooling),
    *(resize, resize, sampling, regions, suppression, columns),
)
