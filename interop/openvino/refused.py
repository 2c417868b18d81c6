"""Operations of OpenVINO that are not read, and why."""

from __future__ import annotations

import importlib
import inspect
import re

OPSETS = range(1, 18)
"""Those whose operations are looked at; the last one still grows."""

_CREATED = re.compile(r'\.create\(\s*"(\w+)"')

REFUSED: dict[str, str] = dict.fromkeys(
    ("StringTensorPack", "StringTensorUnpack"),
    "tensors of strings are none here; tokenize outside of the model",
)
"""By type, the reason and what to do: all other types of these opsets are read."""


def refusal(type: str) -> str:
    """Why a type of operation is not read, and what to do."""
    return REFUSED.get(
        type, f"no opset up to {OPSETS[-1]} has it; write it in operations that one has"
    )


def types_of_opsets() -> list[str]:
    """The types of all operations that OpenVINO's opsets make, in order of the alphabet."""
    sources = (inspect.getsource(importlib.import_module(f"openvino.opset{n}.ops")) for n in OPSETS)
    return sorted({name for source in sources for name in _CREATED.findall(source)})
