"""Snapshots of streams: bytes that go on elsewhere, and those that are damaged or of another model."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from safetensors.numpy import save
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.runtime.streams.snapshot import packed, unpacked
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.stream_pools import alone as alone
from lowstream.test.unit.runtime.stream_pools import as_alone, frames, stateful
from lowstream.test.unit.runtime.stream_pools import pool as pool
from lowstream.test.unit.runtime.stream_pools import step as step


def test_a_snapshot_goes_on_elsewhere(step: Model, pool: lowstream.StreamPool):
    x = frames(4, 1, 4)
    with pool.open() as stream:
        for each in x[:2]:
            stream.infer({"X": each})
        snapshot = stream.snapshot()
        there = lowstream.StreamPool(step, 1).restore(snapshot)
        for each in x[2:]:
            assert_array_equal(there.infer({"X": each})["Y"], stream.infer({"X": each})["Y"])
        assert len(snapshot) < 1000


def test_equal_states_are_equal_bytes(pool: lowstream.StreamPool):
    with pool.open() as first, pool.open() as second:
        for stream in (first, second):
            stream.infer({"X": frames(1, 1, 4)[0]})
        assert len({stream.snapshot() for stream in (first, second) for _ in range(20)}) == 1


def test_a_snapshot_before_the_first_frame(pool: lowstream.StreamPool, alone: Any):
    x = frames(1, 1, 4)
    with pool.open() as fresh, pool.restore(fresh.snapshot()) as stream:
        assert_array_equal(stream.infer({"X": x[0]})["Y"], as_alone(alone, x)[0])


def file_of(header: dict[str, Any]) -> bytes:
    """A safetensors file with a header and two bytes behind it."""
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(2 * ("x" in header))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: b"", "this is not a snapshot of a stream"),
        (lambda one: one[:-3], "this is not a snapshot of a stream"),
        (
            lambda one: one.replace(b'"format\\": 2', b'"format\\": 1'),
            "another version of lowstream",
        ),
        (
            lambda one: one.replace(b'"model\\": \\"', b'"model\\": \\"0')[:-1],
            "no snapshot|another model",
        ),
        (lambda one: one.replace(b'set\\"', b'sets"'), "not a snapshot"),
        (lambda one: one[:-1] + bytes([one[-1] ^ 1]), "the snapshot is damaged; take another one"),
        (
            lambda one: one.replace(b'set\\": false', b'set\\": true '),
            "the snapshot is damaged; take another one",
        ),
        (lambda one: one.replace(b"float32[", b"float64["), "the snapshot has states .*float64"),
        (lambda one: save({}, {"lowstream": "[]"}), "another version of lowstream"),
        (lambda one: file_of({"__metadata__": None}), "another version of lowstream"),
        (lambda one: file_of({"__metadata__": {"lowstream": "[" * 100_000}}), "nested too deep"),
        (
            lambda one: file_of({"x": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}),
            "it has a tensor of 'BF16'",
        ),
    ],
)
def test_damaged_snapshots(pool: lowstream.StreamPool, change: Any, message: str):
    with pool.open() as stream:
        snapshot = change(stream.snapshot())
    with pytest.raises(DiagnosticException, match=message):
        pool.restore(snapshot)
    assert len(pool) == 0


def test_a_snapshot_with_a_state_of_another_name_is_damaged():
    rows = [np.arange(2, dtype=np.float32)]
    snapshot = packed(rows, ["a"], True, "model")
    ((found,), _) = unpacked(snapshot, rows, ["a"], "model")
    assert_array_equal(found, rows[0])
    other = snapshot.replace(b'"a":{', b'"b":{')
    assert other != snapshot
    with pytest.raises(DiagnosticException, match="the snapshot is damaged"):
        unpacked(other, rows, ["a"], "model")


def test_snapshots_of_another_model(pool: lowstream.StreamPool):
    other = lowstream.StreamPool(stateful(runtime_models.SUMS), 1)
    with pool.open() as stream, pytest.raises(DiagnosticException, match="is of another model"):
        other.restore(stream.snapshot())
