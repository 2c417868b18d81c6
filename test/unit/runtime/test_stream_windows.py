"""Streams side by side share calls where their states are stored."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lowstream
from lowstream.interop.model import Model
from lowstream.runtime.streams import pool as pool_module
from lowstream.runtime.streams.plan import COPYING, Costs, Group, Singles, SlotWindow, plan
from lowstream.runtime.streams.stored import MOST_PLANS, Stored
from lowstream.test.unit.runtime.runtime_models import STARTS_FROM_INPUT, module

ROOT = Path(__file__).parents[3]
F32 = np.dtype(np.float32)


@pytest.fixture(scope="module")
def step() -> Model:
    """An int8 cell with a state of 16 bytes."""
    model = lowstream.read_model(ROOT / "docs/examples/step.mlir")
    lowstream.run_passes(model, "low-latency2,lpt")
    return model


@pytest.mark.parametrize("seed", range(4))
def test_whoever_steps_with_whom(step: Model, seed: int):
    random, compiled = np.random.default_rng(seed), lowstream.compile_model(step)
    pool = lowstream.StreamPool(step, 40)
    streams = [pool.open() for _ in range(37)]
    alone = [compiled.create_infer_request() for _ in streams]
    halves: set[int] = set()
    for _ in range(8):
        taken = random.permutation(37)[: random.integers(12, 38)].tolist()
        if random.integers(2):
            taken.sort()
        x = random.normal(size=(len(taken), 1, 4)).astype(np.float32)
        found = pool.infer([streams[i] for i in taken], {"X": x})["Y"]
        for i, each, y in zip(taken, x, found, strict=True):
            assert_array_equal(y, alone[i].infer({"X": each})["Y"])
        for i in random.integers(0, 37, 3).tolist():
            how = random.integers(3)
            if how == 0:
                streams[i].reset()
                alone[i].reset_state()
            elif how == 1:
                snapshot = streams[i].snapshot()
                streams[i].close()
                streams[i] = pool.restore(snapshot)
            else:
                streams[i].close()
                streams[i], alone[i] = pool.open(), compiled.create_infer_request()
        halves |= {*pool._store.half.tolist()}
    assert halves == {0, 1}


@pytest.mark.parametrize("begin", [0, 16])
def test_streams_in_the_order_of_their_places_take_one_native_call(step: Model, begin: int):
    random, compiled = np.random.default_rng(begin), lowstream.compile_model(step)
    pool = lowstream.StreamPool(step, 64)
    streams = [pool.open() for _ in range(63)]
    alone = [compiled.create_infer_request() for _ in streams]
    for taken in (slice(0, 63), slice(begin, 63), slice(0, 48), slice(begin, 48)):
        x = random.normal(size=(len(streams[taken]), 1, 4)).astype(np.float32)
        found = pool.infer(streams[taken], {"X": x})["Y"]
        for request, each, y in zip(alone[taken], x, found, strict=True):
            assert_array_equal(y, request.infer({"X": each})["Y"])


def test_a_snapshot_is_of_one_moment(step: Model, monkeypatch: pytest.MonkeyPatch):
    """Others step, as in other threads, before it is packed."""
    pool = lowstream.StreamPool(step, 32)
    streams = [pool.open() for _ in range(16)]
    x = np.random.default_rng(0).normal(size=(16, 1, 4)).astype(np.float32)
    for count in (16, 16, 12):
        pool.infer(streams[:count], {"X": x[:count]})
    packed = pool_module.packed

    def packed_later(*arguments: Any) -> bytes:
        pool.infer(streams[:12], {"X": x[:12]})
        return packed(*arguments)

    wanted = streams[15].snapshot()
    monkeypatch.setattr(pool_module, "packed", packed_later)
    assert streams[15].snapshot() == wanted


def test_the_same_streams_again_after_one_left(step: Model):
    pool = lowstream.StreamPool(step, 16)
    streams, x = [pool.open() for _ in range(16)], np.ones((16, 1, 4), np.float32)
    pool.infer(streams, {"X": x})
    streams[3].close()
    with pytest.raises(lowstream.DiagnosticException, match="the stream is closed"):
        pool.infer(streams, {"X": x})
    streams[3] = pool.open()
    first = pool.infer(streams, {"X": x})["Y"][3]
    alone = lowstream.compile_model(step).create_infer_request()
    assert_array_equal(first, alone.infer({"X": x[0]})[0])


def test_streams_that_rest_while_their_neighbours_step(step: Model):
    """A call brings all states of a window to one half, and writes the other one, also those of streams that rest."""
    pool, compiled = lowstream.StreamPool(step, 16), lowstream.compile_model(step)
    streams = [pool.open() for _ in range(16)]
    alone = [compiled.create_infer_request() for _ in streams]
    for taken in (range(16), range(14), range(14), range(4, 12), range(2, 16), range(4), range(16)):
        x = np.arange(len(taken) * 4, dtype=np.float32).reshape(-1, 1, 4) / 50
        found = pool.infer([streams[i] for i in taken], {"X": x})["Y"]
        for i, each, y in zip(taken, x, found, strict=True):
            assert_array_equal(y, alone[i].infer({"X": each})["Y"])


SIZES = (64, 16, 4)
COSTS = Costs(single=9, batch=10, row=1)
ALONE = Costs(single=1, batch=10, row=1)
"""For one stream, a call is never dearer than a batch."""


@pytest.mark.parametrize(
    ("slots", "windows", "left"),
    [
        (range(64), [(0, 64, 1)], []),
        (range(63, -1, -1), [(0, 64, 1)], []),
        (range(48), [(0, 64, 1)], []),
        (range(47), [(0, 16, 2), (32, 16, 1)], []),
        (range(43), [(0, 16, 2), (32, 16, 1)], []),
        (range(16, 30), [(16, 16, 1)], []),
        (range(128), [(0, 64, 2)], []),
        ([*range(64, 128), *range(64)], [(0, 64, 1), (64, 64, 1)], []),
        ([*range(16), *range(32, 48)], [(0, 16, 1), (32, 16, 1)], []),
        ([*range(64, 128), 3, 5], [(64, 64, 1)], [3, 5]),
        ([*range(64, 128), 4, 6], [(64, 64, 1), (4, 4, 1)], []),
        (range(0, 128, 2), [], range(0, 128, 2)),
        ([], [], []),
        (range(4), [(0, 4, 1)], []),
        (range(3), [(0, 4, 1)], []),
        (range(2, 5), [], range(2, 5)),
        (range(24), [(0, 16, 1), (16, 4, 2)], []),
        ([*range(4), *range(8, 12)], [(0, 4, 1), (8, 4, 1)], []),
        (range(10), [(0, 16, 1)], []),
        (range(10, 20), [], range(10, 20)),
        ([*range(4), 9, 10, 20, 30], [], [*range(4), 9, 10, 20, 30]),
    ],
)
def test_windows_are_mostly_full(slots: Any, windows: Any, left: Any):
    given, is_set = np.array([*slots], np.intp), np.ones(128, bool)
    steps = plan(given, is_set, SIZES, COSTS)
    found = [step for step in steps if isinstance(step, SlotWindow)]
    assert [(window.start, window.size, window.calls) for window in found] == windows
    groups = [step for step in steps if isinstance(step, Group)]
    assert [slot for group in groups for slot in group.slots.tolist()] == [*left]
    for group in groups:
        assert_array_equal(given[group.places], group.slots)
    for window in found:
        assert_array_equal(given[window.places], np.arange(128)[window.slots])
        assert_array_equal(np.arange(128)[window.slots] - window.start, np.arange(128)[window.rows])


@pytest.mark.parametrize(("count", "windows"), [(12, []), (15, []), (16, [(0, 16)])])
def test_a_window_takes_less_than_calls_for_each(count: int, windows: list[tuple[int, int]]):
    """A row of a batch takes as long as a call. Where not all have frames, they are copied."""
    costs = Costs.of(2e-5, 8e-5, 4, True)
    steps = plan(np.arange(count), np.ones(64, bool), (64, 16, 1), costs)
    found = [(step.start, step.size) for step in steps if isinstance(step, SlotWindow)]
    assert found == windows
    assert [len(step.slots) for step in steps if isinstance(step, Singles)] == [count] * (
        not windows
    )


def test_a_window_that_is_full_is_not_copied():
    costs = Costs(single=2e-5, batch=COPYING, row=15 / 16 * 2e-5)
    assert costs.pays(16, 16)
    assert not costs.pays(15, 16)


def test_a_small_window_may_take_less_where_a_batch_does_not():
    costs = Costs(single=2e-5, batch=COPYING / 2, row=2e-5)
    (step,) = plan(np.arange(4), np.ones(64, bool), (16, 4, 1), costs)
    assert isinstance(step, SlotWindow)


def test_windows_are_of_set_states():
    is_set, slots = np.arange(64) < 20, np.arange(64)
    window, *groups = plan(slots, is_set, SIZES, COSTS)
    assert isinstance(window, SlotWindow)
    assert (window.start, window.size) == (0, 16)
    assert [(group.is_set, len(group.slots)) for group in groups if isinstance(group, Group)] == [
        (False, 44)
    ]
    (window,) = plan(slots, np.ones(64, bool), SIZES, COSTS)
    assert isinstance(window, SlotWindow)
    assert window.size == 64


@pytest.mark.parametrize(("columns", "sizes"), [(4, (64, 16, 4)), (3, (64, 16)), (1, (64, 16))])
def test_windows_begin_where_states_are_aligned(columns: int, sizes: tuple[int, ...]):
    """Four streams of 12 bytes each end within a cache line, so that the next window would begin there."""
    text = STARTS_FROM_INPUT.replace("tensor<4xf32>", f"tensor<1x{columns}xf32>")
    pool = lowstream.StreamPool(Model(module(text)), 64)
    assert pool._batches.in_place == sizes


def test_a_plan_holds_until_states_are_set_or_reset():
    store, some, others = Stored(64, [((4,), F32)]), np.arange(8), np.arange(4)
    first = store.plan(some, SIZES, COSTS)
    store.plan(others, SIZES, COSTS)
    assert store.plan(some.copy(), SIZES, COSTS) is first
    store.mark(3, True)
    assert store.plan(some, SIZES, COSTS) is not first


def test_so_many_plans_are_kept():
    store = Stored(64, [((4,), F32)])
    for slots in np.random.default_rng(0).permuted(
        np.tile(np.arange(64), (2 * MOST_PLANS, 1)), axis=1
    ):
        store.plan(slots, SIZES, COSTS)
        assert len(store._plans) <= MOST_PLANS


def test_streams_that_left_do_not_move(step: Model):
    """Their states are nobody's, whichever half they are in."""
    pool, compiled = lowstream.StreamPool(step, 16), lowstream.compile_model(step)
    streams = [pool.open() for _ in range(16)]
    x = np.ones((16, 1, 4), np.float32)
    pool.infer(streams, {"X": x})
    for stream in streams[12:]:
        stream.close()
    alone = [compiled.create_infer_request() for _ in range(12)]
    for request in alone:
        request.infer({"X": x[0]})
    for _ in range(2):
        found = pool.infer(streams[:12], {"X": x[:12]})["Y"]
        for request, y in zip(alone, found, strict=True):
            assert_array_equal(y, request.infer({"X": x[0]})["Y"])
    assert pool._store.half[:16].tolist() == [0] * 16


