"""What a client is told that asks for what there is not."""

from __future__ import annotations

from xdsl.utils.exceptions import DiagnosticException


class RefusedError(DiagnosticException):
    """A request that is not answered, and the status of HTTP that says so."""

    def __init__(self, status: int, why: str):
        super().__init__(why)
        self.status = status


def too_large(most_bytes: int) -> RefusedError:
    """For a body, as it comes or once it is expanded."""
    return RefusedError(413, f"the body has more than {most_bytes} bytes")
