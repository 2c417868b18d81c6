"""Answers have the form that the protocol's specification gives, and so have those of Triton's extensions."""

import json
from typing import Any

import numpy as np
import pytest
import tritonclient.http as triton
from fastapi.testclient import TestClient
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.model import Model
from lowstream.runtime.build import ports_of
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import module
from lowstream.test.unit.tools.server.callers import (
    FIRST,
    INFER,
    ONES,
    app_of,
    call,
    service,
    serving,
    tensor,
)
from lowstream.tools.server.inference import HEADER
from lowstream.tools.server.not_offered import NOT_OFFERED
from lowstream.tools.server.protocol import InferenceRequest, parse_request, response
from lowstream.tools.server.service import Service

TENSOR = {"name": str, "datatype": str, "shape": [int]}

FORMS: dict[str, Any] = {
    "/v2": {"name": str, "version": str, "extensions": [str]},
    "/v2/": {"name": str, "version": str, "extensions": [str]},
    "/v2/health/live": {"live": bool},
    "/v2/health/ready": {"ready": bool},
    "/v2/models/sums": {
        "name": str,
        "versions": [str],
        "platform": str,
        "inputs": [TENSOR],
        "outputs": [TENSOR],
    },
    "/v2/models/sums/ready": {"name": str, "ready": bool},
    INFER: {
        "model_name": str,
        "model_version": str,
        "id": str,
        "outputs": [TENSOR | {"data": [float]}],
    },
}
"""
What https://github.com/kserve/open-inference-protocol says of each answer (specification/protocol): its fields, and the
types of their values.
"""

STARTS = {"sequence_id": 1, "sequence_start": True}


