"""Attention's keys and values, packed in each call as the right operands of its two products."""

from __future__ import annotations

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ..codegen.schedule.attention import AttentionSchedule, AttentionShape
from ..machine import Isa
from .at_run_time import erase_unread, packed_before
from .corrections import access_to_sums, replace_by_packed, subtract_from, sums_before


def pack_attention(op: kernel.AttentionOp, isa: Isa) -> None:
    """Packs keys and values in front of the operation: each is read once for each block of queries."""
    keys, columns = op.keys.value.data, op.shape[-1]
    query, key, value = (tensor(one).element_type for one in (op.query, op.key, op.value))
    kinds = ((query, key), (op.weights, value))
    shape = AttentionShape(op.shape[-2], keys, shape_of(op.query)[-1], columns, kinds)
    schedule = AttentionSchedule.choose(isa, shape)
    (offset,) = schedule.scores.offsets
    layouts = (schedule.scores.layout, schedule.means.layout)
    masks, accesses = list(op.masks), op.mask_accesses
    if offset:
        masks.append(sums := sums_before(op, op.key, offset))
        accesses.append(access_to_sums(len(op.shape), shape_of(sums)))
        subtract_from(op.score.block, 0)
    right = (op.key, op.value)
    packed = [
        packed_before(op, one, layout, units)
        for one, layout, units in zip(right, layouts, (keys, columns), strict=True)
    ]
    regions = (*op.softmax.regions, op.body)
    score, power, total, weight, body = map(op.detach_region, regions)
    softmax = kernel.Softmax(
        score, power, total, weight, op.weights, masks, accesses, list(op.scales)
    )
    new = kernel.AttentionOp(
        op.shape,
        keys,
        [op.query, *packed],
        softmax,
        kernel.Epilogue(list(op.ins), op.accesses, body),
        offset,
        layouts,
        results=[tensor(result) for result in op.results],
        attributes=op.attributes,
    )
    replace_by_packed(op, new)
    erase_unread(right)
