"""
What decides how a model is compiled, as keys: two calls with the same key get the same executable.

A file has a key of its bytes and of the weights it refers to, computed without a parser; a module has one
of its text, in which the digests of its constants stand.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from functools import cache
from importlib.util import find_spec
from mmap import ACCESS_READ, MADV_DONTNEED, mmap
from pathlib import Path
from typing import TYPE_CHECKING

from ...passes.lpt_extensions import fingerprint
from ..host import host_cpu
from .digests import digest_of_file
from .trust import PIECE
from .tuned import digest_of

if TYPE_CHECKING:
    from _hashlib import HASH

    from xdsl.dialects.builtin import ModuleOp

ISA_VARIABLE = "LOWSTREAM_ISA"
"""The environment variable that forces an instruction set."""

COMPILER = ("dialects", "interop", "lowering", "passes", "reference", "runtime")
"""Our packages that take part in compiling."""

_GAP = rb"(?:\s|//[^\n]*\n)*+"
_STRING = rb'"((?:[^"\\\n]++|\\.)*+)"'
_REFERENCE = _STRING + _GAP + rb"," + _GAP + _STRING + _GAP + rb"," + _GAP + rb'"[0-9a-f]{32}"'
"""How an .mlir file refers to a tensor of another file: file, key, digest."""

_LOCATION = re.compile(rb"location(?:(?<=\n\x08location)\x12([\x80-\xff]?[\x00-\x7f]))?+")
"""
How an .onnx file refers to a file: a message of `key` (tag 1) and `value` (tag 2), here up to the length of the value.
"""

_LONGEST = len(b"location\x12\xff\x7f")
"""The most bytes that this takes."""


@dataclass(frozen=True)
class Options:
    """The options of `compile_model` that decide an executable."""

    pipeline: str | None
    profiling: bool
    threads: int
    accurate: bool = False
    flush_denormals: bool = False


def key_of_contents(contents: str | None, options: Options) -> str | None:
    """A key of a model of these `contents_of` a file; None where it has none."""
    return (
        None if contents is None else _digest("file", _environment(options), contents).hexdigest()
    )


def contents_of(path: Path) -> str | None:
    """
    A digest of the file's format and bytes, and of all files that it refers to. None where only an importer knows the
    references of its format, or a file cannot be read.
    """
    if (companions := COMPANIONS.get(path.suffix.lower())) is None:
        return None
    try:
        digest = _digest(path.suffix, digest_of_file(_regular(path)))
        for name in companions(path):
            digest.update(_framed(name) + _framed(digest_of_file(_regular(path.parent / name))))
    except (OSError, ValueError):
        return None
    return digest.hexdigest()


def _regular(path: Path) -> Path:
    """The path of a regular file. Raises ValueError for devices and the like, which have no end."""
    if not path.is_file():
        raise ValueError
    return path


def key_of_module(module: ModuleOp, options: Options) -> str:
    """A key of the module's text and its constants' digests."""
    return _digest("module", _environment(options), _text(module)).hexdigest()


def digest_of_module(module: ModuleOp) -> str:
    """Identifies a module on any machine, by its text and its constants' digests."""
    return _digest("text", _text(module)).hexdigest()


def _text(module: ModuleOp) -> str:
    import io

    from ...interop.mlir_file import WeightsPrinter

    text = io.StringIO()
    WeightsPrinter(text, file="", inline_limit=0).print_op(module)
    return text.getvalue()


def _referenced(path: Path) -> Iterator[str]:
    text = path.read_bytes()
    for name in sorted({match[1] for match in re.finditer(_REFERENCE, text)}):
        yield os.fsdecode(name)


def _beside(path: Path) -> Iterator[str]:
    weights = path.with_suffix(".bin")
    if weights.exists():
        yield weights.name


def _external(path: Path) -> Iterator[str]:
    """
    The files of an ONNX model's external data: no such tensor is without the key "location". Raises ValueError where
    that word stands otherwise than protobuf writes an entry of this key, as in a name.
    """
    names = set[bytes]()
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        for begin in range(0, len(data), PIECE):
            for word in _LOCATION.finditer(data, begin, begin + PIECE + _LONGEST):
                if word[1] is None and word.start() < begin + PIECE:
                    raise ValueError
                if word[1] is not None:
                    names.add(data[word.end() : word.end() + _varint(word[1])])
            data.madvise(MADV_DONTNEED)
    for name in sorted(names):
        yield os.fsdecode(name)


def _varint(data: bytes) -> int:
    """An integer as protobuf writes it: 7 bits in each byte, the lowest first."""
    return sum((byte & 0x7F) << 7 * place for place, byte in enumerate(data))


def _alone(path: Path) -> Iterator[str]:
    return iter(())


COMPANIONS: dict[str, Callable[[Path], Iterator[str]]] = {
    ".mlir": _referenced,
    ".onnx": _external,
    ".tflite": _alone,
    ".xml": _beside,
}
"""By file ending, the other files that a file's meaning depends on."""


def _environment(options: Options) -> str:
    """Everything beside the model that an executable depends on."""
    parts = (
        *astuple(options),
        *_files_of(options.pipeline or ""),
        fingerprint(),
        host_cpu(),
        digest_of(options.threads),
        os.environ.get(ISA_VARIABLE, ""),
        platform.python_version(),
        digest_of_compiler(),
    )
    return repr(parts)


def _files_of(pipeline: str) -> Iterator[str]:
    """Digests of the files that the options of passes name: `lpt{config="my.toml"}`."""
    for quoted, plain in re.findall(r'"((?:[^"\\]|\\.)*)"|(?<=[=,])([^\s"=,{}]+)', pipeline):
        if (path := Path(quoted or plain)).is_file():
            yield hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def digest_of_compiler() -> str:
    """
    A digest of the packages that take part in compiling, by their version or the status of their files. It stands for
    all versions. In a tree of sources it covers each of our files, for schedules and passes under development;
    installed packages are replaced as a whole.
    """
    root = Path(__file__).parents[2]
    if (root / "pyproject.toml").exists():
        seen = [found for folder in COMPILER for found in _sources(str(root / folder))]
    else:
        seen = [(str(root), os.stat(root))]
    for package in ("llvmlite", "numpy", "onnx", "xdsl"):
        found = find_spec(package)  # which does not load it
        folders = (found and found.submodule_search_locations) or ()
        seen += [(folder, os.stat(folder)) for folder in folders]
    lines = sorted(f"{path}\0{status.st_size} {status.st_mtime_ns}" for path, status in seen)
    return _digest("\0".join(lines)).hexdigest()


def _sources(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """The sources in a folder and below. There are hundreds, and `pathlib` takes four times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".ll")):
                yield entry.path, entry.stat()
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)


def _digest(*parts: str | bytes) -> HASH:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(_framed(part))
    return digest


def _framed(part: str | bytes) -> bytes:
    """The part with its length in front, so that no two lists of parts run together to the same bytes."""
    data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
    return len(data).to_bytes(8, "little") + data
