"""The attributes in which LPT's markup and its reasons are printed: names, writing and reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation

from .precision import Alignment

PRECISIONS = "lpt.precisions"
"""Port (`input0`, `output0`) to the types it may have: `{input0 = [ui8, i8], input1 = [i8]}`."""

PRECISION_PRESERVED = "lpt.precision_preserved"
"""The operation computes on codes as on values: what it gives has the type of what it takes."""

AVG_POOL_PRECISION_PRESERVED = "lpt.avg_pool_precision_preserved"
"""On AvgPool: what is behind it computes on codes, so its means are rounded to codes."""

QUANTIZATION_GRANULARITY = "lpt.quantization_granularity"
"""Port to `"per_tensor"` where one scale must hold for the whole input."""

QUANTIZATION_ALIGNMENT = "lpt.quantization_alignment"
"""On what preserves precision: several FakeQuantize are joined here, and must have one grid."""

INTERVALS_ALIGNMENT = "lpt.intervals_alignment"
"""
On a FakeQuantize: the interval whose grid it must use, of how many levels, and how many of these are left
to the shortest of those that share it: `{high = 25.5, levels = 256, low = 0.0, min_levels = 27}`.
"""

BIAS = "lpt.bias"
"""The addition of a constant to the result of a matrix product."""

BOUNDS = "lpt.bounds"
"""The numbers between which a hidden state stays, on what gives it once `lpt-main` has written out its cell."""

CHOSEN = "lpt.chosen"
"""On a FakeQuantize symmetric around 0: its codes have a zero point, as what takes them has i8 for nothing."""

MARKUP = (
    PRECISIONS,
    PRECISION_PRESERVED,
    AVG_POOL_PRECISION_PRESERVED,
    QUANTIZATION_GRANULARITY,
    QUANTIZATION_ALIGNMENT,
    INTERVALS_ALIGNMENT,
    BIAS,
    BOUNDS,
    CHOSEN,
)
"""What the steps write for each other; `lpt-cleanup` removes it."""

DECLINED = "lpt.declined"
"""Why an operation stayed as it was; it outlives LPT, for the precision report."""

OUTPUT_INTERVAL = "lpt.output_interval"
"""On the dequantization of a FakeQuantize: its output interval before, to be put back exactly."""

INPUT_INTERVAL = "lpt.input_interval"
"""On the dequantization of a FakeQuantize that was aligned: its input interval before."""

LEVELS = "lpt.levels"
"""On the dequantization of a FakeQuantize that was aligned: its number of levels before."""

ORIGINALS = (OUTPUT_INTERVAL, INPUT_INTERVAL, LEVELS)
"""What is put back where the codes of a FakeQuantize were not used."""

Precisions = Mapping[str, Sequence[IntegerType]]


def declined(op: Operation) -> str:
    """Why LPT left this operation as it was, or nothing."""
    reason = op.attributes.get(DECLINED)
    return reason.data if isinstance(reason, StringAttr) else ""


def note_declined(op: Operation, reason: str) -> None:
    """Writes down why LPT left this operation as it was."""
    op.attributes[DECLINED] = StringAttr(reason)


def has(op: Operation, mark: str) -> bool:
    """Whether an operation carries a mark that has no value."""
    return mark in op.attributes


def preserves_precision(op: Operation) -> bool:
    """Whether what an operation gives has the type of what it takes."""
    return has(op, PRECISION_PRESERVED) or has(op, AVG_POOL_PRECISION_PRESERVED)


def note(op: Operation, mark: str) -> None:
    """Sets a mark that has no value."""
    op.attributes[mark] = UnitAttr()


def note_precisions(op: Operation, precisions: Precisions) -> None:
    """Adds to the types that the ports of an operation may have."""
    known = op.attributes.get(PRECISIONS)
    ports: dict[str, Attribute] = dict(known.data) if isinstance(known, DictionaryAttr) else {}
    ports |= {port: ArrayAttr(types) for port, types in precisions.items()}
    op.attributes[PRECISIONS] = DictionaryAttr(dict(sorted(ports.items())))


def precisions_of(op: Operation) -> dict[str, tuple[IntegerType, ...]]:
    """The types that the ports of an operation may have, as far as the markup says."""
    ports = op.attributes.get(PRECISIONS)
    if not isinstance(ports, DictionaryAttr):
        return {}
    return {port: tuple(cast(ArrayAttr[IntegerType], types)) for port, types in ports.data.items()}


def note_per_tensor(op: Operation, ports: Sequence[str]) -> None:
    """Says that these inputs must have one scale each."""
    op.attributes[QUANTIZATION_GRANULARITY] = DictionaryAttr(
        {port: StringAttr("per_tensor") for port in ports}
    )


def per_tensor_of(op: Operation) -> frozenset[str]:
    """The inputs that must have one scale each."""
    ports = op.attributes.get(QUANTIZATION_GRANULARITY)
    return frozenset(ports.data) if isinstance(ports, DictionaryAttr) else frozenset()


def note_alignment(op: Operation, alignment: Alignment) -> None:
    """Says on which grid a FakeQuantize must be."""
    op.attributes[INTERVALS_ALIGNMENT] = DictionaryAttr(
        {
            "high": FloatAttr(alignment.high, f64),
            "levels": IntegerAttr(alignment.levels, i64),
            "low": FloatAttr(alignment.low, f64),
            "min_levels": IntegerAttr(alignment.min_levels, i64),
        }
    )


def alignment_of(op: Operation) -> Alignment | None:
    """On which grid a FakeQuantize must be, if it cannot have its own."""
    match op.attributes.get(INTERVALS_ALIGNMENT):
        case DictionaryAttr(
            data={
                "high": FloatAttr(value=high),
                "levels": IntegerAttr(value=levels),
                "low": FloatAttr(value=low),
                "min_levels": IntegerAttr(value=least),
            }
        ):
            return Alignment(low.data, high.data, levels.data, least.data)
        case _:
            return None
