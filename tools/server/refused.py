"""What a client is told that asks for what there is not."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.utils.exceptions import DiagnosticException

RETRY_SECONDS = 1
"""After which a client may ask again; nobody knows how long a model compiles."""


class RefusedError(DiagnosticException):
    """A request that is not answered, and the status of HTTP that says so."""

    def __init__(self, status: int, why: str, headers: Mapping[str, str] | None = None):
        super().__init__(why)
        self.status, self.headers = status, headers


def too_large(most_bytes: int) -> RefusedError:
    """For a body, as it comes or once it is expanded."""
    return RefusedError(413, f"the body has more than {most_bytes} bytes")


def not_ready(name: str) -> RefusedError:
    """For all that needs the model, while it compiles."""
    why = f"'{name}' is being compiled; /v2/health/ready says when it is ready"
    return RefusedError(503, why, {"Retry-After": f"{RETRY_SECONDS}"})
