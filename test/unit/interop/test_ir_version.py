"""A saved module says the IR's version; what an older lowstream saved is read, and upgraded."""

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import UnitAttr
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

import lowstream
from lowstream.dialects.nn import ReluOp
from lowstream.interop import ir_version
from lowstream.interop.ir_version import Upgrade, current_version

SAVED = Path(__file__).parent / "ir_versions"
"""A folder for each version, with what was saved then. Nothing in it is ever changed."""

X = np.arange(4, dtype=np.float32)[None] / 4
LAST = [[0.23202452, 0.4743163, 0.49153775, 0.6875329]]
"""What the models named `stream` and `codes` give in the third frame."""

MODULE = """
builtin.module{attributes} {{
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
    %y = {operation} %x {{was_saved}} : tensor<3xf32>
    func.return %y : tensor<3xf32>
  }}
}}
"""


def saved(path: Path, version: str | None, operation: str = "nn.relu") -> Path:
    """A file with a module that says a version."""
    attributes = f" attributes {{infra.ir_version = {version}}}" if version else ""
    text = MODULE.format(attributes=attributes, operation=operation)
    path.write_text(text.replace(" {was_saved}", "") if operation == "nn.relu" else text)
    return path


def test_every_version_has_its_files():
    assert sorted(int(folder.name) for folder in SAVED.iterdir()) == [
        *range(1, current_version() + 1)
    ]


@pytest.mark.parametrize(
    "path", sorted(SAVED.rglob("*.mlir")), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_what_was_saved_is_read(path: Path, tmp_path: Path):
    model = lowstream.read_model(path)
    lowstream.save_model(model, tmp_path / "again.mlir")
    assert f"infra.ir_version = {current_version()}" in (tmp_path / "again.mlir").read_text()
    if int(path.parent.name) == current_version():
        assert (tmp_path / "again.mlir").read_text() == path.read_text()


@pytest.mark.parametrize("version", sorted(folder.name for folder in SAVED.iterdir()))
def test_what_was_saved_computes_what_it_did(version: str):
    zeros = np.zeros((1, 4), np.float32)
    stream = lowstream.compile_model(SAVED / version / "stream.mlir").create_infer_request()
    last = [stream.infer({"X": X, "H": zeros})["Y"] for _ in range(3)][-1]
    codes = lowstream.compile_model(SAVED / version / "codes.mlir").create_infer_request()
    np.testing.assert_allclose(last, LAST, rtol=1e-6)
    np.testing.assert_allclose(codes.infer({"X": X.repeat(3, 0), "H": zeros})["Y"], LAST, rtol=1e-6)


def test_in_memory_a_module_is_of_no_old_version(tmp_path: Path):
    model = lowstream.read_model(saved(tmp_path / "m.mlir", "1 : i64"))
    assert "ir_version" not in str(model.module)
    lowstream.save_model(model, tmp_path / "again.mlir")
    assert "ir_version" not in str(model.module)


@pytest.mark.parametrize(
    ("version", "says"),
    [
        ("7 : i64", "is of IR version 7, and this lowstream reads versions up to"),
        ("0 : i64", "must be a number from 1 to"),
        ('"new"', "must be a number from 1 to"),
    ],
)
def test_other_versions_are_refused(version: str, says: str, tmp_path: Path):
    path = saved(tmp_path / "m.mlir", version)
    with pytest.raises(lowstream.SourceError, match=says) as caught:
        lowstream.read_model(path)
    assert str(caught.value).startswith(f"{path}:")


def test_what_only_a_newer_version_has_is_said_to_be_newer(tmp_path: Path):
    path = saved(tmp_path / "m.mlir", "7 : i64", "nn.to_come")
    with pytest.raises(lowstream.SourceError, match=r"nn\.to_come is not registered; .* version 7"):
        lowstream.read_model(path)


class DropWasSaved(RewritePattern):
    """What an upgrade may do: an attribute of former times goes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReluOp, rewriter: PatternRewriter, /) -> None:
        if op.attributes.pop("was_saved", None) == UnitAttr():
            rewriter.notify_op_modified(op)


@pytest.fixture
def _upgrades(monkeypatch: pytest.MonkeyPatch):
    upgrades = (
        Upgrade(renamed={"nn.ramp": "nn.rectify"}),
        Upgrade(renamed={"nn.rectify": "nn.relu"}, patterns=(DropWasSaved(),)),
    )
    monkeypatch.setattr(ir_version, "UPGRADES", upgrades)


@pytest.mark.usefixtures("_upgrades")
@pytest.mark.parametrize(
    ("version", "operation"), [("1 : i64", "nn.ramp"), ("2 : i64", "nn.rectify")]
)
def test_an_older_module_is_upgraded(version: str, operation: str, tmp_path: Path):
    model = lowstream.read_model(saved(tmp_path / "m.mlir", version, operation))
    lowstream.save_model(model, tmp_path / "now.mlir")
    assert (tmp_path / "now.mlir").read_text().splitlines()[0].endswith("= 3 : i64} {")
    assert "nn.relu %x : tensor<3xf32>" in (tmp_path / "now.mlir").read_text()


@pytest.mark.usefixtures("_upgrades")
@pytest.mark.parametrize("version", [None, "3 : i64"])
def test_upgrades_leave_current_modules_alone(version: str | None, tmp_path: Path):
    with pytest.raises(lowstream.SourceError, match="unknown attribute 'was_saved'"):
        lowstream.read_model(saved(tmp_path / "m.mlir", version, "nn.rectify"))
