"""`Explanation`: what is known of each layer of a model, as plain data."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from ...passes.whole_file import replacing

if TYPE_CHECKING:
    from .views import Views


@dataclass(frozen=True)
class WhatIf:
    """
    What following an advice changes, measured on a copy of the model that it was carried out on.

    Pairs are (before, after): medians of milliseconds, taken in turns, and how far the outputs are from those of the
    model as given, or of the reference, computed in f32, on the same inputs. `error` is the relative L2 norm of the
    difference of the output that differs most, `largest_error` the largest difference of an element, in units of the
    output.
    """

    changes: tuple[str, ...]
    """What was done to the copy, a sentence for each step."""
    layers: tuple[str, ...]
    """The layers that are in low precision then, and were not before."""
    layer_ms: tuple[float, float]
    """What these layers take, with what was inserted for them."""
    model_ms: tuple[float, float]
    """What all kernels take."""
    error: tuple[float, float]
    largest_error: tuple[float, float]
    compared_with: str = "f32"
    """What `error` is the distance from: the model as given in f32, or the name of the reference."""

    @property
    def gain_ms(self) -> float:
        """How many milliseconds the whole model is faster; negative where it is slower."""
        return self.model_ms[0] - self.model_ms[1]


@dataclass(frozen=True)
class LayerRow:
    """
    One layer of the model, in the order of computation. Precisions are those of the computation, as in
    `lowstream.precision_report`: what a kernel absorbs is not seen.
    """

    name: str
    type: str
    """OpenVINO's name of the operation, `Convolution`."""
    place: str
    """Its line, `model.mlir:12`; nothing for a model in memory, and in formats where names stand for lines."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    shape: str
    """Of the first output: `1x64x56x56`."""
    rule: str
    """The transformations that made it low precision, or the one that declined; nothing where none is about it."""
    reason: str = ""
    """Why it is not in low precision; empty where it is."""
    at_fault: str = ""
    """The node that the reason is about, `FakeQuantize 'fq1' (model.mlir:9)`; empty where it is the layer itself."""
    advice: str = ""
    """What to change; empty where it is in low precision."""
    milliseconds: float | None = None
    """What its kernel takes; 0 where it is computed in another's. None: not measured."""
    gops: float | None = None
    """Billions of operations a second; a multiplication and an addition are two. None: not measured, or no product."""
    what_if: WhatIf | None = None
    """What following the advice changes. None: not measured, or not for us to follow."""
    difference: float | None = None
    """
    How far its values are from those of the layer of its name in the reference, as a part of their L2 norm. None: there
    is no such layer, or no reference.
    """

    @property
    def is_low(self) -> bool:
        """Whether it computes on codes."""
        return not self.reason


@dataclass(frozen=True)
class KernelRow:
    """One kernel of the compiled model, in the order of execution."""

    name: str
    layers: tuple[str, ...]
    """All layers that it computes; it is named for the first product among them."""
    type: str
    exec_type: str
    """The instruction set, and I8 or FP32: `jit_avx512_vnni_I8`."""
    shape: str
    milliseconds: float
    share: float
    """Of what all kernels take, 0 to 1."""
    gops: float | None
    peak: float | None = None
    """The part of what its threads could do at most, 0 to 1; None where `gops` is."""


