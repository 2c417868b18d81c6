"""A connection whose client has to be done with a request in time, and within a room for its headers."""

from __future__ import annotations

import json
from asyncio import TimerHandle, Transport
from collections.abc import Sized

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

MOST_HEADER_BYTES = 1 << 16
"""Of a request's line and headers together; as h11 has it."""

FRAME_BYTES = 8
"""Around each byte of a body in chunks of one byte, rounded up."""

SECONDS = 60.0
"""In which a request has to be whole, from its first byte; nginx gives its headers as long."""

LINGER = 0.5
"""Seconds for which a connection without a request stays open when the server ends: one may be on its way."""


class State(ServerState):
    """What the connections of a server share."""

    is_ending = False


class Flow(FlowControl):
    """Reads no more while requests wait for the answers to those before them: a client may send any number at once."""

    def __init__(self, transport: Transport, waiting: Sized):
        super().__init__(transport)
        self._waiting = waiting

    def resume_reading(self) -> None:
        if not self._waiting:
            super().resume_reading()


class Connection(HttpToolsProtocol):
    """
    uvicorn's, which waits for the rest of a request for ever, takes headers of any length and any number of requests
    that wait, and resets connections when the server ends. Refuses in JSON, as the rest of the protocol.
    """

    seconds = SECONDS
    _timer: TimerHandle | None = None
    _is_within = _is_ending = False
    _begun = 0
    _has_headers = False
    _header_bytes = _body_bytes = _other_bytes = 0

    def connection_made(self, transport: Transport) -> None:
        super().connection_made(transport)
        self.flow = Flow(transport, self.pipeline)
        self._wait()
        if isinstance(self.server_state, State) and self.server_state.is_ending:
            self.shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._begun += 1
        self._is_within, self._has_headers = True, False
        self._header_bytes = self._body_bytes = self._other_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._has_headers = True
        super().on_headers_complete()
        if self._is_ending:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_within = False
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        parts, is_behind_headers = int(self._is_within), self._is_within and self._has_headers
        before, self._begun = self._body_bytes, 0
        super().data_received(data)
        if not self._is_within or self._begun:
            self._wait_no_longer()
        if not self._is_within:
            return
        # Of the end of one request and the beginning of another, the parser does not say how much is whose.
        is_one = parts + self._begun <= 1
        if is_one and not self._has_headers:
            self._header_bytes += len(data)
            if self._header_bytes > MOST_HEADER_BYTES:
                self._refuse(431, f"the headers have more than {MOST_HEADER_BYTES} bytes")
        elif is_one and is_behind_headers:
            self._other_bytes += len(data) - (self._body_bytes - before)
            if self._other_bytes > MOST_HEADER_BYTES + FRAME_BYTES * self._body_bytes:
                self._refuse(431, f"chunks and trailers have more than {MOST_HEADER_BYTES} bytes")
        if self._timer is None:
            self._wait()

    def shutdown(self) -> None:
        """
        The server ends: requests that are here, or arrive soon, are answered, the last one with `Connection: close`.
        To close a connection while a request is on its way would reset it.
        """
        self._is_ending = True
        if not self._is_idle():
            self.cycle.keep_alive = False
        self.loop.call_later(LINGER, self._close_if_idle)

    def _is_idle(self) -> bool:
        return not self.cycle or self.cycle.response_complete

    def _close_if_idle(self) -> None:
        """What has only a part of a request waits for the rest, as long as the server does."""
        if self._is_idle() and not self._is_within:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self._refuse(
            400, "the request is no HTTP; see its Content-Length, its headers and its chunks"
        )

    def _wait(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self._is_late)

    def _wait_no_longer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _is_late(self) -> None:
        self._refuse(408, f"the request was not whole after {self.seconds:g} seconds")

    def _refuse(self, status: int, why: str) -> None:
        """Says so, unless an answer has begun, and closes the connection."""
        if self.transport.is_closing():
            return
        if self._is_idle() or not self.cycle.response_started:
            body = json.dumps({"error": why}).encode()
            lines = (
                b"content-type: application/json",
                b"content-length: %d" % len(body),
                b"connection: close",
            )
            self.transport.write(STATUS_LINE[status] + b"\r\n".join([*lines, b"", body]))
        self.transport.close()
