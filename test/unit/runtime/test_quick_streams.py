"""What a pool does for calls like the one before: the same results, without planning and looking at inputs again."""

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.runtime.streams.plan import Costs
from lowstream.test.unit.runtime.runtime_models import STARTS_FROM_INPUT
from lowstream.test.unit.runtime.stream_pools import Array, frames, stateful

STEPS, COLUMNS = 9, 16
MODEL = STARTS_FROM_INPUT.replace("tensor<4xf32>", f"tensor<1x{COLUMNS}xf32>")
COSTS = {
    count: Costs(single=single, batch=10, row=1) for count, single in ((1, 1), (3, 1), (16, 9))
}
"""Each stream has a call of its own, or all share one."""

Stepped = Callable[[lowstream.StreamPool, list[Any], Array], Array]


@pytest.fixture(scope="module")
def pool() -> lowstream.StreamPool:
    """`Y = X + the former X`; before the first call that is half of X. A state of 64 bytes may stay where it is."""
    return lowstream.StreamPool(stateful(MODEL), 17)


@pytest.fixture
def planned(pool: lowstream.StreamPool, monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Calls that were planned, of all that the pool makes."""
    run = Mock(side_effect=pool._batches.run)
    monkeypatch.setattr(pool._batches, "run", run)
    return run


def together(pool: lowstream.StreamPool, streams: list[Any], x: Array) -> Array:
    return pool.infer(streams, {"X": x})["Y"]


def one_by_one(pool: lowstream.StreamPool, streams: list[Any], x: Array) -> Array:
    return np.stack([each.infer({"X": row})["Y"] for each, row in zip(streams, x, strict=True)])


def other(change: str, pool: lowstream.StreamPool, streams: list[Any], x: Array) -> Array:
    """Changes something between two calls. The frames as they are given."""
    match change:
        case "reset":
            streams[0].reset()
        case "restored":
            snapshot = streams[0].snapshot()
            streams[0].close()
            streams[0] = pool.restore(snapshot)
        case "others step":
            with pool.open() as another:
                for _ in range(2):
                    another.infer({"X": x[0]})
                    pool.infer([another], {"X": x[:1]})
        case "read-only":
            x.flags.writeable = False
        case "strided":
            return np.ascontiguousarray(x[..., ::-1])[..., ::-1]
        case "float64":
            return x.astype(np.float64)
        case _:
            pass
    return x


ALIKE: dict[Any, list[str]] = {
    together: ["", "read-only"],
    one_by_one: ["", "read-only", "strided"],
}
"""Frames of one stream are copied, wherever they lie."""

CHANGES = ["", "reset", "restored", "others step", "read-only", "strided", "float64"]


@pytest.mark.parametrize("step_by", [together, one_by_one])
@pytest.mark.parametrize("count", COSTS)
@pytest.mark.parametrize("change", CHANGES)
def test_results_are_those_of_any_call(
    pool: lowstream.StreamPool, planned: Mock, step_by: Stepped, count: int, change: str
):
    pool._batches._costs = COSTS[count]
    x = frames(STEPS, count, 1, COLUMNS)
    streams = sorted((pool.open() for _ in range(count)), key=lambda stream: stream.slot)
    former = x[0] / 2
    for number, each in enumerate(x):
        given = other(change, pool, streams, each) if number == STEPS // 2 else each
        if number == STEPS // 2 and change == "reset":
            former = former.copy()
            former[0] = each[0] / 2
        before, planned.call_count = pool.batches, 0
        assert_array_equal(step_by(pool, streams, given), each + former)
        former = each
        calls = 1 if step_by is together else count
        assert pool.batches - before == calls
        if number == STEPS - 1 or (number == STEPS // 2 and change in ALIKE[step_by]):
            assert planned.call_count == 0
    for stream in streams:
        stream.close()


def test_a_model_takes_other_keys(pool: lowstream.StreamPool, planned: Mock):
    x = frames(1, COLUMNS)
    with pool.open() as stream:
        for given in ({"X": x}, [x], {0: x}, {"X": x}):
            stream.infer(given)
            planned.call_count = 0
            for _ in range(2):
                assert_array_equal(stream.infer(given)["Y"], x + x)
            assert planned.call_count == 0


@pytest.mark.parametrize("frame", [frames(1, COLUMNS)[0], np.full((1, COLUMNS), 1e300)])
def test_a_frame_that_does_not_fit_is_refused(pool: lowstream.StreamPool, frame: Array):
    with pool.open() as stream:
        for _ in range(3):
            stream.infer({"X": frames(1, COLUMNS)})
        with pytest.raises(DiagnosticException, match="'X'"):
            stream.infer({"X": frame})


def test_results_stay(pool: lowstream.StreamPool):
    """Memory is used again where nobody holds what is there."""
    streams, x = [pool.open(), pool.open()], frames(9, 2, 1, COLUMNS)
    held = [pool.infer(streams, {"X": each})["Y"] for each in x]
    alone = [streams[0].infer({"X": each[0]})["Y"] for each in x]
    for number in range(1, len(x)):
        assert_array_equal(held[number], x[number] + x[number - 1])
        assert_array_equal(alone[number], x[number, 0] + x[number - 1, 0])
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("step_by", [together, one_by_one])
def test_a_closed_stream_is_refused(pool: lowstream.StreamPool, step_by: Stepped):
    streams, x = [pool.open(), pool.open()], frames(2, 1, COLUMNS)
    for _ in range(4):
        step_by(pool, streams, x)
    streams[0].close()
    pool._store.is_set[-1] = True  # which is no place of a closed one
    with pytest.raises(DiagnosticException, match="closed"):
        step_by(pool, streams, x)
    pool._store.is_set[-1] = False
    streams[1].close()


@pytest.mark.parametrize("count", [3, 16])
def test_other_streams_with_frames_alike(pool: lowstream.StreamPool, count: int):
    pool._batches._costs = COSTS[count]
    streams, x = [pool.open() for _ in range(count)], frames(count, 1, COLUMNS)
    for _ in range(4):
        together(pool, streams, x)
    assert_array_equal(together(pool, streams[::-1], x), x + x[::-1])
    for stream in streams:
        stream.close()


def test_an_array_of_streams_is_refused_as_in_the_first_call(pool: lowstream.StreamPool):
    streams, x = [pool.open(), pool.open()], frames(2, 1, COLUMNS)
    for _ in range(2):
        together(pool, streams, x)
    with pytest.raises(DiagnosticException, match="infer takes a list of streams"):
        pool.infer(np.array(streams, object), {"X": x})  # pyright: ignore[reportArgumentType]
    for stream in streams:
        stream.close()


def test_a_stream_of_another_pool_is_refused(pool: lowstream.StreamPool):
    x = frames(1, 1, COLUMNS)
    other = lowstream.StreamPool(stateful(MODEL), 1).open()
    with pool.open() as stream:
        other.slot = stream.slot  # which has a state
        one_by_one(pool, [stream, stream], x[[0, 0]])
        with pytest.raises(DiagnosticException, match="another pool"):
            pool.infer_one(other, {"X": x[0]})
