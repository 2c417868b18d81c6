"""
The threads of one call: how a program finds helpers, how all of them meet, and how helpers wait for the next.

This is LLVM assembly, the same for all programs. A pool lies in memory of the process: an i64 that says how many
boxes there are, then the boxes, one for each helper. A call claims the boxes whose helpers are free, at most as
many as it wants, and runs alone where there are none. It posts its function to them, runs it itself as thread
0, and ends when all are done. Who waits spins for a while, then sleeps until a futex wakes it.

    ptr pool: i64 count at 0; box i at BOXES + i * BOX
    ptr box:  i32 state at 0 (IDLE … QUIT), i32 whether its helper slept when it was claimed;
              from WORK on: function, frame, team, i64 thread, i64 threads
    ptr team: i32 phase at 0, negative once somebody aborted; i32 arrived, i32 sleepers; i32 how many helpers are
              not done, with the bit SLEEPS while thread 0 sleeps

A team lives on the stack of thread 0: a helper does not touch it after it said that it is done.
"""

from __future__ import annotations

import platform

BOXES, BOX, WORK = 128, 128, 64
IDLE, ASLEEP, CLAIMED, POSTED, QUIT = range(5)

MOST_HELPERS = 255
"""Room for them in a pool."""

TEAM = 192
"""Bytes of a team."""

ARRIVED, SLEEPERS, LEFT = 64, 68, 128
SLEEPS = 1 << 30

SPINS = 2000
"""How often somebody looks before it sleeps: some 50 to 100 microseconds."""

YIELDS = 31
"""Who waits lets others run after each so many looks (a power of 2 less 1): whom it waits for may have no other
core."""

