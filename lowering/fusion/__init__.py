"""
`fuse-kernels`: fewer kernels, the same numbers.

A sweep over each block applies `FUSION_RULES` to every kernel until none applies. Each rule is a law about a producer
and its consumer. Together they make one kernel of a step of a recurrent layer: added products accumulate together,
gates become groups of one product, and elementwise work becomes the epilogue. Convolutions need channels last, so each
comes between two transposes; these are hoisted into producers or folded into accesses, and remain at the inputs and
outputs of a network.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ...dialects import kernel
from ...dialects.walk import all_operations, block_operations
from ...passes.instrumentation import note_rewrite
from ..machine import Isa, planned_isa
from .recomputation import is_data_movement
from .rule import FusionRule, MovementRule
from .rules.compute_in_reduction import ComputeInReduction
from .rules.concatenate_in_domain_order import ConcatenateInDomainOrder
from .rules.drop_unread_result import DropUnreadResult
from .rules.erase_dead_kernel import EraseDeadKernel
from .rules.fold_access import FoldAccess
from .rules.fold_reshape import FoldReshape
from .rules.fold_reshape_into_access import FoldReshapeIntoAccess
from .rules.fold_reshape_into_reduction import FoldReshapeIntoReduction
from .rules.fold_unit_transpose import FoldUnitTranspose
from .rules.fold_view import FoldView
from .rules.fuse_consumer import FuseConsumer
from .rules.group_columns import GroupColumns
from .rules.hoist_transpose import HoistTranspose
from .rules.hoist_transpose_above_expansion import HoistTransposeAboveExpansion
from .rules.hoist_transpose_above_reshape import HoistTransposeAboveReshape
from .rules.hoist_transpose_above_slice import HoistTransposeAboveSlice
from .rules.merge_gathers import MergeGathers
from .rules.merge_products import MergeProducts
from .rules.recompute_dequantization import RecomputeDequantization
from .rules.recompute_in_reduction import RecomputeInReduction
from .rules.sink_reshape import SinkReshape
from .rules.sink_transpose import SinkTranspose
from .rules.write_domain_order import WriteDomainOrder
from .topology import restore_order

Rules = tuple[FusionRule[Any], ...]

FUSION_RULES: Rules = (
    EraseDeadKernel(),
    DropUnreadResult(),
    FoldReshape(),
    FoldUnitTranspose(),
    FoldReshapeIntoReduction(),
    RecomputeInReduction(),
    HoistTransposeAboveSlice(),
    HoistTransposeAboveReshape(),
    HoistTransposeAboveExpansion(),
    HoistTranspose(),
    WriteDomainOrder(),
    ConcatenateInDomainOrder(),
    FoldView(),
    FoldReshapeIntoAccess(),
    FoldAccess(),
    RecomputeDequantization(),
    MergeProducts(),
    MergeGathers(),
    ComputeInReduction(),
    FuseConsumer(),
    GroupColumns(),
    SinkReshape(),
)
"""The rules, in the order in which they are tried on each operation until none applies."""

LAST_RULES: Rules = (SinkTranspose(),)
"""Rules that are tried after that, once: `SinkTranspose` is the inverse of `HoistTranspose`."""


SWEEPS = 8
"""Sweeps for each operation of a block: more than rules that terminate need."""


@dataclass(frozen=True)
class FuseKernels(ModulePass):
    """Fuses the kernels of every block. `isa` is that of `sink-constants`."""

    name = "fuse-kernels"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        choices = _choices_on(planned_isa(self.isa))
        blocks: list[Block] = []
        for inner in all_operations(op):
            if not isinstance(inner, kernel.KernelOp | kernel.WholeKernelOp):
                blocks += [block for region in inner.regions for block in region.blocks]
        for block in blocks:
            _exhaust(block, choices)
            _sweep(block, LAST_CHOICES)
            restore_order(block)


class Choices(dict[tuple[type[Operation], bool], Rules]):
    """Those of some rules that are about operations of a kind that are data movement, or not."""

    def __init__(self, rules: Rules):
        self._rules = rules

    def __missing__(self, about: tuple[type[Operation], bool]) -> Rules:
        kind, moves = about
        found = (rule for rule in self._rules if issubclass(kind, rule.operations))
        self[about] = tuple(rule for rule in found if moves or not isinstance(rule, MovementRule))
        return self[about]


LAST_CHOICES = Choices(LAST_RULES)


@cache
def _choices_on(isa: Isa) -> Choices:
    """FUSION_RULES for an instruction set."""
    return Choices(tuple(rule.on(isa) for rule in FUSION_RULES))


def _exhaust(block: Block, choices: Choices) -> None:
    """
    Sweeps until no rule applies. Rules terminate: each erases a kernel, a result or a view, brings a transpose nearer
    to the block's arguments, or lets readers compute what was computed once, and none undoes another. A sweep applies
    one rule to each operation, so that a transpose moves by one operation in each. There are about as many sweeps as
    operations on a path from argument to result.
    """
    limit = SWEEPS * (1 + len(block.ops))
    for _ in range(limit):
        if not _sweep(block, choices):
            return
    raise AssertionError(f"fusion rules undo each other: {limit} sweeps were not enough")


def _sweep(block: Block, choices: Choices) -> bool:
    """
    Applies the first rule that does to each operation; whether any did. Until `restore_order`, values may be used
    before they are defined: the rules only follow the graph.
    """
    changed = False
    for op in block_operations(block):
        if op.parent is not block:
            continue
        moves = isinstance(op, kernel.MapOp) and is_data_movement(op)
        for rule in choices[type(op), moves]:
            if rule.apply(op):
                note_rewrite(type(rule).__name__)
                changed = True
                break
    return changed
