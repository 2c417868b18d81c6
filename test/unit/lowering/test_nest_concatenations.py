"""The layers of a dense block concatenate the results of all layers before in place."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context, kernel
from lowstream.lowering.lower_to_kernels import lower
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor

LAYERS = 5


def dense_block(results: int) -> ModuleOp:
    """The last concatenations of a block are results."""
    text, joined = "", list[str]()
    types = ["tensor<1x2x5xf32>"]
    for n in range(1, LAYERS + 1):
        wide = f"tensor<1x{n + 1}x5xf32>"
        if n > 1:
            names = ", ".join(f"%x{i}" for i in range(n))
            text += (
                f"%c{n} = nn.concat {names} {{axis = 1 : i64}} : ({', '.join(types)}) -> {wide}\n"
            )
            joined.append(f"%c{n} : {wide}")
        source = f"%c{n}" if n > 1 else "%x0"
        text += (
            f"%r{n} = nn.reduce_sum {source}, %axis {{keep_dims = true}} : "
            f"({wide}, tensor<1xi64>) -> tensor<1x1x5xf32>\n"
            f"%x{n} = nn.relu %r{n} : tensor<1x1x5xf32>\n"
        )
        types.append("tensor<1x1x5xf32>")
    last = [f"%x{LAYERS} : tensor<1x1x5xf32>", *joined[len(joined) - results :]]
    names, kinds = zip(*(each.split(" : ") for each in last), strict=True)
    return Parser(
        context(),
        f"func.func @main(%x0: {types[0]}) -> ({', '.join(kinds)}) {{\n"
        f"%axis = nn.constant dense<1> : tensor<1xi64>\n{text}"
        f"func.return {', '.join(names)} : {', '.join(kinds)} }}",
    ).parse_module()


@pytest.mark.parametrize(("results", "copies"), [(0, 1), (1, 1), (2, 2), (4, 4)])
def test_a_dense_block_copies_its_input_and_what_is_a_result(results: int, copies: int):
    module = dense_block(results)
    program = lower(module)
    assert sum(isinstance(op, kernel.CopyOp) for op in program.walk()) == copies
    x = np.random.default_rng(0).standard_normal((1, 2, 5)).astype(np.float32)
    wanted, have = Executor(module).run([x]), ProgramExecutor(program).run([x])
    for one, other in zip(wanted, have, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
