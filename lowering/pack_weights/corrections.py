"""What packing adds to a kernel: constants before it, and sums of weights that its body subtracts."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn
from ...dialects.blob import BlobAttr


def constant_before(op: Operation, blob: BlobAttr, hint: str | None) -> SSAValue:
    """A constant in front of an operation."""
    constant = nn.ConstantOp(blob)
    constant.result.name_hint = hint
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result


def subtract_from(block: Block, total: int) -> None:
    """Makes a body subtract one more i32 argument, its last, from argument number `total`."""
    first = block.first_op
    assert first is not None
    argument = block.insert_arg(i32, len(block.args))
    value = block.args[total]
    correct = arith.SubiOp(value, argument)
    value.replace_uses_with_if(correct.result, lambda use: use.operation is not correct)
    block.insert_op_before(correct, first)


def replace_by_packed(op: Operation, new: Operation) -> None:
    """Replaces a kernel by the same on packed weights."""
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
    Rewriter.replace_op(op, new)
