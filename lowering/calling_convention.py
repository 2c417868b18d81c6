"""
How compiled programs are called: what code generation and runtime agree on.

    int32 entry(void *frame[7])             frame = inputs, outputs, states, weights, arena, context, pool
    PyObject *python_entry(PyObject *frame, PyObject *)             frame = a capsule of the frame's address
    int32 sequence_entry(void *sequence[])  calls the entry again and again: frame, calls left, number of pointers, and
                                            for each a `Moving`
    int32 scattered_entry(void *calls[])    calls the entry for each stream of a list: frame, calls left, number of
                                            pointers, `Streams`, and for each pointer a `Scattered`
    int32 worker(void *mailbox)             the loop of a worker, until it is told to quit

`inputs` and `outputs` are arrays of pointers; that of an output that is written over an input (`aliases` of a
`kernel.program`) is not read. So is `states`: current and next value of each state in turn. When a
call succeeds (returns DONE), the entry swaps those two pointers for every assigned state and sets its flag. `context`
is an array of i64: CANCEL asks to stop (looked at in every iteration of a loop; the entry then returns CANCELLED and
leaves the states alone, as it does where a loop wants more iterations than there is room for, which puts NO_ROOM
there, and at a `kernel.fail`, which puts its number from FIRST_FAILURE on), COUNTERS and STAMPS are the addresses of
the counters and the stamps, CALLS counts calls (every second one goes over weights backwards, from what the one
before left in the cache), FLAGS + i says whether state i is set. Counter i, where the program is compiled to profile,
holds the nanoseconds that the i-th kernel, in the order of `walk`, took in the last call. The stamps of thread t,
from t * STAMPS_BYTES on, say what it did in the last call: an i64 with their number, then for each run of a kernel
its number, begin and end, in nanoseconds of the monotonic clock. What is beyond MOST_STAMPS is not recorded. A
sequence looks at CANCEL in front of each call, and ends with the first call that is not DONE; the calls left say how
far it came. Its pointers then are where they were before, and what the last call read or wrote is there, too. So do
scattered calls; each that is DONE leaves its stream's values in the other half.

`pool` is the thread pool, for programs that are compiled for several threads; others do not read it. It is memory of
the process: an i64 with the number of mailboxes, then the mailboxes, one for each worker. The thread that calls goes
through the program alone; at a kernel that is shared it gives each worker of its team a share of the kernel's units,
and takes what of them no worker got to.

    ptr pool:    i64 count at 0; mailbox i at MAILBOXES + i * MAILBOX
    ptr mailbox: i64 word at 0: the bits CLAIMED … QUIT, the worker's share (its first unit from FIRST_SHIFT on, the
                 one after the last from END_SHIFT on), and from EPOCH_SHIFT on the epoch: the number of the kernel that
                 it is a share of, which never falls, so that what was claimed of one is never of another;
                 the worker's team at TEAM, and its number there at THREAD
    ptr team:    i64 word at 0, the share of the thread that calls; from JOB on what is shared, then its arguments at
                 ARGUMENTS

The worker alone sets PARKED, when it finds no share for a while, and ACTIVE, when it finds one; ACTIVE is what the
caller waits for, and while it is set the worker may access the team, which lies on the caller's stack.
"""

from __future__ import annotations

import platform
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

CONVENTION = 15
"""The version. It is incremented with every change here; programs of another version are not loaded."""

ENTRY, PYTHON_ENTRY, WORKER = "entry", "python_entry", "worker"
SEQUENCE_ENTRY, SCATTERED_ENTRY = "sequence_entry", "scattered_entry"
"""The symbols of a program's object files."""

GET_POINTER, SAVE_THREAD, RESTORE_THREAD, NEW_INT = INTERPRETER = (
    "PyCapsule_GetPointer",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyLong_FromLongLong",
)
"""What the Python entry calls."""

DONE, CANCELLED = 0, 1
"""What the entry returns."""

WORD = 8
"""Bytes of a pointer and of an i64."""

ALIGNMENT = 64
"""Bytes to which every buffer is aligned: a cache line."""


class Frame(NamedTuple, Generic[T]):
    """The arguments of an entry in a row. All are addresses: Python integers, or values in machine code."""

    inputs: T
    outputs: T
    states: T
    weights: T
    arena: T
    context: T
    pool: T


ARENA, CONTEXT, POOL = (Frame._fields.index(name) for name in ("arena", "context", "pool"))
"""Positions in a frame."""

