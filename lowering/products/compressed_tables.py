"""Compressed tables: a lookup reads codes, and only the rows that it finds are dequantized."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.blob import byte_size
from ...dialects.inferred import constant_integers, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused

Dequantizing = nn.ConvertOp | nn.SubtractOp | nn.MultiplyOp
"""What gives 0 where all operands are 0."""


def look_up_codes(module: ModuleOp) -> None:
    """
    `gather((convert(c) - z) * s) = (convert(gather(c)) - gather(z)) * gather(s)`, as of embeddings, for constants with
    an element of their own for each index: one out of range gives 0 on both sides. It is for those that take fewer
    bytes than what they stand for.
    """
    for op in all_operations(module):
        if isinstance(op, nn.GatherOp) and _is_compressed(op):
            table, write = op.input, Writer(InsertPoint.before(op))
            Rewriter.replace_op(op, [], [_looked_up(table, op, write)])
            erase_unused(table)


def _is_compressed(op: nn.GatherOp) -> bool:
    """Whether the table of a lookup is dequantized in front of it, for nobody else, and each row by itself."""
    if not isinstance(op.input.owner, Dequantizing) or op.batch_dims.value.data:
        return False
    (axis,) = constant_integers(op.axis) or (0,)
    shape = shape_of(op.input)
    waiting, held = [op.input], 0
    while waiting:
        value = waiting.pop()
        if isinstance(value.owner, Dequantizing) and value.has_one_use():
            waiting += value.owner.operands
            continue
        own = shape_of(value)
        if nn.constant_of(value) is None or len(own) != len(shape) or own[axis] != shape[axis]:
            return False
        held += byte_size(tensor(value))
    return held < byte_size(tensor(op.input))


def _looked_up(table: SSAValue, op: nn.GatherOp, write: Writer) -> SSAValue:
    """What a lookup finds in a table, computed of what it finds in the constants."""
    owner = table.owner
    if not isinstance(owner, Dequantizing):
        return write(nn.GatherOp, table, op.indices, op.axis, **op.properties)
    found = [_looked_up(value, op, write) for value in owner.operands]
    return write(type(owner), *found, **owner.properties)
