"""The states of one stream as bytes, for another process or machine: a safetensors file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...passes.errors import DiagnosticError

if TYPE_CHECKING:
    from ..aligned_buffers import Array

FORMAT = 2
"""Changes with what a snapshot holds."""

NOTE = "lowstream"
"""The only key of the metadata: safetensors writes several in any order, and equal states are to be equal bytes."""


def packed(rows: Sequence[Array], names: Sequence[str], is_set: bool, model: str) -> bytes:
    """The rows of one stream by the names of their states, with what the model is known by."""
    from safetensors.numpy import save

    tensors = {
        name: np.frombuffer(row.tobytes(), np.uint8) for name, row in zip(names, rows, strict=True)
    }
    states = {name: _kind(row) for name, row in zip(names, rows, strict=True)}
    note = {
        "format": FORMAT,
        "model": model,
        "is_set": is_set,
        "states": states,
        "digest": _digest(tensors, is_set),
    }
    return save(tensors, {NOTE: json.dumps(note)})


def unpacked(
    snapshot: bytes, rows: Sequence[Array], names: Sequence[str], model: str
) -> tuple[list[Array], bool]:
    """
    What `packed` was given: rows of the types and shapes of these, and whether they are set. Raises
    DiagnosticException for what is no snapshot of this model.
    """
    tensors, note = _loaded(snapshot)
    if note.get("format") != FORMAT:
        raise DiagnosticError("the snapshot was made by another version of lowstream")
    if note.get("model") != model:
        raise DiagnosticError("the snapshot is of another model, or of one with other passes")
    wanted = {name: _kind(row) for name, row in zip(names, rows, strict=True)}
    if note.get("states") != wanted:
        raise DiagnosticError(
            f"the snapshot has states {json.dumps(note.get('states'))}, the model here {json.dumps(wanted)}; compile "
            "both with the same configuration"
        )
    is_set = bool(note.get("is_set"))
    if tensors.keys() != wanted.keys() or note.get("digest") != _digest(tensors, is_set):
        raise DiagnosticError("the snapshot is damaged; take another one of the stream")
    found = [
        np.frombuffer(tensors[name].tobytes(), row.dtype).reshape(row.shape)
        for name, row in zip(names, rows, strict=True)
    ]
    return found, is_set


def _digest(tensors: Mapping[str, Array], is_set: bool) -> str:
    digest = sha256(bytes([is_set]))
    for name in sorted(tensors):
        digest.update(tensors[name].tobytes())
    return digest.hexdigest()


def _kind(row: Array) -> str:
    return f"{row.dtype}{list(row.shape)}"


def _loaded(snapshot: bytes) -> tuple[dict[str, Array], dict[str, Any]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        tensors = load(snapshot)
        length = int.from_bytes(snapshot[:8], "little")
        metadata: Any = json.loads(snapshot[8 : 8 + length]).get("__metadata__") or {}
        note: Any = json.loads(metadata.get(NOTE, "{}"))
    except KeyError as error:
        raise DiagnosticError(
            f"this is not a snapshot of a stream: it has a tensor of {error}"
        ) from None
    except RecursionError:
        raise DiagnosticError(
            "this is not a snapshot of a stream: its metadata is nested too deep"
        ) from None
    except (SafetensorError, TypeError, ValueError) as error:
        raise DiagnosticError(f"this is not a snapshot of a stream: {error}") from None
    return tensors, cast(dict[str, Any], note) if isinstance(note, dict) else {}
