"""Routes that are looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter

Handler = Callable[..., Any]


class Routes(APIRouter):
    """A router of FastAPI's."""

    def look(self, path: str) -> Callable[[Handler], Handler]:
        """A route for GET, and for HEAD, by which proxies ask for the same without its body."""

        def register(handler: Handler) -> Handler:
            self.add_api_route(path, handler, methods=["GET"])
            self.add_api_route(path, handler, methods=["HEAD"], include_in_schema=False)
            return handler

        return register
