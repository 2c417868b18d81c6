"""What following advice gains and costs: each change on a copy of the model, compiled and measured beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import friendly_name
from ...dialects.infra import VariableOp
from ...dialects.module import entry_of
from ...dialects.qnn import FakeQuantizeOp
from ...passes.interval import Interval
from ...passes.lpt import Configured
from ...passes.lpt.config import PRESETS
from ...passes.precision_report.follow_advice import (
    INSERTED,
    Calibrate,
    Followed,
    follow_until_low,
    known,
    values_read,
)
from ..build import ports_of
from ..calibration import intervals
from ..random_input import random_input
from .measure import Samples, Variant, error_of, take_turns
from .original import Original
from .rows import WhatIf

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

Key = tuple[str, int]
"""A value of a model: the name of the operation that gives it, nothing for an input, and its number there."""

CALLS = 8
"""How many calls of random inputs a model with states gets."""

RANDOM = (
    "Inputs are random numbers in the interval of the FakeQuantize that reads them, else from -1 to 1: times hold, "
    "differences of outputs are a hint; --input NAME=FILE.npy gives others."
)
"""What is noted where no inputs are given."""


def key_of(value: SSAValue) -> Key | None:
    """What a value is known by in copies of a module; what an inserted FakeQuantize gives lies where its input does."""
    while isinstance(op := value.owner, FakeQuantizeOp) and INSERTED in (friendly_name(op) or ""):
        value = op.input
    if isinstance(value, BlockArgument):
        return "", value.index
    assert isinstance(value, OpResult)
    name = friendly_name(value.op)
    return None if name is None else (name, value.index)


def checked_samples(module: ModuleOp, samples: Samples | None) -> Samples:
    """
    The inputs of calls; where none are given, random ones, of several calls if there are states. Raises
    DiagnosticException where there are no calls, or the model does not say the shapes of its inputs.
    """
    ports, _ = ports_of(module)
    arguments = entry_of(module).args
    drawn = {
        port.any_name: random_input(port, _interval_read(argument))
        for port, argument in zip(ports, arguments, strict=True)
    }
    if samples is not None and not samples:
        raise DiagnosticException("inputs hold no calls to measure; give arrays by name")
    has_states = any(isinstance(op, VariableOp) for op in module.walk())
    return samples or [drawn] * (CALLS if has_states else 1)


def _interval_read(argument: SSAValue) -> Interval | None:
    """The interval of the FakeQuantize that reads an input."""
    for use in argument.uses:
        op = use.operation
        if isinstance(op, FakeQuantizeOp) and use.index == 0:
            low, high = known(op.input_low), known(op.input_high)
            if low is not None and high is not None:
                return Interval(float(low.min()), float(high.max()))
    return None


def calibrated(module: ModuleOp, layers: Sequence[str], samples: Samples) -> Calibrate:
    """Runs a module on samples, and knows then between which numbers the values lie that these layers read and give."""
    wanted = {key_of(value) for layer in layers for value in values_read(module, layer)} - {None}

    def values_of(block: Block) -> list[SSAValue]:
        every = [*block.args, *(result for op in block.ops for result in op.results)]
        return [value for value in every if key_of(value) in wanted]

    found: dict[Key | None, Interval] = {}
    if values_of(entry_of(module).body.block):
        measured = intervals(module, values_of, samples)
        found = {key_of(value): interval for value, interval in measured.items()}
    return lambda value: found.get(key_of(value))


@dataclass(frozen=True)
class Change:
    """A copy of a model that something was changed in, or the passes that make it low precision."""

    followed: Followed
    passes: Sequence[ModulePass]


def other_presets(passes: Sequence[ModulePass]) -> dict[str, list[ModulePass]]:
    """
    By the name of each other preset, the passes with that, those first that take the same types; nothing where a
    configuration is the user's own.
    """
    lpt = [one for one in passes if isinstance(one, Configured)]
    if not lpt or any(one.config is not None for one in lpt):
        return {}
    chosen = lpt[0].chosen
    others = [name for name, config in PRESETS.items() if config != chosen]
    others.sort(key=lambda name: PRESETS[name].precisions != chosen.precisions)
    return {
        name: [replace(one, preset=name) if isinstance(one, Configured) else one for one in passes]
        for name in others
    }


@dataclass
class Measuring:
    """A model, the passes that make it low precision, and what it is measured on."""

    base: ModuleOp
    passes: Sequence[ModulePass]
    samples: Samples
    threads: int | None
    seconds: float
    original: Original | None = None
    """The model in f32 that this one was quantized from, if it is known."""
    low: set[str] = field(default_factory=set[str])
    """The layers that are in low precision already."""
    wanted: list[str] = field(default_factory=list[str])
    """The layers that may be changed, the slowest first."""

    @cached_property
    def reference(self) -> Variant:
        """The model that it was quantized from, else the model as given; in f32."""
        module = self.original.module if self.original else self.base
        return Variant.of(module, None, self.threads, self.samples)

    def baseline(self) -> Variant:
        """The model as it is, measured for a moment."""
        take_turns([self.before], 0.0)
        return self.before

    @cached_property
    def before(self) -> Variant:
        """The model as it is."""
        return Variant.of(self.base, self.passes, self.threads, self.samples)

    @cached_property
    def calibrate(self) -> Calibrate:
        """Between which numbers values lie."""
        return calibrated(self.base, self.wanted, self.samples)

    def follow(self, layer: str) -> Followed | None:
        """The model in which the advice about a layer is followed; None where it cannot be."""
        return follow_until_low(self.base, self.passes, layer, self.calibrate)

    def together(self, layers: Sequence[str]) -> Followed | None:
        """The model in which the advice about all of these layers is followed, one after the other."""
        whole: Followed | None = None
        for layer in layers:
            before = self.base if whole is None else whole.module
            if (one := follow_until_low(before, self.passes, layer, self.calibrate)) is not None:
                changes = one.changes if whole is None else (*whole.changes, *one.changes)
                whole = replace(one, changes=changes)
        return whole

    def run(self, changes: Sequence[Change]) -> tuple[Variant, list[WhatIf]]:
        """Compiles and measures the model as it is and with each change."""
        alike: dict[tuple[str, ...], Variant] = {}
        for each in changes:
            if (key := each.followed.changes) not in alike:
                module = each.followed.module
                alike[key] = Variant.of(module, each.passes, self.threads, self.samples)
        take_turns([self.before, *alike.values()], self.seconds)
        return self.before, [
            self._compared(each.followed, alike[each.followed.changes]) for each in changes
        ]

    def _compared(self, followed: Followed, after: Variant) -> WhatIf:
        before, reference = self.before, self.reference.outputs
        layers = tuple(sorted(followed.low - self.low))
        layers = tuple(name for name in layers if INSERTED not in name)
        errors = [error_of(one.outputs, reference) for one in (before, after)]
        return WhatIf(
            followed.changes,
            layers,
            (_of(layers, before.by_layer()), _of(layers, after.by_layer())),
            (before.milliseconds(), after.milliseconds()),
            (errors[0][0], errors[1][0]),
            (errors[0][1], errors[1][1]),
            self.original.name if self.original else "f32",
        )


def _of(layers: Sequence[str], times: Mapping[str, float]) -> float:
    """What layers take, with what was inserted for them."""
    return sum(taken for name, taken in times.items() if name.partition(INSERTED)[0] in layers)
