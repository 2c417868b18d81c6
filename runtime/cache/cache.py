"""
The cache on disk: a file for each executable, and files of kernels. Its key is made of all that decides what is
compiled.

A file that is damaged, or that others could have written, counts as absent and is removed.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

from xdsl.utils.exceptions import DiagnosticException

from ...passes.errors import DiagnosticError
from ..executable import Executable
from .packed import LARGE, check, map_pages, pieces, unpack, unpacked, write
from .touched import ON_DISK, is_older, looks_of
from .trust import KEY_VARIABLE, SEAL_LENGTH, check_seal, create, is_ours, objection_to, seal

if TYPE_CHECKING:
    from ...lowering.codegen.weights_image import WeightsImage

T = TypeVar("T")

FOLDER_VARIABLE = "LOWSTREAM_CACHE_DIR"
"""The environment variable that names the folder; empty, it turns the cache off."""

ELSEWHERE = (
    f"models are compiled each time. Set {FOLDER_VARIABLE} or lowstream.cache.dir to another folder, "
    "or to nothing for no cache"
)
"""What follows from a folder that cannot be used, and what to do."""

ENTRY, OBJECT, NOTE, DRAFT = ".safetensors", ".o", ".note", ".tmp"
"""File endings: an executable, the object file of a kernel, a line of text, and a file that is still being written."""

_OURS = r"[0-9a-f]{64}\.(safetensors|o|note)(\.[0-9a-f]{8}\.tmp)?"
"""Names of our files; other files may lie beside them."""

DEFAULT_SIZE = 1 << 30

GATHERED = 256 << 10
"""
Bytes that are gathered before they are written; what is longer is written as it is.
"""

LOOKS = 16
"""
How often a process lists the folder while it writes as much as the cache may hold. There may be thousands of files, so
listing takes long. A full cache is shrunk by that part, so that it can be written to before it is listed again.
"""


class Cache:
    """
    A folder of entries. `dir` is the folder (default: LOWSTREAM_CACHE_DIR, else the user's cache folder; empty: none),
    `size` the bytes that it may hold; the entries that were not used for longest are removed first.

    Reading and writing never fail. Without a folder that this user can write to, and nobody else, there is just no
    cache; if somebody asked for the folder, a warning says so. Writers do not disturb each other: each writes a draft
    of its own and renames it.
    """

    def __init__(self, dir: str | os.PathLike[str] | None = None, size: int = DEFAULT_SIZE):
        self._dir = None if dir is None else os.fspath(dir)
        self._objections: set[str] = set()
        self._room: dict[tuple[Path, int], int] = {}
        """Bytes that may be written, by folder and size, before it is looked at again."""
        self.size = size

    def __repr__(self) -> str:
        try:
            place = self.dir or "off"
        except DiagnosticException:
            place = f"in {self._named}, of no user"
        return f"<Cache {place}, up to {self.size >> 20} MiB>"

    @property
    def _named(self) -> str | None:
        """The folder as it was asked for; None where nobody did, and empty where the cache is off."""
        if (named := _asked_for.get()) is not None:
            return named
        return os.environ.get(FOLDER_VARIABLE) if self._dir is None else self._dir

    @property
    def dir(self) -> Path | None:
        """The folder; None where the cache is off. Raises DiagnosticException where it is that of no user."""
        if (named := self._named) is not None:
            if not named.startswith("~"):
                return _path(named) if named else None
            try:
                return Path(named).expanduser()
            except RuntimeError:
                raise DiagnosticError(
                    f"the cache cannot be in {named}: there is no such user; set {FOLDER_VARIABLE} or "
                    "lowstream.cache.dir to another folder"
                ) from None
        if sys.platform == "linux":  # as platformdirs has it, which takes long to load
            named = os.environ.get("XDG_CACHE_HOME", "")
            home = named if os.path.isabs(named) else os.path.expanduser("~/.cache")
            if os.path.isabs(home):
                return _path(f"{home}/lowstream")
        from platformdirs import user_cache_path

        return user_cache_path("lowstream")

    @dir.setter
    def dir(self, value: str | os.PathLike[str] | None) -> None:
        self._dir = None if value is None else os.fspath(value)

    @property
    def folder(self) -> Path | None:
        """`dir`; None, with a warning that says what to do, where somebody else can write to it."""
        if (folder := self.dir) is None or (objection := objection_to(folder)) is None:
            return folder
        self._warn(f"the cache in {folder} is not used: {objection}")
        return None

    def _warn(self, line: str) -> None:
        """Once."""
        if line not in self._objections:
            self._objections.add(line)
            warnings.warn(line, stacklevel=3)

    @property
    def used(self) -> tuple[int, int]:
        """The number of entries, and the bytes of all files."""
        files = list(self._files())
        entries = sum(path.endswith(ENTRY) for path, _ in files)
        return entries, sum(status.st_size for _, status in files)

    def load(self, key: str) -> Executable | None:
        """
        The executable stored under this key, its weights mapped from the file. A large file that was not changed since
        it was last read is not verified again: a note of the same name says what it looked like, and is touched in its
        place.
        """

        def unpack_mapped(file: IO[bytes], name: str) -> Executable:
            packed = memoryview(map_pages(file))
            if len(packed) < LARGE or os.environ.get(KEY_VARIABLE):
                executable = unpack(packed, name)
                _touch(file)
                return executable
            looks = looks_of(file)
            if self.recall(key) != looks:
                check(packed, name)
                if is_older(file, ON_DISK):
                    self.remember({key: looks})
            return unpacked(packed)

        found = self._read(f"{key}{ENTRY}", unpack_mapped)
        return None if found is None else replace(found, is_from_cache=True)

    def store(
        self,
        key: str,
        executable: Executable,
        weights: WeightsImage,
        is_current: Callable[[], bool] = lambda: True,
    ) -> Executable:
        """
        Stores an executable with these weights under this key, if it still `is_current` when all is written. Returns it
        with its weights: large ones are mapped from the file, if it could be written; others are in memory.
        """
        from ...reference.pages import IN_FILES  # models from the cache start without it

        name, is_large = f"{key}{ENTRY}", weights.nbytes >= IN_FILES
        whole = executable if is_large else replace(executable, weights=weights.in_memory())

        def fill(file: IO[bytes]) -> Executable:
            if is_large:
                written = write(file, name, executable, weights)
            else:
                file.writelines(pieces(whole, name))
                written = whole
            if not is_current():
                raise OSError("the model's file was written meanwhile")
            return written

        kept = self._write({name: fill})
        if kept is None and is_large:
            return replace(executable, weights=weights.in_memory())
        return whole if kept is None else kept

    def load_object(self, key: str) -> bytes | None:
        """The object file stored under this key."""
        return self._read(f"{key}{OBJECT}", _unpack_sealed)

    def store_objects(self, objects: Mapping[str, bytes]) -> None:
        """Keeps object files under their keys."""
        self._write(
            {f"{key}{OBJECT}": _sealed(f"{key}{OBJECT}", code) for key, code in objects.items()}
        )

    def recall(self, name: str) -> str | None:
        """The line that was stored under this name."""
        return self._read(f"{name}{NOTE}", lambda file, name: _unpack_sealed(file, name).decode())

    def remember(self, lines: Mapping[str, str]) -> None:
        """Stores lines under their names."""
        self._write(
            {
                f"{name}{NOTE}": _sealed(f"{name}{NOTE}", line.encode())
                for name, line in lines.items()
            }
        )

    def clear(self) -> None:
        """Removes everything."""
        for path, _ in self._files():
            with suppress(OSError):
                os.unlink(path)

    def _read(self, name: str, unpack: Callable[[IO[bytes], str], T]) -> T | None:
        """The contents of a file of this name. A file that is damaged or not ours is removed."""
        if (folder := self.folder) is None:
            return None
        path = f"{folder}/{name}"
        try:
            with open(path, "rb", opener=_open_at_once) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode) or not is_ours(status):
                    raise DiagnosticError("it is no file, or others can write to it")
                return unpack(file, name)
        except OSError:
            return None
        except (DiagnosticException, ValueError):
            with suppress(OSError):
                os.unlink(path)
            return None

    def _write(self, files: Mapping[str, Callable[[IO[bytes]], T]]) -> T | None:
        """Writes files of these names, each by a function. Returns the result of the last function."""
        found, size = None, 0
        if (folder := self.folder) is None:
            return found
        try:
            create(folder)
            for name, fill in files.items():
                draft = f"{folder}/{name}.{os.urandom(4).hex()}{DRAFT}"
                try:
                    with _locked(draft) as file:
                        found = fill(file)
                        file.flush()
                        size += os.fstat(file.fileno()).st_size
                        os.replace(draft, f"{folder}/{name}")
                except BaseException:
                    with suppress(FileNotFoundError):
                        os.unlink(draft)
                    raise
            self._look(folder, size)
        except OSError as error:
            if error.errno is not None and self._is_asked_for:
                self._warn(
                    f"the cache in {folder} cannot be written: {error.strerror}; {ELSEWHERE}"
                )
        return found

    @property
    def _is_asked_for(self) -> bool:
        """Whether somebody said where the cache is to be; another machine may have no room for it of its own."""
        said = (_asked_for.get(), self._dir, os.environ.get(FOLDER_VARIABLE))
        return any(folder is not None for folder in said)

    def _files(self) -> Iterator[tuple[str, os.stat_result]]:
        """Our files in the folder, with their status."""
        if (folder := self.folder) is None or not folder.is_dir():
            return
        with os.scandir(folder) as entries:
            for entry in entries:
                if re.fullmatch(_OURS, entry.name):
                    with suppress(OSError):
                        yield entry.path, entry.stat(follow_symlinks=False)

    def _look(self, folder: Path, written: int) -> None:
        """Shrinks the folder where it may hold too much, and the first time."""
        key = folder, self.size
        self._room[key] = self._room.get(key, 0) - written
        if self._room[key] < 0:
            self._room[key] = min(self.size - self._shrink(), self.size // LOOKS)

    def _shrink(self) -> int:
        """
        Removes the drafts of writers that no longer exist. Where the rest is too large, removes the files that were not
        used for longest, and some more. Returns the bytes that are left.
        """
        whole: list[tuple[str, int, str]] = []
        used: dict[str, float] = {}
        for path, status in self._files():
            if path.endswith(DRAFT):
                _remove_if_abandoned(Path(path))
            else:
                name = os.path.basename(path).partition(".")[0]
                used[name] = max(status.st_mtime, used.get(name, 0))
                whole.append((name, status.st_size, path))
        total = sum(size for _, size, _ in whole)
        if total <= self.size:
            return total
        for _, size, path in sorted(whole, key=lambda each: used[each[0]]):
            if total <= self.size - self.size // LOOKS:
                break
            Path(path).unlink(missing_ok=True)
            total -= size
        return total


cache = Cache()
"""The cache that `compile_model` uses."""


_asked_for: ContextVar[str | None] = ContextVar("cache_dir", default=None)


@contextmanager
def cached_in(folder: str | None) -> Generator[None]:
    """Inside, caches are in this folder, where one is given; in this thread."""
    token = _asked_for.set(folder or _asked_for.get())
    try:
        yield
    finally:
        _asked_for.reset(token)


# --- reading --------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _path(folder: str) -> Path:
    """A folder, which is named anew for each file in it."""
    return Path(folder)


def _open_at_once(path: str, flags: int) -> int:
    """Opens a pipe, too, without waiting for who writes to it."""
    return os.open(path, flags | os.O_NONBLOCK)


def _unpack_sealed(file: IO[bytes], name: str) -> bytes:
    sealed, data = file.read(SEAL_LENGTH), file.read()
    check_seal(sealed, name, data)
    _touch(file)
    return data


def _touch(file: IO[bytes]) -> None:
    """Marks a file as used."""
    with suppress(OSError):
        os.utime(file.fileno())


# --- drafts ---------------------------------------------------------------------------------


def _sealed(name: str, data: bytes) -> Callable[[IO[bytes]], None]:
    """A function that writes the sealed data of the file of this name."""

    def fill(file: IO[bytes]) -> None:
        file.writelines([seal(name, data), data])

    return fill


@contextmanager
def _locked(draft: str) -> Generator[IO[bytes]]:
    """
    A new file that only its owner can write, locked while it is open: the system unlocks it when the writer ends, in
    whatever way.
    """
    while True:
        with open(draft, "x+b", GATHERED, opener=_open_as_ours) as file:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file.fileno()).st_nlink:  # else it was removed before it was locked
                yield file
                return


def _open_as_ours(path: str, flags: int) -> int:
    return os.open(path, flags, 0o644)


def _remove_if_abandoned(draft: Path) -> None:
    with suppress(OSError), draft.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.unlink()
