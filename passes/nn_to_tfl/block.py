"""Blocks as functions: the tensors in which they get arguments and give results."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Block, SSAValue

from ...dialects import infra, nn
from .tensors import Elements, Tensor, TensorQuantization, identity
from .writer import TflWriter, View, element_of, sizes_of


def given(
    write: TflWriter, argument: SSAValue, quantization: TensorQuantization | None = None
) -> Tensor:
    """The tensor of an argument of a function."""
    elements = Elements(element_of(argument), quantization)
    found = write.argument(elements.tensor(sizes_of(argument)))
    found.value.name_hint = argument.name_hint
    write.values[argument] = View(found, identity(found.rank))
    return found


def written(write: TflWriter, block: Block) -> list[SSAValue]:
    """Writes the operations of a block. Returns what its terminator gives."""
    for op in block.ops:
        if isinstance(op, func.ReturnOp | infra.YieldOp):
            return list(op.operands)
        if not isinstance(op, nn.ConstantOp):
            write.run(op)
    raise AssertionError("a block without a terminator")


def result(write: TflWriter, found: Tensor, name: str = "") -> Tensor:
    """The tensor of a result of a function. It is no other result, argument or constant."""
    if found.data is not None:
        found = computed(write, found)
    if found.value in write.block.args or found in write.outputs:
        found = write.copied(found, found)
    if name:
        found.rename(name)
    write.outputs.append(found)
    return found


def computed(write: TflWriter, constant: Tensor) -> Tensor:
    """
    A constant that is computed in each call: after a RESHAPE of a constant, LiteRT frees memory that it did not
    allocate.
    """
    builtin = "LOGICAL_OR" if constant.element == "bool" else "MINIMUM"
    return write.op(builtin, [constant, constant], constant.shape, like=constant)
