"""`fold-constants`: operations on constants become constants; the reference computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, StringAttr, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ..dialects import nn, qnn
from ..dialects.accessors import operands_of
from ..dialects.blob import Blob, BlobAttr, byte_size, element_count
from ..dialects.elements import bits_of
from ..dialects.inferred import NAME, InferredOp, constant_integers, friendly_name, shape_of, tensor
from ..dialects.rewriter import Rewriter
from ..dialects.traits import Elementwise, HasWindow, moved_data
from ..dialects.walk import all_operations
from .infer_shapes import infer_types, taken_sizes

if TYPE_CHECKING:
    from ..reference.arrays import Array

ALLOWANCE = 4 << 20
"""
Bytes that a result may have beyond twice those of its constants: filters that a model computes from a few numbers,
masks of a few hundred positions.
"""


@dataclass(frozen=True)
class FoldConstants(ModulePass):
    """
    `op(constants) = constant`, for every operation without effects that the reference can compute.

    - Dequantization of weights stays: `nn.convert` from integers of 8 bits or less to floating
      point (and so what follows it), `qnn.dequantize` and `qnn.fake_quantize`. With `dequantization`
      it is computed, too: of what is left then, no product has a use for codes.
    - Equal elements are held as one, however often they are repeated. Other results may take twice
      the bytes of their operands, and `ALLOWANCE` more; codes of at most 8 bits, integers or floats,
      are counted as what they are converted to.
    - `nn.shape_of` needs only a known shape, and what takes elements of one only these.
    - What moves a window, or interpolates, stays: neither operands nor results bound the work.
    """

    name = "fold-constants"

    dequantization: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fold_constants(op, (lambda op: False) if self.dequantization else is_dequantization)


def is_dequantization(op: Operation) -> bool:
    """Whether LPT needs this operation to see how weights are quantized."""
    match op:
        case qnn.FakeQuantizeOp() | qnn.DequantizeOp():
            return True
        case nn.ConvertOp():
            is_integer = not isinstance(tensor(op.input).element_type, AnyFloat)
            return is_integer and isinstance(op.destination_type, AnyFloat) and _reads_codes(op)
        case _:
            return False


def _reads_codes(op: nn.ConvertOp) -> bool:
    """Whether it converts elements of 2 to 8 bits: integers, narrow floats, or places in a table (NF4)."""
    return 1 < bits_of(tensor(op.input).element_type) <= 8


def fold_constants(
    module: ModuleOp, stays: Callable[[Operation], bool] = is_dequantization
) -> None:
    """Folds constants in a module, as the pass does, except for operations that `stays` keeps."""
    retyped = False
    for op in all_operations(module):
        if not isinstance(op, InferredOp) or op.regions:
            continue
        if stays(op) or (values := folded(op) or _sizes(op)) is None:
            continue
        retyped |= [value.type for value in values] != list(op.result_types)
        _replace(op, values)
    if retyped:
        infer_types(module, keep=True)


SMALL = 64 << 10
"""Results of up to so many bytes are computed while a model is read."""


def folded(op: InferredOp, is_read: bool = False) -> list[BlobAttr] | None:
    """
    The results of an operation, if they are known and not too large: twice the bytes of its operands and `ALLOWANCE`,
    or `SMALL` bytes while a model is read.
    """
    if isinstance(op, nn.ShapeOfOp):
        known = tensor(op.input).has_static_shape()
        return [BlobAttr.of(tensor(op.result), shape_of(op.input))] if known else None
    operands: list[BlobAttr] = []
    for operand in operands_of(op):
        if (blob := nn.constant_of(operand)) is None:
            return None
        operands.append(blob)
    if not operands or op.get_trait(HasWindow):
        return None
    types = [cast(TensorType[Any], type) for type in op.infer_types(constant_integers)]
    if not all(type.has_static_shape() for type in types):
        return None
    if all(0 in type.get_shape() for type in types):
        return [BlobAttr.of(type, []) for type in types]
    sources = [blob for operand in moved_data(op) if (blob := nn.constant_of(operand)) is not None]
    if all(map(_is_uniform, sources)) and len({bytes(blob.data.buffer) for blob in sources}) == 1:
        return [_uniform(sources[0], type) for type in types]
    if op.get_trait(Elementwise) and all(map(_is_uniform, operands)):
        element = _compute(op, [array.reshape(-1)[:1] for array in _arrays(operands)], types)
        return None if element is None else [_uniform(element[0], types[0])]
    most = SMALL if is_read else 2 * sum(_held(op, blob) for blob in operands) + ALLOWANCE
    if sum(map(byte_size, types)) > most:
        return None
    return _compute(op, _arrays(operands), types)


def _sizes(op: InferredOp) -> list[BlobAttr] | None:
    """What an operation takes of a shape that is known in part; while a model is read, that follows its inputs."""
    if not isinstance(op, nn.GatherOp | nn.SliceOp) or (sizes := taken_sizes(op.result)) is None:
        return None
    return [BlobAttr.of(tensor(op.result), sizes)]


def _held(op: InferredOp, blob: BlobAttr) -> int:
    """The bytes of a constant; codes count as the numbers that they stand for."""
    held = memoryview(blob.data.buffer).nbytes
    is_read = isinstance(op, nn.ConvertOp) and _reads_codes(op)
    if blob.data.splat or not (is_read or is_dequantization(op)):
        return held
    numbers = TensorType(tensor(op.results[0]).element_type, blob.type.get_shape())
    return max(held, byte_size(numbers))


def _is_uniform(blob: BlobAttr) -> bool:
    """Whether all elements of the constant are the same."""
    return blob.data.splat or element_count(blob.type) == 1


def _uniform(blob: BlobAttr, type: TensorType[Any]) -> BlobAttr:
    """The element of `blob`, repeated to fill `type`."""
    return BlobAttr(
        Blob(type, blob.data.buffer, splat=True) if element_count(type) else Blob(type, b"")
    )


def _arrays(blobs: Sequence[BlobAttr]) -> list[Array]:
    from ..reference.arrays import array_of

    return [array_of(blob) for blob in blobs]


def _compute(
    op: Operation, operands: Sequence[Array], types: Sequence[TensorType[Any]]
) -> list[BlobAttr] | None:
    """The results by the reference; None where the operation has no meaning there."""
    import numpy as np

    from ..reference.arrays import blob_of
    from ..reference.executor import evaluate, has_meaning

    if not has_meaning(op):
        return None
    with np.errstate(all="ignore"):
        results = evaluate(op, operands)
    return [
        blob_of(a, t.element_type, given_away=True) for a, t in zip(results, types, strict=True)
    ]


def _replace(op: Operation, values: Sequence[BlobAttr]) -> None:
    """Replaces an operation by constants, and erases the constants that only it used."""
    used = {operand.owner for operand in operands_of(op)}
    put_constants(op, values)
    for owner in used:
        if isinstance(owner, nn.ConstantOp) and owner.result.first_use is None:
            Rewriter.erase_op(owner)
            owner.properties.clear()  # else only the garbage collector would let go of the data


def put_constants(op: Operation, values: Sequence[BlobAttr]) -> Sequence[SSAValue]:
    """Replaces an operation by constants, which get its name. Returns them."""
    constants = [nn.ConstantOp(value) for value in values]
    name = friendly_name(op)
    for i, constant in enumerate(constants):
        if name is not None:
            several = len(constants) > 1
            constant.attributes[NAME] = (
                StringAttr(f"{name}.{i}") if several else op.attributes[NAME]
            )
    results = [constant.result for constant in constants]
    Rewriter.replace_op(op, constants, results)
    return results
