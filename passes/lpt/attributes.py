"""LPT's attributes: the names under which markup and reasons are printed, and how they are written and read."""

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

from ..instrumentation import note_remark
from .precision import Alignment

PRECISIONS = "lpt.precisions"
"""Port (`input0`, `output0`) to the types it may have: `{input0 = [ui8, i8], input1 = [i8]}`."""

PRECISION_PRESERVED = "lpt.precision_preserved"
"""The operation computes on codes as on values: its results have the element type of its inputs."""

AVG_POOL_PRECISION_PRESERVED = "lpt.avg_pool_precision_preserved"
"""On AvgPool: a consumer computes on codes, so its means are rounded to codes."""

QUANTIZATION_GRANULARITY = "lpt.quantization_granularity"
"""Port to `"per_tensor"` where the whole input must have one scale."""

QUANTIZATION_ALIGNMENT = "lpt.quantization_alignment"
"""On an operation that preserves precision and joins FakeQuantize, which must share quantization parameters."""

INTERVALS_ALIGNMENT = "lpt.intervals_alignment"
"""
On a FakeQuantize: the interval and levels that it shares with others, and how many of the levels the shortest
of their intervals keeps: `{high = 25.5, levels = 256, low = 0.0, min_levels = 27}`.
"""

BIAS = "lpt.bias"
"""On an addition of a constant to the result of a product."""

INTERVAL = "lpt.interval"
"""The range of a hidden state, on the operation that computes it after `lpt-main` decomposed its cell."""

MARKUP = (
    PRECISIONS,
    PRECISION_PRESERVED,
    AVG_POOL_PRECISION_PRESERVED,
    QUANTIZATION_GRANULARITY,
    QUANTIZATION_ALIGNMENT,
    INTERVALS_ALIGNMENT,
    BIAS,
    INTERVAL,
)
"""The attributes by which the steps communicate; `lpt-cleanup` removes them."""

DECLINED = "lpt.declined"
"""Why LPT left an operation as it was; this one stays, for the precision report."""

CHOSEN = "lpt.chosen"
"""
On a FakeQuantize symmetric around 0 whose codes have a zero point, because its consumers do not take i8. It stays on
one that gives codes, so that a second run gives the same advice.
"""

UNROUNDED = "lpt.unrounded"
"""On what clips in the place of a FakeQuantize: its number of levels; stays, for `--verify-numerics`."""

OUTPUT_INTERVAL = "lpt.output_interval"
"""On the dequantization of a FakeQuantize: its original output interval, to be restored exactly."""

INPUT_INTERVAL = "lpt.input_interval"
"""On the dequantization of an aligned FakeQuantize: its original input interval."""

LEVELS = "lpt.levels"
"""On the dequantization of an aligned FakeQuantize: its original number of levels."""

ORIGINALS = (OUTPUT_INTERVAL, INPUT_INTERVAL, LEVELS)
"""What is restored if nothing used the codes of a FakeQuantize."""

Precisions = Mapping[str, Sequence[IntegerType]]


def declined(op: Operation) -> str:
    """Why LPT left this operation as it was; empty if it did not."""
    reason = op.attributes.get(DECLINED)
    return reason.data if isinstance(reason, StringAttr) else ""


def note_declined(op: Operation, reason: str) -> None:
    """Records why LPT left this operation as it was."""
    op.attributes[DECLINED] = StringAttr(reason)
    note_remark(op, reason)


def has(op: Operation, attribute: str) -> bool:
    """Whether an operation carries an attribute."""
    return attribute in op.attributes


def preserves_precision(op: Operation) -> bool:
    """Whether the results of an operation have the element type of its inputs."""
    return has(op, PRECISION_PRESERVED) or has(op, AVG_POOL_PRECISION_PRESERVED)


def note(op: Operation, attribute: str) -> None:
    """Sets an attribute without a value."""
    op.attributes[attribute] = UnitAttr()


def note_precisions(op: Operation, precisions: Precisions) -> None:
    """Adds the types that ports of an operation may have."""
    known = op.attributes.get(PRECISIONS)
    ports: dict[str, Attribute] = dict(known.data) if isinstance(known, DictionaryAttr) else {}
    ports |= {port: ArrayAttr(types) for port, types in precisions.items()}
    op.attributes[PRECISIONS] = DictionaryAttr(dict(sorted(ports.items())))


def precisions_of(op: Operation) -> dict[str, tuple[IntegerType, ...]]:
    """The types that ports of an operation may have, where the markup restricts them."""
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
    """Records the interval that a FakeQuantize shares with others."""
    op.attributes[INTERVALS_ALIGNMENT] = DictionaryAttr(
        {
            "high": FloatAttr(alignment.high, f64),
            "levels": IntegerAttr(alignment.levels, i64),
            "low": FloatAttr(alignment.low, f64),
            "min_levels": IntegerAttr(alignment.min_levels, i64),
        }
    )


def alignment_of(op: Operation) -> Alignment | None:
    """The interval that a FakeQuantize shares with others; None if it has its own."""
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
