"""Filters of depthwise convolutions laid out as `DepthwiseLayout` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i16
from xdsl.ir import Attribute

from ...dialects import kernel
from ...dialects.elements import bits_of, is_integer
from ...dialects.inferred import tensor
from ...dialects.kernel import DepthwiseLayout, Window
from ..codegen.schedule.depthwise import DepthwiseSchedule, DepthwiseShape
from ..instructions import PRODUCTS_OF_BYTES
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
    return schedule.layout, schedule.product.offset


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
