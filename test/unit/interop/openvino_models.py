"""OpenVINO models in files, and whether they mean here what they mean to OpenVINO."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov
import openvino.opset15 as opset

from lowstream import Model, read_model
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.nodes import Array

F32 = {"INFERENCE_PRECISION_HINT": "f32"}

core = cache(ov.Core)
"""OpenVINO, whose plugins are loaded once."""


def parameter(*shape: int, dtype: npt.DTypeLike = np.float32, name: str = "x") -> Any:
    node = opset.parameter(list(shape), dtype)
    node.set_friendly_name(name)
    node.output(0).set_names({name})
    return node


def model_of(results: Sequence[Any], inputs: Sequence[Any], sinks: Sequence[Any] = ()) -> Any:
    build: Any = ov.Model
    return build(list(results), list(sinks), list(inputs), "model")


def save(
    folder: Path, outputs: Sequence[Any], inputs: Sequence[Any], sinks: Sequence[Any] = ()
) -> Path:
    results = [opset.result(output) for output in outputs]
    model = model_of(results, inputs, sinks)
    ov.save_model(model, folder / "model.xml", compress_to_fp16=False)
    return folder / "model.xml"


def assert_alike(path: Path) -> Model:
    """A file is the same module as what OpenVINO's own reader makes of it."""
    ours, theirs = read_model(path), read_model(core().read_model(path))
    assert str(ours.module) == str(theirs.module)
    return ours


def assert_agrees(path: Path, *steps: Sequence[Array], atol: float = 2e-6) -> Model:
    """The module is that of OpenVINO's own reader, and the reference executor gives its results, step by step."""
    model = assert_alike(path)
    executor = Executor(model.module)
    request = core().compile_model(path, "CPU", F32).create_infer_request()
    for inputs in steps:
        theirs, ours = request.infer(list(inputs)), executor.run(list(inputs))
        assert_near(ours, [theirs[i] for i in range(len(ours))], atol)
    return model


def assert_near(ours: Sequence[Array], theirs: Sequence[Array], atol: float) -> None:
    """Results have the same types, and values that differ by at most so much."""
    for have, want in zip(ours, theirs, strict=True):
        assert have.dtype == want.dtype
        np.testing.assert_allclose(have, want, rtol=0, atol=atol)
