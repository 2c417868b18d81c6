"""A package outside the tree adds a transformation, and installing it is enough for `lpt` to use it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i8
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import context
from lowstream.dialects.inferred import tensor
from lowstream.dialects.nn import MaximumOp
from lowstream.passes import lpt
from lowstream.passes.lpt.steps import MAIN
from lowstream.passes.lpt_extensions import extensions, fingerprint, register, unregister
from lowstream.passes.pipeline import run_passes
from lowstream.passes.precision_report import precision_report
from lowstream.reference.executor import Executor

PACKAGE = Path(__file__).parents[4] / "docs/examples/lpt"
MODEL = """
func.func @main(%q: tensor<2x3xi8>, %r: tensor<2x3xi8>) -> tensor<2x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %z = qnn.dequantize %r scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %y = nn.maximum %x, %z : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
"""


@pytest.fixture(scope="module")
def site(install: Callable[[Path], Path]) -> Path:
    """A folder with the package, installed by pip."""
    return install(PACKAGE)


def transformed(pipeline: str = "lpt") -> Any:
    """The module after LPT, and its maximum."""
    module = Parser(context(), MODEL).parse_module()
    run_passes(module, pipeline)
    (found,) = (op for op in module.walk() if isinstance(op, MaximumOp))
    return module, found


def test_it_fits_into_30_lines():
    assert len((PACKAGE / "maximum_of_codes/__init__.py").read_text().splitlines()) < 30


def test_without_the_package_the_operation_reads_values():
    module, found = transformed()
    assert tensor(found.lhs).element_type != i8
    (row,) = (row for row in precision_report(module) if row["type"] == "Maximum")
    assert row["reason"] == "Maximum has no 8-bit form"


def test_an_installed_package_joins_the_main_step(site: Path, monkeypatch: pytest.MonkeyPatch):
    before = fingerprint()
    monkeypatch.syspath_prepend(site)
    assert fingerprint() != before, "executables are compiled anew"
    module, found = transformed()
    assert tensor(found.lhs).element_type == i8
    codes = [np.array([[1, 2, 3], [4, 5, 6]], np.int8), np.array([[2, 1, 3], [-4, 9, 0]], np.int8)]
    (y,) = Executor(module).run(codes)
    assert y.tolist() == [[1.0, 1.0, 1.5], [2.0, 4.5, 3.0]]


def test_the_shell_finds_it_and_files_can_disable_it(site: Path, tmp_path: Path):
    (tmp_path / "model.mlir").write_text(MODEL)
    (tmp_path / "off.toml").write_text('disabled = ["maximum"]\n')
    found = []
    for options in ("--lpt", "--lpt=config=off.toml"):
        command = [sys.executable, "-P", "-m", "lowstream.tools.opt_tool", "model.mlir", options]
        environment = os.environ | {"PYTHONPATH": str(site)}
        run = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        found.append("-> tensor<2x3xi8>" in run.stdout)
    assert found == [True, False]


def test_registered_ones_join_once():
    mine = type("Mine", (type(MAIN[-1]),), {"name": "mine", "op": MaximumOp})()
    register(mine)
    try:
        assert mine in extensions()
        with pytest.raises(DiagnosticException, match="'mine' is registered already"):
            register(mine)
    finally:
        unregister(mine)
    assert mine not in extensions()


@pytest.mark.parametrize("given", [3, type(MAIN[-1]), MAIN])
def test_what_is_no_transformation_is_refused(given: Any):
    with pytest.raises(
        DiagnosticException, match=r"not a Transformation, but .*; register an object"
    ):
        register(given)


@pytest.mark.parametrize("name", ["relu", "fold_convert"])
def test_a_name_of_ours_is_refused(name: str):
    mine = type("Mine", (type(MAIN[-1]),), {"name": name, "op": MaximumOp})()
    with pytest.raises(DiagnosticException, match=f"lpt has a transformation '{name}' already"):
        register(mine)
    assert mine not in extensions()


def test_a_name_of_ours_is_refused_of_packages_too(monkeypatch: pytest.MonkeyPatch):
    mine = type("Mine", (type(MAIN[-1]),), {"name": "relu", "op": MaximumOp})()
    monkeypatch.setattr(lpt, "extensions", lambda: (mine,))
    with pytest.raises(DiagnosticException, match="two transformations 'relu'"):
        transformed()


@pytest.mark.parametrize(
    ("source", "message"),
    [("ADDED = 'relu'", "gives 'relu'; it must give a Transformation"), ("", "does not load")],
)
def test_an_entry_point_that_gives_something_else_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, message: str
):
    name = f"wrong_moves_{len(source)}"
    (tmp_path / f"{name}.py").write_text(source)
    info = tmp_path / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[lowstream.lpt]\nwrong = {name}:ADDED\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DiagnosticException, match=message):
        extensions()
