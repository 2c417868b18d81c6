"""
Weights of 7 bits, whose products with codes of 8 bits peers add right on every CPU.

Without VNNI they multiply u8 by i8 with vpmaddubsw, which limits the sum of two products to 16 bits: ONNX Runtime,
whose quantizer therefore has `reduce_range`
(https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html), and OpenVINO, for which NNCF has
`overflow_fix`. Sums of ours are exact: tests of code generation take all 8 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lowstream.reference.arrays import Array

LARGEST = 64
"""Two products of it with 255 are less than 2**15."""


def narrow_weights(random: np.random.Generator, *shape: int) -> Array:
    """Codes of weights."""
    codes: Any = random.integers(-LARGEST, LARGEST, shape)
    return codes.astype(np.int8)
