"""
`sink-constants`: constants that a body is given move into it, and are folded there.

Importers and passes transpose weights in front of a loop, give them to both bodies of a branch, or carry them along
from iteration to iteration. All of that is folded in front of the body, moves into it, and is folded there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import infra, nn
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from ..passes.erase_unused import erase_unused
from ..passes.fold_constants import fold_constants
from ..passes.infer_shapes import infer_types
from ..passes.rebuilt import rebuilt
from .machine import planned_isa
from .products.compressed_tables import look_up_codes
from .products.compressed_weights import Limits, is_kept, keep_codes

Bodied = infra.IteratorOp | infra.IfOp


@dataclass(frozen=True)
class SinkConstants(ModulePass):
    """
    Constants that iterators and branches are given move into their bodies, and operations on constants are folded, the
    dequantization of weights included, but for codes that products or lookups read; again until no constant moves.

    - A merged value that the body yields unchanged counts as invariant.
    - Sliced inputs stay, since they differ in each iteration.

    `isa` names the instruction set that decides which products read codes (default: the host's best).
    """

    name = "sink-constants"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limits = Limits.of(planned_isa(self.isa), op)
        _fold(op, limits)
        while _sink(op):
            infer_types(op, keep=True)
            _fold(op, limits)


def _fold(module: ModuleOp, limits: Limits) -> None:
    """
    Folds operations on constants, but not the dequantization of codes that lookups read, or products within the limits.
    """
    keep_codes(module, limits)
    look_up_codes(module)
    fold_constants(module, partial(is_kept, limits=limits))


def _sink(module: ModuleOp) -> bool:
    """Moves constants into all bodies, the outer ones first. Returns whether there were any."""
    sunk = [_sink_into(op) for op in all_operations(module) if isinstance(op, Bodied)]
    return any(sunk)


def _sink_into(op: Bodied) -> bool:
    """Moves the constants that an operation is given into its bodies. Returns whether there were any."""
    if isinstance(op, infra.IfOp):
        bodies, first, whole = op.bodies, 1, range(len(op.inputs))
    else:
        bodies, first, whole = [op.body.block], op.first_operand, op.invariant_inputs()
    known = [i for i in whole if nn.constant_of(op.operands[first + i]) is not None]
    for body in bodies:
        for i in reversed(known):
            _own(body, i, op.operands[first + i])
    if known:
        given = [op.operands[first + i] for i in known]
        _forget(op, first, known)
        erase_unused(*given)
    return bool(known)


def _own(body: Block, number: int, value: SSAValue) -> None:
    """Makes an argument of a body a constant in it, if anything there uses it."""
    argument, outer = body.args[number], value.owner
    assert isinstance(outer, nn.ConstantOp), "the caller knows"
    if argument.first_use is not None:
        constant = outer.clone()
        constant.result.name_hint = argument.name_hint
        Rewriter.insert_op(constant, InsertPoint.at_start(body))
        argument.replace_all_uses_with(constant.result)
    body.erase_arg(argument)


def _forget(op: Bodied, first: int, dropped: Collection[int]) -> None:
    """The same operation without these inputs, and its bodies without these arguments."""
    operands = [
        value for i, value in enumerate(op.operands) if i < first or i - first not in dropped
    ]
    properties: dict[str, Attribute] = {}
    if isinstance(op, infra.IteratorOp):
        kept = [i for i in range(len(op.inputs)) if i not in dropped]
        properties["inputs"] = ArrayAttr([op.inputs.data[i] for i in kept])
        properties["body_names"] = ArrayAttr([op.body_names.data[i] for i in kept])
    new = rebuilt(op, operands, properties=properties)
    Rewriter.replace_op(op, [], list(new.results))
