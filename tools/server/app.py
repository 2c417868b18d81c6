"""The application: which routes there are, and what becomes of errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import Depends, FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from xdsl.utils.exceptions import DiagnosticException

from .health import Health
from .inference import Inference
from .measures import Measures
from .models import index_of, model_routes
from .not_offered import refusals
from .protocol import VERSION
from .refused import RefusedError
from .routes import Routes

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from .service import Service

EXTENSIONS = [
    "binary_tensor_data",
    "model_configuration",
    "sequence",
    "sequence(string_id)",
    "statistics",
]
"""Those of Triton's that there are."""

Refusal = Callable[[DiagnosticException], Response]
"""What becomes of an error."""

PLACES = ("/v2/models/{model}", "/v2/models/{model}/versions/{version}")


class Application:
    """Inference, which is answered without FastAPI's layers, and FastAPI's application for all else."""

    def __init__(
        self, inference: Inference, refused: Refusal, places: Container[str], rest: ASGIApp
    ):
        self._inference, self._refused, self._places, self._rest = inference, refused, places, rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_inference = (
            scope["type"] == "http" and scope["method"] == "POST" and scope["path"] in self._places
        )
        if not is_inference:
            return await self._rest(scope, receive, send)
        try:
            await self._inference.answer(scope, receive, send)
        except DiagnosticException as error:
            await self._refused(error)(scope, receive, send)


def app_of(service: Service, name: str, most_bytes: int) -> Application:
    """The application for one model; bodies have at most so many bytes."""
    health, measures = Health(), Measures(name, service)

    def check_model(http: Request) -> None:
        """Raises RefusedError where the path is that of another model, or another version."""
        model, number = http.path_params["model"], http.path_params.get("version", VERSION)
        if model != name:
            raise RefusedError(404, f"there is no model '{model}'; there is '{name}'")
        if number != VERSION:
            raise RefusedError(
                404, f"there is no version '{number}' of '{name}'; there is '{VERSION}'"
            )

    async def infer_elsewhere(http: Request) -> Response:
        check_model(http)
        raise AssertionError("Application answers inference of the model there is")

    app = FastAPI(title="lowstream", version=version("lowstream"), lifespan=health.lifespan)
    refused = _map_errors(app, measures)
    for place in PLACES:
        app.add_route(f"{place}/infer", infer_elsewhere, methods=["POST"])
    app.include_router(_server_routes(measures))
    app.include_router(health.routes(), prefix="/v2/health")
    app.include_router(refusals())
    app.post("/v2/repository/index")(index_of(name))
    for place in PLACES:
        described = model_routes(name, service, health, measures)
        app.include_router(described, prefix=place, dependencies=[Depends(check_model)])
    inference = Inference(name, service, measures, most_bytes)
    places = {f"{place.format(model=name, version=VERSION)}/infer" for place in PLACES}
    return Application(inference, refused, places, app)


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
        return refused(error.status if isinstance(error, RefusedError) else 400, str(error))

    @app.exception_handler(DiagnosticException)
    async def ours(http: Request, error: DiagnosticException) -> Response:
        return wrong(error)

    @app.exception_handler(HTTPException)
    async def no_route(http: Request, error: HTTPException) -> Response:
        why = f"{error.detail}: {http.method} {http.url.path}"
        return refused(error.status_code, why, error.headers)

    return wrong
