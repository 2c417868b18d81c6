"""What an input is read from, if that is no array of its shape: arrays that are one batch, or fill its beginning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ...passes.errors import DiagnosticError, shown

if TYPE_CHECKING:
    from ..aligned_buffers import Array
    from ..ports import Port


class Batch:
    """
    Arrays of shape `[1, …]`, which are an input of shape `[number, …]` one after the other. Each call reads what they
    hold then.

    Raises DiagnosticException where they are not as many as the input's first dimension, or one does not fit.
    """

    def __init__(self, port: Port, parts: Sequence[Any]):
        if not hasattr(parts, "__len__"):
            raise DiagnosticError(f"{port} was given {shown(parts)}; give a list of arrays")
        if not len(parts):
            raise DiagnosticError(f"{port} was given a batch of no arrays; give one at least")
        if not port.shape or port.shape[0] not in (-1, len(parts)):
            rows = "has no first dimension" if not port.shape else f"takes {port.shape[0]} of them"
            raise DiagnosticError(f"{port} was given a batch of {len(parts)} arrays, and {rows}")
        self._row = replace(port, shape=(1, *port.shape[1:]))
        self.parts = [self._row.view(part) for part in parts]
        self.shape = (len(parts), *self.parts[0].shape[1:])
        if any(part.shape != self.parts[0].shape for part in self.parts):
            raise DiagnosticError(f"{port} was given a batch of arrays of different shapes")

    def copy(self) -> Batch:
        """A batch of copies of the parts."""
        port = replace(self._row, shape=(len(self.parts), *self._row.shape[1:]))
        return Batch(port, [part.copy() for part in self.parts])

    def copy_to(self, array: Array) -> None:
        """Writes the values, one part after the other."""
        for index, part in enumerate(self.parts):
            row = replace(self._row, shape=part.shape).accept(part)
            array[index : index + 1] = row


Source: TypeAlias = "Array | Batch"
"""What an input is read from: one array, or a batch of them."""


class Padded:
    """What an input of a bucket is read from: it fills the beginning of the array that native code reads."""

    def __init__(self, given: Source, port: Port):
        self.given, self.port = given, port
        self._part = tuple(map(slice, given.shape))

    def copy_to(self, array: Array) -> None:
        """Writes the values. Raises DiagnosticException as `Port.accept` does."""
        if isinstance(self.given, Batch):
            self.given.copy_to(array[self._part])
        else:
            array[self._part] = self.port.accept(self.given)
