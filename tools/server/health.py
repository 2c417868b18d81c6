"""Whether the server lives and takes requests."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Response
from starlette.responses import JSONResponse

from .routes import Routes


class Health:
    """It is ready from when it has begun and its model is compiled until it is to end."""

    has_model = False
    _is_running = False

    @property
    def is_ready(self) -> bool:
        return self._is_running and self.has_model

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncGenerator[None]:
        """Around all that the application does."""
        self._is_running = True
        yield
        self._is_running = False

    def _answer(self, **more: str) -> Response:
        """The status answers Triton's clients, the body those of KServe."""
        return JSONResponse({**more, "ready": self.is_ready}, 200 if self.is_ready else 503)

    def routes(self) -> Routes:
        """Below `/v2/health`."""
        routes = Routes()

        @routes.look("/live")
        async def live() -> dict[str, Any]:
            return {"live": True}

        @routes.look("/ready")
        async def ready() -> Response:
            return self._answer()

        return routes

    def model_routes(self, name: str) -> Routes:
        """Below the place of the model, or of its version."""
        routes = Routes()

        @routes.look("/ready")
        async def ready() -> Response:
            return self._answer(name=name)

        return routes
