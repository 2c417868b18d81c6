; The team of threads of one call, for all programs: a template, whose names are those of calling_convention.py and
; team.py. `%job` is `void (team, thread, piece)`; a piece is the unit behind its last one above 32 bits of its first
; unit, 0 where there is none.

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

; A futex is the lower half of a word.
define internal void @team.futex.wait(ptr %word, i64 %value) {
  %low = trunc i64 %value to i32
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr %word, i64 $WAIT, i32 %low, ptr null, ptr null, i64 0)
  ret void
}

define internal void @team.futex.wake(ptr %word) {
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr %word, i64 $WAKE, i32 1, ptr null, ptr null, i64 0)
  ret void
}

; Makes a team of at most so many threads: claims the mailboxes of idle workers, and wakes those that sleep. `claimed`
; has room for `most - 1` pointers.
define hidden void @$BEGIN(ptr %pool, ptr %team, ptr %claimed, ptr %cancel, i64 %most) {
begin:
  %team.claimed = getelementptr i8, ptr %team, i64 $CLAIMED_MAILBOXES
  %team.cancel = getelementptr i8, ptr %team, i64 $CANCEL_FLAG
  %team.threads = getelementptr i8, ptr %team, i64 $THREADS
  %team.epoch = getelementptr i8, ptr %team, i64 $EPOCH
  store i64 0, ptr %team
  store ptr %claimed, ptr %team.claimed
  store ptr %cancel, ptr %team.cancel
  %workers = load i64, ptr %pool
  br label %look
look:
  %i = phi i64 [0, %begin], [%i.next, %next]
  %n = phi i64 [1, %begin], [%n.next, %next]
  %epoch = phi i64 [0, %begin], [%epoch.next, %next]
  %is.mailbox = icmp ult i64 %i, %workers
  %is.wanted = icmp ult i64 %n, %most
  %is.both = and i1 %is.mailbox, %is.wanted
  br i1 %is.both, label %try, label %end
try:
  %distance = mul i64 %i, $MAILBOX
  %offset = add i64 %distance, $MAILBOXES
  %mailbox = getelementptr i8, ptr %pool, i64 %offset
  %word = load atomic i64, ptr %mailbox monotonic, align 8
  %taken = and i64 %word, $NOT_FREE
  %is.free = icmp eq i64 %taken, 0
  br i1 %is.free, label %claim, label %next
claim:
  %awake = and i64 %word, $NOT_PARKED
  %mine = or i64 %awake, $CLAIMED
  %swap = cmpxchg ptr %mailbox, i64 %word, i64 %mine acq_rel monotonic
  %is.mine = extractvalue { i64, i1 } %swap, 1
  br i1 %is.mine, label %keep, label %next
keep:
  %mailbox.team = getelementptr i8, ptr %mailbox, i64 $TEAM
  %mailbox.thread = getelementptr i8, ptr %mailbox, i64 $THREAD
  store ptr %team, ptr %mailbox.team
  store i64 %n, ptr %mailbox.thread
  %index = sub i64 %n, 1
  %place = getelementptr ptr, ptr %claimed, i64 %index
  store ptr %mailbox, ptr %place
  %n.more = add i64 %n, 1
  %its.epoch = lshr i64 %word, $EPOCH_SHIFT
  %is.later = icmp ugt i64 %its.epoch, %epoch
  %epoch.more = select i1 %is.later, i64 %its.epoch, i64 %epoch
  %sleeps = and i64 %word, $PARKED
  %is.asleep = icmp ne i64 %sleeps, 0
  br i1 %is.asleep, label %wake, label %next
wake:
  call void @team.futex.wake(ptr %mailbox)
  br label %next
next:
  %n.next = phi i64 [%n, %try], [%n, %claim], [%n.more, %keep], [%n.more, %wake]
  %epoch.next = phi i64 [%epoch, %try], [%epoch, %claim], [%epoch.more, %keep], [%epoch.more, %wake]
  %i.next = add i64 %i, 1
  br label %look
end:
  store i64 %n, ptr %team.threads
  store i64 %epoch, ptr %team.epoch
  ret void
}

