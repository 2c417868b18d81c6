"""Blocks as subgraphs: the tensors in which they get arguments and give results."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block, SSAValue

from ....dialects import infra, nn
from ..graph import Tensor
from .writer import View, Writer, element_of, identity, sizes_of


def given(write: Writer, argument: SSAValue, name: str = "") -> Tensor:
    """A tensor in which a subgraph gets an argument."""
    found = Tensor(sizes_of(argument), element_of(argument), name)
    write.values[argument] = View(found, identity(found.rank))
    return found


def written(write: Writer, block: Block) -> list[SSAValue]:
    """Writes the operations of a block. Returns what its terminator gives."""
    for op in block.ops:
        if isinstance(op, func.ReturnOp | infra.YieldOp):
            return list(op.operands)
        if not isinstance(op, nn.ConstantOp):
            write.run(op)
    raise AssertionError("a block without a terminator")


def result(write: Writer, found: Tensor, name: str = "") -> Tensor:
    """The tensor in which the subgraph gives a result: one that is no other result, argument or constant."""
    subgraph = write.subgraph
    if found.data is not None or found in (*subgraph.inputs, *subgraph.outputs):
        copy = Tensor(found.shape, found.element, quantization=found.quantization)
        write.copy(found, copy)
        found = copy
    if name:
        found.name = name
    subgraph.outputs.append(found)
    return found
