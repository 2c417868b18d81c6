"""
Follows an advice: changes a model as the reason of one of its layers says, if that means another quantization. Changes
of what the model computes (its padding, its sizes) are left to its author.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ...dialects import infra, nn, qnn, rnn
from ...dialects.inferred import NAME, friendly_name, input_called, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...reference.arrays import Array, blob_of
from ...reference.constants import constant_array
from ...reference.executor import evaluate, has_meaning
from ..interval import Interval
from ..lpt.precision import ui8
from ..lpt.products import PRODUCTS
from ..pipeline import Pipeline, run_passes
from ..quantize.insert import UniformQuantization, encode_weights
from ..quantize.plan import is_real
from ..scale_weights import output_axes
from .advice import named_in
from .layer_rows import layer_rows

Calibrate = Callable[[SSAValue], Interval | None]
"""A function that gives the range of a value of the model; None where it is unknown."""

LEVELS = 256
"""The levels of an inserted FakeQuantize."""

INSERTED = "/fake_quantize"
"""The suffix of a layer's name in the name of a FakeQuantize that is inserted for it."""


def follow_advice(
    module: ModuleOp, layer: str, reason: str, calibrate: Calibrate
) -> tuple[str, ...]:
    """
    Changes a module, before `lpt`, as the reason of the layer of this name advises. Returns a sentence for each change;
    nothing where only the author of the model can follow it. A FakeQuantize whose codes a layer cannot use has that
    layer's reason.
    """
    if (found := re.match(_OF_A_READER, reason)) is not None:
        layer, reason = found.groups()
    op = next((op for op in module.walk() if friendly_name(op) == layer), None)
    if op is None:
        return ()
    for pattern, act in ACTIONS:
        if (found := re.search(pattern, reason)) is not None:
            case = _Case(module, op, reason, found, calibrate)
            if done := tuple(dict.fromkeys(act(case))):
                return done
    return ()


_OF_A_READER = r"[\w.]+ '([^']+)' cannot use its codes: (.*)"

STEPS = 5
"""How many further advices are followed, each a consequence of the one before."""


@dataclass(frozen=True)
class Followed:
    """A copy of a module in which a layer is in low precision behind the passes, and what was done to it."""

    module: ModuleOp
    changes: tuple[str, ...]
    low: frozenset[str]
    """The layers that are then in low precision."""


def follow_until_low(
    module: ModuleOp, pipeline: Pipeline, layer: str, calibrate: Calibrate
) -> Followed | None:
    """
    Follows the advice about a layer of a module, which stays as it is, and what it is advised behind the passes then,
    until it is in low precision. None where nothing is left to do before.
    """
    module = module.clone()
    changes: list[str] = []
    for _ in range(STEPS):
        final = module.clone()
        run_passes(final, pipeline)
        rows = layer_rows(final)
        name = layer if layer in rows else f"{layer}{INSERTED}#0"  # which took the layer's place
        if name not in rows:
            return None
        if not (reason := rows[name][1]["reason"]):
            low = frozenset(name for name, (_, row) in rows.items() if not row["reason"])
            return Followed(module, tuple(changes), low) if changes else None
        if not (done := follow_advice(module, layer, reason, calibrate)):
            return None
        changes += done
    return None


def values_read(module: ModuleOp, layer: str) -> Iterator[SSAValue]:
    """The values whose ranges following the advice about a layer may need."""
    for op in module.walk():
        if friendly_name(op) != layer:
            continue
        values = [*op.operands, *op.results]
        if isinstance(op, infra.ReadValueOp | infra.AssignOp):
            values += [each.operands[0] for each in _about_state(module, op)]
        for value in values:
            if is_real(value) and known(value) is None:
                yield value


def _about_state(
    module: ModuleOp, op: infra.ReadValueOp | infra.AssignOp
) -> list[infra.ReadValueOp | infra.AssignOp]:
    """All operations that read or assign the state of an operation; their first operands are its values."""
    return [
        each
        for each in module.walk()
        if isinstance(each, infra.ReadValueOp | infra.AssignOp) and each.variable == op.variable
    ]


