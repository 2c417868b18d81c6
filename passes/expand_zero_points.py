"""Transposed convolutions of codes with a zero point, for what has none."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.inferred import tensor
from ..dialects.nn.convolution import BackwardConvolution
from ..dialects.nn.writer import Writer
from ..dialects.walk import all_operations


def expand_zero_points(module: ModuleOp) -> None:
    """Every transposed convolution whose inputs have a zero point computes in f32."""
    for op in all_operations(module):
        if has_zero_point(op):
            assert isinstance(op, BackwardConvolution)
            expand_zero_point(op, f32)


def has_zero_point(op: Operation) -> bool:
    """Whether this is a transposed convolution that subtracts a zero point from its inputs."""
    return isinstance(op, BackwardConvolution) and op.code_of_zero != 0


def expand_zero_point(op: BackwardConvolution, element: Attribute) -> None:
    """`conv(q, w) = convert(conv(convert(q) - zero_point, convert(w)))`, computed in `element`."""
    write = Writer(InsertPoint.before(op))
    data, filters = (
        write(nn.ConvertOp, value, destination_type=element) for value in op.operands[:2]
    )
    data = write(nn.SubtractOp, data, write.scalar_like(data, op.code_of_zero))
    kept = {name: value for name, value in op.properties.items() if name != "zero_point"}
    result = write(type(op), data, filters, *op.operands[2:], **kept)
    assert isinstance(result.owner, Operation)
    result.owner.attributes |= op.attributes
    sums = tensor(op.result).element_type
    result = write.converted(result, sums)
    op.result.replace_all_uses_with(result)
    op.detach()
    op.erase()
