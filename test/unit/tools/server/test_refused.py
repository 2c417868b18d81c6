"""Requests that are wrong: a line for who sent them, and nobody else notices."""

import gzip
import json
import zlib
from typing import Any

import pytest
from fastapi.testclient import TestClient
from numpy.testing import assert_array_equal

from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.tools.server.callers import (
    FIRST,
    INFER,
    ONES,
    app_of,
    call,
    first_output,
    service,
    tensor,
)
from lowstream.tools.server import service as serving
from lowstream.tools.server.inference import HEADER


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the request is no JSON"),
        (b"[]", "the request is no JSON object"),
        (b"{", "the request is no JSON"),
        (b'{"inputs": 3}', "inputs is no list"),
        (b'{"inputs": [3]}', "one of inputs is no JSON object"),
        (b'{"inputs": [{}]}', "the name of an input is None; it must be text"),
        ({"inputs": [tensor() | {"datatype": "FP8"}]}, "'X' has datatype 'FP8'; known: BOOL,"),
        ({"inputs": [tensor() | {"shape": [-1]}]}, "'X' has shape [-1]; it must be a list of"),
        ({"inputs": [tensor() | {"data": [1]}]}, "the data of input 'X' are not FP32[1, 4]"),
        ({"inputs": [tensor() | {"data": ["a"] * 4}]}, "the data of input 'X' are not FP32"),
        ({"inputs": [tensor() | {"data": [None] * 4}]}, "there is more in it than numbers"),
        ({"inputs": [tensor() | {"data": ["1"] * 4}]}, "there is more in it than numbers"),
        ({"inputs": [tensor() | {"data": [1e300] * 4}]}, "there are numbers in it that are too"),
        ({"inputs": [tensor([2] * 4, datatype="BOOL")]}, "there are others than 0 and 1 in it"),
        ({"inputs": [tensor() | {"datatype": ["FP32"]}]}, "'X' has datatype ['FP32']; known"),
        (
            {"inputs": [tensor() | {"datatype": "BYTES"}]},
            "input 'X' has datatype BYTES; models here have numbers alone",
        ),
        ({"inputs": [tensor()], "id": 42}, "id is 42; it must be text"),
        (
            {"inputs": [tensor()], "parameters": {"priority": 1}},
            "priority is not offered here, requests run in the order",
        ),
        (
            {"inputs": [tensor()], "parameters": {"timeout": 1000}},
            "timeout is not offered here, a request that has begun is answered; leave it",
        ),
        (b"[" * 9_000, "the request is nested too deep"),
        (b'{"inputs": [{"name": "\\ud800"}]}', "input '\ud800' has datatype None"),
        ({"inputs": [tensor(), tensor()]}, "input 'X' is given twice"),
        ({"inputs": [tensor(ONES[:, :3])]}, "input 'X' takes float32[1, 4], was given"),
        ({"inputs": [tensor(name="Z")]}, "there is no input 'Z'"),
        ({"inputs": []}, "input 'X' is missing; a request gives all inputs of the model: 'X'"),
        ({"outputs": [{"name": "W"}], "inputs": [tensor()]}, "there is no output 'W'; outputs: Y"),
        (
            {"outputs": [{"name": "Y", "parameters": {"classification": 2}}], "inputs": [tensor()]},
            "output 'Y' has the parameter classification, which is not offered here; ask for its",
        ),
        (
            {"inputs": [tensor() | {"parameters": {"shared_memory_region": "r"}}]},
            "input 'X' has the parameter shared_memory_region, which is not offered here; send its",
        ),
    ],
)
def test_malformed_requests(client: TestClient, body: Any, message: str):
    if isinstance(body, dict):
        parameters = {"sequence_id": 1, "sequence_start": True}
        body = json.dumps({"parameters": parameters, **body}).encode()
    answer = client.post(INFER, content=body)
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert_array_equal(first_output(call(client, sequence_id=2, sequence_start=True)), FIRST)


