"""Images in another size: Resize, and Upsample, which it replaced."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, f64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import is_integer, limits_of
from ....dialects.inferred import constant_integers, shape_of, tensor
from ....passes.shapes.computed_integers import source
from ....reference.arrays import blob_of, dtype_of
from ..node import Node, Values
from ..rule_table import rule
from .resampling import Resampling, region_of

MODES = {"nearest": "nearest", "linear": "linear_onnx", "bilinear": "linear_onnx", "cubic": "cubic"}

TRANSFORMATIONS = (
    "half_pixel",
    "pytorch_half_pixel",
    "asymmetric",
    "tf_half_pixel_for_nn",
    "align_corners",
)
"""The modes of `coordinate_transformation_mode` that `nn.interpolate` has."""


@rule("Upsample")
def upsample(node: Node) -> Values:
    """Scales are an attribute before version 9; version 1 has those of height and width, of images."""
    if node.version < 7:
        scales = [1.0, 1.0, node.needed("height_scale"), node.needed("width_scale")]
    else:
        scales = node.needed("scales") if node.version < 9 else _numbers(node, node[1])
    return _interpolated(node, dict(enumerate(scales)), "scales", "asymmetric", "floor")


@rule("Resize")
def resize(node: Node) -> Values:
    """Scales or sizes are for all dimensions; since version 18, for `axes`."""
    if node.version < 11:
        return _of_version_10(node, _numbers(node, node[1]))
    transformation = node("coordinate_transformation_mode", "half_pixel")
    rank = node.rank()
    axes = [axis % rank for axis in node("axes") or range(rank)]
    nearest = node("nearest_mode", "round_prefer_floor")
    sizes, scales = node.get(3), node.get(2)
    if sizes is None or 0 in shape_of(sizes):
        if scales is None:
            raise node.refuse("has neither scales nor sizes")
        wanted = dict(zip(axes, _numbers(node, scales), strict=True))
        return _interpolated(node, wanted, "scales", transformation, nearest)
    if (known := node.known(3)) is None:
        return _by_computed_sizes(node, sizes, axes, transformation, nearest)
    wanted = dict(zip(axes, known, strict=True))
    return _interpolated(node, _kept(node, wanted), "sizes", transformation, nearest)


def _of_version_10(node: Node, scales: list[float]) -> SSAValue:
    """
    That version leaves the nearest element open. As in ONNX Runtime it is the next one along dimensions that become
    smaller, the last one along those that become larger.
    """
    x, every = node[0], dict(enumerate(scales))
    smaller = {
        axis for axis, scale in every.items() if scale < 1 and node("mode", "nearest") == "nearest"
    }
    for axes, nearest in ((smaller, "ceil"), (every.keys() - smaller, "floor")):
        wanted = {axis: scale if axis in axes else 1.0 for axis, scale in every.items()}
        x = _interpolated(replace(node, inputs=[x]), wanted, "scales", "asymmetric", nearest)
    return x


def _by_computed_sizes(
    node: Node, sizes: SSAValue, axes: list[int], transformation: str, nearest: str
) -> SSAValue:
    """An `nn.interpolate` to sizes that only a run knows, over the dimensions that are not known to stay."""
    if node("keep_aspect_ratio_policy", "stretch") != "stretch":
        node.integers(3, "sizes")
    shape = shape_of(node[0])
    wanted = [source(sizes, place) for place in range(len(axes))]
    moved = [place for place, axis in enumerate(axes) if wanted[place] != shape[axis]]
    if transformation not in TRANSFORMATIONS or _has_own_weights(node):
        moved = [place for place in moved if not _is_size(sizes, place, node[0], axes[place])]
        known = {axes[place]: size for place in moved if isinstance(size := wanted[place], int)}
        if len(known) < len(moved):
            node.integers(3, "sizes")
        return _resampled(node, known, "sizes", transformation, nearest)
    if not moved:
        return node[0]
    parts = [node.write.slice(sizes, place, place + 1, 0) for place in moved]
    target = node.write.joined(parts, 0)
    return _written(
        node, target, [axes[place] for place in moved], "sizes", transformation, nearest
    )


def _is_size(sizes: SSAValue, place: int, x: SSAValue, axis: int) -> bool:
    """Whether an element is the size of `x` along an axis, as in the concatenation of `shape(x)[:2]` and constants."""
    match op := sizes.owner:
        case nn.ShapeOfOp():
            return op.input is x and place == axis
        case nn.SliceOp() if (start := constant_integers(op.start)) and constant_integers(
            op.step
        ) == [1]:
            return start[0] >= 0 and _is_size(op.input, place + start[0], x, axis)
        case nn.ConcatOp():
            for part in op.operands:
                if place < (count := prod(shape_of(part))):
                    return _is_size(part, place, x, axis)
                place -= count
        case _:
            pass
    return False


def _kept(node: Node, wanted: dict[int, int]) -> dict[int, int]:
    """Sizes that keep the aspect ratio, where the policy says so."""
    policy = node("keep_aspect_ratio_policy", "stretch")
    if policy == "stretch":
        return wanted
    shape = shape_of(node[0])
    if any(shape[axis] == DYNAMIC_INDEX for axis in wanted):
        raise node.refuse(
            f"policy '{policy}' needs known sizes; give the model's inputs fixed shapes"
        )
    choose = min if policy == "not_larger" else max
    scale = choose(size / shape[axis] for axis, size in wanted.items())
    return {axis: int(scale * shape[axis] + 0.5) for axis in wanted}


def _numbers(node: Node, value: SSAValue) -> list[float]:
    """The scales, which are constants."""
    if (blob := nn.constant_of(value)) is None:
        raise node.refuse("its scales are computed from what only a run knows; make them constants")
    return [float(number) for number in blob.data.values()]


def _has_own_weights(node: Node) -> bool:
    """Whether results need other weights than those of `nn.interpolate`."""
    kind = node("mode", "nearest")
    return (kind != "nearest" and bool(node("antialias", 0))) or (
        kind == "cubic" and bool(node("exclude_outside", 0))
    )


def _has_fractions(
    node: Node, wanted: dict[int, float] | dict[int, int], by: str, transformation: str
) -> bool:
    """
    Whether the corners lie where a result of a fractional size would have them, as in ONNX's tests. ONNX Runtime rounds
    the size first, and so do OpenVINO and `nn.interpolate`.
    """
    if by == "sizes" or transformation != "align_corners":
        return False
    shape = shape_of(node[0])
    sizes = (
        scale * (1 if shape[axis] == DYNAMIC_INDEX else shape[axis])
        for axis, scale in wanted.items()
    )
    return any(size != int(size) for size in sizes)


def _resamplings(
    node: Node,
    wanted: dict[int, float] | dict[int, int],
    by: str,
    transformation: str,
    nearest: str,
) -> dict[int, Resampling]:
    """How each axis is resampled."""
    shape = shape_of(node[0])
    axes = [axis % len(shape) for axis in node("axes") or range(len(shape))]
    is_given = transformation == "tf_crop_and_resize" and node.get(1) is not None
    regions = region_of(_numbers(node, node[1]), axes) if is_given else {}
    found: dict[int, Resampling] = {}
    for axis, number in wanted.items():
        before = shape[axis]
        after = int(before * number) if by == "scales" else int(number)
        found[axis] = Resampling(
            node("mode", "nearest"),
            transformation,
            nearest,
            bool(node("antialias", 0)),
            bool(node("exclude_outside", 0)),
            float(node("cubic_coeff_a", -0.75)),
            before,
            after,
            number if by == "scales" else after / before,
            regions.get(axis, (0.0, 1.0)),
        )
    return found


def _resampled(
    node: Node,
    wanted: dict[int, float] | dict[int, int],
    by: str,
    transformation: str,
    nearest: str,
) -> SSAValue:
    """
    Products with the matrices of weights along each axis; elements outside of the cropped region are
    `extrapolation_value`.
    """
    x, write, element = node[0], node.write, node.element()
    rank, shape = node.rank(), shape_of(node[0])
    if any(shape[axis] == DYNAMIC_INDEX for axis in wanted):
        raise node.refuse(
            f"coordinate_transformation_mode '{transformation}', antialias and exclude_outside need known sizes; give "
            "the model's inputs fixed shapes"
        )
    value = write.converted(x, f64 if element == f64 else f32)
    type = tensor(value).element_type
    outside: SSAValue | None = None
    for axis, how in _resamplings(node, wanted, by, transformation, nearest).items():
        order = [d for d in range(rank) if d != axis] + [axis]
        matrix = blob_of(how.weights().astype(dtype_of(type)))
        transposed = write.transposed(value, order)
        product = write(nn.MatMulOp, transposed, write.constant(matrix), transpose_b=True)
        value = write.transposed(product, [order.index(d) for d in range(rank)])
        if (missing := how.outside()).any():
            flags = blob_of(missing.reshape([-1 if d == axis else 1 for d in range(rank)]))
            here = write.constant(flags)
            outside = here if outside is None else write(nn.LogicalOrOp, outside, here)
    if outside is not None:
        value = write(
            nn.SelectOp,
            outside,
            write.scalar_like(value, float(node("extrapolation_value", 0.0))),
            value,
        )
    if is_integer(element):
        value = write.clamp(write(nn.RoundOp, value, mode="half_to_even"), *limits_of(element))
    return write.converted(value, element)


def _interpolated(
    node: Node,
    wanted: dict[int, float] | dict[int, int],
    by: str,
    transformation: str,
    nearest: str,
) -> SSAValue:
    """An `nn.interpolate` over the dimensions that change."""
    x, write = node[0], node.write
    shape = shape_of(x)
    if len(wanted) not in (0, len(shape)) and "axes" not in node.attributes:
        raise node.refuse(f"has {len(wanted)} {by} for an input of {len(shape)} dimensions")
    moved = {
        axis: number
        for axis, number in wanted.items()
        if number != (1 if by == "scales" else shape[axis])
    }
    crops = transformation == "tf_crop_and_resize"
    if (
        crops
        or transformation not in TRANSFORMATIONS
        or _has_own_weights(node)
        or _has_fractions(node, moved, by, transformation)
    ):
        return _resampled(node, wanted if crops else moved, by, transformation, nearest)
    if not moved:
        return x
    if by == "scales":
        type = TensorType(f32, [len(moved)])
        target = write.constant(BlobAttr.of(type, list(moved.values())))
    else:
        target = write.integers(*(int(number) for number in moved.values()))
    return _written(node, target, list(moved), by, transformation, nearest)


def _written(
    node: Node, target: SSAValue, axes: list[int], by: str, transformation: str, nearest: str
) -> SSAValue:
    return node.write(
        nn.InterpolateOp,
        node[0],
        target,
        node.write.integers(*axes),
        mode=node.choice("mode", "nearest", MODES),
        shape_calculation_mode=by,
        coordinate_transformation_mode=transformation,
        nearest_mode=nearest,
        cube_coeff=float(node("cubic_coeff_a", -0.75)),
        pads_begin=[],
        pads_end=[],
    )
