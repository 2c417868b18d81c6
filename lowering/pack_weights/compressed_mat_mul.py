"""Compressed weights: codes, and the scales and zero points of each tile behind each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dialects import kernel
from ...dialects.inferred import tensor
from ...dialects.kernel import (
    PackedLayout,
    blocks_of,
    packed_codes,
    packed_parameters,
    padded_block,
)
from ..codegen.schedule.compressed_mat_mul import CompressedMatMulSchedule
from ..machine import Isa
from .corrections import constant_before, replace_by_packed

if TYPE_CHECKING:
    from ...reference.arrays import Array


def pack_compressed_mat_mul(op: kernel.CompressedMatMulOp, isa: Isa) -> None:
    """Packs codes, scales and zeros, which are constants."""
    import numpy as np

    from ...reference.arrays import blob_of
    from ...reference.constants import constant_arrays

    (rows, columns), block, bits = op.shape, op.block.value.data, op.bits.value.data
    schedule = CompressedMatMulSchedule.choose(isa, rows, columns, block, bits)
    layout, offset = schedule.layout, schedule.product.offset

    def offset_codes(codes: Array) -> Array:
        return (codes.astype(np.int16) + offset).astype(np.int8) if offset else codes

    (codes,), scales, zeros = (constant_arrays(each) or [] for each in op.factors[1:])
    packed = pack_codes(offset_codes(codes), layout, block, bits)
    new = kernel.CompressedMatMulOp(
        op.shape,
        bits,
        block,
        op.zero.value.data + offset * (not zeros),
        [
            list(op.digits),
            [constant_before(op, blob_of(packed), op.codes.name_hint)],
            [
                constant_before(
                    op,
                    blob_of(pack_parameters(each, layout), tensor(op.scales[0]).element_type),
                    None,
                )
                for each in scales
            ],
            [
                constant_before(op, blob_of(pack_parameters(offset_codes(each), layout)), None)
                for each in zeros
            ],
        ],
        kernel.Epilogue(list(op.ins), op.accesses, op.detach_region(op.body)),
        layout,
        results=[tensor(result) for result in op.results],
        attributes=op.attributes,
    )
    replace_by_packed(op, new)


def pack_codes(codes: Array, layout: PackedLayout, block: int, bits: int) -> Array:
    """Codes [N, K] as `kernel.compressed_mat_mul` says; zeros fill what lies past the edges."""
    import numpy as np

    columns, depth = codes.shape
    blocks, padded = blocks_of(depth, block), padded_block(block)
    tiles, _, steps, nr_vectors, lanes, kr = packed_codes(layout, columns, blocks, block, bits)
    edges = [(0, tiles * nr_vectors * lanes - columns), (0, blocks * block - depth)]
    whole = np.pad(codes, edges).reshape(-1, blocks, block)
    whole = np.pad(whole, [(0, 0), (0, 0), (0, padded - block)])
    whole = whole.reshape(tiles, nr_vectors, lanes, blocks, steps, 8 // bits, kr)
    whole = whole.transpose(0, 3, 4, 1, 2, 5, 6)
    if bits == 8:
        return np.ascontiguousarray(whole[..., 0, :])
    return whole[..., 0, :] | whole[..., 1, :] << 4


def pack_parameters(parameters: Array, layout: PackedLayout) -> Array:
    """Scales or zeros [N, blocks] as they are packed."""
    import numpy as np

    columns, blocks = parameters.shape
    tiles, _, width = packed_parameters(layout, columns, blocks)
    whole = np.pad(parameters, [(0, tiles * width - columns), (0, 0)])
    return np.ascontiguousarray(whole.reshape(tiles, width, blocks).transpose(0, 2, 1))