BEGIN, END, MEET, ABORT, HELP = "team.begin", "team.end", "team.meet", "team.abort", "help"
"""
    i64 begin(pool, function, frame, team, claimed, most)   makes a team; gives its number of threads
    i1 end(team)                                            waits for the helpers; whether somebody aborted
    i1 meet(team, threads)                                  waits for all; whether somebody aborted
    void abort(team)                                        nobody has to be waited for any more
    i32 help(box)                                           what a helper runs until it shall quit

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
    "BOXES": BOXES,
    "BOX": BOX,
    "IDLE": IDLE,
    "ASLEEP": ASLEEP,
    "CLAIMED": CLAIMED,
    "POSTED": POSTED,
    "QUIT": QUIT,
    "ARRIVED": ARRIVED,
    "SLEEPERS": SLEEPERS,
    "LEFT": LEFT,
    "SLEEPS": SLEEPS,
    "SPINS": SPINS,
    "YIELDS": YIELDS,
    "WAIT": WAIT,
    "WAKE": WAKE,
    "BEGIN": BEGIN,
    "END": END,
    "MEET": MEET,
    "ABORT": ABORT,
    "HELP": HELP,
    "function": WORK,
    "frame": WORK + 8,
    "team": WORK + 16,
    "thread": WORK + 24,
    "threads": WORK + 32,
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

define internal void @team.sleep(ptr %word, i32 %value) {{
  call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 {WAIT}, i32 %value, ptr null, ptr null, i64 0)
  ret void
}}

define internal void @team.wake(ptr %word, i32 %count) {{
  call i64 (i64, ...) @syscall(i64 {futex}, ptr %word, i64 {WAKE}, i32 %count, ptr null, ptr null, i64 0)
  ret void
}}

define hidden i64 @{BEGIN}(ptr %pool, ptr %function, ptr %frame, ptr %team, ptr %claimed, i64 %most) {{
begin:
  %arrived = getelementptr i8, ptr %team, i64 {ARRIVED}
  %sleepers = getelementptr i8, ptr %team, i64 {SLEEPERS}
  %left = getelementptr i8, ptr %team, i64 {LEFT}
  store i32 0, ptr %team
  store i32 0, ptr %arrived
  store i32 0, ptr %sleepers
  %helpers = load i64, ptr %pool
  br label %look
look:
  %i = phi i64 [0, %begin], [%i.next, %next]
  %n = phi i64 [1, %begin], [%n.next, %next]
  %is.box = icmp ult i64 %i, %helpers
  %is.wanted = icmp ult i64 %n, %most
  %is.both = and i1 %is.box, %is.wanted
  br i1 %is.both, label %try, label %post
try:
  %distance = mul i64 %i, {BOX}
  %offset = add i64 %distance, {BOXES}
  %box = getelementptr i8, ptr %pool, i64 %offset
  %state = load atomic i32, ptr %box monotonic, align 4
  %is.free = icmp ule i32 %state, {ASLEEP}
  br i1 %is.free, label %claim, label %next
claim:
  %swap = cmpxchg ptr %box, i32 %state, i32 {CLAIMED} acq_rel monotonic
  %is.mine = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.mine, label %keep, label %next
keep:
  %slept = getelementptr i8, ptr %box, i64 4
  store i32 %state, ptr %slept
  %index = sub i64 %n, 1
  %place = getelementptr ptr, ptr %claimed, i64 %index
  store ptr %box, ptr %place
  %n.more = add i64 %n, 1
  br label %next
next:
  %n.next = phi i64 [%n, %try], [%n, %claim], [%n.more, %keep]
  %i.next = add i64 %i, 1
  br label %look
post:
  %others = sub i64 %n, 1
  %others.32 = trunc i64 %others to i32
  store i32 %others.32, ptr %left
  %is.alone = icmp eq i64 %others, 0
  br i1 %is.alone, label %end, label %one
one:
  %j = phi i64 [0, %post], [%thread, %posted]
  %thread = add i64 %j, 1
  %place.j = getelementptr ptr, ptr %claimed, i64 %j
  %box.j = load ptr, ptr %place.j
  %box.function = getelementptr i8, ptr %box.j, i64 {function}
  %box.frame = getelementptr i8, ptr %box.j, i64 {frame}
  %box.team = getelementptr i8, ptr %box.j, i64 {team}
  %box.thread = getelementptr i8, ptr %box.j, i64 {thread}
  %box.threads = getelementptr i8, ptr %box.j, i64 {threads}
  store ptr %function, ptr %box.function
  store ptr %frame, ptr %box.frame
  store ptr %team, ptr %box.team
  store i64 %thread, ptr %box.thread
  store i64 %n, ptr %box.threads
  %slept.j = getelementptr i8, ptr %box.j, i64 4
  %was = load i32, ptr %slept.j
  store atomic i32 {POSTED}, ptr %box.j release, align 4
  %was.asleep = icmp eq i32 %was, {ASLEEP}
  br i1 %was.asleep, label %wake, label %posted
wake:
  call void @team.wake(ptr %box.j, i32 1)
  br label %posted
posted:
  %is.last = icmp eq i64 %thread, %others
  br i1 %is.last, label %end, label %one
end:
  ret i64 %n
}}

define hidden i1 @{END}(ptr %team) {{
begin:
  %left = getelementptr i8, ptr %team, i64 {LEFT}
  br label %look
look:
  %n = phi i64 [0, %begin], [%n.next, %again], [0, %slept]
  %word = load atomic i32, ptr %left acquire, align 4
  %busy = and i32 %word, {ALL_LEFT}
  %is.over = icmp eq i32 %busy, 0
  br i1 %is.over, label %over, label %again
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.tired = icmp uge i64 %n.next, {SPINS}
  br i1 %is.tired, label %doze, label %look
doze:
  %marked = or i32 %word, {SLEEPS}
  %swap = cmpxchg ptr %left, i32 %word, i32 %marked acq_rel monotonic
  %is.marked = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.marked, label %sleep, label %slept
sleep:
  call void @team.sleep(ptr %left, i32 %marked)
  br label %slept
slept:
  br label %look
over:
  %phase = load atomic i32, ptr %team acquire, align 4
  %is.aborted = icmp slt i32 %phase, 0
  ret i1 %is.aborted
}}

define hidden i1 @{MEET}(ptr %team, i64 %threads) {{
begin:
  %is.alone = icmp eq i64 %threads, 1
  br i1 %is.alone, label %go, label %together
go:
  ret i1 false
together:
  %arrived = getelementptr i8, ptr %team, i64 {ARRIVED}
  %sleepers = getelementptr i8, ptr %team, i64 {SLEEPERS}
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
  %asleep = load atomic i32, ptr %sleepers seq_cst, align 4
  %is.asleep = icmp ne i32 %asleep, 0
  br i1 %is.asleep, label %wake, label %released
wake:
  call void @team.wake(ptr %team, i32 {ALL})
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
  %is.tired = icmp uge i64 %n.next, {SPINS}
  br i1 %is.tired, label %lie.down, label %look
lie.down:
  atomicrmw add ptr %sleepers, i32 1 seq_cst
  br label %sleep
sleep:
  call void @team.sleep(ptr %team, i32 %phase)
  %later = load atomic i32, ptr %team acquire, align 4
  %is.still = icmp eq i32 %later, %phase
  br i1 %is.still, label %sleep, label %get.up
get.up:
  atomicrmw sub ptr %sleepers, i32 1 seq_cst
  br label %free
free:
  %seen = phi i32 [%now, %look], [%later, %get.up]
  %is.over = icmp slt i32 %seen, 0
  ret i1 %is.over
}}

define hidden void @{ABORT}(ptr %team) {{
  %sleepers = getelementptr i8, ptr %team, i64 {SLEEPERS}
  atomicrmw or ptr %team, i32 {ABORTED} seq_cst
  %asleep = load atomic i32, ptr %sleepers seq_cst, align 4
  %is.asleep = icmp ne i32 %asleep, 0
  br i1 %is.asleep, label %wake, label %end
wake:
  call void @team.wake(ptr %team, i32 {ALL})
  br label %end
end:
  ret void
}}

define i32 @{HELP}(ptr %box) {{
begin:
  br label %look
look:
  %n = phi i64 [0, %begin], [0, %done], [0, %up], [%n.next, %again]
  %state = load atomic i32, ptr %box acquire, align 4
  switch i32 %state, label %again [i32 {POSTED}, label %work i32 {QUIT}, label %quit]
quit:
  ret i32 0
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.tired = icmp uge i64 %n.next, {SPINS}
  br i1 %is.tired, label %lie.down, label %look
lie.down:
  %swap = cmpxchg ptr %box, i32 {IDLE}, i32 {ASLEEP} acq_rel monotonic
  %is.down = extractvalue {{ i32, i1 }} %swap, 1
  br i1 %is.down, label %sleep, label %up
sleep:
  call void @team.sleep(ptr %box, i32 {ASLEEP})
  %later = load atomic i32, ptr %box acquire, align 4
  %is.still = icmp eq i32 %later, {ASLEEP}
  br i1 %is.still, label %sleep, label %up
up:
  br label %look
work:
  %box.function = getelementptr i8, ptr %box, i64 {function}
  %box.frame = getelementptr i8, ptr %box, i64 {frame}
  %box.team = getelementptr i8, ptr %box, i64 {team}
  %box.thread = getelementptr i8, ptr %box, i64 {thread}
  %box.threads = getelementptr i8, ptr %box, i64 {threads}
  %function = load ptr, ptr %box.function
  %frame = load ptr, ptr %box.frame
  %team = load ptr, ptr %box.team
  %thread = load i64, ptr %box.thread
  %threads = load i64, ptr %box.threads
  call i32 %function(ptr %frame, ptr %team, i64 %thread, i64 %threads)
  ; Free before the last word to the team, so that its next call finds this helper.
  cmpxchg ptr %box, i32 {POSTED}, i32 {IDLE} acq_rel monotonic
  %left = getelementptr i8, ptr %team, i64 {LEFT}
  %word = atomicrmw sub ptr %left, i32 1 acq_rel
  %mark = and i32 %word, {SLEEPS}
  %is.slept = icmp ne i32 %mark, 0
  br i1 %is.slept, label %wake, label %done
wake:
  call void @team.wake(ptr %left, i32 1)
  br label %done
done:
  br label %look
}}
""".replace("{ALL_LEFT}", str(SLEEPS - 1))
