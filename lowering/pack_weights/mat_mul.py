"""Matrix products' right operands: [tiles][steps of k][groups][nr_vectors][lanes][kr]."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import is_unsigned
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, PackedLayout
from ...dialects.kernel.packed_layout import (
    MATCHED_KR,
    MATCHED_OFFSETS,
    NARROW_BIAS,
    first_steps,
)
from ..codegen.schedule.costs import NEAR_BYTES
from ..codegen.schedule.mat_mul import MatMulSchedule
from ..codegen.schedule.register_tiles import MatMulShape
from ..machine import Isa
from .at_run_time import erase_unread, is_invariant, is_worth_packing, packed_before
from .corrections import (
    access_to_sums,
    constant_before,
    replace_by_packed,
    subtract_from,
    sums_before,
)
from .dot_products import VectorProduct
from .in_place import in_place
from .matched import Orders, matched_layout, pack_matched
from .tiles import behind_sums, in_order, units_in_tiles

if TYPE_CHECKING:
    from ...reference.arrays import Array, Pieces
    from ..tuning_configuration import TuningConfiguration


MOST_STREAMED_ROWS = 2
"""Rows for which weights take longer to read than to multiply: reading half as much pays for unpacking."""

NARROW_CODES = range(-8, 8)
"""Codes of 4 bits."""

DEEPEST_NARROW = 1 << 15
"""Depth up to which 16 times the sums of products of bytes with such codes fit i32."""


def pack_mat_mul(op: kernel.MatMulOp, isa: Isa, configuration: TuningConfiguration | None) -> None:
    """Packs the right operands, which are constants; the cost model chooses where nobody did."""
    if (matched := _matched(op, isa)) is not None:
        layout, orders = matched
        new = _packed(
            op, layout, [MATCHED_OFFSETS[is_unsigned(tensor(op.a[0]).element_type)]], orders
        )
        if configuration is not None:
            new.properties["mr"] = DenseArrayBase.from_list(i64, configuration.mr)
        replace_by_packed(op, new)
        return
    schedule = MatMulSchedule.choose(isa, shape_of_product(op))
    layout = schedule.layout
    paired = MatMulSchedule.paired_candidates(isa, shape_of_product(op))
    if paired:
        nr_vectors = paired[0].nr_vectors
        layout = replace(layout, nr_vectors=nr_vectors, fast_inner_product=1)
    if configuration is not None:
        layout = replace(layout, nr_vectors=configuration.nr_vectors)
    if _has_narrow_codes(op, schedule):
        odd = layout.nr_vectors % 2 if configuration is None else 0
        layout = replace(layout, bits=4, nr_vectors=layout.nr_vectors + odd)  # no half is empty
    new = _packed(op, layout, schedule.offsets)
    if configuration is not None:
        new.properties["mr"] = DenseArrayBase.from_list(i64, configuration.mr)
    replace_by_packed(op, new)


def _matched(op: kernel.MatMulOp, isa: Isa) -> tuple[PackedLayout, Orders] | None:
    """How weights are matched, where that pays and they can be."""
    from ...reference.arrays import array_of

    found = MatMulSchedule.matched_candidates(isa, shape_of_product(op))
    weights = nn.constant_of(op.b[0])
    if not found or weights is None or len(shape_of(op.b[0])) != 2:
        return None
    layout = PackedLayout(isa.lanes, MATCHED_KR, found[0].nr_vectors)
    return matched_layout(array_of(weights), layout, math.prod(op.shape[:-1]))


def _has_narrow_codes(op: kernel.MatMulOp, schedule: MatMulSchedule) -> bool:
    """Whether two codes of the weights fit a byte, and few rows stream them from other than the nearest memory."""
    from ...reference.arrays import array_of

    shape = shape_of_product(op)
    is_dot = all(product.mac.kr > 2 for product in schedule.products)
    if not is_dot or shape.rows > MOST_STREAMED_ROWS or max(shape.depths) > DEEPEST_NARROW:
        return False
    weights = [nn.constant_of(b) for b in op.b]
    arrays = [array_of(each) for each in weights if each is not None]
    if len(arrays) < len(weights) or sum(array.nbytes for array in arrays) <= NEAR_BYTES:
        return False
    first, last = NARROW_CODES[0], NARROW_CODES[-1]
    return all(first <= array.min() and array.max() <= last for array in arrays)


def pack_at_run_time(op: kernel.MatMulOp, isa: Isa, streams: int) -> None:
    """
    Packs right operands of which some are computed or given, in each call, if that pays; constants here and now. A
    product of few vectors becomes a reduction, and what can be read where it lies is, unless packing it once does for
    all iterations of a loop.
    """
    weights, is_worth = [*op.b, *op.a], is_worth_packing(op, isa)
    if not (is_worth and is_invariant(op)):
        if (product := VectorProduct.of(op, isa, streams)) is not None:
            product.reduce()
            erase_unread(weights)
            return
        if (new := in_place(op, isa)) is not None:
            replace_by_packed(op, new)
            erase_unread(weights)
            return
    if not is_worth:
        return
    schedule = MatMulSchedule.choose(isa, shape_of_product(op))
    new = _packed(op, without_filling(op, schedule, isa), schedule.offsets)
    replace_by_packed(op, new)
    erase_unread(weights)


def without_filling(op: kernel.MatMulOp, schedule: MatMulSchedule, isa: Isa) -> PackedLayout:
    """The layout of a schedule, with a smaller NR where the columns then fill all of them: filling is a copy."""
    nr_vectors = [n for n in (schedule.nr_vectors, 2, 4, 3) if op.shape[-1] % (n * isa.lanes) == 0]
    return replace(schedule.layout, nr_vectors=nr_vectors[0]) if nr_vectors else schedule.layout


def mat_mul_candidates(op: kernel.MatMulOp, isa: Isa) -> list[TuningConfiguration]:
    """All that may be chosen, the cheapest first."""
    shape = shape_of_product(op)
    if _matched(op, isa) is not None:
        return MatMulSchedule.matched_candidates(isa, shape)
    return MatMulSchedule.paired_candidates(isa, shape) or MatMulSchedule.candidates(isa, shape)


def shape_of_product(op: kernel.MatMulOp) -> MatMulShape:
    """What schedules are chosen by."""
    *lead, columns = op.shape
    kinds = [
        (tensor(a).element_type, tensor(b).element_type) for a, b in zip(op.a, op.b, strict=True)
    ]
    depths = [shape_of(a)[-1] for a in op.a]
    return MatMulShape(math.prod(lead), columns, depths, op.groups.value.data, kinds)


def _packed(
    op: kernel.MatMulOp,
    layout: PackedLayout,
    offsets: Sequence[int],
    orders: Orders | None = None,
) -> kernel.MatMulOp:
    """The same on packed weights, in these orders where they are matched."""
    import numpy as np

    from ...reference.arrays import array_of, blob_of, blob_of_pieces

    groups, columns = op.groups.value.data, op.shape[-1]
    b: list[SSAValue] = []
    ins: list[SSAValue] = list(op.ins)
    reads = op.accesses[: len(op.ins)]
    writes = op.accesses[len(op.ins) :]
    for p, offset in enumerate(offsets):
        weights = nn.constant_of(op.b[p])
        if weights is None:
            b.append(packed_before(op, op.b[p], layout, columns))
            if offset:
                sums = sums_before(op, op.b[p], offset)
                ins += [sums] * groups
                reads += subtract_sums(op, p, shape_of(sums))
            continue
        array = array_of(weights)
        if orders is None:
            pieces = pack(array, layout, groups, columns)
        else:
            shape = layout.shape(columns, groups, array.shape[-1])
            pieces = pack_matched(array, layout, orders, shape)
        packed = blob_of_pieces(pieces, weights.type.element_type, array)
        b.append(constant_before(op, packed, op.b[p].name_hint))
        if offset:
            known = offset * array.sum(axis=-1, dtype=np.int32)
            ins += [constant_before(op, blob_of(known), None)] * groups
            reads += subtract_sums(op, p, known.shape)
    return kernel.MatMulOp(
        op.shape,
        groups,
        list(op.a),
        b,
        kernel.Epilogue(ins, [*reads, *writes], op.detach_region(op.body)),
        results=[tensor(result) for result in op.results],
        offset_a=offsets if any(offsets) else None,
        layout=layout,
        attributes=op.attributes,
    )


def subtract_sums(op: kernel.MatMulOp, product: int, shape: Sequence[int]) -> list[Access]:
    """
    Makes the body subtract, from the sums of product number `product` in each group, one more argument; gives
    the accesses of these to a tensor [batch…, N] of this shape.
    """
    groups, columns, rank = op.groups.value.data, op.shape[-1], len(op.shape)
    for group in range(groups):
        subtract_from(op.body.block, product * groups + group)
    return [access_to_sums(rank, shape, group * columns) for group in range(groups)]


def pack(weights: Array, layout: PackedLayout, groups: int, columns: int) -> Pieces:
    """Weights [batch…, groups * columns, depth] as `PackedLayout` says."""
    from ...reference.arrays import Pieces

    *batch, _, depth = weights.shape
    shape = *batch, *layout.shape(columns, groups, depth)
    return Pieces(shape, weights.dtype, lambda: _pieces(weights, layout, groups, columns))


def _pieces(weights: Array, layout: PackedLayout, groups: int, columns: int) -> Iterator[Array]:
    """Packed weights, some tiles at a time."""
    import numpy as np

    from ...reference.arrays import PIECE

    *batch, _, depth = weights.shape
    tiles, stored, *tile = layout.shape(columns, groups, depth)
    before = first_steps(layout)
    steps, width = stored - before, layout.nr_vectors * layout.lanes
    at_once = max(1, PIECE // max(1, steps * math.prod(tile) * weights.itemsize))
    for index in np.ndindex(*batch):
        units = weights[index].reshape(groups, columns, depth)
        for first in range(0, tiles, at_once):
            part = units[:, first * width : (first + at_once) * width]
            packed = in_order(units_in_tiles(part, layout, steps).transpose(1, 4, 0, 2, 3, 5))
            if before:
                yield behind_sums(packed, 1)
            elif layout.codes_per_byte == 1:
                yield packed
            else:
                yield _in_halves(packed)


def _in_halves(packed: Array) -> Array:
    """Codes of 4 bits [..., nr_vectors, lanes, kr], two vectors in the bytes of one."""
    low, high = packed[..., ::2, :, :] + NARROW_BIAS, packed[..., 1::2, :, :] << 4
    low[..., : high.shape[-3], :, :] |= high
    return low
