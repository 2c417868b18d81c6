"""
A plugin of pytest that runs tests of kernels on an emulated CPU of AArch64:

    pytest -p lowstream.test.emulated.plugin test/unit/lowering/codegen

It leaves out the tests that need this machine's own CPU.
"""

from __future__ import annotations

import pytest

from lowstream.reference.arrays import Array
from lowstream.test.emulated.cpu import CPU
from lowstream.test.emulated.target import emulate
from lowstream.test.unit.lowering.codegen import native


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what is marked `host`."""
    config.hook.pytest_deselected(items=[each for each in items if each.get_closest_marker("host")])
    items[:] = [each for each in items if not each.get_closest_marker("host")]


def _call(function: int, *arrays: Array) -> None:
    CPU.call(function, *(array.ctypes.data for array in arrays))


emulate()
setattr(native, "call", _call)  # noqa: B010
