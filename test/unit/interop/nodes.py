"""What OpenVINO graphs are made of in tests."""

from typing import Any

import numpy as np
import numpy.typing as npt
import openvino.opset15 as opset

Array = npt.NDArray[Any]

AXES = np.int64


def constant(values: npt.ArrayLike, dtype: npt.DTypeLike = np.float32) -> Any:
    return opset.constant(np.array(values, dtype))


def noise(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)
