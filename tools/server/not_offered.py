"""Routes of Triton's that are not offered here: what a client is told that takes them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request, Response

from .refused import RefusedError

NOT_OFFERED = {
    "/v2/repository/models/{model}/load": "this server has one model, from its command line; start another for another",
    "/v2/repository/models/{model}/unload": "this server has one model for as long as it runs; end it by SIGTERM",
    "/v2/systemsharedmemory/{rest:path}": "there is no shared memory; send tensors as bytes in the request",
    "/v2/cudasharedmemory/{rest:path}": "there is no shared memory; send tensors as bytes in the request",
    "/v2/trace/setting": "requests are not traced; /metrics and /v2/models/stats have counts and times",
    "/v2/models/{model}/trace/setting": "requests are not traced; /metrics and /v2/models/stats have counts and times",
    "/v2/logging": "nothing is logged but errors; what is refused says so to its caller",
    "/v2/models/{model}/generate": "models take tensors, and not text; use /infer",
    "/v2/models/{model}/generate_stream": "models take tensors, and not text; use /infer",
}
"""Why, by path, and what to do instead."""

METHODS = ["GET", "POST"]

NOT_IMPLEMENTED = 501


def refusals() -> APIRouter:
    """A route for each that says why it is none."""
    routes = APIRouter()
    for path, why in NOT_OFFERED.items():
        routes.add_route(path, _refusal(why), methods=METHODS, include_in_schema=False)
    return routes


def _refusal(why: str) -> Callable[[Request], Awaitable[Response]]:
    async def refuse(http: Request) -> Response:
        raise RefusedError(NOT_IMPLEMENTED, f"not offered: {http.url.path}: {why}")

    return refuse
