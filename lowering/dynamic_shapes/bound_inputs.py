"""
`bound-inputs`: inputs and states of which one size differs from call to call have the largest size that it may be.

What a call gives, or finds, fills their beginning. A further input has the size, and a slice to it stands where the
model reads an input or a state; `bound-dynamic-shapes` moves these slices on. So a decoder whose cache grows by one
with each token is compiled once for many lengths of it (XLA: bounded dynamic shapes; servers of language models:
bucketing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import InferredOp, normalize_axis, shape_of, tensor
from ...dialects.module import entry_of
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations, block_operations
from ...passes.erase_unused import erase_unused
from ...passes.errors import DiagnosticError
from ...passes.infer_shapes import KnownIntegers, infer_types_of_call
from ...passes.shapes.computed_integers import source
from ..control_flow.decided_branches import decide

LONGEST_SHAPE = 16
"""The most elements of integers that may be a shape."""


@dataclass(frozen=True)
class BoundInputs(ModulePass):
    """
    `dimensions` lists, for each dimension that differs, the number of its input, its own, and by how much it is larger
    than the size; `states` lists the same of states, which are set; `most` is the largest size. A state that the model
    lets grow has room for what it becomes, and so has an input that is a result with something behind it. An input that
    is returned unchanged may share its memory with the result. `conditions` lists numbers of boolean inputs, each with
    0 or 1: branches that such an input decides become the body for that value, and a call with another value is for
    another program. Raises DiagnosticException where there is no such dimension or condition.

        bound-inputs{most=64 dimensions=1,1,1 states=0,2,0}      mask [1, size + 1], state [1, 4, size, 16]
    """

    name = "bound-inputs"

    most: int
    dimensions: tuple[int, ...] = ()
    states: tuple[int, ...] = ()
    conditions: tuple[int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        entry = entry_of(op)
        block, count = entry.body.block, len(entry.args)
        for number, value in zip(self.conditions[::2], self.conditions[1::2], strict=True):
            decide(self.name, op, number, value)
        for number, dimension, more in _triples(self.dimensions):
            value = block.args[number] if number < count else None
            self._resize(value, f"input {number}", dimension, more)
        reads = [_only_read(op, number) for number, _, _ in _triples(self.states)]
        for read, (number, dimension, more) in zip(reads, _triples(self.states), strict=True):
            self._resize(read and read.result, f"state {number}", dimension, more)
        _infer(op)
        _drop_single_concats(block)
        names = list(entry.arg_attrs or [DictionaryAttr({})] * count)
        for number, dimension, _ in _triples(self.dimensions):
            if _give_room_to_input(block, block.args[number], dimension):
                names[number] = DictionaryAttr({**names[number].data, infra.PADDED: UnitAttr()})
        size = block.insert_arg(TensorType(i64, [1]), count)
        write = Writer(InsertPoint.at_start(block))
        size = write.clamp(size, 0, self.most)
        for number, dimension, more in _triples(self.dimensions):
            _slice(write, block.args[number], dimension, size, more)
        for read, (_, dimension, more) in zip(reads, _triples(self.states), strict=True):
            assert read is not None
            _give_room(op, read, dimension)
            _slice(Writer(InsertPoint.after(read)), read.result, dimension, size, more)
        returned = block.last_op
        assert returned is not None
        for value in returned.operands:
            if isinstance(value, BlockArgument) and shape_of(value):
                known = names[value.index].data
                names[value.index] = DictionaryAttr({**known, infra.RETURNED: UnitAttr()})
        entry.properties["arg_attrs"] = ArrayAttr([*names, DictionaryAttr({})])
        entry.update_function_type()
        _infer(op)
        settle_shapes(op)
        _infer(op)

    def _resize(self, value: SSAValue | None, name: str, dimension: int, more: int) -> None:
        """Gives a dimension its largest size."""
        if value is None or dimension >= len(shape_of(value)):
            kind = name.partition(" ")[0]
            raise DiagnosticError(
                f"{self.name}: there is no dimension {dimension} of {name} to be bounded; give {kind}, dimension and "
                "by how much it is larger than the size, for each dimension that differs"
            )
        shape = list(shape_of(value))
        shape[dimension] = self.most + more
        _retype(value, shape)


def _triples(listed: Sequence[int]) -> list[tuple[int, int, int]]:
    return list(zip(listed[::3], listed[1::3], listed[2::3], strict=True))


def _retype(value: SSAValue, shape: Sequence[int]) -> None:
    type = TensorType(tensor(value).element_type, shape)
    Rewriter.replace_value_with_new_type(value, type)


def _only_read(module: ModuleOp, number: int) -> infra.ReadValueOp | None:
    """What reads a state, if that is one operation of the entry."""
    name = list(infra.variables_of(module))[number:][:1]
    reads = [
        op
        for op in all_operations(module)
        if isinstance(op, infra.ReadValueOp) and [op.variable.string_value()] == name
    ]
    is_alone = len(reads) == 1 and reads[0].parent_op() is entry_of(module)
    return reads[0] if is_alone else None


def _infer(module: ModuleOp) -> None:
    """Infers types for a call that begins with states as they are read."""
    reads = [op for op in all_operations(module) if isinstance(op, infra.ReadValueOp)]
    states = {op.variable.string_value(): shape_of(op.result) for op in reads}
    infer_types_of_call(module, states)


def _drop_single_concats(block: Block) -> None:
    """A concatenation of one value is that value: exporters write them where a cache is taken as it is."""
    for op in list(block.ops):
        if isinstance(op, nn.ConcatOp) and len(op.inputs) == 1:
            Rewriter.replace_op(op, [], [op.inputs[0]])


def _give_room(module: ModuleOp, read: infra.ReadValueOp, dimension: int) -> None:
    """Gives a state from the start the size that a call leaves it with. It is set by then: zeros initialize it."""
    before = shape_of(read.result)
    for op in all_operations(module):
        if isinstance(op, infra.AssignOp) and op.variable == read.variable:
            after = shape_of(op.value)
            if [d for d in range(len(before)) if before[d] != after[d]] == [dimension]:
                _retype(read.result, tuple(map(max, before, after)))
    initialize_with_zeros(read)
    read.padded = UnitAttr()


def initialize_with_zeros(read: infra.ReadValueOp) -> None:
    """Zeros of the state's type take the place of its initial value."""
    init, zeros = read.init, nn.ConstantOp(BlobAttr.of(tensor(read.result), 0))
    Rewriter.insert_op(zeros, InsertPoint.before(read))
    read.operands[0] = zeros.result
    erase_unused(init)


def _give_room_to_input(block: Block, argument: SSAValue, dimension: int) -> bool:
    """Where a result is an input with something behind it, there is room for that in the input. Returns whether."""
    returned = block.last_op
    assert returned is not None
    for value in returned.operands:
        if (
            isinstance(joined := value.owner, nn.ConcatOp)
            and len(joined.inputs) == 2
            and joined.inputs[0] is argument
            and normalize_axis(joined, joined.axis.value.data, len(shape_of(value))) == dimension
            and DYNAMIC_INDEX not in shape_of(value)
        ):
            _retype(argument, shape_of(value))
            return True
    return False


def _slice(write: Writer, value: SSAValue, dimension: int, size: SSAValue, more: int) -> None:
    """Lets what reads a value read a slice of it, of the elements that count."""
    readers = list(value.uses)
    stop = write(nn.AddOp, size, more) if more else size
    limits = (write.integers(0), stop, write.integers(1), write.integers(dimension))
    part = write(nn.SliceOp, value, *limits)
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
