"""Loops and branches compile to what the reference executor says they mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model
from lowstream.dialects import context, infra
from lowstream.interop.mlir import parse_module
from lowstream.interop.model import Model
from lowstream.lowering.control_flow.eliminate_dead_results import EliminateDeadResults
from lowstream.lowering.lower_to_kernels import lower
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor


def parse(body: str) -> ModuleOp:
    """A verified module."""
    module = parse_module(body, "test.mlir", context())
    module.verify()
    return module


def check(module: ModuleOp, *calls: Sequence[Array]) -> None:
    """Holds executor, program and machine against one another, call after call."""
    executor, program = Executor(module), ProgramExecutor(lower(module))
    request = compile_model(Model(module)).create_infer_request()
    for inputs in calls:
        wanted = executor.run(inputs)
        planned = program.run(inputs)
        results = request.infer(list(inputs))
        for i, (a, b) in enumerate(zip(wanted, planned, strict=True)):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)
            np.testing.assert_array_equal(b, results[i])


LOOP = """
func.func @main(%x: tensor<4xf32>, %n: tensor<i64>, %limit: tensor<f32>)
    -> (tensor<4xf32>, tensor<i64>) {
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0> : tensor<i64>
  %z = nn.constant dense<0.0> : tensor<4xf32>
  %h, %k = infra.loop %n, %true, %x, %z, %limit, %zero
      inputs [#infra.invariant, #infra.merged<result = 0>, #infra.invariant, #infra.merged<result = 2>]
      outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 2, iteration = -1>]
      body_names ["X", "H", "L", "K"] {body_condition = 1 : i64, current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>)
      -> (tensor<4xf32>, tensor<i64>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %l: tensor<f32>, %sum: tensor<i64>, %i: tensor<i64>):
    %next = nn.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %from = nn.constant dense<0> : tensor<1xi64>
    %one = nn.constant dense<1> : tensor<1xi64>
    %first = nn.slice %next, %from, %one, %one, %from : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>,
        tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
    %f = nn.squeeze %first, %from : (tensor<1xf32>, tensor<1xi64>) -> tensor<f32>
    %c = nn.less %f, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %more = nn.add %sum, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
    infra.yield %next, %c, %more : tensor<4xf32>, tensor<i1>, tensor<i64>
  }
  func.return %h, %k : tensor<4xf32>, tensor<i64>
}
"""


def test_a_loop_ends_by_its_trip_count_or_by_its_condition():
    half = np.full(4, 0.5, np.float32)
    counts = ((0, 10.0), (3, 10.0), (100, 3.2), (-1, 7.0))
    calls = [[half, np.array(n), np.array(limit, np.float32)] for n, limit in counts]
    check(parse(LOOP), *calls)


def test_a_loop_ends_when_its_slices_do():
    text = """
    func.func @main(%x: tensor<3x4xf32>, %n: tensor<i64>) -> tensor<1x4xf32> {
      %true = nn.constant dense<true> : tensor<i1>
      %z = nn.constant dense<0.0> : tensor<1x4xf32>
      %h = infra.loop %n, %true, %x, %z
          inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
          outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "H"]
          : (tensor<i64>, tensor<i1>, tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
      ^bb0(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
        %next = nn.add %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        infra.yield %next : tensor<1x4xf32>
      }
      func.return %h : tensor<1x4xf32>
    }"""
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    check(parse(text), *([x, np.array(n)] for n in (0, 1, 3, 7, -1)))


def test_a_branch_runs_one_body():
    text = """
    func.func @main(%x: tensor<4xf32>, %c: tensor<i1>) -> (tensor<4xf32>, tensor<8xf32>) {
      %y, %w, %unused = infra.if %c, %x : (tensor<i1>, tensor<4xf32>)
          -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      ^bb0(%a: tensor<4xf32>):
        %t = nn.tanh %a : tensor<4xf32>
        infra.yield %a, %t, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      } else {
      ^bb0(%a: tensor<4xf32>):
        %n = nn.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        infra.yield %n, %n, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      }
      %both = nn.concat %y, %w {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
      func.return %w, %both : tensor<4xf32>, tensor<8xf32>
    }"""
    x = np.array([-1, 0, 2, 3], np.float32)
    check(parse(text), [x, np.array(True)], [x, np.array(False)], [x, np.array(True)])


STATE_IN_BODY = """
infra.variable @"sum" : tensor<1x4xf32>
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {{
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<3x4xf32>) -> tensor<3x4xf32> {{
  ^bb0(%a: tensor<1x4xf32>):
    %init = {init}
    %s = infra.read_value @"sum", %init : tensor<1x4xf32> -> tensor<1x4xf32>
    %next = nn.add %a, %s : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.assign @"sum", %next : tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }}
  func.return %y : tensor<3x4xf32>
}}
"""


def test_a_state_inside_a_body_goes_on_from_iteration_to_iteration():
    module = parse(STATE_IN_BODY.format(init="nn.constant dense<1.0> : tensor<1x4xf32>"))
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    check(module, [x], [x], [2 * x])


def test_a_computed_initial_value_inside_a_body_is_that_of_the_first_iteration():
    module = parse(STATE_IN_BODY.format(init="nn.tanh %a : tensor<1x4xf32>"))
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    check(module, [x], [x], [2 * x])


def test_parts_of_several_elements_are_as_many_as_iterations_ran():
    text = """
    func.func @main(%x: tensor<2x3xf32>, %n: tensor<i64>, %limit: tensor<f32>) -> tensor<?x3xf32> {
      %true = nn.constant dense<true> : tensor<i1>
      %y = infra.loop %n, %true, %x, %limit
          inputs [#infra.merged<result = 0>, #infra.invariant]
          outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 2, part_size = 2>]
          body_names ["X", "L"] {body_condition = 1 : i64}
          : (tensor<i64>, tensor<i1>, tensor<2x3xf32>, tensor<f32>) -> tensor<?x3xf32> {
      ^bb0(%a: tensor<2x3xf32>, %l: tensor<f32>):
        %step = nn.constant dense<1.0> : tensor<f32>
        %over = nn.constant dense<[0, 1]> : tensor<2xi64>
        %next = nn.add %a, %step : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
        %most = nn.reduce_max %next, %over {keep_dims = false} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<f32>
        %c = nn.less %most, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
        infra.yield %next, %c : tensor<2x3xf32>, tensor<i1>
      }
      func.return %y : tensor<?x3xf32>
    }"""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    request = compile_model(Model(parse(text))).create_infer_request()
    for count, limit in ((1, 99.0), (4, 99.0), (60, 9.0)):
        inputs = [x, np.array(count), np.array(limit, np.float32)]
        (wanted,) = Executor(parse(text)).run(inputs)
        assert len(wanted) in (2, 8)
        np.testing.assert_array_equal(request.infer(inputs)[0], wanted)


def test_parts_from_the_last_to_the_first_of_an_unknown_number_of_iterations_are_refused():
    text = LOOP.replace(
        "#infra.iteration<result = 0, iteration = -1>,",
        "#infra.concatenated<result = 0, axis = 0, start = -1, end = 0, stride = -4, part_size = 4>,",
    ).replace("(tensor<4xf32>, tensor<i64>)", "(tensor<?xf32>, tensor<i64>)")
    text = text.replace("func.return %h, %k : tensor<4xf32>", "func.return %h, %k : tensor<?xf32>")
    with pytest.raises(
        DiagnosticException,
        match=r"infra.loop: output 0 .* an unknown number of iterations .*; make the trip count",
    ):
        lower(parse(text))


GROWS = """
func.func @main(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>, %n: tensor<i64>) -> tensor<?x4xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop COUNT, %true, %h, %x inputs [#infra.merged<result = 0>, #infra.invariant]
      outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H", "X"] {nn.name = "L"}
      : (tensor<i64>, tensor<i1>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<1x4xf32>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %sum = nn.reduce_sum READ, %axis {keep_dims = true} : (TYPE, tensor<1xi64>) -> tensor<1x4xf32>
    %next = nn.concat %a, %b, %sum {axis = 0 : i64}
        : (tensor<?x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    infra.yield %next : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}
"""


CARRIED, GIVEN = "%a : tensor<?x4xf32>", "%b : tensor<1x4xf32>"


def grows(count: str, read: str) -> ModuleOp:
    """The sum of what `read` says, `%a : tensor<?x4xf32>` or `%b : tensor<1x4xf32>`, is appended, too."""
    value, type = read.split(" : ")
    return parse(GROWS.replace("COUNT", count).replace("READ", value).replace("TYPE", type))


def test_a_carried_value_that_is_read_while_it_grows_is_unrolled_or_named():
    with pytest.raises(
        DiagnosticException,
        match=r"infra.loop 'L': carries 'H', which begins as tensor<1x4xf32>.* give it one size",
    ):
        lower(grows("%n", CARRIED))
    h = np.arange(4, dtype=np.float32).reshape(1, 4)
    check(grows("%three", CARRIED), [h, 2 * h, np.array(0)])


def test_a_carried_value_that_is_appended_to_is_what_all_iterations_append():
    h = np.arange(4, dtype=np.float32).reshape(1, 4)
    check(grows("%three", GIVEN), [h, 2 * h, np.array(0)])
    module = grows("%n", GIVEN)
    request, reference = compile_model(Model(module)).create_infer_request(), Executor(module)
    for count in (0, 1, 5):
        inputs = [h, 2 * h, np.array(count)]
        np.testing.assert_array_equal(request.infer(inputs)[0], reference.run(inputs)[0])


ZERO_STEPS = """
func.func @main(%x: tensor<SIZEx4xf32>, %h: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<SIZEx4xf32>) {
  %last, %all = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>,
               #infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X", "H"] : (tensor<SIZEx4xf32>, tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<SIZEx4xf32>) {
  ^bb0(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
    %next = nn.add %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %last, %all : tensor<1x4xf32>, tensor<SIZEx4xf32>
}
"""


@pytest.mark.parametrize("size", ["0", "?"])
def test_no_step_gives_the_initial_state_and_nothing_to_put_together(size: str):
    x, h = np.zeros((0, 4), np.float32), np.ones((1, 4), np.float32)
    request = compile_model(Model(parse(ZERO_STEPS.replace("SIZE", size)))).create_infer_request()
    last, all = request.infer([x, h]).values()
    np.testing.assert_array_equal(last, h)
    assert all.shape == (0, 4)


def test_no_step_of_a_sequence_gives_its_initial_state():
    text = """
    func.func @main(%x: tensor<2x0x3xf32>, %h: tensor<2x1x4xf32>) -> (tensor<2x1x0x4xf32>, tensor<2x1x4xf32>) {
      %n = nn.constant dense<0> : tensor<2xi32>
      %w = nn.constant dense<0.5> : tensor<1x12x3xf32>
      %r = nn.constant dense<0.5> : tensor<1x12x4xf32>
      %b = nn.constant dense<0.5> : tensor<1x12xf32>
      %y, %last = rnn.gru_sequence %x, %h, %n, %w, %r, %b {hidden_size = 4 : i64}
          : (tensor<2x0x3xf32>, tensor<2x1x4xf32>, tensor<2xi32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>,
             tensor<1x12xf32>) -> (tensor<2x1x0x4xf32>, tensor<2x1x4xf32>)
      func.return %y, %last : tensor<2x1x0x4xf32>, tensor<2x1x4xf32>
    }"""
    check(parse(text), [np.zeros((2, 0, 3), np.float32), np.ones((2, 1, 4), np.float32)])


@pytest.mark.parametrize(("trip", "execute"), [("0", "true"), ("3", "false")])
def test_a_loop_that_does_not_run_gives_what_it_began_with(trip: str, execute: str):
    text = f"""
    func.func @main(%h: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<0x4xf32>) {{
      %n = nn.constant dense<{trip}> : tensor<i64>
      %go = nn.constant dense<{execute}> : tensor<i1>
      %last, %all = infra.loop %n, %go, %h inputs [#infra.merged<result = 0>]
          outputs [#infra.iteration<result = 0, iteration = -1>,
                   #infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
          body_names ["H"] : (tensor<i64>, tensor<i1>, tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<0x4xf32>) {{
      ^bb0(%b: tensor<1x4xf32>):
        %next = nn.add %b, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        infra.yield %next : tensor<1x4xf32>
      }}
      func.return %last, %all : tensor<1x4xf32>, tensor<0x4xf32>
    }}"""
    check(parse(text), [np.ones((1, 4), np.float32)])


def test_a_kernel_reads_the_last_value_that_a_loop_does_not_carry():
    text = """
    func.func @main(%x: tensor<1x4xf32>, %n: tensor<f32>) -> tensor<1x4xf32> {
      %true = nn.constant dense<true> : tensor<i1>
      %trip = nn.constant dense<9> : tensor<i64>
      %last = infra.loop %trip, %true, %x, %n inputs [#infra.merged<result = 1>, #infra.invariant]
          outputs [#infra.iteration<result = 2, iteration = -1>]
          body_names ["H", "N"] {body_condition = 0 : i64}
          : (tensor<i64>, tensor<i1>, tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32> {
      ^bb0(%b: tensor<1x4xf32>, %limit: tensor<f32>):
        %next = nn.add %b, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        %other = nn.sigmoid %next : tensor<1x4xf32>
        %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
        %most = nn.reduce_max %next, %axes : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<f32>
        %go = nn.less %most, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
        infra.yield %go, %next, %other : tensor<i1>, tensor<1x4xf32>, tensor<1x4xf32>
      }
      %y = nn.tanh %last : tensor<1x4xf32>
      func.return %y : tensor<1x4xf32>
    }"""
    x = np.linspace(-1, 1, 4, dtype=np.float32)[None]
    check(parse(text), *([x, np.float32(limit)] for limit in (0, 3, 9999)))


COUNTED = """
func.func @main(%x: tensor<ROWSx4xf32>, %n: tensor<i64>) -> tensor<ROWSx4xf32> {
  %true = nn.constant dense<true> : tensor<i1>
  %trip = nn.constant dense<TRIP> : tensor<i64>
  %last = infra.loop %trip, %true, %x, %n inputs [#infra.merged<result = 1>, #infra.invariant]
      outputs [#infra.iteration<result = 2, iteration = -1>]
      body_names ["H", "N"] {body_condition = 0 : i64, current_iteration}
      : (tensor<i64>, tensor<i1>, tensor<ROWSx4xf32>, tensor<i64>) -> tensor<ROWSx4xf32> {
  ^bb0(%b: tensor<ROWSx4xf32>, %limit: tensor<i64>, %i: tensor<i64>):
    %next = nn.add %b, %b : (tensor<ROWSx4xf32>, tensor<ROWSx4xf32>) -> tensor<ROWSx4xf32>
    %other = nn.sigmoid %next : tensor<ROWSx4xf32>
    %go = nn.less %i, %limit : (tensor<i64>, tensor<i64>) -> tensor<i1>
    infra.yield %go, %next, %other : tensor<i1>, tensor<ROWSx4xf32>, tensor<ROWSx4xf32>
  }
  func.return %last : tensor<ROWSx4xf32>
}
"""


@pytest.mark.parametrize("trip", ["9", "-1"])
def test_a_loop_that_counts_up_to_a_limit_runs_once_whatever_it_is(trip: str):
    module = parse(COUNTED.replace("TRIP", trip).replace("ROWS", "1"))
    x = np.linspace(-1, 1, 4, dtype=np.float32)[None]
    check(module, *([x, np.int64(limit)] for limit in (-3, 0, 1, 5, 20)))


def test_what_nobody_reads_of_a_loop_is_not_computed():
    text = LOOP.replace(
        "(%x: tensor<4xf32>, %n: tensor<i64>, %limit: tensor<f32>)\n    -> (tensor<4xf32>, tensor<i64>)",
        "(%x: tensor<4xf32>, %n: tensor<i64>, %limit: tensor<f32>) -> tensor<4xf32>",
    ).replace("return %h, %k : tensor<4xf32>, tensor<i64>", "return %h : tensor<4xf32>")
    module = parse(text)
    check(module, [np.ones(4, np.float32), np.array(5), np.array(9, np.float32)])
    EliminateDeadResults().apply(context(), module)
    (loop,) = (op for op in module.walk() if isinstance(op, infra.LoopOp))
    assert len(loop.results) == 1


READS_INSIDE = """
infra.variable @s : tensor<2xf32>
func.func @main(%x: tensor<3x2xf32>, %z: tensor<2xf32>) -> tensor<1x2xf32> {
  %init = nn.constant dense<5.0> : tensor<2xf32>
  ASSIGN
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X"] : (tensor<3x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%part: tensor<1x2xf32>):
    %five = nn.constant dense<5.0> : tensor<2xf32>
    %s = infra.read_value @s, %five : tensor<2xf32> -> tensor<2xf32>
    %sum = nn.add %part, %s : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
    infra.yield %sum : tensor<1x2xf32>
  }
  func.return %y : tensor<1x2xf32>
}
"""


@pytest.mark.parametrize("assign", ["", "infra.assign @s, %z : tensor<2xf32>"])
def test_a_body_reads_what_its_call_began_with(assign: str):
    """Where the variable is assigned outside of it, or not at all."""
    x, z = np.ones((3, 2), np.float32), np.full(2, 7, np.float32)
    check(parse(READS_INSIDE.replace("ASSIGN", assign)), (x, z), (x, 2 * z), (2 * x, z))


def test_reads_with_different_initial_values_are_refused():
    text = READS_INSIDE.replace(
        "ASSIGN", "%r = infra.read_value @s, %z : tensor<2xf32> -> tensor<2xf32>"
    ).replace("%five = nn.constant dense<5.0>", "%five = nn.constant dense<6.0>")
    with pytest.raises(
        DiagnosticException, match="variable 's' is read with two different initial"
    ):
        lower(
            parse(
                text.replace(
                    "func.return %y",
                    "%q = nn.add %y, %r : (tensor<1x2xf32>, "
                    "tensor<2xf32>) -> tensor<1x2xf32>\n func.return %q",
                )
            )
        )


def test_any_iteration_may_be_an_output():
    text = """
    func.func @main(%x: tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
      %z = nn.constant dense<0.0> : tensor<1x4xf32>
      %a0, %b0, %c0 = infra.tensor_iterator %x, %z
          inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
          outputs [#infra.iteration<result = 0, iteration = 1>, #infra.iteration<result = 0, iteration = 0>,
                   #infra.iteration<result = 0, iteration = 2>] body_names ["X", "H"]
          : (tensor<3x4xf32>, tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
      ^bb0(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
        %next = nn.add %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        infra.yield %next : tensor<1x4xf32>
      }
      func.return %a0, %b0, %c0 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
    }"""
    check(parse(text), [np.arange(12, dtype=np.float32).reshape(3, 4)])


def test_types_that_say_less_than_is_known_compile():
    text = """
    func.func @main(%x: tensor<2x4xf32>) -> tensor<2x?xf32> {
      %n = nn.constant dense<0> : tensor<i64>
      %true = nn.constant dense<true> : tensor<i1>
      %h = infra.loop %n, %true, %x inputs [#infra.merged<result = 0>]
          outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"]
          : (tensor<i64>, tensor<i1>, tensor<2x4xf32>) -> tensor<2x?xf32> {
      ^bb0(%b: tensor<2x4xf32>):
        %t = nn.tanh %b : tensor<2x4xf32>
        infra.yield %t : tensor<2x4xf32>
      }
      func.return %h : tensor<2x?xf32>
    }"""
    check(parse(text), [np.arange(8, dtype=np.float32).reshape(2, 4)])


def test_a_condition_behind_an_unread_result_is_still_the_condition():
    text = """
    func.func @main(%x: tensor<4xf32>, %limit: tensor<f32>) -> tensor<f32> {
      %n = nn.constant dense<-1> : tensor<i64>
      %true = nn.constant dense<true> : tensor<i1>
      %zero = nn.constant dense<0.0> : tensor<f32>
      %unread, %h = infra.loop %n, %true, %x, %zero, %limit
          inputs [#infra.invariant, #infra.merged<result = 2>, #infra.invariant]
          outputs [#infra.iteration<result = 0, iteration = -1>, #infra.iteration<result = 2, iteration = -1>]
          body_names ["X", "H", "L"] {body_condition = 1 : i64}
          : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<f32>, tensor<f32>)
          -> (tensor<4xf32>, tensor<f32>) {
      ^bb0(%a: tensor<4xf32>, %b: tensor<f32>, %l: tensor<f32>):
        %t = nn.tanh %a : tensor<4xf32>
        %one = nn.constant dense<1.0> : tensor<f32>
        %next = nn.add %b, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %c = nn.less %next, %l : (tensor<f32>, tensor<f32>) -> tensor<i1>
        infra.yield %t, %c, %next : tensor<4xf32>, tensor<i1>, tensor<f32>
      }
      func.return %h : tensor<f32>
    }"""
    x = np.zeros(4, np.float32)
    check(parse(text), *([x, np.array(limit, np.float32)] for limit in (0, 3, 7)))
