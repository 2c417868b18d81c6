"""A pool of streams of a small int8 cell, and what its streams would get alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lowstream
from lowstream.interop.model import Model
from lowstream.test.unit.runtime.runtime_models import module

Array = np.ndarray[Any, Any]
ROOT = Path(__file__).parents[3]


def stateful(text: str) -> Model:
    return Model(module(text))


@pytest.fixture(scope="module")
def step() -> Model:
    """An int8 cell with a state; its former input for that is used no more."""
    model = lowstream.read_model(ROOT / "docs/examples/step.mlir")
    lowstream.run_passes(model, "low-latency2,lpt")
    return model


@pytest.fixture(scope="module")
def pool(step: Model) -> lowstream.StreamPool:
    return lowstream.StreamPool(step, 40)


@pytest.fixture(scope="module")
def alone(step: Model) -> lowstream.CompiledModel:
    return lowstream.compile_model(step)


def frames(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def as_alone(compiled: lowstream.CompiledModel, x: Array) -> Array:
    """The outputs of one stream by itself, over frames `[steps, …]`."""
    return compiled.create_infer_request().infer_sequence({"X": x})[0]
