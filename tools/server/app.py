"""The routes: health, metadata, inference and metrics."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from xdsl.utils.exceptions import DiagnosticException

from .compression import compressed, expanded
from .model_config import config_of
from .protocol import VERSION, metadata_of, parse_request, response
from .refused import RefusedError, too_large
from .service import Service

HEADER = "Inference-Header-Content-Length"

BINARY = "application/octet-stream"

MOST_DIGITS = 18
"""Of a number of bytes."""

QUICK_BYTES = 1 << 20
"""Of a body that is read where it arrives; one that is compressed may stand for many more."""

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
    outputs = {port.any_name: place for place, port in enumerate(service.outputs)}

    def refused(status: int, why: str) -> Response:
        requests.labels(status).inc()
        answer = json.dumps({"error": why})  # in ASCII: what a caller sent need not be Unicode
        return Response(answer, status, media_type="application/json")

    @app.exception_handler(RefusedError)
    async def refuse(http: Request, error: RefusedError) -> Response:
        return refused(error.status, str(error))

    @app.exception_handler(HTTPException)
    async def refuse_route(http: Request, error: HTTPException) -> Response:
        return refused(error.status_code, f"{error.detail}: {http.method} {http.url.path}")

    def readiness(**more: str) -> Response:
        """The status answers Triton's clients, the body those of KServe."""
        status = 200 if ready["is"] else 503
        return JSONResponse({**more, "ready": ready["is"]}, status)

    @app.get("/v2/health/live")
    async def live() -> dict[str, Any]:
        return {"live": True}

    @app.get("/v2/health/ready")
    async def server_ready() -> Response:
        return readiness()

    @app.get("/v2")
    async def server() -> dict[str, Any]:
        extensions = ["binary_tensor_data", "model_configuration", "sequence"]
        return {"name": "lowstream", "version": version("lowstream"), "extensions": extensions}

    def check_model(http: Request) -> None:
        """Raises RefusedError where the path is that of another model, or another version."""
        model, number = http.path_params["model"], http.path_params.get("version", VERSION)
        if model != name:
            raise RefusedError(404, f"there is no model '{model}'; there is '{name}'")
        if number != VERSION:
            raise RefusedError(
                404, f"there is no version '{number}' of '{name}'; there is '{VERSION}'"
            )

    routes = APIRouter(dependencies=[Depends(check_model)])

    @routes.get("")
    async def metadata() -> dict[str, Any]:
        return {
            "name": name,
            "versions": [VERSION],
            "platform": "lowstream",
            "inputs": [metadata_of(port) for port in service.inputs],
            "outputs": [metadata_of(port) for port in service.outputs],
        }

    @routes.get("/ready")
    async def model_ready() -> Response:
        return readiness(name=name)

    @routes.get("/config")
    async def config() -> dict[str, Any]:
        return config_of(name, service)

    def infer(body: bytes, headers: Mapping[str, str]) -> Response:
        if encoding := headers.get("Content-Encoding"):
            body = expanded(body, encoding, most_bytes)
        length = headers.get(HEADER)
        request = parse_request(body, None if length is None else _length(length))
        for wanted in request.outputs.keys() - outputs.keys():
            raise DiagnosticException(
                f"there is no output '{wanted}'; outputs: {', '.join(outputs)}"
            )
        given = service.infer(request.inputs, request.parameters)
        if request.outputs:
            given = [given[outputs[wanted]] for wanted in request.outputs]
        answer, header_length = response(name, request, given)
        answer, encoding = compressed(answer, headers.get("Accept-Encoding", ""))
        described = {} if header_length is None else {HEADER: str(header_length)}
        if encoding is not None:
            described["Content-Encoding"] = encoding
        media_type = "application/json" if header_length is None else BINARY
        return Response(answer, headers=described, media_type=media_type)

    def is_quick(body: bytearray, headers: Mapping[str, str]) -> bool:
        """Whether all callers may wait for this one."""
        is_short = len(body) <= QUICK_BYTES and "Content-Encoding" not in headers
        return service.is_quick and is_short

    async def run(http: Request) -> Response:
        check_model(http)
        body = bytearray()
        try:
            async for part in http.stream():
                body += part
                if len(body) > most_bytes:
                    raise too_large(most_bytes)
        except ClientDisconnect:
            return refused(GONE, "the client went away before its body was whole")
        begin = time.perf_counter()
        try:
            if is_quick(body, http.headers):
                answer = infer(bytes(body), http.headers)
            else:
                answer = await run_in_threadpool(infer, bytes(body), http.headers)
        except RefusedError:
            raise
        except DiagnosticException as error:
            return refused(400, str(error))
        seconds.observe(time.perf_counter() - begin)
        answered.inc()
        return answer

    # A route of Starlette's: finding the parameters of a function takes FastAPI an eighth of a quick call.
    routes.add_route("/infer", run, methods=["POST"])
    for place in ("/v2/models/{model}", "/v2/models/{model}/versions/{version}"):
        app.include_router(routes, prefix=place)

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return app


def _length(text: str) -> int:
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise DiagnosticException(f"{HEADER} is {text!r}; it must be a number of bytes")
    return int(text)
