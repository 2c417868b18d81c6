"""Functions, normalizations, reductions and selections, each over x [2, 4]."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset2 as opset2
import openvino.opset7 as opset7
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
    number,
    numbers,
    whole,
)


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
    for how in ("add", "max"):
        yield (
            f"normalize_l2/none {how}",
            lambda x, h=how: opset.normalize_l2(opset.floor(x), numbers(), 0.5, h),
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


TENSOR_OPERATIONS: dict[str, Build] = {
    **dict(functions()),
    **dict(bits()),
    **dict(cumulative()),
    **dict(channel_normalizations()),
    **dict(indices()),
    **dict(attention()),
    **dict(reductions()),
    **dict(normalizations()),
    **dict(selections()),
}  # fmt: skip
"""By name of our operation; after a slash, what is tried of it."""
