"""
`split-activations`: products of f32 with codes become exact products of 8-bit digits.

One instruction sums four products of bytes in each lane, and codes are multiplied as they lie in memory: what takes the
time is reading them. This is the Ozaki scheme (Ootomo, Ozaki, Yokota: DGEMM on Integer Matrix Multiplication Unit,
https://arxiv.org/abs/2306.11975) with a factor of each block of a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import kernel, nn, qnn
from ...dialects.inferred import shape_of
from ...dialects.kernel import Access
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused
from ...passes.instrumentation import note_rewrite
from ..kernel_bodies.bodies import build_body, same
from ..machine import planned_isa
from .compressed_weights import Limits, kept_codes

if TYPE_CHECKING:
    from ...dialects.blob import BlobAttr
    from ...reference.arrays import Array

BLOCK = 128
"""Elements of K that share a unit where weights have no groups."""

FOUR_BITS = 15
"""The largest code of 4 bits."""


@dataclass(frozen=True)
class SplitActivations(ModulePass):
    """
    `x · ((c - z) * s) = sum_b u_b s_b sum_i 256^(2-i) (d_bi · (c_b - z_b))` for f32 and constant codes `c`,
    in blocks b of the depth: `kernel.split_digits` gives the digits d and units u of x, `kernel.compressed_mat_mul` all
    the rest.

    A block is a group of the weights, or 128 elements where scales are those of whole columns. Codes that
    span 4 bits are packed as such, scales that f16 has all of are stored so. Products of digits and codes are exact; x
    differs from what its digits stand for by less than 2^-22.9 of the greatest of its block, and not at all where its
    last bit is no less than that of the greatest is worth twice. `isa` is that of `sink-constants`.
    """

    name = "split-activations"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        limits = Limits.of(planned_isa(self.isa), op)
        for inner in all_operations(op):
            if not isinstance(inner, nn.MatMulOp):
                continue
            if (weights := kept_codes(inner.b, limits)) is not None:
                _split(inner, weights)
                note_rewrite("SplitActivations")


def _split(op: nn.MatMulOp, weights: qnn.DequantizeOp) -> None:
    """Replaces a product by kernels."""
    holder = Block()
    write = Writer(InsertPoint.at_end(holder), op)
    product = _kernels(write, op, *_known(weights))
    result = write.reshaped(product, shape_of(op.result))
    new, origins = list(holder.ops), origin_of(op)
    for each in new:
        each.detach()
        if not isinstance(each, nn.ConstantOp):
            set_origins(each, origins)
    Rewriter.insert_op(new, InsertPoint.before(op))
    dequantized = op.b
    Rewriter.replace_op(op, [], [result])
    erase_unused(dequantized)


def _kernels(write: Writer, op: nn.MatMulOp, codes: Array, zero: Array, scale: Array) -> SSAValue:
    """Digits of the activations, and their product `[rows, columns]` with codes of the weights."""
    import numpy as np

    from ...reference.arrays import blob_of

    columns, depth = codes.shape[0], prod(codes.shape[1:])
    is_grouped = codes.ndim == 3
    block = codes.shape[2] if is_grouped else min(BLOCK, depth)
    rows = prod(shape_of(op.result)) // columns
    x = write.reshaped(op.a, (rows, depth))
    digits = write.builder.insert(kernel.SplitDigitsOp(x, block, build_body([f32], same)))
    codes = codes.reshape(columns, depth)
    bits = 4 if codes.max(initial=0) <= FOUR_BITS else 8
    factors = [list(digits.results), [write.constant(blob_of(codes))]]
    factors.append([write.constant(_narrowest(scale[..., 0]))] if is_grouped else [])
    first = int(zero.flat[0])
    if (zero == first).all():
        factors.append([])
    else:
        shape = (columns, kernel.blocks_of(depth, block))
        zeros = np.broadcast_to(zero.reshape(columns, -1), shape)
        factors.append([write.constant(blob_of(zeros))])
        first = 0
    product = kernel.CompressedMatMulOp(
        (rows, columns),
        bits,
        block,
        first,
        factors,
        kernel.Epilogue([], [Access.identity(2)], build_body([f32], same)),
        results=[TensorType(f32, (rows, columns))],
    )
    return write.builder.insert(product).results[0]


def _known(weights: qnn.DequantizeOp) -> list[Array]:
    """Codes, zero points and scales."""
    from ...reference.arrays import array_of

    blobs = [nn.constant_of(weights.input), weights.zero_point, weights.scale]
    return [array_of(blob) for blob in blobs if blob is not None]


def _narrowest(scales: Array) -> BlobAttr:
    """Scales of f32, as f16 if f16 represents all of them."""
    import numpy as np

    from ...reference.arrays import blob_of

    with np.errstate(over="ignore"):
        half = scales.astype(np.float16)
    return blob_of(half if np.array_equal(half.astype(np.float32), scales) else scales)
