"""Models that tests of the cache compile, and what lies in its folder then."""

from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, i8

import lowstream
from lowstream.dialects.blob import Blob, BlobAttr
from lowstream.lowering.codegen.weights_image import WeightsImage
from lowstream.runtime import build
from lowstream.runtime.cache.cache import Cache
from lowstream.runtime.cache.keys import Options
from lowstream.runtime.executable import Executable
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import START

ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1
OPTIONS = Options("auto", False, 1)
KEYS = [letter * 64 for letter in "abcd"]


def compile_sums(**options: Any) -> np.ndarray:
    compiled = lowstream.compile_model(runtime_models.module(runtime_models.SUMS), **options)
    return compiled([ONES])[0]


def save(path: Path, value: float) -> Path:
    """A model with its weights in a file beside it: `Y = X * value`, element by element."""
    size = 2048
    module = runtime_models.module(f"""
        func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
          %w = nn.constant dense<"0x{(np.arange(size, dtype=np.float32) * value).tobytes().hex()}"> : tensor<{size}xf32>
          %y = nn.multiply %x, %w : (tensor<{size}xf32>, tensor<{size}xf32>) -> tensor<{size}xf32>
          func.return %y : tensor<{size}xf32>
        }}""")
    lowstream.save_model(module, path)
    return path


def scaled(path: Path) -> float:
    """The `value` with which the compiled model multiplies."""
    return float(lowstream.compile_model(path)([np.ones(2048, np.float32)])[0][1])


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def sums() -> Executable:
    return build.build(runtime_models.module(runtime_models.SUMS), None, False, 1)


def store(
    cache: Cache, key: str, executable: Executable, *, is_streamed: bool = False
) -> Executable:
    """Keeps an executable whose weights are in memory."""
    weights = memoryview(executable.weights)
    blob = Blob(TensorType(i8, [weights.nbytes]), weights)
    return cache.store(key, executable, WeightsImage(((0, BlobAttr(blob)),), is_streamed))
