"""Operations of TensorFlow that sort, scatter and quantize, against what NumPy computes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.passes.tensorflow.test_operations import (
    ANY,
    T,
    X,
    Y,
    ints,
    module,
    scalar,
    unary,
)

PLACES = "tensor<2x1xi32>"


def scattered(name: str, first: str = "%x, ", last: str = "", sizes: str = "") -> str:
    """Rows 1 and 1 of `x`, or of zeros, updated with `y`."""
    types = ", ".join(([T] if first else []) + [PLACES, T] + ([sizes] if sizes else []))
    return (
        f'%i = "tf.Const"() {{value = dense<1> : {PLACES}}} : () -> {PLACES}\n'
        f'%r = "tf.{name}"({first}%i, %y{last}) : ({types}) -> {ANY}'
    )


def vector(name: str, *numbers: float) -> str:
    return ints(name, *numbers).replace("xi32", "xf32")


def at_one(reduce: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def expected(x: Any, y: Any) -> Any:
        found = x.copy()
        for update in y:
            found[1] = reduce(found[1], update)
        return found

    return expected


def indices(name: str, axis: int) -> str:
    return (
        scalar("a", axis)
        + f'%i = "tf.{name}"(%x, %a) : ({T}, tensor<i32>) -> tensor<*xi64>\n'
        + f'%r = "tf.Cast"(%i) : (tensor<*xi64>) -> {ANY}'
    )


def quantized(low: Any, high: Any, bits: int = 8, narrow: bool = False) -> Callable[..., Any]:
    """As TensorFlow's documentation moves the interval, but halves go to even numbers."""

    def expected(x: Any, y: Any) -> Any:
        first, last = int(narrow), 2**bits - 1
        step = (np.float32(high) - np.float32(low)) / np.float32(last - first)
        zero = np.clip(np.floor(first - np.float32(low) / step + 0.5), first, last)
        codes = np.clip(np.round(x / step) + zero, first, last)
        return (codes - zero) * step

    return expected


CASES: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "TopKV2": (
        scalar("k", 2)
        + f'%r, %i = "tf.TopKV2"(%x, %k) : ({T}, tensor<i32>) -> ({ANY}, tensor<*xi32>)',
        lambda x, y: -np.sort(-x, -1)[..., :2],
    ),
    "ArgMax": (indices("ArgMax", -1), lambda x, y: x.argmax(-1)),
    "ArgMin": (indices("ArgMin", 1), lambda x, y: x.argmin(1)),
    "Cumsum": (
        scalar("a", -2)
        + f'%r = "tf.Cumsum"(%x, %a) {{exclusive = true, reverse = true}} : ({T}, tensor<i32>) -> {ANY}',
        lambda x, y: x[:, ::-1].cumsum(1)[:, ::-1] - x,
    ),
    "Where": (
        (
            f'%p = "tf.Relu"(%x) : ({T}) -> {ANY}\n'
            f'%w = "tf.Where"(%p) : ({ANY}) -> tensor<*xi64>\n'
            f'%r = "tf.Cast"(%w) : (tensor<*xi64>) -> {ANY}'
        ),
        lambda x, y: np.argwhere(x > 0),
    ),
    "TensorScatterUpdate": (scattered("TensorScatterUpdate"), at_one(lambda a, b: b)),
    "TensorScatterAdd": (scattered("TensorScatterAdd"), at_one(np.add)),
    "TensorScatterSub": (scattered("TensorScatterSub"), at_one(np.subtract)),
    "TensorScatterMax": (scattered("TensorScatterMax"), at_one(np.maximum)),
    "TensorScatterMin": (scattered("TensorScatterMin"), at_one(np.minimum)),
    "ScatterNd": (
        ints("s", 2, 3, 4) + scattered("ScatterNd", "", ", %s", "tensor<3xi32>"),
        lambda x, y: at_one(np.add)(0 * x, y),
    ),
    "FakeQuantWithMinMaxArgs": (
        unary("FakeQuantWithMinMaxArgs", "min = -0.93 : f32, max = 1.2 : f32, num_bits = 4 : i64"),
        quantized(-0.93, 1.2, 4),
    ),
    "FakeQuantWithMinMaxVars": (
        scalar("l", 0.1, "f32")
        + scalar("h", 1.5, "f32")
        + '%r = "tf.FakeQuantWithMinMaxVars"(%x, %l, %h) {narrow_range = true} '
        + f": ({T}, tensor<f32>, tensor<f32>) -> {ANY}",
        quantized(0.1, 1.5, narrow=True),
    ),
    "FakeQuantWithMinMaxVarsPerChannel": (
        vector("l", -1.0, -0.5, 0.0, -2.0)
        + vector("h", 1.0, 0.7, 1.3, -0.1)
        + '%r = "tf.FakeQuantWithMinMaxVarsPerChannel"(%x, %l, %h) '
        + f": ({T}, tensor<4xf32>, tensor<4xf32>) -> {ANY}",
        quantized([-1.0, -0.5, 0.0, -2.0], [1.0, 0.7, 1.3, -0.1]),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_operation(name: str):
    body, expected = CASES[name]
    model = module(body)
    run_passes(model, "legalize-tf-to-nn")
    (result,) = Executor(model).run([X, Y])
    np.testing.assert_allclose(result, expected(X, Y), rtol=2e-5, atol=1e-5)
