"""TensorFlow models, read from the MLIR that TensorFlow itself exports."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.verification import what_is_wrong
from ..mlir import SourceError

SIGNATURE = "serving_default"
"""TensorFlow's default name of a saved model's signature."""


def read_saved_model(path: Path, signature: str = SIGNATURE) -> ModuleOp:
    """
    The module of a signature of a saved model directory, recurrent layers fused and all of it in `nn`, `rnn` and
    `infra`.

    Raises SourceError where it is no saved model or has something that is not supported.
    """
    from ...passes.legalize import PIPELINE
    from ...passes.pipeline import run_passes
    from .importer import module_of_directory

    try:
        module = module_of_directory(path, signature)
        run_passes(module, PIPELINE)
    except DiagnosticException as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None
    return module
