"""`precision-report`: what every operation takes and gives, and why one is not in low precision."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol, TypedDict, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import label
from ...dialects.infra import AssignOp, ReadValueOp, VariableOp, YieldOp
from ...dialects.names import type_name
from ...dialects.nn import BinaryOp, ConstantOp, ConvertOp, MultiplyOp, SubtractOp, constant_of
from ...dialects.origins import layer_name, origins_of
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...dialects.short_types import short_element
from ..elided import NARROWEST, elided
from ..lpt.attributes import declined
from ..lpt.config import preset
from ..lpt.main.arithmetic.branches import reads_codes
from ..lpt.other_codes import other_codes
from ..lpt.products import PRODUCTS
from ..lpt.provenance import computed_from, requantized_by
from ..lpt_extensions import transformations
from ..whole_file import replacing
from .multiply_accumulates import Summary, summarize

UNLISTED = (ModuleOp, FuncOp, ReturnOp, ConstantOp, VariableOp, YieldOp)
"""Operations that compute nothing."""

LOW = frozenset({"u8", "i8", "u4", "i4"})

MULTIPLYING = frozenset(one.operation for one in preset("all").precisions)
"""The operations that multiply codes: products, recurrent layers and attention."""


RUN_LPT = "it is quantized, and nothing made it low precision; run lpt on the model first"
"""The reason where no pass looked at what is quantized."""


class PrecisionRow(TypedDict):
    """One operation. Precisions are those of the computation: what a kernel absorbs is not seen."""

    name: str
    type: str
    """OpenVINO's name, `Convolution`."""
    inputs: list[str]
    """The precision of each input: `u8`, `i8`, `f32` …"""
    outputs: list[str]
    reason: str
    """Why it is not in low precision; empty where it is."""


class HasModule(Protocol):
    """A model."""

    @property
    def module(self) -> ModuleOp: ...


def precision_report(model: ModuleOp | HasModule) -> list[PrecisionRow]:
    """
    A row for each operation of the model as it is (run `lpt` first), bodies included, in the order of computation.

        for row in lowstream.precision_report(model):
            print(row["name"], row["type"], row["inputs"], row["outputs"], row["reason"])

    Raises DiagnosticException for anything but a model.
    """
    module: object = getattr(model, "module", model)
    if not isinstance(module, ModuleOp):
        raise DiagnosticException(
            f"precision_report: {model!r} is not a model; read it first: lowstream.read_model(model)"
        )
    return [row_of(op) for op in module.walk() if not isinstance(op, UNLISTED)]


def precision(type: Attribute) -> str:
    """The short name of a tensor's element type: `u8`, `i32`, `f32`; `boolean` for i1."""
    if not isinstance(type, TensorType):
        return str(type)
    return short_element(cast(TensorType[Any], type).element_type)


def row_of(op: Operation) -> PrecisionRow:
    """The row of one operation."""
    inputs = [as_executed(op, operand) for operand in op.operands]
    outputs = [precision(result.type) for result in op.results]
    low = not LOW.isdisjoint((*inputs, *outputs))
    return PrecisionRow(
        name=layer_name(op) or next((each.name for each in origins_of(op)), _state(op)),
        type=type_name(op),
        inputs=inputs,
        outputs=outputs,
        reason="" if low else why_high(op),
    )


def _state(op: Operation) -> str:
    """The state that an operation reads or assigns; the operation is named after it where it has no name."""
    is_of_state = isinstance(op, AssignOp | ReadValueOp)
    return op.variable.root_reference.data if is_of_state else ""


def as_executed(op: Operation, operand: SSAValue) -> str:
    """
    The precision in which a kernel reads an operand. Kernels convert codes, and subtract their zero point, while they
    load them. Products do not: they multiply either codes or values, and their dequantization is a step of its own. In
    a chain of dequantization, operations behind the subtraction of the zero point read values.
    """
    if isinstance(op, (*PRODUCTS, ConvertOp)) or op.regions or is_dequantized_for_product(op):
        return precision(operand.type)
    if isinstance(operand.owner, SubtractOp) and is_dequantization(op):
        return precision(operand.type)
    return _as_loaded(operand)


def _as_loaded(value: SSAValue) -> str:
    """The type of the codes that a value is converted from, less a zero point or not; its own where it is not."""
    element = precision(value.type)
    if isinstance(value.owner, SubtractOp) and constant_of(value.owner.rhs) is not None:
        value = value.owner.lhs
    convert = value.owner
    if not isinstance(convert, ConvertOp) or constant_of(convert.input) is not None:
        return element
    codes = precision(convert.input.type)
    return codes if codes in LOW else element


def why_high(op: Operation) -> str:
    """Why this operation computes in more than 8 bits."""
    is_known = any(isinstance(op, transformation.op) for transformation in transformations())
    if is_known and gives_codes_behind(op):
        return "the FakeQuantize behind it gives codes of what it computes"
    if reason := declined(op):
        return reason
    if not any(
        precision(value.type).startswith(("f", "bf")) for value in op.results or op.operands
    ):
        return "it gives integers, which are exact"
    if isinstance(op, FakeQuantizeOp):
        return _why_float(op)
    if is_dequantization(op):
        return "it turns codes back into values"
    if op.regions:
        return "its body has a row for each operation"
    if isinstance(op, PRODUCTS) and (reason := other_codes(op.operands[0], 0)) is not None:
        return reason
    if not is_known:
        return f"{type_name(op)} has no 8-bit form"
    if op.name in MULTIPLYING:
        if any(is_quantized(operand) for operand in op.operands):
            return RUN_LPT
        return "its inputs are not quantized; put a FakeQuantize on them"
    if passes_on_what_is_quantized(op):
        return "it passes on values of which a FakeQuantize behind it makes codes"
    return "its inputs are not quantized"


