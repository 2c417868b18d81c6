"""Bodies in gzip and deflate, which clients may send and ask for."""

from __future__ import annotations

import re
import zlib

from .refused import RefusedError, too_large

WINDOW_BITS = {"gzip": 16 + zlib.MAX_WBITS, "deflate": zlib.MAX_WBITS}
"""How zlib tells the formats apart: https://www.zlib.net/manual.html#Advanced."""

LEAST_BYTES = 1000
"""A shorter answer fits a packet as it is."""

QUICKEST = 1
"""The level: the others make numbers hardly smaller."""

NEVER = re.compile(r"q=0(\.0*)?")
"""The weight of an encoding that a client does not accept."""


def expanded(body: bytes, encoding: str, most_bytes: int) -> bytes:
    """
    What a body of this Content-Encoding stands for. Raises RefusedError where that is not whole, of another encoding,
    or has more bytes: a small body may stand for any number of zeros.
    """
    encoding = encoding.lower()
    if encoding == "identity":
        return body
    if encoding not in WINDOW_BITS:
        raise RefusedError(415, f"Content-Encoding is {encoding!r}; known: gzip, deflate")
    stream = zlib.decompressobj(WINDOW_BITS[encoding])
    try:
        found = stream.decompress(body, most_bytes + 1)
    except zlib.error as error:
        raise RefusedError(400, f"the body is no {encoding}: {error}") from None
    if len(found) > most_bytes:
        raise too_large(most_bytes)
    if not stream.eof:
        raise RefusedError(400, f"the body ends before its {encoding} stream does")
    if stream.unused_data:
        raise RefusedError(
            400, f"{len(stream.unused_data)} bytes follow the body's {encoding} stream"
        )
    return found


def compressed(answer: bytes, accepted: str) -> tuple[bytes, str | None]:
    """An answer in the first known encoding that a client accepts, where that is shorter, and which one it is."""
    if len(answer) < LEAST_BYTES or (encoding := _first_of(accepted)) is None:
        return answer, None
    stream = zlib.compressobj(QUICKEST, wbits=WINDOW_BITS[encoding])
    shorter = stream.compress(answer) + stream.flush()
    return (shorter, encoding) if len(shorter) < len(answer) else (answer, None)


def _first_of(accepted: str) -> str | None:
    """Of the header Accept-Encoding."""
    for offer in accepted.lower().replace(" ", "").split(","):
        encoding, _, weight = offer.partition(";")
        if encoding in WINDOW_BITS and not NEVER.fullmatch(weight):
            return encoding
    return None
