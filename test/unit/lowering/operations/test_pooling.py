"""Large windows are pooled along one dimension after the other, images channels first in regions; nothing changes."""

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
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


Numbers = tuple[int, ...]


@pytest.mark.parametrize(("name", "type", "window", "strides", "dilations", "pads", "count"), CASES)
def test_large_windows_are_pooled_in_two_steps(
    name: str,
    type: str,
    window: Numbers,
    strides: Numbers,
    dilations: Numbers,
    pads: Numbers,
    count: int,
):
    settings = {"kernel": window, "strides": strides, "pads": pads, "dilations": dilations}
    module = pooled(name, type, (13, 11, 5)[: len(window)], settings, is_input=False)
    assert check(module, 1e-6 if name == "avg_pool" else 0)[0] == count


WIDE = [
    ("max_pool", "f32", (3, 3), (2, 2), (1, 1), (1, 1), 9),
    ("max_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 9),
    ("max_pool", "ui64", (3, 2), (1, 2), (1, 1), (1, 0), 3),
    ("max_pool", "i8", (3, 3), (2, 1), (2, 1), (2, 0), 3),
    ("max_pool", "f16", (2, 2), (2, 2), (1, 1), (0, 0), 1),
    ("avg_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 9),
    ("avg_pool", "ui8", (3, 4), (1, 2), (1, 1), (0, 1), 2),
    ("avg_pool", "f32", (3,), (1,), (1,), (1,), 3),
]


@pytest.mark.parametrize(("name", "type", "window", "strides", "dilations", "pads", "count"), WIDE)
@pytest.mark.parametrize("excluded", [True, False])
def test_images_channels_first_are_pooled_in_regions(
    name: str,
    type: str,
    window: Numbers,
    strides: Numbers,
    dilations: Numbers,
    pads: Numbers,
    count: int,
    excluded: bool,
):
    """Nothing is padded. Rows are as wide as some vectors and a part of one."""
    settings = {"kernel": window, "strides": strides, "pads": pads, "dilations": dilations}
    module = pooled(name, type, (9, 53)[-len(window) :], settings, excluded)
    assert check(module, 1e-6 if name == "avg_pool" else 0) == (count, 0)


def test_a_border_of_many_regions_is_padded():
    """As are rows of less than half a vector."""
    even = {"strides": (1, 1), "dilations": (1, 1)}
    for size, window, pads in (((9, 53), (5, 5), (2, 2)), ((9, 7), (3, 3), (1, 1))):
        module = pooled("max_pool", "f32", size, {"kernel": window, "pads": pads, **even})
        assert check(module, 0)[1] == 1


def pooled(
    name: str,
    type: str,
    sizes: Numbers,
    settings: dict[str, Numbers],
    excluded: bool = True,
    is_input: bool = True,
) -> ModuleOp:
    """A pooling of images of these sizes, inputs or magnitudes of one."""
    window, strides, pads, dilations = (
        settings[key] for key in ("kernel", "strides", "pads", "dilations")
    )
    shape = "x".join(map(str, (2, 3, *sizes)))
    made = "x".join(
        str((size + 2 * pad - (extent - 1) * dilation - 1) // stride + 1)
        for size, pad, extent, dilation, stride in zip(
            sizes, pads, window, dilations, strides, strict=True
        )
    )
    given = {
        "kernel": window,
        "strides": strides,
        "pads_begin": pads,
        "pads_end": pads,
        "dilations": dilations,
    }
    text = ", ".join(
        f"{key} = array<i64: {', '.join(map(str, value))}>" for key, value in given.items()
    )
    if name == "avg_pool":
        text += f", exclude_pad = {str(excluded).lower()}"
    source = f"""
        func.func @main(%x: tensor<{shape}x{type}>) -> tensor<2x3x{made}x{type}> {{
          %a = nn.abs %x : tensor<{shape}x{type}>
          %y = nn.{name} {"%x" if is_input else "%a"} {{{text}}} : tensor<{shape}x{type}> -> tensor<2x3x{made}x{type}>
          func.return %y : tensor<2x3x{made}x{type}>
        }}"""
    return Parser(context(), source).parse_module()


def check(module: ModuleOp, tolerance: float) -> tuple[int, int]:
    """Reference, kernels and machine code agree. Gives the number of reductions and of paddings."""
    rng = np.random.default_rng(0)
    (port,) = lowstream.compile_model(module, num_threads=1).inputs
    shape, dtype = tuple(port.shape), port.dtype
    if dtype.kind == "f":
        feed = [(rng.normal(size=shape) * 50).astype(dtype)]
    else:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        feed = [rng.integers(low, high, shape, dtype, endpoint=True)]
        tolerance = 0
    (wanted,) = Executor(module).run(feed)
    native = lowstream.compile_model(module, num_threads=1)(feed)[0]
    NnToKernels().apply(Context(), module)
    (lowered,) = Executor(module).run(feed)
    for found in (native, lowered):
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance * 50)
    ops = [*module.walk()]
    counts = (sum(isinstance(op, kind) for op in ops) for kind in (kernel.ReduceOp, kernel.PadOp))
    reductions, paddings = counts
    return reductions, paddings
