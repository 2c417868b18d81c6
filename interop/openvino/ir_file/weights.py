"""The .bin of an .xml."""

from __future__ import annotations

from pathlib import Path

from ....dialects.mapped import mapped
from ...mlir import SourceError


class Weights:
    """The .bin, mapped when a constant first needs it."""

    def __init__(self, model: Path, path: Path):
        self.model, self.path = model, path
        self.data: memoryview | None = None

    def bytes_of(self, offset: int, size: int) -> memoryview:
        """A view of so many bytes. Raises SourceError where there is no file, or it is too short."""
        if self.data is None:
            try:
                self.data = mapped(self.path)
            except FileNotFoundError:
                raise SourceError(
                    f"{self.path}: error: no such file; the weights belong beside {self.model.name}"
                ) from None
        if offset + size > len(self.data):
            raise SourceError(
                f"{self.path}: error: shorter than {self.model.name} says; it is truncated or another model's"
            )
        return self.data[offset : offset + size]
