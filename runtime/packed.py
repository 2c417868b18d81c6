"""
An executable as bytes: what the cache keeps and pickle carries.

They are a safetensors file, so that others can look inside: the tensors `weights` (first, and aligned, since it is
used where it is mapped), `object0` and so on and the states' initial values, the rest as JSON in the metadata. The seal
stands at a fixed place in front and covers all else: nothing is looked at, parsed or loaded before it was checked.
"""

from __future__ import annotations

import json
from typing import Any

from ..lowering.calling_convention import ALIGNMENT
from .executable import Executable
from .trust import SEAL_LENGTH, Bytes, check_seal, seal

_OPENING = '{"__metadata__": {"seal": "'
"""How the header begins, up to the seal."""

_SEAL = slice(8 + len(_OPENING), 8 + len(_OPENING) + SEAL_LENGTH)


def pack(executable: Executable, name: str = "") -> bytes:
    """What is kept under this name."""
    return b"".join(packed_parts(executable, name))


def packed_parts(executable: Executable, name: str = "") -> list[Bytes]:
    """The same in parts, the weights where they lie: there may be more of them than fits into memory twice."""
    from ..dialects.mapped import drop_mapped_pages  # models from the cache start without it

    tensors = executable.tensors()
    metadata = {"seal": "0" * SEAL_LENGTH, "lowstream": json.dumps(executable.description())}
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for tensor, data in tensors.items():
        start, end = end, end + memoryview(data).nbytes
        header[tensor] = {"dtype": "U8", "shape": [end - start], "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % ALIGNMENT)
    head = bytearray(len(text).to_bytes(8, "little") + text)
    before, behind = _sealed(bytes(head))
    head[_SEAL] = seal(name, before, [behind, *tensors.values()], was_read=drop_mapped_pages)
    return [head, *tensors.values()]


def unpack(packed: Bytes, name: str = "", is_known: bool = False) -> Executable:
    """
    The inverse of `pack`. Raises DiagnosticException where these are not the bytes that were kept under this name, or
    they are of another version of lowstream. With `is_known`, they are those that this process has written just now,
    and the seal is not checked.
    """
    packed = memoryview(packed)
    if not is_known:
        check_seal(packed[_SEAL], name, *_sealed(packed))
    length = int.from_bytes(packed[:8], "little")
    header = json.loads(bytes(packed[8 : 8 + length]))
    metadata, data = header.pop("__metadata__"), packed[8 + length :]
    tensors = {tensor: data[slice(*field["data_offsets"])] for tensor, field in header.items()}
    return Executable.of(json.loads(metadata["lowstream"]), tensors)


def _sealed(packed: Bytes) -> tuple[memoryview, memoryview]:
    """What stands before the seal, and behind it."""
    view = memoryview(packed)
    return view[: _SEAL.start], view[_SEAL.stop :]
