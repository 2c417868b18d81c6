"""The routes: health, metadata, inference and metrics."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from starlette.requests import ClientDisconnect
from xdsl.utils.exceptions import DiagnosticException

from .protocol import InferenceRequest, metadata_of, parse_request, response
from .service import FullError, Service

HEADER = "Inference-Header-Content-Length"

BINARY = "application/octet-stream"

MOST_DIGITS = 18
"""Of a number of bytes."""

GONE = 499
"""The status, in metrics alone, of a request whose client did not wait (nginx's number)."""


def app_of(service: Service, name: str, most_bytes: int) -> FastAPI:
    """The application for one model; bodies have at most so many bytes."""
    ready = {"is": False}

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        ready["is"] = True
        yield
        ready["is"] = False

    app = FastAPI(title="lowstream", version=version("lowstream"), lifespan=lifespan)
    registry = CollectorRegistry()
    requests = Counter(
        "lowstream_requests", "Requests by their status", ["status"], registry=registry
    )
    seconds = Histogram("lowstream_request_seconds", "Seconds of an inference", registry=registry)
    Gauge("lowstream_sequences", "Sequences with states", registry=registry).set_function(
        lambda: service.sequences
    )

    answered = requests.labels(200)

    def refused(status: int, why: str) -> Response:
        requests.labels(status).inc()
        answer = json.dumps({"error": why})  # in ASCII: what a caller sent need not be Unicode
        return Response(answer, status, media_type="application/json")

    def health(is_well: bool) -> Response:
        return Response(status_code=200 if is_well else 503)

    @app.get("/v2/health/live")
    async def live() -> Response:
        return health(True)

    @app.get("/v2/health/ready")
    async def is_ready() -> Response:
        return health(ready["is"])

    @app.get("/v2")
    async def server() -> dict[str, Any]:
        extensions = ["binary_tensor_data", "sequence"]
        return {"name": "lowstream", "version": version("lowstream"), "extensions": extensions}

    @app.get("/v2/models/{model}")
    async def metadata(model: str) -> Any:
        if model != name:
            return refused(404, f"there is no model '{model}'; there is '{name}'")
        return {
            "name": name,
            "versions": ["1"],
            "platform": "lowstream",
            "inputs": [metadata_of(port) for port in service.inputs],
            "outputs": [metadata_of(port) for port in service.outputs],
        }

    @app.get("/v2/models/{model}/ready")
    async def model_ready(model: str) -> Response:
        return health(ready["is"] and model == name)

    def infer(request: InferenceRequest) -> tuple[bytes, int | None]:
        outputs = service.infer(request.inputs, request.parameters)
        if request.outputs:
            by_name = {port.any_name: (port, array) for port, array in outputs}
            for wanted in request.outputs.keys() - by_name.keys():
                raise DiagnosticException(
                    f"there is no output '{wanted}'; outputs: {', '.join(by_name)}"
                )
            outputs = [by_name[wanted] for wanted in request.outputs]
        return response(name, request, outputs)

    async def run(http: Request) -> Response:
        if (model := http.path_params["model"]) != name:
            return refused(404, f"there is no model '{model}'; there is '{name}'")
        body = bytearray()
        try:
            async for part in http.stream():
                body += part
                if len(body) > most_bytes:
                    return refused(413, f"the body has more than {most_bytes} bytes")
        except ClientDisconnect:
            return refused(GONE, "the client went away before its body was whole")
        begin = time.perf_counter()
        try:
            length = http.headers.get(HEADER)
            request = parse_request(bytes(body), None if length is None else _length(length))
            if service.is_quick:
                answer, header_length = infer(request)
            else:
                answer, header_length = await run_in_threadpool(infer, request)
        except FullError as error:
            return refused(503, str(error))
        except DiagnosticException as error:
            return refused(400, str(error))
        seconds.observe(time.perf_counter() - begin)
        answered.inc()
        if header_length is None:
            return Response(answer, media_type="application/json")
        return Response(answer, media_type=BINARY, headers={HEADER: str(header_length)})

    # A route of Starlette's: finding the parameters of a function takes FastAPI an eighth of a quick call.
    app.add_route("/v2/models/{model}/infer", run, methods=["POST"])

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return app


def _length(text: str) -> int:
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise DiagnosticException(f"{HEADER} is {text!r}; it must be a number of bytes")
    return int(text)
