"""`hoist-input-products`: products with each step's part of an input are computed for all steps at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused
from ...passes.rebuilt import rebuilt

FEWEST_STEPS = 4
"""With fewer steps, one product reads the weights about as often as the steps do."""

MOST_ROWS = 8
"""Steps of more rows read weights seldom enough, and save the memory for the products of all steps."""


class HoistInputProducts(ModulePass):
    """
    `for t: mat_mul(x[t], w) = (for t: y[t]) with y = mat_mul(x, w)`, where w is a constant and the loop runs a known
    number of steps, each with one element of an axis of x.

    One product of all steps reads the weights once, where steps read them again and again: those of the inputs of
    recurrent sequences (https://arxiv.org/abs/1604.01946, 3.1). Sums are in the same order, so results are the same.
    """

    name = "hoist-input-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in reversed(all_operations(op)):
            if isinstance(inner, infra.IteratorOp):
                _hoist(inner)


def _hoist(op: infra.IteratorOp) -> None:
    """Moves the products of an iterator's parts in front of it."""
    found = [each for inner in op.body.block.ops if (each := _Product.of(op, inner)) is not None]
    if not found:
        return
    write, body, count = Writer(InsertPoint.before(op)), op.body.block, len(op.inputs)
    wholes: list[SSAValue] = []
    for i, each in enumerate(found):
        whole = each.of_all_steps(op.operands_[each.number], write)
        shape = list(shape_of(whole))
        shape[each.axis] = 1
        type = TensorType(tensor(whole).element_type, shape)
        each.replace(body.insert_arg(type, count + i))
        wholes.append(whole)
    ports = [op.inputs.data[each.number] for each in found]
    names = [StringAttr(f"product{count + i}") for i in range(len(found))]
    properties = {
        "inputs": ArrayAttr([*op.inputs, *ports]),
        "body_names": ArrayAttr([*op.body_names, *names]),
    }
    new = rebuilt(op, [*op.operands, *wholes], properties=properties)
    Rewriter.replace_op(op, [], list(new.results))


@dataclass(frozen=True)
class _Product:
    """A product of constant weights and of one step's part of an iterator's input: an element of its axis."""

    op: nn.MatMulOp
    number: int
    axis: int

    @classmethod
    def of(cls, iterator: infra.IteratorOp, op: Operation) -> Self | None:
        """The product that an operation of the body is, if hoisting it is worth it."""
        if not isinstance(op, nn.MatMulOp) or op.transpose_a:
            return None
        if nn.constant_of(op.b) is None or len(shape_of(op.b)) != 2 or len(shape_of(op.a)) < 2:
            return None
        part = _part(op.a)
        if part is None or part.index >= len(iterator.inputs):
            return None
        port, whole = iterator.inputs.data[part.index], iterator.operands_[part.index]
        if not isinstance(port, infra.SlicedAttr) or not tensor(whole).has_static_shape():
            return None
        rank, steps = len(shape_of(whole)), iterator.iterations()
        axis = port.slicing.axis % rank
        rest = [size for d, size in enumerate(shape_of(part)) if d != axis]
        if axis == rank - 1:
            return None
        if op.a is not part and list(shape_of(op.a)) != rest:
            return None
        if prod(shape_of(op.a)[:-1]) > MOST_ROWS:
            return None
        if steps is None or not FEWEST_STEPS <= steps == shape_of(whole)[axis]:
            return None  # as many steps as elements: a part is one of them
        return cls(op, part.index, axis)

    def of_all_steps(self, whole: SSAValue, write: Writer) -> SSAValue:
        """Writes the product of the whole input."""
        blob = nn.constant_of(self.op.b)
        assert blob is not None, "`of` says so"
        product = write(
            nn.MatMulOp, whole, write.constant(blob), transpose_b=bool(self.op.transpose_b)
        )
        assert isinstance(product.owner, Operation)
        product.owner.attributes.update(self.op.attributes)
        return product

    def replace(self, part: SSAValue) -> None:
        """Replaces it by one step's part of the product of all steps."""
        op = self.op
        if part.type != op.result.type:
            write = Writer(InsertPoint.before(op))
            part = write(nn.SqueezeOp, part, write.integers(self.axis))
        operands = list(op.operands)
        Rewriter.replace_op(op, [], [part])
        erase_unused(*operands)


def _part(value: SSAValue) -> BlockArgument | None:
    """The argument of a body whose elements a value has."""
    if isinstance(value.owner, nn.SqueezeOp | nn.ReshapeOp):
        value = value.owner.operands[0]
    return value if isinstance(value, BlockArgument) else None
