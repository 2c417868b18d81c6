"""`low-latency2`: call by call, a stateful module is the stateless one whose state is carried by hand."""

import logging
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser

from lowstream.dialects import context, infra
from lowstream.passes.low_latency2 import LowLatency2
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

STATE = "TI/H_t/variable_1"


@dataclass(frozen=True)
class Cut:
    """`count` parts along one axis of a dimension of `size`."""

    size: int
    axis: int
    start: int
    end: int
    stride: int
    part: int
    count: int

    def shape(self, size: int) -> tuple[int, int]:
        return (size, 2) if self.axis == 0 else (2, size)


@st.composite
def cuts(draw: st.DrawFn) -> Cut:
    """Any cut whose parts lie within the dimension; limits are counted from either end."""
    count, stride, part = (draw(st.integers(1, 3)) for _ in range(3))
    before, after = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    length = count * stride + draw(st.integers(0, stride - 1))
    if forward := draw(st.booleans()):
        start, end = before, before + length
        size = max(end, before + (count - 1) * stride + part) + after
    else:
        start, end = before + length, before
        size = max(start, start - stride + part) + after
    start, end = (limit - draw(st.sampled_from((0, size + 1))) for limit in (start, end))
    axis = draw(st.sampled_from((0, 1, -1)))
    return Cut(size, axis, start, end, stride if forward else -stride, part, count)


def module_of(cut: Cut, name: str = "TI") -> ModuleOp:
    """`h = tanh(x_t + h / 2)`, with all of its values put together and the last one as results."""
    x, part, whole = (
        f"tensor<{'x'.join(map(str, cut.shape(size)))}xf32>"
        for size in (cut.size, cut.part, cut.count * cut.part)
    )
    slicing = (
        f"axis = {cut.axis}, start = {cut.start}, end = {cut.end}, stride = {cut.stride}, "
        f"part_size = {cut.part}"
    )
    text = f"""
    func.func @main(%x: {x}, %h0: {part}) -> ({whole}, {part}) {{
      %y, %h = infra.tensor_iterator %x, %h0
          inputs [#infra.sliced<{slicing}>, #infra.merged<result = 0>]
          outputs [#infra.concatenated<result = 0, {slicing}>,
                   #infra.iteration<result = 0, iteration = -1>]
          body_names ["X_t", "H_t"] {{nn.name = "{name}"}} : ({x}, {part}) -> ({whole}, {part}) {{
      ^bb0(%xt: {part}, %ht: {part}):
        %half = nn.constant dense<0.5> : tensor<f32>
        %kept = nn.multiply %ht, %half : ({part}, tensor<f32>) -> {part}
        %sum = nn.add %xt, %kept : ({part}, {part}) -> {part}
        %next = nn.tanh %sum : {part}
        infra.yield %next : {part}
      }}
      func.return %y, %h : {whole}, {part}
    }}"""
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def iterators(module: ModuleOp) -> list[infra.TensorIteratorOp]:
    return [op for op in module.walk() if isinstance(op, infra.TensorIteratorOp)]


@settings(max_examples=15)
@given(cut=cuts(), zero=st.booleans())
def test_calls_are_iterations_of_one_long_loop(cut: Cut, zero: bool):
    by_hand, stateful = module_of(cut), module_of(cut)
    run_passes(stateful, [LowLatency2(use_const_initializer=zero)])
    assert bool(iterators(stateful)) == (cut.count > 1)

    executor, random = Executor(stateful), np.random.default_rng(0)
    carried = None
    for step in range(5):
        x = random.standard_normal(cut.shape(cut.size)).astype(np.float32)
        h0 = random.standard_normal(cut.shape(cut.part)).astype(np.float32)
        if carried is None or step == 3:
            executor.reset()
            carried = np.zeros_like(h0) if zero else h0
        expected, carried = Executor(by_hand).run([x, carried])
        y, last = executor.run([x, h0])
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(last, carried)
        np.testing.assert_array_equal(executor.states[STATE], carried)


@settings(max_examples=15)
@given(cut=cuts(), zero=st.booleans())
def test_a_second_application_changes_nothing(cut: Cut, zero: bool):
    module = module_of(cut)
    run_passes(module, "low-latency2")
    once = str(module)
    run_passes(module, [LowLatency2(use_const_initializer=zero)])
    assert str(module) == once


