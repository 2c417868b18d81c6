"""OpenVINO IR (.xml and .bin), read and written by the `openvino` package, and what its front ends read besides."""

from __future__ import annotations

import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.verification import what_is_wrong
from ...passes.needs import needs
from ..mlir import SourceError
from .package import import_openvino
from .well_formed import check

if TYPE_CHECKING:
    import openvino

HEAD = 4096
"""Bytes within which an .xml file shows what it is."""

READING = threading.Lock()
"""One thread reads at a time: OpenVINO's bindings deadlock where two are the first to ask for constants' data."""


def read_xml(path: Path) -> ModuleOp:
    """
    The module of an .xml with its .bin beside it; constants are views of OpenVINO's memory.

    Raises SourceError where it is not a whole model or cannot be said here, and OSError where it
    cannot be read.
    """
    with READING:
        model = _read(path)
        from .graph import module_of

        try:
            return module_of(model)
        except DiagnosticException as error:
            raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def read_converted(path: Path) -> ModuleOp:
    """
    The module of a file of another framework, by way of OpenVINO's front end: TensorFlow's frozen graphs (`.pb`) and
    PaddlePaddle's models (`.pdmodel`, with the `.pdiparams` of the same name beside it).

    Raises SourceError where it is not a whole model or cannot be said here, and OSError where it
    cannot be read.
    """
    with path.open("rb"):
        pass
    parameters = path.with_suffix(".pdiparams")
    if path.suffix == ".pdmodel" and not parameters.is_file():
        raise SourceError(
            f"{parameters}: error: no such file; the parameters belong beside {path.name}"
        )
    try:
        openvino = import_openvino()
    except ImportError:
        raise SourceError(
            f"{path}: error: {needs(f'reading {path.suffix} files', 'openvino')}"
        ) from None
    with READING:
        try:
            model = openvino.Core().read_model(path)
        except RuntimeError as error:
            raise SourceError(_explain(path, str(error))) from None
    try:
        return module_of_model(model)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def module_of_model(model: openvino.Model) -> ModuleOp:
    """
    The module of a model in memory; constants are views of OpenVINO's memory. Raises DiagnosticException where it
    cannot be said here.
    """
    with READING:
        from .graph import module_of

        return module_of(model)


def write_xml(module: ModuleOp, path: Path, compress_to_fp16: bool = False) -> None:
    """
    Writes a module as OpenVINO IR, the constants into the .bin beside it; each file appears whole or not at all,
    constants first. With `compress_to_fp16`, OpenVINO makes those of floating point f16.

    Raises SourceError where OpenVINO cannot say something of it, and OSError where a file cannot be
    written.
    """
    try:
        openvino = import_openvino()
    except ImportError:
        raise SourceError(f"{path}: error: {needs('writing OpenVINO IR', 'openvino')}") from None
    try:
        model = model_of_module(module)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        draft = Path(folder) / path.name
        openvino.save_model(model, draft, compress_to_fp16)
        draft.with_suffix(".bin").replace(path.with_suffix(".bin"))
        draft.replace(path)


def model_of_module(module: ModuleOp) -> openvino.Model:
    """A module as a model in memory. Raises DiagnosticException where OpenVINO cannot say something of it."""
    from .exporter import exported

    return exported(module)


def _read(path: Path) -> openvino.Model:
    try:
        openvino = import_openvino()
    except ImportError:
        raise SourceError(f"{path}: error: {needs('reading OpenVINO IR', 'openvino')}") from None
    with path.open("rb") as file:
        head = file.read(HEAD)
        if b"<net" not in head:
            raise SourceError(f"{path}: error: not OpenVINO IR, which begins with <net …>")
        data = head + file.read()
    try:
        check(data)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {error}") from None
    try:
        return openvino.Core().read_model(path)
    except RuntimeError as error:
        raise SourceError(_explain(path, str(error))) from None


def _explain(path: Path, message: str) -> str:
    weights = path.with_suffix(".bin")
    if "bin file" in message and not weights.is_file():
        return f"{weights}: error: no such file; the weights belong beside {path.name}"
    if "Incorrect weights in bin file" in message:
        return (
            f"{weights}: error: shorter than {path.name} says; it is truncated or another model's"
        )
    # The first lines are about OpenVINO's own source files.
    what = [line.strip() for line in message.splitlines() if line.strip()][-1]
    return f"{path}: error: not a whole model: {what}"
