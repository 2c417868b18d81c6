"""
A plugin of pytest that runs tests of kernels on an emulated CPU, of AArch64 or with what LOWSTREAM_ISA says:

    LOWSTREAM_ISA=avx_vnni pytest -p lowstream.test.emulated.plugin test/unit/lowering/codegen

It leaves out the tests that need this machine's own CPU.
"""

from __future__ import annotations

import pytest

from lowstream.lowering import machine
from lowstream.reference.arrays import Array
from lowstream.test.emulated.target import emulate
from lowstream.test.unit.lowering.codegen import native


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is marked `host`, and `x86` where that is not emulated."""
    others = {"host"} if machine.choose_isa().vector else {"host", "x86"}
    marks = [others & {mark.name for mark in each.iter_markers()} for each in items]
    both = list(zip(items, marks, strict=True))
    config.hook.pytest_deselected(items=[each for each, marked in both if marked])
    items[:] = [each for each, marked in both if not marked]


def _call(function: int, *arrays: Array) -> None:
    _emulated(function, *(array.ctypes.data for array in arrays))


_emulated = emulate()
setattr(native, "call", _call)  # noqa: B010
