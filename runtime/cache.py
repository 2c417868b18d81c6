"""
What was compiled before, on disk: a file for each executable, found by a key of all that decides it.

An entry is a safetensors file, so that others can look inside: the tensors `weights` (first, and aligned,
since it is used where it is mapped), `object0` and so on and the states' initial values, the rest as JSON in
the metadata, with a checksum over everything. Whatever is wrong with an entry, it counts as absent and goes.
"""

from __future__ import annotations

import json
import mmap
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from .executable import Bytes, Executable

FOLDER_VARIABLE = "LOWSTREAM_CACHE_DIR"
"""The environment variable that names the folder; empty, it turns the cache off."""

ENTRY, NOTE, DRAFT = ".safetensors", ".note", ".tmp"
"""File endings: an executable, a line of text, and what is still being written."""

ALIGNMENT = 64
"""Where the data section begins in an entry: at a multiple of this."""

DEFAULT_SIZE = 1 << 30

ABANDONED = 3600.0
"""Seconds after which a draft has no writer any more."""


class Cache:
    """
    A folder of entries. `dir` is the folder (default: LOWSTREAM_CACHE_DIR, else the user's cache folder; empty: none),
    `size` the bytes it may hold; what was not used for longest goes first.

    Reading and writing never fail: without a folder that can be written there is just no cache. Writers do
    not meet: each writes a draft of its own and renames it.
    """

    def __init__(self, dir: str | os.PathLike[str] | None = None, size: int = DEFAULT_SIZE):
        self._dir = None if dir is None else os.fspath(dir)
        self.size = size

    @property
    def dir(self) -> Path | None:
        """The folder; None where the cache is off."""
        named = os.environ.get(FOLDER_VARIABLE) if self._dir is None else self._dir
        if named is not None:
            return Path(named) if named else None
        from platformdirs import user_cache_path

        return user_cache_path("lowstream")

    @dir.setter
    def dir(self, value: str | os.PathLike[str] | None) -> None:
        self._dir = None if value is None else os.fspath(value)

    def load(self, key: str) -> Executable | None:
        """The executable stored under this key, its weights mapped from the file."""
        if (folder := self.dir) is None:
            return None
        path = folder / f"{key}{ENTRY}"
        try:
            with path.open("rb") as file:
                data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            executable = _unpack(data)
        except OSError:
            return None
        except (
            AttributeError,
            DiagnosticException,
            KeyError,
            RecursionError,
            TypeError,
            ValueError,
        ):
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)
        return executable

    def store(self, key: str, executable: Executable) -> None:
        """Keeps an executable under this key."""
        self._write(f"{key}{ENTRY}", _pack(executable))

    def recall(self, name: str) -> str | None:
        """The line that was remembered under this name."""
        if (folder := self.dir) is None:
            return None
        path = folder / f"{name}{NOTE}"
        try:
            line = path.read_text("utf-8", "replace")
            os.utime(path)
        except OSError:
            return None
        return line

    def remember(self, name: str, line: str) -> None:
        """Keeps a line under this name."""
        self._write(f"{name}{NOTE}", [line.encode()])

    def clear(self) -> None:
        """Removes everything."""
        for _, _, path in self._files():
            with suppress(OSError):
                os.unlink(path)

    def _write(self, name: str, parts: list[Bytes]) -> None:
        if (folder := self.dir) is None:
            return
        draft = folder / f"{name}.{os.urandom(4).hex()}{DRAFT}"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                with draft.open("wb") as file:
                    file.writelines(parts)
                os.replace(draft, folder / name)
            finally:
                draft.unlink(missing_ok=True)
            self._shrink()

    def _files(self) -> Iterator[tuple[float, int, str]]:
        """Our files in the folder: when each was used last, and its size."""
        if (folder := self.dir) is None or not folder.is_dir():
            return
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((ENTRY, NOTE, DRAFT)):
                    with suppress(OSError):
                        status = entry.stat(follow_symlinks=False)
                        yield status.st_mtime, status.st_size, entry.path

    def _shrink(self) -> None:
        """Removes what was not used for longest until the rest fits, and drafts that nobody ends."""
        files = list(self._files())
        total = sum(size for _, size, _ in files)
        if total <= self.size and not any(path.endswith(DRAFT) for _, _, path in files):
            return  # as nearly always: there may be thousands
        now = time.time()
        for used, size, path in sorted(files):
            is_draft = path.endswith(DRAFT)
            if (is_draft and now - used > ABANDONED) or (not is_draft and total > self.size):
                Path(path).unlink(missing_ok=True)
                total -= size


cache = Cache()
"""The cache that `compile_model` uses."""


# --- entries --------------------------------------------------------------------------------


def _pack(executable: Executable) -> list[Bytes]:
    """The parts of an entry, in order."""
    tensors: dict[str, Bytes] = {"weights": executable.weights}
    for index, code in enumerate(executable.objects):
        tensors[f"object{index}"] = code
    for index, state in enumerate(executable.states):
        if state.init is not None:
            tensors[f"init{index}"] = state.init
    description = json.dumps(executable.description())
    metadata = {"lowstream": description, "crc": str(_checksum(description, [*tensors.values()]))}
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, data in tensors.items():
        start, end = end, end + memoryview(data).nbytes
        header[name] = {"dtype": "U8", "shape": [end - start], "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    return [len(text).to_bytes(8, "little"), text, *tensors.values()]


def _unpack(entry: memoryview) -> Executable:
    """
    The inverse of `_pack`. Where an entry is not whole, raises ValueError, or what finding other JSON than
    expected raises.
    """
    length = int.from_bytes(entry[:8], "little")
    header = json.loads(bytes(entry[8 : 8 + length]))
    metadata, data = header.pop("__metadata__"), entry[8 + length :]
    tensors = {name: data[slice(*field["data_offsets"])] for name, field in header.items()}
    description = metadata["lowstream"]
    if metadata["crc"] != str(_checksum(description, [*tensors.values()])):
        raise ValueError("checksum")
    fields = json.loads(description)
    inits = [
        bytes(tensors[f"init{index}"]) if f"init{index}" in tensors else None
        for index in range(len(fields["states"]))
    ]
    objects = [tensors[name] for name in header if name.startswith("object")]
    return Executable.of(fields, inits, objects, tensors["weights"])


def _checksum(description: str, parts: list[Bytes]) -> int:
    total = zlib.crc32(description.encode())
    for part in parts:
        total = zlib.crc32(part, total)
    return total
