"""`make kernels` compares kernels whose code is new, and no others."""

from pathlib import Path

import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.emitter import Prologue
from lowstream.lowering.codegen.map import MapKernel
from lowstream.runtime.bisect_kernels import KernelDifference
from lowstream.test.soak.network import Network, Record, compare
from lowstream.test.unit.runtime import runtime_models


@pytest.fixture
def network(tmp_path: Path) -> Network:
    """A quantization and a product."""
    path = tmp_path / "network.mlir"
    path.write_text(runtime_models.QUANTIZED)
    return Network.read(path)


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(tmp_path / "kernels.json")


def change_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of maps has an instruction more."""
    emit_loops = MapKernel.emit_loops

    def changed(self: MapKernel, prologue: Prologue) -> None:
        prologue.b.alloca(ir.IntType(8))
        emit_loops(self, prologue)

    monkeypatch.setattr(MapKernel, "emit_loops", changed)


def test_only_new_code_is_compared(
    network: Network,
    record: Record,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    assert compare(network, record, 1, again=False) == "2 of 2 kernels are new"
    assert compare(network, record, 1, again=False) == "0 of 2 kernels are new"
    capsys.readouterr()
    change_maps(monkeypatch)
    assert compare(network, record, 1, again=False) == "1 of 2 kernels are new"
    printed = capsys.readouterr().out
    assert "kernel.map" in printed and "kernel.mat_mul" not in printed
    assert compare(network, record, 1, again=True) == "2 of 2 kernels are new"


def test_a_network_that_differs_is_not_in_the_record(
    network: Network, record: Record, monkeypatch: pytest.MonkeyPatch
):
    compare(network, record, 1, again=False)
    change_maps(monkeypatch)
    with monkeypatch.context() as wrong:
        wrong.setattr(KernelDifference, "is_close", False)
        with pytest.raises(DiagnosticException, match=r"kernel\.map .* differ"):
            compare(network, record, 1, again=False)
    assert compare(network, record, 1, again=False) == "1 of 2 kernels are new"
