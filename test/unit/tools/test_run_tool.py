"""run-tool: streams from files, what it prints and writes, and how it refuses."""

import csv
import json
import re
import resource
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lowstream.tools.run_tool import file_stems, main

TEXT = """
infra.variable @total : tensor<2xf32>
func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}, %b: tensor<f32> {nn.names = ["bias"]})
    -> (tensor<2xf32> {nn.names = ["sum"]}, tensor<2xf32> {nn.names = ["out/biased"]}) {
  %zero = nn.constant dense<0.0> : tensor<2xf32>
  %t = infra.read_value @total, %zero : tensor<2xf32> -> tensor<2xf32>
  %y = nn.add %x, %t {nn.name = "accumulate"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nn.add %y, %b {nn.name = "shift"} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  infra.assign @total, %y : tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}
"""
"""A running sum, and the same with a bias."""

GROWS = """
infra.variable @rows : tensor<?xf32>
func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}) -> (tensor<?xf32> {nn.names = ["all"]}) {
  %none = nn.constant dense<0.0> : tensor<0xf32>
  %old = infra.read_value @rows, %none : tensor<0xf32> -> tensor<?xf32>
  %all = nn.concat %old, %x {axis = 0 : i64} : (tensor<?xf32>, tensor<2xf32>) -> tensor<?xf32>
  infra.assign @rows, %all : tensor<?xf32>
  func.return %all : tensor<?xf32>
}
"""
"""All that came so far."""

CONSTANT = """
func.func @main() -> tensor<2xf32> {
  %y = nn.constant dense<1.0> : tensor<2xf32>
  func.return %y : tensor<2xf32>
}
"""

