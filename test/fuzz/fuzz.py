"""
Mutates files of every kind that is read, and lets each mutant be read, verified, printed and lowered.

`make fuzz` runs it for a while; `READERS="mlir tflite --count 5000"` says of which kind and how many. What neither
succeeds nor ends in a diagnostic of one line, soon and in little memory, is kept in test/fuzz/seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import signal
import sys
import time
import traceback
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random
from types import FrameType

from xdsl.utils.exceptions import DiagnosticException, ParseError

from lowstream.dialects import blob
from lowstream.test.fuzz.readers import READERS, Reader

SEEDS = Path(__file__).parent / "seeds"

PATIENCE = 10
"""Seconds of CPU time after which a mutant counts as one that hangs."""

BUDGET, MEMORY = 256 << 20, 4 << 30
"""Bytes that a constant may take, and those that the process may: what asks for more was not counted."""


def mutant(reader: Reader, corpus: list[bytes], seed: int, number: int) -> bytes:
    return reader.change(corpus, Random(f"{seed} {number}"))


def outcome(reader: Reader, data: bytes) -> str:
    """What this raises beside a diagnostic of one line, and where; `fine` or `refused` if nothing."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        reader.read(data)
        return "fine"
    except ParseError:
        return "refused"
    except DiagnosticException as error:
        return f"lines: {_where(error)} {error}" if "\n" in str(error) else "refused"
    except BaseException as error:  # noqa: BLE001 (whatever it is: that is the question)
        return f"{type(error).__name__} {_where(error)} {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _where(error: BaseException) -> str:
    """The last place in our code or xDSL's, without what changes from mutant to mutant."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if ".venv" not in f.filename and "fuzz" not in f.filename]
    places = [frames[-1], *own[-1:]]
    return " < ".join(f"{'/'.join(Path(f.filename).parts[-3:])}:{f.lineno}" for f in places)


def expire(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"took more than {PATIENCE} s of CPU time")


def work(reader: Reader, corpus: list[bytes], seed: int, first: int, pipe: int) -> None:
    """Reads mutants from number `first` on, and says before and after each what it is about."""
    signal.signal(signal.SIGPROF, expire)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    blob.MAX_BYTES = BUDGET
    for number in range(first, 1 << 62):
        os.write(pipe, f"{number}\n".encode())
        found = outcome(reader, mutant(reader, corpus, seed, number))
        os.write(pipe, json.dumps([number, found]).encode()[:4000] + b"\n")


class Worker:
    """A process that reads mutants, so that what kills it is noted, and the rest goes on."""

    def __init__(self, reader: Reader, corpus: list[bytes], seed: int, first: int):
        self.out, inner = os.pipe()
        self.process = os.fork()
        if not self.process:
            try:
                work(reader, corpus, seed, first, inner)
            finally:
                os._exit(1)
        os.close(inner)
        self.buffer = b""

    def line(self) -> str | None:
        """The next line; None where there is none in time, or no more at all."""
        while b"\n" not in self.buffer:
            if not select.select([self.out], [], [], 3 * PATIENCE)[0]:
                return None
            if not (data := os.read(self.out, 1 << 16)):
                return None
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode()

    def end(self) -> str:
        """How it ended, or was ended."""
        done, status = os.waitpid(self.process, os.WNOHANG)
        if not done:
            time.sleep(0.2)
            done, status = os.waitpid(self.process, os.WNOHANG)
        if not done:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
            os.close(self.out)
            return "hangs"
        os.close(self.out)
        return f"ended with {os.waitstatus_to_exitcode(status)}"


def fuzz(name: str, count: int, seconds: float, seed: int, keep: Path) -> bool:
    """Tries so many mutants, or for so long. Returns whether nothing was found."""
    reader = READERS[name]
    corpus = reader.corpus()
    counts, kinds = Counter[str](), dict[str, list[int]]()
    end, number = time.monotonic() + seconds, 0
    worker = Worker(reader, corpus, seed, number)
    while number < count and time.monotonic() < end:
        started = worker.line()
        finished = worker.line() if started is not None else None
        if finished is None:
            found = worker.end()
            worker = Worker(reader, corpus, seed, number + 1)
        else:
            found = json.loads(finished)[1]
        counts[found if found in ("fine", "refused") else "found"] += 1
        if found not in ("fine", "refused"):
            kind = found.split(" ")[0] + " " + " ".join(found.split(" ")[1:4])
            if kind not in kinds:
                data = mutant(reader, corpus, seed, number)
                path = keep / f"{name}-{sha256(data).hexdigest()[:8]}{reader.ending}"
                path.write_bytes(data)
                print(f"{path}: {found}", flush=True)
            kinds.setdefault(kind, []).append(number)
        number += 1
    os.kill(worker.process, signal.SIGKILL)
    os.waitpid(worker.process, 0)
    listed = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"{name}: seed {seed}: {number} mutants of {len(corpus)} files: {listed}", flush=True)
    for kind, numbers in kinds.items():
        print(f"  {len(numbers)} {kind} {numbers[:4]}", flush=True)
    return not kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*", default=[*READERS], help="|".join(READERS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=1 << 62)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, default=SEEDS)
    options = parser.parse_args()
    options.keep.mkdir(exist_ok=True)
    fine = [
        fuzz(name, options.count, options.seconds, options.seed, options.keep)
        for name in options.readers
    ]
    sys.exit(not all(fine))


if __name__ == "__main__":
    main()
