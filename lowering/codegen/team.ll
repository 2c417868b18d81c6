; The team of threads of one call, for all programs: a template, whose names are those of calling_convention.py and
; team.py. `%function` is `i32 (frame, team, thread, threads)`.

$DECLARE_PAUSE
declare i64 @syscall(i64, ...)
declare i32 @sched_yield()

; What a thread does that waits: it yields its core now and then.
define internal void @team.relax(i64 %n) {
  %step = and i64 %n, $YIELDS
  %is.polite = icmp eq i64 %step, $YIELDS
  br i1 %is.polite, label %yield, label %pause
yield:
  call i32 @sched_yield()
  ret void
pause:
  $PAUSE
  ret void
}

define internal void @team.futex.wait(ptr %word, i32 %value) {
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr %word, i64 $WAIT, i32 %value, ptr null, ptr null, i64 0)
  ret void
}

define internal void @team.futex.wake(ptr %word, i32 %count) {
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr %word, i64 $WAKE, i32 %count, ptr null, ptr null, i64 0)
  ret void
}

; Makes a team of at most so many threads, and gives their number: claims the mailboxes of idle workers, and posts
; `function` to them. `claimed` has room for `most - 1` pointers.
define hidden i64 @$BEGIN(ptr %pool, ptr %function, ptr %frame, ptr %team, ptr %claimed, i64 %most) {
begin:
  %arrived = getelementptr i8, ptr %team, i64 $ARRIVED
  %parked = getelementptr i8, ptr %team, i64 $PARKED_THREADS
  %pending = getelementptr i8, ptr %team, i64 $PENDING
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
  %distance = mul i64 %i, $MAILBOX
  %offset = add i64 %distance, $MAILBOXES
  %mailbox = getelementptr i8, ptr %pool, i64 %offset
  %state = load atomic i32, ptr %mailbox monotonic, align 4
  %is.free = icmp ule i32 %state, $PARKED
  br i1 %is.free, label %claim, label %next
claim:
  %swap = cmpxchg ptr %mailbox, i32 %state, i32 $CLAIMED acq_rel monotonic
  %is.mine = extractvalue { i32, i1 } %swap, 1
  br i1 %is.mine, label %keep, label %next
keep:
  %slept = getelementptr i8, ptr %mailbox, i64 $CLAIMED_IN
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
  %mailbox.function = getelementptr i8, ptr %mailbox.j, i64 $FUNCTION
  %mailbox.frame = getelementptr i8, ptr %mailbox.j, i64 $FRAME
  %mailbox.team = getelementptr i8, ptr %mailbox.j, i64 $TEAM
  %mailbox.thread = getelementptr i8, ptr %mailbox.j, i64 $THREAD
  %mailbox.threads = getelementptr i8, ptr %mailbox.j, i64 $THREADS
  store ptr %function, ptr %mailbox.function
  store ptr %frame, ptr %mailbox.frame
  store ptr %team, ptr %mailbox.team
  store i64 %thread, ptr %mailbox.thread
  store i64 %n, ptr %mailbox.threads
  %slept.j = getelementptr i8, ptr %mailbox.j, i64 $CLAIMED_IN
  %was = load i32, ptr %slept.j
  store atomic i32 $POSTED, ptr %mailbox.j release, align 4
  %was.asleep = icmp eq i32 %was, $PARKED
  br i1 %was.asleep, label %wake, label %posted
wake:
  call void @team.futex.wake(ptr %mailbox.j, i32 1)
  br label %posted
posted:
  %is.last = icmp eq i64 %thread, %others
  br i1 %is.last, label %end, label %one
end:
  ret i64 %n
}

