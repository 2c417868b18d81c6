"""Memory plans: lifetimes that overlap never share bytes; states in every use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context, kernel
from lowstream.dialects.kernel import ALIGNMENT
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.plan.arena import Lifetime, aligned, assign_offsets
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor

lifetimes = st.lists(
    st.builds(
        lambda size, start, length: Lifetime(size, start, start + length),
        st.integers(0, 1000),
        st.integers(0, 20),
        st.integers(0, 10),
    ),
    max_size=25,
)


@given(lifetimes)
@example([Lifetime(256, 0, 1), Lifetime(128, 3, 4), Lifetime(64, 3, 4), Lifetime(32, 0, 4)])
def test_what_meets_does_not_overlap(needed: list[Lifetime]):
    offsets, total = assign_offsets(needed)
    ranges = [(o, o + aligned(each.size)) for o, each in zip(offsets, needed, strict=True)]
    assert all(low % ALIGNMENT == 0 and high <= total for low, high in ranges)
    for i, (low, high) in enumerate(ranges):
        for j in range(i):
            meet = needed[i].start <= needed[j].end and needed[j].start <= needed[i].end
            if meet and low < high and ranges[j][0] < ranges[j][1]:
                assert high <= ranges[j][0] or ranges[j][1] <= low
    at_once = [sum(aligned(n.size) for n in needed if n.start <= t <= n.end) for t in range(31)]
    assert total >= max(at_once)


def test_lifetimes_that_do_not_overlap_share_bytes():
    assert assign_offsets([Lifetime(64, 0, 1), Lifetime(64, 2, 3)]) == ([0, 0], 64)
    assert assign_offsets([Lifetime(64, 0, 2), Lifetime(64, 2, 3)]) == ([0, 64], 128)


STATES = """
infra.variable @computed : tensor<2xf32>
infra.variable @constant : tensor<2xf32>
infra.variable @read_only : tensor<2xf32>
infra.variable @written_only : tensor<2xf32>
infra.variable @shared : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %one = nn.constant dense<1.0> : tensor<2xf32>
  %i0 = nn.relu %x : tensor<2xf32>
  %i1 = nn.add %i0, %one : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %a = infra.read_value @computed, %i1 : tensor<2xf32> -> tensor<2xf32>
  %b = infra.read_value @constant, %one : tensor<2xf32> -> tensor<2xf32>
  %i2 = nn.subtract %x, %one : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %c = infra.read_value @read_only, %i2 : tensor<2xf32> -> tensor<2xf32>
  %i3 = nn.maximum %x, %one : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %d = infra.read_value @shared, %i3 : tensor<2xf32> -> tensor<2xf32>
  %s = nn.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %t = nn.add %s, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  infra.assign @computed, %t : tensor<2xf32>
  infra.assign @constant, %x : tensor<2xf32>
  infra.assign @written_only, %t : tensor<2xf32>
  infra.assign @shared, %a : tensor<2xf32>
  func.return %x, %t, %t, %c, %i3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