def form(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {name: form(value) for name, value in answer.items()}
    if isinstance(answer, list):
        return [form(answer[0])]
    return type(answer)


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("version", ["", "/versions/1"])
def test_answers_have_the_forms_of_the_specification(client: TestClient, path: str, version: str):
    place = path.replace("/models/sums", f"/models/sums{version}")
    if path == INFER:
        body = {"id": "42", "inputs": [tensor()], "parameters": STARTS}
        answer = client.post(place, json=body)
    else:
        answer = client.get(place, follow_redirects=False)
        head = client.head(place)
        assert (head.status_code, head.content) == (200, b"")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert form(answer.json()) == FORMS[path]


def test_errors_have_the_form_of_the_specification(client: TestClient):
    for answer in (
        client.get("/v2/models/none"),
        client.get("/v2/none"),
        client.post(INFER, content=b"{"),
        client.post("/v2/repository/models/sums/unload"),
    ):
        assert answer.status_code >= 400
        assert form(answer.json()) == {"error": str}


@pytest.mark.parametrize(
    ("all_binary", "each", "binary"),
    [
        (None, [{}, {}], []),
        (True, [{}, {}], ["Y", "twice"]),
        (True, [{"binary_data": False}, {}], ["twice"]),
        (False, [{"binary_data": True}, {}], ["Y"]),
        (True, None, ["Y", "twice"]),
    ],
)
def test_which_outputs_are_bytes(client: TestClient, all_binary: Any, each: Any, binary: list[str]):
    """An output says so itself; else, what the request says holds."""
    body: dict[str, Any] = {"inputs": [tensor()], "parameters": dict(STARTS)}
    if all_binary is not None:
        body["parameters"]["binary_data_output"] = all_binary
    if each is not None:
        named = zip(("Y", "twice"), each, strict=True)
        body["outputs"] = [{"name": name, "parameters": given} for name, given in named]
    answer = client.post(INFER, json=body)
    length = int(answer.headers.get(HEADER, len(answer.content)))
    outputs, rest = json.loads(answer.content[:length])["outputs"], answer.content[length:]
    assert [output["name"] for output in outputs if "data" not in output] == binary
    for output, wanted in zip(outputs, (FIRST, 2 * FIRST), strict=True):
        if "data" in output:
            assert output["data"] == wanted.ravel().tolist()
        else:
            size = output["parameters"]["binary_data_size"]
            assert rest[:size] == wanted.tobytes()
            rest = rest[size:]
    assert not rest


def identity(element: str) -> Service:
    kind = f"tensor<3x{element}>"
    return Service(
        Model(module(f"func.func @main(%x: {kind}) -> {kind} {{ func.return %x : {kind} }}")), 4, 60
    )


@pytest.mark.parametrize(
    ("element", "datatype", "data"),
    [
        ("f32", "FP32", [float("nan"), float("inf"), -float("inf")]),
        ("f16", "FP16", [0.5, 65504.0, float("nan")]),
        ("bf16", "BF16", [0.5, 3.3895313892515355e38, -float("inf")]),
        ("f64", "FP64", [1e300, 5e-324, -0.0]),
        ("i64", "INT64", [2**63 - 1, -(2**63), 0]),
        ("ui64", "UINT64", [2**64 - 1, 1, 0]),
        ("i1", "BOOL", [True, False, True]),
    ],
)
def test_numbers_in_json_come_back_as_they_were_sent(element: str, datatype: str, data: list[Any]):
    """What JSON has no number for is `NaN`, `Infinity` and `-Infinity`, as Python and Triton write it."""
    with TestClient(app_of(identity(element), "sums", 10_000)) as client:
        sent = {"name": "input0", "shape": [3], "datatype": datatype, "data": data}
        answer = client.post(INFER, content=json.dumps({"inputs": [sent]}))
    (output,) = json.loads(answer.content)["outputs"]
    assert output["datatype"] == datatype
    assert_array_equal(output["data"], data)


# --- Triton's extensions ----------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # of the client
def test_statistics(address: str):
    client = triton.InferenceServerClient(address)
    x = triton.InferInput("X", [1, 4], "FP32")
    x.set_data_from_numpy(ONES)
    for step in range(3):
        client.infer("sums", [x], sequence_id=5, sequence_start=step == 0)
    with pytest.raises(triton.InferenceServerException):
        client.infer("sums", [x], sequence_id=6)
    for found in (
        client.get_inference_statistics(),
        client.get_inference_statistics("sums"),
        client.get_inference_statistics("sums", "1"),
    ):
        (model,) = found["model_stats"]
        assert (model["name"], model["version"]) == ("sums", "1")
        assert (model["inference_count"], model["execution_count"]) == (3, 3)
        assert model["last_inference"] > 0
        stages = model["inference_stats"]
        counts = {name: each["count"] for name, each in stages.items()}
        assert counts.pop("fail") == 1
        assert counts.pop("cache_hit") == 0
        assert {*counts.values()} == {3}
        parts = sum(stages[name]["ns"] for name in counts if name != "success")
        assert stages["success"]["ns"] == parts
    client.close()


def test_executions_are_requests_without_states():
    with TestClient(app_of(service(runtime_models.TYPES), "sums", 10_000)) as client:
        inputs = [tensor([1, 2, 3], "a", "INT32"), tensor([4, 5, 6], "b", "INT32")]
        for _ in range(2):
            client.post(INFER, json={"inputs": inputs})
        (model,) = client.get("/v2/models/stats").json()["model_stats"]
    assert model["execution_count"] == model["inference_stats"]["success"]["count"] == 2


@pytest.mark.filterwarnings("ignore")  # of the client
def test_the_index_of_models(address: str):
    client = triton.InferenceServerClient(address)
    (model,) = client.get_model_repository_index()
    assert (model["name"], model["state"]) == ("sums", "READY")
    assert "statistics" in client.get_server_metadata()["extensions"]
    with pytest.raises(triton.InferenceServerException, match="this server has one model"):
        client.load_model("sums")
    with pytest.raises(triton.InferenceServerException, match="requests are not traced"):
        client.get_trace_settings()
    with pytest.raises(triton.InferenceServerException, match="there is no shared memory"):
        client.register_system_shared_memory("region", "/region", 64)
    client.close()


@pytest.mark.parametrize("path", NOT_OFFERED)
def test_what_is_not_offered_says_why(client: TestClient, path: str):
    place = path.replace("{model}", "sums").replace("{rest:path}", "status")
    for method in ("GET", "POST"):
        answer = client.request(method, place)
        assert answer.status_code == 501
        assert answer.json()["error"] == f"not offered: {place}: {NOT_OFFERED[path]}"


def test_the_schema_of_fastapi(client: TestClient):
    """Its page /docs shows what can be looked at."""
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/v2/health/live", "/v2/models/{model}", "/v2/repository/index"} <= paths.keys()


# --- connections ------------------------------------------------------------------------------


def test_a_connection_stays_after_what_is_refused(client: TestClient):
    call(client, **STARTS)
    assert client.post(INFER, content=b"{").status_code == 400
    assert call(client, sequence_id=1).status_code == 200


@pytest.mark.filterwarnings("ignore")  # of the client
def test_many_calls_of_one_client():
    """Each sequence gets its own sums, whoever else calls meanwhile."""
    concurrency = 8
    with serving(service(runtime_models.SUMS, capacity=concurrency)) as address:
        client = triton.InferenceServerClient(address, concurrency=concurrency)
        x = triton.InferInput("X", [1, 4], "FP32")
        x.set_data_from_numpy(ONES)
        for step in range(5):
            calls = [
                client.async_infer("sums", [x], sequence_id=each + 1, sequence_start=step == 0)
                for each in range(concurrency)
            ]
            for each in calls:
                assert_array_equal(each.get_result().as_numpy("Y"), FIRST + step)
        client.close()


def test_shapes_that_memory_cannot_hold(client: TestClient):
    for shape in ([2**62, 2**62], [10**30, 1], [0, 2**63]):
        body = {"inputs": [tensor() | {"shape": shape}], "parameters": STARTS}
        answer = client.post(INFER, json=body)
        assert answer.status_code == 400, answer.text
        sent = tensor() | {"shape": shape, "parameters": {"binary_data_size": 16}}
        header = json.dumps({"inputs": [sent], "parameters": STARTS}).encode()
        answer = client.post(
            INFER, content=header + ONES.tobytes(), headers={HEADER: str(len(header))}
        )
        assert answer.status_code == 400, answer.text


def test_numbers_beyond_what_a_datatype_holds():
    for element, datatype, value in (
        ("i8", "INT8", 128),
        ("ui8", "UINT8", -1),
        ("i64", "INT64", 2**63),
        ("ui64", "UINT64", 2**64),
        ("f16", "FP16", 1e6),
        ("i8", "INT8", 10**400),
    ):
        with TestClient(app_of(identity(element), "sums", 10_000)) as client:
            sent = {"name": "input0", "shape": [3], "datatype": datatype, "data": [value, 0, 0]}
            answer = client.post(INFER, content=json.dumps({"inputs": [sent]}))
            assert answer.status_code == 400, (datatype, answer.text)


def test_nothing_is_left_of_a_failed_sequence(new_client: TestClient):
    body = {"inputs": [tensor(np.ones((2, 4), np.float32))], "parameters": STARTS}
    assert new_client.post(INFER, json=body).status_code == 400
    assert "lowstream_sequences 0.0" in new_client.get("/metrics").text


def test_frames_with_the_same_json_have_bytes_of_their_own():
    """Their JSON is read once; whether the bytes fit is seen each time."""
    described = tensor(np.zeros(2)) | {"parameters": {"binary_data_size": 8}}
    text = json.dumps({"inputs": [described], "parameters": {"sequence_id": 7}}).encode()
    for seed in range(2):
        x = np.random.default_rng(seed).random(2, np.float32)
        found = parse_request(text + x.tobytes(), len(text))
        assert_array_equal(found.inputs["X"], x)
        assert found.parameters == {"sequence_id": 7}
    for body, message in ((bytes(7), "ends before the 8 bytes"), (bytes(9), "1 bytes follow")):
        with pytest.raises(DiagnosticException, match=message):
            parse_request(text + body, len(text))


@pytest.mark.parametrize(("identity", "is_binary"), [("", True), ("", False), ("7", True)])
def test_answers_have_shapes_and_ids_of_their_own(identity: str, is_binary: bool):
    _, (port, *_) = ports_of(module(runtime_models.SUMS))
    for count in (1, 2):
        asked = InferenceRequest(identity, {}, {}, is_binary)
        answer, length = response("sums", asked, [(port, np.zeros((count, 3), np.float32))])
        found = json.loads(answer[:length])
        (output,) = found["outputs"]
        assert (output["shape"], found.get("id", "")) == ([count, 3], identity)
        assert len(answer[length:]) == 12 * count if is_binary else length is None
