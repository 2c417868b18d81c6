"""Seals: what a part consists of need not lie together."""

import pytest

from lowstream.runtime.cache import trust


@pytest.mark.parametrize("key", ["", "secret"])
@pytest.mark.parametrize("lengths", [(0,), (5, 3), (8, 0, 8), (1, 15, 1), (20, 1, 3)])
def test_parts_may_lie_apart(monkeypatch: pytest.MonkeyPatch, lengths: tuple[int, ...], key: str):
    monkeypatch.setattr(trust, "PIECE", 8)
    monkeypatch.setenv(trust.KEY_VARIABLE, key)
    apart = [bytes(range(length)) for length in lengths]
    assert trust.seal("name", b"head", apart) == trust.seal("name", b"head", b"".join(apart))


def test_where_a_part_ends_matters():
    assert trust.seal("name", b"ab", b"c") != trust.seal("name", b"a", b"bc")


@pytest.mark.parametrize("key", ["", "secret"])
def test_every_byte_matters(monkeypatch: pytest.MonkeyPatch, key: str):
    monkeypatch.setattr(trust, "PIECE", 8)
    monkeypatch.setenv(trust.KEY_VARIABLE, key)
    data = bytes(range(20))
    seals = {trust.seal("name", data)}
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        seals.add(trust.seal("name", changed))
    assert len(seals) == 1 + len(data)
