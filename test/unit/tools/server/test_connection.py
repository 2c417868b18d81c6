"""Clients that are no clients: what is no HTTP, too long or never whole."""

import json
import socket
from contextlib import suppress

import pytest

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
