"""Convolutions, pooling, padding, blocks and images in another size, each over x [2, 4]."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset8 as opset8
import openvino.opset15 as opset
import openvino.opset16 as opset16
from openvino.utils.node_factory import NodeFactory

from lowstream.test.unit.interop.nodes import (
    AXES,
    Build,
    constant,
    image,
    noise,
    numbers,
)


def convolution(build: Callable[..., Any], weights: Sequence[int], *geometry: Any) -> Build:
    """Geometry: strides, padding at begin and end, dilations, padding mode."""
    spatial = (9, 8)[: len(geometry[0])]
    return lambda x: build(image(x, *spatial), constant(noise(*weights)), *geometry)


def transposed(
    build: Callable[..., Any], weights: Sequence[int], shape: Sequence[int] | None, *geometry: Any
) -> Build:
    spatial = (5, 4)[: len(geometry[0])]
    wanted = None if shape is None else constant(shape, AXES)
    return lambda x: build(
        image(x, *spatial), constant(noise(*weights)), *geometry[:1], wanted, *geometry[1:]
    )


def convolutions() -> Iterator[tuple[str, Build]]:
    kinds = {
        "convolution": (opset.convolution, (3, 4)),
        "group_convolution": (opset.group_convolution, (2, 3, 2)),
    }
    for name, (build, filters) in kinds.items():
        yield name, convolution(build, (*filters, 3, 2), [2, 1], [1, 0], [2, 1], [1, 2])
        yield f"{name}/1d", convolution(build, (*filters, 3), [2], [1], [0], [2])
        for mode in ("same_upper", "same_lower", "valid"):
            geometry = [2, 1], [5, 5], [5, 5], [1, 2], mode
            yield f"{name}/{mode}", convolution(build, (*filters, 2, 3), *geometry)
    back = {
        "convolution_backprop_data": (opset.convolution_backprop_data, (4, 3)),
        "group_convolution_backprop_data": (opset.group_convolution_backprop_data, (2, 2, 3)),
    }
    for name, (build, filters) in back.items():
        weights = (*filters, 3, 2)
        plain = [2, 3], [1, 0], [0, 1], [1, 2]
        yield name, transposed(build, weights, None, *plain)
        yield f"{name}/padding", transposed(build, weights, None, *plain, "explicit", [1, 2])
        yield f"{name}/shape", transposed(build, weights, [11, 9], *plain, "explicit")
        yield f"{name}/valid", transposed(build, weights, None, *plain, "valid")
        yield f"{name}/valid shape", transposed(build, weights, [11, 10], *plain, "valid")
        for mode in ("same_upper", "same_lower"):
            yield f"{name}/{mode}", transposed(build, weights, [8, 9], *plain, mode)
            yield f"{name}/{mode} free", transposed(build, weights, None, *plain, mode)
            yield f"{name}/{mode} more", transposed(build, weights, [8, 9], *plain, mode, [1, 2])
            yield f"{name}/{mode} larger", transposed(build, weights, [12, 15], *plain, mode)


def pooling() -> Iterator[tuple[str, Build]]:
    """Of images, at each rounding and padding mode."""
    plain = [2, 2], [1, 0], [1, 1], [3, 3]
    dilated = [2, 2], [1, 2], [1, 0], [1, 1], [3, 2]

    def first(node: Any) -> Any:
        return [node.output(0)]

    yield "max_pool/8", lambda x: first(opset8.max_pool(image(x, 9, 8), *dilated))
    yield (
        "avg_pool/dilated",
        lambda x: opset16.avg_pool(image(x, 10, 9), *plain, False, dilations=[1, 2]),
    )
    for rounding in ("floor", "ceil", "ceil_torch"):
        yield (
            f"max_pool/{rounding}",
            lambda x, r=rounding: first(opset.max_pool(image(x, 9, 8), *dilated, r)),
        )
        for exclude in (True, False):
            yield (
                f"avg_pool/{rounding} {'without' if exclude else 'with'} padding",
                lambda x, r=rounding, e=exclude: opset.avg_pool(image(x, 10, 9), *plain, e, r),
            )
    for mode in ("same_upper", "same_lower", "valid"):
        yield (
            f"max_pool/{mode}",
            lambda x, m=mode: opset1.max_pool(image(x, 10, 9), *plain, "floor", m),
        )
        for exclude in (True, False):
            yield (
                f"avg_pool/{mode} {'without' if exclude else 'with'} padding",
                lambda x, m=mode, e=exclude: opset1.avg_pool(
                    image(x, 10, 9), *plain, e, "floor", m
                ),
            )


def pooling_at_the_end() -> Iterator[tuple[str, Build]]:
    """Last windows that do not fit, whose number is rounded up."""
    wide = [4, 3], [0, 0], [0, 0], [1, 2]
    for rounding in ("ceil", "ceil_torch"):
        for name, rank, places in (
            ("nowhere", 2, ()),
            ("in one dimension", 2, (1,)),
            ("of a volume", 3, (0,)),
        ):
            ends = [int(d in places) for d in range(rank)]
            yield (
                f"avg_pool/{rounding}, padding {name}",
                lambda x, r=rounding, e=ends: opset.avg_pool(
                    image(x, *(10, 9, 8)[: len(e)]),
                    [3, 4, 2][: len(e)],
                    e,
                    e,
                    [3, 3, 3][: len(e)],
                    False,
                    r,
                ),
            )
        for mode in ("same_upper", "same_lower"):
            yield (
                f"avg_pool/{mode} {rounding}, how many",  # the last one lies outside of the input
                lambda x, m=mode, r=rounding: opset.shape_of(
                    opset.avg_pool(image(x, 7, 8), *wide, False, r, m), "i32"
                ),
            )


def grid_samples() -> Iterator[tuple[str, Build]]:
    grid = np.concatenate([noise(2, 3, 4, 2), [[[[-0.5, 0.25], [1, -1], [0, 0], [3, -4]]]] * 2], 1)
    for mode in ("bilinear", "nearest", "bicubic"):
        for padding in ("zeros", "border", "reflection"):
            for aligned in (True, False):
                attributes = {"mode": mode, "padding_mode": padding, "align_corners": aligned}
                yield (
                    f"grid_sample/{mode} {padding} {aligned}",
                    lambda x, a=attributes: opset.grid_sample(image(x, 5, 4), constant(grid), a),
                )


def padding() -> Iterator[tuple[str, Build]]:
    for mode in ("constant", "edge", "reflect", "symmetric"):
        yield (
            f"pad/{mode}",
            lambda x, m=mode: opset.pad(
                x, constant([1, 2], AXES), constant([0, 3], AXES), m, constant(0.5)
            ),
        )
    yield (
        "pad/negative",
        lambda x: opset.pad(
            x, constant([1, -1], AXES), constant([-1, 2], AXES), "constant", constant(0.5)
        ),
    )
    yield (
        "pad/1",
        lambda x: opset1.pad(x, constant([1, 2], AXES), constant([0, 3], AXES), "constant"),
    )


def blocks() -> Iterator[tuple[str, Build]]:
    for mode in ("blocks_first", "depth_first"):
        yield (
            f"depth_to_space/{mode}",
            lambda x, m=mode: opset.depth_to_space(image(x, 3, 2), m, 2),
        )
        yield (
            f"space_to_depth/{mode}",
            lambda x, m=mode: opset.space_to_depth(image(x, 4, 6), m, 2),
        )
    yield (
        "batch_to_space",
        lambda x: opset.batch_to_space(
            opset.reshape(image(x, 4, 3), numbers(8, 1, 4, 3), False),
            numbers(1, 1, 2, 2),
            numbers(0, 0, 1, 0),
            numbers(0, 0, 0, 2),
        ),
    )
    yield (
        "space_to_batch",
        lambda x: opset.space_to_batch(
            image(x, 5, 4), numbers(1, 1, 3, 2), numbers(0, 0, 1, 0), numbers(0, 0, 0, 2)
        ),
    )
    yield "shuffle_channels", lambda x: opset.shuffle_channels(image(x, 3, 2), 1, 2)
    yield "roll", lambda x: opset.roll(image(x, 3, 2), numbers(1, -4, 5), numbers(1, -2, 1))
    yield "roll/one axis", lambda x: opset.roll(x, constant(7, AXES), constant(1, AXES))


def resized(build: Callable[..., Any], sizes: Sequence[int], *modes: str, **more: Any) -> Build:
    return lambda x: build(image(x, 5, 4), numbers(*sizes), *modes, axes=numbers(2, 3), **more)


def interpolate_4(x: Any, kind: str) -> Any:
    """Version 4, which has both sizes and scales, of which `kind` counts."""
    operands = [x, numbers(10, 8), constant([1.5, 2.5]), numbers(2, 3)]
    modes = {"mode": "nearest", "shape_calculation_mode": kind}
    pads = {"pads_begin": [], "pads_end": []}
    return NodeFactory("opset4").create("Interpolate", operands, modes | pads)


def interpolations() -> Iterator[tuple[str, Build]]:
    places = (
        "half_pixel",
        "pytorch_half_pixel",
        "asymmetric",
        "tf_half_pixel_for_nn",
        "align_corners",
    )
    rounding = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple")
    for sizes in ((8, 9), (3, 2)):
        for place in places:
            for mode in ("nearest", "linear", "linear_onnx", "cubic"):
                yield (
                    f"interpolate/{mode} {place} {sizes}",
                    resized(
                        opset.interpolate,
                        sizes,
                        mode,
                        "sizes",
                        coordinate_transformation_mode=place,
                    ),
                )
        for mode in ("bilinear_pillow", "bicubic_pillow"):
            yield f"interpolate/{mode} {sizes}", resized(opset.interpolate, sizes, mode, "sizes")
        for way in rounding:
            yield (
                f"interpolate/{way} {sizes}",
                resized(opset.interpolate, sizes, "nearest", "sizes", nearest_mode=way),
            )


def filtered_interpolations() -> Iterator[tuple[str, Build]]:
    # The CPU plugin leaves antialias out; of a constant, OpenVINO computes the result as specified.
    for height, sizes in ((9, (4, 3)), (4, (6, 5)), (4, (6, 11))):
        yield (
            f"interpolate/antialias, {height} rows, 8 columns to {sizes}",
            lambda x, height=height, sizes=sizes: opset.interpolate(
                constant(noise(1, 1, height, 8)),
                numbers(*sizes),
                "linear",
                "sizes",
                antialias=True,
                axes=numbers(2, 3),
            ),
        )
    for mode in ("bilinear_pillow", "bicubic_pillow"):
        yield (
            f"interpolate/{mode} of integers",
            lambda x, m=mode: opset.interpolate(
                opset.convert(opset.multiply(opset.sigmoid(image(x, 7, 9)), constant(255)), "u8"),
                numbers(11, 4), m, "sizes", axes=numbers(2, 3),
            ),
        )  # fmt: skip


def interpolation_attributes() -> Iterator[tuple[str, Build]]:
    yield (
        "interpolate/padding",
        resized(
            opset.interpolate,
            (9, 8),
            "cubic",
            "sizes",
            pads_begin=[0, 0, 1, 0],
            pads_end=[0, 0, 0, 2],
        ),
    )
    yield (
        "interpolate/scales",
        lambda x: opset.interpolate(
            image(x, 5, 4), constant([1.7, 2.5]), "linear_onnx", "scales", axes=numbers(2, 3)
        ),
    )
    yield (
        "interpolate/pillow scales",
        lambda x: opset.interpolate(
            image(x, 5, 4), constant([1.3, 0.7]), "bicubic_pillow", "scales", axes=numbers(2, 3)
        ),
    )
    for kind in ("sizes", "scales"):
        yield f"interpolate/4 {kind}", lambda x, k=kind: interpolate_4(image(x, 5, 4), k)
    for aligned in (True, False):
        for mode in ("nearest", "linear"):
            yield (
                f"interpolate/1 {mode} {aligned}",
                lambda x, a=aligned, m=mode: opset1.interpolate(
                    image(x, 5, 4), numbers(8, 9), {"axes": [2, 3], "mode": m, "align_corners": a}
                ),
            )


WINDOW_OPERATIONS: dict[str, Build] = {
    **dict(convolutions()),
    **dict(pooling()),
    **dict(pooling_at_the_end()),
    **dict(grid_samples()),
    **dict(padding()),
    **dict(blocks()),
    **dict(interpolations()),
    **dict(filtered_interpolations()),
    **dict(interpolation_attributes()),
}  # fmt: skip
"""By name of our operation; after a slash, what is tried of it."""
