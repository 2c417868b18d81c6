"""Triton's own client, and one that goes away."""

import socket
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest
import tritonclient.http as triton
from ml_dtypes import bfloat16
from numpy.testing import assert_array_equal

from lowstream.interop.model import Model
from lowstream.test.unit.runtime.runtime_models import module
from lowstream.test.unit.tools.server.callers import FIRST, INFER, ONES, serving
from lowstream.tools.server.service import Service


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