FRAME_OF_CALLS, CALLS_LEFT, MOVING, FIRST_MOVING = range(4)
"""Positions in a sequence. From FIRST_MOVING on, there are the words of each pointer that moves."""


class Moving(NamedTuple, Generic[T]):
    """
    A pointer that moves from call to call; it is at `place` in its table. `first` is its value in the first call,
    `step` the bytes that it moves on after a call. `prefetched` bytes are prefetched one call ahead: a whole signal is
    in no cache. Of what the last call found, `copied` bytes are copied to where the pointer was before the sequence.
    """

    place: T
    first: T
    step: T
    prefetched: T
    copied: T


class Streams(NamedTuple, Generic[T]):
    """
    Streams anywhere, whose values lie in one of two halves: the addresses of an i64 for each call with the slot of its
    stream, of another with the place of its frame, and of a byte for each slot, 0 or 1 for the half that its values
    are in; then how many slots a half has.
    """

    slots: T
    frames: T
    halves: T
    room: T


STREAMS = MOVING + 1
"""Position of the streams in scattered calls, which begin as a sequence does."""


class Scattered(NamedTuple, Generic[T]):
    """
    A pointer that is at `place` in its table. A call has it at `first`, plus `step` bytes for each slot or frame before
    the stream's: `part`, one of HERE, THERE and OF_FRAME, says which. `before` is what it was before the calls.
    """

    place: T
    first: T
    step: T
    part: T
    before: T


FIRST_SCATTERED = STREAMS + len(Streams._fields)
"""Position in scattered calls. From here on, there are the words of each pointer."""

HERE, THERE, OF_FRAME = range(3)
"""What a pointer of scattered calls points to: a stream's value, that in the other half, or something of its frame."""

CANCEL, COUNTERS, STAMPS, CALLS, FLAGS = range(5)
"""Positions in the context. From FLAGS on, there is a word for each state."""


MOST_STAMPS, STAMP_WORDS = 1 << 12, 3

STAMPS_WORDS = 1 + MOST_STAMPS * STAMP_WORDS
STAMPS_BYTES = STAMPS_WORDS * WORD
"""Bytes of stamps of each thread."""

UNFIT = "the call is for another program"
"""The message of a `kernel.fail` that asks for another program, as one of a bucket does."""

NO_ROOM = 2
"""The value of CANCEL where a loop wanted more room. The value 1 asks to stop."""

FIRST_FAILURE = 3
"""The value of CANCEL where the program's first `kernel.fail` ended it; for the i-th one it is i more."""


def current_value(state: int) -> int:
    """Position in the states of the pointer to the value that a call reads."""
    return 2 * state


def next_value(state: int) -> int:
    """Position in the states of the pointer to the value that a call leaves."""
    return 2 * state + 1


# --- threads --------------------------------------------------------------------------------

MOST_WORKERS = 255
"""The pool has room for so many."""

MAILBOXES = MAILBOX = 128
"""Offset of the first mailbox, and bytes of each: two cache lines, since the processor fetches lines in pairs."""

POOL_BYTES = MAILBOXES + MOST_WORKERS * MAILBOX

CLAIMED, PARKED, ACTIVE, AWAITED, QUIT = (1 << bit for bit in range(5))
"""Bits of a mailbox: a team has claimed it; its worker sleeps; works; is waited for by a sleeping thread; is to end."""

FIRST_SHIFT, END_SHIFT, EPOCH_SHIFT = 5, 15, 25

MOST_SHARED = (1 << END_SHIFT - FIRST_SHIFT) - 1
"""The most units of a kernel."""

NOT_FREE, NOT_PARKED, NOT_ACTIVE = CLAIMED | ACTIVE | QUIT, ~PARKED, ~(ACTIVE | AWAITED)
FREED = (-1 << EPOCH_SHIFT) | PARKED
"""The bits of a word that stay when its team ends."""

TEAM, THREAD = 64, 72
"""Offsets in a mailbox."""

JOB, THREADS, UNITS, MOST_UNITS, BACKWARDS, CANCEL_FLAG, CLAIMED_MAILBOXES, EPOCH = TEAM_FIELDS = (
    *range(64, 128, WORD),
)
"""Offsets in a team."""

ARGUMENTS = 128
"""Offset in a team of the arguments of what is shared, a word each."""

FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine())
"""The number of Linux's system call. Without it, there are no threads."""

WAIT, WAKE = 128, 129
"""Operations of a futex that is private to this process."""


def mailbox(worker: int) -> int:
    """The address of a worker's mailbox in the pool."""
    return MAILBOXES + worker * MAILBOX
