"""Convolutions' filters: [groups][tiles][outer taps][steps of the inner dimension][vectors][lanes][step]."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import kernel, nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, ConvolutionLayout, Term
from .corrections import constant_before, subtract_from
from .depthwise import depthwise_schedule, pack_depthwise

if TYPE_CHECKING:
    from ...reference.arrays import Array
    from ..codegen.isa import Isa


def pack_convolution(op: kernel.ConvolutionOp, isa: Isa) -> None:
    """Packs the filters if they are constant."""
    if (filters := nn.constant_of(op.b)) is None:
        return
    import numpy as np

    from ...reference.arrays import array_of, blob_of

    groups, array = op.groups.value.data, array_of(filters)
    if op.is_depthwise:
        layout, offset = depthwise_schedule(op, isa)
        packed = pack_depthwise(array, layout, groups, op.window())
    else:
        kind = tensor(op.a).element_type, tensor(op.b).element_type
        layout, offset = convolution_schedule(
            isa, kind, shape_of(op.a), op.shape[1:-1], op.units, groups, *op.window()
        )
        packed = pack_filters(array, layout, groups)
    b = constant_before(op, blob_of(packed, filters.type.element_type), op.b.name_hint)
    ins: list[SSAValue] = list(op.ins)
    access = op.accesses
    if offset:
        sums = offset * array.sum(axis=tuple(range(1, array.ndim)), dtype=np.int32)
        rank = len(op.shape)
        access.insert(len(ins), Access(rank, (Term(rank - 1),)))
        ins.append(constant_before(op, blob_of(sums), None))
        subtract_from(op.body.block, 0)
    results = [tensor(result) for result in op.results]
    new = op.rebuilt([[op.a], [b]], ins, access, op.detach_region(op.body), results)
    new.properties["layout"] = layout.attribute()
    if offset:
        new.properties["offset_a"] = IntegerAttr(offset, 64)
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
    Rewriter.replace_op(op, new)


def convolution_schedule(
    isa: Isa,
    kind: tuple[Attribute, Attribute],
    input: Sequence[int],
    positions: Sequence[int],
    units: int,
    groups: int,
    taps: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> tuple[ConvolutionLayout, int]:
    """
    How filters are laid out for an input of this shape, which lies in memory without gaps if taps are merged;
    and what is added to its codes.
    """
    from ..codegen.schedule.convolution import ConvolutionSchedule, ConvolutionShape
    from ..codegen.schedule.merging import dense_strides, merge_loops, taps_beside

    (product,) = isa.products([kind])
    channels = input[-1] // groups
    batch, *spatial, _ = moves = dense_strides(input)
    loops = [(n, s * d) for n, s, d in zip(taps, spatial, dilations, strict=True)]
    beside = taps_beside(loops, channels)
    merged = beside if channels % product.mac.step else 0
    split = len(taps) - beside
    domain = [input[0], *positions, groups * units]
    a = [batch, *(move * s for move, s in zip(spatial, strides, strict=True))]
    lines, _ = merge_loops(domain[:-1], list(zip(a, dense_strides(domain)[:-1], strict=True)))
    shape = ConvolutionShape(
        groups,
        (*lines, 1, 1)[: max(2, len(lines))],
        tuple(taps[:split]),
        channels * prod(taps[split:]),
        units,
        moves[0],
    )
    schedule = ConvolutionSchedule.choose(isa, shape, kind)
    return ConvolutionLayout(isa.lanes, product.mac.step, schedule.vectors, merged), product.offset


def pack_filters(filters: Array, layout: ConvolutionLayout, groups: int) -> Array:
    """Filters [N, taps…, C] as `ConvolutionLayout` says; zeros fill what lies past the edges."""
    import numpy as np

    units, *taps, channels = (filters.shape[0] // groups, *filters.shape[1:])
    _, tiles, outer, steps, vectors, lanes, step = layout.shape(
        units, tuple(taps), channels, groups
    )
    split = filters.reshape(groups, units, outer, -1)
    edges = [
        (0, 0),
        (0, tiles * vectors * lanes - units),
        (0, 0),
        (0, steps * step - split.shape[-1]),
    ]
    padded = np.pad(split, edges).reshape(groups, tiles, vectors, lanes, outer, steps, step)
    return np.ascontiguousarray(padded.transpose(0, 1, 4, 5, 2, 3, 6))
