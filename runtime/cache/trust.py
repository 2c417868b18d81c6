"""
Whether a file on disk may be run: who could have written it, and whether it is what was written.

A seal answers the second question. It is a SHA-256 over the name under which contents are kept, and the CRC-32 of each
`PIECE` of them: whoever can write the contents can write a seal, so it finds damage alone. If LOWSTREAM_KEY is set, it
is an HMAC over the SHA-256 of each piece, which nobody can make without that key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from ...passes.errors import DiagnosticError
from ..host import usable_cores

Bytes = bytes | bytearray | memoryview
"""Data in memory, or in a mapped file."""

KEY_VARIABLE = "LOWSTREAM_KEY"
"""The environment variable that holds the key of seals."""

SEAL_LENGTH = 64
"""Characters of a seal."""

PIECE = 1 << 20
"""Bytes that a thread digests at a time."""


def seal(
    name: str, *parts: Bytes | Sequence[Bytes], was_read: Callable[[], None] = lambda: None
) -> bytes:
    """
    The seal of what is kept under a name. A part may be given as what it consists of, wherever that lies. `was_read` is
    called after each `PIECE` of it.
    """
    if key := os.environ.get(KEY_VARIABLE):
        digest, digest_of = hmac.new(os.fsencode(key), digestmod="sha256"), _sha256
    else:
        digest, digest_of = hashlib.sha256(), _crc32  # in less than half the time
    for part in (name.encode(), *parts):
        views = [memoryview(each) for each in ([part] if isinstance(part, Bytes) else part)]
        digest.update(sum(map(len, views)).to_bytes(8, "little"))
        for each in _digests_of_pieces(views, digest_of, was_read):
            digest.update(each)
    return digest.hexdigest().encode()


def check_seal(sealed: Bytes, name: str, *parts: Bytes) -> None:
    """Raises DiagnosticException where this is not the seal of the data under this name."""
    if not hmac.compare_digest(bytes(sealed), seal(name, *parts)):
        raise DiagnosticError(
            f"the compiled model is damaged, or sealed with another {KEY_VARIABLE}; compile it again"
        )


def _sha256(piece: Sequence[memoryview]) -> bytes:
    digest = hashlib.sha256()
    for view in piece:
        digest.update(view)
    return digest.digest()


def _crc32(piece: Sequence[memoryview]) -> bytes:
    found = 0
    for view in piece:
        found = zlib.crc32(view, found)
    return found.to_bytes(4, "little")


def _digests_of_pieces(
    part: Sequence[memoryview],
    digest_of: Callable[[Sequence[memoryview]], bytes],
    was_read: Callable[[], None],
) -> list[bytes]:
    """Several threads share the work: weights may have hundreds of megabytes."""
    pieces = list(_pieces(part))
    if len(pieces) == 1:
        found = [digest_of(pieces[0])]
        was_read()
        return found
    found = [b""] * len(pieces)
    waiting = deque(enumerate(pieces))

    def work() -> None:
        with suppress(IndexError):
            while True:
                index, piece = waiting.popleft()
                found[index] = digest_of(piece)
                was_read()

    workers = [Thread(target=work) for _ in range(1, min(len(pieces), usable_cores()))]
    with suppress(RuntimeError):  # the system has no more threads
        for worker in workers:
            worker.start()
    work()
    for worker in workers:
        if worker.ident is not None:
            worker.join()
    return found


def _pieces(part: Sequence[memoryview]) -> Iterator[list[memoryview]]:
    """What a part consists of, in pieces of `PIECE` bytes but for the last."""
    piece, room = list[memoryview](), PIECE
    for view in part:
        while len(view):
            piece.append(view[:room])
            view, room = view[room:], room - len(piece[-1])
            if not room:
                yield piece
                piece, room = [], PIECE
    if piece:
        yield piece


def is_ours(status: os.stat_result) -> bool:
    """Whether nobody else, apart from the administrator, can have written a file."""
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def create(folder: Path) -> None:
    """Creates a folder that only we can write, if there is none."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def objection_to(path: Path) -> str | None:
    """Why a folder or file is not trusted, and what helps; None where it is ours, or does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    if is_ours(status):
        return None
    if status.st_uid not in (os.geteuid(), 0):
        return f"it belongs to {_name_of(status.st_uid)}, not to {_name_of(os.geteuid())}; use one of your own"
    import shlex  # models from the cache start without it

    who = "everybody" if status.st_mode & stat.S_IWOTH else "its group"
    return f"{who} can write to it; run: chmod go-w {shlex.quote(str(path))}"


def _name_of(user: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return f"user {user}"
