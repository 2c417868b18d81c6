"""Loops mean the same with their ports raised, wherever counters start, stop and lead to."""

import logging
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context, infra
from lowstream.interop.mlir import parse_module
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

SMALL = st.integers(-3, 6)


@dataclass(frozen=True)
class Loop:
    """
    `while i compare limit: x += table[read(i)]; buffer[put(i)] = x; i += step`, with an iteration in front of the first
    test if it is not `tested_first`. `read` and `put` are a slope and an offset. A limit that is not `known` is an
    argument; it and the counter are compared as the type `compared`.
    """

    start: int = 0
    step: int = 1
    compare: str = "less"
    limit: int = 4
    read: tuple[int, int] = (1, 0)
    put: tuple[int, int] = (1, 0)
    rows: int = 4
    known: bool = True
    compared: str = "i32"
    tested_first: bool = True

    @property
    def module(self) -> ModuleOp:
        """The loop in a function of what `x`, the buffer and the table begin with."""
        table = f"tensor<{self.rows}x2xf32>"
        source = f"%limit = nn.constant dense<{self.limit}> : tensor<i32>" if self.known else ""
        given = "" if self.known else ", %limit: tensor<i32>"
        first = "%first = nn.constant dense<true> : tensor<i1>"
        if self.tested_first:
            first = self._comparison("first", "start", "limit")
        text = f"""
        func.func @main(%x0: tensor<1x2xf32>, %b0: {table}, %t0: {table}{given})
            -> (tensor<i32>, tensor<1x2xf32>, {table}) {{
          {source}
          %start = nn.constant dense<{self.start}> : tensor<i32>
          {first}
          {self._loop(table)}
          func.return %i9, %x9, %b9 : tensor<i32>, tensor<1x2xf32>, {table}
        }}"""
        return parse_module(text, "t", context())

    def _loop(self, table: str) -> str:
        types = f"tensor<i32>, tensor<1x2xf32>, {table}, {table}, tensor<i32>"
        merged = ", ".join(f"#infra.merged<result = {n}>" for n in range(5))
        last = ", ".join(f"#infra.iteration<result = {n}, iteration = -1>" for n in range(3))
        return f"""
        %free = nn.constant dense<12> : tensor<i64>
        %i9, %x9, %b9 = infra.loop %free, %first, %start, %x0, %b0, %t0, %limit inputs [{merged}] outputs [{last}]
            body_names ["i", "x", "b", "t", "n"] {{body_condition = 5 : i64}}
            : (tensor<i64>, tensor<i1>, {types}) -> (tensor<i32>, tensor<1x2xf32>, {table}) {{
        ^bb0(%i: tensor<i32>, %x: tensor<1x2xf32>, %b: {table}, %t: {table}, %n: tensor<i32>):
          {self._body(table)}
          infra.yield %j, %y, %c, %t, %n, %go : {types}, tensor<i1>
        }}"""

    def _body(self, table: str) -> str:
        return f"""
        %axis = nn.constant dense<0> : tensor<i64>
        %zero = nn.constant dense<0> : tensor<1xi64>
        %along = nn.constant dense<0> : tensor<1xi32>
        {_affine("r", *self.read)}
        {_affine("p", *self.put)}
        %row = nn.gather %t, %r, %axis {{batch_dims = 0 : i64}} : ({table}, tensor<i32>, tensor<i64>) -> tensor<2xf32>
        %y = nn.add %x, %row : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
        %pu = nn.unsqueeze %p, %zero : (tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
        %place = nn.concat %pu, %along {{axis = 0 : i64}} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
        %c = "tfl.dynamic_update_slice"(%b, %y, %place) : ({table}, tensor<1x2xf32>, tensor<2xi32>) -> {table}
        %step = nn.constant dense<{self.step}> : tensor<i32>
        %j = nn.add %i, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
        {self._comparison("go", "j", "n")}"""

    def _comparison(self, name: str, left: str, right: str) -> str:
        element = self.compared
        return f"""
        %{name}l = nn.convert %{left} to {element} : tensor<i32> -> tensor<{element}>
        %{name}r = nn.convert %{right} to {element} : tensor<i32> -> tensor<{element}>
        %{name} = nn.{self.compare} %{name}l, %{name}r : (tensor<{element}>, tensor<{element}>) -> tensor<i1>"""


def _affine(name: str, slope: int, offset: int) -> str:
    return f"""
    %{name}s = nn.constant dense<{slope}> : tensor<i32>
    %{name}o = nn.constant dense<{offset}> : tensor<i32>
    %{name}m = nn.multiply %i, %{name}s : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %{name} = nn.add %{name}m, %{name}o : (tensor<i32>, tensor<i32>) -> tensor<i32>"""


@settings(deadline=None, max_examples=60)
@given(
    st.builds(
        Loop,
        start=SMALL,
        step=st.integers(-2, 3),
        compare=st.sampled_from(["less", "less_equal", "greater", "greater_equal", "not_equal"]),
        limit=SMALL,
        read=st.tuples(st.integers(-2, 2), SMALL),
        put=st.tuples(st.integers(-2, 2), SMALL),
        rows=st.integers(1, 5),
        known=st.booleans(),
        compared=st.sampled_from(["i32", "i64", "f32", "bf16"]),
        tested_first=st.booleans(),
    )
)
def test_raised_loops_give_the_same(loop: Loop):
    module = loop.module
    module.verify()
    table = np.arange(2 * loop.rows, dtype=np.float32).reshape(loop.rows, 2)
    inputs = [np.ones((1, 2), np.float32), -table, table + 1]
    inputs += [] if loop.known else [np.array(loop.limit, np.int32)]
    expected = Executor(module).run(inputs)
    run_passes(module, "raise-loop-ports")
    module.verify()
    for found, wanted in zip(Executor(module).run(inputs), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("compared", ["i32", "f32"])
@pytest.mark.parametrize("tested_first", [True, False])
def test_all_is_raised_at_once(compared: str, tested_first: bool):
    module = Loop(put=(-1, 3), compared=compared, tested_first=tested_first).module
    run_passes(module, "raise-loop-ports")
    (loop,) = (op for op in module.walk() if isinstance(op, infra.LoopOp))
    assert [port.name for port in loop.inputs] == ["infra.merged", "infra.sliced"]
    assert [port.name for port in loop.outputs] == ["infra.iteration", "infra.concatenated"]
    assert loop.iterations() == 4


@pytest.mark.parametrize(
    ("compare", "read", "put", "reason"),
    [
        (
            "less",
            (1, 0),
            (1, 1),
            "its parts are not set one after the other from one end to the other",
        ),
        ("less", (1, 1), (1, 0), "more iterations may follow than dimension 0 has parts, 3"),
        ("less", (1, -1), (1, 0), "the first is not within the 4 elements of dimension 0"),
        ("not_equal", (1, 0), (1, 0), "it compares no counter"),
        (
            "not_equal",
            (1, 0),
            (1, 0),
            "a condition may end the loop before all of the buffer is set",
        ),
    ],
)
def test_what_stays_says_why(
    compare: str,
    read: tuple[int, int],
    put: tuple[int, int],
    reason: str,
    caplog: pytest.LogCaptureFixture,
):
    module = Loop(compare=compare, read=read, put=put).module
    with caplog.at_level(logging.DEBUG, "lowstream.passes.raise_loop_ports"):
        run_passes(module, "raise-loop-ports")
    assert reason in caplog.text
