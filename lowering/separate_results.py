"""
`separate-results`: every output, assigned state and yielded value has a value of its own.

Each kernel can then write its result directly to its destination. If one value leaves twice, or an input leaves
unchanged, a copying kernel is inserted; fusion makes it part of the producer. An input that is `infra.returned` shares
its memory with one result (`kernel.aliases`), without a copy.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import infra, kernel
from ..dialects.inferred import tensor
from ..dialects.kernel import Access
from ..dialects.rewriter import Rewriter
from .kernel_bodies.bodies import movement

SINKS = (func.ReturnOp, infra.AssignOp, infra.YieldOp)
"""The operations through which values leave a block."""


class SeparateResults(ModulePass):
    """Inserts the copies that this takes."""

    name = "separate-results"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in kernel.outside_bodies(op):
            if isinstance(inner, func.FuncOp):
                _alias_returned(inner)
            if isinstance(inner, func.FuncOp | infra.IteratorOp | infra.IfOp):
                for region in inner.regions:
                    for block in region.blocks:
                        _separate(block)


def _alias_returned(entry: func.FuncOp) -> None:
    """Each input that may share its memory with a result does so with the first that it is."""
    returned = entry.get_return_op()
    if returned is None or entry.arg_attrs is None:
        return
    output_of = {input: output for output, input in aliases_of(entry)}
    for number, value in enumerate(returned.operands):
        if (
            isinstance(value, BlockArgument)
            and infra.RETURNED in entry.arg_attrs.data[value.index].data
        ):
            output_of.setdefault(value.index, number)
    if output_of:
        pairs = [each for input, output in output_of.items() for each in (output, input)]
        entry.attributes[kernel.ALIASES] = DenseArrayBase.from_list(i64, pairs)


def aliases_of(entry: Operation) -> list[tuple[int, int]]:
    """Pairs of a result and the input that it is written over, or is."""
    listed = entry.attributes.get(kernel.ALIASES)
    numbers = listed.get_values() if isinstance(listed, DenseArrayBase) else ()
    return [(int(o), int(i)) for o, i in zip(numbers[::2], numbers[1::2], strict=True)]


def _separate(block: Block) -> None:
    taken: set[SSAValue] = set()
    entry = block.parent_op()
    aliases = [] if entry is None else aliases_of(entry)
    for sink in [op for op in block.ops if isinstance(op, SINKS)]:
        for i, value in enumerate(sink.operands):
            if isinstance(value, BlockArgument) and (i, value.index) in aliases:
                continue
            root = root_of(value)
            if root in taken or not isinstance(
                root.owner,
                kernel.EmittedOp | kernel.ConcatOp | kernel.PadOp | infra.IteratorOp | infra.IfOp,
            ):
                type = tensor(value)
                copy = movement(value, Access.identity(type.get_num_dims()), type)
                Rewriter.insert_op(copy, InsertPoint.before(sink))
                sink.operands[i] = copy.results[0]
            else:
                taken.add(root)


def root_of(value: SSAValue) -> SSAValue:
    """The value that this one is a reshape of; itself if it is none."""
    while isinstance(owner := value.owner, kernel.ReshapeOp):
        value = owner.input
    return value


def is_read_once(value: SSAValue) -> bool:
    """Whether nothing else reads the elements of this value, or of one that it is a reshape of."""
    while value.has_one_use() and isinstance(owner := value.owner, kernel.ReshapeOp):
        value = owner.input
    return value.has_one_use()