FRAMES = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "m.mlir").write_text(TEXT)
    np.save(tmp_path / "frames.npy", FRAMES)
    np.save(tmp_path / "frame.npy", FRAMES[1])
    np.save(tmp_path / "deep.npy", FRAMES[None])
    np.save(tmp_path / "bias.npy", np.float32(10))
    np.save(tmp_path / "biases.npy", np.array([10, 20], np.float32))
    np.savez(tmp_path / "several.npz", FRAMES)
    np.save(tmp_path / "nothing.npy", FRAMES[:0])
    (tmp_path / "cut.npz").write_bytes((tmp_path / "several.npz").read_bytes()[:40])
    whole = (tmp_path / "frames.npy").read_bytes()
    (tmp_path / "header.npy").write_bytes(whole.replace(b"{", b"("))
    (tmp_path / "cut.npy").write_bytes((tmp_path / "frames.npy").read_bytes()[:-4])
    (tmp_path / "empty.npy").write_bytes(b"")
    with (tmp_path / "vast.npy").open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (10**15,)}
        np.lib.format.write_array_header_1_0(file, header)
    (tmp_path / "constant.mlir").write_text(CONSTANT)
    (tmp_path / "one.mlir").write_text(
        'func.func @main(%x: tensor<1xf32> {nn.names = ["X"]}) -> tensor<1xf32> { func.return %x : tensor<1xf32> }'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_stream_from_a_file(folder: Path, capsys: pytest.CaptureFixture[str]):
    main(["m.mlir", "--input", "X=frames.npy", "--input", "bias=bias.npy", "--output", "out"])
    assert_array_equal(np.load(folder / "out" / "sum.npy"), FRAMES.cumsum(0))
    assert_array_equal(np.load(folder / "out" / "out_biased.npy"), FRAMES.cumsum(0) + 10)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "step 3 of 3"
    assert lines[2].split() == ["sum", "float32", "2", "6", "7.5", "9"]
    assert lines[3].split() == ["out/biased", "float32", "2", "16", "17.5", "19"]
    assert lines[4].startswith("3 steps: first ")


def test_one_step(folder: Path, capsys: pytest.CaptureFixture[str]):
    main(["m.mlir", "--input", "X=frame.npy", "--input", "bias=bias.npy", "--output", "out"])
    assert_array_equal(np.load(folder / "out" / "sum.npy"), FRAMES[1])
    assert capsys.readouterr().out.splitlines()[0] == "outputs"


@pytest.mark.parametrize(
    ("steps", "file", "total"),
    [(2, "frames.npy", FRAMES[:2].sum(0)), (4, "frame.npy", 4 * FRAMES[1])],
)
def test_steps(folder: Path, steps: int, file: str, total: np.ndarray):
    main(f"m.mlir --input X={file} --input bias=bias.npy --steps {steps} --output out".split())
    sums = np.load(folder / "out" / "sum.npy")
    assert len(sums) == steps
    assert_array_equal(sums[-1], total)


def test_steps_of_different_shapes_go_into_files_of_their_own(folder: Path):
    (folder / "grows.mlir").write_text(GROWS)
    main(["grows.mlir", "--input", "X=frame.npy", "--steps", "2", "--output", "out"])
    arrays = [np.load(folder / "out" / f"all.{step}.npy") for step in range(2)]
    assert_array_equal(arrays[0], FRAMES[1])
    assert_array_equal(arrays[1], [*FRAMES[1], *FRAMES[1]])


@pytest.mark.parametrize(
    ("names", "stems"),
    [
        (["sum", "out/biased"], ["sum", "out_biased"]),
        (["a/b", "a_b"], ["a_b_2", "a_b"]),
        (["a_b", "a/b", "a_b_2"], ["a_b", "a_b_3", "a_b_2"]),
        (["Y", "Y"], ["Y", "Y_2"]),
    ],
)
def test_no_output_is_written_over_another(names: list[str], stems: list[str]):
    assert file_stems(names) == stems


def test_a_failing_write_leaves_no_half_of_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # what is cut off would stay
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
    try:
        with pytest.raises(SystemExit):
            main(
                ["m.mlir", "--input", "X=frames.npy", "--input", "bias=bias.npy", "--output", "out"]
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert capsys.readouterr().err == "out/sum.npy: error: File too large\n"
    assert not list((folder / "out").iterdir())


def test_reports(folder: Path):
    for report in ("counters.csv", "trace.json"):
        main(f"m.mlir --input X=frames.npy --input bias=bias.npy --report {report}".split())
    with (folder / "counters.csv").open() as file:
        rows = [row["node_name"] for row in csv.DictReader(file)]
    assert "shift" in rows
    events = json.loads((folder / "trace.json").read_text())["traceEvents"]
    assert "shift" in {event["name"] for event in events}
    assert {"call 0", "call 1"} <= {event["name"] for event in events}
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    slices = [event for event in events if event["ph"] == "X"]
    assert {event["ph"] for event in events} == {"X", "M"}
    assert named == {event["tid"] for event in slices}
    for track in named:  # Perfetto drops slices of a track that overlap
        ends = [0.0]
        for event in (event for event in slices if event["tid"] == track):
            assert event["dur"] >= 0 and event["ts"] >= ends[-1]
            ends.append(event["ts"] + event["dur"])


def test_a_report_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]):
    main(["m.mlir", "--input", "X=frames.npy", "--input", "bias=bias.npy", "--report", "-"])
    printed = capsys.readouterr().out
    assert re.search(r"^[0-9.]+ µs in \d+ kernels? for \d+ operations \(", printed, re.M)
    assert re.search(r"^[0-9.]+ +[0-9.]+% .*shift", printed, re.M)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            "m.mlir --input X=frame.npy",
            "m.mlir: error: not all inputs are given; add --input bias=FILE.npy",
        ),
        (
            "m.mlir --input frame.npy",
            "m.mlir: error: the model has the inputs X, bias; write --input NAME=FILE.npy",
        ),
        ("m.mlir --input Z=frame.npy", "m.mlir: error: there is no input 'Z'; inputs: 'X', 'bias'"),
        ("m.mlir --input X=none.npy", "none.npy: error: No such file or directory"),
        (
            "m.mlir --input X=frame.npy --input X=frames.npy",
            "m.mlir: error: input 'X' is given twice: frame.npy and frames.npy",
        ),
        (
            "m.mlir --input X=frame.npy --input X=frame.npy",
            "m.mlir: error: input 'X' is given twice: frame.npy and frame.npy",
        ),
        (
            "constant.mlir --input frame.npy",
            "constant.mlir: error: the model has no inputs; leave --input away",
        ),
        (
            "m.mlir --input X=vast.npy",
            "vast.npy: error: not a whole .npy file of numbers; numpy.save writes one",
        ),
        (
            "m.mlir --input X=cut.npy",
            "cut.npy: error: not a whole .npy file of numbers; numpy.save writes one",
        ),
        (
            "m.mlir --input X=empty.npy",
            "empty.npy: error: not a whole .npy file of numbers; numpy.save writes one",
        ),
        (
            "m.mlir --input X=cut.npz",
            "cut.npz: error: not a whole .npy file of numbers; numpy.save writes one",
        ),
        (
            "m.mlir --input X=header.npy",
            "header.npy: error: not a whole .npy file of numbers; numpy.save writes one",
        ),
        (
            "m.mlir --input X=nothing.npy --input bias=bias.npy",
            "m.mlir: error: input 'X' holds no steps: nothing.npy is empty",
        ),
        (
            "m.mlir --input X=m.mlir",
            "m.mlir: error: not a whole .npy file of numbers; numpy.save writes one",
        ),
        (
            "m.mlir --input X=several.npz",
            "several.npz: error: holds several arrays; pass one .npy for each input",
        ),
        (
            "m.mlir --input X=frames.npy --input bias=biases.npy",
            "m.mlir: error: the inputs hold different numbers of steps: 'X' 3, 'bias' 2",
        ),
        (
            "m.mlir --input X=frames.npy --input bias=bias.npy --steps 4",
            "m.mlir: error: --steps 4: the inputs hold 3",
        ),
        (
            "m.mlir --input X=bias.npy --input bias=bias.npy --output out",
            "m.mlir: error: input 'X' takes float32[2], was given float32[]: reshape the array",
        ),
        (
            "m.mlir --input X=deep.npy --input bias=bias.npy",
            "m.mlir: error: input 'X' takes float32[2], was given float32[1, 3, 2]: reshape the array",
        ),
        (
            "one.mlir --input bias.npy",
            "one.mlir: error: input 'X' takes float32[1], was given float32[]: reshape the array",
        ),
        # what cannot be written is known before anything else
        ("mm.mlir --report no/r.csv", "no/r.csv: error: there is no folder no"),
        (
            "mm.mlir --output frame.npy",
            "frame.npy: error: this is not a folder; --output takes one",
        ),
        ("m.mlir --report r.txt", "m.mlir: error: r.txt: a profile is written as .csv or .json"),
        ("mm.mlir", "mm.mlir: error: No such file or directory; did you mean m.mlir?"),
    ],
)
def test_wrong_input(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: str, message: str
):
    with pytest.raises(SystemExit) as error:
        main(arguments.split())
    assert error.value.code == 1
    assert capsys.readouterr() == ("", f"{message}\n")
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "m.mlir --steps 0",
        "m.mlir --steps x",
        "m.mlir --input =f.npy",
        "m.mlir --input X=",
        "m.mlir --bisect --steps 2",
        "m.mlir --bisect-kernels --report r.csv",
        "m.mlir --bisect --output out",
    ],
)
def test_wrong_usage(folder: Path, capsys: pytest.CaptureFixture[str], arguments: str):
    with pytest.raises(SystemExit) as error:
        main(arguments.split())
    assert error.value.code == 2
    assert capsys.readouterr().err.startswith("run-tool: error: ")
