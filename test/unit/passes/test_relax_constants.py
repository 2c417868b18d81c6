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


@settings(max_examples=60)
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


@settings(max_examples=60)
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
