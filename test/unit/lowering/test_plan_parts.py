"""What producers write where it lies in a whole is there when the whole is read."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.parser import Parser

from lowstream.dialects import context, kernel
from lowstream.lowering.codegen.dependences import MemoryAccess
from lowstream.lowering.lower_to_kernels import lower
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor


def check(text: str, *inputs: Array, calls: int = 1) -> None:
    """The program gives what the module gives, call after call."""
    module = Parser(context(), text).parse_module()
    module.verify()
    meant, planned = Executor(module), ProgramExecutor(lower(module, "portable"))
    for _ in range(calls):
        for want, have in zip(meant.run(inputs), planned.run(inputs), strict=True):
            np.testing.assert_allclose(have, want, rtol=1e-5)


def test_what_an_initial_value_is_put_together_of_may_be_read_elsewhere():
    check(
        """
        infra.variable @s : tensor<4xf32>
        func.func @main(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
          %axis = nn.constant dense<0> : tensor<i64>
          %a = nn.cum_sum %x, %axis : tensor<2xf32>, tensor<i64>
          %whole = nn.concat %a, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
          %s = infra.read_value @s, %whole : tensor<4xf32> -> tensor<4xf32>
          %next = nn.cum_sum %s, %axis : tensor<4xf32>, tensor<i64>
          infra.assign @s, %next : tensor<4xf32>
          %b = nn.cum_sum %a, %axis : tensor<2xf32>, tensor<i64>
          func.return %s, %b : tensor<4xf32>, tensor<2xf32>
        }""",
        np.array([1, 2], np.float32),
        calls=3,
    )


def test_zeros_between_elements_are_not_written_over_these():
    """A transposed convolution whose filters are computed spreads its input."""
    check(
        """
        func.func @main(%x: tensor<1x2x5xf32>, %w: tensor<2x3x3xf32>) -> tensor<1x3x11xf32> {
          %axis = nn.constant dense<2> : tensor<i64>
          %a = nn.cum_sum %x, %axis : tensor<1x2x5xf32>, tensor<i64>
          %y = nn.convolution_backprop_data %a, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>,
                pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>}
              : (tensor<1x2x5xf32>, tensor<2x3x3xf32>) -> tensor<1x3x11xf32>
          func.return %y : tensor<1x3x11xf32>
        }""",
        np.arange(10, dtype=np.float32).reshape(1, 2, 5),
        np.arange(18, dtype=np.float32).reshape(2, 3, 3) - 5,
    )


@pytest.mark.parametrize(
    ("low", "high", "borders"),
    [
        ([0, 1, 1, 0], [0, 1, 1, 0], 3),  # right and left are one
        ([0, 1, 2, 0], [0, 3, 1, 0], 3),
        ([0, 0, 1, 0], [0, 1, 1, 0], 3),  # no line in front: left, right, bottom
        ([0, 0, 0, 0], [0, 1, 1, 0], 2),
        ([1, 1, 1, 1], [1, 1, 1, 1], 5),
    ],
)
def test_borders_are_written_round_what_lies_between_them(
    low: list[int], high: list[int], borders: int
):
    """Of all dimensions, and with few kernels; none of them waits for the one that writes what they surround."""
    sizes = [2, 3, 2, 4]
    padded = [a + size + b for a, size, b in zip(low, sizes, high, strict=True)]
    x, y = ("x".join(map(str, shape)) + "xf32" for shape in (sizes, padded))
    text = f"""
        func.func @main(%x: tensor<{x}>) -> tensor<{y}> {{
          %low = nn.constant dense<{low}> : tensor<4xi64>
          %high = nn.constant dense<{high}> : tensor<4xi64>
          %filling = nn.constant dense<7.0> : tensor<f32>
          %a = nn.relu %x : tensor<{x}>
          %y = nn.pad %a, %low, %high, %filling {{pad_mode = "constant"}}
              : (tensor<{x}>, tensor<4xi64>, tensor<4xi64>, tensor<f32>) -> tensor<{y}>
          func.return %y : tensor<{y}>
        }}"""
    check(text, np.arange(48, dtype=np.float32).reshape(sizes) - 20)
    program = lower(Parser(context(), text).parse_module(), "portable")
    ops = [op for op in program.body.block.ops if isinstance(op, kernel.KernelOp)]
    written = {op: MemoryAccess.of(op.outs[0], is_write=True, is_shared=True) for op in ops}
    fills = [op for op in ops if not op.reads]
    (made,) = (op for op in ops if op.reads)
    assert len(fills) == borders
    assert not any(written[made].depends_on(written[fill]) for fill in fills)
