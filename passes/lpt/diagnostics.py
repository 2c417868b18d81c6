"""Diagnostics of LPT: completes a reason with the names of the FakeQuantize that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from xdsl.ir import Operation, SSAValue

from ...dialects.elements import is_unsigned
from ...dialects.inferred import friendly_name, input_called
from ...dialects.origins import ORIGINAL
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...dialects.traits import moved_data
from .attributes import CHOSEN, declined, has, precisions_of, preserves_precision
from .constants import scaled_or_shifted

_SYMMETRIC = re.compile(r"quantize (?:it|one|input \d) symmetrically around 0")
_REJECTED = re.compile(r"is quantized to (\w+); .* takes ")
_TYPE = re.compile(r"; quantize it to .*$")
_OWN = "put a FakeQuantize of its own in front of this"
_VAGUE = re.compile(
    r"(input \d( \(\w+\))? is not quantized|.* gives it values that are not quantized); "
)
_PORT = re.compile(r"\binput (\d)\b")


def with_names(op: Operation, reason: str) -> str:
    """
    The reason with what the operation calls the inputs that it mentions, `input 4 (W)`, followed by the names of the
    FakeQuantize behind them, and behind `its input`. A FakeQuantize in floating point has a reason of its own.
    """
    ports = [int(port) for port in _PORT.findall(reason)]
    if "its input" in reason:
        ports += range(len(op.operands) if "its inputs" in reason else 1)
    sources = [
        source
        for port in sorted({port for port in ports if port < len(op.operands)})
        if (source := quantizer_of(op.operands[port])) is not None
    ]
    if (rejected := _REJECTED.search(reason)) and sources:
        chosen = f": lpt chose {rejected[1]}, for what else takes these codes; {_OWN}"
        reason = _TYPE.sub(chosen, reason)
    if any(has(source, CHOSEN) for source in sources):
        reason = _SYMMETRIC.sub(_another_for(op, ports), reason)
    for port in dict.fromkeys(ports):
        reason = reason.replace(f"input {port} ", f"{input_called(op, port)} ", 1)
    names = [name for source in sources if (name := friendly_name(source))]
    quoted = dict.fromkeys(f"'{name.removesuffix(ORIGINAL)}'" for name in names)
    told = [name for name in quoted if name not in reason]
    return f"{reason} (FakeQuantize {', '.join(told)})" if told else reason


def is_vague(reason: str) -> bool:
    """Whether a reason says no more than that an input, or the value of a state, is not quantized."""
    return _VAGUE.match(reason) is not None


def _another_for(op: Operation, ports: Iterable[int]) -> str:
    """
    The advice where LPT gave a symmetric FakeQuantize a zero point: do not share it with the consumer that wants one,
    or, if this operation does, have no negative values.
    """
    takes = [types for port in ports if (types := precisions_of(op).get(f"input{port}"))]
    if any(all(map(is_unsigned, types)) for types in takes):
        return "lpt chose it, since this takes ui8 only; make input 1 constant, or let the interval begin at 0"
    another = "put a FakeQuantize behind this, too" if preserves_precision(op) else _OWN
    return f"lpt chose it, for what takes ui8 only; {another}"


def quantizer_of(value: SSAValue) -> FakeQuantizeOp | None:
    """The FakeQuantize that a value comes from, through dequantization and operations that preserve precision."""
    *_, last = [None, *_upwards(value)]
    return last if isinstance(last, FakeQuantizeOp) else None


def declining(value: SSAValue) -> Operation | None:
    """The nearest producer of this value that dequantization could not pass."""
    return next((op for op in _upwards(value) if declined(op)), None)


def kept_in_float(value: SSAValue) -> Operation | None:
    """The producer of this value to which the configuration gives no codes; operations that preserve precision pass."""
    *_, last = [None, *_upwards(value)]
    if last is None or not declined(last) or precisions_of(last).get("input0") != ():
        return None
    return last


def _upwards(value: SSAValue) -> Iterator[Operation]:
    """The producers of a value, up to the first of which codes do not pass through to it."""
    owner = value.owner
    while isinstance(owner, Operation):
        yield owner
        if (inner := scaled_or_shifted(owner)) is not None:
            owner = inner.owner
        elif (isinstance(owner, DequantizeOp) or preserves_precision(owner)) and owner.operands:
            owner = (moved_data(owner) or owner.operands)[0].owner
        else:
            return
