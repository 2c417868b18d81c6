"""Families of random cases, each tried by its seeds, in processes that a wrong kernel, or a peer, may end."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lowstream.test.fuzz.operations.case import Array

FOUND = 3
"""The exit status of a process that tried all its seeds, of which some fail; a traceback's is 1."""


@dataclass
class Tally:
    """How many cases came how far. A verbose one prints what a peer says of those that it refuses."""

    is_verbose: bool
    counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, what: str) -> None:
        self.counts[what] += 1

    def refused(self, what: str, case: str, error: Exception) -> None:
        self.add(what)
        if self.is_verbose:
            print(f"  {case} {' '.join(str(error).split())[-200:]}", flush=True)


FailureOf = Callable[[str, int, Tally], str]
"""What is wrong with the case of a family and a seed; empty if nothing is."""


def apart(wanted: Sequence[Array], given: Sequence[Array], tolerance: float) -> str:
    """What differs, if anything does."""
    for number, (x, y) in enumerate(zip(wanted, given, strict=True)):
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"result {number} is {y.dtype}{list(y.shape)}, not {x.dtype}{list(x.shape)}"
        if x.dtype.kind != "f":
            if (x != y).any():
                return (
                    f"result {number}: {(x != y).sum()} of {x.size} differ: {_first(x, y, x != y)}"
                )
            continue
        room = max(tolerance, {2: 2e-3, 4: 0, 8: 0}[x.dtype.itemsize])
        with np.errstate(all="ignore"):
            a, b = x.astype(np.float64), y.astype(np.float64)
            finite = np.abs(a)[np.isfinite(a)]
            most = room * (1 + (finite.max(initial=0) if room > 1e-5 else np.abs(a)))
            wrong = ~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= most))
        if wrong.any():
            return f"result {number}: {wrong.sum()} of {x.size} differ: {_first(x, y, wrong)}"
    return ""


def _first(x: Array, y: Array, wrong: Any) -> str:
    return f"{x[wrong].ravel()[0]} is {y[wrong].ravel()[0]}"


def try_families(script: str, about: str | None, known: Iterable[str], failure_of: FailureOf):
    """The command line of a script; its exit status says whether nothing fails."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("family", nargs="?", choices=[*known, "all"], default="all")
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("last", type=int, nargs="?", default=200)
    parser.add_argument("--verbose", action="store_true", help="also what the peer refuses")
    parser.add_argument("--here", action="store_true", help="in this process")
    options = parser.parse_args()
    families = [*known] if options.family == "all" else [options.family]
    seeds = range(options.first, options.last)
    if options.here:
        wrong = [_try_seeds(family, seeds, options.verbose, failure_of) for family in families]
        sys.exit(FOUND if any(wrong) else 0)
    more = ["--verbose"] * options.verbose
    right = [_survived(script, family, seeds, more) for family in families]
    sys.exit(not all(right))


def _try_seeds(family: str, seeds: range, verbose: bool, failure_of: FailureOf) -> int:
    """Prints what fails, and how much was tried; the number of failures."""
    tally, start, wrong = Tally(verbose), time.process_time(), 0
    for seed in seeds:
        print(seed, file=sys.stderr, flush=True)
        if failure := failure_of(family, seed, tally):
            wrong += 1
            print(f"{family} {seed}: {' '.join(failure.split())[:400]}", flush=True)
    print(
        f"{family}: {len(seeds)} tried, {dict(tally.counts)}, {wrong} failures, "
        f"{time.process_time() - start:.0f} s of CPU time",
        flush=True,
    )
    return wrong


def _survived(script: str, family: str, seeds: range, more: Sequence[str]) -> bool:
    """Whether nothing fails; what ends a process is printed, and the seeds behind it are tried in another."""
    is_right = True
    while seeds:
        limits = [str(seeds.start), str(seeds.stop)]
        command = [sys.executable, "-P", "-W", "ignore", script, family, *limits, "--here", *more]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        lines = done.stderr.splitlines()
        tried = [int(line) for line in lines if line.isdigit()]
        if others := [line for line in lines if not line.isdigit()]:
            print(f"{family} {tried[-1:]}: {others[-1]}", flush=True)
        if done.returncode in (0, FOUND):
            return is_right and not done.returncode
        print(f"{family} {tried[-1:]}: the process ended with {done.returncode}", flush=True)
        seeds, is_right = range(tried[-1] + 1 if tried else seeds.stop, seeds.stop), False
    return is_right
