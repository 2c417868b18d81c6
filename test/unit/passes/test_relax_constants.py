"""`relax-constants`: the same results for the old shapes, and those of a model made for the new ones."""

from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import run_passes
from lowstream.dialects import context
from lowstream.passes.reshape import reshape
from lowstream.reference.executor import Executor
from lowstream.test.unit.pairwise import each_pair

Shape = tuple[int, ...]
SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))


def chain(source: Shape, targets: list[Shape]) -> ModuleOp:
    """Reshapes, one after the other, to constant targets."""
    old, lines = f"tensor<{'x'.join(map(str, source))}xf32>", list[str]()
    start, value = old, "%x"
    for i, target in enumerate(targets):
        new, list_type = f"tensor<{'x'.join(map(str, target))}xf32>", f"tensor<{len(target)}xi64>"
        lines += [
            f"%c{i} = nn.constant dense<{list(target)}> : {list_type}",
            f"%r{i} = nn.reshape {value}, %c{i} : ({old}, {list_type}) -> {new}",
        ]
        old, value = new, f"%r{i}"
    module = Parser(
        context(),
        f'func.func @main(%x: {start} {{nn.names = ["X"]}}) -> {old} {{'
        f"{' '.join(lines)} func.return {value} : {old} }}",
    ).parse_module()
    module.verify()
    return module


GROUPINGS = [
    [(0, 1, 2)],
    [(0, 1), (2,)],
    [(0,), (1, 2)],
    [(0,), (1,), (2,)],
    [(), (0,), (1, 2)],
    [(0, 1), (), (2,)],
]
"""How dimensions of the input are put together; an empty one is a 1."""


def target_of(grouping: list[tuple[int, ...]], shape: Shape) -> Shape:
    return tuple(prod(shape[i] for i in group) for group in grouping)


@settings(max_examples=30)
@given(
    old=st.permutations([2, 3, 5]),
    new=SIZES,
    groupings=st.lists(st.sampled_from(GROUPINGS), min_size=1, max_size=3),
)
def test_targets_made_of_the_inputs_sizes_follow(
    old: list[int], new: Shape, groupings: list[list[tuple[int, ...]]]
):
    """Sizes that are prime, and so tell where they come from."""

    def made_of(shape: Shape) -> ModuleOp:
        return chain(shape, [target_of(g, shape) for g in groupings])

    module = made_of(tuple(old))
    run_passes(module, "relax-constants")
    reshape(module, {"X": new})
    expected = made_of(new)
    x = np.arange(prod(new), dtype=np.float32).reshape(new)
    (ours,), (theirs,) = Executor(module).run([x]), Executor(expected).run([x])
    np.testing.assert_array_equal(ours, theirs)


@settings(max_examples=30)
@given(old=SIZES, new=SIZES, data=st.data())
def test_any_target_keeps_its_meaning_and_no_element_moves(
    old: Shape, new: Shape, data: st.DataObject
):
    """
    With sizes in which one can be taken for another, the old shape still gives the old result, and a
    new one gives the elements in their order or an error.
    """
    groupings = data.draw(st.lists(st.sampled_from(GROUPINGS), min_size=1, max_size=2))
    module, before = (chain(old, [target_of(g, old) for g in groupings]) for _ in range(2))
    run_passes(module, "relax-constants")
    x = np.arange(prod(old), dtype=np.float32).reshape(old)
    (ours,), (theirs,) = Executor(module).run([x]), Executor(before).run([x])
    np.testing.assert_array_equal(ours, theirs)
    again = str(module)
    run_passes(module, "relax-constants")
    assert str(module) == again
    assume(old != new)
    try:
        reshape(module, {"X": new})
    except DiagnosticException:
        return
    x = np.arange(prod(new), dtype=np.float32).reshape(new)
    (result,) = Executor(module).run([x])
    np.testing.assert_array_equal(result.reshape(-1), x.reshape(-1))


@pytest.mark.parametrize("targets", [[(1, 6, 2, 4), (6, 8)], [(6, 8), (1, 6, 2, 4)]])
def test_a_split_of_columns_does_not_guess(targets: list[Shape]):
    """[1, 6, 8] as 2 heads of 4: other lengths do, other widths are an error and move nothing."""
    module = chain((1, 6, 8), targets)
    run_passes(module, "relax-constants")
    reshape(module, {"X": (1, 9, 8)})
    with pytest.raises(DiagnosticException, match="do not fit"):
        reshape(module, {"X": (1, 9, 16)})


def test_a_batch_and_a_length_are_told_apart():
    module = chain((1, 6, 8), [(6, 8), (1, 6, 8)])
    run_passes(module, "relax-constants")
    reshape(module, {"X": (2, 9, 8)})
    x = np.arange(144, dtype=np.float32).reshape(2, 9, 8)
    (result,) = Executor(module).run([x])
    np.testing.assert_array_equal(result, x)


