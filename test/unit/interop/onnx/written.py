"""What ONNX Runtime and our reader make of a model that is written as ONNX."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

from lowstream import Model, read_model, save_model
from lowstream.interop.onnx.states import STATES
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.onnx.sessions import one_thread, session_of

Array = np.ndarray[Any, Any]

onnxruntime.set_default_logger_severity(4)


class Session:
    """ONNX Runtime with the states that a model notes, as a user would keep them."""

    def __init__(self, path: Path):
        self.session = session_of(path)
        metadata: dict[str, str] = self.session.get_modelmeta().custom_metadata_map
        self.states: list[dict[str, str]] = json.loads(metadata.get(STATES, "[]"))
        self.kept: dict[str, Array] = {}
        hidden = {state[key] for state in self.states for key in ("input", "is_set")}
        names = [each.name for each in self.session.get_inputs()]
        self.inputs = [name for name in names if name not in hidden]

    def infer(self, inputs: Sequence[Array]) -> list[Array]:
        """One call; what it leaves in states is fed to the next."""
        feeds = dict(zip(self.inputs, inputs, strict=True)) | self.kept
        names = [each.name for each in self.session.get_outputs()]
        results: dict[str, Any] = dict(zip(names, self.session.run(None, feeds), strict=True))
        for state in self.states:
            if state["output"]:
                self.kept[state["input"]] = results.pop(state["output"])
            if state["is_set"]:
                self.kept[state["is_set"]] = np.array(True)
        return list(results.values())


def ran(path: Path) -> set[str]:
    """The types of the nodes that ONNX Runtime makes of a model."""
    options, optimized = one_thread(), path.with_suffix(".optimized.onnx")
    options.optimized_model_filepath = str(optimized)
    session_of(path, options)
    return {node.op_type for node in onnx.load(optimized).graph.node}


def assert_written(
    model: Model, path: Path, *steps: Sequence[Array], atol: float = 1e-5
) -> Session:
    """ONNX Runtime, and the model that is read back, give what the model means, call by call."""
    with np.errstate(all="ignore"):
        save_model(model, path)
        ours, again, session = (
            Executor(model.module),
            Executor(read_model(path).module),
            Session(path),
        )
        for inputs in steps:
            wanted = ours.run(list(inputs))
            for results in (session.infer(inputs), again.run(list(inputs))):
                for want, have in zip(wanted, results, strict=True):
                    assert have.dtype == want.dtype
                    np.testing.assert_allclose(have, want, rtol=1e-5, atol=atol)
    return session
