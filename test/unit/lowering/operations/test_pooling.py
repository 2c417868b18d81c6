"""Large windows are pooled along one dimension after the other, and give what they give at once."""

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.parser import Parser

import lowstream
from lowstream.dialects import context, kernel
from lowstream.lowering.nn_to_kernels import NnToKernels
from lowstream.reference.executor import Executor

CASES = [
    ("max_pool", "f32", (5, 5), (1, 1), (1, 1), (2, 2), 2),
    ("max_pool", "i8", (5, 6), (1, 1), (1, 1), (2, 0), 2),
    ("max_pool", "ui8", (5, 5), (1, 1), (2, 1), (4, 2), 2),
    ("max_pool", "ui64", (5, 5), (1, 1), (1, 1), (2, 2), 2),
    ("max_pool", "f16", (7, 7), (2, 1), (1, 1), (3, 3), 2),
    ("avg_pool", "f32", (7, 7), (1, 1), (1, 1), (3, 3), 2),
    ("avg_pool", "i8", (5, 5), (1, 1), (1, 1), (2, 2), 2),
    ("avg_pool", "ui8", (7, 5), (1, 1), (1, 1), (0, 2), 2),
    ("max_pool", "f32", (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1), 2),
    ("max_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 1),
    ("max_pool", "f32", (5, 5), (5, 5), (1, 1), (0, 0), 1),
    ("max_pool", "f32", (13, 11), (1, 1), (1, 1), (0, 0), 1),
    ("avg_pool", "f32", (9,), (1,), (1,), (4,), 1),
]


@pytest.mark.parametrize(("name", "type", "window", "strides", "dilations", "pads", "count"), CASES)
def test_large_windows_are_pooled_in_two_steps(
    name: str,
    type: str,
    window: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
    pads: tuple[int, ...],
    count: int,
):
    sizes = (13, 11, 5)[: len(window)]
    shape = "x".join(map(str, (2, 3, *sizes)))
    made = "x".join(
        str((size + 2 * pad - (extent - 1) * dilation - 1) // stride + 1)
        for size, pad, extent, dilation, stride in zip(
            sizes, pads, window, dilations, strides, strict=True
        )
    )
    settings = {
        "kernel": window,
        "strides": strides,
        "pads_begin": pads,
        "pads_end": pads,
        "dilations": dilations,
    }
    text = ", ".join(
        f"{key} = array<i64: {', '.join(map(str, value))}>" for key, value in settings.items()
    )
    if name == "avg_pool":
        text += ", exclude_pad = true"
    source = f"""
        func.func @main(%x: tensor<{shape}x{type}>) -> tensor<2x3x{made}x{type}> {{
          %y = nn.{name} %x {{{text}}} : tensor<{shape}x{type}> -> tensor<2x3x{made}x{type}>
          func.return %y : tensor<2x3x{made}x{type}>
        }}"""
    module = Parser(context(), source).parse_module()
    rng = np.random.default_rng(0)
    dtype = lowstream.compile_model(module, num_threads=1).inputs[0].dtype
    if dtype.kind == "f":
        feed = [(rng.normal(size=(2, 3, *sizes)) * 50).astype(dtype)]
    else:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        feed = [rng.integers(low, high, (2, 3, *sizes), dtype, endpoint=True)]
    (wanted,) = Executor(module).run(feed)
    tolerance = 1e-6 if dtype.kind == "f" and name == "avg_pool" else 0
    native = lowstream.compile_model(module, num_threads=1)(feed)[0]
    NnToKernels().apply(Context(), module)
    assert sum(isinstance(op, kernel.ReduceOp) for op in module.walk()) == count
    (lowered,) = Executor(module).run(feed)
    for found in (native, lowered):
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * 50)
