"""OpenVINO IR (.xml and .bin), which the `openvino` package writes, and what its front ends read besides."""

from __future__ import annotations

import errno
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.verification import one_line, what_is_wrong
from ...passes.needs import needs
from ...passes.whole_file import drafts_of
from ..mlir import SourceError
from .package import import_openvino

if TYPE_CHECKING:
    import openvino

    from .ir_file import IrModel

READING = threading.Lock()
"""One thread reads at a time: OpenVINO's bindings deadlock where two are the first to ask for constants' data."""


def read_xml(path: Path, weights: Path | None = None) -> ModuleOp:
    """
    The module of an .xml with its .bin, which lies beside it unless `weights` says where; constants are views of the
    .bin, which is mapped into memory.

    Raises SourceError where it is not a whole model or cannot be said here, and OSError where it
    cannot be read.
    """
    from .ir_file import read_graph
    from .version_10 import convert_ports

    try:
        read = read_graph(path, weights or path.with_suffix(".bin"))
        module = _module_of_file(read)
        if read.version == 10:
            convert_ports(module)
        read.take_apart()
        return module
    except SourceError:
        raise
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def _module_of_file(file: IrModel) -> ModuleOp:
    """The types are those that the file declares, or, where it contradicts itself, those inferred from its inputs."""
    from .graph import module_of

    if file.is_as_declared():
        with suppress(DiagnosticException):
            return module_of(file)
    return module_of(file, declared=False)


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
    if path.name == "saved_model.pb":
        raise SourceError(f"{path}: error: a part of a saved model; give its folder, {path.parent}")
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
    with drafts_of(path) as draft:
        try:
            openvino.save_model(model, draft, compress_to_fp16)
        except RuntimeError as error:
            why = f"OpenVINO cannot write it ({one_line(str(error))}); is there room for it?"
            raise OSError(errno.EIO, why) from None
        draft.with_suffix(".bin").replace(path.with_suffix(".bin"))
        draft.replace(path)


def model_of_module(module: ModuleOp) -> openvino.Model:
    """A module as a model in memory. Raises DiagnosticException where OpenVINO cannot say something of it."""
    from .exporter import exported

    return exported(module)


def _explain(path: Path, message: str) -> str:
    # The first lines are about OpenVINO's own source files.
    what = [line.strip() for line in message.splitlines() if line.strip()][-1]
    if "Available frontends" in what:
        return f"{path}: error: not a model that OpenVINO's front ends know; export it again"
    return f"{path}: error: not a whole model: {what}"
