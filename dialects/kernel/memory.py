"""Memory of a program: constants, buffers, views, and control over them."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    MemRefType,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..blob import BlobAttr
from ..inferred import label
from .types import shaped


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """
    Data at a place among the program's weights, `offset` bytes from their start.

        %w = kernel.constant dense<1.0> : tensor<8xf32> at 64 : memref<8xf32>
    """

    name = "kernel.constant"

    value = prop_def(BlobAttr)
    offset = prop_def(IntegerAttr[I64])
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$value `at` $offset attr-dict `:` type($result)"

    def __init__(self, value: BlobAttr, offset: int):
        shape, element = value.type.get_shape(), value.type.element_type
        super().__init__(
            properties={"value": value, "offset": IntegerAttr(offset, 64)},
            result_types=[MemRefType(element, shape)],
        )


@irdl_op_definition
class BufferOp(IRDLOperation):
    """
    A value's place in the arena, `offset` bytes from its start.

        %b = kernel.buffer %arena at 128 : memref<4096xi8> -> memref<1x128xf32>
    """

    name = "kernel.buffer"

    arena = operand_def(MemRefType)
    offset = prop_def(IntegerAttr[I64])
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$arena `at` $offset attr-dict `:` type($arena) `->` type($result)"

    def __init__(self, arena: SSAValue, offset: int, type: MemRefType[Any]):
        super().__init__(
            operands=[arena], properties={"offset": IntegerAttr(offset, 64)}, result_types=[type]
        )


@irdl_op_definition
class ViewOp(IRDLOperation):
    """
    Part of a buffer, or a buffer under another shape: starts `offset + index * step` bytes into the base.

        %v = kernel.view %x offset 0 : memref<1x1x8xf32> -> memref<1x8xf32>
        %p = kernel.view %x offset 0 index %i step 32
            : memref<1x3x8xf32> -> memref<1x1x8xf32, strided<[24, 8, 1]>>
    """

    name = "kernel.view"

    base = operand_def(MemRefType)
    index = opt_operand_def(IndexType)
    offset = prop_def(IntegerAttr[I64])
    step = opt_prop_def(IntegerAttr[I64])
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$base `offset` $offset (`index` $index^ `step` $step)? attr-dict `:` type($base) `->` type($result)"

    def __init__(
        self,
        source: SSAValue,
        type: MemRefType[Any],
        offset: int = 0,
        index: SSAValue | None = None,
        step: int = 0,
    ):
        properties: dict[str, Attribute] = {"offset": IntegerAttr(offset, 64)}
        if index is not None:
            properties["step"] = IntegerAttr(step, 64)
        super().__init__(operands=[source, index], properties=properties, result_types=[type])


@irdl_op_definition
class CopyOp(IRDLOperation):
    """
    Elements of the source to the target, same shape and type.

        kernel.copy %next to %carried : memref<1x8xf32> to memref<1x8xf32>
    """

    name = "kernel.copy"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)

    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        source, target = shaped(self.source), shaped(self.target)
        if (source.get_shape(), source.get_element_type()) != (
            target.get_shape(),
            target.get_element_type(),
        ):
            raise VerifyException(f"{label(self)}: cannot copy {source} to {target}")


@irdl_op_definition
class ForOp(IRDLOperation):
    """
    Runs its body `count` times with index 0, 1, …

        kernel.for 3 {
        ^bb0(%i: index):
          …
        }
    """

    name = "kernel.for"

    count = prop_def(IntegerAttr[I64])
    body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = "$count attr-dict-with-keyword $body"

    def __init__(self, count: int, body: Region):
        super().__init__(properties={"count": IntegerAttr(count, 64)}, regions=[body])

    def verify_(self) -> None:
        if [arg.type for arg in self.body.block.args] != [IndexType()] or self.count.value.data < 0:
            raise VerifyException(f"{label(self)}: needs a count and one index argument")


@irdl_op_definition
class IfUnsetOp(IRDLOperation):
    """
    Runs its body while state number `state` is unset: what computes its initial value.

        kernel.if_unset 0 { … }
    """

    name = "kernel.if_unset"

    state = prop_def(IntegerAttr[I64])
    body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = "$state attr-dict-with-keyword $body"

    def __init__(self, state: int, body: Region):
        super().__init__(properties={"state": IntegerAttr(state, 64)}, regions=[body])
