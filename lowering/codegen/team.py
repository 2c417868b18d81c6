"""
The team of threads of one call: how a program finds workers, their barrier, and how workers park between calls.

This is LLVM assembly, the same for all programs. The thread pool is memory of the process: an i64 with the number of
mailboxes, then the mailboxes, one for each worker. A call claims mailboxes of idle workers, at most as many as it wants
and runs alone where there are none. It posts its function to them, runs it itself as thread 0, and returns when all
are done. A thread that waits spins for a while, then parks: it sleeps until a futex wakes it.

    ptr pool:    i64 count at 0; mailbox i at MAILBOXES + i * MAILBOX
    ptr mailbox: i32 state at 0 (IDLE … QUIT), i32 the state in which it was claimed;
                 from MESSAGE on: function, frame, team, i64 thread, i64 threads
    ptr team:    i32 phase at 0, negative once a thread aborted; i32 threads that arrived at the barrier, i32 those
                 parked there; i32 workers that are not done, with the bit LEADER_PARKED while thread 0 is parked

A team lives on the stack of thread 0: a worker does not access it after it counted itself as done.
"""

from __future__ import annotations

import platform

MAILBOXES, MAILBOX, MESSAGE = 128, 128, 64
IDLE, PARKED, CLAIMED, POSTED, QUIT = range(5)

MOST_WORKERS = 255
"""For so many there is room in the pool."""

TEAM = 192
"""Bytes of a team."""

ARRIVED, PARKED_THREADS, PENDING = 64, 68, 128
LEADER_PARKED = 1 << 30

SPINS = 2000
"""How often a thread looks before it parks: some 50 to 100 microseconds."""

YIELDS = 31
"""A thread that spins yields its core after each so many looks (a power of 2 less 1): the thread that it waits for may
have no other one."""

BEGIN, END, BARRIER, ABORT, WORKER = (
    "team.begin",
    "team.end",
    "team.barrier",
    "team.abort",
    "worker",
)
"""
    i64 begin(pool, function, frame, team, claimed, most)   makes a team; gives its number of threads
    i1 end(team)                                            waits for the workers; whether a thread aborted
    i1 barrier(team, threads)                               waits for all threads; whether one aborted
    void abort(team)                                        lets all threads through the barriers to come
    i32 worker(mailbox)                                     the loop of a worker, until it is told to quit

`function` is `i32 (frame, team, thread, threads)`; `claimed` has room for `most - 1` pointers.
"""

FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine())
"""The number of Linux's system call; without it there are no threads."""

WAIT, WAKE = 128, 129
"""Of a futex that is private to this process."""

RELAX = {
    "x86_64": ("declare void @llvm.x86.sse2.pause()", "call void @llvm.x86.sse2.pause()"),
    "aarch64": ("declare void @llvm.aarch64.hint(i32)", "call void @llvm.aarch64.hint(i32 1)"),
}
"""What tells the processor that a loop waits, and its declaration."""


def team_assembly() -> str:
    """The functions of `BEGIN` and so on, for this host."""
    assert FUTEX is not None
    declaration, relax = RELAX[platform.machine()]
    return declaration + _ASSEMBLY.format(futex=FUTEX, relax=relax, **_NUMBERS)


_NUMBERS = {
    "MAILBOXES": MAILBOXES,
    "MAILBOX": MAILBOX,
    "IDLE": IDLE,
    "PARKED": PARKED,
    "CLAIMED": CLAIMED,
    "POSTED": POSTED,
    "QUIT": QUIT,
    "ARRIVED": ARRIVED,
    "PARKED_THREADS": PARKED_THREADS,
    "PENDING": PENDING,
    "LEADER_PARKED": LEADER_PARKED,
    "SPINS": SPINS,
    "YIELDS": YIELDS,
    "WAIT": WAIT,
    "WAKE": WAKE,
    "BEGIN": BEGIN,
    "END": END,
    "BARRIER": BARRIER,
    "ABORT": ABORT,
    "WORKER": WORKER,
    "function": MESSAGE,
    "frame": MESSAGE + 8,
    "team": MESSAGE + 16,
    "thread": MESSAGE + 24,
    "threads": MESSAGE + 32,
    "ALL": 2**31 - 1,
    "ABORTED": -(2**31),
}