; Gives each thread its share of a kernel's units, and does what the other threads do not get to. The team waited before.
define hidden void @$SHARE(ptr %team, ptr %job, i64 %units, i64 %most, i1 %is.backwards) {
begin:
  %team.job = getelementptr i8, ptr %team, i64 $JOB
  %team.units = getelementptr i8, ptr %team, i64 $UNITS
  %team.most = getelementptr i8, ptr %team, i64 $MOST_UNITS
  %team.backwards = getelementptr i8, ptr %team, i64 $BACKWARDS
  %team.threads = getelementptr i8, ptr %team, i64 $THREADS
  %team.claimed = getelementptr i8, ptr %team, i64 $CLAIMED_MAILBOXES
  %team.epoch = getelementptr i8, ptr %team, i64 $EPOCH
  %backwards = zext i1 %is.backwards to i64
  store ptr %job, ptr %team.job
  store i64 %units, ptr %team.units
  store i64 %most, ptr %team.most
  store i64 %backwards, ptr %team.backwards
  %n = load i64, ptr %team.threads
  %claimed = load ptr, ptr %team.claimed
  %epoch.before = load i64, ptr %team.epoch
  %epoch = add i64 %epoch.before, 1
  store i64 %epoch, ptr %team.epoch
  %epoch.bits = shl i64 %epoch, $EPOCH_SHIFT
  %own = udiv i64 %units, %n
  %own.end = shl i64 %own, $END_SHIFT
  store atomic i64 %own.end, ptr %team monotonic, align 8
  br label %look
look:
  %t = phi i64 [1, %begin], [%t.next, %next]
  %is.thread = icmp ult i64 %t, %n
  br i1 %is.thread, label %post, label %work
post:
  %t.next = add i64 %t, 1
  %from.all = mul i64 %units, %t
  %to.all = mul i64 %units, %t.next
  %from = udiv i64 %from.all, %n
  %to = udiv i64 %to.all, %n
  %from.bits = shl i64 %from, $FIRST_SHIFT
  %to.bits = shl i64 %to, $END_SHIFT
  %bits.1 = or i64 %epoch.bits, %from.bits
  %bits.2 = or i64 %bits.1, %to.bits
  %bits = or i64 %bits.2, $CLAIMED
  %index = sub i64 %t, 1
  %place = getelementptr ptr, ptr %claimed, i64 %index
  %mailbox = load ptr, ptr %place
  %word = atomicrmw xchg ptr %mailbox, i64 %bits acq_rel
  %sleeps = and i64 %word, $PARKED
  %is.asleep = icmp ne i64 %sleeps, 0
  br i1 %is.asleep, label %wake, label %next
wake:
  call void @team.futex.wake(ptr %mailbox)
  br label %next
next:
  br label %look
work:
  %piece = call i64 @$NEXT(ptr %team, i64 0)
  %is.piece = icmp ne i64 %piece, 0
  br i1 %is.piece, label %run, label %end
run:
  call void %job(ptr %team, i64 0, i64 %piece)
  br label %end
end:
  ret void
}