def test_a_loop_is_looked_into():
    text = """
    func.func @main(%x: tensor<3x2x6xf32> {nn.names = ["X"]}) -> tensor<3x12xf32> {
      %y = infra.tensor_iterator %x
          inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
          outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
          body_names ["X_t"] : (tensor<3x2x6xf32>) -> tensor<3x12xf32> {
      ^bb0(%xt: tensor<1x2x6xf32>):
        %c = nn.constant dense<[1, 12]> : tensor<2xi64>
        %r = nn.reshape %xt, %c : (tensor<1x2x6xf32>, tensor<2xi64>) -> tensor<1x12xf32>
        infra.yield %r : tensor<1x12xf32>
      }
      func.return %y : tensor<3x12xf32>
    }"""
    module = Parser(context(), text).parse_module()
    run_passes(module, 'relax-constants,reshape{inputs="X=4x3x6"}')
    x = np.arange(72, dtype=np.float32).reshape(4, 3, 6)
    (result,) = Executor(module).run([x])
    np.testing.assert_array_equal(result, x.reshape(4, 18))


LAST = """
func.func @main(%x: tensor<2x6x4xf32> {nn.names = ["X"]}) -> RESULT {
  %begin = nn.constant dense<[0, 5, 0]> : tensor<3xi32>
  %end = nn.constant dense<[2, END, 4]> : tensor<3xi32>
  %y = nn.strided_slice %x, %begin, %end {begin_mask = array<i64>, end_mask = array<i64>,
      new_axis_mask = array<i64>, shrink_axis_mask = array<i64: 0, SHRINK, 0>, ellipsis_mask = array<i64>}
      : (tensor<2x6x4xf32>, tensor<3xi32>, tensor<3xi32>) -> RESULT
  func.return %y : RESULT
}"""


@each_pair(steps=[1, 3, 9], end=[6, 2**31 - 1], shrink=[0, 1])
def test_the_last_step_is_the_last_one_of_any_length(steps: int, end: int, shrink: int):
    result = "tensor<2x4xf32>" if shrink else "tensor<2x1x4xf32>"
    text = LAST.replace("RESULT", result).replace("END", str(end)).replace("SHRINK", str(shrink))
    module = Parser(context(), text).parse_module()
    run_passes(module, f'relax-constants,reshape{{inputs="X=2x{steps}x5"}}')
    x = np.arange(10 * steps, dtype=np.float32).reshape(2, steps, 5)
    (result,) = Executor(module).run([x])
    np.testing.assert_array_equal(result, x[:, -1] if shrink else x[:, -1:])


LOOP = """
func.func @main(%x: tensor<6x4xf32> {nn.names = ["X"]}) -> (tensor<TRIPx4xf32>, tensor<1x4xf32>) {
  %trip = nn.constant dense<TRIP> : TYPE
  %true = nn.constant dense<true> : tensor<i1>
  %zero = nn.constant dense<0.0> : tensor<1x4xf32>
  %table = nn.constant dense<1.0> : tensor<TABLEx4xf32>
  %y, %h = infra.loop %trip, %true, %x, %zero, %table
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>, PORT]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>,
               #infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "H", "T"]
      : (TYPE, tensor<i1>, tensor<6x4xf32>, tensor<1x4xf32>, tensor<TABLEx4xf32>)
      -> (tensor<TRIPx4xf32>, tensor<1x4xf32>) {
  ^bb0(%xt: tensor<1x4xf32>, %ht: tensor<1x4xf32>, %t: tensor<1x4xf32>):
    %sum = nn.add %xt, %ht : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %next = nn.multiply %sum, %t : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    infra.yield %next : tensor<1x4xf32>
  }
  func.return %y, %h : tensor<TRIPx4xf32>, tensor<1x4xf32>
}"""


def loop(trip: int = 6, type: str = "tensor<i64>", table: int = 1) -> ModuleOp:
    """A sum that runs `trip` times over a signal of 6 parts, and over a table if that has more than one row."""
    sliced = "#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>"
    port = sliced if table > 1 else "#infra.invariant"
    given = {"TRIP": str(trip), "TYPE": type, "TABLE": str(table), "PORT": port}
    text = LOOP
    for name, value in given.items():
        text = text.replace(name, value)
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


@pytest.mark.parametrize("steps", [1, 3, 9])
@pytest.mark.parametrize("type", ["tensor<i64>", "tensor<1xi32>"])
def test_a_loop_over_a_whole_signal_runs_as_often_as_that_is_long(steps: int, type: str):
    module = loop(type=type)
    run_passes(module, f'relax-constants,reshape{{inputs="X={steps}x4"}}')
    module.verify()
    x = np.arange(4 * steps, dtype=np.float32).reshape(steps, 4)
    sums, last = Executor(module).run([x])
    np.testing.assert_array_equal(sums, np.cumsum(x, axis=0))
    np.testing.assert_array_equal(last, np.sum(x, axis=0, keepdims=True))


@pytest.mark.parametrize("module", [loop(trip=4), loop(table=6)], ids=["a part", "a table"])
def test_a_loop_that_something_else_ends_keeps_its_count(module: ModuleOp):
    before = str(module)
    run_passes(module, "relax-constants")
    assert str(module) == before


def test_a_scalar_stays_one():
    text = """
    func.func @main(%x: tensor<1xf32> {nn.names = ["X"]}) -> tensor<f32> {
      %none = nn.constant dense<> : tensor<0xi64>
      %y = nn.reshape %x, %none : (tensor<1xf32>, tensor<0xi64>) -> tensor<f32>
      func.return %y : tensor<f32>
    }
    """
    module = Parser(context(), text).parse_module()
    before = str(module)
    run_passes(module, "relax-constants")
    assert str(module) == before
