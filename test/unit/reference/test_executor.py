"""States, iterators and what the executor refuses."""

from collections.abc import Sequence

import numpy as np
import pytest
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.dialects.inferred import shape_of
from lowstream.interop.mlir import parse_module, verify
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor, NoMeaningError


def executor(text: str) -> Executor:
    module = parse_module(text, "text", context())
    verify(module)
    return Executor(module)


def f(*values: float) -> Array:
    return np.array(values, np.float32)


COUNTER = """
infra.variable @sum : tensor<1xf32>
func.func @main(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %init = nn.constant dense<[100.0]> : tensor<1xf32>
  %before = infra.read_value @sum, %init : tensor<1xf32> -> tensor<1xf32>
  %next = nn.add %before, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  infra.assign @sum, %next : tensor<1xf32>
  %again = infra.read_value @sum, %init : tensor<1xf32> -> tensor<1xf32>
  func.return %before, %again : tensor<1xf32>, tensor<1xf32>
}
"""


def test_a_read_gives_the_value_at_entry_and_assigns_commit_at_the_end():
    model = executor(COUNTER)
    assert [[float(a[0]) for a in model.run([f(x)])] for x in (1, 2, 3)] == [
        [100, 100],
        [101, 101],
        [103, 103],
    ]
    assert model.states["sum"].tolist() == [106]


def test_after_a_reset_the_initial_value_counts_again():
    model = executor(COUNTER)
    model.run([f(5)])
    model.reset()
    assert not model.states
    assert model.run([f(5)])[0] == [100]


def test_a_set_state_is_read():
    model = executor(COUNTER)
    model.states["sum"] = f(7)
    assert model.run([f(1)])[0] == [7]


def test_a_call_that_fails_changes_no_state():
    text = COUNTER.replace("func.return", '%u = "test.op"() : () -> tensor<1xf32>\n  func.return')
    ctx = context()
    ctx.allow_unregistered = True
    model = Executor(parse_module(text, "text", ctx))
    model.states["sum"] = f(7)
    with pytest.raises(NoMeaningError, match=r"test\.op"):
        model.run([f(1)])
    assert model.states["sum"] == [7]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "the model has 1 inputs, 0 were given"),
        ([f(1), f(1)], "the model has 1 inputs, 2 were given"),
        ([f(1, 2)], "input 0 is float32[2], the model takes tensor<1xf32>"),
        ([f(1)[None]], "input 0 is float32[1, 1], the model takes tensor<1xf32>"),
        ([np.ones(1)], "input 0 is float64[1], the model takes tensor<1xf32>"),
    ],
)
def test_inputs_must_fit(inputs: Sequence[Array], message: str):
    with pytest.raises(DiagnosticException) as raised:
        executor(COUNTER).run(inputs)
    assert str(raised.value) == message


def test_any_size_fits_an_unknown_dimension():
    model = executor("""
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %y = nn.relu %x : tensor<?xf32>
      func.return %y : tensor<?xf32>
    }""")
    assert model.run([f(-1, 2)])[0].tolist() == [0, 2]
    assert model.run([f()])[0].tolist() == []


ITERATOR = """
infra.variable @calls : tensor<1xf32>
func.func @main(%x: tensor<4xf32>, %h: tensor<1xf32>) -> (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) {
  %y, %first, %last = infra.tensor_iterator %x, %h
    inputs [#infra.sliced<axis = 0, start = SLICE, part_size = 1>, #infra.merged<result = 0>]
    outputs [#infra.concatenated<result = 0, axis = 0, start = SLICE, part_size = 1>,
             #infra.iteration<result = 0, iteration = 0>, #infra.iteration<result = 0, iteration = -1>]
    body_names ["x", "h"] : (tensor<4xf32>, tensor<1xf32>) -> (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) {
  ^bb0(%x_t: tensor<1xf32>, %h_t: tensor<1xf32>):
    %sum = nn.add %h_t, %x_t : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %zero = nn.constant dense<[0.0]> : tensor<1xf32>
    %one = nn.constant dense<[1.0]> : tensor<1xf32>
    %calls = infra.read_value @calls, %zero : tensor<1xf32> -> tensor<1xf32>
    %more = nn.add %calls, %one : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    infra.assign @calls, %more : tensor<1xf32>
    infra.yield %sum : tensor<1xf32>
  }
  func.return %y, %first, %last : tensor<4xf32>, tensor<1xf32>, tensor<1xf32>
}
"""


@pytest.mark.parametrize(
    ("slicing", "outputs"),
    [
        ("0, end = -1, stride = 1", [[11, 13, 16, 20], [11], [20]]),
        ("-1, end = 0, stride = -1", [[20, 19, 17, 14], [14], [20]]),
    ],
    ids=["forward", "backward"],
)
def test_an_iterator_carries_values_and_states(slicing: str, outputs: list[list[float]]):
    """A body reads a state as it was when the iteration began."""
    model = executor(ITERATOR.replace("SLICE", slicing))
    results = model.run([f(1, 2, 3, 4), f(10)])
    assert [result.tolist() for result in results] == outputs
    assert model.states["calls"].tolist() == [4]


def test_an_observer_sees_operations_of_bodies_too():
    seen: list[str] = []

    def observe(op: Operation, operands: Sequence[Array], results: Sequence[Array]) -> None:
        assert len(op.operands) == len(operands)
        assert [result.shape for result in results] == [shape_of(r) for r in op.results]
        seen.append(op.name)

    model = executor(ITERATOR.replace("SLICE", "0, end = -1, stride = 1"))
    model.run([f(1, 2, 3, 4), f(10)], observe)
    assert seen.count("nn.add") == 8
    assert seen[-1] == "infra.tensor_iterator"


def test_what_a_body_assigns_is_not_read_before_the_next_call():
    text = ITERATOR.replace("SLICE", "0, end = -1, stride = 1").replace(
        "  func.return %y, %first, %last",
        "  %after = infra.read_value @calls, %h : tensor<1xf32> -> tensor<1xf32>\n"
        "  func.return %y, %first, %after",
    )
    model = executor(text)
    assert [model.run([f(1, 2, 3, 4), f(10)])[2] for _ in range(3)] == [[10], [4], [8]]