; Claims the next piece of a kernel: half of what is left of the thread's own share, from where the schedule begins, or
; half of what another thread has left, from the other end. There is none once the call is to stop.
define hidden i64 @$NEXT(ptr %team, i64 %thread) {
begin:
  %team.cancel = getelementptr i8, ptr %team, i64 $CANCEL_FLAG
  %team.most = getelementptr i8, ptr %team, i64 $MOST_UNITS
  %team.backwards = getelementptr i8, ptr %team, i64 $BACKWARDS
  %team.threads = getelementptr i8, ptr %team, i64 $THREADS
  %team.claimed = getelementptr i8, ptr %team, i64 $CLAIMED_MAILBOXES
  %cancel = load ptr, ptr %team.cancel
  %most = load i64, ptr %team.most
  %backwards = load i64, ptr %team.backwards
  %n = load i64, ptr %team.threads
  %claimed = load ptr, ptr %team.claimed
  %asked = load atomic i64, ptr %cancel monotonic, align 8
  %is.stopping = icmp ne i64 %asked, 0
  br i1 %is.stopping, label %none, label %look
look:
  %i = phi i64 [0, %begin], [%i.next, %next]
  %is.thread = icmp ult i64 %i, %n
  br i1 %is.thread, label %choose, label %none
choose:
  %sum = add i64 %thread, %i
  %is.beyond = icmp uge i64 %sum, %n
  %wrapped = sub i64 %sum, %n
  %victim = select i1 %is.beyond, i64 %wrapped, i64 %sum
  %is.leader = icmp eq i64 %victim, 0
  br i1 %is.leader, label %try, label %worker
worker:
  %index = sub i64 %victim, 1
  %place = getelementptr ptr, ptr %claimed, i64 %index
  %mailbox = load ptr, ptr %place
  br label %try
try:
  %share = phi ptr [%team, %choose], [%mailbox, %worker], [%share, %claim]
  %word = load atomic i64, ptr %share monotonic, align 8
  %first.bits = lshr i64 %word, $FIRST_SHIFT
  %end.bits = lshr i64 %word, $END_SHIFT
  %first = and i64 %first.bits, $MOST_SHARED
  %end = and i64 %end.bits, $MOST_SHARED
  %is.some = icmp ult i64 %first, %end
  br i1 %is.some, label %claim, label %next
claim:
  %left = sub i64 %end, %first
  %left.up = add i64 %left, 1
  %half = lshr i64 %left.up, 1
  %is.much = icmp ugt i64 %half, %most
  %take = select i1 %is.much, i64 %most, i64 %half
  %is.other = icmp ne i64 %i, 0
  %is.back = icmp ne i64 %backwards, 0
  %at.end = xor i1 %is.other, %is.back
  %added = shl i64 %take, $FIRST_SHIFT
  %removed = shl i64 %take, $END_SHIFT
  %word.front = add i64 %word, %added
  %word.back = sub i64 %word, %removed
  %after = select i1 %at.end, i64 %word.back, i64 %word.front
  %swap = cmpxchg ptr %share, i64 %word, i64 %after acq_rel monotonic
  %is.mine = extractvalue { i64, i1 } %swap, 1
  br i1 %is.mine, label %found, label %try
found:
  %from.end = sub i64 %end, %take
  %piece.first = select i1 %at.end, i64 %from.end, i64 %first
  %piece.end = add i64 %piece.first, %take
  %piece.high = shl i64 %piece.end, 32
  %piece = or i64 %piece.high, %piece.first
  ret i64 %piece
next:
  %i.next = add i64 %i, 1
  br label %look
none:
  ret i64 0
}

; Waits until a worker has done what it claimed, and gives its word.
define internal i64 @team.join(ptr %mailbox) {
begin:
  br label %look
look:
  %n = phi i64 [0, %begin], [%n.next, %again], [0, %slept]
  %word = load atomic i64, ptr %mailbox acquire, align 8
  %works = and i64 %word, $ACTIVE
  %is.over = icmp eq i64 %works, 0
  br i1 %is.over, label %over, label %again
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, $SPINS
  br i1 %is.parking, label %doze, label %look
doze:
  %marked = or i64 %word, $AWAITED
  %swap = cmpxchg ptr %mailbox, i64 %word, i64 %marked acq_rel monotonic
  %is.marked = extractvalue { i64, i1 } %swap, 1
  br i1 %is.marked, label %sleep, label %slept
sleep:
  call void @team.futex.wait(ptr %mailbox, i64 %marked)
  br label %slept
slept:
  br label %look
over:
  ret i64 %word
}

; Waits until all that was claimed of a kernel is done; a worker that claimed nothing is not waited for.
define hidden void @$JOIN(ptr %team) {
begin:
  %team.threads = getelementptr i8, ptr %team, i64 $THREADS
  %team.claimed = getelementptr i8, ptr %team, i64 $CLAIMED_MAILBOXES
  %n = load i64, ptr %team.threads
  %claimed = load ptr, ptr %team.claimed
  %others = sub i64 %n, 1
  br label %look
look:
  %i = phi i64 [0, %begin], [%i.next, %one]
  %is.worker = icmp ult i64 %i, %others
  br i1 %is.worker, label %one, label %end
one:
  %place = getelementptr ptr, ptr %claimed, i64 %i
  %mailbox = load ptr, ptr %place
  call i64 @team.join(ptr %mailbox)
  %i.next = add i64 %i, 1
  br label %look
end:
  ret void
}

