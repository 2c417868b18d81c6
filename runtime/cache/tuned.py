"""
Tables of measured schedules, in the cache's folder: a file for each kind of CPU and each number of threads.

Programs depend on them, so keys of programs hold their digest. A table that is damaged counts as none, with a warning.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache as cache_result
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.utils.exceptions import DiagnosticException

from ...passes.whole_file import replacing
from ..host import host_cpu
from .cache import FOLDER_VARIABLE, cache
from .trust import create, objection_to

if TYPE_CHECKING:
    from ...lowering.tuning_configuration import (
        TuningConfiguration,
        TuningConfigurations,
        TuningTable,
    )


def path_of(threads: int) -> Path | None:
    """The table for programs of so many threads on this CPU; None where the cache is off."""
    if (folder := cache.folder) is None:
        return None
    return folder / f"schedules-{_digest_of_cpu()}-{threads}.json"


@cache_result
def _digest_of_cpu() -> str:
    return hashlib.blake2b(host_cpu().encode(), digest_size=6).hexdigest()


def writable_path_of(threads: int) -> Path:
    """The same, in a folder that is there. Raises DiagnosticException where the cache is off."""
    if (path := path_of(threads)) is None:
        raise DiagnosticException(
            f"there is no folder for measured schedules; set {FOLDER_VARIABLE} or lowstream.cache.dir"
        )
    create(path.parent)
    return path


def digest_of(threads: int) -> str:
    """A digest of a table; empty where there is none."""
    path = path_of(threads)
    try:
        return "" if path is None else hashlib.sha256(_file(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def configurations_for(threads: int, isa: str) -> TuningConfigurations:
    """The measured configurations on this CPU, for an instruction set."""
    path = path_of(threads)
    try:
        return {} if path is None else _trusted(path).get(isa, {})
    except OSError:
        return {}
    except DiagnosticException as error:
        warnings.warn(str(error), stacklevel=2)
        return {}


def store(threads: int, isa: str, found: Mapping[str, TuningConfiguration | None]) -> Path:
    """
    Puts configurations into the table, by the description of their kernel, and takes those out that are None. What
    others write meanwhile stays.
    """
    from ...lowering.tuning_configuration import table_text

    path = writable_path_of(threads)
    with _alone_in(path.parent):
        try:
            table = dict(_trusted(path))
        except (OSError, DiagnosticException):
            table = {}
        merged = {**table.get(isa, {}), **found}
        table[isa] = {
            name: configuration
            for name, configuration in merged.items()
            if configuration is not None
        }
        for abandoned in path.parent.glob(f".{path.name}.*.tmp"):
            abandoned.unlink(missing_ok=True)
        with replacing(path) as draft:
            draft.write_text(table_text(table), encoding="utf-8")
        path.chmod(path.stat().st_mode & 0o755)
    return path


def _trusted(path: Path) -> TuningTable:
    """
    The table in a file. Raises what `read_table` raises, and DiagnosticException where others could have written the
    file.
    """
    from ...lowering.tuning_configuration import read_table

    if (objection := objection_to(path)) is not None:
        raise DiagnosticException(f"the schedules in {path} are not used: {objection}")
    return read_table(_file(path))


def _file(path: Path) -> Path:
    """The path of a file. Raises OSError for others: reading a pipe would wait for who writes to it."""
    if not path.is_file():
        raise FileNotFoundError(path)
    return path


@contextmanager
def _alone_in(folder: Path) -> Generator[None]:
    """Lets one writer at a time into a folder. Readers need not wait: files are replaced as a whole."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
