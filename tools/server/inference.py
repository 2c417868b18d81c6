"""
The route for inference: from a body to tensors, through the model, and back. It speaks ASGI itself: FastAPI's layers
around a route take as long as all that is done here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fastapi.concurrency import run_in_threadpool
from xdsl.utils.exceptions import DiagnosticException

from ...passes.digits import natural
from .compression import compressed, expanded
from .measures import StopWatch
from .protocol import parse_request, response
from .refused import RefusedError, too_large

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from .measures import Measures
    from .service import Service

HEADER = "Inference-Header-Content-Length"

HEADER_IN_ASGI = HEADER.lower().encode()

Answer = tuple[bytes, list[tuple[bytes, bytes]]]
"""A body and its headers."""

JSON, BINARY = b"application/json", b"application/octet-stream"

QUICK_BYTES = 1 << 20
"""Of a body that is read where it arrives; one that is compressed may stand for many more."""

GONE = 499
"""The status, in metrics alone, of a request whose client did not wait (nginx's number)."""


class Inference:
    """Answers requests for one model, whose bodies have at most so many bytes."""

    def __init__(self, name: str, service: Service, measures: Measures, most_bytes: int):
        self._name, self._service, self._measures = name, service, measures
        self._most_bytes = most_bytes
        self._outputs = {port.any_name: place for place, port in enumerate(service.outputs)}

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """
        What the client gets. Raises DiagnosticException, RefusedError where the status is another than 400, before
        anything is sent.
        """
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        body = await self._body(receive)
        watch = StopWatch()
        try:
            if self._is_quick(body, headers):
                answer, described = self._infer(body, headers, watch)
            else:
                answer, described = await run_in_threadpool(self._infer, body, headers, watch)
        except DiagnosticException:
            self._measures.failed(watch)
            raise
        self._measures.succeeded(watch)
        await send({"type": "http.response.start", "status": 200, "headers": described})
        await send({"type": "http.response.body", "body": answer})

    async def _body(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        length = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RefusedError(GONE, "the client went away before its body was whole")
            parts.append(message.get("body", b""))
            length += len(parts[-1])
            if length > self._most_bytes:
                raise too_large(self._most_bytes)
            if not message.get("more_body", False):
                return parts[0] if len(parts) == 1 else b"".join(parts)

    def _is_quick(self, body: bytes, headers: Mapping[bytes, str]) -> bool:
        """Whether all callers may wait for this one."""
        is_short = len(body) <= QUICK_BYTES and b"content-encoding" not in headers
        return self._service.is_quick and is_short

    def _infer(self, body: bytes, headers: Mapping[bytes, str], watch: StopWatch) -> Answer:
        watch.lap()
        if encoding := headers.get(b"content-encoding"):
            body = expanded(body, encoding, self._most_bytes)
        length = headers.get(HEADER_IN_ASGI)
        request = parse_request(body, None if length is None else _length(length))
        for wanted in request.outputs.keys() - self._outputs.keys():
            raise DiagnosticException(
                f"there is no output '{wanted}'; outputs: {', '.join(self._outputs)}"
            )
        watch.lap()
        given = self._service.infer(request.inputs, request.parameters)
        watch.lap()
        if request.outputs:
            given = [given[self._outputs[wanted]] for wanted in request.outputs]
        answer, header_length = response(self._name, request, given)
        answer, encoding = compressed(answer, headers.get(b"accept-encoding", ""))
        described = [
            (b"content-length", b"%d" % len(answer)),
            (b"content-type", JSON if header_length is None else BINARY),
        ]
        if header_length is not None:
            described.append((HEADER_IN_ASGI, b"%d" % header_length))
        if encoding is not None:
            described.append((b"content-encoding", encoding.encode()))
        watch.lap()
        return answer, described


def _length(text: str) -> int:
    if (number := natural(text)) is None:
        raise DiagnosticException(f"{HEADER} is {text!r}; it must be a number of bytes")
    return number
