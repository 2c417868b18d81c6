"""Which operation depends on which: `feeds` against all paths, and how far it looks."""

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import test
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation

from lowstream.lowering.fusion import topology


@st.composite
def graphs(draw: st.DrawFn) -> list[test.TestOp]:
    """Operations with one result each, that use results of those before them."""
    ops: list[test.TestOp] = []
    for number in range(draw(st.integers(2, 12))):
        sources = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set[int]()
        ops.append(test.TestOp([ops[source].results[0] for source in sources], [i32]))
    return ops


def depends(op: Operation, producer: Operation) -> bool:
    owners = [value.owner for value in op.operands]
    return op is producer or any(isinstance(o, Operation) and depends(o, producer) for o in owners)


@given(graphs())
def test_feeds_finds_each_path_around_the_reader_and_no_other(ops: list[test.TestOp]):
    for reader in ops:
        for producer in {value.owner for value in reader.operands}:
            assert isinstance(producer, Operation)
            targets = {value.owner for value in reader.operands}
            others = [each for each in targets - {producer} if isinstance(each, Operation)]
            wanted = any(depends(each, producer) for each in others)
            assert topology.feeds(producer, targets, reader) == wanted


def test_feeds_stays_near_the_reader_in_a_long_program():
    """In each step, a reader combines a value with what was made of it; both lead on to the last step."""
    ops: list[Operation] = [test.TestOp([], [i32])]
    for _ in range(500):
        (value,) = ops[-1].results
        made = test.TestOp([value], [i32])
        reader = test.TestOp([value, *made.results], [i32])
        ops += [made, reader, test.TestOp([*made.results, *reader.results], [i32])]
    Block(ops)
    made, reader = ops[751], ops[752]
    with patch.object(topology, "_sources", wraps=topology._sources) as looked:  # pyright: ignore[reportPrivateUsage]
        assert not topology.feeds(made, {value.owner for value in reader.operands}, reader)
    assert looked.call_count < 10
