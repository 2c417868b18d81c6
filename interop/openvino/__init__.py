"""OpenVINO IR (.xml and .bin), read by the `openvino` package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    import openvino


def read_xml(path: Path) -> ModuleOp:
    """
    The module of an .xml with its .bin beside it; constants are views of OpenVINO's memory.

    Raises DiagnosticException, naming the file, where it is not a model or cannot be said here.
    """
    model = _read(path)
    from .graph import module_of

    try:
        return module_of(model)
    except DiagnosticException as error:
        raise DiagnosticException(f"{path}: error: {error}") from None


def _read(path: Path) -> openvino.Model:
    try:
        import openvino
    except ImportError:
        raise DiagnosticException(
            f"{path}: error: reading OpenVINO IR needs the openvino package: "
            "pip install 'lowstream[openvino]'"
        ) from None
    if not path.is_file():
        raise DiagnosticException(f"{path}: error: no such file")
    try:
        return openvino.Core().read_model(path)  # pyright: ignore[reportUnknownMemberType]
    except RuntimeError as error:
        # OpenVINO's messages begin with lines about its own source files.
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        what = lines[-1] if lines else "unknown error"
        raise DiagnosticException(f"{path}: error: not a whole OpenVINO model: {what}") from None
