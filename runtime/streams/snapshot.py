"""The states of one stream as bytes, for another process or machine: a safetensors file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...passes.errors import DiagnosticError

if TYPE_CHECKING:
    from ..aligned_buffers import Array

FORMAT = "1"
"""Changes with what a snapshot holds."""


def packed(rows: Sequence[Array], names: Sequence[str], is_set: bool, model: str) -> bytes:
    """The rows of one stream by the names of their states, with what the model is known by."""
    from safetensors.numpy import save

    tensors = {
        name: np.frombuffer(row.tobytes(), np.uint8) for name, row in zip(names, rows, strict=True)
    }
    metadata = {
        "format": FORMAT,
        "model": model,
        "is_set": json.dumps(is_set),
        "states": json.dumps({name: _kind(row) for name, row in zip(names, rows, strict=True)}),
    }
    return save(tensors, metadata)


def unpacked(
    snapshot: bytes, rows: Sequence[Array], names: Sequence[str], model: str
) -> tuple[list[Array], bool]:
    """
    What `packed` was given: rows of the types and shapes of these, and whether they are set. Raises
    DiagnosticException for what is no snapshot of this model.
    """
    tensors, metadata = _loaded(snapshot)
    if metadata.get("format") != FORMAT:
        raise DiagnosticError("the snapshot was made by another version of lowstream")
    if metadata.get("model") != model:
        raise DiagnosticError("the snapshot is of another model, or of one with other passes")
    wanted = {name: _kind(row) for name, row in zip(names, rows, strict=True)}
    if json.loads(metadata["states"]) != wanted:
        raise DiagnosticError(
            f"the snapshot has states {metadata['states']}, the model here {json.dumps(wanted)}; compile both with the "
            "same configuration"
        )
    found = [
        np.frombuffer(tensors[name].tobytes(), row.dtype).reshape(row.shape)
        for name, row in zip(names, rows, strict=True)
    ]
    return found, bool(json.loads(metadata["is_set"]))


def _kind(row: Array) -> str:
    return f"{row.dtype}{list(row.shape)}"


def _loaded(snapshot: bytes) -> tuple[dict[str, Array], dict[str, str]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        tensors = load(snapshot)
    except (SafetensorError, TypeError, ValueError) as error:
        raise DiagnosticError(f"this is not a snapshot of a stream: {error}") from None
    length = int.from_bytes(snapshot[:8], "little")
    header = json.loads(snapshot[8 : 8 + length])
    return tensors, header.get("__metadata__", {})