@dataclass(frozen=True)
class Explanation:
    """
    What `lowstream.explain` gives.

        explanation = lowstream.explain("model.mlir", measure=True)
        print(explanation)                          # as `lowstream explain` prints it
        for layer in explanation.layers:            # rows, in the order of computation
            if not layer.is_low:
                print(layer.place, layer.reason, layer.advice, layer.what_if)
        for kernel in explanation.top(5):           # where the time goes; empty if it was not measured
            print(kernel.name, kernel.milliseconds, kernel.share, kernel.gops, kernel.shape)
        explanation.low_share                       # the part of the time that is spent in int8; None: not measured
        explanation.as_dict()                       # nested plain data
        explanation.html()                          # <section class="lowstream-explanation">…, to put into a page
        explanation.save("report.html")             # a page of its own; or .json, .csv, .txt
    """

    model: str
    """The file, or what the model is called."""
    summary: str
    """How many sums of products are in 8 bits, and which share of the multiply-accumulates."""
    layers: tuple[LayerRow, ...]
    kernels: tuple[KernelRow, ...] = ()
    """Empty if nothing was measured."""
    options: tuple[WhatIf, ...] = ()
    """What else there is to change than the model: presets that compute more layers in low precision."""
    notes: tuple[str, ...] = ()
    """What was measured how, and what was left out; a sentence each."""
    views: Views | None = field(default=None, repr=False, compare=False)
    """The model before and after the passes, of which a page shows more."""

    @property
    def low_share(self) -> float | None:
        """The part of the time of all kernels that is spent in int8, 0 to 1; None where nothing was measured."""
        if not self.kernels:
            return None
        return sum(kernel.share for kernel in self.kernels if kernel.exec_type.endswith("I8"))

    @property
    def milliseconds(self) -> float | None:
        """What all kernels take; None where nothing was measured."""
        return sum(kernel.milliseconds for kernel in self.kernels) if self.kernels else None

    def top(self, count: int) -> list[KernelRow]:
        """The kernels that take longest, the longest first."""
        return sorted(self.kernels, key=lambda kernel: -kernel.milliseconds)[:count]

    def as_dict(self) -> dict[str, Any]:
        """Nested plain data, with what follows from the rows."""
        found = asdict(replace(self, views=None))
        del found["views"]
        return found | {"low_share": self.low_share, "milliseconds": self.milliseconds}

    def __getstate__(self) -> dict[str, Any]:
        """All but the modules."""
        return {**self.__dict__, "views": None}

    def as_json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n"

    def as_csv(self) -> str:
        """The layers as comma-separated values under a header."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for layer in self.layers:
            what_if = layer.what_if
            measured = ("", "") if what_if is None else (what_if.gain_ms, what_if.error[1])
            values = {**asdict(layer), "gain_ms": measured[0], "error": measured[1]}
            writer.writerow([_cell(values[column]) for column in COLUMNS])
        return text.getvalue()

    def as_text(self, width: int = 80) -> str:
        """As plain text of so many columns."""
        from .text import as_text

        return as_text(self, width)

    def html(self) -> str:
        """A self-contained fragment: one `<section class="lowstream-explanation">` with its style."""
        from .html import fragment

        return fragment(self)

    def as_page(self) -> str:
        """A whole HTML page: the same, graphs before and after the passes, the memory plan and the states."""
        from .page import page

        return page(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a file. Raises DiagnosticException for an ending that says no format."""
        path = Path(path)
        write = writer_of(path)
        with replacing(path) as draft:
            draft.write_text(
                write(self), encoding="utf-8", errors="backslashreplace"
            )  # a file's name

    def __str__(self) -> str:
        return self.as_text().rstrip("\n")

    def _repr_html_(self) -> str:
        """How notebooks show it."""
        return self.html()


COLUMNS = (
    *("name", "type", "inputs", "outputs", "reason", "place", "shape", "rule", "at_fault"),
    *("advice", "milliseconds", "gops", "gain_ms", "error", "difference"),
)
"""Of a table of layers."""


def _cell(value: object) -> str:
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


FORMATS: dict[str, Callable[[Explanation], str]] = {
    ".json": Explanation.as_json,
    ".csv": Explanation.as_csv,
    ".html": Explanation.as_page,
    ".txt": Explanation.as_text,
}
"""How an explanation is written, by the ending of the file."""


def writer_of(path: Path) -> Callable[[Explanation], str]:
    """What writes such a file. Raises DiagnosticException where the ending says no format."""
    if (writer := FORMATS.get(path.suffix)) is None:
        raise DiagnosticException(
            f"{path}: an explanation is written as {', '.join(FORMATS)}; choose one of these endings"
        )
    return writer
