"""Entries that were damaged or moved are compiled again."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.runtime.cache.cache import Cache
from lowstream.runtime.cache.packed import pack, unpack
from lowstream.test.unit.runtime.cache.cached_models import entries, save, scaled, sums


def damage_cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def damage_weights(data: bytes) -> bytes:
    start = 8 + int.from_bytes(data[:8], "little")
    return data[:start] + bytes([data[start] ^ 1]) + data[start + 1 :]


def damage_code(data: bytes) -> bytes:
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


def damage_description(data: bytes) -> bytes:
    return data.replace(b'\\"arena_bytes\\": ', b'\\"arena_bytes\\":-')


def damage_bounds(data: bytes) -> bytes:
    """Where the weights end, and the code begins."""
    start = data.index(b'"data_offsets": [0, ') + 20
    end = data.index(b"]", start)
    other = str(int(data[start:end]) - 16).encode().rjust(end - start)
    return data[:start] + other + data[end:].replace(data[start:end], other, 1)


def damage_names(data: bytes) -> bytes:
    return data.replace(b'"object0"', b'"object9"')


def damage_header(data: bytes) -> bytes:
    return (2**60).to_bytes(8, "little") + data[8:]


@pytest.mark.parametrize(
    "damage",
    [
        damage_cut,
        damage_weights,
        damage_code,
        damage_description,
        damage_bounds,
        damage_names,
        damage_header,
        lambda data: b"",
        lambda data: b"\0" * len(data),
        lambda data: data[:8] + b"[" + data[9:],
        lambda data: (1).to_bytes(8, "little") + b"5",
        lambda data: (10**6).to_bytes(8, "little") + b"[" * 10**6,
    ],
)
def test_damaged_entries_are_compiled_again(
    folder: Path, builds: list[Any], damage: Any, tmp_path: Path
):
    path = save(tmp_path / "m.mlir", 2.0)
    assert scaled(path) == 2.0
    (entry,) = entries(folder)
    whole = entry.read_bytes()
    entry.unlink()  # the first compilation has it mapped
    entry.write_bytes(damage(whole))
    assert entry.read_bytes() != whole
    assert scaled(path) == 2.0
    assert len(builds) == 2
    assert entries(folder)[0].read_bytes() == whole


def test_an_entry_in_the_place_of_another_is_none(folder: Path, tmp_path: Path):
    paths = [save(tmp_path / f"m{value}.mlir", value) for value in (2.0, 3.0)]
    assert [scaled(path) for path in paths] == [2.0, 3.0]
    first, second = (path.rename(path.with_suffix(".moved")) for path in entries(folder))
    first.rename(folder / second.with_suffix(".safetensors").name)
    second.rename(folder / first.with_suffix(".safetensors").name)
    assert [scaled(path) for path in paths] == [2.0, 3.0]


def a_link_to_a_terminal(path: Path) -> None:
    path.symlink_to("/dev/tty")


@pytest.mark.parametrize("put", [os.mkfifo, a_link_to_a_terminal])
def test_nobody_waits_for_what_is_no_file(folder: Path, put: Callable[[Path], None]):
    cache, name = Cache(folder), "0" * 64
    cache.remember({name: "a line"})
    (note,) = folder.iterdir()
    note.unlink()
    put(note)
    assert cache.recall(name) is None
    cache.remember({name: "a line"})
    assert cache.recall(name) == "a line"


def test_every_bit_is_sealed():
    """No part of what is damaged is looked at, parsed or loaded."""
    whole = bytes(pack(sums(), "name"))
    assert unpack(whole, "name") == sums()
    with pytest.raises(DiagnosticException, match="damaged"):
        unpack(whole, "another name")
    step = len(whole) // 500
    for place in {*range(0, 600, 3), *range(600, len(whole), step)}:
        mutant = bytearray(whole)
        mutant[place] ^= 1 << place % 8
        with pytest.raises(DiagnosticException, match="the compiled model is damaged"):
            unpack(mutant, "name")
    for mutant in (*(whole[:end] for end in (*range(120), len(whole) - 1)), whole + b"\0"):
        with pytest.raises(DiagnosticException, match="the compiled model is damaged"):
            unpack(mutant, "name")