def test_a_second_application_says_so(caplog: pytest.LogCaptureFixture):
    module = module_of(Cut(2, 0, 0, -1, 1, 1, 2))
    run_passes(module, "low-latency2")
    assert "changed nothing" not in caplog.text
    run_passes(module, "low-latency2")
    *_, (logger, level, message) = caplog.record_tuples
    assert (logger, level) == ("lowstream.passes.low_latency2", logging.WARNING)
    assert message.startswith("low-latency2 changed nothing") and "model: 1" in message


LONG = """
func.func @main(%x: tensor<SIZEx4xf32>{PORT}, %h: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "H"] {nn.name = "TI"}
      : (tensor<SIZEx4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%a: tensor<1x4xf32>, %b: tensor<1x4xf32>):
    %next = nn.add %a, %b : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}
"""


@pytest.mark.parametrize("size", ["50", "?"])
def test_a_loop_that_stays_is_named_with_the_reshape_that_leaves_one_iteration(
    size: str, caplog: pytest.LogCaptureFixture
):
    text = LONG.replace("SIZE", size).replace("{PORT}", ' {nn.names = ["X"]}')
    run_passes(Parser(context(), text).parse_module(), "low-latency2")
    (message,) = caplog.messages
    runs = "an unknown number of" if size == "?" else size
    assert f"infra.tensor_iterator 'TI' still runs {runs} iterations in each call" in message
    caplog.clear()
    advised = message.partition("--reshape ")[2].partition(" ")[0]
    module = Parser(context(), text).parse_module()
    run_passes(module, f'reshape{{inputs="{advised}"}},low-latency2')
    assert not caplog.messages
    assert not [op for op in module.walk() if isinstance(op, infra.IteratorOp)]


def test_the_reshape_that_leaves_one_iteration_keeps_a_whole_part(caplog: pytest.LogCaptureFixture):
    text = LONG.replace("SIZE", "6").replace("{PORT}", ' {nn.names = ["X"]}')
    text = text.replace("stride = 1, part_size = 1", "stride = 2, part_size = 2")
    text = text.replace("tensor<1x4", "tensor<2x4")
    run_passes(Parser(context(), text).parse_module(), "low-latency2")
    (message,) = caplog.messages
    assert (
        "still runs 3 iterations in each call; for one, reshape first: --reshape X=2x4" in message
    )


COUNTED = """
func.func @main(%x: tensor<SIZEx4xf32> {nn.names = ["X"]}, %n: tensor<i64>, %h: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %true = nn.constant dense<true> : tensor<i1>
  %sizes = nn.shape_of %x : tensor<SIZEx4xf32> -> tensor<2xi64>
  %zero = nn.constant dense<0> : tensor<i64>
  %count = nn.gather %sizes, %zero, %zero {batch_dims = 0 : i64}
      : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %y = infra.loop TRIP, %true, %h inputs [#infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] {nn.name = "L"}
      : (tensor<i64>, tensor<i1>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%b: tensor<1x4xf32>):
    %next = nn.tanh %b : tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}"""


def counted(trip: str, size: str) -> ModuleOp:
    return Parser(context(), COUNTED.replace("TRIP", trip).replace("SIZE", size)).parse_module()


def test_a_loop_whose_trip_count_is_computed_says_why_it_stays(caplog: pytest.LogCaptureFixture):
    run_passes(counted("%n", "1"), "low-latency2")
    (message,) = caplog.messages
    assert "infra.loop 'L' still runs an unknown number of iterations" in message
    assert "trip count or a condition is computed in each call, which no pass changes" in message


def test_a_loop_of_constant_iterations_is_not_said_to_compute_their_number(
    caplog: pytest.LogCaptureFixture,
):
    text = COUNTED.replace("TRIP", "%three").replace("SIZE", "1")
    three = "%three = nn.constant dense<3> : tensor<i64>\n  %true ="
    run_passes(Parser(context(), text.replace("%true =", three)).parse_module(), "low-latency2")
    (message,) = caplog.messages
    assert "infra.loop 'L' still runs 3 iterations in each call" in message
    assert "computed" not in message


