"""
Compressed weights: products of few rows, whose time goes into reading weights, read them as codes.

The kernel widens codes in registers; their scale is applied to the sums.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import BoolAttr, ModuleOp, StringAttr, f32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import nn, qnn
from ..dialects.inferred import NAME, friendly_name, shape_of, tensor
from ..dialects.kernel.types import CODES
from ..dialects.nn.writer import Writer
from ..dialects.origins import ORIGINAL
from ..passes.erase_unused import erase_unused

if TYPE_CHECKING:
    from ..reference.arrays import Array

MOST_ROWS = 4
"""With more rows, widening and multiplying takes longer than reading f32 weights: about as long with so many."""

LEAST_WEIGHTS = 1 << 14
"""Weights of which codes are worth it: fewer stay in the first-level cache as f32."""


def keep_codes(module: ModuleOp) -> None:
    """
    `x · ((c - z) * s) = (x · (c - z)) * s` for products of f32 with constant codes `c`, where the scales `s` do
    not move along what is summed.

    The differences are exact, in the narrowest of i8, ui8 and i16; `is_kept` knows the `nn.convert` that widens them.
    """
    for op in list(module.walk()):
        if isinstance(op, nn.MatMulOp) and _may_keep(op):
            _scale_sums(op)


def is_kept(op: Operation | Block) -> bool:
    """Whether this widens codes that stay: all who read it are products that do so themselves."""
    if not isinstance(op, nn.ConvertOp) or nn.constant_of(op.input) is None:
        return False
    if tensor(op.input).element_type not in CODES:
        return False
    return all(use.index == 1 and _widens(use.operation) for use in op.result.uses)


def _widens(op: Operation) -> bool:
    """Whether this is a product that may keep the codes of its right operand, which lie as it reads them."""
    return isinstance(op, nn.MatMulOp) and bool(op.transpose_b) and _may_keep(op)


def _may_keep(op: nn.MatMulOp) -> bool:
    """Whether a product has few rows and many weights, all in f32."""
    types = [tensor(value) for value in (op.a, op.b, op.result)]
    if any(type.element_type != f32 or not type.has_static_shape() for type in types):
        return False
    weights = shape_of(op.b)
    if len(weights) != 2 or prod(weights) < LEAST_WEIGHTS:
        return False
    return prod(shape_of(op.result)) <= MOST_ROWS * weights[0 if op.transpose_b else 1]


def _scale_sums(op: nn.MatMulOp) -> None:
    """Puts a product with codes, whose sums are scaled, in the place of one with scaled codes."""
    from ..reference.arrays import blob_of

    weights = op.b
    if is_kept(weights.owner) or (found := _dequantized(weights)) is None:
        return
    codes, scale = found if op.transpose_b else (part.T for part in found)
    if scale.shape[1] != 1 or (narrow := _narrowed(codes)) is None:
        return
    write = Writer(InsertPoint.before(op))
    wide = write(nn.ConvertOp, write.constant(blob_of(narrow)), destination_type=f32)
    flags = {"transpose_a": op.transpose_a, "transpose_b": BoolAttr.from_bool(True)}
    sums = write(nn.MatMulOp, op.a, wide, **flags)
    result = write(nn.MultiplyOp, sums, write.constant(blob_of(scale[:, 0])))
    if (name := friendly_name(op)) is not None:
        for value, own in ((sums, name + ORIGINAL), (result, name)):
            assert isinstance(value.owner, nn.MatMulOp | nn.MultiplyOp), "written above"
            value.owner.attributes[NAME] = StringAttr(own)
    Rewriter.replace_op(op, [], [result])
    erase_unused(weights)


def _dequantized(value: SSAValue) -> tuple[Array, Array] | None:
    """
    Constant weights as codes less their zero points, and what these are multiplied by, each of two dimensions.
    """
    import numpy as np

    from ..reference.arrays import array_of

    scale: Array | None = np.ones(1, np.float32)
    zero: Array | None = np.zeros(1, np.float32)
    op = value.owner
    if isinstance(op, qnn.DequantizeOp):
        source, scale = op.input, array_of(op.scale)
        zero = zero if op.zero_point is None else array_of(op.zero_point)
    else:
        if isinstance(op, nn.MultiplyOp):
            is_left = nn.constant_of(op.lhs) is not None
            scaling, scaled = (op.lhs, op.rhs) if is_left else (op.rhs, op.lhs)
            scale, op = _known(scaling), scaled.owner
        if isinstance(op, nn.SubtractOp):
            zero, op = _known(op.rhs), op.lhs.owner
        if not isinstance(op, nn.ConvertOp):
            return None
        source = op.input
    if (codes := _known(source)) is None or scale is None or zero is None:
        return None
    sizes = [codes.shape, np.broadcast_shapes(codes.shape, zero.shape, scale.shape)]
    if sizes != [shape_of(value)] * 2 or scale.dtype != np.float32 or not np.isfinite(scale).all():
        return None
    difference = codes.astype(np.float32) - zero.astype(np.float32)
    return difference, scale.reshape((1,) * (2 - scale.ndim) + scale.shape)


def _known(value: SSAValue) -> Array | None:
    """A constant, or a constant converted."""
    from ..reference.arrays import array_of
    from ..reference.executor import evaluate

    if isinstance(op := value.owner, nn.ConvertOp) and (blob := nn.constant_of(op.input)):
        return evaluate(op, [array_of(blob)])[0]
    blob = nn.constant_of(value)
    return None if blob is None else array_of(blob)


def _narrowed(numbers: Array) -> Array | None:
    """The same numbers in the narrowest type of codes that has them all."""
    import numpy as np

    for dtype in (np.int8, np.uint8, np.int16):
        with np.errstate(invalid="ignore"):
            codes = numbers.astype(dtype)
        if np.array_equal(codes, numbers):
            return codes
    return None
