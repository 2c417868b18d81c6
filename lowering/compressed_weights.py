"""
Compressed weights: products of few rows, whose time goes into reading weights, read them as codes.

The kernel widens codes in registers; their scales are applied to the sums, those of groups to the sums of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Self

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
    not move along what is summed; `sum_g (x_g · (c_g - z_g)) * s_g` where they do for groups `g` of equal size.

    The differences are exact, in the narrowest of i8, ui8 and i16; `is_kept` knows the `nn.convert` that widens them.
    """
    for op in list(module.walk()):
        if isinstance(op, nn.MatMulOp) and _may_keep(op) and not is_kept(op.b.owner):
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
    if len(weights) < 2 or prod(weights) < LEAST_WEIGHTS:
        return False
    columns = prod(weights) // weights[-1 if op.transpose_b else -2]
    return prod(shape_of(op.result)) <= MOST_ROWS * columns


def _scale_sums(op: nn.MatMulOp) -> None:
    """Puts a product with codes, whose sums are scaled, in the place of one with scaled codes."""
    from ..reference.arrays import blob_of

    weights = op.b
    if (found := _Weights.of(op)) is None or (narrow := _narrowed(found.codes)) is None:
        return
    columns, groups, depth = narrow.shape
    write = Writer(InsertPoint.before(op))
    if groups == 1:
        left, right, scale = op.a, narrow[:, 0], found.scale[:, 0]
    else:
        rows = prod(shape_of(op.result)) // columns
        parts = write.reshaped(op.a, (rows, groups, depth))
        left = write(nn.TransposeOp, parts, write.integers(1, 0, 2))
        right, scale = narrow.transpose(1, 0, 2), found.scale.T[:, None]
    wide = write(nn.ConvertOp, write.constant(blob_of(right)), destination_type=f32)
    flags = {"transpose_a": op.transpose_a, "transpose_b": BoolAttr.from_bool(True)}
    sums = write(nn.MatMulOp, left, wide, **flags)
    result = write(nn.MultiplyOp, sums, write.constant(blob_of(scale)))
    if groups > 1:
        result = write(nn.ReduceSumOp, result, write.integers(0))
        result = write.reshaped(result, shape_of(op.result))
    if (name := friendly_name(op)) is not None:
        for value, own in ((sums, name + ORIGINAL), (result, name)):
            assert isinstance(value.owner, Operation), "written above"
            value.owner.attributes[NAME] = StringAttr(own)
    Rewriter.replace_op(op, [], [result])
    erase_unused(weights)


@dataclass(frozen=True)
class _Weights:
    """Constant weights: codes less zero points [N, groups, K / groups], and a scale for each group [N, groups]."""

    codes: Array
    scale: Array

    @classmethod
    def of(cls, op: nn.MatMulOp) -> Self | None:
        """Those of a product; a reshape may merge groups with what is summed."""
        import numpy as np

        reshape = op.b.owner
        found = _dequantized(reshape.input if isinstance(reshape, nn.ReshapeOp) else op.b)
        if found is None:
            return None
        codes, scale = found if op.transpose_b else (np.moveaxis(part, -1, 0) for part in found)
        if codes.ndim == 2:
            codes, scale = codes[:, None], scale[:, None]
        if codes.ndim != 3 or scale.shape[2] != 1:
            return None
        columns, groups, depth = codes.shape
        sizes = (columns, groups * depth)
        if shape_of(op.b) != (sizes if op.transpose_b else sizes[::-1]):
            return None
        if scale.shape[1] == 1:
            codes = codes.reshape(columns, 1, groups * depth)
        elif op.transpose_a:
            return None
        return cls(codes, scale[..., 0])


def _dequantized(value: SSAValue) -> tuple[Array, Array] | None:
    """Constant weights as codes less their zero points, and what these are multiplied by, of as many dimensions."""
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
    return difference, scale.reshape((1,) * (codes.ndim - scale.ndim) + scale.shape)


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
