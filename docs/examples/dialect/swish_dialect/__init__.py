"""A dialect of two operations: one that a pass of ours lowers to lowstream's, and one that lowstream lowers itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.universe import Universe

from lowstream.dialects import nn
from lowstream.dialects.nn.derived import DerivedOp
from lowstream.dialects.nn.writer import Writer
from lowstream.dialects.operation import op_definition
from lowstream.reference.meaning import meaning


@irdl_op_definition
class SwishOp(IRDLOperation):
    """`result = input * sigmoid(input)`"""

    name = "mine.swish"
    input = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"


@meaning(SwishOp)
def swish(op: SwishOp, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What `--verify-numerics` compares our pass with."""
    return x / (1 + np.exp(-x))


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


@op_definition
class SoftclipOp(DerivedOp):
    """`result = input / (1 + |input|)`. Its types, its meaning and its kernels follow from `decompose`."""

    name = "mine.softclip"
    input = operand_def(TensorType)
    result = result_def(TensorType)

    def decompose(self, write: Writer) -> SSAValue:
        return write(nn.DivideOp, self.input, write(nn.AddOp, write(nn.AbsOp, self.input), 1.0))


UNIVERSE = Universe(
    all_dialects={"mine": lambda: Dialect("mine", [SwishOp, SoftclipOp])},
    all_passes={"lower-mine": lambda: LowerMine},
)