"""


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def steps(executor: Executor | ProgramExecutor) -> list[tuple[list[Array], dict[str, Array]]]:
    found: list[tuple[list[Array], dict[str, Array]]] = []
    for seed in range(4):
        if seed == 3:
            executor.reset()
        x = np.random.default_rng(seed).integers(-8, 8, 2).astype(np.float32)
        outputs = [np.array(array) for array in executor.run([x])]
        found.append((outputs, {name: np.array(a) for name, a in executor.states.items()}))
    return found


def test_states():
    """Computed, constant, never assigned, never read, returned and assigned, an output at once; and reset."""
    module = parse(STATES)
    program = lower(module, "portable")
    assert [bool(assigned) for assigned in program.assigned] == [True, True, False, True, True]
    for (want, want_states), (have, have_states) in zip(
        steps(Executor(module)), steps(ProgramExecutor(program)), strict=True
    ):
        np.testing.assert_array_equal(have, want)
        assert have_states.keys() == want_states.keys()
        for name, state in want_states.items():
            np.testing.assert_array_equal(have_states[name], state)


def test_initial_values_run_while_unset_only():
    program = lower(parse(STATES), "portable")
    guarded = [op for op in program.walk() if isinstance(op, kernel.IfUnsetOp)]
    names = [program.states.data[op.state.value.data].data for op in guarded]
    assert names == ["computed", "read_only", "shared"]
    assert all(
        any(isinstance(op, kernel.MapOp) for op in one.body.block.ops) for one in guarded[:2]
    )


def test_a_result_that_is_written_over_an_input():
    module = parse("""
      func.func @main(%x: tensor<4xf32>, %i: tensor<2xi64>, %u: tensor<2xf32>) -> tensor<4xf32>
          attributes {kernel.aliases = array<i64: 0, 0>} {
        %axis = nn.constant dense<0> : tensor<i64>
        %y = nn.scatter_update %x, %i, %u, %axis
            : (tensor<4xf32>, tensor<2xi64>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
        func.return %y : tensor<4xf32>
      }""")
    x, updates = np.arange(4, dtype=np.float32), np.array([8, 9], np.float32)
    program = lower(module, "portable")
    (have,) = ProgramExecutor(program).run([x, np.array([3, 1]), updates])
    np.testing.assert_array_equal(have, [0, 9, 2, 8])
    np.testing.assert_array_equal(x, range(4))


def test_lowering_leaves_the_module():
    module = parse(STATES)
    before = str(module)
    lower(module, "portable")
    assert str(module) == before


def test_two_initial_values_are_refused():
    with pytest.raises(DiagnosticException, match="'h' is read with two different initial values"):
        lower(
            parse("""
              infra.variable @h : tensor<2xf32>
              func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
                %a = infra.read_value @h, %x : tensor<2xf32> -> tensor<2xf32>
                %b = infra.read_value @h, %y : tensor<2xf32> -> tensor<2xf32>
                func.return %a, %b : tensor<2xf32>, tensor<2xf32>
              }"""),
            "portable",
        )


def test_a_body_reads_what_an_iteration_began_with():
    """Its next value does not lie where the last one does, though that of the last iteration will."""
    module = parse("""
      func.func @main(%x: tensor<3x2xf32>, %h: tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>) {
        %y, %last = infra.tensor_iterator %x, %h
            inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
            outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>,
                     #infra.iteration<result = 1, iteration = -1>]
            body_names ["X", "H"] : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>) {
        ^bb0(%a: tensor<1x2xf32>, %b: tensor<2xf32>):
          %axis = nn.constant dense<0> : tensor<i64>
          %next = nn.cum_sum %b, %axis : tensor<2xf32>, tensor<i64>
          %before = nn.cum_sum %b, %axis {reverse = true} : tensor<2xf32>, tensor<i64>
          %sum = nn.add %a, %before : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
          infra.yield %sum, %next : tensor<1x2xf32>, tensor<2xf32>
        }
        func.return %y, %last : tensor<3x2xf32>, tensor<2xf32>
      }""")
    inputs = [np.arange(6, dtype=np.float32).reshape(3, 2), np.array([1, 2], np.float32)]
    found = ProgramExecutor(lower(module, "portable")).run(inputs)
    for want, have in zip(Executor(module).run(inputs), found, strict=True):
        np.testing.assert_array_equal(have, want)


WHOLES = {
    "concat": "nn.concat %r, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>",
    "pad": 'nn.pad %r, %one, %one {pad_mode = "constant"} : (tensor<2xf32>, tensor<1xi64>, tensor<1xi64>)'
    " -> tensor<4xf32>",
}


@pytest.mark.parametrize("whole", WHOLES.values(), ids=WHOLES)
def test_what_lies_inside_is_not_scattered_over_while_it_is_read(whole: str):
    module = parse(f"""
      func.func @main(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {{
        %one = nn.constant dense<[1]> : tensor<1xi64>
        %axis = nn.constant dense<0> : tensor<i64>
        %indices = nn.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
        %updates = nn.constant dense<[11.0, 12.0, 13.0, 14.0]> : tensor<4xf32>
        %r = nn.cum_sum %x, %axis : tensor<2xf32>, tensor<i64>
        %whole = {whole}
        %scattered = nn.scatter_update %whole, %indices, %updates, %axis
            : (tensor<4xf32>, tensor<4xi64>, tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
        %after = nn.cum_sum %r, %axis : tensor<2xf32>, tensor<i64>
        func.return %scattered, %after : tensor<4xf32>, tensor<2xf32>
      }}""")
    x = np.array([1, 2], np.float32)
    found = ProgramExecutor(lower(module, "portable")).run([x])
    for want, have in zip(Executor(module).run([x]), found, strict=True):
        np.testing.assert_array_equal(have, want)
