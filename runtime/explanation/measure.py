"""Measures variants of a model: what each kernel takes, in turns, and how far the outputs are from those of f32."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ...lowering.machine import choose_isa
from ...passes.pipeline import Pipeline, parse_pipeline
from ...passes.precision_report import LOW
from ..collector import collector_paused
from ..compiled import CompiledModel
from ..compiler import compile_model
from ..profiling.peak import peak_of
from ..profiling.profiling import KernelProfile, exec_type, executed
from .rows import KernelRow

if TYPE_CHECKING:
    import numpy.typing as npt
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

    Array = npt.NDArray[Any]

Samples = Sequence[Mapping[str, Any]]
"""Inputs of calls that follow each other, by name."""

TURNS = 10
"""How often each variant has its turn."""

SETTLING = 0.02
"""Seconds that a variant runs in its turn before anything counts: so long a core takes to settle."""


@dataclass
class Variant:
    """A compiled model that counts, its outputs for all samples, and the times of its kernels in each call."""

    compiled: CompiledModel
    samples: Samples
    outputs: list[Array] = field(default_factory=list["Array"])
    kernels: Sequence[KernelProfile] = ()
    calls: list[list[int]] = field(default_factory=list[list[int]])

    @classmethod
    def of(
        cls,
        module: ModuleOp,
        passes: Sequence[ModulePass] | None,
        threads: int | None,
        samples: Samples,
    ) -> Variant:
        """Compiles a model and runs it once on all samples, from reset states."""
        compiled = compile_model(
            module, num_threads=threads, pipeline=_as_text(passes), profiling=True
        )
        variant = cls(compiled, samples)
        request = compiled.create_infer_request()
        calls = [[np.array(each) for each in request.infer(sample)] for sample in samples]
        variant.outputs = [np.stack(each) for each in zip(*calls, strict=True)]
        variant.kernels = request.profiling_info.kernels
        return variant

    def run(self, seconds: float) -> None:
        """Calls for so long, at least once, and keeps what kernels took."""
        request = self.compiled.create_infer_request()
        settled = time.perf_counter() + SETTLING
        while time.perf_counter() < settled:
            request.infer(self.samples[0])
        end, number = time.perf_counter() + seconds, 0
        while not number or time.perf_counter() < end:
            request.infer(self.samples[number % len(self.samples)])
            self.calls.append([each.nanoseconds for each in request.profiling_info.kernels])
            number += 1

    @property
    def nanoseconds(self) -> list[int]:
        """The median of each kernel."""
        return [round(median(each)) for each in zip(*self.calls, strict=True)]

    def profiles(self) -> list[KernelProfile]:
        """The kernels with these times."""
        pairs = zip(self.kernels, self.nanoseconds, strict=True)
        return [replace(each, nanoseconds=taken) for each, taken in pairs]

    def by_layer(self) -> dict[str, float]:
        """Milliseconds of the kernels that are named for each layer."""
        found: dict[str, float] = {}
        for each in self.profiles():
            origins = executed(each.kernel)
            for origin in origins:
                share = each.nanoseconds / len(origins) / 1e6
                found[origin.name] = found.get(origin.name, 0.0) + share
        return found

    def milliseconds(self) -> float:
        """What all kernels take."""
        return sum(self.nanoseconds) / 1e6


def _as_text(passes: Sequence[ModulePass] | None) -> Pipeline | None:
    """Passes as text, which the cache knows programs by; as they are where no text says them."""
    if not passes:
        return None
    text = ",".join(str(one.spec()) for one in passes)
    try:
        is_same = parse_pipeline(text) == [*passes]
    except DiagnosticException:
        return passes
    return text if is_same else passes


def take_turns(variants: Sequence[Variant], seconds: float) -> None:
    """Runs variants for so many seconds each, a little at a time, so that a busy machine slows all of them."""
    with collector_paused():
        for _ in range(TURNS):
            for variant in variants:
                variant.run(seconds / TURNS)


def error_of(outputs: Iterable[Array], wanted: Iterable[Array]) -> tuple[float, float]:
    """The relative L2 norm of the difference of the output that differs most, and the largest of an element."""
    relative, largest = 0.0, 0.0
    for found, reference in zip(outputs, wanted, strict=True):
        wide = reference.astype(np.float64)
        apart = found.astype(np.float64) - wide
        norm = float(np.linalg.norm(wide)) or 1.0
        relative = max(relative, float(np.linalg.norm(apart)) / norm)
        largest = max(largest, float(np.abs(apart).max(initial=0)))
    return relative, largest


def kernel_rows(
    variant: Variant, names: Mapping[str, str], shapes: Mapping[str, str]
) -> list[KernelRow]:
    """A row for each kernel: layers as users call them, and their shapes."""
    whole, isa = variant.milliseconds() or 1.0, variant.compiled.executable().isa
    return [
        KernelRow(
            name=names.get(each.origin.name, each.origin.name),
            layers=tuple(names.get(one.name, one.name) for one in each.kernel.origins),
            type=each.origin.type,
            exec_type=exec_type(isa, each.origin),
            shape=shapes.get(each.origin.name, "x".join(map(str, each.kernel.shape))),
            milliseconds=each.nanoseconds / 1e6,
            share=each.nanoseconds / 1e6 / whole,
            gops=each.giga_operations or None,
            peak=_part_of_peak(each, isa),
        )
        for each in variant.profiles()
    ]


def _part_of_peak(profile: KernelProfile, isa: str) -> float | None:
    """How much of what its threads could do at most a kernel does, if it computes products."""
    if not profile.giga_operations:
        return None
    is_low = all(factor in LOW for factor in profile.kernel.factors)
    return profile.giga_operations / profile.threads / peak_of(choose_isa(isa), is_low)
