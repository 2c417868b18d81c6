"""What a server answers by the protocol."""

import gzip
import json
import threading
import zlib
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from numpy.testing import assert_array_equal

from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.tools.server.callers import (
    FIRST,
    INFER,
    app_of,
    call,
    first_output,
    service,
    tensor,
)
from lowstream.tools.server.compression import compressed
from lowstream.tools.server.inference import HEADER


def test_health(client: TestClient):
    for place, body in {
        "health/live": {"live": True},
        "health/ready": {"ready": True},
        "models/sums/ready": {"name": "sums", "ready": True},
        "models/sums/versions/1/ready": {"name": "sums", "ready": True},
    }.items():
        answer = client.get(f"/v2/{place}")
        assert (answer.status_code, answer.json()) == (200, body)


def test_ready_is_what_has_begun_and_not_ended():
    """A client without `with` begins nothing."""
    client = TestClient(app_of(service(runtime_models.SUMS), "sums", 10_000))
    for path in ("health/ready", "models/sums/ready"):
        assert client.get(f"/v2/{path}").status_code == 503
        with client:
            assert client.get(f"/v2/{path}").status_code == 200
        answer = client.get(f"/v2/{path}")
        assert (answer.status_code, answer.json()["ready"]) == (503, False)


def test_metadata(client: TestClient):
    assert client.get("/v2").json()["name"] == "lowstream"
    model = client.get("/v2/models/sums").json()
    assert model["inputs"] == [{"name": "X", "datatype": "FP32", "shape": [1, 4]}]
    assert [each["name"] for each in model["outputs"]] == ["Y", "twice"]
    assert client.get("/v2/models/sums/versions/1").json() == model


def test_behind_a_proxy_that_encrypts(client: TestClient):
    """Where a route is told to be elsewhere, that is where the proxy's clients find it."""
    local = TestClient(client.app, client=("127.0.0.1", 1), follow_redirects=False)
    for headers, scheme in ({}, "http"), ({"X-Forwarded-Proto": "https"}, "https"):
        answer = local.get("/v2/models/sums/", headers=headers)
        assert answer.headers["location"] == f"{scheme}://testserver/v2/models/sums"


def test_config(client: TestClient):
    config = client.get("/v2/models/sums/config").json()
    assert config["input"] == [{"name": "X", "data_type": "TYPE_FP32", "dims": [1, 4]}]
    assert config["sequence_batching"] == {"max_sequence_idle_microseconds": 60_000_000}


def test_sequences_keep_their_states(client: TestClient):
    assert_array_equal(first_output(call(client, sequence_id=7, sequence_start=True)), FIRST)
    assert_array_equal(first_output(call(client, sequence_id="b", sequence_start=True)), FIRST)
    assert_array_equal(first_output(call(client, sequence_id=7)), FIRST + 1)
    assert_array_equal(first_output(call(client, sequence_id="b", sequence_end=True)), FIRST + 1)
    assert_array_equal(first_output(call(client, sequence_id=7)), FIRST + 2)
    assert call(client, sequence_id="b").status_code == 400
    assert_array_equal(first_output(call(client, sequence_id=7, sequence_start=True)), FIRST)


def test_a_model_without_states():
    application = app_of(service(runtime_models.TYPES), "sums", 10_000)
    with TestClient(application) as client:
        inputs = [tensor([1, 2, 3], "a", "INT32"), tensor([4, 5, 6], "b", "INT32")]
        answer = client.post(INFER, json={"id": "42", "inputs": inputs}).json()
        assert answer["id"] == "42"
        assert answer["outputs"][0]["data"] == [5, 7, 9]


def test_a_header_behind_which_nothing_follows(client: TestClient):
    body = json.dumps(
        {"inputs": [tensor()], "parameters": {"sequence_id": 1, "sequence_start": True}}
    )
    answer = client.post(INFER, content=body, headers={HEADER: str(len(body))})
    assert_array_equal(first_output(answer), FIRST)


def test_outputs_that_are_asked_for(client: TestClient):
    body = {
        "inputs": [tensor()],
        "outputs": [{"name": "twice"}],
        "parameters": {"sequence_id": 1, "sequence_start": True},
    }
    (output,) = client.post(INFER, json=body).json()["outputs"]
    assert (output["name"], output["data"]) == ("twice", (2 * FIRST).ravel().tolist())


def test_null_is_what_is_left_away(client: TestClient):
    plain = {"parameters": {"sequence_id": 7, "sequence_start": True}, "inputs": [tensor()]}
    null = {
        "id": None,
        "parameters": {**plain["parameters"], "sequence_end": None, "binary_data_output": None},
        "inputs": [{**tensor(), "parameters": None}],
        "outputs": None,
    }
    one_output = {**null, "outputs": [{"name": "Y", "parameters": None}]}
    answers = [client.post(INFER, json=each).json() for each in (plain, null, one_output)]
    assert answers[0] == answers[1]
    assert answers[2]["outputs"] == answers[0]["outputs"][:1]


def test_metrics(new_client: TestClient):
    call(new_client, sequence_id=1, sequence_start=True)
    call(new_client)
    text = new_client.get("/metrics").text
    assert 'lowstream_requests_total{status="200"} 1.0' in text
    assert 'lowstream_requests_total{status="400"} 1.0' in text
    assert "lowstream_sequences 1.0" in text
    assert "lowstream_request_seconds_count 1.0" in text


def test_encodings_are_names_in_any_case(client: TestClient):
    body = json.dumps(
        {"inputs": [tensor()], "parameters": {"sequence_id": 1, "sequence_start": True}}
    )
    for encoding, sent in (("GZIP", gzip.compress(body.encode())), ("Identity", body.encode())):
        answer = client.post(INFER, content=sent, headers={"Content-Encoding": encoding})
        assert_array_equal(first_output(answer), FIRST)


def test_long_answers_are_compressed_where_that_pays():
    even, random = b"0," * 500, np.random.default_rng(0).bytes(1000)
    for accepted, encoding, expand in (
        ("gzip", "gzip", gzip.decompress),
        ("br, Deflate;q=0.5, gzip", "deflate", zlib.decompress),
    ):
        shorter, found = compressed(even, accepted)
        assert (expand(shorter), found) == (even, encoding)
        assert compressed(even[1:], accepted) == (even[1:], None)
        assert compressed(random, accepted) == (random, None)
    for accepted in ("", "br", "gzip;q=0", "deflate; q=0.000, identity"):
        assert compressed(even, accepted) == (even, None)


@pytest.mark.parametrize(
    ("is_quick", "encoding", "is_here"),
    [(True, None, True), (False, None, False), (True, "gzip", False)],
)
def test_slow_calls_are_made_in_other_threads(
    is_quick: bool, encoding: str | None, is_here: bool, monkeypatch: pytest.MonkeyPatch
):
    found = service(runtime_models.SUMS)
    found.is_quick = is_quick
    parameters = {"sequence_id": 1, "sequence_start": True}
    body = json.dumps({"inputs": [tensor()], "parameters": parameters}).encode()
    headers = {} if encoding is None else {"Content-Encoding": encoding}
    threads: list[threading.Thread] = []
    infer = found.infer

    def watched(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return infer(*arguments)

    monkeypatch.setattr(found, "infer", watched)
    with TestClient(app_of(found, "sums", 10_000)) as client:
        client.post(
            INFER, content=body if encoding is None else gzip.compress(body), headers=headers
        )
    (thread,) = threads
    assert ("worker" in thread.name.lower()) != is_here
