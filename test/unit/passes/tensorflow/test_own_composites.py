"""A package outside the tree declares composites, and installing it is enough for them to be fused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.passes.pipeline import run_passes
from lowstream.passes.prepare_composite_functions import (
    Argument,
    Composite,
    Interface,
    composites,
    register,
    unregister,
)

from .test_models import FUSE, HERE, by_machine, by_reference, check, load, names

PACKAGE = Path(__file__).parents[4] / "docs/examples/composites"
FUSED = {
    "own_peephole": "tfl.unidirectional_sequence_lstm",
    "own_minimal_gated_unit": "rnn.gru_sequence",
    "own_gated_linear_unit": "nn.mat_mul",
}


@pytest.fixture(scope="module")
def site(install: Callable[[Path], Path]) -> Path:
    """A folder with the package, installed by pip."""
    return install(PACKAGE)


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(site)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", FUSED)
def test_an_installed_package_fuses_its_functions(name: str):
    module = load(name)
    run_passes(module, FUSE)
    assert names(module).count(FUSED[name]) == 1
    check(name, by_machine(module))
    run_passes(module, "legalize-tf-to-nn,legalize-tfl-to-nn")
    check(name, by_reference(module))


@pytest.mark.parametrize("name", FUSED)
def test_without_the_package_functions_stay(name: str):
    module = load(name)
    before = str(module)
    run_passes(module, FUSE)
    assert str(module) == before


@pytest.mark.usefixtures("installed")
def test_a_function_that_breaks_the_contract_stays(caplog: pytest.LogCaptureFixture):
    path = HERE / "data" / "own_gated_linear_unit.mlir"
    text = path.read_text()
    broken = text.replace("type = tensor<2xf32>", "type = tensor<5xf32>", 1)
    assert broken != text
    module = parse_module(broken, str(path), context())
    run_passes(module, FUSE)
    assert "an argument 'b' of shape [5]; expected [outputs] = [2]" in caplog.text
    assert "nn.mat_mul" not in names(module)


@pytest.mark.usefixtures("installed")
def test_registered_composites_come_first_and_once():
    interface = Interface((Argument("x", "rows", "columns"),), results=1)
    mine = register(Composite("LSTMCellSimple", interface, lambda call: []))
    try:
        assert composites()[0] is mine
        with pytest.raises(DiagnosticException, match="registered already; unregister it first"):
            register(mine)
    finally:
        unregister(mine)
    assert mine not in composites()


def test_an_entry_point_that_gives_something_else_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "wrong_cells.py").write_text("COMPOSITES = ['lstm']\n")
    info = tmp_path / "wrong_cells-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong-cells\nVersion: 1.0\n")
    points = "[lowstream.composites]\nwrong = wrong_cells:COMPOSITES\n"
    (info / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DiagnosticException, match="gives 'lstm'; it must give a Composite"):
        composites()
