"""Profiles as traces for Perfetto and chrome://tracing: real calls, a track for each thread."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from .profiling import exec_type, executed

if TYPE_CHECKING:
    from .profiling import Profile

Event = dict[str, object]

CALLS = 0
"""The number of the track of calls; those of threads follow."""


def trace_of(profile: Profile) -> str:
    """
    The text of a trace: what each thread ran when, and the calls. Times are microseconds since the first kernel
    began. Format: https://github.com/google/perfetto/blob/main/docs/getting-started/other-formats.md.
    """
    return json.dumps({"traceEvents": list(_events(profile)), "displayTimeUnit": "ns"})


def _events(profile: Profile) -> Iterator[Event]:
    spans = profile.spans
    zero = min((span.begin for span in spans), default=0)
    tracks = {CALLS: "calls", **{1 + span.thread: f"thread {span.thread}" for span in spans}}
    yield _named("process_name", CALLS, "lowstream")
    for track in sorted(tracks):
        yield _named("thread_name", track, tracks[track])
        yield {**_metadata("thread_sort_index", track), "args": {"sort_index": track}}
    for call in dict.fromkeys(span.call for span in spans):
        own = [span for span in spans if span.call == call]
        begin, end = min(span.begin for span in own), max(span.end for span in own)
        yield _slice(f"call {call}", "call", CALLS, begin - zero, end - begin, {})
    for span in spans:
        kernel = profile.kernels[span.kernel].kernel
        origin = executed(kernel)[0]
        arguments = {
            "kernel": kernel.name,
            "exec_type": exec_type(profile.isa, origin),
            "result": f"{kernel.type}[{','.join(map(str, kernel.shape))}]",
            "operations": ", ".join(f"{each.type} {each.name}" for each in kernel.origins),
        }
        duration = span.end - span.begin
        track = 1 + span.thread
        yield _slice(origin.name, origin.type, track, span.begin - zero, duration, arguments)


def _slice(
    name: str,
    category: str,
    track: int,
    begin: int,
    duration: int,
    arguments: Mapping[str, object],
) -> Event:
    """A complete event; traces count in microseconds."""
    return {
        "name": name,
        "cat": category,
        "ph": "X",
        "pid": 0,
        "tid": track,
        "ts": begin / 1000,
        "dur": duration / 1000,
        "args": arguments,
    }


def _metadata(what: str, track: int) -> Event:
    return {"name": what, "ph": "M", "pid": 0, "tid": track}


def _named(what: str, track: int, name: str) -> Event:
    return {**_metadata(what, track), "args": {"name": name}}