; Ends the team: takes back what nobody claimed, and lets the workers go.
define hidden void @$END(ptr %team) {
begin:
  %team.threads = getelementptr i8, ptr %team, i64 $THREADS
  %team.claimed = getelementptr i8, ptr %team, i64 $CLAIMED_MAILBOXES
  %n = load i64, ptr %team.threads
  %claimed = load ptr, ptr %team.claimed
  %others = sub i64 %n, 1
  br label %look
look:
  %i = phi i64 [0, %begin], [%i.next, %next]
  %is.worker = icmp ult i64 %i, %others
  br i1 %is.worker, label %one, label %end
one:
  %place = getelementptr ptr, ptr %claimed, i64 %i
  %mailbox = load ptr, ptr %place
  br label %again
again:
  %word = call i64 @team.join(ptr %mailbox)
  %free = and i64 %word, $FREED
  %swap = cmpxchg ptr %mailbox, i64 %word, i64 %free acq_rel monotonic
  %is.free = extractvalue { i64, i1 } %swap, 1
  br i1 %is.free, label %next, label %again
next:
  %i.next = add i64 %i, 1
  br label %look
end:
  ret void
}

; The loop of a worker, until it is told to quit. It accesses the team only while it is active, which it is told by a
; share that it finds.
define i32 @$WORKER(ptr %mailbox) {
begin:
  %mailbox.team = getelementptr i8, ptr %mailbox, i64 $TEAM
  %mailbox.thread = getelementptr i8, ptr %mailbox, i64 $THREAD
  br label %look
look:
  %n = phi i64 [0, %begin], [0, %done], [0, %wake], [0, %up], [%n.next, %again], [%n, %try]
  %word = load atomic i64, ptr %mailbox acquire, align 8
  %quits = and i64 %word, $QUIT
  %is.quitting = icmp ne i64 %quits, 0
  br i1 %is.quitting, label %quit, label %share
quit:
  ret i32 0
share:
  %first.bits = lshr i64 %word, $FIRST_SHIFT
  %end.bits = lshr i64 %word, $END_SHIFT
  %first = and i64 %first.bits, $MOST_SHARED
  %end = and i64 %end.bits, $MOST_SHARED
  %is.some = icmp ult i64 %first, %end
  br i1 %is.some, label %try, label %again
again:
  call void @team.relax(i64 %n)
  %n.next = add i64 %n, 1
  %is.parking = icmp uge i64 %n.next, $SPINS
  br i1 %is.parking, label %park, label %look
park:
  %asleep = or i64 %word, $PARKED
  %swap.park = cmpxchg ptr %mailbox, i64 %word, i64 %asleep acq_rel monotonic
  %is.down = extractvalue { i64, i1 } %swap.park, 1
  br i1 %is.down, label %sleep, label %up
sleep:
  call void @team.futex.wait(ptr %mailbox, i64 %asleep)
  %later = load atomic i64, ptr %mailbox acquire, align 8
  %is.still = icmp eq i64 %later, %asleep
  br i1 %is.still, label %sleep, label %up
up:
  br label %look
try:
  %at.work = or i64 %word, $ACTIVE
  %swap = cmpxchg ptr %mailbox, i64 %word, i64 %at.work acq_rel monotonic
  %is.active = extractvalue { i64, i1 } %swap, 1
  br i1 %is.active, label %work, label %look
work:
  %team = load ptr, ptr %mailbox.team
  %thread = load i64, ptr %mailbox.thread
  %piece = call i64 @$NEXT(ptr %team, i64 %thread)
  %is.piece = icmp ne i64 %piece, 0
  br i1 %is.piece, label %run, label %done
run:
  %team.job = getelementptr i8, ptr %team, i64 $JOB
  %job = load ptr, ptr %team.job
  call void %job(ptr %team, i64 %thread, i64 %piece)
  br label %done
done:
  %before = atomicrmw and ptr %mailbox, i64 $NOT_ACTIVE acq_rel
  %awaited = and i64 %before, $AWAITED
  %is.awaited = icmp ne i64 %awaited, 0
  br i1 %is.awaited, label %wake, label %look
wake:
  call void @team.futex.wake(ptr %mailbox)
  br label %look
}
