"""`unroll-loops`: call by call, copies compute what the loop did, states included."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context, infra
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor


@dataclass(frozen=True)
class Loop:
    """`h = tanh(x_t + h + i + s)` in a loop, `s` a state that each of `inner` steps within adds to."""

    trip: int
    executes: bool
    goes_on: bool
    size: int
    part: int
    backward: bool
    inner: int

    @property
    def count(self) -> int:
        most = self.size // self.part if self.trip < 0 else self.trip
        return min(most, most if self.goes_on else 1) if self.executes else 0

    def module(self) -> ModuleOp:
        x, part = f"tensor<{self.size}xf32>", f"tensor<{self.part}xf32>"
        start, end, sign = ("-1", "0", "-") if self.backward else ("0", "-1", "")
        slicing = f"axis = 0, start = {start}, end = {end}, stride = {sign}{self.part}, part_size = {self.part}"
        text = f"""
        infra.variable @s : {part}
        func.func @main(%x: {x}, %h0: {part}) -> (tensor<?xf32>, {part}) {{
          %trip = nn.constant dense<{self.trip}> : tensor<i64>
          %execute = nn.constant dense<{str(self.executes).lower()}> : tensor<i1>
          %go = nn.constant dense<{str(self.goes_on).lower()}> : tensor<i1>
          %y, %h = infra.loop %trip, %execute, %go, %x, %h0
              inputs [#infra.invariant, #infra.sliced<{slicing}>, #infra.merged<result = 1>]
              outputs [#infra.concatenated<result = 1, {slicing}>, #infra.iteration<result = 1, iteration = -1>]
              body_names ["go", "X", "H"] {{body_condition = 0 : i64, current_iteration}}
              : (tensor<i64>, tensor<i1>, tensor<i1>, {x}, {part}) -> (tensor<?xf32>, {part}) {{
          ^bb0(%g: tensor<i1>, %xt: {part}, %ht: {part}, %i: tensor<i64>):
            %more = nn.constant dense<{self.inner}> : tensor<i64>
            %yes = nn.constant dense<true> : tensor<i1>
            %s = infra.loop %more, %yes, %ht inputs [#infra.merged<result = 0>]
                outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"]
                : (tensor<i64>, tensor<i1>, {part}) -> {part} {{
            ^bb1(%in: {part}):
              %zero = nn.constant dense<0.0> : {part}
              %old = infra.read_value @s, %zero : {part} -> {part}
              %new = nn.add %old, %in : ({part}, {part}) -> {part}
              infra.assign @s, %new : {part}
              infra.yield %new : {part}
            }}
            %f = nn.convert %i to f32 : tensor<i64> -> tensor<f32>
            %a = nn.add %xt, %s : ({part}, {part}) -> {part}
            %b = nn.add %a, %f : ({part}, tensor<f32>) -> {part}
            %next = nn.tanh %b : {part}
            infra.yield %g, %next : tensor<i1>, {part}
          }}
          func.return %y, %h : tensor<?xf32>, {part}
        }}"""
        module = Parser(context(), text).parse_module()
        module.verify()
        return module


@st.composite
def loops(draw: st.DrawFn) -> Loop:
    parts, part = draw(st.integers(1, 4)), draw(st.integers(1, 2))
    return Loop(
        draw(st.integers(-1, parts)),
        draw(st.sampled_from((True, True, False))),
        draw(st.booleans()),
        parts * part,
        part,
        draw(st.booleans()),
        draw(st.integers(0, 3)),
    )


@given(loop=loops())
def test_copies_compute_what_the_loop_does(loop: Loop):
    module = loop.module()
    (outer, *_) = (op for op in module.walk() if isinstance(op, infra.LoopOp))
    assert outer.iterations() == loop.count
    ours, expected = loop.module(), Executor(module)
    run_passes(ours, "unroll-loops")
    assert not any(isinstance(op, infra.IteratorOp) for op in ours.walk())
    assert sum(op.name == "nn.tanh" for op in ours.walk()) == loop.count
    unrolled, random = Executor(ours), np.random.default_rng(0)
    for _ in range(3):
        x = random.standard_normal(loop.size).astype(np.float32)
        h = random.standard_normal(loop.part).astype(np.float32)
        for mine, theirs in zip(unrolled.run([x, h]), expected.run([x, h]), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert {k: v.tolist() for k, v in unrolled.states.items()} == {
            k: v.tolist() for k, v in expected.states.items()
        }


@pytest.mark.parametrize(
    ("trip", "port", "message"),
    [
        (1000000000, "#infra.merged<result = 0>", "1000000000 iterations"),
        (0, "#infra.invariant", "runs no iteration"),
    ],
    ids=["copies beyond memory", "a result of no iteration without an initial value"],
)
def test_what_is_refused_is_named(trip: int, port: str, message: str):
    text = f"""
    func.func @main(%h: tensor<f32>) -> tensor<f32> {{
      %trip = nn.constant dense<{trip}> : tensor<i64>
      %true = nn.constant dense<true> : tensor<i1>
      %y = infra.loop %trip, %true, %h inputs [{port}]
          outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {{nn.name = "mine"}}
          : (tensor<i64>, tensor<i1>, tensor<f32>) -> tensor<f32> {{
      ^bb0(%ht: tensor<f32>):
        %t = nn.tanh %ht : tensor<f32>
        infra.yield %t : tensor<f32>
      }}
      func.return %y : tensor<f32>
    }}"""
    module = Parser(context(), text).parse_module()
    with pytest.raises(DiagnosticException, match=f"infra.loop 'mine': {message}"):
        run_passes(module, "unroll-loops")