_ASSEMBLY = """
declare i64 @syscall(i64, ...)
declare i32 @sched_yield()

define internal void @team.relax(i64 %n) {{
  %step = and i64 %n, {YIELDS}
  %is.polite = icmp eq i64 %step, {YIELDS}
  br i1 %is.polite, label %yield, label %pause
yield:
  call i32 @sched_yield()
  ret void
pause:
  {relax}
  ret void
}}

define internal void @team.futex.wait(ptr %word, i32 %value) {{
  call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 {WAIT}, i32 %value, ptr null, ptr null, i64 0)
  ret void
}}

define internal void @team.futex.wake(ptr %word, i32 %count) {{
  call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 {WAKE}, i32 %count, ptr null, ptr null, i64 0)
  ret void
}}

define hidden i64 @{BEGIN}(ptr %pool, ptr %function, ptr %frame, ptr %team, ptr %claimed, i64 %most) {{
begin:
  %arrived = getelementptr i8, ptr %team, i64 {ARRIVED}
  %parked = getelementptr i8, ptr %team, i64 {PARKED_THREADS}
  %pending = getelementptr i8, ptr %team, i64 {PENDING}
  store i32 0, ptr %team
  store i32 0, ptr %arrived
  store i32 0, ptr %parked
  %workers = load i64, ptr %pool
  br label %look
look:
  %i = phi i64 [0, %begin], [%i.next, %next]
  %n = phi i64 [1, %begin], [%n.next, %next]
  %is.mailbox = icmp ult i64 %i, %workers
  %is.wanted = icmp ult i64 %n, %most
  %is.both = and i1 %is.mailbox, %is.wanted
  br i1 %is.both, label %try, label %post
try:
  %distance = mul i64 %i, {MAILBOX}
  %offset = add i64 %distance, {MAILBOXES}
  %mailbox = getelementptr i8, ptr %pool, i64 %offset
  %state = load atomic i32, ptr %mailbox monotonic, align 4
  %is.free = icmp ule i32 %state, {PARKED}
  br i1 %is.free, label %claim, label %next
claim:
  %swap = cmpxchg ptr %mailbox, i32 %state, i32 {CLAIMED} acq_rel monotonic
  %is.mine = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.mine, label %keep, label %next
keep:
  %slept = getelementptr i8, ptr %mailbox, i64 4
  store i32 %state, ptr %slept
  %index = sub i64 %n, 1
  %place = getelementptr ptr, ptr %claimed, i64 %index
  store ptr %mailbox, ptr %place
  %n.more = add i64 %n, 1
  br label %next
next:
  %n.next = phi i64 [%n, %try], [%n, %claim], [%n.more, %keep]
  %i.next = add i64 %i, 1
  br label %look
post:
  %others = sub i64 %n, 1
  %others.32 = trunc i64 %others to i32
  store i32 %others.32, ptr %pending
  %is.alone = icmp eq i64 %others, 0
  br i1 %is.alone, label %end, label %one
one:
  %j = phi i64 [0, %post], [%thread, %posted]
  %thread = add i64 %j, 1
  %place.j = getelementptr ptr, ptr %claimed, i64 %j
  %mailbox.j = load ptr, ptr %place.j
  %mailbox.function = getelementptr i8, ptr %mailbox.j, i64 {function}
  %mailbox.frame = getelementptr i8, ptr %mailbox.j, i64 {frame}
  %mailbox.team = getelementptr i8, ptr %mailbox.j, i64 {team}
  %mailbox.thread = getelementptr i8, ptr %mailbox.j, i64 {thread}
  %mailbox.threads = getelementptr i8, ptr %mailbox.j, i64 {threads}
  store ptr %function, ptr %mailbox.function
  store ptr %frame, ptr %mailbox.frame
  store ptr %team, ptr %mailbox.team
  store i64 %thread, ptr %mailbox.thread
  store i64 %n, ptr %mailbox.threads
  %slept.j = getelementptr i8, ptr %mailbox.j, i64 4
  %was = load i32, ptr %slept.j
  store atomic i32 {POSTED}, ptr %mailbox.j release, align 4
  %was.asleep = icmp eq i32 %was, {PARKED}
  br i1 %was.asleep, label %wake, label %posted
wake:
  call void @team.futex.wake(ptr %mailbox.j, i32 1)
  br label %posted
posted:
  %is.last = icmp eq i64 %thread, %others
  br i1 %is.last, label %end, label %one
end:
  ret i64 %n
}}

define hidden i1 @{END}(ptr %team) {{
begin:
  %pending = getelementptr i8, ptr %team, i64 {PENDING}
  br label %look
look:
  %n = phi i64 [0, %begin], [%n.next, %again], [0, %slept]
  %word = load atomic i32, ptr %pending acquire, align 4
  %busy = and i32 %word, {ALL_PENDING}
  %is.over = icmp eq i32 %busy, 0
  br i1 %is.over, label %over, label %again
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, {SPINS}
  br i1 %is.parking, label %doze, label %look
doze:
  %marked = or i32 %word, {LEADER_PARKED}
  %swap = cmpxchg ptr %pending, i32 %word, i32 %marked acq_rel monotonic
  %is.marked = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.marked, label %sleep, label %slept
sleep:
  call void @team.futex.wait(ptr %pending, i32 %marked)
  br label %slept
slept:
  br label %look
over:
  %phase = load atomic i32, ptr %team acquire, align 4
  %is.aborted = icmp slt i32 %phase, 0
  ret i1 %is.aborted
}}

define hidden i1 @{BARRIER}(ptr %team, i64 %threads) {{
begin:
  %is.alone = icmp eq i64 %threads, 1
  br i1 %is.alone, label %go, label %together
go:
  ret i1 false
together:
  %arrived = getelementptr i8, ptr %team, i64 {ARRIVED}
  %parked = getelementptr i8, ptr %team, i64 {PARKED_THREADS}
  %phase = load atomic i32, ptr %team acquire, align 4
  %is.aborted = icmp slt i32 %phase, 0
  br i1 %is.aborted, label %stop, label %arrive
stop:
  ret i1 true
arrive:
  %before = atomicrmw add ptr %arrived, i32 1 acq_rel
  %count = add i32 %before, 1
  %all = trunc i64 %threads to i32
  %is.last = icmp eq i32 %count, %all
  br i1 %is.last, label %release, label %look
release:
  store atomic i32 0, ptr %arrived monotonic, align 4
  %old = atomicrmw add ptr %team, i32 1 seq_cst
  %asleep = load atomic i32, ptr %parked seq_cst, align 4
  %is.asleep = icmp ne i32 %asleep, 0
  br i1 %is.asleep, label %wake, label %released
wake:
  call void @team.futex.wake(ptr %team, i32 {ALL})
  br label %released
released:
  %was.aborted = icmp slt i32 %old, 0
  ret i1 %was.aborted
look:
  %n = phi i64 [0, %arrive], [%n.next, %again]
  %now = load atomic i32, ptr %team acquire, align 4
  %is.same = icmp eq i32 %now, %phase
  br i1 %is.same, label %again, label %free
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, {SPINS}
  br i1 %is.parking, label %park, label %look
park:
  atomicrmw add ptr %parked, i32 1 seq_cst
  br label %sleep
sleep:
  call void @team.futex.wait(ptr %team, i32 %phase)
  %later = load atomic i32, ptr %team acquire, align 4
  %is.still = icmp eq i32 %later, %phase
  br i1 %is.still, label %sleep, label %unpark
unpark:
  atomicrmw sub ptr %parked, i32 1 seq_cst
  br label %free
free:
  %seen = phi i32 [%now, %look], [%later, %unpark]
  %is.over = icmp slt i32 %seen, 0
  ret i1 %is.over
}}

define hidden void @{ABORT}(ptr %team) {{
  %parked = getelementptr i8, ptr %team, i64 {PARKED_THREADS}
  atomicrmw or ptr %team, i32 {ABORTED} seq_cst
  %asleep = load atomic i32, ptr %parked seq_cst, align 4
  %is.asleep = icmp ne i32 %asleep, 0
  br i1 %is.asleep, label %wake, label %end
wake:
  call void @team.futex.wake(ptr %team, i32 {ALL})
  br label %end
end:
  ret void
}}

define i32 @{WORKER}(ptr %mailbox) {{
begin:
  br label %look
look:
  %n = phi i64 [0, %begin], [0, %done], [0, %up], [%n.next, %again]
  %state = load atomic i32, ptr %mailbox acquire, align 4
  switch i32 %state, label %again [i32 {POSTED}, label %work i32 {QUIT}, label %quit]
quit:
  ret i32 0
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, {SPINS}
  br i1 %is.parking, label %park, label %look
park:
  %swap = cmpxchg ptr %mailbox, i32 {IDLE}, i32 {PARKED} acq_rel monotonic
  %is.down = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.down, label %sleep, label %up
sleep:
  call void @team.futex.wait(ptr %mailbox, i32 {PARKED})
  %later = load atomic i32, ptr %mailbox acquire, align 4
  %is.still = icmp eq i32 %later, {PARKED}
  br i1 %is.still, label %sleep, label %up
up:
  br label %look
work:
  %mailbox.function = getelementptr i8, ptr %mailbox, i64 {function}
  %mailbox.frame = getelementptr i8, ptr %mailbox, i64 {frame}
  %mailbox.team = getelementptr i8, ptr %mailbox, i64 {team}
  %mailbox.thread = getelementptr i8, ptr %mailbox, i64 {thread}
  %mailbox.threads = getelementptr i8, ptr %mailbox, i64 {threads}
  %function = load ptr, ptr %mailbox.function
  %frame = load ptr, ptr %mailbox.frame
  %team = load ptr, ptr %mailbox.team
  %thread = load i64, ptr %mailbox.thread
  %threads = load i64, ptr %mailbox.threads
  call i32 %function(ptr %frame, ptr %team, i64 %thread, i64 %threads)
  ; Idle before it counts itself as done, so that the team's next call finds this worker.
  cmpxchg ptr %mailbox, i32 {POSTED}, i32 {IDLE} acq_rel monotonic
  %pending = getelementptr i8, ptr %team, i64 {PENDING}
  %word = atomicrmw sub ptr %pending, i32 1 acq_rel
  %mark = and i32 %word, {LEADER_PARKED}
  %is.slept = icmp ne i32 %mark, 0
  br i1 %is.slept, label %wake, label %done
wake:
  call void @team.futex.wake(ptr %pending, i32 1)
  br label %done
done:
  br label %look
}}
""".replace("{ALL_PENDING}", str(LEADER_PARKED - 1))
