"""Models as TensorFlow printed them, with what they gave: compiled here, and written and run in LiteRT."""

from pathlib import Path

import numpy as np
import pytest

from lowstream.interop.mlir_file import read_mlir
from lowstream.interop.tensorflow.importer import PIPELINE
from lowstream.interop.tflite import tflite_module
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.runtime.compiler import compile_model
from lowstream.test.unit.interop.tensorflow.keras_images import MODELS as IMAGES  # pyright: ignore[reportMissingImports]
from lowstream.test.unit.interop.tflite.interpreter import LiteRt  # pyright: ignore[reportMissingImports]

FILES = sorted((Path(__file__).parent / "files").glob("*.mlir"))

RESET = 2
"""The call before which states are reset."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_model_of_keras_gives_what_it_gave(file: Path):
    module = read_mlir(file)
    run_passes(module, PIPELINE)
    calls = np.load(file.with_suffix(".npz"))
    litert, request = LiteRt(module), compile_model(module).create_infer_request()
    is_fused = any("SEQUENCE_LSTM" in name for name in litert.operators)
    assert is_fused or file.stem.split("_")[1] in ("gru", *IMAGES)
    for call in range(3):
        if call == RESET:
            litert.reset()
            request.reset_state()
        x = calls[f"{call}/x"]
        expected = [calls[name] for name in calls.files if name.startswith(f"{call}/y")]
        for ours in (litert.run([x]), list(request.infer([x]))):
            assert len(ours) == len(expected)
            for mine, reference in zip(ours, expected, strict=True):
                np.testing.assert_allclose(mine, reference, rtol=1e-5, atol=1e-5)
    again = Executor(tflite_module(litert.data))
    x = calls["0/x"]
    for i, mine in enumerate(again.run([x])):
        np.testing.assert_allclose(mine, calls[f"0/y{i}"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["keras2_states", "keras2_stateful", "keras3_states"])
def test_an_lstm_that_gives_its_states_runs_once(name: str):
    """Its last cell state is asked of the same operator as its outputs."""
    module = read_mlir(Path(__file__).parent / "files" / f"{name}.mlir")
    run_passes(module, PIPELINE)
    assert LiteRt(module).operators.count("UNIDIRECTIONAL_SEQUENCE_LSTM") == 1


def test_files_are_there():
    assert len(FILES) >= 20
