"""Tries seeds one after the other, and prints those whose model is wrong."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable

from onnx import ModelProto


def operators(proto: ModelProto) -> list[str]:
    """What an ONNX model is made of."""
    return [node.op_type for node in proto.graph.node]


def try_seeds(
    description: str | None,
    count: int,
    parts_of: Callable[[int], Iterable[str]],
    failure_of: Callable[[int], str | None],
    refusing: str = "ONNX Runtime",
) -> None:
    """
    Tries the seeds that the command line names, or `count` of them, and exits with 1 if one fails. `parts_of` gives
    what a model is made of, and `failure_of` an empty text where `refusing` refuses it.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("last", type=int, nargs="?", default=count, help="the one after the last")
    options = parser.parse_args()
    start, failed, refused = time.process_time(), 0, 0
    for seed in range(options.first, options.last):
        failure = failure_of(seed)
        refused += failure == ""
        if failure:
            failed += 1
            print(
                f"{seed}: {' '.join(failure.split())[:300]} [{' '.join(parts_of(seed))}]",
                flush=True,
            )
    print(
        f"{options.last - options.first} models, {refused} that {refusing} refuses, {failed} failures, "
        f"{time.process_time() - start:.0f} s of CPU time"
    )
    sys.exit(failed > 0)
