"""benchmark-tool --tune: what it prints, stores and leaves; never how long anything takes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import lowstream
from lowstream.lowering.machine import choose_isa
from lowstream.lowering.tuning_configuration import TuningConfiguration
from lowstream.runtime import tuning
from lowstream.runtime.cache.tuned import configurations_for, path_of, store
from lowstream.runtime.tuning import Measured
from lowstream.tools import measure
from lowstream.tools.benchmark_tool import main
from lowstream.tools.measure import Contender
from lowstream.tools.tuning import kernel_table

TEXT = """
func.func @main(%x: tensor<5x8xf32> {nn.names = ["X"]}) -> (tensor<5x48xf32> {nn.names = ["Y"]}) {
  %w = nn.constant dense<0.3> : tensor<48x8xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<5x8xf32>, tensor<48x8xf32>) -> tensor<5x48xf32>
  func.return %y : tensor<5x48xf32>
}
"""

KERNEL = "product of 5x8xf32 by f32 to 5x48"
X = np.linspace(-1, 1, 40, dtype=np.float32).reshape(5, 8)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(tuning, "MOST_CANDIDATES", 3)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mlir").write_text(TEXT)
    return tmp_path


def let_win(monkeypatch: pytest.MonkeyPatch, tuned: int, untuned: int) -> None:
    """Makes what was measured of each kernel win, and calls of the whole model take so long."""

    def take_turns(contenders: Sequence[Contender], seconds: float) -> None:
        for contender, took in zip(contenders, (tuned, untuned), strict=False):
            contender.call()
            contender.samples.append(took)

    monkeypatch.setattr(Measured, "is_better", property(lambda each: True))
    monkeypatch.setattr(measure, "take_turns", take_turns)


def result() -> np.ndarray:
    return lowstream.compile_model("m.mlir", num_threads=1)([X])[0]


def stored() -> dict[str, TuningConfiguration]:
    return dict(configurations_for(1, choose_isa().name))


def run(capsys: pytest.CaptureFixture[str]) -> list[str]:
    main(["m.mlir", "--tune", "--time", "0.001", "--threads", "1"])
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.splitlines()


def test_what_wins_is_stored(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    want = result()
    let_win(monkeypatch, 1000, 2000)
    title, columns, kernel, whole, names, first, second, _, last = run(capsys)
    assert title == f"m.mlir: µs in a call, {choose_isa().name}, threads 1"
    assert columns.split() == ["kernel", "times", "chosen", "µs", "best", "µs", "gain"]
    assert kernel.startswith(f"{KERNEL}      1  ")
    assert kernel.endswith("%")
    assert whole == "m.mlir: µs per inference"
    assert names.split()[0] == "runtime"
    assert [first.split()[0], second.split()[0]] == ["lowstream", "untuned"]
    assert second.split()[-1] == "2.00"
    assert last == f"1 of 1 schedules stored in {path_of(1)}"
    assert stored().keys() == {KERNEL}
    np.testing.assert_array_equal(result(), want)


def test_what_does_not_help_the_model_is_not_stored(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """And what was stored for its kernels before goes; the rest stays."""
    isa = choose_isa().name
    store(1, isa, {KERNEL: TuningConfiguration(1, (1,)), "another": TuningConfiguration(1, (2,))})
    let_win(monkeypatch, 2000, 2000)
    assert run(capsys)[-1] == "No schedules stored: the whole model is not faster with them"
    assert stored() == {"another": TuningConfiguration(1, (2,))}


def test_nothing_wins(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Measured, "is_better", property(lambda each: False))
    monkeypatch.setattr(measure, "WARM_UP", 0.0)
    *_, first, _, last = run(capsys)
    assert first.split()[0] == "lowstream"
    assert last == "No schedules stored: none is faster than what the cost model chooses"
    assert stored() == {}


def test_inputs_are_those_that_the_passes_leave(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    let_win(monkeypatch, 1, 2)
    (folder / "m.mlir").write_text(TEXT.replace("tensor<5x", "tensor<?x"))
    passes = ["-p", 'reshape{inputs="X=7x8"}']
    main(["m.mlir", "--tune", "--time", "0.001", "--threads", "1", *passes])
    assert KERNEL.replace("5x", "7x") in capsys.readouterr().out


def test_gains():
    configurations = TuningConfiguration(2, (14, 1)), TuningConfiguration(4, (6, 1))
    _, rows = kernel_table(
        [
            Measured("won", 3, *configurations, 2000, 1500),
            Measured("even", 1, *configurations, 2000, 1990),
        ]
    )
    assert rows == [
        ["won", "3", "14 x 1 x 2", "2.00", "6 x 1 x 4", "1.50", "25%"],
        ["even", "1", "14 x 1 x 2", "2.00", "", "", ""],
    ]


@pytest.mark.parametrize(
    ("name", "cache", "message"),
    [
        (
            "unknown.mlir",
            "cache",
            "input 'X' has unknown dimensions; say its shape, as in --reshape X=1x8",
        ),
        (
            "m.mlir",
            "",
            "there is no folder for measured schedules; set LOWSTREAM_CACHE_DIR or lowstream.cache.dir",
        ),
    ],
)
def test_wrong_input(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    cache: str,
    message: str,
):
    (folder / "unknown.mlir").write_text(TEXT.replace("tensor<5x", "tensor<?x"))
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", cache)
    with pytest.raises(SystemExit):
        main([name, "--tune", "--threads", "1"])
    assert capsys.readouterr() == ("", f"{name}: error: {message}\n")
