"""The route for inference: from a body to tensors, through the model, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from xdsl.utils.exceptions import DiagnosticException

from .compression import compressed, expanded
from .measures import StopWatch
from .protocol import parse_request, response
from .refused import RefusedError, too_large

if TYPE_CHECKING:
    from .measures import Measures
    from .service import Service

HEADER = "Inference-Header-Content-Length"

BINARY = "application/octet-stream"

MOST_DIGITS = 18
"""Of a number of bytes."""

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

    async def answer(self, http: Request) -> Response:
        """What the client gets. Raises DiagnosticException, RefusedError where the status is another than 400."""
        body = await self._body(http)
        watch = StopWatch()
        try:
            if self._is_quick(body, http.headers):
                answer = self._infer(body, http.headers, watch)
            else:
                answer = await run_in_threadpool(self._infer, body, http.headers, watch)
        except DiagnosticException:
            self._measures.failed(watch)
            raise
        self._measures.succeeded(watch)
        return answer

    async def _body(self, http: Request) -> bytes:
        body = bytearray()
        try:
            async for part in http.stream():
                body += part
                if len(body) > self._most_bytes:
                    raise too_large(self._most_bytes)
        except ClientDisconnect:
            raise RefusedError(GONE, "the client went away before its body was whole") from None
        return bytes(body)

    def _is_quick(self, body: bytes, headers: Mapping[str, str]) -> bool:
        """Whether all callers may wait for this one."""
        is_short = len(body) <= QUICK_BYTES and "Content-Encoding" not in headers
        return self._service.is_quick and is_short

    def _infer(self, body: bytes, headers: Mapping[str, str], watch: StopWatch) -> Response:
        watch.lap()
        if encoding := headers.get("Content-Encoding"):
            body = expanded(body, encoding, self._most_bytes)
        length = headers.get(HEADER)
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
        answer, encoding = compressed(answer, headers.get("Accept-Encoding", ""))
        described = {} if header_length is None else {HEADER: str(header_length)}
        if encoding is not None:
            described["Content-Encoding"] = encoding
        media_type = "application/json" if header_length is None else BINARY
        watch.lap()
        return Response(answer, headers=described, media_type=media_type)


def _length(text: str) -> int:
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise DiagnosticException(f"{HEADER} is {text!r}; it must be a number of bytes")
    return int(text)
