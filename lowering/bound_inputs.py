"""
`bound-inputs`: inputs of which one size differs from call to call have the largest size that it may be.

What a call gives fills their beginning. A further input has the size, and a slice to it stands where the model reads an
input; `bound-computed-sizes` moves these slices on. So a decoder whose cache grows by one with each token is compiled
once for many lengths of it (XLA: bounded dynamic shapes; servers of language models: bucketing).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import nn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import InferredOp, shape_of, tensor
from ..dialects.module import entry_of
from ..dialects.nn.writer import Writer
from ..dialects.walk import block_operations
from ..passes.computed_integers import source
from ..passes.errors import DiagnosticError
from ..passes.infer_shapes import KnownIntegers, infer_types

LONGEST_SHAPE = 16
"""The most elements of integers that may be a shape."""


@dataclass(frozen=True)
class BoundInputs(ModulePass):
    """
    `dimensions` lists, for each dimension that differs, the number of its input, its own, and by how much it is larger
    than the size; `most` is the largest size. Raises DiagnosticException where one of them does not exist.

        bound-inputs{most=64 dimensions=1,1,1,2,2,0}      mask [1, size + 1], keys [1, 4, size, 16]
    """

    name = "bound-inputs"

    most: int
    dimensions: tuple[int, ...]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        entry = entry_of(op)
        arguments, block = list(entry.args), entry.body.block
        size = block.insert_arg(TensorType(i64, [1]), len(arguments))
        write = Writer(InsertPoint.at_start(block))
        size = write.clamp(size, 0, self.most)
        listed = iter(self.dimensions)
        for number, dimension, more in zip(listed, listed, listed, strict=True):
            if number >= len(arguments) or dimension >= len(shape_of(arguments[number])):
                raise DiagnosticError(
                    f"{self.name}: there is no dimension {dimension} of input {number}; give input, dimension and by "
                    "how much it is larger than the size, for each dimension that differs"
                )
            self._bound(write, block.args[number], dimension, more, size)
        names = entry.arg_attrs or ArrayAttr([DictionaryAttr({})] * len(arguments))
        entry.properties["arg_attrs"] = ArrayAttr([*names, DictionaryAttr({})])
        entry.update_function_type()
        infer_types(op)
        settle_shapes(op)
        infer_types(op)

    def _bound(
        self, write: Writer, argument: BlockArgument, dimension: int, more: int, size: SSAValue
    ) -> None:
        """Gives one dimension its largest size; what reads the input reads a slice of it."""
        shape = list(shape_of(argument))
        shape[dimension] = self.most + more
        type = TensorType(tensor(argument).element_type, shape)
        whole = Rewriter.replace_value_with_new_type(argument, type)
        readers = list(whole.uses)
        stop = write(nn.AddOp, size, more) if more else size
        limits = (write.integers(0), stop, write.integers(1), write.integers(dimension))
        part = write(nn.SliceOp, whole, *limits)
        for use in readers:
            use.operation.operands[use.index] = part


def settle_shapes(module: ModuleOp) -> None:
    """
    Shapes that are put together of known and unknown sizes: operands all of whose integers are known become constants,
    and the one unknown size of a reshape becomes -1.
    """
    known = KnownIntegers()
    for op in block_operations(entry_of(module).body.block):
        if not isinstance(op, InferredOp):
            continue
        for number, value in enumerate(op.operands):
            if (integers := _integers_of(op, number, value)) is not None:
                write = Writer(InsertPoint.before(op))
                op.operands[number] = write.constant(BlobAttr.of(tensor(value), integers))
        if all(tensor(result).has_static_shape() for result in op.results):
            continue
        for result, type in zip(list(op.results), op.infer_types(known), strict=True):
            if result.type != type:
                Rewriter.replace_value_with_new_type(result, type)


def _integers_of(op: Operation, number: int, value: SSAValue) -> list[int] | None:
    """What a computed operand holds, if that is known."""
    type = tensor(value)
    if (
        isinstance(value.owner, nn.ConstantOp)
        or not isinstance(type.element_type, IntegerType)
        or not type.has_static_shape()
        or not 0 < (count := prod(type.get_shape())) <= LONGEST_SHAPE
    ):
        return None
    sizes = [source(value, index) for index in range(count)]
    integers = [size if isinstance(size, int) else -1 for size in sizes]
    is_shape = isinstance(op, nn.ReshapeOp) and number == 1
    if sizes == integers or (is_shape and integers.count(-1) == 1):
        return integers
    return None
