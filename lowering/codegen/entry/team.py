"""
The team of threads of one call: how a program finds workers, shares kernels with them, and how workers park.

This is LLVM assembly, the same for all programs: the template `team.ll`. A call claims mailboxes of idle workers, at
most as many as it wants, and runs alone where there are none. Each thread begins with a share of its own of each
kernel, the same one in every call, whose weights its cache may still have; who is done with it claims pieces of the
others'. So a thread that comes late finds its work done, and nobody waits for it. A thread that waits spins for a
while, then parks: it sleeps until a futex wakes it.

A team lives on the stack of the thread that calls: a worker accesses it only between setting and clearing ACTIVE.

Memory order: what a call wrote before it shared a kernel, a worker sees, as it claims by an acquire what was shared by
a release; what the worker wrote, the call sees after JOIN, an acquire of the word in which a release cleared ACTIVE.
"""

from __future__ import annotations

import platform
from pathlib import Path
from string import Template

from ... import calling_convention

SPINS = 2000
"""How often a thread looks before it parks: about 50 to 100 microseconds."""

YIELDS = 31
"""
A spinning thread yields its core each time it has looked so often (a power of 2 less 1): the thread that it waits for
may have no other core.
"""

BEGIN, SHARE, NEXT, JOIN, END = (
    "team.begin",
    "team.share",
    "team.next",
    "team.join.all",
    "team.end",
)
"""The functions that programs call."""

PAUSE = {
    "x86_64": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"),
    "aarch64": ("declare void @llvm.aarch64.hint(i32)", "call void @llvm.aarch64.hint(i32 1)"),
}
"""The instruction that tells the processor that a loop waits: its declaration and a call."""


def team_assembly() -> str:
    """The functions of `BEGIN` and so on and the workers' loop, for this host."""
    declare, pause = PAUSE[platform.machine()]
    names = {**vars(calling_convention), **globals(), "DECLARE_PAUSE": declare, "PAUSE": pause}
    return Template(Path(__file__).with_suffix(".ll").read_text("utf-8")).substitute(names)
