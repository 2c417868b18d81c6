"""What becomes of connections when the server ends."""

import asyncio
import socket

import pytest
from uvicorn import Config

from lowstream.test.unit.tools.server.test_connection import LINE, Sent, says_nothing
from lowstream.tools.server import connection
from lowstream.tools.server.connection import Connection, State
from lowstream.tools.server.server import Server

WHOLE = LINE + b"\r\n"


def answers(before: bytes, later: bytes) -> list[bytes]:
    """
    The status and the last header of each answer, where the rest of requests arrives once the server ends. Who sent
    nothing before is not accepted before either.
    """

    async def ended() -> bytes:
        loop = asyncio.get_running_loop()
        config = Config(says_nothing, http=Connection, lifespan="off", log_level="error")
        config.load()
        server = Server(config)
        server.lifespan = config.lifespan_class(config)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            await server.startup([listening])
            with socket.create_connection(listening.getsockname(), 30) as client:
                client.sendall(before)
                state, whole = server.server_state, before.count(WHOLE)
                while before and not (state.connections and state.total_requests == whole):
                    await asyncio.sleep(0)
                ending = asyncio.create_task(server.shutdown([listening]))
                await asyncio.sleep(0)
                client.sendall(later)
                client.setblocking(False)
                found = b""
                while part := await loop.sock_recv(client, 1 << 16):
                    found += part
                await ending
        return found

    said = asyncio.run(ended()).split(b"\r\n\r\n")
    return [part.split(b" ")[1] + b" " + part.splitlines()[-1] for part in said if part]


@pytest.mark.parametrize(
    ("before", "later", "count"),
    [
        (b"", WHOLE, 1),
        (b"", b"", 0),
        (LINE, b"\r\n", 1),
        (WHOLE, WHOLE, 2),
        (WHOLE + LINE, b"\r\n", 2),
    ],
)
def test_requests_that_are_on_their_way_are_answered(
    before: bytes, later: bytes, count: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connection, "LINGER", 0.01)
    found = answers(before, later)
    assert [each[:3] for each in found] == [b"204"] * count
    assert [each.endswith(b"connection: close") for each in found[-1:]] == [True] * bool(later)


def test_what_is_accepted_as_the_server_ends():
    async def is_closed() -> bool:
        state, sent = State(), Sent()
        state.is_ending = True
        made = Connection(Config(says_nothing), state, {})
        made.connection_made(sent)
        made.data_received(WHOLE)
        await asyncio.gather(*made.tasks)
        made.connection_lost(None)
        return sent.is_closed

    assert asyncio.run(is_closed())
