"""
Random single operations of OpenVINO's, here and in its CPU plugin, and here in the reference: `make operations`, or
with SEEDS="windows 0 10000".

Types, ranks, attributes, broadcasting, constant or computed arguments, and unknown shapes are drawn; so are the
instruction set and the threads. Half of the seeds have NaN, infinities and empty dimensions.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
import numpy as np
import openvino as ov
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.lowering.machine import ENVIRONMENT, available_isas
from lowstream.reference.executor import Executor
from lowstream.test.fuzz.families import Tally, apart, try_families
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


def failure_of(family: str, seed: int, tally: Tally) -> str:
    """What is wrong with a case; empty if nothing is."""
    try:
        case, each, draw = drawn(family, seed)
    except RuntimeError as error:
        tally.refused("no operation", str(seed), error)
        return ""
    os.environ[ENVIRONMENT] = draw.one(*ISAS)
    where = f"{case.name} [{os.environ[ENVIRONMENT]}{' dynamic' * each.is_dynamic}]"
    try:
        model = read_model(each.model)
        request = compile_model(model, num_threads=draw.number(1, 2)).create_infer_request()
    except DiagnosticException as error:
        tally.add("refused here")
        return f"{where} REFUSED {error}"
    except Exception as error:  # noqa: BLE001 (any but a refusal is a finding)
        return f"{where} {type(error).__name__}: {error}"
    for number, call in enumerate(each.calls):
        if failure := _failure_of_call(case, each, request, call, tally):
            return f"{where} call {number} {[a.shape for a in call]}: {failure}"
    return ""


def _failure_of_call(
    case: Case, each: Built, request: Any, call: Sequence[Array], tally: Tally
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
    tally.add("calls")
    if said := apart(meant, ours, case.tolerance):
        return f"machine and reference: {said}"
    if not case.peer or not all(array.size for array in case.arguments):
        return ""  # OpenVINO ends the process on some of these
    try:
        wanted = theirs(static, call)
    except RuntimeError as error:
        tally.refused("refused by OpenVINO", case.name, error)
        return ""
    tally.add("compared with OpenVINO")
    if not (said := apart(wanted, ours, case.tolerance)):
        return ""
    try:
        if not apart(evaluated(static, call), ours, case.tolerance):
            tally.add("OpenVINO differs from its reference")
            return ""
    except RuntimeError:
        pass  # it has no judgement
    return f"OpenVINO and ours: {said}"


if __name__ == "__main__":
    try_families(__file__, __doc__, FAMILIES, failure_of)
