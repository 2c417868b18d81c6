"""
Runs random quantized models before and after LPT, layer by layer: `make graphs`, or with SEEDS="0 10000 --compiled".

Prints the seeds of models in which something is more than one code apart, or which a second run of LPT changes. With
`--log` it goes on where a run was ended: seeds that the file knows as right are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Self

from xdsl.dialects.builtin import ModuleOp

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
from lowstream.passes.lpt_extensions import transformation_names
from lowstream.test.unit.passes.lpt.fired import counting
from lowstream.test.unit.passes.lpt.on_machine import differences, is_wrong
from lowstream.test.unit.passes.lpt.random_graphs import EDITIONS, graph_of
from lowstream.test.unit.passes.lpt.side_by_side import compare, optimized


@dataclass(frozen=True)
class Outcome:
    """
    Of a seed: how much was compared in the reference executor and on the machine (-1 where it was not asked), and
    what is wrong.
    """

    seed: int
    reference: int
    machine: int
    failure: str = ""

    @classmethod
    def of(cls, seed: int, compiled: bool, edition: int) -> Self:
        reference, machine = 0, -1
        try:
            graph = graph_of(seed, edition)
            module, inputs = graph.build()
            after, aligned = optimized(module, graph.preset)
            apart = compare(module, inputs, graph, after, aligned)
            reference = len(apart)
            wrong = [str(one) for one in apart if not one.is_close]
            if (line := changed_again(after, graph.preset)) is not None:
                wrong.append(f"a second run writes {line}")
            if compiled:
                found = list(differences(after, inputs))
                machine = len(found)
                wrong += [str(one) for one in found if is_wrong(one)]
        except Exception as error:  # noqa: BLE001 (of any kind: the seed says how to see it again)
            wrong = [f"{type(error).__name__}: {error}"]
        return cls(seed, reference, machine, " ".join(wrong[0].split()) if wrong else "")

    @property
    def line(self) -> str:
        return f"{self.seed}\t{self.reference}\t{self.machine}\t{self.failure}\n"

    @classmethod
    def read(cls, line: str) -> Self:
        seed, reference, machine, failure = line.rstrip("\n").split("\t")
        return cls(int(seed), int(reference), int(machine), failure)


def changed_again(after: ModuleOp, preset: str) -> str | None:
    """The first line that a second run of LPT writes otherwise."""
    again, _ = optimized(after, preset)
    before, now = str(after).splitlines(), str(again).splitlines()
    return next((line for old, line in zip_longest(before, now) if old != line), None)


def known(log: Path | None, compiled: bool) -> dict[int, Outcome]:
    """What a run before this one found right."""
    if log is None or not log.exists():
        return {}
    found = map(Outcome.read, log.read_text().splitlines(keepends=True))
    return {
        one.seed: one for one in found if not one.failure and (one.machine >= 0 or not compiled)
    }


def run(options: argparse.Namespace) -> Iterator[Outcome]:
    """Each seed's outcome: known, or found and written down."""
    before = known(options.log, options.compiled)
    for seed in range(options.first, options.last):
        if (outcome := before.get(seed)) is None:
            outcome = Outcome.of(seed, options.compiled, options.edition)
            if options.log is not None:
                with options.log.open("a") as file:
                    file.write(outcome.line)
        if outcome.failure:
            print(f"{graph_of(seed, options.edition)}: {outcome.failure}", flush=True)
        yield outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("last", type=int, nargs="?", default=500, help="the one after the last")
    parser.add_argument("--compiled", action="store_true", help="compile every layer, too")
    parser.add_argument("--edition", type=int, default=EDITIONS, help="what the seeds mean")
    parser.add_argument("--log", type=Path, help="where to write a line for each seed")
    parser.add_argument("--fired", action="store_true", help="count what each transformation did")
    options = parser.parse_args()
    start = time.process_time()
    with counting() as fired:
        outcomes = list(run(options))
    if options.fired:
        for name in sorted(transformation_names(), key=lambda name: -fired[name]):
            print(f"{fired[name]:8} {name}")
    failed = sum(bool(one.failure) for one in outcomes)
    print(
        f"{len(outcomes)} models, {failed} failures; {sum(one.reference for one in outcomes)} comparisons in the "
        f"reference executor, {sum(max(one.machine, 0) for one in outcomes)} layers of "
        f"{sum(one.machine >= 0 for one in outcomes)} models on the machine, "
        f"{time.process_time() - start:.0f} s of CPU time"
    )
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
