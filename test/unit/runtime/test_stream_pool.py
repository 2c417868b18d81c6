"""`StreamPool`: many streams of one model, whose calls are shared and whose results are their own."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.lowering.machine import ENVIRONMENT, available_isas
from lowstream.runtime.streams.plan import Costs, parts
from lowstream.test.unit.cluster.models import DEPENDENT, DEPENDENT_INTEGERS
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import START
from lowstream.test.unit.runtime.stream_pools import alone as alone
from lowstream.test.unit.runtime.stream_pools import as_alone, frames, stateful
from lowstream.test.unit.runtime.stream_pools import pool as pool
from lowstream.test.unit.runtime.stream_pools import step as step

Array = np.ndarray[Any, Any]
ROOT = Path(__file__).parents[3]

STARTS_FROM_INPUT = runtime_models.STARTS_FROM_INPUT.replace("tensor<4xf32>", "tensor<1x4xf32>")
"""The initial state is half of the first input."""

AXIS_IN_THE_MIDDLE = """
infra.variable @last : tensor<2x1x3xf32>
func.func @main(%x: tensor<1x2x3xf32> {nn.names = ["X"]}, %k: tensor<f32> {nn.names = ["K"]})
    -> (tensor<3x1x2xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<2x1x3xf32>
  %order = nn.constant dense<[1, 0, 2]> : tensor<3xi64>
  %other = nn.constant dense<[2, 1, 0]> : tensor<3xi64>
  %old = infra.read_value @last, %zero : tensor<2x1x3xf32> -> tensor<2x1x3xf32>
  %t = nn.transpose %x, %order : (tensor<1x2x3xf32>, tensor<3xi64>) -> tensor<2x1x3xf32>
  %scaled = nn.multiply %t, %k : (tensor<2x1x3xf32>, tensor<f32>) -> tensor<2x1x3xf32>
  %sum = nn.add %scaled, %old : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  infra.assign @last, %sum : tensor<2x1x3xf32>
  %y = nn.transpose %sum, %other : (tensor<2x1x3xf32>, tensor<3xi64>) -> tensor<3x1x2xf32>
  func.return %y : tensor<3x1x2xf32>
}
"""

WEIGHT_ONLY = f"""
infra.variable @last : tensor<1x128xf32>
func.func @main(%x: tensor<1x128xf32> {{nn.names = ["X"]}})
    -> (tensor<1x128xf32> {{nn.names = ["Y"]}}) {{
  %zero = nn.constant dense<0.0> : tensor<1x128xf32>
  %codes = nn.constant dense<"0x{(bytes(range(256)) * 64).hex()}"> : tensor<128x128xi8>
  %w = qnn.dequantize %codes scale <dense<0.001> : tensor<f32>>
      : tensor<128x128xi8> -> tensor<128x128xf32>
  %old = infra.read_value @last, %zero : tensor<1x128xf32> -> tensor<1x128xf32>
  %h = nn.mat_mul %old, %w : (tensor<1x128xf32>, tensor<128x128xf32>) -> tensor<1x128xf32>
  %sum = nn.add %h, %x : (tensor<1x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  %y = nn.tanh %sum : tensor<1x128xf32>
  infra.assign @last, %y : tensor<1x128xf32>
  func.return %y : tensor<1x128xf32>
}}
"""
"""A state times weights that alone are quantized."""

GATE = f"""
infra.variable @last : tensor<1x64xf32>
func.func @main(%x: tensor<1x64xf32> {{nn.names = ["X"]}})
    -> (tensor<1x64xf32> {{nn.names = ["Y"]}}) {{
  %zero = nn.constant dense<0.0> : tensor<1x64xf32>
  %w = nn.constant dense<{np.random.default_rng(0).normal(size=(64, 64)).tolist()}> : tensor<64x64xf32>
  %old = infra.read_value @last, %zero : tensor<1x64xf32> -> tensor<1x64xf32>
  %a = nn.mat_mul %x, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %h = nn.mat_mul %old, %w : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
  %sum = nn.add %a, %h : (tensor<1x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32>
  %y = nn.tanh %sum : tensor<1x64xf32>
  infra.assign @last, %y : tensor<1x64xf32>
  func.return %y : tensor<1x64xf32>
}}
"""
"""A sum of two products of f32, of an input and of a state."""


@pytest.mark.parametrize("count", [1, 2, 3, 5, 16, 17, 37])
def test_each_stream_gets_what_it_would_get_alone(
    pool: lowstream.StreamPool, alone: lowstream.CompiledModel, count: int
):
    x = frames(3, count, 1, 4)
    streams = [pool.open() for _ in range(count)]
    found = np.stack([pool.infer(streams, {"X": each})["Y"] for each in x])
    for i, stream in enumerate(streams):
        assert_array_equal(found[:, i], as_alone(alone, x[:, i]))
        stream.close()


@pytest.mark.parametrize(
    "text", [runtime_models.SUMS, STARTS_FROM_INPUT], ids=["a constant", "of the input"]
)
def test_initial_states(text: str):
    pool, x = lowstream.StreamPool(stateful(text), 6), frames(3, 6, 1, 4)
    compiled = lowstream.compile_model(stateful(text))
    streams = [pool.open() for _ in range(2)]
    pool.infer(streams, {"X": x[0, :2]})
    streams += [pool.open() for _ in range(4)]  # some are set, and some are not
    pool.infer(streams, {"X": x[1]})
    found = pool.infer(streams, {"X": x[2]})["Y"]
    for i in range(6):
        assert_array_equal(found[i], as_alone(compiled, x[0 if i < 2 else 1 :, i])[-1])


@pytest.mark.parametrize("count", [5, 16])
def test_streams_may_be_any_dimension_and_inputs_shared(count: int):
    model = stateful(AXIS_IN_THE_MIDDLE)
    pool = lowstream.StreamPool(model, count, shared={"K": 3})
    x = frames(2, count, 1, 2, 3)
    streams = [pool.open() for _ in range(count)]
    found = [pool.infer(streams, {"X": each})["Y"] for each in x][-1]
    assert found.shape == (count, 3, 1, 2)
    assert_array_equal(found, 3 * x[0].transpose(0, 3, 1, 2) + 3 * x[1].transpose(0, 3, 1, 2))


@pytest.mark.parametrize("isa", [isa.name for isa in available_isas()])
@pytest.mark.parametrize(
    ("text", "size"), [(WEIGHT_ONLY, 128), (GATE, 64)], ids=["codes", "two products"]
)
@pytest.mark.parametrize("count", [4, 16, 64])
def test_a_batch_has_the_products_of_a_stream_alone(
    isa: str, text: str, size: int, count: int, monkeypatch: pytest.MonkeyPatch
):
    """So many rows of one model would be multiplied another way, and rounded so."""
    monkeypatch.setenv(ENVIRONMENT, isa)
    pool, x = lowstream.StreamPool(stateful(text), count), frames(3, count, 1, size)
    compiled = lowstream.compile_model(stateful(text))
    streams = [pool.open() for _ in range(count)]
    found = np.stack([pool.infer(streams, {"X": each})["Y"] for each in x])
    for i in range(count):
        assert_array_equal(found[:, i], as_alone(compiled, x[:, i]))


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["open", "close", "reset", "move", "infer", "infer"]),
        st.integers(0, 9),
        st.integers(1, 9),
    ),
    max_size=25,
)


@given(ACTIONS)
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_streams_come_and_go(
    pool: lowstream.StreamPool,
    alone: lowstream.CompiledModel,
    actions: list[tuple[str, int, int]],
):
    members: list[tuple[lowstream.Stream, lowstream.InferRequest]] = []
    random = np.random.default_rng(0)
    for action, place, count in actions:
        if not members and action != "open":
            continue
        match action:
            case "open":
                members.append((pool.open(), alone.create_infer_request()))
            case "close":
                members.pop(place % len(members))[0].close()
            case "reset":
                stream, request = members[place % len(members)]
                stream.reset()
                request.reset_state()
            case "move":
                stream, request = members[place % len(members)]
                members[place % len(members)] = (pool.restore(stream.snapshot()), request)
                stream.close()
            case _:
                last = place + min(count, len(members))
                chosen = [members[i % len(members)] for i in range(place, last)]
                x = random.normal(size=(len(chosen), 1, 4)).astype(np.float32)
                found = pool.infer([stream for stream, _ in chosen], {"X": x})["Y"]
                for row, each, (_, request) in zip(found, x, chosen, strict=True):
                    assert_array_equal(row, request.infer({"X": each})["Y"])
    for stream, _ in members:
        stream.close()
    assert len(pool) == 0


def test_callers_in_threads_share_calls(step: Model, alone: lowstream.CompiledModel):
    pool, x = lowstream.StreamPool(step, 8), frames(8, 20, 1, 4)

    def caller(number: int) -> Array:
        with pool.open() as stream:
            return np.stack([stream.infer({"X": each})["Y"] for each in x[number]])

    with ThreadPoolExecutor(8) as threads:
        for number, found in enumerate(threads.map(caller, range(8))):
            assert_array_equal(found, as_alone(alone, x[number]))
    assert len(pool) == 0


def test_what_waits_runs_together_and_in_the_order_in_which_it_came(
    pool: lowstream.StreamPool, alone: Any
):
    """The first frames of two streams share a batch; the next frame of the first one waits for it."""
    x, calls, before = frames(3, 1, 4), list[Any](), pool.batches
    with pool.open() as first, pool.open() as second, ThreadPoolExecutor(3) as threads:
        with pool._lock:
            for stream, each in zip((first, second, first), x, strict=True):
                calls.append(threads.submit(stream.infer, {"X": each}))
                while len(pool._waiting) < len(calls):
                    pass
        found = [call.result()["Y"] for call in calls]
    assert_array_equal([found[0], found[2]], as_alone(alone, x[[0, 2]]))
    assert_array_equal(found[1], as_alone(alone, x[[1]])[0])
    assert pool.batches == before + 2


def test_a_stream_closed_while_it_waits_disturbs_nobody(pool: lowstream.StreamPool, alone: Any):
    x, calls = frames(2, 1, 4), list[Any]()
    with pool.open() as first, pool.open() as second, ThreadPoolExecutor(2) as threads:
        with pool._lock:
            for stream, each in zip((first, second), x, strict=True):
                calls.append(threads.submit(stream.infer, {"X": each}))
                while len(pool._waiting) < len(calls):
                    pass
            slot = second.leave()
        assert_array_equal(calls[0].result(20)["Y"], as_alone(alone, x[:1])[0])
        with pytest.raises(DiagnosticException, match="the stream is closed"):
            calls[1].result(20)
    pool._free.append(slot)


def test_callers_who_give_an_unused_input_disturb_nobody(pool: lowstream.StreamPool, alone: Any):
    x, h = frames(2, 1, 4), np.zeros((1, 4), np.float32)
    given = [{"X": x[0], "H": h}, {"X": x[1]}]
    streams = [pool.open() for _ in given]
    with ThreadPoolExecutor(2) as threads:
        with pool._lock:
            calls = [threads.submit(s.infer, one) for s, one in zip(streams, given, strict=True)]
            while len(pool._waiting) < 2:
                pass
        for each, call in zip(x, calls, strict=True):
            assert_array_equal(call.result()["Y"], as_alone(alone, each[None])[0])
    for stream in streams:
        stream.close()


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [10**13, 2**70])
def test_a_pool_that_no_memory_holds(step: Model, capacity: int):
    with pytest.raises(DiagnosticException, match=f"the states of {capacity} streams do not fit"):
        lowstream.StreamPool(step, capacity)


def test_pools_and_streams_are_not_copied(pool: lowstream.StreamPool):
    with pool.open() as stream:
        for duplicate in (pickle.dumps, copy, deepcopy):
            for each in (pool, stream):
                with pytest.raises(TypeError, match="neither copied nor pickled"):
                    duplicate(each)


def test_shared_values_have_names(step: Model):
    with pytest.raises(DiagnosticException, match="shared is 5; give values by name"):
        lowstream.StreamPool(step, 1, shared=cast(Any, 5))


def test_a_stream_takes_one_frame_of_an_input(step: Model):
    pool, x = lowstream.StreamPool(step, 1), frames(1, 4)[0]
    with pool.open() as stream:
        for call in (
            lambda: stream.infer({"X": x, 0: x}),
            lambda: pool.infer([stream], {"X": x[None], 0: x[None]}),
            lambda: lowstream.StreamPool(step, 1, shared={"X": x, 0: x}),
        ):
            with pytest.raises(DiagnosticException, match="input 'X' was given twice"):
                call()


def test_a_full_pool():
    pool = lowstream.StreamPool(stateful(runtime_models.SUMS), 2)
    first, _ = pool.open(), pool.open()
    with pytest.raises(DiagnosticException, match="the pool is full: its capacity is 2"):
        pool.open()
    with pytest.raises(DiagnosticException, match="the pool is full"):
        pool.restore(first.snapshot())
    first.infer([np.ones((1, 4), np.float32)])
    first.close()
    again = pool.open()
    assert_array_equal(again.infer([np.zeros((1, 4), np.float32)])["Y"], START)


def test_closed_streams_and_those_of_others(pool: lowstream.StreamPool):
    stream, x = pool.open(), frames(1, 1, 4)
    stream.close()
    stream.close()
    assert repr(stream) == "<Stream, closed>"
    for call in (
        lambda: stream.infer({"X": x[0]}),
        lambda: pool.infer([stream], {"X": x}),
        stream.reset,
        stream.snapshot,
    ):
        with pytest.raises(DiagnosticException, match="the stream is closed; open another"):
            call()
    other = lowstream.StreamPool(stateful(runtime_models.SUMS), 1).open()
    with pytest.raises(DiagnosticException, match="the stream is of another pool"):
        pool.infer([other], {"X": x})


def test_wrong_frames_change_no_state(pool: lowstream.StreamPool, alone: Any):
    x = frames(2, 1, 4)
    with pool.open() as stream:
        stream.infer({"X": x[0]})
        for call, message in (
            (lambda: pool.infer([stream, stream], {"X": x}), "a stream is given twice"),
            (lambda: pool.infer([stream], {"X": x}), "there are 1 streams, and frames for 2"),
            (lambda: pool.infer(cast("Any", stream), {"X": x}), r"list of streams.*Stream is none"),
            (lambda: pool.infer(cast("Any", [3]), {"X": x[:1]}), "list of streams.*an int is none"),
            (lambda: pool.infer([stream], {"Z": x}), "there is no input 'Z'"),
            (lambda: pool.infer([stream], {}), "at least one input"),
            (
                lambda: stream.infer({"X": x}),
                r"takes float32\[1, 4\], was given float32\[2, 1, 4\]",
            ),
            (lambda: stream.infer({}), "at least one input"),
        ):
            with pytest.raises(DiagnosticException, match=message):
                call()
        assert_array_equal(stream.infer({"X": x[1]})["Y"], as_alone(alone, x)[1])


def test_shared_inputs_are_not_given_again():
    pool = lowstream.StreamPool(stateful(AXIS_IN_THE_MIDDLE), 1, shared={"K": 1})
    with (
        pool.open() as stream,
        pytest.raises(DiagnosticException, match="input 'K' is shared by all streams"),
    ):
        stream.infer({"X": frames(1, 2, 3), "K": np.float32(1)})


@pytest.mark.parametrize(
    ("text", "shared", "message"),
    [
        (
            AXIS_IN_THE_MIDDLE,
            {},
            r"input 'K' has shape \[\]: a dimension of an input is to be 1",
        ),
        (AXIS_IN_THE_MIDDLE, {"L": 1}, "there is no input 'L'"),
        (runtime_models.STARTS_FROM_INPUT, {}, r"input 'X' has shape \[4\]: a dimension"),
        (DEPENDENT, {}, "output 'Y' of a stream depends on the other streams"),
        (DEPENDENT_INTEGERS, {}, "output 'Y' of a stream depends on the other streams"),
    ],
)
def test_models_that_cannot_be_batched(text: str, shared: dict[str, int], message: str):
    with pytest.raises(DiagnosticException, match=message):
        lowstream.StreamPool(stateful(text), 4, shared=shared)


def test_a_pool_compiles_its_model_itself(step: Model):
    for wrong in (lowstream.compile_model(step), "step.mlir"):
        with pytest.raises(
            DiagnosticException, match=r"give what lowstream\.read_model gave, not a"
        ):
            lowstream.StreamPool(wrong, 2)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("capacity", [0, -1, 1.5, True, None])
def test_wrong_capacities(step: Model, capacity: Any):
    with pytest.raises(DiagnosticException, match="give a number of streams from 1"):
        lowstream.StreamPool(step, capacity)


EVEN = Costs(single=3, batch=4, row=2)
"""Rows of a batch take hardly less than calls for one."""

STEEP = Costs(single=9, batch=10, row=1)
"""A call takes as long as many rows, as where it reads large weights."""


@pytest.mark.parametrize(
    ("costs", "count", "batches"),
    [
        (EVEN, 0, []),
        (EVEN, 1, [(1, 1)]),
        (EVEN, 3, [(1, 1)] * 3),
        (EVEN, 13, [(13, 16)]),
        (EVEN, 18, [(16, 16), (1, 1), (1, 1)]),
        (STEEP, 1, [(1, 1)]),
        (STEEP, 2, [(2, 4)]),
        (STEEP, 5, [(4, 4), (1, 1)]),
        (STEEP, 8, [(8, 16)]),
        (STEEP, 46, [(46, 64)]),
        (STEEP, 200, [(64, 64), (64, 64), (64, 64), (8, 16)]),
    ],
)
def test_batches_for_a_number_of_rows(costs: Costs, count: int, batches: list[tuple[int, int]]):
    assert sorted(parts(count, costs)) == sorted(batches)


def test_costs_are_of_native_calls_and_of_what_is_around():
    in_place, copied = (Costs.of(2e-6, 5e-6, 4, stays) for stays in (True, False))
    assert in_place.single < copied.single < copied(4)
    assert copied(8) - copied(4) == pytest.approx(4e-6)


def test_few_rows_take_no_larger_batch_than_they_need():
    """Even where a call for several was not measured to take longer, since others took the core meanwhile."""
    assert list(parts(3, Costs.of(9e-6, 8e-6, 4, False))) == [(3, 4)]
