"""A model whose weights' file is written after it was read is refused, where the system would end the process."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream import Model, compile_model, read_model, run_passes, save_model
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module

TEXT = """
func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %w = nn.constant dense<"0xWEIGHTS"> : tensor<64x64xf32>
  %y = nn.mat_mul %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  func.return %y : tensor<?x64xf32>
}
"""
WEIGHTS = np.arange(64 * 64, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A model whose weights are in a file beside it."""
    text = TEXT.replace("WEIGHTS", WEIGHTS.tobytes().hex())
    save_model(Model(parse_module(text, "m.mlir", context())), path := tmp_path / "m.mlir")
    assert path.with_suffix(".safetensors").exists()
    return path


def is_refused(use: Callable[[], object]) -> None:
    with pytest.raises(
        DiagnosticException,
        match=r"m\.safetensors was written after the model was read, .*; read the model again, and",
    ):
        use()


def test_a_model_whose_weights_were_written_is_refused(path: Path):
    model = read_model(path)
    path.with_suffix(".safetensors").write_bytes(b"")
    is_refused(lambda: compile_model(model))
    is_refused(lambda: run_passes(model, "lpt"))
    is_refused(lambda: save_model(model, path.with_name("n.mlir")))
    assert not path.with_name("n.mlir").exists()


def test_a_compiled_model_that_needs_other_shapes_of_what_was_written_is_refused(path: Path):
    request = compile_model(path, pipeline="infer-shapes").create_infer_request()
    path.with_suffix(".safetensors").write_bytes(b"")
    is_refused(lambda: request.infer([np.ones((2, 64), np.float32)]))


def test_a_model_may_be_saved_where_it_was_read(path: Path):
    model = read_model(path)
    save_model(model, path)
    run_passes(model, "lpt")
    (constant,) = (op for op in read_model(path).module.walk() if op.name == "nn.constant")
    assert constant.properties["value"] == next(
        op.properties["value"] for op in model.module.walk() if op.name == "nn.constant"
    )
