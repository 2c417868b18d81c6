"""Clients that are no clients: what is no HTTP, too long or never whole."""

import asyncio
import json
import re
import socket
from contextlib import suppress
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from lowstream.test.unit.tools.server.callers import INFER, tensor
from lowstream.tools.server.connection import MOST_HEADER_BYTES, Connection

LINE = f"POST {INFER} HTTP/1.1\r\nHost: x\r\n".encode()


def answer(address: str, sent: bytes) -> tuple[int, str]:
    """The status and the error that a client gets before the server closes the connection."""
    host, port = address.split(":")
    found = b""
    with socket.create_connection((host, int(port)), 30) as connection:
        connection.sendall(sent)
        while part := connection.recv(1 << 16):
            found += part
    head, _, body = found.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: many\r\n\r\n{}",
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"Content-Length: 2\r\n\r\n{}more",
        b"no header\r\n\r\n",
    ],
)
def test_what_is_no_http(address: str, rest: bytes):
    status, why = answer(address, LINE + rest)
    assert status == 400
    assert why.startswith("the request is no HTTP")


def test_headers_that_do_not_end(address: str):
    status, why = answer(address, LINE + b"X: " + b"y" * (MOST_HEADER_BYTES - len(LINE) - 2))
    assert status == 431
    assert why == f"the headers have more than {MOST_HEADER_BYTES} bytes"


@pytest.mark.parametrize("frame", [b"0\r\nX: ", b"2;x="])
def test_trailers_that_do_not_end(address: str, frame: bytes):
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), 30) as connection:
        connection.sendall(LINE + b"Transfer-Encoding: chunked\r\n\r\n" + frame)
        with suppress(ConnectionError):  # it is closed while we send
            for _ in range(1000):
                connection.sendall(b"y" * 1000)
        with suppress(ConnectionError):
            assert b" 431 " in connection.recv(1 << 16)


def test_chunks_of_one_byte(address: str):
    body = json.dumps(
        {"inputs": [tensor()], "parameters": {"sequence_id": 1, "sequence_start": True}}
    )
    chunks = b"".join(b"1\r\n%c\r\n" % each for each in body.encode())
    rest = b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunks + b"0\r\n\r\n"
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), 30) as connection:
        connection.sendall(LINE + rest)
        assert b" 200 " in connection.recv(1 << 16)


@pytest.mark.parametrize("sent", [b"", LINE, LINE + b"Content-Length: 9\r\n\r\n{"])
def test_requests_that_are_never_whole(address: str, sent: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Connection, "seconds", 0.01)
    assert answer(address, sent) == (408, "the request was not whole after 0.01 seconds")


class Sent(asyncio.Transport):
    """What a server writes to a client."""

    def __init__(self) -> None:
        super().__init__()
        self.answers, self.is_closed = b"", False
        self.read_on: list[int] = []
        """After how many answers the server went on to read."""

    def write(self, data: Any) -> None:
        self.answers += data

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None:
        self.read_on.append(self.answers.count(b"HTTP/1.1"))


async def says_nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads each request to its end."""
    del scope
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


def after(*parts: bytes) -> tuple[list[bytes], bool]:
    """The answers after these parts of requests have arrived one by one, and whether the time of another one runs."""

    async def received() -> tuple[list[bytes], bool]:
        connection, sent = Connection(Config(says_nothing), ServerState(), {}), Sent()
        connection.connection_made(sent)
        for part in parts:
            connection.data_received(part)
            if not connection._is_within:
                await asyncio.gather(*connection.tasks)
        is_timed = connection._timer is not None
        connection.connection_lost(None)
        return re.findall(rb"HTTP/1.1 (\d+)", sent.answers), is_timed

    return asyncio.run(received())


def test_each_request_has_room_for_its_headers():
    parts = LINE + b"X: " + b"y" * (MOST_HEADER_BYTES // 2), b"\r\n\r\n"
    assert after(*parts * 3)[0] == [b"204"] * 3


@pytest.mark.parametrize("head", [LINE, LINE + b"Transfer-Encoding: chunked\r\n\r\n"])
def test_requests_that_arrive_together_have_room_for_headers_each(head: bytes):
    """More of them than one may have of headers."""
    whole = LINE + b"\r\n"
    several = whole * (MOST_HEADER_BYTES // len(whole) + 1)
    answers, is_timed = after(several + head)
    assert {*answers} <= {b"204"}
    assert is_timed


def test_no_more_is_read_while_requests_wait():
    async def read_on() -> list[int]:
        connection, sent = Connection(Config(says_nothing), ServerState(), {}), Sent()
        connection.connection_made(sent)
        connection.data_received((LINE + b"\r\n") * 5)
        while connection.tasks:
            await asyncio.gather(*connection.tasks)
        connection.connection_lost(None)
        return sent.read_on

    assert asyncio.run(read_on()) == [4]


def test_what_is_around_short_chunks_may_be_longer_than_headers():
    chunk = b"0001\r\n.\r\n"
    chunks = [chunk] * (MOST_HEADER_BYTES // (len(chunk) - 1) + 1)
    first = LINE + b"Transfer-Encoding: chunked\r\n\r\n"
    assert after(first, *chunks, b"0\r\n\r\n")[0] == [b"204"]


def test_a_request_behind_another_has_a_time_of_its_own():
    async def timers() -> tuple[Any, Any]:
        connection = Connection(Config(says_nothing), ServerState(), {})
        connection.connection_made(Sent())
        found: list[Any] = []
        for part in (LINE, b"\r\n" + LINE):
            connection.data_received(part)
            found.append(connection._timer)
        connection.connection_lost(None)
        return found[0], found[1]

    first, second = asyncio.run(timers())
    assert first.cancelled()
    assert second is not first


def test_each_request_has_its_time():
    """From its beginning, also where it is not the first of its connection, until it is whole."""
    whole = LINE + b"\r\n"
    for parts, is_timed in (
        ([], True),
        ([whole], False),
        ([whole, LINE], True),
        ([whole, LINE, b"\r\n"], False),
    ):
        assert after(*parts)[1] is is_timed
