"""Operations of OpenVINO that are not read, and why."""

from __future__ import annotations

import importlib
import inspect
import re

OPSETS = range(1, 18)
"""Those whose operations are looked at; the last one still grows."""

_CREATED = re.compile(r'\.create\(\s*"(\w+)"')

_BOXES = "end the model at its boxes and scores, or write it with NonMaxSuppression"

_STRINGS = "tensors of strings are none here; tokenize outside of the model"

REFUSED = {
    "NMSRotated": f"overlaps of rotated boxes have no kernel; {_BOXES}",
    "StringTensorPack": _STRINGS,
    "StringTensorUnpack": _STRINGS,
}
"""By type, the reason and what to do."""

_OTHERS = "it is not supported yet; write it in operations that are"


def refusal(type: str) -> str:
    """Why a type of operation is not read, and what to do."""
    return REFUSED.get(type, _OTHERS)


def types_of_opsets() -> list[str]:
    """The types of all operations that OpenVINO's opsets make, in order of the alphabet."""
    sources = (inspect.getsource(importlib.import_module(f"openvino.opset{n}.ops")) for n in OPSETS)
    return sorted({name for source in sources for name in _CREATED.findall(source)})
