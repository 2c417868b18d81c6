"""
Random single operators of ONNX, here and in ONNX Runtime: `make onnx`, or with SEEDS="movement 0 10000".

Versions 7 to 24, types, ranks, attributes, constant or computed arguments and unknown shapes are drawn; so are the
instruction set and the threads.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
import numpy as np
import onnxruntime
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.lowering.machine import ENVIRONMENT, available_isas
from lowstream.reference.executor import Executor
from lowstream.test.fuzz.onnx import elementwise, movement, sums, windows
from lowstream.test.fuzz.onnx.case import OnnxCase, Written, written
from lowstream.test.fuzz.operations.case import Array, Draw
from lowstream.test.fuzz.single_operations import FOUND, apart
from lowstream.test.unit.interop.onnx.sessions import one_thread, session_of

FAMILIES = {
    "elementwise": elementwise.FAMILY,
    "movement": movement.FAMILY,
    "sums": sums.FAMILY,
    "windows": windows.FAMILY,
}
ISAS = [isa.name for isa in available_isas()]


def drawn(family: str, seed: int) -> tuple[OnnxCase, Written, Draw]:
    random = np.random.default_rng([seed, *b"onnx", *family.encode()])
    draw = Draw(random, specials=seed % 4 == 1, empty=seed % 4 == 2)
    makers = FAMILIES[family]
    case = makers[seed % len(makers)](draw)
    return case, written(case, draw, dynamic=draw.flag(0.2)), draw


def theirs(each: Written) -> list[Array]:
    """Results of ONNX Runtime. Raises one of its errors where it refuses the model."""
    options = one_thread()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = session_of(each.model.SerializeToString(), options)
    return [
        np.asarray(v) for v in session.run(None, {k: np.asarray(v) for k, v in each.feeds.items()})
    ]


def failure_of(family: str, seed: int, counts: Counter[str], verbose: bool) -> str:
    """What is wrong with a case; empty if nothing is."""
    try:
        case, each, draw = drawn(family, seed)
    except LookupError:
        counts["not in this version"] += 1
        return ""
    os.environ[ENVIRONMENT] = draw.one(*ISAS)
    where = f"{case.name} {each.opset} [{os.environ[ENVIRONMENT]}]"
    try:
        wanted = theirs(each)
    except Exception as error:  # noqa: BLE001 (ONNX Runtime has many kinds)
        counts["refused by ONNX Runtime"] += 1
        if verbose:
            print(f"  {seed} {where} {' '.join(str(error).split())[-200:]}", flush=True)
        wanted = None
    try:
        model = read_model(each.model)
        request = compile_model(model, num_threads=draw.number(1, 2)).create_infer_request()
        ours = [np.array(v) for v in request.infer(dict(each.feeds)).values()]
    except DiagnosticException as error:
        counts["refused here"] += 1
        is_known = each.is_static and wanted is not None
        return f"{where} REFUSED {error}" if is_known else ""
    except Exception as error:  # noqa: BLE001 (any but a refusal is a finding)
        return f"{where} {type(error).__name__}: {error}"
    counts["calls"] += 1
    if each.is_static:
        meant = Executor(model.module).run(list(each.feeds.values()))
        if said := apart(meant, ours, case.tolerance):
            return f"{where} machine and reference: {said}"
    if wanted is None or not case.peer:
        return ""
    counts["compared with ONNX Runtime"] += 1
    said = apart(wanted, ours, case.tolerance)
    return said and f"{where} ONNX Runtime and ours: {said}"


def try_seeds(family: str, first: int, last: int, verbose: bool) -> int:
    """Prints what fails, and how much was tried; the number of failures."""
    counts: Counter[str] = Counter()
    start, wrong = time.process_time(), 0
    for seed in range(first, last):
        print(seed, file=sys.stderr, flush=True)
        if failure := failure_of(family, seed, counts, verbose):
            wrong += 1
            print(f"{family} {seed}: {' '.join(failure.split())[:400]}", flush=True)
    print(
        f"{family}: {last - first} tried, {dict(counts)}, {wrong} failures, "
        f"{time.process_time() - start:.0f} s of CPU time",
        flush=True,
    )
    return wrong


def survived(family: str, first: int, last: int, rest: Sequence[str]) -> bool:
    """Whether nothing fails, in processes of their own, which a wrong kernel may end."""
    is_right = True
    while first < last:
        command = [sys.executable, "-P", "-W", "ignore", __file__, family, str(first), str(last)]
        done = subprocess.run(
            [*command, "--here", *rest], stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode in (0, FOUND):
            return is_right and not done.returncode
        lines = done.stderr.splitlines()
        seeds = [int(line) for line in lines if line.isdigit()]
        print(f"{family} {seeds[-1:]}: ended with {done.returncode}: {lines[-1]}", flush=True)
        first, is_right = (seeds[-1] if seeds else last) + 1, False
    return is_right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", nargs="?", choices=[*FAMILIES, "all"], default="all")
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("last", type=int, nargs="?", default=200)
    parser.add_argument("--verbose", action="store_true", help="also what ONNX Runtime refuses")
    parser.add_argument("--here", action="store_true", help="in this process")
    options = parser.parse_args()
    families = FAMILIES if options.family == "all" else [options.family]
    if options.here:
        limits = options.first, options.last, options.verbose
        sys.exit(FOUND * (sum(try_seeds(family, *limits) for family in families) > 0))
    rest = ["--verbose"] * options.verbose
    found = [survived(family, options.first, options.last, rest) for family in families]
    sys.exit(not all(found))


if __name__ == "__main__":
    main()
