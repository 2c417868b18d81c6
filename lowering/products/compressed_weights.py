"""
Compressed weights: products of few rows spend their time reading weights, so these stay codes in memory. Where one
instruction sums four products of bytes, those of many rows take less time with codes, too.

Such a product has one `qnn.dequantize` of bytes in front of its weights; `split-activations` makes kernels of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    IntegerType,
    ModuleOp,
    Signedness,
    StringAttr,
    bf16,
    f16,
    f32,
    i8,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn, qnn
from ...dialects.inferred import NAME, friendly_name, shape_of, tensor
from ...dialects.kernel import MOST_BLOCK
from ...dialects.nn.writer import Writer
from ...dialects.origins import ORIGINAL
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused
from ..instructions import PRODUCTS_OF_BYTES
from ..machine import Isa

if TYPE_CHECKING:
    from ...reference.arrays import Array

ui8 = IntegerType(8, Signedness.UNSIGNED)

MOST_ROWS, FEW_ROWS = 64, 4
"""
Rows up to which products of codes take less time than those of f32 weights, in any number of columns: a batch of
streams where one instruction sums four products of bytes, and few rows elsewhere.
"""

WIDE = 128
"""Columns that repay the digits of any number of rows, where one instruction sums four products of bytes."""

LEAST_WEIGHTS = 1 << 14
"""The number of weights from which codes are worth it: fewer f32 weights stay in the first-level cache."""

FEWEST_IN_BLOCK = 16
"""Smaller groups along K are not worth a scale for each of their sums; their weights become f32."""

LARGEST_CODES = (15, 255)
"""The largest codes of 4 and of 8 bits."""


@dataclass(frozen=True)
class Limits:
    """Products read codes that have at most so many `rows`, or at least so many `columns` if any number reads them."""

    rows: int
    columns: int | None

    @classmethod
    def of(cls, isa: Isa, module: ModuleOp) -> Self:
        """Those of an instruction set; the rows of each stream count."""
        (product,) = isa.products([(ui8, i8)])
        streams = infra.streams_of(module)
        if product.mac.kr >= PRODUCTS_OF_BYTES:
            return cls(MOST_ROWS * streams, WIDE)
        return cls(FEW_ROWS * streams, None)

    def allow(self, rows: int | None, columns: int) -> bool:
        """Whether a product of this size reads codes; None stands for rows whose number is not known."""
        has_few_rows = rows is not None and rows <= self.rows
        return has_few_rows or (self.columns is not None and columns >= self.columns)


def keep_codes(module: ModuleOp, limits: Limits) -> None:
    """
    `x · ((c - z) * s)` for products within `limits` of f32 with constant codes `c`, where scales `s` and zero
    points `z` do not move along what is summed, or do so in groups of equal size. Scales of whole columns are applied
    to the sums, `(x · (c - z)) * s`. Weights that are rounded to f16 or bf16 behind that are no longer (OpenVINO does
    so, too).

    Codes and zero points become bytes from 0 on; `is_kept` knows the `qnn.dequantize` that they are given to.
    """
    for op in all_operations(module):
        if (
            isinstance(op, nn.MatMulOp)
            and _may_keep(op, limits)
            and kept_codes(op.b, limits) is None
        ):
            _keep(op)


def is_kept(op: Operation | Block, limits: Limits) -> bool:
    """Whether this `qnn.dequantize` has codes that stay: all its readers are products that read codes."""
    if not isinstance(op, qnn.DequantizeOp) or not _is_plain(op):
        return False
    readers = list(op.result.uses)
    for use in list(readers):
        if isinstance(use.operation, nn.ReshapeOp):
            readers.remove(use)
            readers += list(use.operation.result.uses)
    return all(
        use.index == 1
        and isinstance(use.operation, nn.MatMulOp)
        and bool(use.operation.transpose_b)
        and _may_keep(use.operation, limits)
        for use in readers
    )


def kept_codes(weights: SSAValue, limits: Limits) -> qnn.DequantizeOp | None:
    """The `qnn.dequantize` of a product's right operand, if its codes stay."""
    owner = weights.owner
    if isinstance(owner, nn.ReshapeOp):
        owner = owner.input.owner
    return owner if isinstance(owner, qnn.DequantizeOp) and is_kept(owner, limits) else None


def _is_plain(op: qnn.DequantizeOp) -> bool:
    """
    Whether this is what `keep_codes` writes: bytes [N, K] with scale 1, or [N, groups, K / groups] with a scale for
    each group.
    """
    type, scale = tensor(op.input), op.scale.type.get_shape()
    if type.element_type != ui8 or nn.constant_of(op.input) is None or op.zero_point is None:
        return False
    match type.get_shape():
        case (_, _):
            return scale == ()
        case (columns, groups, _):
            return scale == (columns, groups, 1)
        case _:
            return False


def _may_keep(op: nn.MatMulOp, limits: Limits) -> bool:
    """Whether a product is within the limits and has many weights, all in f32."""
    if any(tensor(value).element_type != f32 for value in (op.a, op.b, op.result)):
        return False
    weights, result = shape_of(op.b), shape_of(op.result)
    if (
        len(weights) != 2
        or DYNAMIC_INDEX in weights
        or prod(weights) < LEAST_WEIGHTS
        or op.transpose_a
    ):
        return False
    columns = weights[-2 if op.transpose_b else -1]
    rows = None if DYNAMIC_INDEX in result else prod(result) // columns
    return limits.allow(rows, columns)