@pytest.mark.parametrize("size", ["1", "7", "?"])
def test_a_loop_that_counts_the_elements_of_an_input_is_named_with_what_leaves_one_iteration(
    size: str, caplog: pytest.LogCaptureFixture
):
    run_passes(counted("%count", size), "low-latency2")
    (message,) = caplog.messages
    *reshape, fold, last = message.rpartition(" first: ")[2].split(" ")
    assert (fold, last) == ("--fold-constants", "--low-latency2")
    assert bool(reshape) == (size != "1")
    caplog.clear()
    module = counted("%count", size)
    run_passes(
        module,
        ",".join(
            [
                *(f'reshape{{inputs="{each}"}}' for each in reshape[1:]),
                "fold-constants,low-latency2",
            ]
        ),
    )
    assert not caplog.messages
    assert not [op for op in module.walk() if isinstance(op, infra.IteratorOp)]


def test_an_iterator_made_stateful_before_its_reshape_is_still_inlined():
    """States that are there stay; only the number of iterations is new."""
    long, short = module_of(Cut(3, 0, 0, -1, 1, 1, 3)), module_of(Cut(1, 0, 0, -1, 1, 1, 1))
    run_passes(long, "low-latency2")
    text = str(long).replace("tensor<3x2xf32>", "tensor<1x2xf32>")
    reshaped = Parser(context(), text).parse_module()
    for module in (reshaped, short):
        run_passes(module, "low-latency2")
    assert not iterators(reshaped)
    feed = [np.full((1, 2), 0.5, np.float32), np.zeros((1, 2), np.float32)]
    ours, expected = Executor(reshaped), Executor(short)
    for _ in range(3):
        np.testing.assert_array_equal(ours.run(feed), expected.run(feed))
    assert ours.states.keys() == expected.states.keys() == {STATE}


def test_an_iterator_whose_state_is_read_outside_of_it_stays():
    """What its body assigns is read there in the next call, not in this one."""
    text = """
    infra.variable @own : tensor<1x4xf32>
    func.func @main(%x: tensor<1x4xf32>, %h: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
      %zero = nn.constant dense<0.0> : tensor<1x4xf32>
      %old = infra.read_value @own, %zero : tensor<1x4xf32> -> tensor<1x4xf32>
      %y = infra.tensor_iterator %x, %h
          inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
          outputs [#infra.iteration<result = 0, iteration = -1>]
          body_names ["X_t", "H_t"] {nn.name = "shares"} : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32> {
      ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>):
        %z = nn.constant dense<0.0> : tensor<1x4xf32>
        %own = infra.read_value @own, %z : tensor<1x4xf32> -> tensor<1x4xf32>
        %sum = nn.add %xt, %own : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        infra.assign @own, %sum : tensor<1x4xf32>
        %next = nn.add %ht, %sum : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
        infra.yield %next : tensor<1x4xf32>
      }
      func.return %y, %old : tensor<1x4xf32>, tensor<1x4xf32>
    }"""
    module = Parser(context(), text).parse_module()
    run_passes(module, "low-latency2")
    assert len(iterators(module)) == 1


def test_a_stateful_module_runs_after_it_was_printed_and_parsed():
    module = module_of(Cut(2, 1, -1, 0, -1, 1, 2))
    run_passes(module, "low-latency2")
    again = Parser(context(), str(module)).parse_module()
    feed = [np.ones((2, 2), np.float32), np.ones((2, 1), np.float32)]
    ours, expected = Executor(again), Executor(module)
    for _ in range(3):
        np.testing.assert_array_equal(ours.run(feed)[0], expected.run(feed)[0])


def test_states_of_two_operations_of_one_name_are_told_apart(caplog: pytest.LogCaptureFixture):
    module, other = module_of(Cut(1, 0, 0, -1, 1, 1, 1)), module_of(Cut(1, 0, 0, -1, 1, 1, 1))
    (function,) = other.body.block.ops
    function.detach()
    function.properties["sym_name"] = StringAttr("other")
    module.body.block.add_op(function)
    run_passes(module, "low-latency2")
    names = [op.sym_name.data for op in module.walk() if isinstance(op, infra.VariableOp)]
    assert names == [STATE, "TI_1/H_t/variable_1"]
    assert "infra.tensor_iterator 'TI'" in caplog.text and "'TI_1/…'" in caplog.text


