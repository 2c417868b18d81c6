"""WHILE and IF read from files: of TensorFlow's converter, and put together here operator by operator."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import infra
from lowstream.interop.tflite import tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, by_litert, check, noise, number
from lowstream.test.unit.interop.tflite.serialize import serialize

FILES = Path(__file__).parent / "files"


def loop_of(module: ModuleOp) -> infra.LoopOp:
    (loop,) = (op for op in module.walk() if isinstance(op, infra.LoopOp))
    return loop


def ports(loop: infra.LoopOp) -> list[str]:
    return [port.name.removeprefix("infra.") for port in (*loop.inputs, *loop.outputs)]


# --- files of TensorFlow's converter ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["gru", "gru_backwards"])
def test_a_layer_of_tensorflow_is_a_sequence_again(name: str):
    module = check((FILES / f"{name}.tflite").read_bytes(), noise(2, 5, 3))
    assert ports(loop_of(module)).count("sliced") == 1
    assert ports(loop_of(module)).count("concatenated") == 1
    run_passes(module, "raise-tf-while-to-lstm")
    found: list[Operation] = list(module.walk())
    assert sum(op.name == "rnn.gru_sequence" for op in found) == 1
    assert not any(isinstance(op, infra.LoopOp) for op in found)


@pytest.mark.parametrize("limit", [0, 3, 30])
def test_a_limit_and_a_test_end_a_loop(limit: int):
    data = (FILES / "nested.tflite").read_bytes()
    module = check(data, np.ones((2, 3), np.float32), np.array(limit, np.int32))
    assert loop_of(module).body_condition is not None
    assert any(isinstance(op, infra.IfOp) for op in loop_of(module).walk())


# --- put together here ------------------------------------------------------------------------------


def index() -> Tensor:
    return Tensor((), "int32")


def counted(compare: str, limit: int, swap: bool = False, more: Sequence[Tensor] = ()) -> Subgraph:
    """A condition that compares the first of what is carried with a number."""
    part = Part(i := index(), *more)
    sides = [i, number(limit)]
    return part.gives(part(compare, sides[::-1] if swap else sides, (), "bool"))


def model(
    condition: Subgraph, body: Subgraph, starts: Sequence[Tensor], shown: Sequence[int]
) -> bytes:
    """A file in which a loop gets `starts`, of which those without data are inputs, and shows some results."""
    main = Subgraph("main", [start for start in starts if start.data is None])
    outputs = [Tensor(each.shape, each.element) for each in body.outputs]
    options: dict[str, Any] = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    main.operators.append(Operator("WHILE", list(starts), outputs, options))
    main.outputs = [outputs[i] for i in shown]
    return serialize(Graph([main, condition, body]))


def step(part: Part, counter: Tensor) -> Tensor:
    return part("ADD", [counter, number(1)], (), "int32")


@pytest.mark.parametrize(
    ("compare", "limit", "swap", "trips"),
    [
        ("LESS", 5, False, 3),
        ("LESS_EQUAL", 5, False, 4),
        ("GREATER", 5, True, 3),
        ("GREATER_EQUAL", 5, True, 4),
        ("LESS", 1, False, 0),
    ],
)
def test_comparisons_of_a_counter_are_trip_counts(compare: str, limit: int, swap: bool, trips: int):
    body = Part(i := index(), x := Tensor((2,), "float32"))
    next_x = body("ADD", [x, body("CAST", [i], ())], (2,))
    condition = counted(compare, limit, swap, [Tensor((2,), "float32")])
    data = model(
        condition, body.gives(step(body, i), next_x), [number(2), Tensor((2,), "float32")], [0, 1]
    )
    loop = loop_of(check(data, noise(2)))
    assert loop.iterations() == trips and loop.body_condition is None
    assert ports(loop) == ["merged", "invariant", "iteration"] or loop.current_iteration is not None


@pytest.mark.parametrize(("compare", "swap"), [("GREATER", False), ("NOT_EQUAL", False)])
def test_any_other_condition_is_computed_at_each_step(compare: str, swap: bool):
    """Down from 4, which is no counting."""
    body = Part(i := index(), x := Tensor((2,), "float32"))
    down, twice = body("SUB", [i, number(1)], (), "int32"), body("ADD", [x, x], (2,))
    condition = counted(compare, 0, swap, [Tensor((2,), "float32")])
    data = model(condition, body.gives(down, twice), [number(4), Tensor((2,), "float32")], [0, 1])
    loop = loop_of(check(data, noise(2)))
    assert loop.body_condition is not None


def listed(place: Any, size: int, whole: int, trips: int, show_start: bool = False) -> bytes:
    """A loop that sets `size` rows of a list of `whole` at each step, where `place` says of the counter."""
    body = Part(i := index(), x := Tensor((whole, 2), "float32"), r := Tensor((size, 2), "float32"))
    along = body("MUL", [i, number([place[0], 0])], (2,), "int32")
    where = body("ADD", [along, number([place[1], 0])], (2,), "int32")
    item = body("ADD", [r, body("CAST", [i], ())], (size, 2))
    if show_start:
        item = body("ADD", [item, body("SUM", [x, number([0, 1])], (), keepDims=False)], (size, 2))
    after = body("DYNAMIC_UPDATE_SLICE", [x, item, where], (whole, 2))
    rest = [Tensor((whole, 2), "float32"), Tensor((size, 2), "float32")]
    starts = [number(0), *rest]
    return model(
        counted("LESS", trips, more=[Tensor(t.shape, t.element) for t in rest]),
        body.gives(step(body, i), after, r),
        starts,
        [1],
    )


FILLED = {
    "forward": ((1, 0), 1, 4, 4),
    "two at a time": ((2, 0), 2, 4, 2),
    "backward": ((-1, 3), 1, 4, 4),
    "two backward": ((-2, 2), 2, 4, 2),
}

SET = {
    "from the second on, so moved": ((1, 1), 1, 4, 4),
    "not to the end": ((1, 0), 1, 4, 3),
    "with gaps": ((2, 0), 1, 4, 2),
    "over one another": ((1, 0), 2, 4, 3),
    "beyond the end, so moved": ((1, 2), 2, 4, 3),
}


@pytest.mark.parametrize("name", FILLED)
def test_a_list_that_is_filled_is_put_together(name: str):
    module = check(listed(*FILLED[name]), noise(FILLED[name][2], 2), noise(FILLED[name][1], 2))
    found = ports(loop_of(module))
    assert "concatenated" in found and "merged" not in found


@pytest.mark.parametrize("name", SET)
def test_any_other_list_comes_back_at_each_step(name: str):
    module = check(listed(*SET[name]), noise(SET[name][2], 2), noise(SET[name][1], 2))
    found = ports(loop_of(module))
    assert "concatenated" not in found and "merged" in found


def test_a_list_that_is_read_comes_back_at_each_step():
    data = listed(*FILLED["forward"], show_start=True)
    assert "concatenated" not in ports(loop_of(check(data, noise(4, 2), noise(1, 2))))


@pytest.mark.parametrize("stop", [2, 9])
def test_a_list_that_a_test_may_leave_half_filled_comes_back(stop: int):
    body = Part(i := index(), x := Tensor((4,), "float32"), r := Tensor((1,), "float32"))
    where = body("RESHAPE", [i, number([1])], (1,), "int32")
    after = body("DYNAMIC_UPDATE_SLICE", [x, r, where], (4,))
    test = Part(j := index(), Tensor((4,), "float32"), q := Tensor((1,), "float32"))
    small = test(
        "LESS",
        [test("SUM", [q, number([0])], (), keepDims=False), number(5, "float32")],
        (),
        "bool",
    )
    parts = [
        test("LESS", [j, number(4)], (), "bool"),
        test("NOT_EQUAL", [j, number(stop)], (), "bool"),
        small,
    ]
    all_ = test("LOGICAL_AND", [parts[0], test("LOGICAL_AND", parts[1:], (), "bool")], (), "bool")
    starts = [number(0), Tensor((4,), "float32"), Tensor((1,), "float32")]
    data = model(test.gives(all_), body.gives(step(body, i), after, r), starts, [0, 1])
    for last in (1, 7):
        loop = loop_of(check(data, noise(4), np.array([last], np.float32)))
    assert "concatenated" not in ports(loop) and loop.body_condition is not None


@pytest.mark.parametrize("size", [[-1, 2], [1, -1], [2, 1]])
def test_a_slice_at_a_computed_place(size: list[int]):
    main = Part(
        x := Tensor((3, 3), "float32"), begin := Tensor((2,), "int32"), n := Tensor((2,), "int32")
    )
    main.gives(main("SLICE", [x, begin, n], (-1, -1)))
    data = serialize(Graph([main.graph]))
    check(data, noise(3, 3), np.array([1, 1], np.int32), np.array(size, np.int32), compiled=False)


def taken(place: tuple[int, int], trips: int, scalar: bool = True) -> bytes:
    """A loop that adds rows of a table, those that `place` says of the counter."""
    body = Part(i := index(), x := Tensor((2,), "float32"), table := Tensor((6, 2), "float32"))
    where = body(
        "ADD", [body("MUL", [i, number(place[0])], (), "int32"), number(place[1])], (), "int32"
    )
    if scalar:
        row = body("GATHER", [table, where], (2,), axis=0)
    else:
        two = body("ADD", [where, number([0, 1])], (2,), "int32")
        rows = body("GATHER", [table, two], (2, 2), axis=0)
        row = body("SUM", [rows, number([0])], (2,), keepDims=False)
    after = body("ADD", [body("MUL", [x, number(0.5, "float32")], (2,)), row], (2,))
    rest = [Tensor((2,), "float32"), Tensor((6, 2), "float32")]
    more = [Tensor(t.shape, t.element) for t in rest]
    starts = [number(0), *rest]
    return model(
        counted("LESS", trips, more=more), body.gives(step(body, i), after, table), starts, [1]
    )


@pytest.mark.parametrize(
    ("place", "trips", "scalar", "sliced"),
    [
        ((1, 0), 6, True, True),
        ((1, 2), 4, True, True),
        ((2, 0), 3, True, True),
        ((-1, 5), 6, True, True),
        ((-2, 4), 2, True, True),
        ((2, 0), 3, False, True),
        ((-2, 4), 3, False, True),
        ((2, 1), 3, True, False),  # the last stride leads out
        ((1, 0), 5, False, False),  # over one another
        ((0, 3), 4, True, False),  # always the same
    ],
)
def test_what_is_taken_part_by_part_is_sliced(
    place: tuple[int, int], trips: int, scalar: bool, sliced: bool
):
    module = check(taken(place, trips, scalar), noise(2), noise(6, 2))
    assert ("sliced" in ports(loop_of(module))) == sliced


def test_what_is_taken_at_different_strides_is_gathered():
    body = Part(i := index(), x := Tensor((2, 2), "float32"), table := Tensor((6, 2), "float32"))
    strides = body("MUL", [i, number([2, 3])], (2,), "int32")
    rows = body(
        "GATHER", [table, body("ADD", [strides, number([0, 1])], (2,), "int32")], (2, 2), axis=0
    )
    rest = [Tensor((2, 2), "float32"), Tensor((6, 2), "float32")]
    condition = counted("LESS", 2, more=[Tensor(t.shape, t.element) for t in rest])
    after = body("ADD", [x, rows], (2, 2))
    data = model(condition, body.gives(step(body, i), after, table), [number(0), *rest], [1])
    assert "sliced" not in ports(loop_of(check(data, noise(2, 2), noise(6, 2))))


def test_what_grows_has_an_unknown_size():
    body = Part(i := index(), x := Tensor((-1, 2), "float32"))
    more = body("CONCATENATION", [x, number([[1, 2]], "float32")], (-1, 2), axis=0)
    condition = counted("LESS", 3, more=[Tensor((-1, 2), "float32")])
    data = model(
        condition, body.gives(step(body, i), more), [number(0), Tensor((1, 2), "float32")], [1]
    )
    module = tflite_module(data)
    (result,) = Executor(module).run([x := noise(1, 2)])
    np.testing.assert_array_equal(result, [*x, [1, 2], [1, 2], [1, 2]])
    np.testing.assert_array_equal(result, by_litert(data, [x])[0])


def test_codes_are_carried_as_codes():
    grid = TensorQuantization((0.5,), (3,))

    def codes() -> Tensor:
        return Tensor((2, 2), "int8", quantization=grid)

    body, x, result = Part(i := index()), codes(), codes()
    body.graph.inputs.append(x)
    body.graph.operators.append(Operator("TRANSPOSE", [x, number([1, 0])], [result]))
    condition = counted("LESS", 3, more=[codes()])
    data = model(condition, body.gives(step(body, i), result), [number(0), codes()], [1])
    check(data, np.array([[1, -128], [127, 5]], np.int8))


@pytest.mark.parametrize("element", ["int8", "int16"])
def test_codes_are_sliced_and_put_together_as_codes(element: str):
    grid = TensorQuantization((0.5,), (3,) if element == "int8" else (0,))

    def codes(*shape: int) -> Tensor:
        return Tensor(shape, element, quantization=grid)

    body, table, filled = Part(i := index()), codes(4, 2), codes(4, 2)
    body.graph.inputs += [filled, table]
    row, item, result = codes(1, 2), codes(1, 2), codes(4, 2)
    where = body("RESHAPE", [i, number([1])], (1,), "int32")
    place = body("CONCATENATION", [where, number([0])], (2,), "int32", axis=0)
    body.graph.operators += [
        Operator("GATHER", [table, where], [row], {"axis": 0}),
        Operator("REVERSE_V2", [row, number([1])], [item]),
        Operator("DYNAMIC_UPDATE_SLICE", [filled, item, place], [result]),
    ]
    condition = counted("LESS", 4, more=[codes(4, 2), codes(4, 2)])
    start = number(np.zeros((4, 2)), element)
    start.quantization = grid
    after = body.gives(step(body, i), result, table)
    data = model(condition, after, [number(0), start, codes(4, 2)], [1])
    given = np.array([[1, -128], [127, 5], [0, 3], [-7, 9]], element)
    (found,) = Executor(module := tflite_module(data)).run([given])
    np.testing.assert_array_equal(found, given[:, ::-1])
    assert {"sliced", "concatenated"} == set(ports(loop_of(module)))


def test_branches_of_different_sizes_have_an_unknown_one():
    small, large = Part(a := Tensor((2,), "float32")), Part(b := Tensor((2,), "float32"))
    main = Part(c := Tensor((), "bool"), x := Tensor((2,), "float32"))
    options: dict[str, Any] = {"thenSubgraphIndex": 1, "elseSubgraphIndex": 2}
    result = main("IF", [c, x], (-1,), **options)
    bodies = [
        small.gives(small("RELU", [a], (2,))),
        large.gives(large("CONCATENATION", [b, b], (4,), axis=0)),
    ]
    data = serialize(Graph([main.gives(result), *bodies]))
    for condition in (True, False):
        check(data, np.array(condition), noise(2), compiled=False)


def test_what_stays_is_itself():
    body = Part(i := index(), x := Tensor((2,), "float32"))
    condition = counted("LESS", 3, more=[Tensor((2,), "float32")])
    data = model(
        condition, body.gives(step(body, i), x), [number(1), Tensor((2,), "float32")], [0, 1]
    )
    module = check(data, noise(2))
    assert not loop_of(module).results


# --- what is refused --------------------------------------------------------------------------------


def refused(data: bytes) -> str:
    with pytest.raises(DiagnosticException) as error:
        tflite_module(data)
    return str(error.value)


def test_a_variable_in_a_body_is_refused():
    body = Part(i := index(), v := Tensor((), "resource"))
    condition = counted("LESS", 3, more=[Tensor((), "resource")])
    data = model(condition, body.gives(step(body, i), v), [number(0), Tensor((), "resource")], [0])
    assert "resource" in refused(data)


def test_states_of_a_body_are_refused():
    body = Part(i := index(), x := Tensor((2,), "float32"))
    handle = body("VAR_HANDLE", [], (), "resource", container="", sharedName="v")
    old = body("READ_VARIABLE", [handle], (2,))
    condition = counted("LESS", 3, more=[Tensor((2,), "float32")])
    after = body("ADD", [old, x], (2,))
    data = model(
        condition, body.gives(step(body, i), after), [number(0), Tensor((2,), "float32")], [1]
    )
    assert refused(data) == (
        "WHILE: subgraph 'part' keeps states in its variables, which cannot be read of a body; convert the model "
        "with its variables as constants, or its loop unrolled"
    )


def test_a_body_that_runs_itself_is_refused():
    body = Part(i := index())
    options: dict[str, Any] = {"condSubgraphIndex": 1, "bodySubgraphIndex": 2}
    again = body("WHILE", [i], (), "int32", **options)
    data = model(counted("LESS", 3), body.gives(again), [Tensor((), "int32")], [0])
    assert refused(data) == "WHILE: subgraph 'part' runs itself; unroll the recursion"


def test_a_body_that_gives_less_than_it_takes_is_refused():
    body = Part(i := index(), Tensor((2,), "float32"))
    condition = counted("LESS", 3, more=[Tensor((2,), "float32")])
    data = model(condition, body.gives(step(body, i)), [number(0), Tensor((2,), "float32")], [0])
    assert refused(data) == (
        "WHILE: carries 2 tensors; its condition takes 2 and gives 1, its body takes 2 and gives 1"
    )


def test_a_body_that_changes_ranks_is_refused():
    body = Part(i := index(), x := Tensor((2,), "float32"))
    after = body("RESHAPE", [x, number([1, 2])], (1, 2))
    condition = counted("LESS", 3, more=[Tensor((2,), "float32")])
    data = model(
        condition, body.gives(step(body, i), after), [number(0), Tensor((2,), "float32")], [1]
    )
    assert "its body gives tensor<1x2xf32> for what was tensor<2xf32>" in refused(data)


def test_branches_that_do_not_fit_are_refused():
    none = Part(a := Tensor((2,), "float32"), Tensor((2,), "float32"))
    two = none.gives(none("RELU", [a], (2,)))
    for other, what in (
        (1, "gives 1 tensors to a branch that takes 2"),
        (3, "elseSubgraphIndex is 3; the file has 2 subgraphs"),
    ):
        main = Part(c := Tensor((), "bool"), x := Tensor((2,), "float32"))
        main.gives(main("IF", [c, x], (2,), thenSubgraphIndex=1, elseSubgraphIndex=other))
        assert refused(serialize(Graph([main.graph, two]))) == f"IF: {what}"
