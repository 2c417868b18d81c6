"""Mutants: a text with a few of its tokens changed, a file with a few of its bytes changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

TOKEN = re.compile(r'"[^"\n]*"|[\w.$]+|->|\s+|.', re.DOTALL)

EXTREMES = (
    "-1",
    "0",
    "1",
    "?",
    "65536",
    "2147483648",
    "99999999999",
    "9223372036854775807",
    "18446744073709551616",
    "1.0e+400",
    "0x7FF0000000000001",
    "i99999999999",
    '""',
    "*",
)
"""What takes a token's place."""

WORDS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x10000000)
"""What takes the place of four bytes."""


def changed_text(corpus: Sequence[bytes], random: Random) -> bytes:
    """A text with a few of its tokens dropped, doubled, swapped, made extreme, or taken from another."""
    tokens = TOKEN.findall(random.choice(corpus).decode())
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not tokens:
            break
        i = random.randrange(len(tokens))
        j = min(len(tokens), i + random.randint(1, 12))
        match random.randrange(9):
            case 0:
                del tokens[i:j]
            case 1:
                tokens[i:i] = tokens[i:j]
            case 2:
                k = random.randrange(len(tokens))
                tokens[i], tokens[k] = tokens[k], tokens[i]
            case 3:
                tokens[i] = random.choice(EXTREMES)
            case 4:
                other = TOKEN.findall(random.choice(corpus).decode())
                k = random.randrange(len(other))
                tokens[i:j] = other[k : k + random.randint(1, 12)]
            case 5:
                same = [k for k, token in enumerate(tokens) if token[0] == tokens[i][0]]
                tokens[i] = tokens[random.choice(same)]
            case 6 | 7:
                _change_number(tokens, random)
            case _:
                k = random.randrange(len(tokens[i]))
                tokens[i] = tokens[i][:k] + chr(random.randrange(1, 0x250)) + tokens[i][k + 1 :]
    text = "".join(tokens).encode()
    if random.randrange(50):
        return text
    i = random.randrange(len(text) + 1)
    return text[:i] + random.randbytes(random.randint(1, 3)) + text[i + 1 :]


def _change_number(tokens: list[str], random: Random) -> None:
    """Makes one of the numbers another, alone or within a string such as `"1,64,3"`."""
    places = [i for i, token in enumerate(tokens) if any(c in "0123456789" for c in token)]
    if places:
        i = random.choice(places)
        found = random.choice(list(re.finditer(r"\d+", tokens[i])) or [None])
        if found is not None:
            start, end = found.span()
            tokens[i] = tokens[i][:start] + random.choice(EXTREMES) + tokens[i][end:]


def changed_bytes(corpus: Sequence[bytes], random: Random) -> bytes:
    """A file with a few of its bytes flipped, made extreme, doubled, taken away, or its end cut off."""
    data = bytearray(random.choice(corpus))
    for _ in range(random.choice((1, 1, 2, 3, 8))):
        i = random.randrange(len(data) or 1)
        match random.randrange(8):
            case 0 | 1:
                data[i : i + 1] = bytes([random.randrange(256)])
            case 2 | 3 | 4:
                i &= ~3
                data[i : i + 4] = random.choice(WORDS).to_bytes(4, "little")
            case 5:
                k = random.randrange(len(data) or 1) & ~3
                data[i & ~3 : (i & ~3) + 4] = data[k : k + 4]
            case 6:
                del data[i : i + random.randint(1, 8)]
            case _:
                data[i : i + 1] = bytes([data[i] ^ 1 << random.randrange(8)]) if data else b""
    if not random.randrange(20):
        del data[random.randrange(len(data) or 1) :]
    return bytes(data)
