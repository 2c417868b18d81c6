"""Operations of OpenVINO that cannot be read, and why."""

from __future__ import annotations

import importlib
import inspect
import re

OPSETS = range(1, 18)
"""The opsets that are covered; the last one is still growing."""

_CREATED = re.compile(r'\.create\(\s*"(\w+)"')

REFUSED: dict[str, str] = dict.fromkeys(
    ("StringTensorPack", "StringTensorUnpack"),
    "tensors of strings are none here; tokenize outside of the model",
)
"""By type, the reason and what to do. All other types of these opsets can be read."""


def refusal(type: str) -> str:
    """Why a type of operation cannot be read, and what to do."""
    return REFUSED.get(
        type, f"no opset up to {OPSETS[-1]} has it; write it in operations that one has"
    )


def types_of_opsets() -> list[str]:
    """The types of all operations in OpenVINO's opsets, sorted."""
    sources = (inspect.getsource(importlib.import_module(f"openvino.opset{n}.ops")) for n in OPSETS)
    return sorted({name for source in sources for name in _CREATED.findall(source)})
