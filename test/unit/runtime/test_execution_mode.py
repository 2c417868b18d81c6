"""What `EXECUTION_MODE_HINT` decides: whether convolutions of f32 are computed in transformed tiles."""

import numpy as np
import pytest

import lowstream
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor


def text(lines: int, channels: int) -> str:
    """A convolution with a residual and a relu; -1 lines are any number."""
    size = "?" if lines < 0 else str(lines)
    x, w = (
        f"tensor<{sizes}xf32>" for sizes in (f"1x{channels}x{size}x9", f"{channels}x{channels}x3x3")
    )
    rng = np.random.default_rng(0)
    filters = rng.normal(size=(channels, channels, 3, 3)).astype(np.float32).tobytes().hex()
    return f"""func.func @main(%x: {x} {{nn.names = ["X"]}}) -> ({x} {{nn.names = ["Y"]}}) {{
  %w = nn.constant dense<"0x{filters}"> : {w}
  %0 = nn.convolution %x, %w {{strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>}} : ({x}, {w}) -> {x}
  %1 = nn.add %0, %x : ({x}, {x}) -> {x}
  %y = nn.relu %1 : {x}
  func.return %y : {x}
}}"""


def compiled(
    mode: str, lines: int = 10, channels: int = 32, threads: int = 1
) -> lowstream.CompiledModel:
    module = parse_module(text(lines, channels), "convolution.mlir", context())
    return lowstream.compile_model(
        module, "CPU", {"EXECUTION_MODE_HINT": mode}, num_threads=threads
    )


@pytest.fixture(scope="module")
def x() -> Array:
    return np.random.default_rng(1).normal(size=(1, 32, 10, 9)).astype(np.float32)


@pytest.fixture(scope="module")
def wanted(x: Array) -> Array:
    (found,) = Executor(parse_module(text(10, 32), "convolution.mlir", context())).run([x])
    return found


def test_accuracy_sums_products_themselves(x: Array, wanted: Array):
    """So filters take no more memory than they do in the model."""
    model = compiled("ACCURACY")
    np.testing.assert_allclose(model([x])[0], wanted, 0, 1e-6 * np.abs(wanted).max())
    filters = 32 * 32 * 9 * 4
    assert len(model.executable().weights) == filters
    assert len(compiled("PERFORMANCE").executable().weights) == 4 * filters


def test_performance_is_near(x: Array, wanted: Array):
    found = compiled("PERFORMANCE")([x])[0]
    assert 0 < np.abs(found - wanted).max() < 1e-5 * np.abs(wanted).max()


def test_threads_change_nothing():
    """Where a convolution takes long enough to be divided."""
    one, three = (compiled("PERFORMANCE", 50, 64, threads) for threads in (1, 3))
    assert (one.executable().threads, three.executable().threads) == (1, 3)
    x = np.random.default_rng(2).normal(size=(1, 64, 50, 9)).astype(np.float32)
    np.testing.assert_array_equal(one([x])[0], three([x])[0])


def test_unknown_sizes_are_known_when_it_is_decided(x: Array):
    found = compiled("PERFORMANCE", lines=-1)([x])[0]
    np.testing.assert_array_equal(found, compiled("PERFORMANCE")([x])[0])