FAILS = """
infra.variable @total : tensor<1x4xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<1x4xf32>
  %t = infra.read_value @total, %zero : tensor<1x4xf32> -> tensor<1x4xf32>
  %y = nn.add %x, %t : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  infra.assign @total, %y : tensor<1x4xf32>
  %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
  %most = nn.reduce_max %x, %axes : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<f32>
  %limit = nn.constant dense<100.0> : tensor<f32>
  %far = nn.greater %most, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  infra.if %far : (tensor<i1>) -> () {
    infra.fail "there is more than 100"
    infra.yield
  } else {
    infra.yield
  }
  func.return %y : tensor<1x4xf32>
}
"""
"""A running sum that refuses large numbers."""


@pytest.mark.parametrize("wrong", [3, 20])
def test_the_calls_before_one_that_fails_are_made(wrong: int):
    """A window of two calls of 16 streams: those of the call that fails are where they were."""
    pool, x = lowstream.StreamPool(Model(module(FAILS)), 32), np.ones((32, 1, 4), np.float32)
    streams = [pool.open() for _ in range(32)]
    pool.infer(streams, {"X": x})
    bad = x.copy()
    bad[wrong] = 101
    with pytest.raises(lowstream.DiagnosticException, match="there is more than 100"):
        pool.infer(streams, {"X": bad})
    before = wrong // 16 * 16
    assert_array_equal(
        pool.infer(streams, {"X": x})["Y"][:, 0, 0], [3] * before + [2] * (32 - before)
    )


