"""Models that TensorFlow printed, fused and unfused, against what Keras computed; `make_models.py` made the files."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import lowstream
from lowstream.interop.mlir_file import read_mlir
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

HERE = Path(__file__).parent
MODELS = sorted(path.stem for path in (HERE / "data").glob("*.mlir"))
TOLERANCE = 1e-5

FUSE = "prepare-composite-functions"
LEGALIZE = "legalize-tf-to-nn,legalize-tfl-to-nn,fold-constants"
RAISE = "raise-tf-while-to-lstm,fold-constants,cse"

RNN = ("rnn.lstm_sequence", "rnn.gru_sequence", "rnn.rnn_sequence")


@cache
def as_printed(name: str) -> ModuleOp:
    return read_mlir(HERE / "data" / f"{name}.mlir")


@cache
def fused(name: str) -> ModuleOp:
    module = load(name)
    run_passes(module, FUSE)
    return module


@cache
def raised(name: str) -> ModuleOp:
    """Without operations of TensorFlow or LiteRT, and loops that are layers as these."""
    module = fused(name).clone()
    run_passes(module, f"{LEGALIZE},{RAISE}")
    return module


def load(name: str) -> ModuleOp:
    """One that may be changed."""
    return as_printed(name).clone()


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk()]


def fused_layers(name: str) -> list[str]:
    return [op for op in names(fused(name)) if op.startswith("tfl.") and op.endswith("lstm")]


def check(name: str, call: Callable[[Any], list[Any]]) -> None:
    """Calls a model as often as Keras was called, with the same input each time."""
    archive = np.load(HERE / "data" / f"{name}.npz")
    calls = 1 + max(int(key[4:].split("/")[0]) for key in archive.files if key != "x")
    for number in range(calls):
        results = call(archive["x"])
        for i, result in enumerate(results):
            expected = archive[f"call{number}/{i}"]
            assert result.shape == expected.shape
            allowed = TOLERANCE * max(1, np.abs(expected).max())
            assert np.abs(result - expected).max() <= allowed


def by_reference(module: ModuleOp) -> Callable[[Any], list[Any]]:
    executor = Executor(module)
    return lambda x: executor.run([x])


def by_machine(module: ModuleOp) -> Callable[[Any], list[Any]]:
    request = lowstream.compile_model(module).create_infer_request()

    def call(x: Any) -> list[Any]:
        results = request.infer([x])
        return [np.array(results[i]) for i in range(len(results))]

    return call


@pytest.mark.parametrize("name", MODELS)
def test_unfused_models_run(name: str):
    module = load(name)
    run_passes(module, "legalize-tf-to-nn")
    assert not any(op in RNN for op in names(module))
    check(name, by_reference(module))


@pytest.mark.parametrize("name", MODELS)
def test_fused_models_run(name: str):
    check(name, by_reference(raised(name)))


@pytest.mark.parametrize("name", MODELS)
def test_compiled_models_run(name: str):
    check(name, by_machine(fused(name).clone()))


@pytest.mark.parametrize("name", ["keras2_masked", "keras3_stateful", "keras3_gru"])
def test_compiled_loops_run(name: str):
    module = load(name)
    run_passes(module, "legalize-tf-to-nn")
    check(name, by_machine(module))


ONE_SEQUENCE = {name for name in MODELS if name.startswith("keras")} - {
    "keras2_stacked",
    "keras3_stacked",
    "keras3_lstm_bidirectional",
    "keras3_lstm_bidirectional_sum",
    "keras3_lstm_bidirectional_last",
}


@pytest.mark.parametrize("name", sorted(ONE_SEQUENCE))
def test_a_layer_is_one_sequence(name: str):
    found = names(raised(name))
    assert sum(op in RNN for op in found) == 1
    assert not any(op.startswith("infra.loop") for op in found)


@pytest.mark.parametrize(
    "name",
    [m for m in MODELS if m.startswith("keras2_lstm") and "bidirectional" not in m]
    + ["keras2_stateful", "keras2_dynamic", "keras2_initial_state", "adapted"],
)
def test_keras_functions_become_one_operation(name: str):
    assert fused_layers(name) == ["tfl.unidirectional_sequence_lstm"]


@pytest.mark.parametrize("merge", ["", "_sum", "_last"])
def test_two_directions_become_one_operation(merge: str):
    layers = fused_layers(f"keras2_lstm_bidirectional{merge}")
    assert layers == ["tfl.bidirectional_sequence_lstm"]


@pytest.mark.parametrize("name", [m for m in MODELS if m.startswith("lingvo")])
def test_lingvo_cells_become_one_operation(name: str):
    (cell,) = (op for op in fused(name).walk() if op.name == "tfl.lstm")
    assert cell.properties["cell_clip"].value.data == 0.25  # pyright: ignore[reportAttributeAccessIssue]


def test_a_masked_layer_stays_and_says_so(caplog: pytest.LogCaptureFixture):
    module = load("keras2_masked")
    run_passes(module, FUSE)
    assert not any(op.startswith("tfl.") for op in names(module))
    assert "takes a mask" in caplog.text and "raise-tf-while-to-lstm" in caplog.text


def test_the_saturating_cell_passes_the_clip_of_upstream():
    archive = np.load(HERE / "data" / "keras2_saturating.npz")
    assert np.abs(archive["call0/2"]).max() > 30


def test_the_models_are_what_tensorflow_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Runs the script for one model of each library, where these are installed."""
    if any(importlib.util.find_spec(n) is None for n in ("tensorflow", "tf_keras", "keras")):
        with capsys.disabled():
            print("\nleft out: making the models anew needs tensorflow, tf_keras and keras")
        return
    code = (
        "import make_models, pathlib, sys\n"
        "make_models.DATA = pathlib.Path(sys.argv[1])\n"
        "for name in ('keras2_lstm', 'keras3_gru'):\n"
        "    make_models.MODELS[name]()\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], cwd=HERE, check=True)
    for name in ("keras2_lstm", "keras3_gru"):
        module = read_mlir(tmp_path / f"{name}.mlir")
        run_passes(module, f"{FUSE},{LEGALIZE},{RAISE}")
        archive = np.load(tmp_path / f"{name}.npz")
        results = Executor(module).run([archive["x"]])
        for i, result in enumerate(results):
            assert np.abs(result - archive[f"call0/{i}"]).max() <= TOLERANCE
