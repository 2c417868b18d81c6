"""Whether the server lives and takes requests."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Response
from starlette.responses import JSONResponse

from .routes import Routes


class Health:
    """It is ready from when it has begun until it is to end."""

    is_ready = False

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncGenerator[None]:
        """Around all that the application does."""
        self.is_ready = True
        yield
        self.is_ready = False

    def answer(self, **more: str) -> Response:
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
            return self.answer()

        return routes
