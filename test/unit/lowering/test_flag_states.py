"""States with computed initial values in loops and branches: call after call what the reference says."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from lowstream import compile_model
from lowstream.dialects import context, infra
from lowstream.interop.mlir import parse_module
from lowstream.interop.model import Model
from lowstream.lowering.codegen import work
from lowstream.lowering.flag_states import FlagStates
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import ENVIRONMENT, available_isas
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor

ISAS = [isa.name for isa in available_isas()]
VALUE, FLAG, COUNT = "tensor<2x4xf32>", "tensor<i1>", "tensor<i64>"
HALF = "tensor<1x4xf32>"
HEAD = f"func.func @main(%x: {VALUE}, %c: {FLAG}, %d: {FLAG}, %n: {COUNT}) -> {VALUE} {{"
SLICED = "#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>"
CONCATENATED = "result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1"
NAMES = ("outer", "inner", "never")
"""One variable that the entry may assign, one that bodies may, one that nobody does."""


def parse(text: str) -> ModuleOp:
    """A verified module."""
    module = parse_module(text, "test.mlir", context())
    module.verify()
    return module


@dataclass
class Text:
    """A random module: reads, assigns, branches and loops, each inside the others."""

    draw: st.DrawFn
    computes: Container[str]
    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    half: str = ""

    def add(self, text: str) -> str:
        """A line that computes a value. Returns that."""
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, value: str, type: str = VALUE) -> str:
        return self.add(f"nn.constant dense<{value}> : {type}")

    def mean(self, a: str, b: str) -> str:
        """It never grows, however many iterations there are."""
        both = self.add(f"nn.add {a}, {b} : ({VALUE}, {VALUE}) -> {VALUE}")
        return self.add(f"nn.multiply {both}, {self.half} : ({VALUE}, {VALUE}) -> {VALUE}")

    def block(self, value: str, flags: tuple[str, str], depth: int) -> str:
        """Statements, each of which goes on from what the one before made of `value`."""
        assigned: set[str] = set()
        for _ in range(self.draw(st.integers(1, 4))):
            kinds = ["read", "read", "assign", *["if", "loop", "iterator"] * (depth > 0)]
            match self.draw(st.sampled_from(kinds)):
                case "read":
                    name = self.draw(st.sampled_from(NAMES))
                    if name not in self.computes:
                        init = self.constant("3.0")
                    elif depth == DEEPEST:
                        init = "%first"
                    else:
                        init = self.add(f"nn.tanh {value} : {VALUE}")
                    self.half = self.constant("0.5")
                    read = self.add(f"infra.read_value @{name}, {init} : {VALUE} -> {VALUE}")
                    value = self.mean(value, read)
                case "assign":
                    name = NAMES[0 if depth == DEEPEST else 1]
                    if name not in assigned:
                        assigned.add(name)
                        self.lines.append(f"infra.assign @{name}, {value} : {VALUE}")
                case "if":
                    value = self.branch(value, flags, depth)
                case "loop":
                    value = self.loop(value, flags, depth)
                case _:
                    value = self.iterator(value, flags, depth)
        return value

    def open(self, *types: str) -> list[str]:
        """The head of a body."""
        self.count += len(types)
        names = [f"%v{self.count - i}" for i in range(len(types))]
        self.lines.append(f"^bb0({', '.join(map(': '.join, zip(names, types, strict=True)))}):")
        return names

    def branch(self, value: str, flags: tuple[str, str], depth: int) -> str:
        result = self.add(
            f"infra.if {flags[0]}, {value}, {flags[0]}, {flags[1]} "
            f": ({FLAG}, {VALUE}, {FLAG}, {FLAG}) -> {VALUE} {{"
        )
        for end in ("} else {", "}"):
            a, c, d = self.open(VALUE, FLAG, FLAG)
            a = self.block(a, (c, d), depth - 1)
            self.lines += [f"infra.yield {a} : {VALUE}", end]
        return result

    def loop(self, value: str, flags: tuple[str, str], depth: int) -> str:
        """The condition that a branch inside asks for is the other one in each second iteration."""
        count = "%n" if depth == DEEPEST and self.draw(st.booleans()) else None
        count = count or self.constant("3", COUNT)
        go = self.constant("true", FLAG)
        result = self.add(
            f"infra.loop {count}, {go}, {value}, {flags[0]}, {flags[1]} "
            "inputs [#infra.merged<result = 0>, #infra.merged<result = 1>, #infra.merged<result = 2>] "
            'outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["V", "C", "D"] '
            f": ({COUNT}, {FLAG}, {VALUE}, {FLAG}, {FLAG}) -> {VALUE} {{"
        )
        a, c, d = self.open(VALUE, FLAG, FLAG)
        a = self.block(a, (c, d), depth - 1)
        self.lines += [f"infra.yield {a}, {d}, {c} : {VALUE}, {FLAG}, {FLAG}", "}"]
        return result

    def iterator(self, value: str, flags: tuple[str, str], depth: int) -> str:
        result = self.add(
            f"infra.tensor_iterator {value}, {flags[0]}, {flags[1]} "
            f"inputs [{SLICED}, #infra.invariant, #infra.invariant] "
            f'outputs [#infra.concatenated<{CONCATENATED}>] body_names ["V", "C", "D"] '
            f": ({VALUE}, {FLAG}, {FLAG}) -> {VALUE} {{"
        )
        part, c, d = self.open(HALF, FLAG, FLAG)
        axis = self.constant("0", COUNT)
        whole = self.add(
            f"nn.concat {part}, {part} {{axis = 0 : i64}} : ({HALF}, {HALF}) -> {VALUE}"
        )
        whole = self.block(whole, (c, d), depth - 1)
        part, _ = (f"%v{self.count + 1}", f"%v{self.count + 2}")
        self.count += 2
        self.lines += [
            f"{part}, {_} = nn.split {whole}, {axis} {{num_splits = 2 : i64}} : ({VALUE}, {COUNT}) -> ({HALF}, {HALF})",
            f"infra.yield {part} : {HALF}",
            "}",
        ]
        return result


DEEPEST = 2


@st.composite
def modules(draw: st.DrawFn) -> str:
    computes = draw(st.sets(st.sampled_from(NAMES), min_size=1))
    text = Text(draw, computes, [f"%first = nn.tanh %x : {VALUE}"])
    value = text.block("%x", ("%c", "%d"), DEEPEST)
    variables = [f"infra.variable @{name} : {VALUE}" for name in NAMES]
    return "\n".join([*variables, HEAD, *text.lines, f"func.return {value} : {VALUE}", "}"])


def inputs(number: int) -> list[Array]:
    rng = np.random.default_rng(number)
    x = rng.normal(size=(2, 4)).astype(np.float32) / 8
    return [x, np.array(number % 2 == 1), np.array(number // 2 % 2 == 1), np.array(number % 3)]


SET = np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4)
STEPS = [2, 0, 1, "reset", 0, 3, "set", 0, 1, "reset", 1]
"""Numbers of inputs, and what else happens to states: of branches the other one comes first, too."""


def check(text: str, threads: int = 1) -> None:
    """Holds executor, program and machine against one another, and what requests say of states."""
    module = parse(text)
    flagged = module.clone()
    FlagStates().apply(context(), flagged)
    flagged.verify()
    names = [op.sym_name.data for op in module.ops if isinstance(op, infra.VariableOp)]
    executor, rewritten = Executor(module), Executor(flagged)
    program = ProgramExecutor(lower(module))
    request = compile_model(Model(module), num_threads=threads).create_infer_request()
    states = request.query_state()
    assert [state.name for state in states] == names
    begun = {state.name: state.state for state in states}
    for step in STEPS:
        if step == "reset":
            executor.reset()
            rewritten.reset()
            program.reset()
            request.reset_state()
        elif step == "set":
            for state in states:
                state.state = SET[: state.shape[0]]
                for each in (executor, rewritten, program):
                    each.states[state.name] = SET[: state.shape[0]]
                rewritten.states[f"{state.name}/is_set"] = np.array(True)
        else:
            assert isinstance(step, int)
            (wanted,) = executor.run(inputs(step))
            (same,) = rewritten.run(inputs(step))
            np.testing.assert_array_equal(wanted, same)
            (planned,) = program.run(inputs(step))
            np.testing.assert_allclose(planned, wanted, rtol=1e-5, atol=1e-5)
            (result,) = request.infer(inputs(step)).values()
            np.testing.assert_array_equal(result, planned)
        for state in states:
            if state.name in executor.states:
                np.testing.assert_array_equal(state.state, program.states[state.name])
        assert set(executor.states) <= set(program.states) <= set(names)
        if step == "reset":
            assert all(np.array_equal(state.state, begun[state.name]) for state in states)


@settings(max_examples=15)
@given(modules())
def test_states_inside_bodies_are_those_of_the_reference(text: str):
    check(text)


IF = f"""%r = infra.if %c, %x, %d : ({FLAG}, {VALUE}, {FLAG}) -> {VALUE} {{
  ^bb0(%a: {VALUE}, %e: {FLAG}):
    THEN
  }} else {{
  ^bb0(%a: {VALUE}, %e: {FLAG}):
    ELSE
  }}
  func.return %r : {VALUE}"""
LOOP = f"""%three = nn.constant dense<3> : {COUNT}
  %true = nn.constant dense<true> : {FLAG}
  %r = infra.loop %three, %true, %x, %d inputs [#infra.merged<result = 0>, #infra.invariant]
      outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["V", "D"]
      : ({COUNT}, {FLAG}, {VALUE}, {FLAG}) -> {VALUE} {{
  ^bb0(%a: {VALUE}, %e: {FLAG}):
    THEN
  }}
  func.return %r : {VALUE}"""
ITERATOR = f"""%r = infra.tensor_iterator %x, %d inputs [{SLICED}, #infra.invariant]
      outputs [#infra.concatenated<{CONCATENATED}>] body_names ["V", "D"]
      : ({VALUE}, {FLAG}) -> {VALUE} {{
  ^bb0(%a: {HALF}, %e: {FLAG}):
    THEN
  }}
  func.return %r : {VALUE}"""
NESTED = f"""%h = infra.read_value @s, %a : {VALUE} -> {VALUE}
    %inner = infra.if %e, %a : ({FLAG}, {VALUE}) -> {VALUE} {{
    ^bb0(%b: {VALUE}):
      %u = nn.tanh %b : {VALUE}
      %k = infra.read_value @s, %u : {VALUE} -> {VALUE}
      %v = nn.add %k, %b : ({VALUE}, {VALUE}) -> {VALUE}
      infra.assign @s, %v : {VALUE}
      infra.yield %v : {VALUE}
    }} else {{
    ^bb0(%b: {VALUE}):
      infra.yield %b : {VALUE}
    }}
    %w = nn.subtract %inner, %h : ({VALUE}, {VALUE}) -> {VALUE}
    infra.yield %w : {VALUE}"""
READ = f"""%t = nn.tanh %a : {VALUE}
    %h = infra.read_value @s, %t : {VALUE} -> {VALUE}
    %w = nn.add %h, %a : ({VALUE}, {VALUE}) -> {VALUE}
    infra.yield %w : {VALUE}"""
ASSIGN = READ.replace("infra.yield", f"infra.assign @s, %w : {VALUE}\n    infra.yield")
WRITE = f"""%w = nn.tanh %a : {VALUE}
    infra.assign @s, %w : {VALUE}
    infra.yield %w : {VALUE}"""
LEAVE = f"infra.yield %a : {VALUE}"
BEFORE = f"""%first = nn.tanh %x : {VALUE}
  %g = infra.read_value @s, %first : {VALUE} -> {VALUE}
  %y = nn.add %g, %x : ({VALUE}, {VALUE}) -> {VALUE}
  """


def module(body: str, then: str, otherwise: str = LEAVE, read_outside: bool = False) -> str:
    """A model of one state."""
    text = body.replace("THEN", then).replace("ELSE", otherwise)
    if read_outside:
        text = BEFORE + text.replace("%x,", "%y,")
    return f"infra.variable @s : {VALUE}\n{HEAD}\n  {text}\n}}"


MODULES = {
    "a branch assigns": module(IF, ASSIGN),
    "both branches": module(IF, ASSIGN, READ),
    "both assign": module(IF, ASSIGN, ASSIGN),
    "nobody assigns": module(IF, READ),
    "a loop": module(LOOP, ASSIGN),
    "a tensor iterator": module(ITERATOR, ASSIGN.replace(VALUE, HALF)).replace(f"@s : {VALUE}", f"@s : {HALF}"),
    "a branch in a branch": module(IF, NESTED, READ),
    "a branch in a loop": module(LOOP, NESTED),
    "read outside, a branch assigns": module(IF, ASSIGN, read_outside=True),
    "read outside, a branch only assigns": module(IF, WRITE, read_outside=True),
    "read outside, a loop assigns": module(LOOP, ASSIGN, read_outside=True),
    "constant, kept while a branch inside assigns": module(LOOP, NESTED).replace(
        "@s, %a", "@s, %z"
    ).replace("%h =", f"%z = nn.constant dense<1.0> : {VALUE}\n    %h =").replace(
        "%u = nn.tanh %b", "%u = nn.constant dense<1.0>"
    ),
}  # fmt: skip


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("name", MODULES)
def test_a_state_is_set_by_what_ran(name: str, isa: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(ENVIRONMENT, isa)
    check(MODULES[name])


@pytest.mark.parametrize("name", MODULES)
def test_all_threads_know_what_is_set(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work, "SPLIT_WORK", 1)
    monkeypatch.setattr(work, "THREADS_WORK", 0)
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    check(MODULES[name], threads=2)


STEPS_IN_BRANCH = f"""
    %w = infra.tensor_iterator %y, %h inputs [{SLICED}, #infra.merged<result = 0>]
        outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "H"] {{nn.name = "TI"}}
        : ({HALF}, {HALF}) -> {HALF} {{
    ^bb0(%p: {HALF}, %q: {HALF}):
      %s = nn.add %p, %q : ({HALF}, {HALF}) -> {HALF}
      %u = nn.tanh %s : {HALF}
      infra.yield %u : {HALF}
    }}
    %g = nn.concat %w, %w {{axis = 0 : i64}} : ({HALF}, {HALF}) -> {VALUE}
    infra.yield %g : {VALUE}"""
SPLIT = f"""%zero = nn.constant dense<0> : {COUNT}
    %t = nn.tanh %a : {VALUE}
    %y, %h = nn.split %t, %zero {{num_splits = 2 : i64}} : ({VALUE}, {COUNT}) -> ({HALF}, {HALF})"""


@pytest.mark.parametrize("body", [IF, LOOP], ids=["branch", "loop"])
def test_low_latency2_in_a_body_keeps_the_computed_initial_value(body: str):
    text = body.replace("THEN", SPLIT + STEPS_IN_BRANCH).replace("ELSE", LEAVE)
    stateful = parse(f"{HEAD}\n  {text}\n}}")
    run_passes(stateful, "low-latency2{use-const-initializer=false}")
    assert infra.variables_of(stateful)
    check(str(stateful))


def test_a_state_that_was_set_keeps_its_size_when_no_branch_assigns_it():
    text = MODULES["a branch assigns"].replace("2x4", "?x4")
    module = parse(text)
    executor = Executor(module)
    request = compile_model(Model(module)).create_infer_request()
    for number, size in ((0, 2), (2, 3), (1, 3), (0, 3), (1, 3), ("reset", 0), (0, 2), (1, 2)):
        if number == "reset":
            executor.reset()
            request.reset_state()
            continue
        assert isinstance(number, int)
        _, *rest = inputs(number)
        x = np.full((size, 4), number + 0.5, np.float32)
        (wanted,) = executor.run([x, *rest])
        (result,) = request.infer([x, *rest]).values()
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5)


def test_programs_for_other_shapes_know_whether_a_state_is_set():
    text = MODULES["a branch assigns"]
    module = parse(text.replace(f"%n: {COUNT})", f"%n: {COUNT}, %z: tensor<?xf32>)"))
    executor = Executor(module)
    request = compile_model(Model(module)).create_infer_request()
    for number, size in ((0, 1), (1, 2), (1, 3), (0, 1), (1, 2)):
        given = [*inputs(number), np.zeros(size, np.float32)]
        (wanted,) = executor.run(given)
        (result,) = request.infer(given).values()
        np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-5)


def test_a_flag_has_a_name_of_its_own():
    module = parse(f"""
      infra.variable @s : {VALUE}
      infra.variable @"s/is_set" : {VALUE}
      func.func @main(%x: {VALUE}, %c: {FLAG}) -> {VALUE} {{
        %other = infra.read_value @"s/is_set", %x : {VALUE} -> {VALUE}
        %y = infra.if %c, %x : ({FLAG}, {VALUE}) -> {VALUE} {{
        ^bb0(%a: {VALUE}):
          %start = nn.relu %a : {VALUE}
          %old = infra.read_value @s, %start : {VALUE} -> {VALUE}
          infra.assign @s, %a : {VALUE}
          infra.yield %old : {VALUE}
        }} else {{
        ^bb0(%b: {VALUE}):
          infra.yield %b : {VALUE}
        }}
        func.return %y : {VALUE}
      }}""")
    FlagStates().apply(context(), module)
    module.verify()
    assert list(infra.variables_of(module)) == ["s", "s/is_set", "s/is_set_"]
