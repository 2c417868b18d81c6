"""`explain`: makes an explanation of a model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.inferred import shape_of
from ...dialects.origins import layer_name
from ...passes.errors import DiagnosticError
from ...passes.legalize import legalized
from ...passes.lpt import Configured
from ...passes.lpt.config import COMPILED
from ...passes.lpt.decisions import Decision, decisions
from ...passes.pipeline import Pipeline, parse_pipeline, run_passes
from ...passes.precision_report import PrecisionRow, precision_summary
from ...passes.precision_report.advice import NOTHING, advice_about, named_in
from ...passes.precision_report.follow_advice import Followed
from ...passes.precision_report.layer_rows import layer_rows
from ...passes.precision_report.multiply_accumulates import multiply_accumulates, sizes_multiplied
from ...passes.quantized import is_quantized
from ..host import usable_cores
from ..profiling.profiling import executed
from .measure import Samples, Variant, error_of, kernel_rows
from .naming import LayerPlace, name_layers
from .original import Growth, Original
from .rows import Explanation, LayerRow, WhatIf
from .views import Views
from .what_if import RANDOM, Change, Measuring, checked_samples, other_presets

if TYPE_CHECKING:
    from ..compiler import AnyModel


COMPILING = f"lpt{{preset={COMPILED}}}"
"""The passes that `compile_model` runs where none are named."""

TOP = 5
"""How many layers are tried: those that take longest, of those that could be in low precision."""

TRIES = 4
"""For how many times as many layers it is looked for what could be done."""

SECONDS = 0.5
"""How long each variant of a model is measured."""


def explain(
    model: AnyModel,
    pipeline: Pipeline = COMPILING,
    *,
    measure: bool = False,
    inputs: Samples | Mapping[str, Any] | None = None,
    num_threads: int | None = None,
    top: int = TOP,
    seconds: float = SECONDS,
    reference: AnyModel | None = None,
    name: str = "",
) -> Explanation:
    """
    For each layer of a model, or of the model in a file: its precision, what decided, and what to change. `pipeline`
    says which passes run first: by default those of `compile_model`.

        print(lowstream.explain("model.onnx"))
        lowstream.explain(model, measure=True, inputs={"image": image}).save("report.html")

    With `measure`, the model is compiled and its kernels are measured; the advice about the `top` layers that take
    longest is carried out on copies, which are measured beside it for so many `seconds` each. `inputs` are arrays by
    name, or a list of such for several calls, and what is inserted is calibrated with them; without, they are random
    numbers. `reference` is the model that this one was quantized from: outputs, and layers of the same names, are
    compared with it. `name` is what a model in memory is called.

    Raises what `read_model`, `run_passes` and `compile_model` raise. The model stays as it is.
    """
    explained = Explained.of(model, pipeline, name)
    views = Views(explained.source, explained.final, num_threads or usable_cores())
    if not measure:
        if reference is not None:
            raise DiagnosticError("explain: reference is for measure=True, which runs both models")
        return replace(explained.explanation(), views=views)
    samples = [inputs] if isinstance(inputs, Mapping) else inputs
    original = None
    if reference is not None:
        original = Original.of(*_read(reference, "the reference"), explained.first, explained.base)
    return replace(explained.measured(samples, num_threads, top, seconds, original), views=views)


@dataclass(frozen=True)
class Explained:
    """A model on its way through the passes: as it was read, where `lpt` begins, and behind it."""

    file: str
    places: Mapping[str, LayerPlace]
    source: ModuleOp
    base: ModuleOp
    """In front of the first pass of `lpt`, all layers named. What is changed is a copy of this."""
    first: list[ModulePass]
    """The passes in front of that."""
    rest: list[ModulePass]
    final: ModuleOp
    decided: Sequence[Decision]

    @classmethod
    def of(cls, model: AnyModel, pipeline: Pipeline, name: str) -> Explained:
        """Runs the passes on a copy."""
        passes = parse_pipeline(pipeline)  # a typo is known before a long import
        file, module = _read(model, name)
        copy = module.clone()
        places = name_layers(module, copy)
        if (base := legalized(copy)) is not copy:
            places |= _named_later(base, places)
        first = next(
            (n for n, each in enumerate(passes) if isinstance(each, Configured)), len(passes)
        )
        run_passes(base, passes[:first])
        places |= _named_later(base, places)
        final = base.clone()
        with decisions() as decided:
            run_passes(final, passes[first:])
        return cls(file, places, module, base, passes[:first], passes[first:], final, decided)

    def explanation(self) -> Explanation:
        """What is known without running anything."""
        rows = self.layers()
        measuring = "Not measured: --measure compiles the model as it is and in f32, and says what each layer takes."
        if tried := sum(map(is_to_change, rows.values())):
            count = min(tried, TOP) + 1
            measuring = (
                f"Not measured: --measure compiles the model as it is, in f32 and with up to {count} changes, and says "
                "what each layer takes, and what each change gains and costs."
            )
        summary = str(precision_summary(self.final))
        return Explanation(
            self.file, summary, (*rows.values(),), notes=(*self._advance(), measuring)
        )

    def measured(
        self,
        samples: Samples | None,
        threads: int | None,
        top: int,
        seconds: float,
        original: Original | None,
    ) -> Explanation:
        """The same, with what kernels take, and what following the advice changes."""
        given = checked_samples(self.base, samples)
        measuring = Measuring(self.base, self.rest, given, threads, seconds, original)
        off = original.differences(self.final, given, threads) if original else {}
        baseline = measuring.baseline()
        rows = self._inside_of_others(self.layers(), baseline)
        times = baseline.by_layer()
        measuring.low |= {name for name, row in rows.items() if row.is_low}
        measuring.wanted += sorted(
            (name for name, row in rows.items() if is_to_change(row)),
            key=lambda name: -times.get(name, 0.0),
        )
        found, others = self._changes(measuring, top)
        variant, measured = measuring.run([*found.values(), *others])
        measured = [self._with_names(each) for each in measured]
        count = len(found)
        what_ifs = dict(zip(found, measured[:count], strict=True))
        names = {name: row.name for name, row in rows.items()}
        shapes = {name: row.shape for name, row in rows.items()}
        return Explanation(
            self.file,
            str(precision_summary(self.final)),
            tuple(self._measured_rows(rows, variant.by_layer(), off, what_ifs)),
            tuple(kernel_rows(variant, names, shapes)),
            tuple(measured[count:]),
            (
                *_distance(measuring),
                *self._loss(off),
                *self._notes(rows, found, samples is None, variant),
            ),
        )

    def _measured_rows(
        self,
        rows: Mapping[str, LayerRow],
        times: Mapping[str, float],
        off: Mapping[str, float],
        what_ifs: Mapping[str, WhatIf],
    ) -> Iterator[LayerRow]:
        """Rows with milliseconds, with how far layers are off, and with what the advice about them changes."""
        accumulates = self._accumulates()
        for name, row in rows.items():
            time = times.get(name, 0.0)
            yield replace(
                row,
                milliseconds=time,
                gops=_gops(accumulates.get(name, 0), time),
                difference=off.get(name),
                what_if=what_ifs.get(name),
            )

    def _changes(self, measuring: Measuring, top: int) -> tuple[dict[str, Change], list[Change]]:
        """What is tried: the advice about layers, the slowest first; all of that together, and other presets."""
        found: dict[str, Change] = {}
        for name in measuring.wanted[: TRIES * top]:
            if len({change.followed.changes for change in found.values()}) == top:
                break
            if (followed := measuring.follow(name)) is not None:
                found[name] = Change(followed, self.rest)
        others: list[Change] = []
        is_several = len({change.followed.changes for change in found.values()}) > 1
        if is_several and (together := measuring.together([*found])) is not None:
            title = f"All {len(together.changes)} changes that were tried together"
            others.append(Change(replace(together, changes=(title,)), self.rest))
        for name, (passes, low) in self.presets.items():
            change = Followed(self.base, (f"lpt{{preset={name}}}",), low)
            others.append(Change(change, passes))
        return found, others

    def _inside_of_others(
        self, rows: Mapping[str, LayerRow], variant: Variant
    ) -> dict[str, LayerRow]:
        """
        The rows; there is nothing to change about layers that the kernels of others compute on the way, or none. What
        quantizes, and states, may cost others something.
        """
        kernels = [each.kernel for each in variant.kernels]
        own = {origin.name for kernel in kernels for origin in executed(kernel)}
        inside = {
            origin.name: self._called(executed(kernel)[0].name)
            for kernel in kernels
            for origin in kernel.origins
        }
        found = dict(rows)
        for name, row in rows.items():
            if not is_to_change(row) or name in own or row.type in ("FakeQuantize", "ReadValue"):
                continue
            why = (
                f"the kernel of '{inside[name]}' computes it"
                if name in inside
                else "it has no kernel"
            )
            found[name] = replace(row, advice=f"{NOTHING}: {why}")
        return found

    @cached_property
    def presets(self) -> dict[str, tuple[list[ModulePass], frozenset[str]]]:
        """By name, other presets that compute more layers in low precision, and none less; and which these are."""
        before = _low(self.final)
        found: dict[str, tuple[list[ModulePass], frozenset[str]]] = {}
        for name, passes in other_presets(self.rest).items():
            final = self.base.clone()
            run_passes(final, passes)
            if (low := _low(final)) > before and all(low != known for _, known in found.values()):
                found[name] = passes, low
        return found

    def _accumulates(self) -> dict[str, int]:
        """How many multiply-accumulates each layer costs."""
        found: dict[str, int] = {}
        for op in self.final.walk():
            name = layer_name(op)
            if name is not None and sizes_multiplied(op) is not None:
                found[name] = found.get(name, 0) + (multiply_accumulates(op) or 0)
        return found

    def _with_names(self, what_if: WhatIf) -> WhatIf:
        """With layers as users call them."""
        layers = tuple(self._called(name) for name in what_if.layers)
        changes = tuple(map(self._shown, what_if.changes))
        return replace(what_if, layers=layers, changes=changes)

    def _notes(
        self,
        rows: Mapping[str, LayerRow],
        found: Mapping[str, Change],
        is_random: bool,
        variant: Variant,
    ) -> Iterator[str]:
        executable = variant.compiled.executable()
        threads = executable.threads
        yield from self._advance()
        yield (
            f"Measured on {executable.isa} with {threads} thread{'s' * (threads > 1)}: medians of {len(variant.calls)} "
            "calls, the variants in turns."
        )
        if is_random:
            yield RANDOM
        left = sum(is_to_change(row) for row in rows.values()) - len(found)
        if left:
            yield f"Not tried: {left} more of these changes: of layers that take less time, or for the author to make."

    def _advance(self) -> Iterator[str]:
        """What goes before all advice about layers."""
        if not is_quantized(self.base):
            yield "The model is not quantized: lowstream quantize calibrates all of its products with samples."

    def layers(self) -> dict[str, LayerRow]:
        """A row for each layer that is left, by the name that it has in copies."""
        return {name: self._layer(name, *main) for name, main in layer_rows(self.final).items()}

    def _layer(self, name: str, op: Operation, row: PrecisionRow) -> LayerRow:
        place = self.places.get(name, LayerPlace(name, row["type"], ""))
        reason = self._shown(row["reason"])
        fault = next(
            (each for each in reversed(named_in(row["reason"])) if each in self.places), None
        )
        rules = [one for one in self.decided if one.layer == name]
        applied = [one.transformation for one in rules if bool(one.reason) == bool(reason)]
        return LayerRow(
            name=place.name or name,
            type=row["type"],
            place=place.where,
            inputs=tuple(row["inputs"]),
            outputs=tuple(row["outputs"]),
            shape=_shape(op),
            rule=", ".join(dict.fromkeys(applied)),
            reason=reason,
            at_fault=self._told(fault, row["reason"])
            if fault is not None and fault != name
            else "",
            advice=self._advice(name, row["reason"]),
        )

    def _advice(self, name: str, reason: str) -> str:
        """What to change, the presets that would do, too."""
        if not reason:
            return ""
        advice = self._shown(advice_about(reason))
        named = [f"lpt{{preset={each}}}" for each, (_, low) in self.presets.items() if name in low]
        if advice.startswith(NOTHING) or not named:
            return advice
        if "lpt{preset=…}" in advice:
            return advice.replace("lpt{preset=…}", named[0])
        return f"{advice}, or use {named[0]}" if advice else f"use {named[0]}"

    def _loss(self, off: Mapping[str, float]) -> Iterator[str]:
        """The layer that loses most."""
        if (most := Growth.most(self.final, off)) is not None:
            yield (
                f"It grows most at {self._told(most.layer, '')}, from {most.before:.1%} to {most.after:.1%}: see how "
                "its weights and what it reads are quantized."
            )

    def _called(self, name: str) -> str:
        """A layer as users call it."""
        place = self.places.get(name)
        return place.name if place is not None and place.name else name

    def _told(self, name: str, reason: str) -> str:
        """
        A node as messages call it: `FakeQuantize 'fq' (model.mlir:9)`; what a reason calls a FakeQuantize may be one
        that `lpt` raised from a model's arithmetic.
        """
        place = self.places[name]
        type = "FakeQuantize" if f"FakeQuantize '{name}'" in reason else place.type
        called = f"{type} '{place.name}'" if place.name else type
        return f"{called} ({place.where})" if place.where else called

    def _shown(self, text: str) -> str:
        """A text in which layers without names are called by their places."""
        for name in named_in(text):
            if (place := self.places.get(name)) is not None and not place.name:
                text = text.replace(
                    f"'{name}'", f"at {place.where}" if place.where else f"'{name}'"
                )
        return text


def _distance(measuring: Measuring) -> Iterator[str]:
    """How far the outputs are from those of the model that this one was quantized from."""
    if (original := measuring.original) is not None:
        relative, largest = error_of(measuring.before.outputs, measuring.reference.outputs)
        yield (
            f"Outputs differ from {original.name} by {relative:.2g} (relative L2), at most {largest:.2g} in an "
            "element; off is how far a layer is from that of its name there."
        )


def is_to_change(row: LayerRow) -> bool:
    """Whether there is something to change about a layer."""
    return bool(row.advice) and not row.advice.startswith(NOTHING)


def _low(module: ModuleOp) -> frozenset[str]:
    """The layers that are in low precision."""
    return frozenset(name for name, (_, row) in layer_rows(module).items() if not row["reason"])


def _gops(accumulates: int, milliseconds: float) -> float | None:
    return 2 * accumulates / (1e6 * milliseconds) if accumulates and milliseconds else None


def _read(model: AnyModel, name: str) -> tuple[str, ModuleOp]:
    """What a model is called, and its module."""
    from ...interop.model import read_model, readable_module_of

    if isinstance(model, str | os.PathLike):
        return str(model), read_model(model).module
    return name, readable_module_of(model)


def _named_later(module: ModuleOp, known: Mapping[str, LayerPlace]) -> dict[str, LayerPlace]:
    """Names what passes made, and what they repeated: its place is that of the original."""
    places = name_layers(module, module)
    return {n: known.get(place.name, place) for n, place in places.items() if n not in known}


def _shape(op: Operation) -> str:
    """Of the first result: `1x64x56x56`."""
    if not op.results or not isinstance(op.results[0].type, TensorType):
        return ""
    sizes = shape_of(op.results[0])
    return "x".join("?" if size == DYNAMIC_INDEX else str(size) for size in sizes) or "scalar"