@dataclass(frozen=True)
class _Case:
    """A layer of a module, the reason why it is in floating point, and the FakeQuantize in that."""

    module: ModuleOp
    op: Operation
    reason: str
    found: re.Match[str]
    calibrate: Calibrate

    @property
    def name(self) -> str:
        """The layer's."""
        name = friendly_name(self.op)
        assert name is not None, "it was found by its name"
        return name

    @property
    def quantizers(self) -> list[qnn.FakeQuantizeOp]:
        """
        The FakeQuantize that the reason names; if it names none, the layer if it is one, else those of its inputs.
        """
        named = named_in(self.reason)
        every = [op for op in self.module.walk() if isinstance(op, qnn.FakeQuantizeOp)]
        if told := [op for op in every if friendly_name(op) in named]:
            return told
        if isinstance(self.op, qnn.FakeQuantizeOp):
            return [self.op]
        values = [user.operands[port] for user, port in self.places]
        return [op for op in every if any(_comes_from(value, op) for value in values)]

    @property
    def places(self) -> list[tuple[Operation, int]]:
        """The operands that the reason is about: one, or all; for a state, all that are assigned to it."""
        if isinstance(self.op, infra.ReadValueOp | infra.AssignOp):
            return [(op, 0) for op in _about_state(self.module, self.op)]
        ports = range(len(self.op.operands)) if self.port is None else (self.port,)
        return [(self.op, port) for port in ports]

    @property
    def port(self) -> int | None:
        """The number of the input that the reason is about."""
        found = re.search(r"\binput (\d)\b", self.reason)
        return int(found[1]) if found and int(found[1]) < len(self.op.operands) else None

    def inserted(self, number: int) -> str:
        """The name of a FakeQuantize that is inserted for the layer."""
        return f"{self.name}{INSERTED}#{number}"


# --- what is inserted -----------------------------------------------------------------------


def _on_inputs(case: _Case) -> Iterator[str]:
    """Inserts a FakeQuantize on what the reason is about; weights become codes."""
    places = [(op, port) for op, port in case.places if is_real(op.operands[port])]
    computed = [place for place in places if known(place[0].operands[place[1]]) is None]
    for op, port in places:
        if isinstance(op, PRODUCTS) and port and (op, port) not in computed:
            yield from _weights(case, port)
    intervals = [case.calibrate(op.operands[port]) for op, port in computed]
    if isinstance(case.op, infra.ReadValueOp | infra.AssignOp):
        intervals = [_hull(intervals)] * len(intervals)  # the codes of a state are of one scale
        computed = [*computed, *(place for place in places if place not in computed)]
        intervals += intervals[:1] * (len(computed) - len(intervals))
    for number, ((op, port), interval) in enumerate(zip(computed, intervals, strict=True)):
        value = op.operands[port]
        if interval is None or isinstance(value.owner, qnn.FakeQuantizeOp):
            continue
        limits = UniformQuantization.over(interval, ui8).limits
        op.operands[port] = _fake_quantize(case, InsertPoint.before(op), value, limits, number)
        where = input_called(op, port) if op is case.op else f"what {op.name} gives to it"
        yield f"a FakeQuantize on {where}, {_told(limits)} as calibrated"


def _hull(intervals: Sequence[Interval | None]) -> Interval | None:
    """The smallest interval that contains all known intervals."""
    whole: Interval | None = None
    for interval in intervals:
        if interval is not None:
            whole = interval if whole is None else whole | interval
    return whole


def _behind(case: _Case) -> Iterator[str]:
    """Inserts a FakeQuantize on each result of the layer."""
    for number, value in enumerate(case.op.results):
        if not is_real(value) or (interval := case.calibrate(value)) is None:
            continue
        limits, uses = UniformQuantization.over(interval, ui8).limits, list(value.uses)
        found = _fake_quantize(case, InsertPoint.after(case.op), value, limits, number)
        for use in uses:
            use.operation.operands[use.index] = found
        yield f"a FakeQuantize behind it, {_told(limits)} as calibrated"


def _own(case: _Case) -> Iterator[str]:
    """Copies the FakeQuantize that the layer shares with others."""
    for quantizer in case.quantizers:
        limits = _limits(quantizer)
        for port, value in enumerate(case.op.operands):
            where = input_called(case.op, port)
            if value.owner is quantizer:
                copy = quantizer.clone()
                copy.attributes[NAME] = StringAttr(case.inserted(port))
                Rewriter.insert_op(copy, InsertPoint.before(case.op))
                case.op.operands[port] = copy.result
                yield f"a FakeQuantize of its own on {where}, like '{_label(quantizer)}'"
            elif limits is not None and _comes_from(value, quantizer):
                ends = float(limits[0].min()), float(limits[1].max())
                place = InsertPoint.before(case.op)
                case.op.operands[port] = _fake_quantize(case, place, value, ends, port)
                yield f"a FakeQuantize of its own on {where}, {_told(ends)} like '{_label(quantizer)}'"


def _comes_from(value: SSAValue, quantizer: qnn.FakeQuantizeOp) -> bool:
    """Whether a value is computed from what a FakeQuantize gives, by way of first operands."""
    while is_real(value) and isinstance(op := value.owner, Operation):
        if op is quantizer:
            return True
        if isinstance(op, qnn.FakeQuantizeOp) or not op.operands:
            return False
        value = op.operands[0]
    return False


