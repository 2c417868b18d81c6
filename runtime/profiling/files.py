"""Profiles in files: tables, and traces for Perfetto."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import asdict
from os import PathLike
from pathlib import Path

from ...passes.errors import DiagnosticError
from ...passes.whole_file import replacing
from .profiling import Profile, ProfilingInfo
from .trace import trace_of


def save_profile(profile: Sequence[ProfilingInfo], path: str | PathLike[str]) -> None:
    """
    Writes a profile as a table (`.csv`), or what each thread did when as a trace (`.json`) for Perfetto and
    chrome://tracing. Raises DiagnosticException for other file endings.
    """
    path = Path(path)
    write = writer_of(path)
    with replacing(path) as draft:
        write(profile, draft)


def writer_of(path: Path) -> Callable[[Sequence[ProfilingInfo], Path], object]:
    """
    The function that writes a profile to such a file. Raises DiagnosticException where the ending names no format.
    """
    if (writer := WRITERS.get(path.suffix)) is None:
        raise DiagnosticError(f"{path}: a profile is written as {' or '.join(WRITERS)}")
    return writer


def _write_table(profile: Sequence[ProfilingInfo], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*ProfilingInfo.__dataclass_fields__])
        writer.writeheader()
        writer.writerows(asdict(info) for info in profile)


def _write_trace(profile: Sequence[ProfilingInfo], path: Path) -> None:
    if not isinstance(profile, Profile):
        raise DiagnosticError(
            "a trace needs more than entries: give what request.profiling_info gave"
        )
    path.write_text(trace_of(profile), encoding="utf-8")


WRITERS = {".csv": _write_table, ".json": _write_trace}
"""By file ending, what writes a profile."""
