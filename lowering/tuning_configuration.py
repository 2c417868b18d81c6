"""
Tuning configurations: the parts of a kernel's schedule that may be chosen by measuring. `pack-weights` reads tables of
them:

    {"avx512_vnni": {"convolution of 1x58x58x64xui8 by i8, …": {"mr": [1, 14], "nr_vectors": 2}}}

The key describes the kernel in words, so that it is the same whatever model the kernel is in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import kernel
from ..dialects.inferred import Shape
from ..dialects.kernel import shaped

Anchor = kernel.ConvolutionOp | kernel.MatMulOp
"""Kernels whose schedules have choices."""


@dataclass(frozen=True)
class TuningConfiguration:
    """
    A register tile: NR is `nr_vectors` vectors of units, `mr` are positions (lines and rows of a convolution, rows of
    a depthwise one and of a matrix product).
    """

    nr_vectors: int
    mr: tuple[int, ...]

    def __str__(self) -> str:
        return f"{' x '.join(map(str, self.mr))} x {self.nr_vectors}"


TuningConfigurations = Mapping[str, TuningConfiguration]
"""Configurations by the `description` of their kernels."""

TuningTable = Mapping[str, TuningConfigurations]
"""Configurations by instruction set."""


def description(op: Anchor) -> str:
    """
    All that a kernel's configuration depends on. It is the same before weights are packed and after memory is planned.
    """
    groups = f", {op.groups.value.data} groups" if op.groups.value.data != 1 else ""
    to = _by(op.shape)
    match op:
        case kernel.ConvolutionOp():
            taps, strides, dilations = op.window()
            window = f"taps {_by(taps)}"
            window += f" strides {_by(strides)}" if set(strides) != {1} else ""
            window += f" dilations {_by(dilations)}" if set(dilations) != {1} else ""
            return f"convolution of {_factors(op.a, op.b)}, {window}{groups} to {to}"
        case kernel.MatMulOp():
            products = zip(op.a, op.b, strict=True)
            listed = " and ".join(_factors(a, b) for a, b in products)
            return f"product of {listed}{groups} to {to}"


def _factors(a: SSAValue, b: SSAValue) -> str:
    left = shaped(a)
    elements = left.get_element_type(), shaped(b).get_element_type()
    return f"{_by(left.get_shape())}x{elements[0]} by {elements[1]}"


def _by(sizes: Shape) -> str:
    return "x".join(map(str, sizes))


def read_table(path: Path) -> TuningTable:
    """The table in a file. Raises DiagnosticException where the file has none, OSError where it cannot be read."""
    try:
        found = cast(dict[str, dict[str, dict[str, Any]]], json.loads(path.read_bytes()))
        return {
            isa: {
                kernel: _configuration(**_renamed(fields))
                for kernel, fields in configurations.items()
            }
            for isa, configurations in found.items()
        }
    except (AttributeError, TypeError, ValueError, RecursionError):
        raise DiagnosticException(
            f"{path} is not a table of schedules; remove it, and measure again (benchmark-tool --tune)"
        ) from None


OLD_NAMES = {"vectors": "nr_vectors", "block": "mr"}
"""Understood for one release after the fields were renamed."""


def _renamed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {OLD_NAMES.get(name, name): value for name, value in fields.items()}


def _configuration(mr: list[int], nr_vectors: int) -> TuningConfiguration:
    numbers = (*mr, nr_vectors)
    if not all(type(number) is int and number > 0 for number in numbers):
        raise ValueError(numbers)
    return TuningConfiguration(nr_vectors, tuple(mr))


def table_text(table: TuningTable) -> str:
    """A table as the text of a file, with a line for each configuration."""
    parts = (
        f"{json.dumps(isa)}: {{\n{_lines(configurations)}\n}}"
        for isa, configurations in sorted(table.items())
    )
    return f"{{{', '.join(parts)}}}\n"


def _lines(configurations: TuningConfigurations) -> str:
    return ",\n".join(
        f" {json.dumps(kernel)}: {json.dumps({'mr': configuration.mr, 'nr_vectors': configuration.nr_vectors})}"
        for kernel, configuration in sorted(configurations.items())
    )
