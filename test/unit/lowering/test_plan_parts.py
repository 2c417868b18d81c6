"""What producers write where it lies in a whole is there when the whole is read."""

from __future__ import annotations

import numpy as np
from xdsl.parser import Parser

from lowstream.dialects import context
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
