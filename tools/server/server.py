"""uvicorn's server, which also answers who has connected when it ends."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Generator
from contextlib import suppress

import uvicorn

from .connection import Connection, State


class Server(uvicorn.Server):
    """
    uvicorn's closes its listening sockets with connections that it has not accepted yet, which resets them. Under load
    that is most of those that are new.
    """

    def __init__(self, config: uvicorn.Config):
        super().__init__(config)
        self.server_state = self._state = State()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._state.is_ending = True  # for what is accepted and has no transport yet
        loop = asyncio.get_running_loop()
        waiting = [each for listening in sockets or () for each in _accept_all(listening)]
        for server in self.servers:
            server.close()
        for each in waiting:
            await loop.connect_accepted_socket(self._connection, each)
        await super().shutdown(sockets)

    def _connection(self) -> Connection:
        return Connection(self.config, self.server_state, self.lifespan.state)


def _accept_all(listening: socket.socket) -> Generator[socket.socket]:
    """What has connected to a socket that does not block. Nothing else connects to it."""
    with suppress(BlockingIOError):
        while True:
            yield listening.accept()[0]
    listening.shutdown(socket.SHUT_RDWR)
