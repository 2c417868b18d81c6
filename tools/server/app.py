"""The application: which routes there are, and what becomes of errors."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import Depends, FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from xdsl.utils.exceptions import DiagnosticException

from .health import Health
from .inference import Inference
from .measures import Measures
from .models import index_of, model_routes
from .not_offered import refusals
from .protocol import VERSION
from .refused import RefusedError, not_ready
from .routes import Routes

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from .service import Service

EXTENSIONS = [
    "binary_tensor_data",
    "model_configuration",
    "sequence",
    "sequence(string_id)",
    "statistics",
]
"""The extensions of the protocol, by Triton's names, that this server has."""

Refusal = Callable[[DiagnosticException], Response]
"""What becomes of an error."""

PLACES = ("/v2/models/{model}", "/v2/models/{model}/versions/{version}")

EARLY = ("/v2/health/live", "/v2/health/ready", "/metrics")
"""What is answered before there is a model; so is whether the model is ready."""


class Application:
    """
    Inference, which is answered without FastAPI's layers, and FastAPI's application for all else, which may be behind a
    proxy. While the model compiles, health and metrics alone; bodies have at most so many bytes.
    """

    def __init__(self, name: str, most_bytes: int):
        self._name, self._most_bytes = name, most_bytes
        self._health, self._measures = Health(), Measures(name)
        self._inference: Inference | None = None
        places = [place.format(model=name, version=VERSION) for place in PLACES]
        self._places = {f"{place}/infer" for place in places}
        self._early = {*EARLY, *(f"{place}/ready" for place in places)}
        lifespan = self._health.lifespan
        self._rest = FastAPI(title="lowstream", version=version("lowstream"), lifespan=lifespan)
        trusted = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")  # uvicorn's variable
        rest: Any = self._rest
        self._routes: Any = ProxyHeadersMiddleware(rest, trusted)
        self._refused = _map_errors(self._rest, self._measures)
        self._rest.include_router(_server_routes(self._measures))
        self._rest.include_router(self._health.routes(), prefix="/v2/health")
        self._include(self._health.model_routes(name))

    def serve(self, service: Service) -> None:
        """Answers all, from now on. Any thread may call it, once."""
        for place in PLACES:
            self._rest.add_route(f"{place}/infer", self._infer_elsewhere, methods=["POST"])
        self._rest.include_router(refusals())
        self._rest.post("/v2/repository/index")(index_of(self._name))
        self._include(model_routes(self._name, service, self._measures))
        self._measures.service = service
        self._inference = Inference(self._name, service, self._measures, self._most_bytes)
        self._health.has_model = True  # the last: who reads it may ask for all else

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._routes(scope, receive, send)
        elif self._inference is None:
            is_early = scope["path"] in self._early
            answer = self._rest if is_early else self._refused(not_ready(self._name))
            await answer(scope, receive, send)
        elif scope["method"] == "POST" and scope["path"] in self._places:
            try:
                await self._inference.answer(scope, receive, send)
            except DiagnosticException as error:
                await self._refused(error)(scope, receive, send)
        else:
            await self._routes(scope, receive, send)

    def _include(self, routes: Routes) -> None:
        """Below the places of the model."""
        for place in PLACES:
            dependencies = [Depends(self._check_model)]
            self._rest.include_router(routes, prefix=place, dependencies=dependencies)

    def _check_model(self, http: Request) -> None:
        """Raises RefusedError where the path is that of another model, or another version."""
        model, number = http.path_params["model"], http.path_params.get("version", VERSION)
        if model != self._name:
            raise RefusedError(404, f"there is no model '{model}'; there is '{self._name}'")
        if number != VERSION:
            raise RefusedError(
                404, f"there is no version '{number}' of '{self._name}'; there is '{VERSION}'"
            )

    async def _infer_elsewhere(self, http: Request) -> Response:
        self._check_model(http)
        raise AssertionError("Application answers inference of the model there is")


def _server_routes(measures: Measures) -> Routes:
    """What the server is, and has done."""
    routes = Routes()

    async def server() -> dict[str, Any]:
        return {"name": "lowstream", "version": version("lowstream"), "extensions": EXTENSIONS}

    for path in ("/v2", "/v2/"):
        routes.look(path)(server)

    @routes.look("/v2/models/stats")
    async def statistics() -> dict[str, Any]:
        return measures.statistics()

    @routes.look("/metrics")
    async def metrics() -> Response:
        return Response(measures.text(), media_type=CONTENT_TYPE_LATEST)

    return routes


def _map_errors(app: FastAPI, measures: Measures) -> Refusal:
    """Whatever is raised is one line of JSON, and counted. What answers those of ours."""

    def refused(status: int, why: str, headers: Mapping[str, str] | None = None) -> Response:
        measures.refused(status)
        answer = json.dumps({"error": why})  # in ASCII: what a caller sent need not be Unicode
        return Response(answer, status, headers, media_type="application/json")

    def wrong(error: DiagnosticException) -> Response:
        if isinstance(error, RefusedError):
            return refused(error.status, str(error), error.headers)
        return refused(400, str(error))

    @app.exception_handler(DiagnosticException)
    async def ours(http: Request, error: DiagnosticException) -> Response:
        return wrong(error)

    @app.exception_handler(HTTPException)
    async def no_route(http: Request, error: HTTPException) -> Response:
        why = f"{error.detail}: {http.method} {http.url.path}; GET /docs lists the routes"
        return refused(error.status_code, why, error.headers)

    return wrong
