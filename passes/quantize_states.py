"""`quantize-states`: states that the model reads only to quantize them are kept quantized."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import infra
from ..dialects.blob import BlobAttr
from ..dialects.inferred import tensor
from ..dialects.nn import ConstantOp, constant_of
from ..dialects.qnn import FakeQuantizeOp
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from .erase_unused import erase_unused
from .fold_constants import folded, put_constants

Access = infra.ReadValueOp | infra.AssignOp


@dataclass(frozen=True)
class QuantizeStates(ModulePass):
    """
    `fake_quantize(read(init)) = read(fake_quantize(init))` where `assign(x)` becomes `assign(fake_quantize(x))`: if all
    that reads a state quantizes it alike, between constant limits. The model computes the same bits.

    The state then has the type of what was quantized: after `lpt`, that of codes. Only states of a `multiple` of so
    many elements change, apart from dimensions of unknown size: so many codes of 8 bits end at an address as aligned.
    """

    name = "quantize-states"

    multiple: int = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.multiple < 1:
            raise DiagnosticException(f"{self.name}: multiple={self.multiple}; give 1 or more")
        quantize_states(op, self.multiple)


def quantize_states(module: ModuleOp, multiple: int = 1) -> None:
    """Keeps states of a multiple of so many elements quantized where all that reads them quantizes them alike."""
    accesses = [op for op in all_operations(module) if isinstance(op, Access)]
    for variable in module.ops:
        if isinstance(variable, infra.VariableOp) and _elements(variable) % multiple == 0:
            name = variable.sym_name.data
            mine = [op for op in accesses if op.variable.string_value() == name]
            if quantizers := _quantizers(mine):
                _quantize(variable, mine, quantizers)


def _elements(variable: infra.VariableOp) -> int:
    """Elements of a state, were dimensions of unknown size 1."""
    return prod(size for size in variable.type.get_shape() if size != DYNAMIC_INDEX)


def _quantizers(accesses: Sequence[Access]) -> list[FakeQuantizeOp]:
    """All that uses a state that is read, if it quantizes alike, between constants; else none."""
    reads = [op for op in accesses if isinstance(op, infra.ReadValueOp)]
    users = [use.operation for read in reads for use in read.result.uses]
    found = [op for op in users if isinstance(op, FakeQuantizeOp) and _has_known_limits(op)]
    if any(read.padded is not None for read in reads) or len(found) < len(users):
        return []
    return found if len(set(map(_meaning, found))) == 1 else []


def _has_known_limits(op: FakeQuantizeOp) -> bool:
    return all(constant_of(limit) is not None for limit in op.operands[1:])


def _meaning(op: FakeQuantizeOp) -> tuple[object, ...]:
    """What tells apart what quantizes, beside its input."""
    limits = (constant_of(limit) for limit in op.operands[1:])
    return (*limits, *sorted(op.properties.items()), op.result.type)


def _quantize(
    variable: infra.VariableOp, accesses: Sequence[Access], quantizers: Sequence[FakeQuantizeOp]
) -> None:
    """Quantizes what is assigned and the initial values; what is read is what `quantizers` gave."""
    example = quantizers[-1]  # the first one: uses are listed the other way round
    element = tensor(example.result).element_type
    variable.properties["type"] = TensorType[Any](element, variable.type.get_shape())
    for op in accesses:
        value = op.operands[0]
        op.operands[0] = _quantized(value, example, InsertPoint.before(op))
        erase_unused(value)
        if isinstance(op, infra.ReadValueOp):
            Rewriter.replace_value_with_new_type(op.result, example.result.type)
    for op in quantizers:
        limits = op.operands[1:]
        Rewriter.replace_op(op, [], [op.input])
        erase_unused(*limits)


def _quantized(value: SSAValue, like: FakeQuantizeOp, place: InsertPoint) -> SSAValue:
    """A value, quantized as another one is; a known one at once, since `reshape` repeats constants."""
    blobs = (cast(BlobAttr, constant_of(limit)) for limit in like.operands[1:])
    limits = [ConstantOp(blob) for blob in blobs]
    op = FakeQuantizeOp.of(value, *limits, **like.properties)
    op.attributes.update(like.attributes)
    Rewriter.insert_op((*limits, op), place)
    if (known := folded(op)) is None:
        return op.result
    (result,) = put_constants(op, known)
    for limit in limits:
        Rewriter.erase_op(limit)
    return result
