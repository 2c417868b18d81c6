"""
Runs random quantized models before and after LPT, layer by layer: `make graphs`, or with SEEDS="0 10000 --compiled".

Prints the seeds of models in which something is more than one code apart.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "passes" / "lpt"))
from lowstream.test.unit.passes.lpt.random_graphs import graph_of
from lowstream.test.unit.passes.lpt.side_by_side import compare, optimized, wrong_on_machine


def failure_of(seed: int, compiled: bool) -> str | None:
    """What is wrong with the model of this seed."""
    try:
        graph = graph_of(seed)
        module, inputs = graph.build()
        after, aligned = optimized(module)
        apart = compare(module, inputs, graph, after, aligned)
        wrong = [str(one) for one in apart if not one.is_close]
        if compiled:
            wrong += map(str, wrong_on_machine(after, inputs))
    except Exception as error:  # noqa: BLE001 (of any kind: the seed says how to see it again)
        wrong = [f"{type(error).__name__}: {error}"]
    return wrong[0] if wrong else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("last", type=int, nargs="?", default=500, help="the one after the last")
    parser.add_argument("--compiled", action="store_true", help="compile every layer, too")
    options = parser.parse_args()
    start, failed = time.process_time(), 0
    for seed in range(options.first, options.last):
        if (failure := failure_of(seed, options.compiled)) is not None:
            failed += 1
            print(f"{graph_of(seed)}: {failure}", flush=True)
    count = options.last - options.first
    print(f"{count} models, {failed} failures, {time.process_time() - start:.0f} s of CPU time")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
