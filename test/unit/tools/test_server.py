"""`lowstream serve`: a model by KServe's protocol, for well-meaning callers and others."""

import gzip
import json
import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest
import tritonclient.http as triton
import uvicorn
from fastapi.testclient import TestClient
from ml_dtypes import bfloat16
from numpy.testing import assert_array_equal

from lowstream.interop.model import Model
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import START, module
from lowstream.tools import serve_tool
from lowstream.tools.server.app import HEADER, app_of
from lowstream.tools.server.compression import compressed
from lowstream.tools.server.service import Service

ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1
INFER = "/v2/models/sums/infer"


def service(text: str, capacity: int = 4, idle: float = 60) -> Service:
    return Service(Model(module(text)), capacity, idle)


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(app_of(service(runtime_models.SUMS), "sums", 10_000)) as client:
        yield client


def tensor(array: Any = ONES, name: str = "X", datatype: str = "FP32") -> dict[str, Any]:
    array = np.asarray(array)
    return {
        "name": name,
        "datatype": datatype,
        "shape": list(array.shape),
        "data": array.ravel().tolist(),
    }


def call(client: TestClient, **parameters: Any) -> Any:
    return client.post(INFER, json={"inputs": [tensor()], "parameters": parameters})


def first_output(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    found = answer.json()["outputs"][0]
    return np.array(found["data"], np.float32).reshape(found["shape"])


# --- what is answered -----------------------------------------------------------------------


def test_health(client: TestClient):
    for place, body in {
        "health/live": {"live": True},
        "health/ready": {"ready": True},
        "models/sums/ready": {"name": "sums", "ready": True},
        "models/sums/versions/1/ready": {"name": "sums", "ready": True},
    }.items():
        answer = client.get(f"/v2/{place}")
        assert (answer.status_code, answer.json()) == (200, body)


def test_metadata(client: TestClient):
    assert client.get("/v2").json()["name"] == "lowstream"
    model = client.get("/v2/models/sums").json()
    assert model["inputs"] == [{"name": "X", "datatype": "FP32", "shape": [1, 4]}]
    assert [each["name"] for each in model["outputs"]] == ["Y", "twice"]
    assert client.get("/v2/models/sums/versions/1").json() == model


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


def test_outputs_that_are_asked_for(client: TestClient):
    body = {
        "inputs": [tensor()],
        "outputs": [{"name": "twice"}],
        "parameters": {"sequence_id": 1, "sequence_start": True},
    }
    (output,) = client.post(INFER, json=body).json()["outputs"]
    assert (output["name"], output["data"]) == ("twice", (2 * FIRST).ravel().tolist())


def test_metrics(client: TestClient):
    call(client, sequence_id=1, sequence_start=True)
    call(client)
    text = client.get("/metrics").text
    assert 'lowstream_requests_total{status="200"} 1.0' in text
    assert 'lowstream_requests_total{status="400"} 1.0' in text
    assert "lowstream_sequences 1.0" in text
    assert "lowstream_request_seconds_count 1.0" in text


@contextmanager
def serving(model: Service) -> Iterator[str]:
    """A server that listens at an address."""
    config = uvicorn.Config(app_of(model, "sums", 10_000), port=0, log_level="error")
    server, bound = uvicorn.Server(config), config.bind_socket()
    thread = threading.Thread(target=server.run, args=([bound],))
    thread.start()
    while not server.started:
        pass
    try:
        yield f"127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


@pytest.fixture
def address() -> Iterator[str]:
    with serving(service(runtime_models.SUMS)) as address:
        yield address


@pytest.mark.filterwarnings("ignore")  # of the client
def test_a_real_client(address: str):
    client = triton.InferenceServerClient(address)
    assert client.is_server_live()
    assert client.is_model_ready("sums")
    for binary in (True, False):
        x = triton.InferInput("X", [1, 4], "FP32")
        x.set_data_from_numpy(ONES, binary_data=binary)
        y = triton.InferRequestedOutput("Y", binary_data=binary)
        for step in range(3):
            result = client.infer(
                "sums", [x], outputs=[y], sequence_id=5, sequence_start=step == 0, request_id="r"
            )
            assert_array_equal(result.as_numpy("Y"), FIRST + step)
            assert result.get_response()["id"] == "r"
    client.close()


@pytest.mark.filterwarnings("ignore")  # of the client
@pytest.mark.parametrize("algorithm", ["gzip", "deflate"])
def test_a_real_client_that_compresses(address: str, algorithm: str):
    client = triton.InferenceServerClient(address)
    x = triton.InferInput("X", [1, 4], "FP32")
    x.set_data_from_numpy(ONES)
    result = client.infer(
        "sums",
        [x],
        "1",
        sequence_id=5,
        sequence_start=True,
        request_compression_algorithm=algorithm,
        response_compression_algorithm=algorithm,
    )
    assert_array_equal(result.as_numpy("Y"), FIRST)
    client.close()


@pytest.mark.filterwarnings("ignore")  # of the client
@pytest.mark.parametrize(
    ("datatype", "element", "dtype"), [("FP16", "f16", np.float16), ("BF16", "bf16", bfloat16)]
)
def test_a_real_client_of_halves(datatype: str, element: str, dtype: Any):
    halves = module(
        f"func.func @main(%x: tensor<3x{element}>) -> tensor<3x{element}> {{ func.return %x : tensor<3x{element}> }}"
    )
    given = np.array([0.5, -3, 7], dtype)
    with serving(Service(Model(halves), 4, 60)) as address:
        client = triton.InferenceServerClient(address)
        x = triton.InferInput("input0", [3], datatype)
        x.set_data_from_numpy(given)
        assert_array_equal(client.infer("sums", [x]).as_numpy("output0"), given)
        client.close()


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


def test_a_client_that_goes_away(address: str, capfd: pytest.CaptureFixture[str]):
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(
            f"POST {INFER} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{{".encode()
        )
    metrics = ""
    for _ in range(1000):
        metrics = urlopen(f"http://{address}/metrics").read().decode()
        if '"499"' in metrics:
            break
    assert 'lowstream_requests_total{status="499"} 1.0' in metrics
    assert "Traceback" not in capfd.readouterr().err


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "sums.mlir").write_text(runtime_models.TYPES)
    ran: list[tuple[Any, int]] = []

    def run(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        ran.append((server.config.app, sockets[0].getsockname()[1]))

    monkeypatch.setattr(uvicorn.Server, "run", run)
    serve_tool.main([str(tmp_path / "sums.mlir"), "--port", "0", "--capacity", "2"])
    ((app, port),) = ran
    assert capsys.readouterr().out == f"http://127.0.0.1:{port}/v2/models/sums\n"
    with TestClient(app) as client:
        assert client.get("/v2/models/sums").json()["inputs"][0]["shape"] == [3]


@pytest.mark.parametrize("host", ["127.0.0.1", "no such host"])
def test_what_cannot_listen(tmp_path: Path, host: str, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "sums.mlir").write_text(runtime_models.TYPES)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as ended:
            serve_tool.main([str(tmp_path / "sums.mlir"), "--host", host, "--port", str(port)])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (1, "")
    assert f"cannot listen on {host}, port {port}: " in said.err
    assert said.err.count("\n") == 1


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


# --- what is refused ------------------------------------------------------------------------


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
        (b"[" * 9_000, "the request is nested too deep"),
        (b'{"inputs": [{"name": "\\ud800"}]}', "input '\ud800' has datatype None"),
        ({"inputs": [tensor(), tensor()]}, "input 'X' is given twice"),
        ({"inputs": [tensor(ONES[:, :3])]}, "input 'X' takes float32[1, 4], was given"),
        ({"inputs": [tensor(name="Z")]}, "there is no input 'Z'"),
        ({"inputs": []}, "a sequence has frames of at least one input"),
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


def test_sequences_that_are_none(client: TestClient):
    for parameters, message in (
        ({}, "the model has states: say whose, by the parameter sequence_id"),
        ({"sequence_id": 3}, "there is no sequence 3; begin it with"),
        ({"sequence_id": [3]}, "sequence_id is [3]; give a number or a name"),
        (
            {"sequence_id": 3, "sequence_start": "false"},
            "sequence_start is 'false'; it must be true or",
        ),
    ):
        answer = call(client, **parameters)
        assert answer.status_code == 400
        assert message in answer.json()["error"]


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


def test_a_body_that_is_too_large(client: TestClient):
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
        ("gzip", gzip.compress(b"{}")[:-1], 400, "the body ends before its gzip stream does"),
        (
            "deflate",
            zlib.compress(b"{}") + b"more",
            400,
            "4 bytes follow the body's deflate stream",
        ),
        ("gzip", gzip.compress(bytes(10_001)), 413, "the body has more than 10000 bytes"),
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
        ("GET", "/v2/models/sums/stats", 404, "Not Found: GET /v2/models/sums/stats"),
        ("GET", INFER, 405, f"Method Not Allowed: GET {INFER}"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()) == (status, {"error": message})
