"""Matrix products: FULLY_CONNECTED with a constant matrix of weights, BATCH_MATMUL otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn, qnn
from ...dialects.inferred import shape_of
from .codes import is_kept
from .dynamic_range import MARK
from .refusals import refuse
from .tensors import Like, Tensor, TensorQuantization
from .writer import NONE, TflWriter, element_of, emits, sizes_of

P = TypeVar("P", bound=Operation)


@emits(nn.MatMulOp)
def mat_mul(write: TflWriter, op: nn.MatMulOp) -> None:
    if has_weights(write, op):
        x = as_factor(write, left_side(write, op.a, bool(op.transpose_a)))
        found = connected(write, op, x, as_weights(write, op, weights_of))
        write.set(op.result, as_product(write, op, found, x.shape[-1]))
        return
    a, b = as_factor(write, write.plain(op.a)), as_factor(write, write.plain(op.b))
    product = multiplied(write, op, a, b)
    depth = a.shape[-2 if op.transpose_a and a.rank > 1 else -1]
    write.set(op.result, as_product(write, op, product, depth))


def multiplied(
    write: TflWriter, op: nn.MatMulOp, a: Tensor, b: Tensor, like: Like | None = None
) -> Tensor:
    """The product of two tensors."""
    adjoint_a, adjoint_b = bool(op.transpose_a), bool(op.transpose_b)
    result = sizes_of(op.result)
    batch = result[: len(result) - (a.rank > 1) - (b.rank > 1)]
    if a.rank == 1:
        a, adjoint_a = write.reshaped(a, (1, *a.shape)), False
    if b.rank == 1:
        b, adjoint_b = write.reshaped(b, (*b.shape, 1)), False
    shape = (*batch, a.shape[-1 if adjoint_a else -2], b.shape[-2 if adjoint_b else -1])
    found = write.op("BATCH_MATMUL", [a, b], shape, like=like, adj_x=adjoint_a, adj_y=adjoint_b)
    return write.reshaped(found, result)


EXACT = 2**24
"""Integers up to this are exact in f32."""

LARGEST = 255 * 128
"""The largest product of two 8-bit codes."""


REAL = (nn.ConvertOp, qnn.DequantizeOp)
"""Operations that turn sums into floating-point numbers, and so need only their leading bits."""


def as_factor(write: TflWriter, x: Tensor) -> Tensor:
    """8-bit codes as numbers: LiteRT multiplies codes only to get codes. Constants stay codes in the file."""
    if x.element not in ("int8", "uint8"):
        return x
    if x.data is None or x.quantization is not None:
        return write.cast(x, "float32")
    point = 0 if x.element == "int8" else -128
    codes = (x.data.astype(np.int16) + point).astype(np.int8)
    return write.uncoded(
        write.constant(codes, None, TensorQuantization((1.0,), (point,))), "float32"
    )


def as_weights(write: TflWriter, op: P, weights: Callable[[TflWriter, P], Tensor]) -> Tensor:
    """The weights of a product, as numbers, or as codes where its kernel quantizes what they multiply."""
    with write.codes():
        found = weights(write, op)
    if MARK in op.attributes and is_kept(found):
        return found
    return as_factor(write, write.uncoded(found, element_of(op.operands[1])))


def as_product(write: TflWriter, op: Operation, x: Tensor, depth: int) -> Tensor:
    """Sums of `depth` products of codes, as integers."""
    if element_of(op.results[0]) != "int32" or x.element == "int32":
        return x
    becomes_real = all(isinstance(use.operation, REAL) for use in op.results[0].uses)
    if not becomes_real and not 0 <= depth * LARGEST <= EXACT:
        raise refuse(
            op,
            f"a sum of {depth} products of codes is not exact in float32; dequantize its result, "
            "as lpt leaves it",
        )
    return write.cast(x, "int32")


def has_weights(write: TflWriter, op: nn.MatMulOp) -> bool:
    """Whether the right operand is a constant matrix."""
    return len(shape_of(op.b)) == 2 and write.view(op.b).tensor.data is not None


def weights_of(write: TflWriter, op: nn.MatMulOp) -> Tensor:
    """The right operand as `[outputs, inputs]`."""
    return write.arranged(op.b, (0, 1) if op.transpose_b else (1, 0))


def left_side(write: TflWriter, value: SSAValue, transpose: bool) -> Tensor:
    """The left operand as `[…, rows, inputs]`, a vector as one row."""
    rank = len(shape_of(value))
    if rank == 1:
        return write.reshaped(write.plain(value), (1, *sizes_of(value)))
    order = (*range(rank - 2), rank - 1, rank - 2) if transpose else tuple(range(rank))
    return write.arranged(value, order)


def connected(
    write: TflWriter,
    op: nn.MatMulOp,
    x: Tensor,
    weights: Tensor,
    bias: Tensor | None = None,
    like: Like | None = None,
    activation: str = NONE,
) -> Tensor:
    """`x · weightsᵀ + bias` over the last dimension, in the shape of the operation's result."""
    shape = (*x.shape[:-1], weights.shape[0])
    options: dict[str, Any] = {"keep_num_dims": x.rank > 2, "fused_activation_function": activation}
    result = write.op("FULLY_CONNECTED", [x, weights, bias], shape, like=like, **options)
    return write.reshaped(result, sizes_of(op.result)) if len(shape_of(op.a)) == 1 else result