def test_each_input_has_its_own_state():
    """Two states of one type that the body exchanges; their results stand in another order."""
    module = Parser(
        context(),
        """
        func.func @main(%x: tensor<2x2xf32>) -> tensor<1x2xf32> {
          %a0 = nn.constant dense<1.0> : tensor<1x2xf32>
          %b0 = nn.constant dense<2.0> : tensor<1x2xf32>
          %y = infra.tensor_iterator %a0, %x, %b0
              inputs [#infra.merged<result = 1>,
                      #infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>,
                      #infra.merged<result = 0>]
              outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["A", "X", "B"]
              {nn.name = "TI"} : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
          ^bb0(%a: tensor<1x2xf32>, %xt: tensor<1x2xf32>, %b: tensor<1x2xf32>):
            %sum = nn.add %a, %xt : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
            infra.yield %sum, %b : tensor<1x2xf32>, tensor<1x2xf32>
          }
          func.return %y : tensor<1x2xf32>
        }""",
    ).parse_module()
    run_passes(module, [LowLatency2(use_const_initializer=False)])
    executor = Executor(module)
    a, b = 1.0, 2.0
    for step in range(4):
        for x in (step, step + 0.5):
            a, b = b, a + x
        executor.run([np.array([[step] * 2, [step + 0.5] * 2], np.float32)])
        states = {name: array.tolist() for name, array in executor.states.items()}
        assert states == {"TI/A/variable_0": [[a, a]], "TI/B/variable_2": [[b, b]]}


REPEATED = """
func.func @main(%x: tensor<1x3xf32>) -> (tensor<5x3xf32>) {
  %h = nn.constant dense<0.0> : tensor<1x1x3xf32>
  %w = nn.constant dense<0.5> : tensor<1x3x3xf32>
  %b = nn.constant dense<0.1> : tensor<1x3xf32>
  %all = nn.constant dense<5> : tensor<1xi64>
  %times = nn.constant {nn.name = "times"} dense<[5, 1]> : tensor<2xi64>
  %in = nn.constant {nn.name = "in"} dense<[1, 5, 3]> : tensor<3xi64>
  %out = nn.constant {nn.name = "out"} dense<[5, 3]> : tensor<2xi64>
  %many = nn.tile %x, %times : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<5x3xf32>
  %s = nn.reshape %many, %in : (tensor<5x3xf32>, tensor<3xi64>) -> tensor<1x5x3xf32>
  %y, %last = rnn.rnn_sequence %s, %h, %all, %w, %w, %b {hidden_size = 3 : i64, nn.name = "S"}
      : (tensor<1x5x3xf32>, tensor<1x1x3xf32>, tensor<1xi64>, tensor<1x3x3xf32>, tensor<1x3x3xf32>, tensor<1x3xf32>)
      -> (tensor<1x1x5x3xf32>, tensor<1x1x3xf32>)
  %flat = nn.reshape %y, %out : (tensor<1x1x5x3xf32>, tensor<2xi64>) -> tensor<5x3xf32>
  func.return %flat : tensor<5x3xf32>
}
"""


def test_constants_that_hold_the_steps_are_all_named(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
):
    module = Parser(context(), REPEATED).parse_module()
    run_passes(module, "low-latency2")
    files = 'name="times","in","out" file=times.npy,in.npy,out.npy'
    assert f"put 1 for 5 into what follows no input (replace-constant{{{files}}})" in caplog.text
    for name, ones in {"in": [1, 1, 3], "times": [1, 1], "out": [1, 3]}.items():
        np.save(tmp_path / f"{name}.npy", np.array(ones))
    there = re.sub(r"(\w+\.npy)", rf'"{tmp_path}/\1"', files)
    run_passes(module, f"replace-constant{{{there}}},low-latency2")
    assert not any(op.name == "rnn.rnn_sequence" for op in module.walk())


@pytest.mark.parametrize("name", ["times", "in", "out"])
def test_constants_without_a_name_are_not_told(caplog: pytest.LogCaptureFixture, name: str):
    text = REPEATED.replace(f'{{nn.name = "{name}"}} ', "")
    run_passes(Parser(context(), text).parse_module(), "low-latency2")
    assert "no other size of one input alone leaves one" in caplog.text
