"""`lowstream`: its commands, what they have in common, and what it says of words that are none."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from lowstream import read_model
from lowstream.tools import command, doctor_tool
from lowstream.tools.command import COMMANDS, main

TEXT = """
func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}) -> (tensor<2xf32> {nn.names = ["Y"]}) {
  %y = nn.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
"""

PRODUCT = """
func.func @main(%x: tensor<1x2xf32> {nn.names = ["X"]}) -> (tensor<1x2xf32> {nn.names = ["Y"]}) {
  %w = nn.constant dense<[[0.5, -1.0], [2.0, 0.25]]> : tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
"""

BOTH_COMPUTED = """
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant dense<[[0.5, -1.0], [2.0, 0.25]]> : tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %x, %y : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}
"""

Fails = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mlir").write_text(TEXT)
    (tmp_path / "unknown.mlir").write_text(TEXT.replace("2xf32", "?xf32"))
    return tmp_path


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """What a command line that is wrong says last."""

    def run(status: int, *words: str) -> str:
        with pytest.raises(SystemExit) as error:
            main(words)
        assert error.value.code == status
        return capsys.readouterr().err.splitlines()[-1]

    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]):
    for words in ([name, "--help"], ["help", name]):
        with pytest.raises(SystemExit) as error:
            main(words)
        assert error.value.code == 0
        said = capsys.readouterr().out
        assert said.startswith(f"usage: lowstream {name} ")
        values = re.findall(r"\[--\S+ ([A-Z_]+)\]", said)
        assert not {*values} & {"TIME", "THREADS", "STEPS", "TOP", "CAPACITY", "MOST_BYTES"}, (
            "units, not names"
        )


def test_what_is_none_is_suggested(folder: Path, fails: Fails):
    assert fails(2, "explan").endswith("there is no command 'explan'; did you mean explain?")
    assert fails(2, "help", "explan") == fails(2, "explan")
    assert fails(2, "completion").endswith("did you mean --completion?")
    assert fails(2, "--hlep").endswith("unrecognized arguments: --hlep; did you mean --help?")
    assert fails(2).startswith("exit status: ")  # the whole help
    unknown = "lowstream run: error: unrecognized arguments: --inptu X=x.npy; did you mean --input?"
    assert fails(2, "run", "m.mlir", "--inptu", "X=x.npy") == unknown
    assert "--hepl; did you mean --help?" in fails(2, "serve", "--hepl")
    assert fails(2, "run", "--threads").endswith("argument --threads: expected one argument")
    low = "unrecognized arguments: --low-latency; did you mean --low-latency2"
    assert low in fails(2, "opt", "--low-latency", "m.mlir")
    assert "no pass 'lptt'; did you mean lpt?" in fails(1, "explain", "m.mlir", "-p", "lptt")
    np.save("x.npy", np.zeros(2, np.float32))
    assert "did you mean" in fails(1, "run", "m.mlir", "--input", "Xx=x.npy")


def test_inputs_are_random_and_have_the_shapes_that_are_said(
    folder: Path, fails: Fails, capsys: pytest.CaptureFixture[str]
):
    assert fails(1, "run", "unknown.mlir").endswith("say its shape, as in --reshape X=1")
    for flag in ("--reshape", "--shape"):
        main(["run", "unknown.mlir", flag, "X=3", "--steps", "2", "--output", "."])
        assert "inputs are random numbers" in capsys.readouterr().out
        assert np.load("Y.npy").shape == (2, 3)
    main(["translate", "unknown.mlir", "--reshape", "X=4", "-o", "four.mlir"])
    main(["opt", "--reshape", "X=4", "unknown.mlir", "-o", "same.mlir"])
    for name in ("four.mlir", "same.mlir"):
        assert read_model(name).inputs[0].shape == (4,)


@pytest.mark.parametrize("words", ["translate - -o -", "translate -", "opt - -o -", "opt -"])
def test_a_dash_is_standard_input_or_output(
    words: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(TEXT.encode())))
    main(words.split())
    assert "nn.add %x, %x" in capsys.readouterr().out
    assert {path.name for path in folder.iterdir()} == {"m.mlir", "unknown.mlir"}


def test_explain_says_why_a_layer_is_not_low(folder: Path, capsys: pytest.CaptureFixture[str]):
    main(["explain", "m.mlir", "-o", "report.csv"])
    assert ",Add,f32 f32,f32," in Path("report.csv").read_text()
    capsys.readouterr()
    main(["explain", "m.mlir"])
    assert "Add" in capsys.readouterr().out


def test_quantize_writes_a_model_of_8_bit_products(
    folder: Path, capsys: pytest.CaptureFixture[str], fails: Fails
):
    Path("f32.mlir").write_text(PRODUCT)
    np.save("samples.npy", np.random.default_rng(0).normal(size=(9, 1, 2)).astype(np.float32))
    main(["quantize", "f32.mlir", "--input", "samples.npy", "-o", "int8.mlir"])
    assert capsys.readouterr().out.startswith("1 of 1 matrix products")
    assert "qnn.fake_quantize" in Path("int8.mlir").read_text()
    assert "quantized already" in fails(
        1, *["quantize", "int8.mlir", "--input", "samples.npy", "-o", "x.mlir"]
    )
    assert not Path("x.mlir").exists()


def test_quantize_counts_what_compiling_makes_of_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    """Of two operands with zero points, too, which `lpt` alone leaves to floating point."""
    Path("f32.mlir").write_text(BOTH_COMPUTED)
    samples = np.random.default_rng(0).uniform(-1, 2, (9, 2, 2)).astype(np.float32)
    np.save("samples.npy", samples)
    main(["quantize", "f32.mlir", "--input", "samples.npy", "-o", "int8.mlir"])
    assert capsys.readouterr().out.startswith("2 of 2 matrix products")
    main(["explain", "int8.mlir"])
    assert "2 of 2 matrix products" in capsys.readouterr().out


def test_explain_runs_the_passes_of_compiling_or_those_that_are_named(folder: Path):
    Path("f32.mlir").write_text(PRODUCT)
    np.save("samples.npy", np.random.default_rng(0).normal(size=(9, 1, 2)).astype(np.float32))
    main(["quantize", "f32.mlir", "--input", "samples.npy", "-o", "int8.mlir"])
    for passes, types in (([], "u8 i8,i32,"), (["-p", ""], "f32 f32,f32,")):
        main(["explain", "int8.mlir", *passes, "-o", "report.csv"])
        assert f"mat_mul#1,MatMul,{types}" in Path("report.csv").read_text()


def test_doctor_says_what_there_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: Fails
):
    monkeypatch.setenv("LOWSTREAM_ISA", "portable")
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")
    main(["doctor"])
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    said = {key: value[0] if value else "" for key, *value in lines}
    assert said["instruction"].split() == ["set", "portable"]
    assert said["folder"] == "none: LOWSTREAM_CACHE_DIR is empty"
    assert said["onnx"] and said["lowstream"]
    assert said["tensorflow"].endswith(" (for tensorflow)") and "mkdocs-material" not in said
    assert said["tensorflow"].startswith(
        "not installed: pip install 'tensorflow>="
    ) or doctor_tool.version_of("tensorflow")
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(folder))
    (folder / f"{0:064x}.note").write_bytes(bytes(3 << 19))
    main(["doctor"])
    assert capsys.readouterr().out.splitlines()[-1].split() == ["size", "1.5", "of", "1024", "MiB"]
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", long := "x" * 300)
    main(["doctor"])
    assert f"{long} cannot be read: File name too long; models are" in capsys.readouterr().out
    monkeypatch.setenv("LOWSTREAM_ISA", "mmx")
    assert "LOWSTREAM_ISA=mmx is not an instruction set" in fails(1, "doctor")


def test_shells_complete_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: Fails
):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert "completing commands needs the shtab package" in fails(1, "--completion", "bash")
    monkeypatch.undo()
    pytest.importorskip("shtab")
    main(["--completion", "bash"])
    script = capsys.readouterr().out
    assert (
        "(opt translate quantize run benchmark explain serve doctor)" in script
        and "--low-latency2" in script
    )
    for shell in ("bash", "zsh", "fish"):
        main(["--completion", shell])
        script = capsys.readouterr().out
        assert "low-latency2" in script
        if (path := shutil.which(shell)) is not None:
            subprocess.run([path, "-n"], input=script, text=True, check=True)


class Interrupts:
    """An attribute of a class in whose definition Ctrl-C comes."""

    def __set_name__(self, owner: type, name: str) -> None:
        raise KeyboardInterrupt


def test_ctrl_c_before_there_is_a_command(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "have_output", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(SystemExit) as error:
        main(["run", "m.mlir"])
    assert error.value.code == 128 + signal.SIGINT


@pytest.mark.parametrize("defines", [False, True])
def test_ctrl_c_ends_quietly(monkeypatch: pytest.MonkeyPatch, defines: bool):
    """Also while a tool is imported, and its classes are defined."""

    def interrupted(name: str) -> None:
        if defines:
            type("Defined", (), {"attribute": Interrupts()})
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "import_module", interrupted)
    with pytest.raises(SystemExit) as error:
        main(["run", "m.mlir"])
    assert error.value.code == 128 + signal.SIGINT


def test_it_is_a_module_too():
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "lowstream", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    assert ran.stdout.startswith("lowstream ")


def test_it_loads_little_and_collects_no_garbage_when_the_process_ends():
    """Ctrl-C during an import is nobody's, until there is a command. What is registered first is called last."""
    script = (
        "import atexit, gc, sys, contextlib\n"
        "atexit.register(lambda: print('frozen', gc.get_freeze_count() > 0))\n"
        "before = {*sys.modules}\n"
        "from lowstream.tools.command import main\n"
        "print({name for name in {*sys.modules} - before if not name.startswith('lowstream')})\n"
        "main(['doctor'])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    assert ran.stdout.startswith("set()\n")
    assert ran.stdout.endswith("frozen True\n")


def test_serving_names_all_packages_that_it_lacks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, fails: Fails
):
    have = doctor_tool.version_of
    lacks = {"uvicorn": "", "fastapi": ""}
    monkeypatch.setattr(doctor_tool, "version_of", lambda name: lacks.get(name, have(name)))
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = fails(1, "serve", "m.mlir")
    assert "serving needs the packages fastapi, uvicorn: pip install 'fastapi>=" in said
