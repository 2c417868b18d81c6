"""`decompose-ops`: derived operations become the operations that define them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn
from ..dialects.elements import is_narrow_float
from ..dialects.inferred import NAME, shape_of, tensor
from ..dialects.nn.derived import DerivedOp
from ..dialects.nn.writer import Writer
from ..dialects.origins import origin_of, set_origins
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations, block_operations
from .instrumentation import note_rewrite


@dataclass(frozen=True)
class DecomposeOps(ModulePass):
    """
    Each derived operation (`nn.softmax`, `nn.hswish`, ...) becomes its decomposition, until only core operations
    (and those with a kernel of their own) are left; with `only`, those of these names and no others.

    What is given in 16 bits is computed with in float32 and rounded once. What was one operation of the model
    stays one in reports and profiles.
    """

    name = "decompose-ops"

    only: tuple[str, ...] | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for name in self.only or ():
            if name not in _DERIVED:
                raise DiagnosticException(
                    f"{self.name}: '{name}' is not a derived operation; only takes {', '.join(sorted(_DERIVED))}"
                )
        decompose_all(all_operations(op), self._takes)

    def _takes(self, op: DerivedOp) -> bool:
        if self.only is None:
            return not op.HAS_KERNEL
        return op.name.removeprefix("nn.") in self.only


_DERIVED = {kind.name.removeprefix("nn.") for kind in nn.Nn.operations if DerivedOp in kind.__mro__}


def decompose_all(
    pending: list[Operation], takes: Callable[[DerivedOp], bool] = lambda op: not op.HAS_KERNEL
) -> None:
    """Decomposes operations and what they become, but what `takes` refuses, or too little is known of."""
    while pending:
        op = pending.pop()
        if not isinstance(op, DerivedOp) or _is_empty(op) or not op.is_decomposable:
            continue
        if takes(op):
            pending += decompose(op)


def decompose(op: DerivedOp) -> list[Operation]:
    """Replaces an operation by its decomposition. Returns the new operations."""
    block = Block()
    write = Writer(InsertPoint.at_end(block))
    operands = op.operands
    if op.is_widened:
        operands = [_widened(write, operand) for operand in operands]
    results = [
        write.converted(value, tensor(result).element_type)
        for value, result in zip(op.within(block, operands), op.results, strict=True)
    ]
    new, origins = block_operations(block), origin_of(op)
    for each in new:
        each.detach()
        each.location = op.location
        if not isinstance(each, nn.ConstantOp):
            set_origins(each, origins)
    last = results[0].owner
    if isinstance(last, Operation) and (name := op.attributes.get(NAME)) is not None:
        last.attributes.setdefault(NAME, name)
    Rewriter.insert_op(new, InsertPoint.before(op))
    Rewriter.replace_op(op, [], results)
    note_rewrite(op.name)
    return [inner for each in new for inner in each.walk()]


def _is_empty(op: DerivedOp) -> bool:
    """Whether there is nothing to compute."""
    return all(0 in shape_of(result) for result in op.results)


def _widened(write: Writer, value: SSAValue) -> SSAValue:
    """A value in the type that is computed in."""
    element = tensor(value).element_type
    return write.converted(value, f32 if is_narrow_float(element) else element)