def passes_on_what_is_quantized(op: Operation) -> bool:
    """Whether a FakeQuantize alone reads what comes of this, through operations that compute on codes as on values."""
    preserving = {one.op for one in transformations() if one.preserves_precision}
    while type(op) in preserving and len(op.results) == 1:
        if (user := op.results[0].get_user_of_unique_use()) is None:
            return False
        if isinstance(user, FakeQuantizeOp):
            return user.output_type is not None and user.input == op.results[0]
        op = user
    return False


def gives_codes_behind(op: Operation) -> bool:
    """Whether a FakeQuantize gives codes of what is computed here element by element, which one kernel does."""
    if computed_from(op) is None:
        return False
    quantize = requantized_by(op.results[0])
    return quantize is not None and quantize.output_type is not None


def _why_float(op: FakeQuantizeOp) -> str:
    readers = [use.operation for use in op.result.uses]
    for reader in readers:
        if reason := declined(reader):
            return f"{label(reader)} cannot use its codes: {reason}"
    if any(isinstance(reader, BinaryOp) and reads_codes(reader) for reader in readers):
        return "what reads it computes on the codes of its other input"
    if is_quantized(op.result) and any(reader.name in MULTIPLYING for reader in readers):
        return RUN_LPT
    return "nothing behind it computes on 8-bit codes"


def is_quantized(value: SSAValue) -> bool:
    """Whether a value is quantized in a form that `lpt` takes and does not leave, but where it says why."""
    owner = value.owner
    if isinstance(owner, FakeQuantizeOp):
        return owner.output_type is None and not declined(owner)
    return isinstance(owner, DequantizeOp)


def is_dequantized_for_product(op: Operation) -> bool:
    """Whether an operation dequantizes for a product that stayed in floating point."""
    return is_dequantization(op) and any(
        isinstance(use.operation, PRODUCTS) or is_dequantized_for_product(use.operation)
        for result in op.results
        for use in result.uses
    )


def is_dequantization(op: Operation) -> bool:
    """
    Whether an operation is part of `(convert(codes) - zero_point) * scale`, or of that arithmetic behind an operation
    that computes in floating point on codes.
    """
    match op:
        case DequantizeOp():
            return True
        case ConvertOp():
            return _is_code(op.input)
        case MultiplyOp() | SubtractOp():
            before = op.lhs.owner
            if constant_of(op.rhs) is None or not isinstance(before, Operation):
                return False
            if isinstance(before, ConvertOp | SubtractOp):
                return is_dequantization(before)
            return not isinstance(before, PRODUCTS) and any(
                _as_loaded(value) in LOW for value in before.operands
            )
        case _:
            return False


def _is_code(value: SSAValue) -> bool:
    return precision(value.type) in (*LOW, "i32")


def as_json(rows: Sequence[PrecisionRow]) -> str:
    """The report as a JSON list of objects."""
    return json.dumps(rows, indent=1) + "\n"


def as_csv(rows: Sequence[PrecisionRow]) -> str:
    """The report as comma-separated values under a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PrecisionRow.__annotations__)
    for row in rows:
        ports = (" ".join(row["inputs"]), " ".join(row["outputs"]))
        writer.writerow((row["name"], row["type"], *ports, row["reason"]))
    return text.getvalue()


FORMATS = {".json": as_json, ".csv": as_csv}
"""How a report is written, by the ending of the file."""


def precision_summary(model: ModuleOp | HasModule) -> Summary:
    """The number of products that compute on codes, and their share of the multiply-accumulates."""
    module = model if isinstance(model, ModuleOp) else model.module
    return summarize(module, multiplies_codes)


def multiplies_codes(op: Operation) -> bool:
    """
    Whether everything that a product multiplies is in low precision; this is false for recurrent layers in floating
    point.
    """
    return isinstance(op, PRODUCTS) and all(
        as_executed(op, operand) in LOW for operand in op.operands[:2]
    )


def print_table(rows: Sequence[PrecisionRow], stream: IO[str] | None = None) -> None:
    """The report as a table on a stream, standard error where none is said, as wide as its terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=stream or sys.stderr)
    names = elided([row["name"] for row in rows], max(NARROWEST, 3 * console.width // 10))
    table = Table()
    table.add_column("name", no_wrap=True, min_width=max(map(len, names), default=0))
    for heading in ("type", "inputs", "outputs", "why not in low precision"):
        table.add_column(heading, overflow="fold")
    for name, row in zip(names, rows, strict=True):
        ports = (" ".join(row["inputs"]), " ".join(row["outputs"]))
        style = "" if row["reason"] else "green"
        cells = (name, row["type"], *ports, row["reason"])
        table.add_row(*map(Text, cells), style=style)  # a name like 'layer[/0]' is no markup
    console.print(table)


@dataclass(frozen=True)
class PrecisionReportPass(ModulePass):
    """Writes the report to a `.json` or `.csv` file, or as a table to standard error, where a summary goes."""

    name = "precision-report"

    file: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rows = precision_report(op)
        if self.file is None:
            print_table(rows)
        else:
            write_report(rows, Path(self.file))
        sys.stderr.write(f"precision-report: {precision_summary(op)}\n")


def write_report(rows: Sequence[PrecisionRow], path: Path) -> None:
    """Writes a file. Raises DiagnosticException for an ending that says no format."""
    if path.suffix not in FORMATS:
        raise DiagnosticException(f"precision-report: '{path}' must end in {' or '.join(FORMATS)}")
    with replacing(path) as draft:
        draft.write_text(FORMATS[path.suffix](rows), encoding="utf-8")
