"""What each operation of a model took in a call: one entry for each, as OpenVINO's counters have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from functools import cache
from statistics import median_low
from typing import ClassVar

from ...lowering.calling_convention import MOST_STAMPS, STAMP_WORDS, STAMPS_WORDS
from ...passes.errors import AbsentError
from ..executable import Executable, Kernel, Origin


class Status(StrEnum):
    """Whether a kernel is an operation's."""

    EXECUTED = "EXECUTED"
    NOT_RUN = "NOT_RUN"


CALLS_KEPT = 32
"""A profile of several calls keeps what each thread did in the last ones, so many."""


@cache
def anchors() -> frozenset[str]:
    """The types of products. A kernel is named for its product, which the time is attributed to."""
    from ...dialects.names import names_of
    from ...dialects.nn import Nn
    from ...dialects.traits import multiplied

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
    status: Status
    exec_type: str
    nanoseconds: int

    Status: ClassVar = Status

    @property
    def real_time(self) -> timedelta:
        """How long it took, to the microsecond."""
        return timedelta(microseconds=self.nanoseconds / 1000)

    @property
    def cpu_time(self) -> timedelta:
        """The same: what one thread of a call took, of the kernels that are divided the one with the largest share."""
        return self.real_time


@dataclass(frozen=True)
class Span:
    """A run of kernel number `kernel` by a thread in a call, `begin` to `end` in nanoseconds of the monotonic clock."""

    call: int
    thread: int
    kernel: int
    begin: int
    end: int


@dataclass(frozen=True)
class KernelProfile:
    """
    A kernel in a call: how long it took, how often it ran (None where that was too often to be recorded), and how many
    threads ran it.
    """

    kernel: Kernel
    nanoseconds: int
    runs: int | None = 1
    threads: int = 1

    @property
    def origin(self) -> Origin:
        """The operation that it is named for."""
        return executed(self.kernel)[0]

    @property
    def giga_operations(self) -> float:
        """Multiplications and additions of its products, in billions a second; 0 where none are known."""
        count = self.kernel.multiply_accumulates * (self.runs or 0)
        return 2 * count / max(self.nanoseconds, 1)


class Profile(list[ProfilingInfo]):
    """
    An entry for each operation. Beside them, what each kernel took, and what each thread did when. `print` and
    notebooks show a table of kernels, the longest first.
    """

    def __init__(
        self,
        entries: Iterable[ProfilingInfo] = (),
        kernels: Iterable[KernelProfile] = (),
        spans: Sequence[Span] = (),
        isa: str = "",
    ):
        super().__init__(entries)
        self.kernels, self.spans, self.isa = tuple(kernels), tuple(spans), isa
        self.stages: dict[str, int] = {}
        """What each stage of the call took, in nanoseconds, as `InferRequest.stages` has it."""

    @property
    def nanoseconds(self) -> int:
        """What all kernels took."""
        return sum(each.nanoseconds for each in self.kernels)

    def __repr__(self) -> str:
        return f"<Profile of {len(self)} operations in {len(self.kernels)} kernels: {self.nanoseconds / 1000:.1f} µs>"

    def __str__(self) -> str:
        from .table import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from .table import html_of

        return html_of(self)


def profile_of(
    executable: Executable, counters: Sequence[int], stamps: Sequence[int] = ()
) -> Profile:
    """
    An entry for each operation, in the order of execution: what is computed at one of two places is one entry.
    Raises DiagnosticException where the program does not count.
    """
    if not executable.kernels:
        raise AbsentError(
            "the model was compiled without counters; compile_model(model, profiling=True) has them"
        )
    found: dict[tuple[str, str, str], ProfilingInfo] = {}
    for kernel, nanoseconds in zip(executable.kernels, counters, strict=True):
        for info in _entries(executable.isa, kernel, nanoseconds):
            key = info.node_name, info.node_type, info.status
            before = found[key].nanoseconds if key in found else 0
            found[key] = replace(info, nanoseconds=before + info.nanoseconds)
    spans = list(_spans(stamps))
    return Profile(
        found.values(), _kernel_profiles(executable, counters, spans), spans, executable.isa
    )


def _spans(stamps: Sequence[int]) -> Iterator[Span]:
    """What each thread did, thread by thread."""
    for thread in range(len(stamps) // STAMPS_WORDS):
        start = thread * STAMPS_WORDS
        for place in range(start + 1, start + 1 + stamps[start] * STAMP_WORDS, STAMP_WORDS):
            yield Span(0, thread, *stamps[place : place + STAMP_WORDS])


def _kernel_profiles(
    executable: Executable, counters: Sequence[int], spans: Sequence[Span]
) -> Iterator[KernelProfile]:
    recorded = Counter(span.thread for span in spans)
    is_whole = all(count < MOST_STAMPS for count in recorded.values())
    runs = Counter((span.kernel, span.thread) for span in spans)
    for number, (kernel, nanoseconds) in enumerate(zip(executable.kernels, counters, strict=True)):
        own = [runs[number, thread] for thread in recorded if (number, thread) in runs]
        count = max(own, default=1) if is_whole else None
        yield KernelProfile(kernel, nanoseconds, count, max(len(own), 1))


def executed(kernel: Kernel) -> Sequence[Origin]:
    """The operations that a kernel's time is attributed to: its products, or else the last operation."""
    origins = kernel.origins or (Origin(kernel.name, kernel.name, False),)
    return [origin for origin in origins if origin.type in anchors()] or origins[-1:]


def exec_type(isa: str, origin: Origin) -> str:
    """How an operation is executed, as OpenVINO spells it."""
    return f"jit_{isa}_{'I8' if origin.low_precision else 'FP32'}"


def _entries(isa: str, kernel: Kernel, nanoseconds: int) -> list[ProfilingInfo]:
    times = executed(kernel)
    share = nanoseconds // len(times)
    return [
        ProfilingInfo(
            origin.name,
            origin.type,
            Status.EXECUTED if (runs := origin in times) else Status.NOT_RUN,
            exec_type(isa, origin) if runs else "undef",
            share if runs else 0,
        )
        for origin in kernel.origins or times
    ]


def typical(profiles: Sequence[Profile]) -> Profile:
    """
    The median of the profiles of several calls, since the first ones wait for memory, with the spans of the last ones.
    Calls of another program than that of the last, as for other shapes, do not count.
    """
    last = [each.kernel for each in profiles[-1].kernels]
    profiles = [each for each in profiles if [one.kernel for one in each.kernels] == last]
    entries = [
        replace(same[0], nanoseconds=median_low(info.nanoseconds for info in same))
        for same in zip(*profiles, strict=True)
    ]
    kernels = [
        replace(same[-1], nanoseconds=median_low(each.nanoseconds for each in same))
        for same in zip(*(profile.kernels for profile in profiles), strict=True)
    ]
    first = max(len(profiles) - CALLS_KEPT, 0)
    spans = [
        replace(span, call=call)
        for call, profile in enumerate(profiles[first:], first)
        for span in profile.spans
    ]
    return Profile(entries, kernels, spans, profiles[0].isa)