def _fake_quantize(
    case: _Case, place: InsertPoint, value: SSAValue, limits: tuple[float, float], number: int
) -> SSAValue:
    write = Writer(place, case.op)
    ends = [write.scalar_like(value, limit) for limit in limits]
    found = write(qnn.FakeQuantizeOp, value, *ends, *ends, levels=LEVELS)
    assert isinstance(found.owner, Operation)
    found.owner.attributes[NAME] = StringAttr(case.inserted(number))
    return found


# --- weights --------------------------------------------------------------------------------


def known(value: SSAValue) -> Array | None:
    """The array of a value that follows from constants, dequantized ones included."""
    if (array := constant_array(value)) is not None:
        return array
    if not isinstance(value, OpResult):
        return None
    op = value.op
    if not op.operands or not op.has_trait(Pure) or op.regions:
        return None
    operands = list[Array]()
    for each in op.operands:
        if (array := known(each)) is None:
            return None
        operands.append(array)
    return evaluate(op, operands)[value.index] if has_meaning(op) else None


def _weights(case: _Case, port: int) -> Iterator[str]:
    """Weights in symmetric 8-bit codes, with a scale for each output."""
    op = case.op
    array = known(op.operands[port])
    assert array is not None, "weights are constant"
    write = Writer(InsertPoint.before(op))
    element = tensor(op.operands[port]).element_type
    if output_axes(op) or isinstance(op, rnn.SequenceOp):
        op.operands[port] = write.constant(blob_of(np.ascontiguousarray(array), element))
        encode_weights(op, port)
        yield f"{input_called(op, port)} in i8, with a scale for each output"
        return
    scale = np.float32(max(float(np.abs(array).max(initial=0)), 1e-9) / 127)
    codes = blob_of(np.rint(array / scale).astype(np.int8))
    op.operands[port] = write(qnn.DequantizeOp, write.constant(codes), scale=blob_of(scale))
    yield f"{input_called(op, port)} in i8, with one scale"


# --- what a FakeQuantize has ----------------------------------------------------------------

Limits = tuple[Array, Array]
"""The lower and upper limits of intervals: one pair, or one for each channel."""


def _limits(op: qnn.FakeQuantizeOp) -> Limits | None:
    """The output interval; None where it is computed."""
    low, high = known(op.output_low), known(op.output_high)
    return (
        None if low is None or high is None else (low.astype(np.float64), high.astype(np.float64))
    )


def _changed(case: _Case, change: Callable[[Limits], Limits], how: str) -> Iterator[str]:
    """Gives the FakeQuantize that the reason names, or the weights of this layer, other intervals."""
    for op in case.quantizers:
        if known(op.input) is not None and isinstance(case.op, PRODUCTS) and case.port:
            yield from _weights(case, case.port)
        elif (before := _limits(op)) is not None and (inner := _input_limits(op)) is not None:
            after = change(before)
            if _is_alike(before, after) and op.levels.value.data <= LEVELS:
                continue
            _set_limits(op, before, inner, after)
            yield f"FakeQuantize '{_label(op)}' {how}, {_told(after)}"
            if "quantize one" in case.reason:
                return
    if not case.quantizers:
        yield from _on_inputs(case)


def _is_alike(before: Limits, after: Limits) -> bool:
    """Whether intervals differ only by rounding."""
    width = float(np.abs(before[1] - before[0]).max())
    return all(
        old.shape == new.shape and np.allclose(old, new, rtol=0, atol=1e-6 * width)
        for old, new in zip(before, after, strict=True)
    )


def _input_limits(op: qnn.FakeQuantizeOp) -> Limits | None:
    low, high = known(op.input_low), known(op.input_high)
    return (
        None if low is None or high is None else (low.astype(np.float64), high.astype(np.float64))
    )


def _set_limits(op: qnn.FakeQuantizeOp, before: Limits, inner: Limits, after: Limits) -> None:
    """Sets the output interval, and the input interval to match."""
    is_point = before[1] == before[0]
    factor = np.where(
        is_point, 1, (inner[1] - inner[0]) / np.where(is_point, 1, before[1] - before[0])
    )
    ends = [*(inner[0] + (end - before[0]) * factor for end in after), *after]
    write = Writer(InsertPoint.before(op))
    element = tensor(op.input).element_type
    for operand, end in zip((1, 2, 3, 4), ends, strict=True):
        value = np.asarray(end)
        op.operands[operand] = write.constant(blob_of(value.astype(np.float32), element))
    op.properties["levels"] = IntegerAttr(LEVELS, i64)


