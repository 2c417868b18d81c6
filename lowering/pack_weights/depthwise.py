"""Filters of depthwise convolutions laid out as `DepthwiseLayout` says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i16
from xdsl.ir import Attribute

from ...dialects import kernel
from ...dialects.elements import bits_of, is_integer
from ...dialects.inferred import tensor
from ...dialects.kernel import DepthwiseLayout, Window
from ..codegen.schedule.depthwise import DepthwiseSchedule, DepthwiseShape
from ..instructions import PRODUCTS_OF_BYTES
from ..kernel_bodies.range_analysis import rounded_to
from ..machine import Isa

if TYPE_CHECKING:
    from ...reference.arrays import Array, Pieces
    from ..tuning_configuration import TuningConfiguration

Kind = tuple[Attribute, Attribute]
"""The elements of input and filters."""


def depthwise_candidates(op: kernel.ConvolutionOp, isa: Isa) -> list[TuningConfiguration]:
    """All that may be chosen, the cheapest first."""
    return DepthwiseSchedule.candidates(isa, _shape(op))


def depthwise_schedule(
    op: kernel.ConvolutionOp, isa: Isa, configuration: TuningConfiguration | None
) -> tuple[DepthwiseLayout, int]:
    """How the filters are laid out, and what is added to the codes of the input."""
    schedule = DepthwiseSchedule.choose(isa, _shape(op), configuration)
    layout = schedule.layout
    if _pays_in_blocks(op, isa, layout):
        layout = replace(layout, in_blocks=1)
    return layout, schedule.product.offset


def _pays_in_blocks(op: kernel.ConvolutionOp, isa: Isa, layout: DepthwiseLayout) -> bool:
    """
    Whether channels are in blocks: instructions that unpack rows and pack codes keep them so, and the others would need
    a permutation each. What the body reads must be a scalar for each channel, and what it yields codes.
    """
    whole = layout.lanes * layout.nr_vectors
    can = layout.nr_vectors == layout.kr == PRODUCTS_OF_BYTES and isa.vector in ("ymm", "zmm")
    if not can or isa.narrow is None or op.units > 1 or op.sums > 1 or op.groups.value.data < whole:
        return False
    last = len(op.shape) - 1
    reads = op.accesses[: len(op.ins)]
    of_channels = all(
        bits_of(tensor(value).element_type) == 32
        and [term.dim for term in access.terms if term.dim is not None] == [last]
        for value, access in zip(op.ins, reads, strict=True)
    )
    yields = op.body.block.last_op
    assert yields is not None
    elements = [tensor(result).element_type for result in op.results]
    return of_channels and all(
        bits_of(element) == 8 and rounded_to(value, element) is not None
        for value, element in zip(yields.operands, elements, strict=True)
    )


def _shape(op: kernel.ConvolutionOp) -> DepthwiseShape:
    kind = tensor(op.a).element_type, tensor(op.b).element_type
    groups = op.groups.value.data
    return DepthwiseShape(op.shape[1:-1], groups, op.window(), kind, op.sums > 1)


def packed_element(layout: DepthwiseLayout, element: Attribute) -> Attribute:
    """What filters of these elements become: words where an instruction multiplies words and not bytes."""
    is_code = is_integer(element) and bits_of(element) == 8
    return i16 if is_code and 1 < layout.kr < PRODUCTS_OF_BYTES else element


def pack_depthwise(filters: Array, layout: DepthwiseLayout, groups: int, window: Window) -> Pieces:
    """Filters [groups * units, taps…, 1] as `DepthwiseLayout` says: there are few."""
    from ...reference.arrays import Pieces

    shape = layout.shape(len(filters) // groups, groups, window)
    return Pieces(shape, filters.dtype, lambda: iter([_packed(filters, layout, groups, window)]))


def _packed(filters: Array, layout: DepthwiseLayout, groups: int, window: Window) -> Array:
    """Zeros fill what no tap reads and what lies past the last channel."""
    import numpy as np

    taps, _, _ = window
    units = len(filters) // groups
    packed = np.zeros(layout.shape(units, groups, window), filters.dtype)
    _, tiles, _, _, _, nr_vectors, lanes, _ = packed.shape
    given = np.zeros((max(groups, nr_vectors * lanes), units, *taps), filters.dtype)
    given[:groups] = filters.reshape(groups, units, *taps)
    whole = given[layout.channels(groups)]
    for (row, tap), (bundle, across, place) in layout.places(window).items():
        channels = whole[:, :, *tap].T.reshape(units, tiles, nr_vectors, lanes)
        packed[:, :, bundle, across, row, :, :, place] = channels
    return packed
