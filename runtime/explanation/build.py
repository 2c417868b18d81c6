"""`explain`: makes an explanation of a model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects.inferred import shape_of
from ...passes.advice import advice_about, named_in
from ...passes.layer_rows import layer_rows
from ...passes.legalize import legalized
from ...passes.lpt import Configured
from ...passes.lpt.decisions import Decision, decisions
from ...passes.pipeline import Pipeline, parse_pipeline, run_passes
from ...passes.precision_report import Row, precision_summary
from .naming import Place, name_layers
from .rows import Explanation, LayerRow

if TYPE_CHECKING:
    from ..compiled import AnyModel


def explain(model: AnyModel, pipeline: Pipeline = "lpt") -> Explanation:
    """
    For each layer of a model, or of the model in a file: its precision, what decided, and what to change. `pipeline`
    says which passes run first.

        print(lowstream.explain("model.onnx"))

    Raises what `read_model` and `run_passes` raise. The model stays as it is.
    """
    return Explained.of(model, pipeline).explanation()


@dataclass(frozen=True)
class Explained:
    """A model on its way through the passes: as it was read, where `lpt` begins, and behind it."""

    file: str
    places: Mapping[str, Place]
    base: ModuleOp
    """In front of the first pass of `lpt`, all layers named. What is changed is a copy of this."""
    rest: list[ModulePass]
    final: ModuleOp
    decided: Sequence[Decision]

    @classmethod
    def of(cls, model: AnyModel, pipeline: Pipeline) -> Explained:
        """Runs the passes on a copy."""
        passes = parse_pipeline(pipeline)  # a typo is known before a long import
        file, module = _read(model)
        copy = module.clone()
        places = name_layers(module, copy, file)
        if (base := legalized(copy)) is not copy:
            places |= _named_later(base, places, file)
        first = next(
            (n for n, each in enumerate(passes) if isinstance(each, Configured)), len(passes)
        )
        run_passes(base, passes[:first])
        places |= _named_later(base, places, file)
        final = base.clone()
        with decisions() as decided:
            run_passes(final, passes[first:])
        return cls(file, places, base, passes[first:], final, decided)

    def explanation(self) -> Explanation:
        """What is known without running anything."""
        return Explanation(
            model=self.file,
            summary=str(precision_summary(self.final)),
            layers=tuple(self.layers()),
        )

    def layers(self) -> list[LayerRow]:
        """A row for each layer that is left."""
        return [self._layer(name, *main) for name, main in layer_rows(self.final).items()]

    def _layer(self, name: str, op: Operation, row: Row) -> LayerRow:
        place = self.places.get(name, Place(name, row["type"], self.file))
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
            at_fault=self._told(fault) if fault is not None and fault != name else "",
            advice=self._shown(advice_about(row["reason"])) if reason else "",
        )

    def _told(self, name: str) -> str:
        """A node as messages call it: `FakeQuantize 'fq' (model.mlir:9)`."""
        place = self.places[name]
        called = f"{self._type(name)} '{place.name}'" if place.name else self._type(name)
        return f"{called} ({place.where})" if place.where else called

    def _shown(self, text: str) -> str:
        """A text in which layers without names are called by their places."""
        for name in named_in(text):
            if (place := self.places.get(name)) is not None and not place.name:
                text = text.replace(
                    f"'{name}'", f"at {place.where}" if place.where else f"'{name}'"
                )
        return text

    def _type(self, name: str) -> str:
        return self.places[name].type if name in self.places else ""


def _read(model: AnyModel) -> tuple[str, ModuleOp]:
    """What a model is called, and its module."""
    from ...interop.model import read_model, readable_module_of

    if isinstance(model, str | os.PathLike):
        return str(model), read_model(model).module
    return "", readable_module_of(model)


def _named_later(module: ModuleOp, known: Mapping[str, Place], file: str) -> dict[str, Place]:
    """Names what passes made, and what they repeated: its place is that of the original."""
    places = name_layers(module, module, file)
    return {n: known.get(place.name, place) for n, place in places.items() if n not in known}


def _shape(op: Operation) -> str:
    """Of the first result: `1x64x56x56`."""
    if not op.results or not isinstance(op.results[0].type, TensorType):
        return ""
    sizes = shape_of(op.results[0])
    return "x".join("?" if size == DYNAMIC_INDEX else str(size) for size in sizes) or "scalar"