def _symmetric(case: _Case) -> Iterator[str]:
    def change(ends: Limits) -> Limits:
        scale = np.maximum(np.maximum(-ends[0] / 128, ends[1] / 127), 1e-9)
        return -128 * scale, 127 * scale

    yield from _changed(case, change, "symmetric around 0")


def _per_tensor(case: _Case) -> Iterator[str]:
    def change(ends: Limits) -> Limits:
        return np.asarray(ends[0].min()), np.asarray(ends[1].max())

    yield from _changed(case, change, "per tensor")


def _recalibrated(case: _Case) -> Iterator[str]:
    """Gives a FakeQuantize the interval that its input has."""
    for op in case.quantizers:
        if (interval := case.calibrate(op.input)) is None:
            continue
        limits = UniformQuantization.over(interval, ui8).limits
        write = Writer(InsertPoint.before(op))
        ends = [write.scalar_like(op.input, limit) for limit in limits]
        for operand, end in enumerate((*ends, *ends), 1):
            op.operands[operand] = end
        op.properties["levels"] = IntegerAttr(LEVELS, i64)
        yield f"FakeQuantize '{_label(op)}' over {_told(limits)} as calibrated"


def _with_zero(case: _Case) -> Iterator[str]:
    def change(ends: Limits) -> Limits:
        grids = [
            UniformQuantization.over(Interval(float(low), float(high)), ui8).limits
            for low, high in zip(ends[0].flat, ends[1].flat, strict=True)
        ]
        low, high = np.array(grids).T
        return low.reshape(ends[0].shape), high.reshape(ends[0].shape)

    yield from _changed(case, change, "with 0 as one of its steps")


def _fewer_levels(case: _Case) -> Iterator[str]:
    yield from _changed(case, lambda ends: ends, f"of {LEVELS} levels")


def _one_interval(case: _Case) -> Iterator[str]:
    """Gives all FakeQuantize that the reason names the interval that contains theirs."""
    known_ends = [ends for op in case.quantizers if (ends := _limits(op)) is not None]
    if len(known_ends) < 2:
        return
    low = min(float(ends[0].min()) for ends in known_ends)
    high = max(float(ends[1].max()) for ends in known_ends)
    limits = UniformQuantization.over(Interval(low, high), ui8).limits
    whole = np.asarray(limits[0]), np.asarray(limits[1])
    yield from _changed(case, lambda ends: whole, "of one interval")


def _upright(case: _Case) -> Iterator[str]:
    """Un-inverts an output interval, and changes the sign where it is read."""
    for op in case.quantizers:
        if (before := _limits(op)) is None or bool((before[0] <= before[1]).all()):
            continue
        write = Writer(InsertPoint.before(op))
        element = tensor(op.input).element_type
        for operand, end in zip((3, 4), before, strict=True):
            op.operands[operand] = write.constant(blob_of((-end).astype(np.float32), element))
        uses = list(op.result.uses)
        negated = Writer(InsertPoint.after(op), op)(nn.MultiplyOp, op.result, -1.0)
        for use in uses:
            use.operation.operands[use.index] = negated
        yield f"FakeQuantize '{_label(op)}' negated, and multiplied by -1 behind it"


def _told(ends: tuple[float, float] | Limits) -> str:
    low, high = (np.asarray(end) for end in ends)
    if low.size == high.size == 1:
        return f"[{float(low.flat[0]):.4g}, {float(high.flat[0]):.4g}]"
    return f"within [{float(low.min()):.4g}, {float(high.max()):.4g}]"


def _label(op: Operation) -> str:
    return friendly_name(op) or op.name


ACTIONS: tuple[tuple[str, Callable[[_Case], Iterator[str]]], ...] = (
    (r"put (?:a|one) FakeQuantize behind", _behind),
    (r"put a FakeQuantize of its own in front", _own),
    (r"quantize it per tensor|one can be kept", _per_tensor),
    (r"symmetrically around 0", _symmetric),
    (r"widen the interval to 0|move its interval so that 0 is a step", _with_zero),
    (r"levels; low precision takes", _fewer_levels),
    (r"negate both ends", _upright),
    (r"one interval|intervals of like size", _one_interval),
    (r"computed while running|a single point|too short for f32", _recalibrated),
    (r"put a FakeQuantize on|not quantized|nothing quantized is ever|it makes codes", _on_inputs),
    (r"quantize it to|negative scale|a scale of|too (?:far|large)|given to it", _on_inputs),
)
"""By a pattern of a reason, the change; the first one that is possible is made."""
