"""
Random single operations of OpenVINO's, here and in its CPU plugin, and here in the reference: `make operations`, or
with SEEDS="windows 0 10000".

Types, ranks, attributes, broadcasting, constant or computed arguments, and unknown shapes are drawn; so are the
instruction set and the threads. Half of the seeds have NaN, infinities and empty dimensions.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
import numpy as np
import openvino as ov
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.lowering.machine import ENVIRONMENT, available_isas
from lowstream.reference.executor import Executor
from lowstream.test.fuzz.operations import (
    dags,
    detection,
    elementwise,
    movement,
    recurrent,
    sums,
    windows,
)
from lowstream.test.fuzz.operations.case import Array, Built, Case, Draw, built

FAMILIES = {
    "elementwise": elementwise.FAMILY,
    "movement": movement.FAMILY,
    "sums": sums.FAMILY,
    "windows": windows.FAMILY,
    "recurrent": recurrent.FAMILY,
    "dags": dags.FAMILY,
    "detection": detection.FAMILY,
}
ISAS = [isa.name for isa in available_isas()]
CORE = ov.Core()
FOUND = 3
"""The exit status of a process that tried all its seeds, of which some fail; a traceback's is 1."""
EXACT = {
    "INFERENCE_PRECISION_HINT": "f32",
    "EXECUTION_MODE_HINT": "ACCURACY",
    "INFERENCE_NUM_THREADS": 1,
}


def drawn(family: str, seed: int) -> tuple[Case, Built, Draw]:
    random = np.random.default_rng([seed, *family.encode()])
    draw = Draw(random, specials=bool(seed % 2), empty=bool(seed % 2))
    makers = FAMILIES[family]
    case = makers[seed % len(makers)](draw)
    return case, built(case, draw, dynamic=draw.flag(0.3)), draw


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


def theirs(model: ov.Model, call: Sequence[Array]) -> list[Array]:
    """Results of OpenVINO. Raises RuntimeError where it refuses the model."""
    request = CORE.compile_model(model, "CPU", EXACT).create_infer_request()
    return [np.array(v) for v in request.infer(list(call)).values()]


def evaluated(model: ov.Model, call: Sequence[Array]) -> list[Array]:
    """Results of OpenVINO's own reference. Raises RuntimeError where it has none."""
    kinds = [output.get_element_type() for output in model.outputs]
    found = [ov.Tensor(kind, ov.Shape([])) for kind in kinds]
    if not model.evaluate(found, [ov.Tensor(np.ascontiguousarray(a)) for a in call]):
        raise RuntimeError("evaluate says no")
    return [np.array(tensor.data) for tensor in found]


def failure_of(family: str, seed: int, counts: Counter[str]) -> str:
    """What is wrong with a case; empty if nothing is."""
    try:
        case, each, draw = drawn(family, seed)
    except RuntimeError as error:
        counts["no operation"] += 1
        if counts["verbose"]:
            print(f"  {seed} {' '.join(str(error).split())[-200:]}", flush=True)
        return ""
    os.environ[ENVIRONMENT] = draw.one(*ISAS)
    where = f"{case.name} [{os.environ[ENVIRONMENT]}{' dynamic' * each.is_dynamic}]"
    try:
        model = read_model(each.model)
        request = compile_model(model, num_threads=draw.number(1, 2)).create_infer_request()
    except DiagnosticException as error:
        counts["refused here"] += 1
        return f"{where} REFUSED {error}"
    except Exception as error:  # noqa: BLE001 (any but a refusal is a finding)
        return f"{where} {type(error).__name__}: {error}"
    for number, call in enumerate(each.calls):
        if failure := _failure_of_call(case, each, request, call, counts):
            return f"{where} call {number} {[a.shape for a in call]}: {failure}"
    return ""


def _failure_of_call(
    case: Case, each: Built, request: Any, call: Sequence[Array], counts: Counter[str]
) -> str:
    try:
        static = each.static(call)
    except RuntimeError:
        return ""
    try:
        ours = [np.array(v) for v in request.infer(list(call)).values()]
        meant = Executor(read_model(static).module).run(list(call))
    except Exception as error:  # noqa: BLE001 (whatever it is, it is a finding)
        return f"{type(error).__name__}: {error}"
    counts["calls"] += 1
    if said := apart(meant, ours, case.tolerance):
        return f"machine and reference: {said}"
    if not case.peer or not all(array.size for array in case.arguments):
        return ""  # OpenVINO ends the process on some of these
    try:
        wanted = theirs(static, call)
    except RuntimeError as error:
        counts["refused by OpenVINO"] += 1
        if counts["verbose"]:
            print(f"  {case.name} {' '.join(str(error).split())[-200:]}", flush=True)
        return ""
    counts["compared with OpenVINO"] += 1
    if not (said := apart(wanted, ours, case.tolerance)):
        return ""
    try:
        if not apart(evaluated(static, call), ours, case.tolerance):
            counts["OpenVINO differs from its reference"] += 1
            return ""
    except RuntimeError:
        pass  # it has no judgement
    return f"OpenVINO and ours: {said}"


def try_seeds(family: str, first: int, last: int, verbose: bool) -> int:
    """Prints what fails, and how much was tried; the number of failures."""
    counts: Counter[str] = Counter(verbose=int(verbose))
    start, wrong = time.process_time(), 0
    for seed in range(first, last):
        print(seed, file=sys.stderr, flush=True)
        if failure := failure_of(family, seed, counts):
            wrong += 1
            print(f"{family} {seed}: {' '.join(failure.split())[:400]}", flush=True)
    del counts["verbose"]
    print(
        f"{family}: {last - first} tried, {dict(counts)}, {wrong} failures, "
        f"{time.process_time() - start:.0f} s of CPU time",
        flush=True,
    )
    return wrong


def survived(family: str, first: int, last: int, rest: Sequence[str]) -> bool:
    """Whether nothing fails, in processes of their own: OpenVINO ends some."""
    is_right = True
    while first < last:
        command = [
            sys.executable,
            "-P",
            "-W",
            "ignore",
            __file__,
            family,
            str(first),
            str(last),
            "--here",
            *rest,
        ]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        seeds = [line for line in done.stderr.splitlines() if line.isdigit()]
        if others := [line for line in done.stderr.splitlines() if not line.isdigit()]:
            print(f"{family} {seeds[-1:]}: {others[-1]}", flush=True)
        if done.returncode in (0, FOUND):
            return is_right and not done.returncode
        last_tried = seeds[-1] if seeds else first
        print(f"{family} {last_tried}: the process ended with {done.returncode}", flush=True)
        first, is_right = int(last_tried) + 1, False
    return is_right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", nargs="?", choices=[*FAMILIES, "all"], default="all")
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("last", type=int, nargs="?", default=200)
    parser.add_argument("--verbose", action="store_true", help="also what OpenVINO refuses")
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