def _keep(op: nn.MatMulOp) -> None:
    """Replaces a product whose weights are dequantized in any other way by one with dequantized bytes."""
    import numpy as np

    from ...reference.arrays import blob_of

    weights = op.b
    if (found := _Weights.of(op)) is None:
        return
    columns, groups, depth = found.codes.shape
    write = Writer(InsertPoint.before(op))
    if groups == 1:
        codes, scale, zero = found.codes[:, 0], np.float32(1), found.zero
    else:
        codes, scale, zero = found.codes, found.scale[..., None], found.zero[..., None]
    right = write(
        qnn.DequantizeOp,
        write.constant(blob_of(codes)),
        scale=blob_of(scale),
        zero_point=blob_of(zero),
    )
    right = write.reshaped(right, (columns, groups * depth))
    result = write(nn.MatMulOp, op.a, right, transpose_b=BoolAttr.from_bool(True))
    name = friendly_name(op)
    if groups == 1:
        if name is not None:
            _name(result, name + ORIGINAL)
        result = write(nn.MultiplyOp, result, write.constant(blob_of(found.scale[:, 0])))
    if name is not None:
        _name(result, name)
    Rewriter.replace_op(op, [], [result])
    erase_unused(weights)


def _name(value: SSAValue, name: str) -> None:
    assert isinstance(value.owner, Operation), "written above"
    value.owner.attributes[NAME] = StringAttr(name)


@dataclass(frozen=True)
class _Weights:
    """Constant weights: codes as bytes [N, groups, K / groups], and a zero point and a scale for each [N, groups]."""

    codes: Array
    zero: Array
    scale: Array

    @classmethod
    def of(cls, op: nn.MatMulOp) -> Self | None:
        """The weights of a product. A reshape may merge groups with the dimension that is summed."""
        import numpy as np

        value = _before_rounding(op.b)
        if isinstance(value.owner, nn.ReshapeOp):
            value = _before_rounding(value.owner.input)
        found = _dequantized(value)
        if found is None:
            return None
        numbers, scale = found if op.transpose_b else (np.moveaxis(part, -1, 0) for part in found)
        if numbers.ndim == 2:
            numbers, scale = numbers[:, None], scale[:, None]
        if numbers.ndim != 3 or scale.shape[2] != 1:
            return None
        columns, groups, depth = numbers.shape
        sizes = (columns, groups * depth)
        if shape_of(op.b) != (sizes if op.transpose_b else sizes[::-1]):
            return None
        merged = numbers.reshape(columns, 1, groups * depth)
        if scale.shape[1] == 1 and (zero := _zero_points(merged)) is not None:
            numbers = merged
        elif (parts := _parts(depth)) is not None:
            numbers = numbers.reshape(columns, groups * parts, depth // parts)
            scale = np.repeat(np.broadcast_to(scale, (columns, groups, 1)), parts, axis=1)
            zero = _zero_points(numbers)
        else:
            return None
        if zero is None:
            return None
        codes = (numbers + zero[:, :, None]).astype(np.uint8)
        return cls(codes, zero.astype(np.uint8), np.broadcast_to(scale[..., 0], zero.shape))


def _zero_points(numbers: Array) -> Array | None:
    """
    Zero points that turn integers [N, groups, K / groups] into codes of 4 bits, or else of 8: one for all, or else one
    for each group. None where neither fits into bytes.
    """
    import numpy as np

    least, most = np.minimum(numbers.min(axis=-1), 0), numbers.max(axis=-1)
    for limit in LARGEST_CODES:
        for low in (np.full_like(least, least.min()), least):
            if (most - low).max() <= limit and -low.min() <= LARGEST_CODES[-1]:
                return -low
    return None


def _parts(group: int) -> int | None:
    """The number of blocks in a group of so many elements; None where no block would be large enough."""
    parts = next(p for p in range(-(-group // MOST_BLOCK), group + 1) if group % p == 0)
    return parts if group // parts >= FEWEST_IN_BLOCK else None


def _before_rounding(value: SSAValue) -> SSAValue:
    """
    A value before conversions from f32 to narrower floats and back: files round weights to f16 only to be smaller.
    """
    while (
        isinstance(op := value.owner, nn.ConvertOp)
        and {
            tensor(op.input).element_type,
            op.destination_type,
        }
        <= _FLOATS
    ):
        value = op.input
    return value


_FLOATS: set[Attribute] = {f16, bf16, f32}


def _dequantized(value: SSAValue) -> tuple[Array, Array] | None:
    """Constant weights as codes less their zero points, and their factors, of as many dimensions."""
    import numpy as np

    from ...reference.arrays import array_of

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
    if sizes != [shape_of(value)] * 2 or tensor(value).element_type not in _FLOATS:
        return None
    scale = scale.astype(np.float32)
    if not np.isfinite(scale).all():
        return None
    if (numbers := _whole(codes.astype(np.float32) - zero.astype(np.float32))) is None:
        return None
    return numbers, scale.reshape((1,) * (codes.ndim - scale.ndim) + scale.shape)


def _whole(numbers: Array) -> Array | None:
    """Numbers as integers; None where some are not whole, or need more than two bytes."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        found = numbers.astype(np.int32)
    is_whole = np.array_equal(found, numbers) and np.abs(found).max(initial=0) < 1 << 16
    return found if is_whole else None


def _known(value: SSAValue) -> Array | None:
    """A constant, or a converted constant."""
    from ...reference.constants import constant_array
    from ...reference.executor import evaluate

    if not isinstance(op := value.owner, nn.ConvertOp):
        return constant_array(value)
    array = constant_array(op.input)
    return None if array is None else evaluate(op, [array])[0]
