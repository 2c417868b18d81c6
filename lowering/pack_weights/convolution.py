"""Convolutions' filters: [groups][tiles][outer taps][steps of the inner dimension][vectors][lanes][step]."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects import kernel, nn
from ...dialects.inferred import Shape, shape_of, tensor
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

    (product,) = isa.products([kind])
    channels = input[-1] // groups
    beside = _taps_beside(input, taps, dilations) if groups == 1 else 0
    merged = beside if channels % product.mac.step else 0
    split = len(taps) - beside
    shape = ConvolutionShape(
        _rows(input, positions, strides), tuple(taps[:split]), channels * prod(taps[split:]), units
    )
    schedule = ConvolutionSchedule.choose(isa, shape, kind)
    return ConvolutionLayout(isa.lanes, product.mac.step, schedule.vectors, merged), product.offset


def _taps_beside(input: Sequence[int], taps: Sequence[int], dilations: Sequence[int]) -> int:
    """How many of the last dimensions of taps lie beside the channels in a dense input, in one row."""
    last = len(taps) - 1
    for i in range(last, -1, -1):
        follows = i == last or taps[i + 1] == input[i + 2]
        if taps[i] > 1 and not (dilations[i] == 1 and follows):
            return last - i
    return len(taps)


def _rows(input: Sequence[int], positions: Sequence[int], strides: Sequence[int]) -> Shape:
    """The last two dimensions of positions once those that a dense input steps through as one are one."""
    batch, *sizes, _ = input
    dims = [(batch, batch, 1), *zip(positions, sizes, strides, strict=True)]
    kept: list[int] = []
    whole = True  # the dimensions after this one leave out nothing
    for count, size, stride in reversed(dims):
        if count == 1:
            whole &= size == 1
            continue
        if kept and whole and stride == 1:
            kept[-1] *= count
        else:
            kept.append(count)
        whole &= size == count and stride == 1
    return tuple(reversed([*kept, 1, 1][:2])) if len(kept) > 1 else ((*kept, 1, 1)[:2])


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