; Waits for the workers; whether a thread aborted.
define hidden i1 @$END(ptr %team) {
begin:
  %pending = getelementptr i8, ptr %team, i64 $PENDING
  br label %look
look:
  %n = phi i64 [0, %begin], [%n.next, %again], [0, %slept]
  %word = load atomic i32, ptr %pending acquire, align 4
  %busy = and i32 %word, $PENDING_WORKERS
  %is.over = icmp eq i32 %busy, 0
  br i1 %is.over, label %over, label %again
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, $SPINS
  br i1 %is.parking, label %doze, label %look
doze:
  %marked = or i32 %word, $LEADER_PARKED
  %swap = cmpxchg ptr %pending, i32 %word, i32 %marked acq_rel monotonic
  %is.marked = extractvalue { i32, i1 } %swap, 1
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
}

; Waits for all threads; whether one aborted.
define hidden i1 @$BARRIER(ptr %team, i64 %threads) {
begin:
  %is.alone = icmp eq i64 %threads, 1
  br i1 %is.alone, label %go, label %together
go:
  ret i1 false
together:
  %arrived = getelementptr i8, ptr %team, i64 $ARRIVED
  %parked = getelementptr i8, ptr %team, i64 $PARKED_THREADS
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
  call void @team.futex.wake(ptr %team, i32 2147483647)
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
  %is.parking = icmp uge i64 %n.next, $SPINS
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
}

; Lets all threads through the barriers to come.
define hidden void @$ABORT(ptr %team) {
  %parked = getelementptr i8, ptr %team, i64 $PARKED_THREADS
  atomicrmw or ptr %team, i32 $ABORTED seq_cst
  %asleep = load atomic i32, ptr %parked seq_cst, align 4
  %is.asleep = icmp ne i32 %asleep, 0
  br i1 %is.asleep, label %wake, label %end
wake:
  call void @team.futex.wake(ptr %team, i32 2147483647)
  br label %end
end:
  ret void
}

; The loop of a worker, until it is told to quit.
define i32 @$WORKER(ptr %mailbox) {
begin:
  br label %look
look:
  %n = phi i64 [0, %begin], [0, %done], [0, %up], [%n.next, %again]
  %state = load atomic i32, ptr %mailbox acquire, align 4
  switch i32 %state, label %again [i32 $POSTED, label %work i32 $QUIT, label %quit]
quit:
  ret i32 0
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, $SPINS
  br i1 %is.parking, label %park, label %look
park:
  %swap = cmpxchg ptr %mailbox, i32 $IDLE, i32 $PARKED acq_rel monotonic
  %is.down = extractvalue { i32, i1 } %swap, 1
  br i1 %is.down, label %sleep, label %up
sleep:
  call void @team.futex.wait(ptr %mailbox, i32 $PARKED)
  %later = load atomic i32, ptr %mailbox acquire, align 4
  %is.still = icmp eq i32 %later, $PARKED
  br i1 %is.still, label %sleep, label %up
up:
  br label %look
work:
  %mailbox.function = getelementptr i8, ptr %mailbox, i64 $FUNCTION
  %mailbox.frame = getelementptr i8, ptr %mailbox, i64 $FRAME
  %mailbox.team = getelementptr i8, ptr %mailbox, i64 $TEAM
  %mailbox.thread = getelementptr i8, ptr %mailbox, i64 $THREAD
  %mailbox.threads = getelementptr i8, ptr %mailbox, i64 $THREADS
  %function = load ptr, ptr %mailbox.function
  %frame = load ptr, ptr %mailbox.frame
  %team = load ptr, ptr %mailbox.team
  %thread = load i64, ptr %mailbox.thread
  %threads = load i64, ptr %mailbox.threads
  call i32 %function(ptr %frame, ptr %team, i64 %thread, i64 %threads)
  ; Idle before it counts itself as done, so that the team's next call finds this worker.
  cmpxchg ptr %mailbox, i32 $POSTED, i32 $IDLE acq_rel monotonic
  %pending = getelementptr i8, ptr %team, i64 $PENDING
  %word = atomicrmw sub ptr %pending, i32 1 acq_rel
  %mark = and i32 %word, $LEADER_PARKED
  %is.slept = icmp ne i32 %mark, 0
  br i1 %is.slept, label %wake, label %done
wake:
  call void @team.futex.wake(ptr %pending, i32 1)
  br label %done
done:
  br label %look
}
