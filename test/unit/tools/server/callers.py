"""A server for tests, and what callers send it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import uvicorn
from fastapi.testclient import TestClient

from lowstream.interop.model import Model
from lowstream.test.unit.runtime.runtime_models import START, module
from lowstream.tools.server.app import Application
from lowstream.tools.server.connection import Connection
from lowstream.tools.server.server import Server
from lowstream.tools.server.service import Service

ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1
INFER = "/v2/models/sums/infer"


def service(text: str, capacity: int = 4, idle: float = 60) -> Service:
    return Service(Model(module(text)), capacity, idle)


def app_of(model: Service, name: str, most_bytes: int) -> Application:
    """The application of a model that is compiled."""
    app = Application(name, most_bytes)
    app.serve(model)
    return app


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


@contextmanager
def serving(model: Service) -> Iterator[str]:
    """A server that listens at an address."""
    app = app_of(model, "sums", 10_000)
    config = uvicorn.Config(app, http=Connection, port=0, log_level="error")
    server, bound = Server(config), config.bind_socket()
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
