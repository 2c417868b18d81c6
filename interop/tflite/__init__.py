"""LiteRT models (.tflite), written and read with the schema of the `ai-edge-litert` package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import context
from ...dialects.verification import RAW_ERRORS, verify, what_is_wrong
from ...passes.needs import needs
from ...passes.whole_file import replacing
from ..mlir import SourceError


def write_tflite(module: ModuleOp, path: Path) -> None:
    """
    Writes a module as a LiteRT model; the file appears whole or not at all.

    Raises SourceError where LiteRT cannot say something of it, and OSError where the file cannot be
    written.
    """
    try:
        data = tflite_bytes(module)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None
    with replacing(path) as draft:
        draft.write_bytes(data)


def read_tflite(path: Path, signature: str | None = None) -> ModuleOp:
    """
    The module of a .tflite file; of several signatures, that of this key, or of the first subgraph.

    Raises SourceError where it is no whole model or has something that cannot be said here, and OSError
    where it cannot be read.
    """
    data = path.read_bytes()
    try:
        return tflite_module(data, signature)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def tflite_module(data: bytes, signature: str | None = None) -> ModuleOp:
    """
    The module that the bytes of a .tflite file hold; of several signatures, that of this key, or of the first subgraph.

    Raises DiagnosticException where they are no whole model or have something that cannot be said here.
    """
    _need_schema()
    from xdsl.transforms.dead_code_elimination import dce

    from ...passes.legalize_tfl_to_nn import LegalizeTflToNn
    from .importer import imported

    try:
        module = imported(data, signature)
        LegalizeTflToNn(keep_lstms=True).apply(context(), module)
        verify(module)
    except DiagnosticException:
        raise
    except RAW_ERRORS as error:
        raise DiagnosticException(
            f"damaged, or of a kind that is not known ({type(error).__name__}: {error})"
        ) from None
    dce(module)
    return module


def tflite_bytes(
    module: ModuleOp, weights: Literal["float32", "float16", "int8"] = "float32"
) -> bytes:
    """
    A module as the bytes of a .tflite file; the module stays as it is. Large weights of f32 are held as `weights` says,
    see `tfl-weights`.

    Raises DiagnosticException, naming the operation, for what LiteRT cannot say.
    """
    _need_schema()
    from ...passes.nn_to_tfl import NnToTfl
    from ...passes.tfl_weights import TflWeights
    from .exporter import exported

    copy = module.clone()
    NnToTfl().apply(context(), copy)
    if weights != "float32":
        TflWeights(weights).apply(context(), copy)
    return exported(copy)


def _need_schema() -> None:
    if any(find_spec(name) is None for name in ("ai_edge_litert", "flatbuffers")):
        raise DiagnosticException(needs("a LiteRT model", "ai-edge-litert"))
