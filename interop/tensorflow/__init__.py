"""TensorFlow models, read from the MLIR that TensorFlow itself exports."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.verification import what_is_wrong
from ...passes.errors import shortened
from ...passes.needs import needs
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


def read_keras(path: Path) -> ModuleOp:
    """
    The module of a model that Keras 3 saved (.keras), or an older one (.h5). Code that a file brings, as that of a
    Lambda layer, is not run.

    Raises SourceError where Keras cannot load it, or it has something that is not supported.
    """
    from .importer import tensorflow
    from .keras import module_of_keras

    try:
        tf = tensorflow()
    except DiagnosticException:
        raise SourceError(
            f"{path}: error: {needs(f'reading {path.suffix} files', 'tensorflow')}"
        ) from None
    try:
        model = tf.keras.models.load_model(str(path), compile=False)
    except Exception as error:  # noqa: BLE001 (whatever the configuration of a layer makes Keras raise)
        model = _of_keras_2(path)
        if model is None:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise SourceError(
                f"{path}: error: Keras cannot load it: {shortened(first)}; load it as it was saved (custom_objects, or "
                "tf_keras for Keras 2), and call read_model(model)"
            ) from None
    try:
        return module_of_keras(model)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def _of_keras_2(path: Path) -> Any:
    """What Keras 2 makes of a file that Keras 3 does not know; None where it is not installed, or cannot either."""
    try:
        return import_module("tf_keras").models.load_model(str(path), compile=False)
    except Exception:  # noqa: BLE001 (as above)
        return None
