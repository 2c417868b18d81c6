"""The dialects and passes of another installed package are known to every tool and to the Python API."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import context
from lowstream.passes.lpt_extensions import fingerprint
from lowstream.tools import opt_tool

PACKAGE = Path(__file__).parents[3] / "docs/examples/dialect"
MODEL = """
func.func @main(%x: tensor<3xf32> {nn.names = ["X"]}) -> (tensor<3xf32> {nn.names = ["Y"]}) {
  %y = mine.swish %x : tensor<3xf32> -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
"""
X = np.array([-1, 0, 2], np.float32)
EXPECTED = X / (1 + np.exp(-X))


@pytest.fixture(scope="module")
def site(install: Callable[[Path], Path]) -> Path:
    """A folder with the package, installed by pip."""
    return install(PACKAGE)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL)
    np.save(tmp_path / "x.npy", X)
    return path


def run(site: Path, model: Path, tool: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", f"lowstream.tools.{tool}", *words]
    environment = os.environ | {"PYTHONPATH": str(site)}
    return subprocess.run(
        command, cwd=model.parent, env=environment, capture_output=True, text=True, check=False
    )


def test_the_api_knows_it(site: Path, model: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(DiagnosticException, match=r"mine\.swish is not registered; is it missp"):
        lowstream.read_model(model)
    before = fingerprint()
    monkeypatch.syspath_prepend(site)
    assert fingerprint() != before, "executables are compiled anew"
    read = lowstream.read_model(model)
    lowstream.run_passes(read, "lower-mine,lpt")
    assert "mine" not in str(read.module)
    compiled = lowstream.compile_model(model, pipeline="lower-mine,lpt")
    results = compiled.create_infer_request().infer({"X": X})
    np.testing.assert_allclose(results["Y"], EXPECTED, rtol=1e-6)
    with pytest.raises(DiagnosticException, match="did you mean lower-mine"):
        lowstream.run_passes(read, "lower-mind")


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("opt_tool", ["--lower-mine", "--lpt", "model.mlir"]),
        ("opt_tool", ["-p", "lower-mine,lpt", "model.mlir"]),
        ("translate_tool", ["model.mlir"]),
        ("run_tool", ["model.mlir", "-p", "lower-mine", "--input", "X=x.npy"]),
        ("benchmark_tool", ["model.mlir", "-p", "lower-mine", "--time", "0.01"]),
    ],
)
def test_every_tool_knows_it(
    site: Path, model: Path, tool: str, words: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(site)
    monkeypatch.chdir(model.parent)
    import_module(f"lowstream.tools.{tool}").main(words)


def test_its_pass_is_compared_with_its_meaning(site: Path, model: Path):
    words = ("--verify-numerics", "--lower-mine", "model.mlir")
    done = run(site, model, "opt_tool", *words)
    assert (done.returncode, done.stderr) == (0, "")
    package = site / "swish_dialect/__init__.py"
    text = package.read_text()
    try:
        package.write_text(text.replace("nn.SigmoidOp.create", "nn.TanhOp.create"))
        wrong = run(site, model, "opt_tool", *words)
    finally:
        package.write_text(text)
    assert wrong.returncode == 1
    assert "lower-mine changed what @main gives" in wrong.stderr


def test_what_its_operation_is_derived_from_is_compiled_and_written(
    site: Path, model: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(site)
    model.write_text(MODEL.replace("mine.swish", "mine.softclip"))
    request = lowstream.compile_model(model).create_infer_request()
    np.testing.assert_allclose(request.infer({"X": X})["Y"], X / (1 + abs(X)), rtol=1e-6)
    assert (
        run(site, model, "opt_tool", "--verify-numerics", "--decompose-ops", "model.mlir").stderr
        == ""
    )
    lowstream.save_model(lowstream.read_model(model), model.with_suffix(".onnx"))
    text = str(lowstream.read_model(model.with_suffix(".onnx")).module)
    assert "nn.divide" in text and "mine." not in text


def test_types_of_its_operation_follow_new_shapes(
    site: Path, model: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(site)
    model.write_text(MODEL.replace("mine.swish", "mine.softclip"))
    read = lowstream.read_model(model)
    read.reshape({"X": [2, 5]})
    assert [tuple(port.shape) for port in read.outputs] == [(2, 5)]


def test_help_lists_its_pass(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.syspath_prepend(site)
    with pytest.raises(SystemExit):
        opt_tool.main(["--help"])
    assert "passes of other installed packages:\n  --lower-mine\n" in capsys.readouterr().out


def test_a_change_of_its_sources_is_a_change(site: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(site)
    before = fingerprint()
    source = site / "swish_dialect/__init__.py"
    os.utime(source, ns=(0, source.stat().st_mtime_ns + 1))
    assert fingerprint() != before


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("raise OSError('no license')", "does not load: OSError: no license"),
        ("UNIVERSE = 3", "gives 3; it must give a Universe"),
        (
            "from xdsl.universe import Universe\nUNIVERSE = Universe(all_dialects={'nn': int})",
            "declares the dialect 'nn', a name that is taken",
        ),
    ],
)
def test_what_does_not_fit_is_one_line(
    tmp_path: Path, model: Path, source: str, message: str, monkeypatch: pytest.MonkeyPatch
):
    site = tmp_path / "site"
    info = site / "wrong-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "wrong.py").write_text(source)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[xdsl.universe]\nwrong = wrong:UNIVERSE\n")
    said = f"entry point 'wrong' of xdsl.universe (wrong:UNIVERSE) {message}"
    if source.startswith("raise"):  # a tool ends in the line of any error
        done = run(site, model, "opt_tool", "model.mlir")
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert said in done.stderr
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, "wrong", raising=False)
    with pytest.raises(DiagnosticException) as error:
        lowstream.read_model(model)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_without_other_packages_there_is_nothing_more():
    assert {"nn", "builtin"} <= set(context().registered_dialect_names)
