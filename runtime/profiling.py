"""What each operation of a model took in a call: one entry for each, as OpenVINO's counters have."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from functools import cache
from os import PathLike
from pathlib import Path

from xdsl.utils.exceptions import DiagnosticException

from ..passes.whole_file import replacing
from .executable import Executable, Kernel, Origin

EXECUTED, NOT_RUN = "EXECUTED", "NOT_RUN"


@cache
def anchors() -> frozenset[str]:
    """The types of products, which a kernel is named for: the time it takes is theirs."""
    from ..dialects.names import names_of
    from ..dialects.nn import Nn
    from ..dialects.traits import multiplied

    return frozenset(
        name for op in Nn.operations if multiplied(op) for name in names_of(op).of("openvino")
    )


@dataclass(frozen=True)
class ProfilingInfo:
    """
    One operation: `status` is EXECUTED where a kernel is this operation's, NOT_RUN where it is computed
    inside another's kernel. `exec_type` names the instruction set, and ends in I8 where the operation takes
    8-bit values.

    A kernel of several products divides its time evenly among them. Times that OpenVINO gives in
    microseconds are exact in `nanoseconds`.
    """

    node_name: str
    node_type: str
    status: str
    exec_type: str
    nanoseconds: int

    @property
    def real_time(self) -> timedelta:
        """How long it took, to the microsecond."""
        return timedelta(microseconds=self.nanoseconds / 1000)

    @property
    def cpu_time(self) -> timedelta:
        """The same: what one thread of a call took, of the kernels that are divided the one with the largest share."""
        return self.real_time


def profile_of(executable: Executable, counters: Sequence[int]) -> list[ProfilingInfo]:
    """
    An entry for each operation, in the order of execution: what is computed at one of two places is one entry.
    Raises DiagnosticException where the program does not count.
    """
    if not executable.kernels:
        raise DiagnosticException(
            "the model was compiled without counters; compile_model(model, profiling=True) has them"
        )
    found: dict[tuple[str, str, str], ProfilingInfo] = {}
    for kernel, nanoseconds in zip(executable.kernels, counters, strict=True):
        for info in _entries(executable.isa, kernel, nanoseconds):
            key = info.node_name, info.node_type, info.status
            before = found[key].nanoseconds if key in found else 0
            found[key] = replace(info, nanoseconds=before + info.nanoseconds)
    return list(found.values())


def _entries(isa: str, kernel: Kernel, nanoseconds: int) -> list[ProfilingInfo]:
    origins = kernel.origins or (Origin(kernel.name, kernel.name, False),)
    executed = [origin for origin in origins if origin.type in anchors()] or origins[-1:]
    share = nanoseconds // len(executed)
    return [
        ProfilingInfo(
            origin.name,
            origin.type,
            EXECUTED if (runs := origin in executed) else NOT_RUN,
            f"jit_{isa}_{'I8' if origin.low_precision else 'FP32'}" if runs else "undef",
            share if runs else 0,
        )
        for origin in origins
    ]


def save_profile(profile: Sequence[ProfilingInfo], path: str | PathLike[str]) -> None:
    """
    Writes a profile as a table (`.csv`) or, for chrome://tracing and Perfetto, as a trace (`.json`). Raises
    DiagnosticException for other file endings.
    """
    path = Path(path)
    write = writer_of(path)
    with replacing(path) as draft:
        write(profile, draft)


def writer_of(path: Path) -> Callable[[Sequence[ProfilingInfo], Path], object]:
    """What writes a profile to such a file. Raises DiagnosticException where the ending says nothing."""
    if (writer := WRITERS.get(path.suffix)) is None:
        raise DiagnosticException(f"{path}: a profile is written as {' or '.join(WRITERS)}")
    return writer


def _write_table(profile: Sequence[ProfilingInfo], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*ProfilingInfo.__dataclass_fields__])
        writer.writeheader()
        writer.writerows(asdict(info) for info in profile)


def _write_trace(profile: Sequence[ProfilingInfo], path: Path) -> None:
    text = json.dumps({"traceEvents": _trace(profile), "displayTimeUnit": "ns"})
    path.write_text(text, encoding="utf-8")


WRITERS = {".csv": _write_table, ".json": _write_trace}
"""By file ending, what writes a profile."""


def _trace(profile: Sequence[ProfilingInfo]) -> list[dict[str, object]]:
    """The operations one after the other; a trace counts in microseconds."""
    events: list[dict[str, object]] = []
    begin = 0
    for info in profile:
        if info.status == EXECUTED:
            events.append(
                {
                    "name": info.node_name,
                    "cat": info.node_type,
                    "ph": "X",
                    "pid": 0,
                    "tid": 0,
                    "ts": begin / 1000,
                    "dur": info.nanoseconds / 1000,
                    "args": {"exec_type": info.exec_type},
                }
            )
            begin += info.nanoseconds
    return events
