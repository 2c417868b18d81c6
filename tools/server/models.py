"""What the model is: metadata, configuration and statistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .model_config import config_of
from .protocol import VERSION, metadata_of
from .routes import Routes

if TYPE_CHECKING:
    from .measures import Measures
    from .service import Service


def model_routes(name: str, service: Service, measures: Measures) -> Routes:
    """Below the place of the model, or of its version."""
    routes = Routes()

    @routes.look("")
    async def metadata() -> dict[str, Any]:
        return {
            "name": name,
            "versions": [VERSION],
            "platform": "lowstream",
            "inputs": [metadata_of(port) for port in service.inputs],
            "outputs": [metadata_of(port) for port in service.outputs],
        }

    @routes.look("/config")
    async def config() -> dict[str, Any]:
        return config_of(name, service)

    @routes.look("/stats")
    async def statistics() -> dict[str, Any]:
        return measures.statistics()

    return routes


def index_of(name: str) -> Callable[[], Any]:
    """The route that lists what models there are."""

    async def index() -> list[dict[str, str]]:
        return [{"name": name, "version": VERSION, "state": "READY", "reason": ""}]

    return index
