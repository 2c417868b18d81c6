"""Diagnostics of LPT: completes a reason with the names of the FakeQuantize that it is about."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects.elements import is_unsigned
from ...dialects.inferred import friendly_name, input_called, shape_of
from ...dialects.origins import ORIGINAL
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...dialects.traits import moved_data
from ...reference.constants import constant_arrays
from .attributes import CHOSEN, declined, has, precisions_of, preserves_precision
from .constants import scaled_or_shifted
from .precision import ROUNDING

_SYMMETRIC = re.compile(r"quantize (?:it|one|input (\d)) symmetrically around 0")
_PER_TENSOR = re.compile(r"quantize it per tensor(?: or per output channel)?")
_JOINED = "give the FakeQuantize that are joined before it one interval"
_WITH_A_STEP = " with a step there: {} levels, or an upper end that is a step lower"
_BEHIND_CONSTANT = "put a FakeQuantize on it, behind the arithmetic with a constant"
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
    elif (found := _SYMMETRIC.search(reason)) and sources:
        source = quantizer_of(op.operands[int(found[1])]) if found[1] else sources[0]
        reason = _SYMMETRIC.sub(_symmetric_advice(source, found[0]), reason)
    elif _PER_TENSOR.search(reason) and any(map(_has_one_interval, sources)):
        joined = [source for port in ports for source in quantizers_of(op.operands[port])]
        sources = joined if len(joined) > 1 else sources
        reason = _PER_TENSOR.sub(_JOINED if len(joined) > 1 else _BEHIND_CONSTANT, reason)
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


def _symmetric_advice(source: FakeQuantizeOp | None, advice: str) -> str:
    """The advice about a FakeQuantize that is symmetric already: what keeps 0 from having code 0 instead."""
    if source is None or not _has_one_interval(source):
        return advice
    if (limits := constant_arrays((source.input_low, source.input_high))) is None:
        return advice
    low, high = (float(limit.astype(np.float64).flat[0]) for limit in limits)
    last = source.levels.value.data - 1
    off = (low + high) / (high - low) * last if high > low else math.inf
    if abs(off) <= ROUNDING and last % 2:
        return advice + _WITH_A_STEP.format(last)
    is_centered = abs(off + last % 2) <= ROUNDING
    return _BEHIND_CONSTANT if is_centered else advice


def _has_one_interval(op: FakeQuantizeOp) -> bool:
    """Whether all channels of a FakeQuantize have the same limits."""
    return all(math.prod(shape_of(limit)) == 1 for limit in op.operands[1:])


def quantizers_of(value: SSAValue) -> Sequence[FakeQuantizeOp]:
    """All FakeQuantize whose codes a value has, through what moves or preserves them."""
    found, pending, seen = list[FakeQuantizeOp](), [value], set[SSAValue]()
    while pending:
        if (value := pending.pop()) in seen:
            continue
        seen.add(value)
        match value.owner:
            case FakeQuantizeOp() as op:
                found.append(op)
            case DequantizeOp() as op:
                pending.append(op.input)
            case Operation() as op if preserves_precision(op):
                pending += reversed(moved_data(op) or op.operands[:1])
            case _:
                pass
    return found


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
