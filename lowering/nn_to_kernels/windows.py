"""Reductions of windows whose limits are computed."""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import static_shape, tensor
from ...dialects.tensor_types import typed
from ..kernel_bodies.bodies import build_body, same
from .rule import kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.ReduceWindowsOp)
def reduce_windows(op: nn.ReduceWindowsOp, write: KernelWriter) -> SSAValue:
    *windows, rank = static_shape(op.begins)
    count, shape, element = prod(windows), static_shape(op.result), tensor(op.input).element_type
    limits = [write.reshape(each, (count, rank)) for each in (op.begins, op.ends)]
    result, body = typed(element, (count, shape[-1])), build_body([element], same)
    new = kernel.ReduceWindowsOp(op.reduction.data, [op.input, *limits], body, result)
    return write.reshape(write.kernel(new), shape)
