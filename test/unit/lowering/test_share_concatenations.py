"""Layers that read the results of all layers before them: what lies in one buffer is not copied."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, kernel
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa
from lowstream.reference.executor import Executor
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.lowering.codegen.native import Native

LAYERS = 4


def dense_block(batch: int) -> ModuleOp:
    """Each layer is a convolution of tanh of the input and of the results of all layers before it."""
    text, results, part = "", ["%x"], f"tensor<{batch}x2x5xf32>"
    for n in range(1, LAYERS + 1):
        whole = f"tensor<{batch}x{2 * n}x5xf32>"
        filters = f"tensor<2x{2 * n}x3xf32>"
        text += f"""
  %c{n} = nn.concat {", ".join(results)} {{axis = 1 : i64}} : ({", ".join([part] * n)}) -> {whole}
  %t{n} = nn.tanh %c{n} : {whole}
  %w{n} = nn.constant dense<0.{n}> : {filters}
  %y{n} = nn.convolution %t{n}, %w{n} {{strides = array<i64: 1>, pads_begin = array<i64: 1>,
      pads_end = array<i64: 1>, dilations = array<i64: 1>}} : ({whole}, {filters}) -> {part}"""
        results.append(f"%y{n}")
    main = f"func.func @main(%x: {part}) -> {part} {{{text} func.return %y{LAYERS} : {part} }}"
    return Parser(context(), main).parse_module()


@each_isa
@pytest.mark.parametrize("batch", [1, 3])
def test_the_input_alone_is_copied(batch: int, isa: Isa):
    module = dense_block(batch)
    inputs = [np.linspace(-2, 2, batch * 10, dtype=np.float32).reshape(batch, 2, 5)]
    wanted = Executor(module).run(inputs)
    program = lower(module, isa.name)
    copied = [op.source for op in program.walk() if isinstance(op, kernel.CopyOp)]
    assert all(source in program.input_args for source in copied)
    for have, right in zip(Native(program, isa).run(inputs), wanted, strict=True):
        np.testing.assert_allclose(have, right, atol=1e-6)
