"""`trim`: the part that is left computes what it computed in the whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream import Model, run_passes
from lowstream.dialects import context, nn
from lowstream.passes.trim import trim
from lowstream.reference.executor import Executor

T = "tensor<2xf32>"


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def network(sources: list[tuple[int, int]]) -> ModuleOp:
    """Sums of two earlier values each; 0 and 1 are the inputs, the last two values the outputs."""
    values = ["%a", "%b"]
    lines: list[str] = []
    for i, (left, right) in enumerate(sources):
        lhs, rhs = values[left % len(values)], values[right % len(values)]
        lines.append(f'%v{i} = nn.add {lhs}, {rhs} {{nn.name = "v{i}"}} : ({T}, {T}) -> {T}')
        values.append(f"%v{i}")
    return parse(f"""
    func.func @main(%a: {T} {{nn.names = ["A"]}}, %b: {T} {{nn.names = ["B"]}})
        -> ({T} {{nn.names = ["P"]}}, {T} {{nn.names = ["Q"]}}) {{
      {" ".join(lines)} func.return {values[-2]}, {values[-1]} : {T}, {T}
    }}""")


def named_run(module: ModuleOp, feed: dict[str, float]) -> dict[str, list[float]]:
    model = Model(module)
    arrays = [np.full(2, feed[port.any_name], np.float32) for port in model.inputs]
    results = Executor(module).run(arrays)
    names = [port.any_name for port in model.outputs]
    return {name: array.tolist() for name, array in zip(names, results, strict=True)}


SOURCES = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=3, max_size=8)


@settings(max_examples=40)
@given(sources=SOURCES, cut=st.integers(0, 7))
def test_head_and_tail_are_the_whole(sources: list[tuple[int, int]], cut: int):
    name = f"v{cut % len(sources)}"
    whole, head, tail = network(sources), network(sources), network(sources)
    expected = named_run(whole, {"A": 1, "B": 10})
    trim(head, [], [name])
    trim(tail, [name], [])
    head.verify()
    tail.verify()
    (value, _) = named_run(head, {"A": 1, "B": 10})[name]
    assert named_run(tail, {"A": 1, "B": 10, name: value}) == expected
    for part in (head, tail):
        for op in part.walk():
            assert not isinstance(op, nn.AddOp) or op.result.first_use is not None
    assert all(arg.first_use for arg in Model(head).entry.body.block.args)


@settings(max_examples=20)
@given(sources=SOURCES)
def test_between_its_own_ports_only_what_is_dead_goes(sources: list[tuple[int, int]]):
    module = network(sources)
    trim(module, ["A", "B"], ["Q", "P"])
    expected = named_run(network(sources), {"A": 1, "B": 10})
    assert named_run(module, {"A": 1, "B": 10}) == expected
    assert [port.any_name for port in Model(module).outputs] == ["Q", "P"]


def test_an_output_can_be_cut_off_as_an_input():
    module = network([(0, 1), (0, 2), (2, 3)])
    trim(module, ["P"], [])
    assert [port.names for port in Model(module).inputs] == [("A",), ("B",), ("P",)]
    assert named_run(module, {"A": 1, "B": 2, "P": 7}) == {"P": [7, 7], "Q": [10, 10]}


def test_ports_by_number_and_as_a_list():
    module = network([(0, 1), (0, 2), (2, 3)])
    run_passes(module, 'trim{inputs=v0,v1 outputs="v2"}')
    assert [port.names for port in Model(module).inputs] == [("v0",), ("v1",)]
    assert [port.names for port in Model(module).outputs] == [("v2",)]


HARD = """
func.func @main(%x: tensor<2x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %axis = nn.constant dense<0> : tensor<i64>
  %a, %b = nn.split %x, %axis {num_splits = 2 : i64, nn.name = "halves"}
      : (tensor<2x4xf32>, tensor<i64>) -> (tensor<1x4xf32>, tensor<1x4xf32>)
  %c = nn.relu %a {nn.name = "twin"} : tensor<1x4xf32>
  %d = nn.tanh %c {nn.name = "twin"} : tensor<1x4xf32>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.if %true, %d {nn.name = "choice"} : (tensor<i1>, tensor<1x4xf32>) -> tensor<1x4xf32> {
  ^bb0(%t: tensor<1x4xf32>):
    %i = nn.relu %t {nn.name = "inner"} : tensor<1x4xf32>
    infra.yield %i : tensor<1x4xf32>
  } else {
  ^bb0(%e: tensor<1x4xf32>):
    infra.yield %e : tensor<1x4xf32>
  }
  func.return %y : tensor<1x4xf32>
}"""


@pytest.mark.parametrize(
    ("inputs", "outputs", "message"),
    [
        ([], [], "name inputs or outputs to cut at"),
        (["halve"], [], "nothing is named 'halve'; did you mean 'halves'?"),
        ([], ["zzz"], "nothing is named 'zzz'; names are the attributes nn.name"),
        (["halves.2"], [], "nn.split 'halves' has 2 results, 'halves.2' would be number 2"),
        (["twin"], [], "2 operations are named 'twin'"),
        (["choice", "Y"], [], "inputs 'choice' and 'Y' are the same; leave one of them away"),
        (["choice", "choice"], [], "inputs 'choice' and 'choice' are the same"),
        ([], ["Y", "Y"], "outputs 'Y' and 'Y' are the same; leave one of them away"),
        (["inner"], [], "'inner' is in a body of infra.if 'choice'; name that operation"),
    ],
)
def test_names_that_are_none(inputs: list[str], outputs: list[str], message: str):
    module = parse(HARD)
    with pytest.raises(DiagnosticException, match=message):
        trim(module, inputs, outputs)
    assert module.is_structurally_equivalent(parse(HARD))


def test_one_of_several_results():
    module = parse(HARD)
    trim(module, ["halves.0"], ["choice"])
    assert [port.names for port in Model(module).inputs] == [("halves.0",)]
    module = parse(HARD)
    trim(module, [], ["halves"])
    assert [port.names for port in Model(module).outputs] == [("halves.0",), ("halves.1",)]
