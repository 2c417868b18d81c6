"""Whether the files that hold a module's constants are as they were when the module was read."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from .blob import BlobAttr
from .mapped import MappedFile, file_of
from .walk import all_operations


def mapped_files(module: Operation) -> frozenset[MappedFile]:
    """The files whose pages are constants of a module."""
    return frozenset(filter(None, map(file_of, _buffers(module))))


def _buffers(module: Operation) -> Iterator[object]:
    """Those of data that is there; that of a `DeferredBlob` may still have to be computed."""
    for op in all_operations(module):
        for attribute in op.properties.values():
            if isinstance(attribute, BlobAttr):
                yield attribute.data.__dict__.get("buffer")


def require_unchanged(module: Operation) -> None:
    """Raises DiagnosticException where a file that holds constants of a module was written since it was mapped."""
    for file in mapped_files(module):
        if not file.is_unchanged:
            raise DiagnosticException(
                f"{file.path} was written after the model was read, and its weights are no longer those of the model; "
                "read the model again, and write models to other files than those they are read from"
            )