@pytest.mark.parametrize("taken", [[5], [30, 2, 17], [4, 7, 6, 9, 8, 1, 20]])
def test_few_streams_run_where_they_are_stored(taken: list[int]):
    text = STARTS_FROM_INPUT.replace("tensor<4xf32>", "tensor<1x16xf32>")
    model = Model(module(text))
    pool, compiled = lowstream.StreamPool(model, 32), lowstream.compile_model(model)
    streams = [pool.open() for _ in range(32)]
    alone = [compiled.create_infer_request() for _ in streams]
    pool._batches._costs = ALONE
    for number, some in enumerate((taken, taken[::2], taken, taken[::-1])):
        x = np.random.default_rng(number).normal(size=(len(some), 1, 16)).astype(np.float32)
        found = pool.infer([streams[i] for i in some], {"X": x})["Y"]
        for i, each, y in zip(some, x, found, strict=True):
            assert_array_equal(y, alone[i].infer({"X": each})["Y"])
        steps = pool._store.plan(np.array(some), pool._batches.in_place, ALONE)
        assert [type(step) for step in steps] == [Singles]


def test_the_streams_before_one_that_fails_step():
    wide = FAILS.replace("tensor<1x4xf32>", "tensor<1x16xf32>")
    pool, x = lowstream.StreamPool(Model(module(wide)), 32), np.ones((3, 1, 16), np.float32)
    streams = [pool.open() for _ in range(32)][9:30:10]
    pool._batches._costs = ALONE
    pool.infer(streams, {"X": x})
    bad = x.copy()
    bad[1] = 101
    with pytest.raises(lowstream.DiagnosticException, match="there is more than 100"):
        pool.infer(streams, {"X": bad})
    assert_array_equal(pool.infer(streams, {"X": x})["Y"][:, 0, 0], [3, 2, 2])


