"""Which FakeQuantize a reason is about, so that users know what to quantize anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from ...dialects.inferred import friendly_name
from ...dialects.origins import ORIGINAL
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from .marks import CHOSEN, declined, has, precisions_of, preserves_precision

_SYMMETRIC = re.compile(r"quantize (?:it|one|input \d) symmetrically around 0")
_UNTAKEN = re.compile(r"is quantized to (\w+); .* takes ")
_TYPE = re.compile(r"; quantize it to .*$")
_OWN = "put a FakeQuantize of its own in front of this"
_PORT = re.compile(r"\binput (\d)\b")


def with_names(op: Operation, reason: str) -> str:
    """
    The reason, and by name the FakeQuantize behind each input that it speaks of: `input 0`, `its input`. Those
    that stayed in floating point are named where they are met.
    """
    ports = [int(port) for port in _PORT.findall(reason)]
    if "its input" in reason:
        ports += range(len(op.operands) if "its inputs" in reason else 1)
    sources = [
        source
        for port in sorted({port for port in ports if port < len(op.operands)})
        if (source := quantizer_of(op.operands[port])) is not None
    ]
    if (untaken := _UNTAKEN.search(reason)) and sources:
        chosen = f": lpt chose {untaken[1]}, for what else takes these codes; {_OWN}"
        reason = _TYPE.sub(chosen, reason)
    if any(has(source, CHOSEN) for source in sources):
        reason = _SYMMETRIC.sub(_another_for(op), reason)
    names = [name for source in sources if (name := friendly_name(source))]
    quoted = dict.fromkeys(f"'{name.removesuffix(ORIGINAL)}'" for name in names)
    told = [name for name in quoted if name not in reason]
    return f"{reason} (FakeQuantize {', '.join(told)})" if told else reason


def _another_for(op: Operation) -> str:
    """What helps where a FakeQuantize is symmetric and LPT gave it a zero point: users that do not share it."""
    another = "put a FakeQuantize behind this, too" if preserves_precision(op) else _OWN
    return f"lpt chose it, for what takes ui8 only; {another}"


def quantizer_of(value: SSAValue) -> FakeQuantizeOp | None:
    """The FakeQuantize that codes or values come from, through dequantization and what preserves precision."""
    *_, last = [None, *_upwards(value)]
    return last if isinstance(last, FakeQuantizeOp) else None


def declining(value: SSAValue) -> Operation | None:
    """The operation between a FakeQuantize and this value that dequantization could not pass."""
    return next((op for op in _upwards(value) if declined(op)), None)


def kept_in_float(value: SSAValue) -> Operation | None:
    """The operation in front of this value, behind what preserves precision, that the configuration gives no codes."""
    *_, last = [None, *_upwards(value)]
    if last is None or not declined(last) or precisions_of(last).get("input0") != ():
        return None
    return last


def _upwards(value: SSAValue) -> Iterator[Operation]:
    """Dequantization and what preserves precision, up to the FakeQuantize or what ends the way."""
    owner = value.owner
    while isinstance(owner, Operation):
        yield owner
        if (
            not (isinstance(owner, DequantizeOp) or preserves_precision(owner))
            or not owner.operands
        ):
            return
        owner = owner.operands[0].owner
