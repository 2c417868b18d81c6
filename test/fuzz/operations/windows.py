"""Operations on windows: convolutions, pooling, interpolation, patches."""

from __future__ import annotations

import numpy as np
import openvino.opset15 as opset

from .case import FLOATS, Case, Draw


def window(draw: Draw, rank: int, largest: int = 3) -> tuple[list[int], list[int], list[int]]:
    """Sizes, strides, dilations."""
    return (
        [draw.number(1, largest) for _ in range(rank)],
        [draw.one(1, 1, 2, 3) for _ in range(rank)],
        [draw.one(1, 1, 1, 2) for _ in range(rank)],
    )


def padding(draw: Draw, rank: int) -> tuple[list[int], list[int], str]:
    low, high = ([draw.number(0, 2) for _ in range(rank)] for _ in range(2))
    auto = draw.one("explicit", "explicit", "explicit", "same_upper", "same_lower", "valid")
    return low, high, auto


def spatial(draw: Draw, rank: int) -> list[int]:
    return [draw.one(5, 6, 7, 8, 9, 12, 17) if rank < 3 else draw.number(5, 7) for _ in range(rank)]


def convolution(draw: Draw) -> Case:
    rank = draw.number(1, 3)
    (taps, strides, dilations), (low, high, auto) = window(draw, rank), padding(draw, rank)
    n, sizes, groups = draw.number(1, 3), spatial(draw, rank), draw.one(1, 1, 1, 2, 3, 8)
    inputs, outputs = draw.one(1, 1, 2, 3, 4, 8, 16), draw.one(1, 1, 2, 3, 4, 8, 16, 17)
    x = draw.floats(n, groups * inputs, *sizes)
    draw.specials = False  # padding times infinity is up to the machine
    if groups > 1:
        weights, build = draw.floats(groups, outputs, inputs, *taps), opset.group_convolution
    else:
        weights, build = draw.floats(outputs, inputs, *taps), opset.convolution
    return Case(
        f"convolution {x.shape} {weights.shape} {strides} {low} {high} {dilations} {auto}",
        [x, weights],
        lambda x, w: build(x, w, strides, low, high, dilations, auto),
        tolerance=3e-5,
    )


def transposed_convolution(draw: Draw) -> Case:
    rank = draw.number(1, 3)
    (taps, strides, dilations), (low, high, auto) = window(draw, rank), padding(draw, rank)
    extra = [draw.number(0, s - 1) for s in strides]
    n, sizes, groups = draw.number(1, 2), spatial(draw, rank), draw.one(1, 1, 2, 4)
    inputs, outputs = draw.one(1, 2, 3, 8, 16), draw.one(1, 2, 3, 8, 16, 17)
    x = draw.floats(n, groups * inputs, *sizes)
    draw.specials = False  # padding times infinity is up to the machine
    if groups > 1:
        weights, build = (
            draw.floats(groups, inputs, outputs, *taps),
            opset.group_convolution_backprop_data,
        )
    else:
        weights, build = draw.floats(inputs, outputs, *taps), opset.convolution_backprop_data
    return Case(
        f"backprop {x.shape} {weights.shape} {strides} {low} {high} {dilations} {auto} {extra}",
        [x, weights],
        lambda x, w: build(x, w, strides, None, low, high, dilations, auto, extra),
        tolerance=3e-5,
    )


def pooling(draw: Draw) -> Case:
    rank = draw.number(1, 3)
    (taps, strides, dilations), (low, high, auto) = window(draw, rank), padding(draw, rank)
    low, high = ([min(p, t - 1) for p, t in zip(ends, taps, strict=False)] for ends in (low, high))
    rounding = draw.one("floor", "ceil_torch")  # the maximum of padding alone is -inf here
    draw.specials = False  # OpenVINO leaves NaN out of maxima, and has no infinities in them
    x = draw.floats(draw.number(1, 2), draw.one(1, 3, 8, 17), *spatial(draw, rank))
    if draw.flag():
        exclude = draw.flag()
        return Case(
            f"avg_pool {x.shape} {taps} {strides} {low} {high} {exclude} {rounding} {auto}",
            [x],
            lambda x: opset.avg_pool(x, strides, low, high, taps, exclude, rounding, auto),
        )
    dilations = [d if t > 1 else 1 for d, t in zip(dilations, taps, strict=False)]
    return Case(
        f"max_pool {x.shape} {taps} {strides} {dilations} {low} {high} {rounding} {auto}",
        [x],
        lambda x: (
            opset.max_pool(x, strides, dilations, low, high, taps, rounding, auto, "i64")
            .output(0)
            .node
        ),
    )


def adaptive(draw: Draw) -> Case:
    rank = draw.number(1, 3)
    x = draw.floats(draw.number(1, 2), draw.one(1, 3, 8, 17), *spatial(draw, rank))
    to = np.array([draw.number(1, 6) for _ in range(rank)], np.int64)
    if draw.flag():
        return Case(f"adaptive_avg {to}", [x, to], opset.adaptive_avg_pool, (1,))
    return Case(
        f"adaptive_max {to}", [x, to], lambda x, s: opset.adaptive_max_pool(x, s, "i64"), (1,)
    )


def interpolation(draw: Draw) -> Case:
    draw.specials = False  # a product spreads them to all of a row
    mode = draw.one(
        "nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"
    )
    shape = [draw.number(1, 2), draw.number(1, 4), draw.number(2, 7), draw.number(2, 7)]
    axes = np.array([2, 3], np.int64)
    coordinates = draw.one(
        "half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"
    )
    nearest = draw.one("round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple")
    if draw.flag():
        target, by = np.array([draw.number(1, 12), draw.number(1, 12)], np.int64), "sizes"
    else:
        target, by = np.array([draw.one(0.5, 1.5, 2, 3), draw.one(0.6, 1, 2)], np.float32), "scales"
    if mode.endswith("pillow"):
        coordinates, target = "half_pixel", target
    return Case(
        f"interpolate {mode} {shape} {target} {coordinates} {nearest}",
        [draw.floats(*shape), target, axes],
        lambda x, t, a: opset.interpolate(
            x, t, mode, by, None, None, coordinates, nearest, False, -0.75, a
        ),
        (1, 2),
        3e-5,
    )


def patches(draw: Draw) -> Case:
    x = draw.array(draw.one(*FLOATS, np.int32), draw.number(1, 2), draw.number(1, 4), 9, 10)
    sizes, strides, rates = window(draw, 2)
    auto = draw.one("same_upper", "same_lower", "valid")
    return Case(
        f"extract_image_patches {sizes} {strides} {rates} {auto}",
        [x],
        lambda x: opset.extract_image_patches(x, sizes, strides, rates, auto),
    )


def grid_sample(draw: Draw) -> Case:
    draw.specials = False  # OpenVINO multiplies infinities by 0
    x = draw.floats(draw.number(1, 2), draw.number(1, 4), draw.number(1, 6), draw.number(1, 6))
    grid = draw.floats(len(x), draw.number(1, 5), draw.number(1, 5), 2, scale=0.8)
    align, mode = draw.flag(), draw.one("bilinear", "nearest", "bicubic")
    outside = draw.one("zeros", "border", "reflection")
    return Case(
        f"grid_sample {x.shape} {align} {mode} {outside}",
        [x, grid],
        lambda x, g: opset.grid_sample(
            x, g, {"align_corners": align, "mode": mode, "padding_mode": outside}
        ),
        tolerance=1e-4,
    )


FAMILY = (
    convolution,
    convolution,
    transposed_convolution,
    pooling,
    pooling,
    adaptive,
    interpolation,
    patches,
    grid_sample,
)
