"""A gated linear unit (arXiv 1612.08083), `(x W + b) * sigmoid(x V + c)`: one matrix product for both halves."""

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import SSAValue

from lowstream.dialects import nn
from lowstream.passes.prepare_composite_functions import Argument, Call, Composite, Interface

INTERFACE = Interface(
    (
        Argument("x", "rows", "inputs"),
        Argument("w", "inputs", "outputs"),
        Argument("b", "outputs"),
        Argument("v", "inputs", "outputs"),
        Argument("c", "outputs"),
    ),
    results=1,
)


def build(call: Call) -> Sequence[SSAValue]:
    given, write = call.arguments, call.write
    weights = write(nn.ConcatOp, given["w"], given["v"], axis=IntegerAttr(1, i64))
    bias = write(nn.ConcatOp, given["b"], given["c"], axis=IntegerAttr(0, i64))
    both = write(nn.AddOp, write(nn.MatMulOp, given["x"], weights), bias)
    value, gate = write.split(both, 2, 1)
    return [write(nn.MultiplyOp, value, write(nn.SigmoidOp, gate))]


GATED_LINEAR_UNIT = Composite("recurrent_cells.GatedLinearUnit", INTERFACE, build)
