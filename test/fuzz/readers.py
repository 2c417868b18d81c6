"""What is fuzzed: for each reader files to begin with, how they are changed, and what is done with the result."""

from __future__ import annotations

import io
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException, ParseError

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module, verify
from lowstream.interop.model import read_model
from lowstream.lowering.lower_to_kernels import lower
from lowstream.passes.legalize import legalized
from lowstream.passes.pipeline import run_passes
from lowstream.test.fuzz.mutants import changed_bytes, changed_text

TEST = Path(__file__).parents[1]

LONGEST = 4000
"""Characters of a module, so that many mutants run in a minute."""


@dataclass(frozen=True)
class Reader:
    """A kind of file."""

    ending: str
    corpus: Callable[[], list[bytes]]
    change: Callable[[Sequence[bytes], Random], bytes]
    read: Callable[[bytes], object]
    """Raises DiagnosticException or ParseError, and nothing else, for whatever is wrong with the bytes."""


# --- modules as text ------------------------------------------------------------------------


def _module(data: bytes) -> ModuleOp:
    module = parse_module(data, "fuzz.mlir", context())
    verify(module)
    Printer(io.StringIO()).print_op(module)
    return module


def _lowered(module: ModuleOp) -> None:
    """What `compile_model` does before there is machine code."""
    lower(legalized(module))


def _model(data: bytes) -> None:
    _lowered(_module(data))


def _program(data: bytes) -> None:
    """A program, as tests of the code generator write it, or kernels."""
    from lowstream.dialects import kernel
    from lowstream.lowering.codegen.compile import compile_program
    from lowstream.lowering.machine import choose_isa

    module = _module(data)
    for op in module.ops:
        if isinstance(op, kernel.ProgramOp):
            compile_program(op, choose_isa(), False, 2)
    _lowered(module)


def _tensorflow(data: bytes) -> None:
    from lowstream.interop.tensorflow.importer import PIPELINE

    module = _module(data)
    run_passes(module, PIPELINE)
    _lowered(module)


def _chunks(*folders: str) -> list[bytes]:
    """The modules in these folders of tests, in the generic form too."""
    paths = sorted(path for folder in folders for path in (TEST / folder).rglob("*.mlir"))
    chunks = [chunk for path in paths for chunk in path.read_text().split("// -----")]
    code = ["".join(re.split(r"(?m)^ *//[^\n]*\n", chunk)) for chunk in chunks]
    code = [text for text in code if text.strip() and len(text) < LONGEST]
    code += [text for text in map(_generic, list(code)) if text is not None]
    return [text.encode() for text in code]


def _generic(text: str) -> str | None:
    """The generic form of a valid module."""
    stream = io.StringIO()
    try:
        module = parse_module(text, "fuzz.mlir", context())
        verify(module)
        Printer(stream, print_generic_format=True).print_op(module)
    except (DiagnosticException, ParseError):
        return None
    return stream.getvalue()


# --- files of others ------------------------------------------------------------------------


def _tflite(data: bytes) -> None:
    from lowstream.interop.tflite import tflite_module

    _lowered(tflite_module(data))


def _tflite_files() -> list[bytes]:
    """Those of the tests, and what our modules are written as."""
    from lowstream.interop.tflite import tflite_bytes

    found = [path.read_bytes() for path in sorted((TEST / "unit").rglob("*.tflite"))]
    for text in _chunks("filecheck/dialects", "filecheck/lowering"):
        try:
            module = parse_module(text, "fuzz.mlir", context())
            verify(module)
            found.append(tflite_bytes(module))
        except (DiagnosticException, ParseError, AssertionError):
            continue
    return found


def _onnx(data: bytes) -> None:
    path = Path(_FOLDER.name) / "fuzz.onnx"
    path.write_bytes(data)
    _lowered(read_model(path).module)


def _onnx_files() -> list[bytes]:
    """The models of ONNX's own tests."""
    import onnx.backend.test

    folder = Path(onnx.backend.test.__file__).parent / "data"
    found = [path.read_bytes() for path in sorted(folder.rglob("model.onnx"))]
    return [data for data in found if len(data) < LONGEST]


def _ort(data: bytes) -> None:
    path = Path(_FOLDER.name) / "fuzz.ort"
    path.write_bytes(data)
    _lowered(read_model(path).module)


def _ort_files() -> list[bytes]:
    """What ONNX Runtime makes of every fourth of ONNX's own models."""
    return [data for each in _onnx_files()[::4] if (data := _as_ort(each)) is not None]


def _as_ort(data: bytes) -> bytes | None:
    """None where ONNX Runtime has no kernels for a model."""
    from lowstream.test.unit.interop.onnx.sessions import saved_as_ort

    try:
        return saved_as_ort(data, Path(_FOLDER.name) / "corpus.ort").read_bytes()
    except Exception:  # noqa: BLE001 (its errors have no other base)
        return None


def _openvino(data: bytes) -> None:
    text, _, weights = data.partition(SEPARATOR)
    path = Path(_FOLDER.name) / "fuzz.xml"
    path.write_bytes(text)
    path.with_suffix(".bin").write_bytes(weights)
    _lowered(read_model(path).module)


SEPARATOR = b"\n<!-- weights -->\n"
"""What stands between an .xml and its .bin in one mutant."""

_FOLDER = tempfile.TemporaryDirectory()


def _openvino_change(corpus: Sequence[bytes], random: Random) -> bytes:
    text, _, weights = random.choice(corpus).partition(SEPARATOR)
    others = [each.partition(SEPARATOR)[0] for each in random.sample(corpus, 8)]
    if random.randrange(20):
        text = changed_text([text] if random.randrange(3) else others, random)
    else:
        weights = weights[: random.randrange(len(weights) + 1)]
    return text + SEPARATOR + weights


def _openvino_files() -> list[bytes]:
    """The models of the tests, in a process of their own: OpenVINO's threads do not survive a fork."""
    import subprocess

    folder = Path(_FOLDER.name) / "models"
    command = [sys.executable, "-P", Path(__file__).with_name("openvino_files.py"), folder]
    subprocess.run(command, check=True, cwd=TEST / "unit" / "interop")
    return [
        path.read_bytes() + SEPARATOR + path.with_suffix(".bin").read_bytes()
        for path in sorted(folder.rglob("*.xml"))
    ]


READERS = {
    "mlir": Reader(".mlir", lambda: _chunks("filecheck", "unit/passes"), changed_text, _model),
    "kernel": Reader(
        ".mlir",
        lambda: [t for t in _chunks("filecheck") if b"kernel." in t],
        changed_text,
        _program,
    ),
    "tensorflow": Reader(
        ".mlir",
        lambda: [t for t in _chunks("filecheck/passes") if b"tf." in t],
        changed_text,
        _tensorflow,
    ),
    "tflite": Reader(".tflite", _tflite_files, changed_bytes, _tflite),
    "onnx": Reader(".onnx", _onnx_files, changed_bytes, _onnx),
    "ort": Reader(".ort", _ort_files, changed_bytes, _ort),
    "openvino": Reader(".xml", _openvino_files, _openvino_change, _openvino),
}
"""By name."""
