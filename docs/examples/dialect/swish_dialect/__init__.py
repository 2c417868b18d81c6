"""A dialect with one operation, and the pass that lowers it to lowstream's."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.universe import Universe

from lowstream.dialects import nn


@irdl_op_definition
class SwishOp(IRDLOperation):
    """`result = input * sigmoid(input)`"""

    name = "mine.swish"
    input = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"


@dataclass(frozen=True)
class LowerMine(ModulePass):
    """Rewrites what is ours as lowstream's operations."""

    name = "lower-mine"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for swish in [inner for inner in op.walk() if isinstance(inner, SwishOp)]:
            type = swish.result.type
            gate = nn.SigmoidOp.create(operands=[swish.input], result_types=[type])
            product = nn.MultiplyOp.create(
                operands=[swish.input, gate.results[0]], result_types=[type]
            )
            Rewriter.replace_op(swish, [gate, product])


UNIVERSE = Universe(
    all_dialects={"mine": lambda: Dialect("mine", [SwishOp])},
    all_passes={"lower-mine": lambda: LowerMine},
)
