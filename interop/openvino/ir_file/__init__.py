"""
An .xml with its .bin: the layers that its outputs need, which answer what OpenVINO's nodes do.

What OpenVINO's reader takes for granted, and may crash without, is refused here.
"""

from __future__ import annotations

from pathlib import Path

from xdsl.utils.exceptions import DiagnosticException

from .graph import IrModel
from .layer import OPSETS, Layer
from .text import root_of
from .weights import Weights

__all__ = ["OPSETS", "IrModel", "Layer", "read_graph"]

VERSIONS = ("10", "11")
"""The versions of the format that are read: older ones have no opsets, and operations that mean something else."""


def read_graph(path: Path, weights: Path) -> IrModel:
    """The model of a file, with that of its weights. Raises DiagnosticException where it is not a whole model."""
    root = root_of(path.read_bytes())
    version = root.get("version", "")
    if version not in VERSIONS:
        raise DiagnosticException(
            f"version {version or 'none'} of OpenVINO IR is not read, only {' and '.join(VERSIONS)}; convert the "
            "model again with a newer OpenVINO"
        )
    return IrModel(root, Weights(path, weights), int(version))
