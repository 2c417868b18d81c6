"""
Random single operators of ONNX, here and in ONNX Runtime: `make onnx`, or with SEEDS="movement 0 10000".

Versions 7 to 24, types, ranks, attributes, constant or computed arguments and unknown shapes are drawn; so are the
instruction set and the threads.
"""

from __future__ import annotations

import os

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
import numpy as np
import onnxruntime
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.lowering.machine import ENVIRONMENT, available_isas
from lowstream.reference.executor import Executor
from lowstream.test.fuzz.families import Tally, apart, try_families
from lowstream.test.fuzz.onnx import elementwise, movement, sums, windows
from lowstream.test.fuzz.onnx.case import OnnxCase, Written, written
from lowstream.test.fuzz.operations.case import Array, Draw
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


def failure_of(family: str, seed: int, tally: Tally) -> str:
    """What is wrong with a case; empty if nothing is."""
    try:
        case, each, draw = drawn(family, seed)
    except LookupError:
        tally.add("not in this version")
        return ""
    os.environ[ENVIRONMENT] = draw.one(*ISAS)
    where = f"{case.name} {each.opset} [{os.environ[ENVIRONMENT]}]"
    try:
        wanted = theirs(each)
    except Exception as error:  # noqa: BLE001 (ONNX Runtime has many kinds)
        tally.refused("refused by ONNX Runtime", f"{seed} {where}", error)
        wanted = None
    try:
        model = read_model(each.model)
        request = compile_model(model, num_threads=draw.number(1, 2)).create_infer_request()
        ours = [np.array(v) for v in request.infer(dict(each.feeds)).values()]
    except DiagnosticException as error:
        tally.add("refused here")
        is_known = each.is_static and wanted is not None
        return f"{where} REFUSED {error}" if is_known else ""
    except Exception as error:  # noqa: BLE001 (any but a refusal is a finding)
        return f"{where} {type(error).__name__}: {error}"
    tally.add("calls")
    if each.is_static:
        meant = Executor(model.module).run(list(each.feeds.values()))
        if said := apart(meant, ours, case.tolerance):
            return f"{where} machine and reference: {said}"
    if wanted is None or not case.peer:
        return ""
    tally.add("compared with ONNX Runtime")
    said = apart(wanted, ours, case.tolerance)
    return said and f"{where} ONNX Runtime and ours: {said}"


if __name__ == "__main__":
    try_families(__file__, __doc__, FAMILIES, failure_of)
