"""Attention's keys and values, packed in each call as the right operands of its two products."""

from __future__ import annotations

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ..codegen.schedule.attention import AttentionSchedule, AttentionShape
from ..machine import Isa
from .at_run_time import erase_unread, packed_before


def pack_attention(op: kernel.AttentionOp, isa: Isa) -> None:
    """Packs keys and values in front of the operation: each is read once for each block of queries."""
    keys, columns = op.keys.value.data, op.shape[-1]
    query, key, value = (tensor(one).element_type for one in (op.query, op.key, op.value))
    kinds = ((query, key), (op.weights, value))
    shape = AttentionShape(op.shape[-2], keys, shape_of(op.query)[-1], columns, kinds)
    schedule = AttentionSchedule.choose(isa, shape)
    read = [op.key, op.value]
    layouts = [schedule.scores.layout, schedule.means.layout]
    for number, (one, layout, units) in enumerate(
        zip(read, layouts, (keys, columns), strict=True), 1
    ):
        op.operands[number] = packed_before(op, one, layout, units)
    op.properties["key_layout"], op.properties["value_layout"] = (
        layout.attribute() for layout in layouts
    )
    erase_unread(read)
