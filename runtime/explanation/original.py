"""How far a model is from the one that it was quantized from: at its outputs, and layer by layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ...dialects.inferred import friendly_name, shape_of
from ...dialects.module import entry_of
from ...dialects.nn import constant_of
from ...passes.errors import DiagnosticError
from ...passes.legalize import legalized
from ...passes.pipeline import run_passes
from ...passes.quantize.plan import is_real
from ..build import ports_of
from ..calibration import give
from ..compiler import compile_model
from .measure import Samples


@dataclass(frozen=True)
class Original:
    """The model in f32 that another was quantized from, behind the passes in front of low precision."""

    name: str
    module: ModuleOp

    @classmethod
    def of(cls, name: str, module: ModuleOp, passes: Sequence[ModulePass], low: ModuleOp) -> Self:
        """Runs the passes on a copy. Raises DiagnosticException where it takes or gives something else than `low`."""
        copy = legalized(module.clone())
        run_passes(copy, passes)
        pairs = zip(("inputs", "outputs"), ports_of(copy), ports_of(low), strict=True)
        for what, there, here in pairs:
            theirs, ours = ([(p.any_name, p.shape) for p in ports] for ports in (there, here))
            is_same = len(theirs) == len(ours) if what == "outputs" else theirs == ours
            if not is_same or [shape for _, shape in theirs] != [shape for _, shape in ours]:
                raise DiagnosticError(
                    f"{name} has the {what} {_listed(theirs)}, the model {_listed(ours)}; give the model that it "
                    "was quantized from, in the same shapes"
                )
        return cls(name, copy)

    def differences(self, low: ModuleOp, samples: Samples, threads: int | None) -> dict[str, float]:
        """
        By name, how far what a layer gives is from what the layer of its name gives here: the relative L2 norm of the
        difference, over all samples. Layers in bodies, of other shapes and those that give codes are not compared.
        """
        ours, theirs = _layers(low), _layers(self.module)
        names = [
            name
            for name, value in ours.items()
            if name in theirs and shape_of(value) == shape_of(theirs[name])
        ]
        if not names:
            return {}
        requests = [
            compile_model(
                _giving(module, names), num_threads=threads, pipeline=None
            ).create_infer_request()
            for module in (low, self.module)
        ]
        squares = np.zeros((2, len(names)))
        for sample in samples:
            pairs = zip(*(request.infer(sample) for request in requests), strict=True)
            for number, (found, wanted) in enumerate(pairs):
                wide = wanted.astype(np.float64)
                squares[:, number] += np.square(found - wide).sum(), np.square(wide).sum()
        apart, whole = np.sqrt(squares)
        return dict(zip(names, (apart / np.where(whole, whole, 1.0)).tolist(), strict=True))


@dataclass(frozen=True)
class Growth:
    """The layer at which a difference grows most: its name, and the difference in front of it and behind it."""

    layer: str
    before: float
    after: float

    @classmethod
    def most(cls, low: ModuleOp, off: Mapping[str, float]) -> Self | None:
        """
        Of the differences of layers. In front of a layer is the greatest of what it reads, through what has no number;
        None where no layer adds to that.
        """
        reached: dict[SSAValue, float] = {}
        found: list[Self] = []
        for op in entry_of(low).body.block.ops:
            before = max((reached.get(value, 0.0) for value in op.operands), default=0.0)
            name = friendly_name(op) or ""
            after = off.get(name, before)
            reached |= dict.fromkeys(op.results, after)
            if after > before:
                found.append(cls(name, before, after))
        return max(found, key=lambda growth: growth.after - growth.before, default=None)


def _listed(ports: Sequence[tuple[str, tuple[int, ...]]]) -> str:
    return ", ".join(f"{name} {[*shape]}" for name, shape in ports) or "none"


def _layers(module: ModuleOp) -> dict[str, SSAValue]:
    """What the named layers of the entry give, where it is numbers of f32 and no constant."""
    return {
        name: op.results[0]
        for op in entry_of(module).body.block.ops
        if (name := friendly_name(op)) is not None
        and op.results
        and is_real(op.results[0])
        and constant_of(op.results[0]) is None
    }


def _giving(module: ModuleOp, names: Sequence[str]) -> ModuleOp:
    """A copy that gives what these layers do."""
    copy = module.clone()
    layers = _layers(copy)
    give(copy, [layers[name] for name in names])
    return copy