@pytest.mark.parametrize(
    ("length", "size", "rest", "message"),
    [
        ("x", 16, ONES.tobytes(), "it must be a number of bytes"),
        ("1" * 5000, 16, ONES.tobytes(), "it must be a number of bytes"),
        (None, 16.0, ONES.tobytes(), "input 'X' is said to have 16.0 bytes; FP32[1, 4] has 16"),
        ("9999", 16, ONES.tobytes(), "Inference-Header-Content-Length is 9999, of a body of"),
        (
            None,
            10**4000,
            ONES.tobytes(),
            f"input 'X' is said to have 1{'0' * 79} bytes; FP32[1, 4]",
        ),
        (None, 12, ONES.tobytes(), "input 'X' is said to have 12 bytes; FP32[1, 4] has 16"),
        (None, 16, ONES.tobytes()[1:], "the body ends before the 16 bytes of input 'X'"),
        (None, 16, ONES.tobytes() + b"..", "2 bytes follow that no input has"),
    ],
)
def test_malformed_bytes(
    client: TestClient, length: str | None, size: float, rest: bytes, message: str
):
    given = tensor() | {"parameters": {"binary_data_size": size}}
    del given["data"]
    header = json.dumps({"inputs": [given], "parameters": {"sequence_id": 1}}).encode()
    headers = {HEADER: length or str(len(header))}
    answer = client.post(INFER, content=header + rest, headers=headers)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize("shape", [[1] * 65, [1 << 63], [10**4000, 10**4000]])
def test_shapes_that_arrays_do_not_have(client: TestClient, shape: list[int]):
    given = tensor() | {"parameters": {"binary_data_size": 4}, "shape": shape}
    header = json.dumps({"inputs": [given], "parameters": {"sequence_id": 1}}).encode()
    answer = client.post(INFER, content=header + bytes(4), headers={HEADER: str(len(header))})
    assert answer.status_code == 400
    assert answer.json()["error"].endswith("it must be a list of at most 64 sizes below 2^63")


def test_sequences_that_are_none(client: TestClient):
    for parameters, message in (
        ({}, "the model has states: say whose, by the parameter sequence_id"),
        ({"sequence_id": 3}, "there is no sequence 3; begin it with"),
        ({"sequence_id": [3]}, "sequence_id is [3]; give a number below 2^64, or a name"),
        ({"sequence_id": -3}, "sequence_id is -3; give a number below 2^64, or a name"),
        ({"sequence_id": 1 << 64}, "sequence_id is 18446744073709551616; give a number below 2^64"),
        (
            {"sequence_id": "x" * 129},
            "xxx; give a number below 2^64, or a name of at most 128 letters",
        ),
        (
            {"sequence_id": 3, "sequence_start": "false"},
            "sequence_start is 'false'; it must be true or",
        ),
    ):
        answer = call(client, **parameters)
        assert answer.status_code == 400
        assert message in answer.json()["error"]


ADD = """
func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}, %y: tensor<2xf32> {nn.names = ["Y"]}) -> tensor<2xf32> {
  %z = nn.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
"""


def test_what_another_caller_gave_is_not_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "usable_cores", lambda: 1)
    x, y = tensor([1, 2], "X"), tensor([3, 4], "Y")
    with TestClient(app_of(service(ADD), "sums", 10_000)) as client:
        assert client.post(INFER, json={"inputs": [x, y]}).status_code == 200
        answer = client.post(INFER, json={"inputs": [x]})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("input 'Y' is missing; a request gives all inputs")


def test_a_request_that_fails_is_idle_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "usable_cores", lambda: 1)
    model = service(ADD)
    with TestClient(app_of(model, "sums", 10_000)) as client:
        for x, status in (([1, 2, 3], 400), ([1, 2], 200)):
            inputs = [tensor(x, "X"), tensor([3, 4], "Y")]
            assert client.post(INFER, json={"inputs": inputs}).status_code == status
            assert model._requests.qsize() == 1


def test_fractions_for_whole_numbers():
    application = app_of(service(runtime_models.TYPES), "sums", 10_000)
    with TestClient(application) as client:
        inputs = [tensor([1, 2, 3.5], "a", "INT32"), tensor([4, 5, 6], "b", "INT32")]
        answer = client.post(INFER, json={"inputs": inputs})
        assert answer.status_code == 400
        assert "'a' are not INT32[3]: there are fractions in it" in answer.json()["error"]


