"""Memory of a program: constants, buffers and views; and its control flow."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    ParsePropInAttrDict,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..blob import BlobAttr
from ..formatted import FormattedOp
from ..inferred import label
from ..operation import initialize, op_definition
from ..properties import INTEGER, integer
from ..tensor_types import dense_memref
from .types import shaped, storage_bytes


@op_definition
class ConstantOp(FormattedOp):
    """
    Data at a place among the program's weights, `offset` bytes from their start.

        %w = kernel.constant <dense<1.0> : tensor<8xf32>> at 64 : memref<8xf32>
    """

    name = "kernel.constant"

    value = prop_def(BlobAttr)
    offset = prop_def(INTEGER)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$value `at` $offset attr-dict `:` type($result)"

    def __init__(self, value: BlobAttr, offset: int):
        shape, element = value.type.get_shape(), value.type.element_type
        properties = {"value": value, "offset": integer(offset)}
        initialize(self, properties=properties, result_types=[dense_memref(element, shape)])


@op_definition
class BufferOp(FormattedOp):
    """
    A value's place in the arena, `offset` bytes from its start.

        %b = kernel.buffer %arena at 128 : memref<4096xi8> -> memref<1x128xf32>
    """

    name = "kernel.buffer"

    arena = operand_def(MemRefType)
    offset = prop_def(INTEGER)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$arena `at` $offset attr-dict `:` type($arena) `->` type($result)"

    def __init__(self, arena: SSAValue, offset: int, type: MemRefType[Any]):
        properties = {"offset": integer(offset)}
        initialize(self, operands=[arena], properties=properties, result_types=[type])


@op_definition
class ViewOp(FormattedOp):
    """
    Part of a buffer, or a buffer under another shape: starts `offset + index * step` bytes into the base.

        %v = kernel.view %row offset 0 : memref<1x1x8xf32> -> memref<1x8xf32>
        %p = kernel.view %x offset 0 index %i step 32
            : memref<1x3x8xf32> -> memref<1x1x8xf32, strided<[24, 8, 1]>>
    """

    name = "kernel.view"

    base = operand_def(MemRefType)
    index = opt_operand_def(IndexType)
    offset = prop_def(INTEGER)
    step = opt_prop_def(INTEGER)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = (
        "$base `offset` $offset (`index` $index^ `step` $step)? attr-dict "
        "`:` type($base) `->` type($result)"
    )

    def __init__(
        self,
        source: SSAValue,
        type: MemRefType[Any],
        offset: int = 0,
        index: SSAValue | None = None,
        step: int = 0,
    ):
        properties: dict[str, Attribute] = {"offset": integer(offset)}
        if index is not None:
            properties["step"] = integer(step)
        operands = [source] if index is None else [source, index]
        initialize(self, operands=operands, properties=properties, result_types=[type])


@op_definition
class CopyOp(FormattedOp):
    """
    Elements of the source to the target, same shape and type.

        kernel.copy %next to %carried : memref<1x8xf32> to memref<1x8xf32>
    """

    name = "kernel.copy"

    source = operand_def(MemRefType)
    target = operand_def(MemRefType)

    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        initialize(self, operands=[source, target])

    def verify_(self) -> None:
        source, target = shaped(self.source), shaped(self.target)
        if (source.get_shape(), source.get_element_type()) != (
            target.get_shape(),
            target.get_element_type(),
        ):
            raise VerifyException(f"{label(self)}: cannot copy {source} to {target}")


@op_definition
class ForOp(FormattedOp):
    """
    Runs its body `count` times with index 0, 1, …

        kernel.for 3 {
        ^bb0(%i: index):
          …
        }
    """

    name = "kernel.for"

    count = prop_def(INTEGER)
    body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = "$count attr-dict-with-keyword $body"

    def __init__(self, count: int, body: Region):
        super().__init__(properties={"count": integer(count)}, regions=[body])

    def verify_(self) -> None:
        if [arg.type for arg in self.body.block.args] != [IndexType()] or self.count.value.data < 0:
            raise VerifyException(f"{label(self)}: needs a count and one index argument")


@op_definition
class IndexOp(FormattedOp):
    """
    The number of the iteration into memory.

        kernel.index %i to %n : memref<i64>
    """

    name = "kernel.index"

    index = operand_def(IndexType)
    target = operand_def(MemRefType)

    assembly_format = "$index `to` $target attr-dict `:` type($target)"

    def __init__(self, index: SSAValue, target: SSAValue):
        super().__init__(operands=[index, target])


@op_definition
class CallParityOp(FormattedOp):
    """
    Call parity: whether the program was called an odd number of times before. Work that may be done in two orders
    alternates between them (serpentine), so that a call starts with weights that the last one left in the cache.

        %odd = kernel.call_parity : tensor<i1>
        kernel.call_parity to %flag : memref<i1>
    """

    name = "kernel.call_parity"

    target = opt_operand_def(MemRefType)
    result = opt_result_def(TensorType)

    assembly_format = "(`to` $target^ `:` type($target))? attr-dict (`:` type($result)^)?"

    def __init__(self, target: SSAValue | None = None):
        types = [TensorType(i1, [])] if target is None else []
        super().__init__(operands=[target], result_types=[types])

    def verify_(self) -> None:
        if (self.target is None) == (self.result is None):
            raise VerifyException(f"{label(self)}: gives a tensor, or writes to memory")


@op_definition
class WhileOp(FormattedOp):
    """
    Runs its body with index 0, 1, … while the index is below `trip` (no limit if that is negative) and below
    `most`, `start` holds, and, after the first time, `next` does, which the body writes. What is absent does
    not limit. One that would run more than `room` times, for which there is memory, ends the program: it fails.

        kernel.while trip %n : memref<i64> start %c : memref<i1> next %go : memref<i1> {
        ^bb0(%i: index):
          …
        }
    """

    name = "kernel.while"

    trip = opt_operand_def(MemRefType)
    start = opt_operand_def(MemRefType)
    following = opt_operand_def(MemRefType)
    most = opt_prop_def(INTEGER)
    room = opt_prop_def(INTEGER)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(NoTerminator())
    assembly_format = (
        "(`trip` $trip^ `:` type($trip))? (`start` $start^ `:` type($start))? "
        "(`next` $following^ `:` type($following))? (`most` $most^)? (`room` $room^)? attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        trip: SSAValue | None,
        start: SSAValue | None,
        following: SSAValue | None,
        body: Region,
        most: int | None = None,
        room: int | None = None,
    ):
        limits = {"most": most, "room": room}
        properties = {name: integer(n) for name, n in limits.items() if n is not None}
        super().__init__(operands=[trip, start, following], properties=properties, regions=[body])

    @property
    def count(self) -> IntegerAttr[I64] | None:
        """The largest number of times that it may run; None if there is none."""
        limits = [limit for limit in (self.most, self.room) if limit is not None]
        return min(limits, key=lambda limit: limit.value.data, default=None)

    def verify_(self) -> None:
        if [arg.type for arg in self.body.block.args] != [IndexType()]:
            raise VerifyException(f"{label(self)}: needs one index argument")
        for value in self.operands:
            if storage_bytes(shaped(value)) > 8 or not isa(
                shaped(value).get_element_type(), IntegerType
            ):
                raise VerifyException(f"{label(self)}: {value.type} is not a count or condition")


@op_definition
class IfOp(FormattedOp):
    """
    Runs the first body where the condition holds, else the second.

        kernel.if %c : memref<i1> { … } else { … }
    """

    name = "kernel.if"

    condition = operand_def(MemRefType)
    then_body = region_def("single_block")
    else_body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = (
        "$condition `:` type($condition) attr-dict-with-keyword $then_body `else` $else_body"
    )

    def __init__(self, condition: SSAValue, then_body: Region, else_body: Region):
        super().__init__(operands=[condition], regions=[then_body, else_body])


@op_definition
class IfUnsetOp(FormattedOp):
    """
    Runs its body while state number `state` is unset: what computes its initial value.

        kernel.if_unset 0 { … }
    """

    name = "kernel.if_unset"

    state = prop_def(INTEGER)
    body = region_def("single_block")

    traits = traits_def(NoTerminator())
    assembly_format = "$state attr-dict-with-keyword $body"

    def __init__(self, state: int, body: Region):
        super().__init__(properties={"state": integer(state)}, regions=[body])


@op_definition
class FailOp(FormattedOp):
    """
    Ends the program: it fails, and states stay as they were.

        kernel.fail "the branch does not fit"
    """

    name = "kernel.fail"

    message = prop_def(StringAttr)

    assembly_format = "$message attr-dict"

    def __init__(self, message: StringAttr):
        super().__init__(properties={"message": message})
