"""
A safetensors file beside a module, memory-mapped read-only and checked before anything is read from it.

The safetensors package copies what it reads and imports NumPy; this reader hands out views and needs
neither. Format: https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import json
import math
import os
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, cast

from xdsl.dialects.builtin import TensorType, f4E2M1FN, i1
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from .element_names import SAFETENSORS
from .elements import i4, ui4
from .mapped import mapped

MAX_HEADER = 100 << 20
"""The header's limit in the format's own reader."""


PACKED_TYPES: dict[str, Attribute] = {
    "i1": i1,
    "i4": i4,
    "ui4": ui4,
    "f4E2M1FN": f4E2M1FN,
}
"""Element types stored as a row of U8; the metadata entry of the key holds `<element>:<d0>x<d1>…`."""


@dataclass(frozen=True)
class WeightsFile:
    """An open weights file: its header and a view of its data section."""

    name: str
    header: dict[str, Any]
    data: memoryview

    @staticmethod
    def open(folder: Path, name: str) -> WeightsFile:
        """
        Maps `folder/name`. Raises DiagnosticException if the name leaves the folder (absolute, `..`, a link
        out), if the file is missing, or if it is not a whole safetensors file.
        """
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\0" in name or not path.parts:
            raise DiagnosticException(
                f"weights file '{name}' is outside the module's folder; put it beside the .mlir"
            )
        try:
            resolved = (folder / path).resolve()
            if not resolved.is_relative_to(folder.resolve()):
                raise DiagnosticException(
                    f"weights file '{name}' is a link out of the module's folder; copy it there"
                )
            status = os.stat(resolved)
            if not stat.S_ISREG(status.st_mode):
                raise DiagnosticException(f"weights file '{name}' is not a regular file")
            return _map(resolved, name, status.st_size, (status.st_ino, status.st_mtime_ns))
        except FileNotFoundError:
            raise DiagnosticException(
                f"weights file '{name}' is missing; it belongs beside the .mlir in {folder}"
            ) from None
        except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
            raise DiagnosticException(f"weights file '{name}' cannot be read: {error}") from error

    def tensor(self, key: str) -> tuple[TensorType[Any], memoryview]:
        """Type and bytes of one tensor. Raises DiagnosticException if there is none such."""
        entry = self.header.get(key)
        if not isinstance(entry, dict) or key == "__metadata__":
            raise DiagnosticException(f"{self.name}: no tensor '{key}' in the weights file")
        entry = cast(dict[str, Any], entry)
        try:
            element, shape = self._type(key, entry)
            start, end = _integers(entry["data_offsets"])
        except (KeyError, ValueError):
            raise DiagnosticException(f"{self.name}: malformed entry of tensor '{key}'") from None
        size = len(self.data)
        if not 0 <= start <= end <= size:
            raise DiagnosticException(
                f"{self.name}: tensor '{key}' lies at {start}..{end}, the file has {size} bytes of "
                "data; it is truncated"
            )
        return TensorType(element, shape), self.data[start:end]

    def _type(self, key: str, entry: dict[str, Any]) -> tuple[Attribute, list[int]]:
        metadata = self.header.get("__metadata__")
        packed = (
            cast(dict[str, Any], metadata).get(f"packed:{key}")
            if isinstance(metadata, dict)
            else None
        )
        if packed is not None:
            name, _, dims = str(packed).partition(":")
            shape = [int(d) for d in dims.split("x")] if dims else []
            element = PACKED_TYPES[name]
        else:
            element = SAFETENSORS[str(entry["dtype"])]
            shape = _integers(entry["shape"])
        if any(d < 0 for d in shape) or math.prod(shape) >= 2**62:
            raise ValueError
        return element, shape


def _integers(value: object) -> list[int]:
    """A JSON list of integers. Raises ValueError for anything else."""
    if not isinstance(value, list):
        raise ValueError
    listed = cast(list[object], value)
    if not all(type(item) is int for item in listed):
        raise ValueError
    return cast(list[int], listed)


@lru_cache(maxsize=64)
def _map(path: Path, name: str, size: int, version: tuple[int, int]) -> WeightsFile:
    del version  # part of the cache's key only: a rewritten file is mapped anew
    truncated = DiagnosticException(f"{name}: not a whole safetensors file; it is truncated")
    if size < 8:
        raise truncated
    view = mapped(path)
    length = int.from_bytes(view[:8], "little")
    if length > MAX_HEADER or length > size - 8:
        raise truncated
    try:
        header = json.loads(bytes(view[8 : 8 + length]))
    except (ValueError, RecursionError):
        raise DiagnosticException(f"{name}: the header is not JSON; not a weights file") from None
    if not isinstance(header, dict):
        raise DiagnosticException(f"{name}: the header is not a JSON object; not a weights file")
    return WeightsFile(name, cast(dict[str, Any], header), view[8 + length :])