def test_too_many_sequences():
    with TestClient(app_of(service(runtime_models.SUMS, 2), "sums", 10_000)) as client:
        for name in (1, 2):
            call(client, sequence_id=name, sequence_start=True)
        answer = call(client, sequence_id=3, sequence_start=True)
        assert answer.status_code == 503
        assert "there are 2 sequences, all of them in use" in answer.json()["error"]
        assert_array_equal(first_output(call(client, sequence_id=1)), FIRST + 1)


def test_an_idle_sequence_makes_room():
    with TestClient(app_of(service(runtime_models.SUMS, 2, idle=0), "sums", 10_000)) as client:
        for name in (1, 2, 3):
            assert_array_equal(
                first_output(call(client, sequence_id=name, sequence_start=True)), FIRST
            )
        assert call(client, sequence_id=1).status_code == 400
        assert_array_equal(first_output(call(client, sequence_id=2)), FIRST + 1)
        call(client, sequence_id=4, sequence_start=True)  # in the place of 3, unused the longest
        assert_array_equal(first_output(call(client, sequence_id=2)), FIRST + 2)


def test_a_sequence_that_begins_again_takes_one_place():
    with TestClient(app_of(service(runtime_models.SUMS, 1), "sums", 10_000)) as client:
        for _ in range(2):
            answer = call(client, sequence_id=7, sequence_start=True)
            assert_array_equal(first_output(answer), FIRST)


@pytest.mark.parametrize("name", ["x" * 128, (1 << 64) - 1])
def test_the_longest_names(client: TestClient, name: str | int):
    assert_array_equal(first_output(call(client, sequence_id=name, sequence_start=True)), FIRST)
    assert_array_equal(first_output(call(client, sequence_id=name)), FIRST + 1)


def test_a_body_that_is_too_large(client: TestClient):
    assert client.post(INFER, content=b" " * 10_000).status_code == 400  # it is no JSON
    answer = client.post(INFER, content=b" " * 10_001)
    assert (answer.status_code, answer.json()["error"]) == (
        413,
        "the body has more than 10000 bytes",
    )


@pytest.mark.parametrize(
    ("encoding", "body", "status", "message"),
    [
        ("br", b"", 415, "Content-Encoding is 'br'; known: gzip, deflate"),
        ("gzip", b"{}", 400, "the body is no gzip: "),
        (
            "gzip",
            gzip.compress(b"{}", mtime=0)[:-1],
            400,
            "the body ends before its gzip stream does",
        ),
        (
            "deflate",
            zlib.compress(b"{}") + b"more",
            400,
            "4 bytes follow the body's deflate stream",
        ),
        ("gzip", gzip.compress(bytes(10_001), mtime=0), 413, "the body has more than 10000 bytes"),
        ("deflate", zlib.compress(b"{"), 400, "the request is no JSON"),
    ],
)
def test_bodies_that_are_not_compressed_so(
    client: TestClient, encoding: str, body: bytes, status: int, message: str
):
    answer = client.post(INFER, content=body, headers={"Content-Encoding": encoding})
    assert answer.status_code == status
    assert message in answer.json()["error"]


@pytest.mark.parametrize("route", ["", "/ready", "/config", "/infer"])
@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("other", "there is no model 'other'; there is 'sums'"),
        ("sums/versions/9", "there is no version '9' of 'sums'; there is '1'"),
    ],
)
def test_another_model(client: TestClient, model: str, message: str, route: str):
    method = "POST" if route == "/infer" else "GET"
    answer = client.request(method, f"/v2/models/{model}{route}")
    assert (answer.status_code, answer.json()) == (404, {"error": message})


def test_routes_that_there_are_not(client: TestClient):
    for method, path, status, message in (
        ("GET", "/v2/models/sums/weights", 404, "Not Found: GET /v2/models/sums/weights"),
        ("GET", INFER, 405, f"Method Not Allowed: GET {INFER}"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()) == (
            status,
            {"error": f"{message}; GET /docs lists the routes"},
        )
    assert client.options(INFER).headers["Allow"] == "POST"