READ_ONLY = """
infra.variable @gain : tensor<1x4xf32>
infra.variable @total : tensor<1x4xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<1x4xf32>
  %start = nn.abs %x : tensor<1x4xf32>
  %g = infra.read_value @gain, %start : tensor<1x4xf32> -> tensor<1x4xf32>
  %t = infra.read_value @total, %zero : tensor<1x4xf32> -> tensor<1x4xf32>
  %scaled = nn.multiply %x, %g : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = nn.add %scaled, %t : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  infra.assign @total, %y : tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""
"""A sum of inputs times a state that no call writes."""

GROWS_ONCE = """
infra.variable @total : tensor<?x?xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %axis = nn.constant dense<0> : tensor<1xi64>
  %one = nn.constant dense<1> : tensor<1xi64>
  %first = nn.slice %x, %axis, %one, %one, %one
      : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1xf32>
  %t = infra.read_value @total, %first : tensor<1x1xf32> -> tensor<?x?xf32>
  %y = nn.add %x, %t : (tensor<1x4xf32>, tensor<?x?xf32>) -> tensor<1x4xf32>
  infra.assign @total, %y : tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
"""
"""A running sum whose initial value is one of the input: a state of one number becomes one of four."""

CONSTANT = READ_ONLY.replace(
    "nn.abs %x : tensor<1x4xf32>", "nn.constant dense<2.0> : tensor<1x4xf32>"
)

BOTH = GROWS_ONCE.replace(
    "infra.variable", "infra.variable @gain : tensor<?x?xf32>\ninfra.variable"
).replace(
    "  %y = nn.add %x, %t",
    """  %start = nn.abs %x : tensor<1x4xf32>
  %g = infra.read_value @gain, %start : tensor<1x4xf32> -> tensor<?x?xf32>
  %scaled = nn.multiply %x, %g : (tensor<1x4xf32>, tensor<?x?xf32>) -> tensor<1x4xf32>
  %y = nn.add %scaled, %t""",
)


@pytest.mark.parametrize(
    "text",
    [READ_ONLY, CONSTANT, GROWS_ONCE, BOTH],
    ids=["read alone", "constant", "grows once", "both"],
)
def test_states_that_change_otherwise(text: str):
    model = Model(module(text))
    pool, alone = lowstream.StreamPool(model, 32), lowstream.compile_model(model)
    streams, request = [pool.open() for _ in range(32)], alone.create_infer_request()
    for step in range(4):
        x = np.arange(4, dtype=np.float32)[None] - step
        found = pool.infer(streams, {"X": np.stack([x] * 32)})["Y"]
        assert_array_equal(found, np.stack([request.infer({"X": x})["Y"]] * 32))
