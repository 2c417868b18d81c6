"""Operations of networks beyond recurrent ones, each over x [2, 4]."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset2 as opset2
import openvino.opset7 as opset7
import openvino.opset8 as opset8
import openvino.opset15 as opset
import openvino.opset16 as opset16
from openvino.utils.node_factory import NodeFactory

from lowstream.test.unit.interop.nodes import AXES, constant, noise

Build = Callable[[Any], Any]


def image(x: Any, *sizes: int) -> Any:
    """`[2, 4, *sizes]`, different everywhere."""
    flat = opset.reshape(x, constant([2, 4, *[1] * len(sizes)], AXES), False)
    return opset.multiply(flat, constant(noise(2, 4, *sizes, seed=9)))


def functions() -> Iterator[tuple[str, Build]]:
    """Of numbers between about -4 and 4, or of such that their domain has."""
    for name in ("cos", "sin", "tan", "atan", "cosh", "sinh", "asinh"):
        yield name, getattr(opset, name)
    for name in ("asin", "acos", "atanh"):
        yield name, lambda x, n=name: getattr(opset, n)(opset.divide(x, constant(10)))
    yield "acosh", lambda x: opset.acosh(opset.add(opset.absolute(x), constant(1)))
    yield "mish", opset.mish
    yield "selu", lambda x: opset.selu(x, constant(1.6), constant(1.1))
    yield "soft_plus", opset.softplus
    yield "soft_sign", opset.softsign
    yield "mod", lambda x: opset.mod(x, constant(0.75))
    for name in ("nan", "inf", "finite"):
        yield f"is_{name}", lambda x, n=f"is_{name}": getattr(opset, n)(opset.log(opset.relu(x)))
    yield (
        "is_inf/positive",
        lambda x: opset.is_inf(opset.log(opset.relu(x)), {"detect_negative": False}),
    )
    yield "identity", opset16.identity
    yield "convert_like", lambda x: opset.convert_like(x, constant([1], np.int32))
    yield (
        "divide/truncated",
        lambda x: NodeFactory("opset1").create(
            "Divide",
            [whole(x).output(0), constant([2, -2, 3, 1], np.int32).output(0)],
            {"m_pythondiv": False},
        ),
    )


def channel_normalizations() -> Iterator[tuple[str, Build]]:
    for axis in (1, 0):
        yield f"log_softmax/{axis}", lambda x, a=axis: opset.log_softmax(x, a)
    gamma, beta, mean, variance = (constant(noise(4, seed=i)) for i in range(4))
    positive = opset.absolute(variance)
    yield (
        "batch_norm_inference",
        lambda x: opset.batch_norm_inference(image(x, 3), gamma, beta, mean, positive, 0.01),
    )
    yield (
        "batch_norm_inference/1",
        lambda x: opset1.batch_norm_inference(image(x, 3), gamma, beta, mean, positive, 0.01),
    )
    yield (
        "group_normalization",
        lambda x: opset.group_normalization(image(x, 3, 5), gamma, beta, 2, 0.01),
    )
    yield "grn", lambda x: opset.grn(image(x, 3, 5), 0.1)
    for axes, size in (([1], 3), ([2, 3], 3), ([1], 2)):
        yield (
            f"lrn/{axes} {size}",
            lambda x, a=axes, s=size: opset.lrn(
                image(x, 6, 5), constant(a, AXES), 0.5, 0.75, 1.0, s
            ),
        )


def cumulative() -> Iterator[tuple[str, Build]]:
    for exclusive in (False, True):
        for reverse in (False, True):
            yield (
                f"cum_sum/{exclusive} {reverse}",
                lambda x, e=exclusive, r=reverse: opset.cum_sum(
                    image(x, 7), constant(2, AXES), e, r
                ),
            )
    yield (
        "one_hot/from the end",
        lambda x: opset16.one_hot(
            opset.convert(x, "i32"), constant(3, AXES), constant(2), constant(1), -1, "normalize"
        ),
    )


def whole(x: Any) -> Any:
    """Integers between -40 and 40."""
    return opset.convert(opset.multiply(x, constant(10)), "i32")


def bits() -> Iterator[tuple[str, Build]]:
    for name in ("and", "or", "xor"):
        build = getattr(opset, f"bitwise_{name}")
        yield (
            f"bitwise_{name}",
            lambda x, b=build: b(whole(x), constant([5, 6, -7, 8], np.int32)),
        )
    yield "bitwise_not", lambda x: opset.bitwise_not(whole(x))
    yield "bitwise_not/truth", lambda x: opset.bitwise_not(opset.greater(x, constant(0)))
    for name in ("left", "right"):
        build = getattr(opset, f"bitwise_{name}_shift")
        yield (
            f"bitwise_{name}_shift",
            lambda x, b=build: b(whole(x), constant([0, 1, 3, 31], np.int32)),
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


def pooling() -> Iterator[tuple[str, Build]]:
    plain = [2, 2], [1, 0], [1, 1], [3, 3]
    dilated = [2, 2], [1, 2], [1, 0], [1, 1], [3, 2]

    def first(node: Any) -> Any:
        return [node.output(0)]

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
    yield "max_pool/8", lambda x: first(opset8.max_pool(image(x, 9, 8), *dilated))
    yield (
        "avg_pool/dilated",
        lambda x: opset16.avg_pool(image(x, 10, 9), *plain, False, dilations=[1, 2]),
    )


def indices() -> Iterator[tuple[str, Build]]:
    plain = [2, 2], [1, 2], [1, 0], [1, 1], [3, 2], "ceil"
    for axis in (0, 1, 2, -1):
        yield (
            f"max_pool/indices from dimension {axis}",
            lambda x, a=axis: opset.max_pool(image(x, 5, 6), *plain, None, "i32", a).outputs(),
        )
    yield (
        "max_pool/indices, same_lower",
        lambda x: opset8.max_pool(
            image(x, 5, 6), [2, 1], [1, 1], [], [], [3, 2], auto_pad="same_lower"
        ).outputs(),
    )
    sizes = ((7, 5), (3, 2)), ((6, 5), (2, 3)), ((4, 4), (2, 2)), ((3,), (5,))
    for before, after in sizes:
        yield (
            f"adaptive_avg_pool/{before} {after}",
            lambda x, b=before, a=after: opset.adaptive_avg_pool(image(x, *b), numbers(*a)),
        )
        yield (
            f"adaptive_max_pool/{before} {after}",
            lambda x, b=before, a=after: opset.adaptive_max_pool(
                image(x, *b), numbers(*a), "i32"
            ).outputs(),
        )


def attention() -> Iterator[tuple[str, Build]]:
    def attended(x: Any, *options: Any, causal: bool = False) -> Any:
        queries = opset.reshape(image(x, 4, 3), numbers(1, 2, 8, 6), False)
        keys, values = (constant(noise(1, 2, 5, n, seed=n)) for n in (6, 3))
        inputs = [each.output(0) for each in (queries, keys, values, *options)]
        attributes = {"causal": causal}
        return NodeFactory("opset16").create("ScaledDotProductAttention", inputs, attributes)

    scale, seen = constant(0.3), np.arange(40).reshape(8, 5) % 3 < 2
    masks = {
        "numbers": constant(noise(8, 5)),
        "of a head": constant(noise(2, 1, 5)),
        "truth": opset.constant(seen),
        "one": constant(0),
    }
    yield "scaled_dot_product_attention", attended
    yield (
        "scaled_dot_product_attention/causal",
        lambda x: attended(x, masks["one"], scale, causal=True),
    )
    for name, mask in masks.items():
        yield f"scaled_dot_product_attention/mask, {name}", lambda x, m=mask: attended(x, m)
    yield (
        "scaled_dot_product_attention/sink",
        lambda x: attended(x, masks["numbers"], scale, constant(noise(1, 2, 1, 1))),
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


def reductions() -> Iterator[tuple[str, Build]]:
    for kind in ("sum", "mean", "prod", "max", "min", "l1", "l2"):
        build = getattr(opset, f"reduce_{kind}")
        yield (
            f"reduce_{kind}",
            lambda x, b=build: b(image(x, 3), constant([1, -1], AXES), keep_dims=False),
        )
        yield f"reduce_{kind}/kept", lambda x, b=build: b(x, constant(1, AXES), keep_dims=True)
    for kind in ("and", "or"):
        build = getattr(opset, f"reduce_logical_{kind}")
        yield (
            f"reduce_logical_{kind}",
            lambda x, b=build: b(opset.greater(x, constant(0)), constant([1], AXES), True),
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


def numbers(*values: int) -> Any:
    return constant(values, AXES)


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


def normalizations() -> Iterator[tuple[str, Build]]:
    yield "softmax", lambda x: opset.softmax(x, -1)
    yield "softmax/1", lambda x: opset1.softmax(image(x, 3), 1)
    for mode in ("inside_sqrt", "outside_sqrt"):
        yield (
            f"mvn/{mode}",
            lambda x, m=mode: opset.mvn(image(x, 3, 5), numbers(2, 3), True, 0.01, m),
        )
    yield (
        "mvn/mean",
        lambda x: opset.mvn(image(x, 3, 5), numbers(1, -1, 2), False, 0.01, "inside_sqrt"),
    )
    for across in (True, False):
        yield (
            f"mvn/2 {across}",
            lambda x, a=across: opset2.mvn(image(x, 3, 5), a, True, 0.01),
        )
    for mode in ("add", "max"):
        yield (
            f"normalize_l2/{mode}",
            lambda x, m=mode: opset.normalize_l2(image(x, 3, 5), numbers(1), 0.5, m),
        )


def selections() -> Iterator[tuple[str, Build]]:
    yield "gather", lambda x: opset.gather(image(x, 3), numbers(2, -1, 0), constant(2, AXES))
    yield (
        "gather/batch",
        lambda x: opset.gather(
            image(x, 3), constant([[2, -1], [0, 1]], AXES), constant(1, AXES), 1
        ),
    )
    yield "gather/beyond", lambda x: opset.gather(x, numbers(9, 1), constant(1, AXES))
    yield "gather/1", lambda x: opset1.gather(x, numbers(3, 0), constant(1, AXES))
    yield "gather/7", lambda x: opset7.gather(x, constant([[1], [2]], AXES), constant(1, AXES), 1)
    places = numbers(1, 0, -2, 3), numbers(2, 3, 9, 0), numbers(1, 2, 1, -2)
    masks = {
        "plain": ([0, 0, 0, 0], [0, 0, 0, 0]),
        "open": ([1, 0, 1, 0], [0, 1, 0, 1]),
        "new": ([0] * 4, [0, 1, 0, 0], [0, 0, 1, 0]),
        "shrink": ([0] * 4, [0] * 4, [], [1, 0, 0, 1]),
        "ellipsis": ([0] * 4, [0] * 4, [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]),
    }
    for name, mask in masks.items():
        sizes = (3, 5, 4) if name == "new" else (5, 4)
        yield (
            f"strided_slice/{name}",
            lambda x, m=mask, s=sizes: opset.strided_slice(image(x, *s), *places, *m),
        )
    yield (
        "variadic_split",
        lambda x: opset.variadic_split(x, constant(-1, AXES), numbers(1, -1, 1)),
    )
    yield (
        "reverse_sequence",
        lambda x: opset.reverse_sequence(image(x, 3), constant([3, 2, 0, 1], np.int32), 1, 2),
    )
    yield "tile", lambda x: opset.tile(x, numbers(2, 1, 3))
    yield "tile/fewer", lambda x: opset.tile(x, numbers(3))
    yield (
        "range",
        lambda x: opset.range(opset.floor(number(x)), constant(9), constant(2), "i32"),
    )
    yield "range/1", lambda x: opset1.range(number(x), constant(-4), constant(-1.5))
    yield (
        "one_hot",
        lambda x: opset1.one_hot(
            opset.convert(x, "i32"), constant(3, AXES), constant(2), constant(-1), 1
        ),
    )


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
    # The CPU plugin leaves antialias out; of a constant, OpenVINO computes the result as specified.
    for height, sizes in ((9, (4, 3)), (4, (6, 5))):
        yield (
            f"interpolate/antialias, {height} rows to {sizes[0]}",
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


def number(x: Any) -> Any:
    """One number of x, above 1."""
    total = opset.reduce_max(opset.absolute(x), numbers(0, 1), False)
    return opset.add(total, constant(1))


NETWORK_OPERATIONS: dict[str, Build] = {
    **dict(functions()),
    **dict(bits()),
    **dict(cumulative()),
    **dict(channel_normalizations()),
    **dict(convolutions()),
    **dict(pooling()),
    **dict(indices()),
    **dict(attention()),
    **dict(grid_samples()),
    **dict(reductions()),
    **dict(padding()),
    **dict(blocks()),
    **dict(normalizations()),
    **dict(selections()),
    **dict(interpolations()),
}  # fmt: skip
"""By name of our operation; after a slash, what is tried of it."""
