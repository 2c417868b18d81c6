"""The pitch example's demo, whole and in parts."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lowstream.test.unit.docs.pages import TOOLS

EXAMPLE = Path(__file__).parents[3] / "docs/examples/pitch"

demo = importlib.import_module("demo")


def test_the_demo_finds_the_pitch_and_draws_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    """On the first voices, and with a short comparison."""
    voices = [demo.voice.synthesize(6.0, 1_000_000 + k) for k in range(demo.SHOWN + 1)]
    monkeypatch.setattr(demo.voice, "held_out", lambda: voices)
    monkeypatch.setattr(demo, "ROUNDS", 1)
    picture = str(tmp_path / "new folder/pitch.png")
    monkeypatch.setattr(sys, "argv", ["demo.py", "--picture", picture])
    demo.main()
    said = capfd.readouterr()
    assert said.err == ""
    assert (tmp_path / "new folder" / "pitch.png").read_bytes().startswith(b"\x89PNG")
    for layer in ("lstm0", "lstm1"):
        assert f"{layer}/H_t/variable_1" in said.out
        assert f"{layer}/C_t/variable_2" in said.out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in said.out.splitlines()]
    table = {row[0]: row[1:] for row in rows if len(row) >= 2}
    int8, f32 = (float(v[:-1]) for v in table["pitch within half a semitone"][:2])
    assert int8 > 97
    assert abs(int8 - f32) < 0.5
    assert "listening, 99th percentile" in table


def run_here(command: list[str]) -> subprocess.CompletedProcess[str]:
    """What opt-tool does when it fails, in this process, which has imported all that it needs."""
    with pytest.raises(SystemExit) as end:
        TOOLS["opt-tool"](command[3:])
    assert isinstance(end.value.code, int)
    return subprocess.CompletedProcess(command, end.value.code)


@pytest.mark.parametrize("missing", ["pitch.mlir", "pitch.safetensors"])
def test_without_its_files_it_ends_in_one_line(
    missing: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    for file in {"pitch.mlir", "pitch.safetensors"} - {missing}:
        shutil.copy(EXAMPLE / file, tmp_path)
    monkeypatch.setattr(demo, "MODEL", tmp_path / "pitch.mlir")
    monkeypatch.setattr(demo, "subprocess", SimpleNamespace(run=run_here))
    monkeypatch.setattr(sys, "argv", ["demo.py"])
    with pytest.raises(SystemExit) as end:
        demo.main()
    said = capfd.readouterr().err
    assert end.value.code == 1
    assert len(said.splitlines()) == 1, said
    assert missing in said


def test_bars_are_as_high_as_the_pitch():
    hertz = np.array([0, 80, 80, 178.9, 399, 400, 0, 500], np.float32)
    assert demo.bars(hertz, 8) == " ▁▁▅██ █"
    assert demo.bars(np.repeat(hertz, 10), 8) == " ▁▁▅██ █"


def test_operations_alike_share_a_line():
    row = {"type": "Sigmoid", "inputs": ["f32"], "outputs": ["f32"], "reason": "too fine"}
    low = {"type": "MatMul", "inputs": ["i8", "i8"], "outputs": ["i32"], "reason": ""}
    report = [{"name": "a"} | row, {"name": "b"} | low, {"name": "c"} | row]
    table = demo.precision_table(report)
    cells = [list(column.cells) for column in table.columns]
    assert list(zip(*cells, strict=True)) == [
        ("1", "MatMul", "i8", "i32", ""),
        ("2", "Sigmoid", "f32", "f32", "too fine"),
    ]
