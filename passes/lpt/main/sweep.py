"""The one sweep of the main step: producers first, bodies behind their operation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.elements import is_float
from ....dialects.inferred import friendly_name, tensor
from ....dialects.locations import rewriter_of
from ....dialects.qnn import DequantizeOp
from ....dialects.walk import all_operations
from ...erase_unused import erase_all_dead
from ...instrumentation import note_rewrite
from ...quantized import is_narrow
from ..attributes import declined, note_declined
from ..config import BEYOND
from ..decisions import note_decision
from ..diagnostics import is_vague, with_names
from ..plan import LptPlan
from ..target import Target
from ..transformation import Transformation, give_name_back

Table = dict[type[Operation], list[Transformation[Any]]]
"""The transformations of each kind of operation; those that the configuration disables come last."""


def sweep(module: ModuleOp, target: Target, plan: LptPlan) -> None:
    """
    Offers every operation on values to the transformations about it, once, and what they make of it
    too: operations that are new, or itself where it was changed in place. One with bodies is offered again behind
    them, because only then they give what can leave as codes; where it does, its bodies are swept again. Then erases
    the dequantization that nothing uses any more. Takes linear time.
    """
    table: Table = defaultdict(list)
    for transformation in (*target.transformations, *target.disabled):
        table[transformation.op].append(transformation)
    _sweep_regions(module, table, plan)
    for op in all_operations(module):
        if isinstance(op, DequantizeOp) and not op.result.uses:
            give_name_back(op)
    erase_all_dead(module)


def _sweep_regions(op: Operation, table: Table, plan: LptPlan) -> None:
    for region in op.regions:
        for block in region.blocks:
            _sweep_block(block, table, plan)


def _sweep_block(block: Block, table: Table, plan: LptPlan) -> None:
    op = block.first_op
    while op is not None:
        before = op.prev_op
        _offer(op, table, plan)
        if op.regions and op.parent is block:
            _sweep_regions(op, table, plan)
            if _offer(op, table, plan) and op.parent is block:
                _sweep_regions(op, table, plan)
        if op.parent is block:
            op = op.next_op
            continue
        # It was replaced: go on with the first operation that is new.
        op = block.first_op if before is None else before.next_op


def _offer(op: Operation, table: Table, plan: LptPlan) -> bool:
    """Offers an operation to the transformations about it. Returns whether one applied."""
    if type(op) not in table or not any(map(_is_value, (*op.operands, *op.results))):
        return False
    name, applied, rewriter = friendly_name(op), False, rewriter_of(op)
    reasons: list[tuple[str, str]] = []
    for transformation in table[type(op)]:
        if transformation.name in plan.config.disabled:
            continue
        if plan.config.skips(transformation.name, op):
            reason = "a callback of the configuration leaves it as it is"
        else:
            reason = transformation.transform(op, plan, rewriter)
        if reason:
            reasons.append((transformation.name, reason))
        if reason is None:
            applied = True
            if rewriter.has_done_action:
                note_rewrite(transformation.name)
            note_decision(name, transformation.name)
            if op.parent is None:
                return True
            rewriter = rewriter_of(op)
    if reasons:
        _note_declined(op, *reasons[0], plan)
    else:
        _note_disabled(op, [transformation.name for transformation in table[type(op)]], plan)
    return applied


def _note_declined(op: Operation, transformation: str, reason: str, plan: LptPlan) -> None:
    reason = _kept_in_float(op, plan) or with_names(op, reason)
    before = declined(op)
    if before and (is_vague(reason) or before.startswith(reason)):
        reason = before  # an earlier run saw what since is written out
    note_declined(op, reason)
    note_decision(friendly_name(op), transformation, reason)


def _note_disabled(op: Operation, transformations: Sequence[str], plan: LptPlan) -> None:
    """Says which transformations the configuration keeps from an operation on values."""
    disabled = [name for name in transformations if name in plan.config.disabled - BEYOND]
    if disabled and not any(map(is_narrow, (*op.operands, *op.results))):
        reason = f"{plan.config.title} disables {' and '.join(disabled)}"
        note_declined(op, reason)
        note_decision(friendly_name(op), disabled[0], reason)


def _kept_in_float(op: Operation, plan: LptPlan) -> str | None:
    """The input that the configuration lets have no codes, which goes before what else is wrong with it."""
    for port in range(len(op.operands)):
        if plan.precisions(op, f"input{port}") == ():
            return f"{plan.config.title} keeps input {port} in floating point"
    return None


def _is_value(value: SSAValue) -> bool:
    """Whether this is in floating point, so that no codes are left to handle."""
    return isinstance(value.type, TensorType) and is_float(tensor(value).element_type)
