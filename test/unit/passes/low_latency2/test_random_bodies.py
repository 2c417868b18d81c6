"""`low-latency2`: a signal in pieces, one call for each, gives what the loop over the whole signal gives."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.passes.low_latency2 import LowLatency2
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

CALLS = 3


@dataclass(frozen=True)
class Body:
    """
    What a loop computes, from its part of the signal (x), an invariant (c) and its states (h0, h1, …). Of each result
    the function and its two operands, of each state the number of the result that it becomes.
    """

    results: tuple[tuple[str, str, str], ...]
    feedback: tuple[int, ...]
    shown: int
    """The result that is concatenated."""

    def module(self, steps: int) -> ModuleOp:
        """A model of this many steps: results are all of one result, and the last one of what each state becomes."""
        number = len(self.feedback)
        states = [f"h{i}" for i in range(number)]
        merged = ", ".join(f"#infra.merged<result = {each}>" for each in self.feedback)
        last = "".join(f", #infra.iteration<result = {i}, iteration = -1>" for i in self.feedback)
        types = ["tensor<1x2xf32>"] * (1 + number)
        slicing = "axis = 0, start = 0, end = -1, stride = 1, part_size = 1"
        lines = "".join(
            f"%s{i} = nn.{kind} %{a}, %{b} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>\n"
            f"%r{i} = nn.tanh %s{i} : tensor<1x2xf32>\n"
            for i, (kind, a, b) in enumerate(self.results)
        )
        names, yielded = ["c", *states], [f"%r{i}" for i in range(len(self.results))]
        signal, carried = f"tensor<{steps}x2xf32>", ", ".join(types[1:])
        outputs = ", ".join(f"%y#{i}" for i in range(1 + number))
        text = f"""
        func.func @main(%X: {signal}, {", ".join(f"%{n.upper()}: {types[0]}" for n in names)})
            -> ({signal}, {carried}) {{
          %y:{1 + number} = infra.tensor_iterator %X, {", ".join(f"%{n.upper()}" for n in names)}
              inputs [#infra.sliced<{slicing}>, #infra.invariant, {merged}]
              outputs [#infra.concatenated<result = {self.shown}, {slicing}>{last}]
              body_names ["x", {", ".join(f'"{n}"' for n in names)}] {{nn.name = "TI"}}
              : ({signal}, {", ".join(types)}) -> ({signal}, {carried}) {{
          ^bb0(%x: {types[0]}, {", ".join(f"%{n}: {types[0]}" for n in names)}):
            {lines}
            infra.yield {", ".join(yielded)} : {", ".join(types[:1] * len(yielded))}
          }}
          func.return {outputs} : {signal}, {carried}
        }}"""
        module = Parser(context(), text).parse_module()
        module.verify()
        return module


@st.composite
def bodies(draw: st.DrawFn) -> Body:
    """Of up to three states: some that become the same, that change places, or that nothing reads."""
    states, results = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    operands = st.sampled_from(("x", "c", *(f"h{i}" for i in range(states))))
    kinds = st.sampled_from(("add", "subtract", "multiply", "maximum"))
    numbers = st.integers(0, results - 1)
    return Body(
        tuple(draw(st.tuples(kinds, operands, operands)) for _ in range(results)),
        tuple(draw(numbers) for _ in range(states)),
        draw(numbers),
    )


@settings(max_examples=20)
@given(body=bodies(), steps=st.integers(1, 2), zero=st.booleans())
def test_pieces_of_a_signal_give_what_the_whole_gives(body: Body, steps: int, zero: bool):
    random = np.random.default_rng(0)
    signal = random.standard_normal((steps * CALLS, 2)).astype(np.float32)
    others = list(random.standard_normal((1 + len(body.feedback), 1, 2)).astype(np.float32))
    first = [others[0], *(each * (not zero) for each in others[1:])]
    whole, *last = Executor(body.module(steps * CALLS)).run([signal, *first])

    stateful = body.module(steps)
    run_passes(stateful, [LowLatency2(use_const_initializer=zero)])
    executor = Executor(stateful)
    calls = [executor.run([piece, *others]) for piece in np.split(signal, CALLS)]
    np.testing.assert_array_equal(np.concatenate([each[0] for each in calls]), whole)
    np.testing.assert_array_equal(calls[-1][1:], last)
