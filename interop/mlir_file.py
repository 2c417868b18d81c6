"""Modules in .mlir files, large constants in a safetensors file beside each."""

from __future__ import annotations

import errno
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException

from ..dialects import context
from ..dialects.blob import INLINE_LIMIT, Blob
from ..dialects.elements import bits_of
from ..dialects.inferred import friendly_name
from ..dialects.locations import blamed, place_of
from ..dialects.verification import what_is_wrong
from ..dialects.weights_file import PACKED_TYPES
from ..passes.whole_file import replacing
from .ir_version import saying_version
from .mlir import SourceError, parse_error_line, parse_module, verify


def read_mlir(path: Path) -> ModuleOp:
    """
    The module of a file, verified; large constants are views of the weights file beside it.

    Raises SourceError, `file:line:column: error: what`, where the text or a weights file is
    wrong, and OSError where the file cannot be read.
    """
    try:
        module = parse_module(path.read_bytes(), str(path), context())
        verify(module)
    except ParseError as error:
        raise SourceError(parse_error_line(error)) from None
    except VerifyException as error:
        op = blamed(error)
        place = None if op is None else place_of(op.location)
        raise SourceError(f"{place or path}: error: {what_is_wrong(error)}") from None
    return module


def write_mlir(module: ModuleOp, path: Path) -> None:
    """
    Writes `path`, which says the IR's version, and, if there are large constants, `<stem>.safetensors` beside it.

    Each file appears whole or not at all, weights first; whoever has a former one open keeps it.
    What is no regular file (`/dev/stdout`) gets everything inline.
    """
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8") as stream:
            Printer(stream).print_op(module)
            stream.write("\n")
        return
    text = io.StringIO()
    printer = WeightsPrinter(text, file=weights_path(path).name)
    with saying_version(module):
        printer.print_op(module)
    text.write("\n")
    write_files(path, text.getvalue(), printer.keys)


def weights_path(path: Path) -> Path:
    """The weights file that belongs to an .mlir file."""
    return path.with_suffix(".safetensors")


def write_files(path: Path, text: str, keys: Mapping[Blob, str]) -> None:
    """Writes the text that WeightsPrinters printed, and beside it the constants in `keys`."""
    if keys:
        with replacing(weights_path(path)) as draft:
            _write_weights({key: blob for blob, key in keys.items()}, draft)
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8")


@dataclass(eq=False)
class WeightsPrinter(Printer):
    """
    Prints references into `file` for large constants, and collects these in `keys`.

    A constant's key is the friendly name of its operation, if any; equal constants share a key.
    """

    file: str = field(kw_only=True)
    keys: dict[Blob, str] = field(default_factory=dict[Blob, str], kw_only=True)
    inline_limit: int = field(default=INLINE_LIMIT, kw_only=True)
    _name: str = field(default="", init=False)
    _counts: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._counts = dict.fromkeys(self.keys.values(), 1)

    def print_op(self, op: Operation) -> None:
        outer, self._name = self._name, friendly_name(op) or op.name
        super().print_op(op)
        self._name = outer

    def reference(self, blob: Blob) -> tuple[str, str]:
        """The weights file and the key of `blob` in it. Raises SourceError where text cannot name that file."""
        if re.search("[\ud800-\udfff]", self.file):  # bytes of a name that are not UTF-8
            raise SourceError(
                f"{self.file}: error: the name is not UTF-8, and the text of a module has it; write to another file"
            )
        if blob not in self.keys:
            self.keys[blob] = self._free_key()
        return self.file, self.keys[blob]

    def _free_key(self) -> str:
        key = name = self._name
        while key in self._counts:
            self._counts[name] += 1
            key = f"{name}_{self._counts[name]}"
        self._counts[key] = 1
        return key


def _write_weights(tensors: dict[str, Blob], path: Path) -> None:
    import numpy as np
    from safetensors import SafetensorError, TensorSpec, serialize_file

    arrays = {
        key: np.frombuffer(memoryview(blob.buffer), np.uint8) for key, blob in tensors.items()
    }
    specs: dict[str, TensorSpec] = {}
    metadata: dict[str, str] = {}
    for key, blob in tensors.items():
        element, shape = blob.type.element_type, list(blob.type.get_shape())
        if element in PACKED_TYPES.values():
            metadata[f"packed:{key}"] = f"{element}:{'x'.join(map(str, shape))}"
            shape = [arrays[key].size]
        specs[key] = TensorSpec(
            dtype=_dtype(element),
            shape=shape,
            data_ptr=arrays[key].ctypes.data,
            data_len=arrays[key].size,
        )
    try:
        serialize_file(specs, path, metadata)
    except SafetensorError as error:
        raise OSError(errno.EIO, str(error), str(path)) from None


def _dtype(element: Attribute) -> str:
    """safetensors' name for an element type, as NumPy and ml_dtypes have it; packed ones are rows of bytes."""
    from ..reference.arrays import array_type_name

    return "uint8" if bits_of(element) < 8 else array_type_name(element)
