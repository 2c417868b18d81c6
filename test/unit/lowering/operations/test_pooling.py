"""Large windows are pooled along one dimension after the other, images channels first stay so; nothing changes."""

from typing import NamedTuple

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import lowstream
from lowstream.dialects import context, kernel
from lowstream.lowering.nn_to_kernels import NnToKernels
from lowstream.reference.executor import Executor

Numbers = tuple[int, ...]


class Case(NamedTuple):
    """A pooling, and the number of reductions that it becomes."""

    name: str
    type: str
    window: Numbers
    strides: Numbers
    dilations: Numbers
    pads: Numbers
    reductions: int

    @property
    def tolerance(self) -> float:
        """Means round, maxima do not."""
        return 1e-6 if self.name == "avg_pool" else 0


CASES = [
    Case("max_pool", "f32", (5, 5), (1, 1), (1, 1), (2, 2), 2),
    Case("max_pool", "i8", (5, 6), (1, 1), (1, 1), (2, 0), 2),
    Case("max_pool", "ui8", (5, 5), (1, 1), (2, 1), (4, 2), 2),
    Case("max_pool", "ui64", (5, 5), (1, 1), (1, 1), (2, 2), 2),
    Case("max_pool", "f16", (7, 7), (2, 1), (1, 1), (3, 3), 2),
    Case("avg_pool", "f32", (7, 7), (1, 1), (1, 1), (3, 3), 2),
    Case("avg_pool", "i8", (5, 5), (1, 1), (1, 1), (2, 2), 2),
    Case("avg_pool", "ui8", (7, 5), (1, 1), (1, 1), (0, 2), 2),
    Case("max_pool", "f32", (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1), 2),
    Case("max_pool", "ui64", (7, 7, 7), (1, 1, 1), (1, 1, 1), (3, 3, 3), 3),
    Case("avg_pool", "f32", (7, 7, 7), (1, 1, 1), (1, 1, 1), (3, 3, 3), 3),
    Case("max_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 1),
    Case("max_pool", "f32", (5, 5), (5, 5), (1, 1), (0, 0), 1),
    Case("max_pool", "f32", (13, 11), (1, 1), (1, 1), (0, 0), 1),
    Case("avg_pool", "f32", (9,), (1,), (1,), (4,), 1),
]


@pytest.mark.parametrize("case", CASES)
def test_large_windows_are_pooled_in_steps(case: Case):
    module = pooled(case, (13, 11, 5)[: len(case.window)], is_input=False)
    assert check(module, case.tolerance)[0] == case.reductions


WIDE = [
    Case("max_pool", "f32", (3, 3), (2, 2), (1, 1), (1, 1), 9),
    Case("max_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 9),
    Case("max_pool", "ui64", (3, 2), (1, 2), (1, 1), (1, 0), 3),
    Case("max_pool", "i8", (3, 3), (2, 1), (2, 1), (2, 0), 3),
    Case("max_pool", "f16", (2, 2), (2, 2), (1, 1), (0, 0), 1),
    Case("avg_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 9),
    Case("avg_pool", "ui8", (3, 3), (1, 2), (1, 1), (0, 1), 3),
    Case("avg_pool", "f32", (3,), (1,), (1,), (1,), 3),
]


@pytest.mark.parametrize("case", WIDE)
@pytest.mark.parametrize("excluded", [True, False])
def test_images_channels_first_are_pooled_in_regions(case: Case, excluded: bool):
    """Nothing is padded. Rows are as wide as some vectors and a part of one."""
    module = pooled(case, (9, 53)[-len(case.window) :], excluded)
    assert check(module, case.tolerance) == (case.reductions, 0)


ALONG_ROWS = [
    Case("max_pool", "f32", (5, 5), (1, 1), (1, 1), (2, 2), 6),
    Case("max_pool", "ui64", (7, 6), (1, 2), (1, 2), (3, 1), 8),
    Case("max_pool", "i8", (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1), 4),
    Case("max_pool", "f16", (7, 7, 7), (1, 1, 1), (1, 1, 1), (0, 0, 0), 3),
    Case("avg_pool", "f32", (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1), 4),
    Case("avg_pool", "ui8", (5, 5, 5), (1, 1, 2), (1, 1, 1), (2, 0, 1), 7),
    Case("avg_pool", "ui8", (3, 4), (1, 2), (1, 1), (0, 1), 2),
    Case("avg_pool", "f32", (2, 2, 2), (1, 1, 2), (1, 1, 1), (1, 1, 1), 10),
    Case("max_pool", "f32", (3, 3, 3), (3, 3, 3), (1, 1, 1), (0, 0, 0), 2),
    Case("max_pool", "f16", (3, 3, 3), (2, 2, 2), (1, 1, 1), (1, 0, 1), 4),
    Case("avg_pool", "f32", (7, 7), (3, 3), (1, 1), (3, 3), 4),
    Case("max_pool", "ui64", (7, 7, 7), (1, 2, 1), (1, 1, 1), (0, 3, 3), 3),
]


@pytest.mark.parametrize("case", ALONG_ROWS)
@pytest.mark.parametrize("excluded", [True, False])
def test_images_channels_first_are_pooled_in_steps(case: Case, excluded: bool):
    """
    First along leading dimensions, in regions of these; then what is kept is padded. Strides that leave gaps in rows
    are worth more steps, and so is an input that would be padded.
    """
    module = pooled(case, (9, 11, 53)[-len(case.window) :], excluded)
    assert check(module, case.tolerance) == (case.reductions, int(any(case.pads)))


OF_STRIDES = [
    Case("max_pool", "f32", (20,), (4,), (1,), (0,), 2),
    Case("max_pool", "i8", (12,), (3,), (1,), (5,), 2),
    Case("avg_pool", "f32", (1, 20), (2, 2), (1, 1), (0, 9), 2),
    Case("avg_pool", "ui8", (16,), (4,), (1,), (0,), 2),
    Case("max_pool", "f32", (21,), (4,), (1,), (0,), 1),  # no whole strides
    Case("max_pool", "f32", (4,), (2,), (1,), (0,), 1),  # too few
    Case("max_pool", "f32", (10,), (2,), (3,), (0,), 1),
]


@pytest.mark.parametrize("case", OF_STRIDES)
@pytest.mark.parametrize("excluded", [True, False])
def test_windows_that_overlap_share_strides(case: Case, excluded: bool):
    module = pooled(case, (3, 75)[-len(case.window) :], excluded)
    assert check(module, case.tolerance) == (case.reductions, int(any(case.pads)))


def test_narrow_rows_are_padded():
    """Rows of less than half a vector."""
    case = Case("max_pool", "f32", (3, 3), (1, 1), (1, 1), (1, 1), 1)
    assert check(pooled(case, (9, 7)), case.tolerance)[1] == 1


@pytest.mark.parametrize("is_input", [True, False])
def test_a_border_at_the_end_alone_leaves_fewer_elements_there(is_input: bool):
    """Means at the beginning are of whole windows."""
    x = "%x" if is_input else "%a"
    source = f"""
        func.func @main(%x: tensor<2x3x9x53xf32>) -> tensor<2x3x9x53xf32> {{
          %a = nn.abs %x : tensor<2x3x9x53xf32>
          %y = nn.avg_pool {x} {{kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
              pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>, exclude_pad = true}}
              : tensor<2x3x9x53xf32> -> tensor<2x3x9x53xf32>
          func.return %y : tensor<2x3x9x53xf32>
        }}"""
    _, paddings = check(Parser(context(), source).parse_module(), 1e-6)
    assert paddings == (not is_input)


@pytest.mark.parametrize("name", ["max_pool", "avg_pool"])
def test_windows_of_padding_alone_are_no_region(name: str):
    """A region reads at least one element of the image."""
    case = Case(name, "f32", (2,), (1,), (1,), (2,), 1)
    assert check(pooled(case, (53,)), case.tolerance) == (1, 1)


def pooled(case: Case, sizes: Numbers, excluded: bool = True, is_input: bool = True) -> ModuleOp:
    """A pooling of images of these sizes, inputs or magnitudes of one."""
    name, type, window, strides, dilations, pads, _ = case
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


ADAPTIVE = """
func.func @main(%x: tensor<2x3x7x5xf32>) -> tensor<2x3x3x5xf32> {
  %sizes = nn.constant dense<[3, 5]> : tensor<2xi64>
  %y = nn.adaptive_avg_pool %x, %sizes : (tensor<2x3x7x5xf32>, tensor<2xi64>) -> tensor<2x3x3x5xf32>
  func.return %y : tensor<2x3x3x5xf32>
}
"""


@pytest.mark.parametrize("special", [np.nan, np.inf])
def test_what_is_not_finite_stays_in_the_windows_that_see_it(special: float):
    module = Parser(context(), ADAPTIVE).parse_module()
    x = np.random.default_rng(0).normal(size=(2, 3, 7, 5)).astype(np.float32)
    x[0, 1, 6, 2] = special
    wanted = np.stack([x[:, :, i:j].mean(2) for i, j in ((0, 3), (2, 5), (4, 7))], 2)
    compiled = lowstream.compile_model(module).create_infer_request()
    for found in (Executor(module).run([x])[0], compiled.infer([x])[0]):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
