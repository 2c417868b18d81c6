"""What OpenVINO graphs are made of in tests."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino.opset15 as opset

Array = npt.NDArray[Any]

AXES = np.int64

Build = Callable[[Any], Any]
"""What makes an operation's results of x [2, 4]."""


def constant(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> Any:
    return opset.constant(np.array(values, dtype))


def noise(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def image(x: Any, *sizes: int) -> Any:
    """`[2, 4, *sizes]`, different everywhere."""
    flat = opset.reshape(x, constant([2, 4, *[1] * len(sizes)], AXES), False)
    return opset.multiply(flat, constant(noise(2, 4, *sizes, seed=9)))


def numbers(*values: int) -> Any:
    return constant(values, AXES)


def number(x: Any) -> Any:
    """One number of x, above 1."""
    total = opset.reduce_max(opset.absolute(x), numbers(0, 1), False)
    return opset.add(total, constant(1))


def whole(x: Any) -> Any:
    """Integers between -40 and 40."""
    return opset.convert(opset.multiply(x, constant(10)), "i32")
