"""Sums of all elements up to each: a scan."""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import AnyFloat, f64
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.inferred import normalize_axis, static_shape, tensor
from ...dialects.kernel import body_type
from ..kernel_bodies.bodies import Scalar, build_body
from .rule import kernel_rule, known_integers
from .writer import KernelWriter


@kernel_rule(nn.CumSumOp)
def cum_sum(op: nn.CumSumOp, write: KernelWriter) -> SSAValue:
    """Floats are summed in f64, integers wrap around at their own width."""
    shape, element = static_shape(op.input), tensor(op.input).element_type
    axis = normalize_axis(op, known_integers(op, op.axis, "axis")[0], len(shape))
    scalar = body_type(element)
    carried = f64 if isinstance(scalar, AnyFloat) else scalar

    def body(before: Scalar, x: Scalar) -> tuple[Scalar, Scalar]:
        total = before + x.convert(scalar, carried)
        given = before if op.exclusive else total
        return total, given.convert(carried, element)

    lines = write.reshape(op.input, (prod(shape[:axis]), shape[axis], prod(shape[axis + 1 :])))
    scan = kernel.ScanOp(lines, bool(op.reverse), build_body([carried, scalar], body))
    return write.reshape(write.kernel(scan, lines), shape)
