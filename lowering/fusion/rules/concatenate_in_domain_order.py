"""Concatenations that readers read in any order."""

from collections.abc import Sequence
from graphlib import TopologicalSorter

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ....dialects.rewriter import Rewriter
from ..rule import FusionRule
from ..transposes import (
    Order,
    inverse,
    is_layout_agnostic,
    permutation_of,
    permuted_type,
    read_permuted,
    write_permuted,
)


class ConcatenateInDomainOrder(FusionRule[kernel.ConcatOp]):
    """
    `concat(transpose(x), transpose(y)) = transpose(concat(x, y))`, where products, convolutions or reductions compute
    the parts, whose last dimension is the vectorized one, and all readers use accesses. Concatenations of
    concatenations, as a DenseNet has them, change together.
    """

    def apply(self, op: kernel.ConcatOp) -> bool:
        if not all(map(_is_read_in_any_order, {*op.inputs, op.result})):
            return False
        group = _connected(op)
        inside = {each.result for each in group}
        parts = dict.fromkeys(x for each in group for x in each.inputs if x not in inside)
        orders = {_order(part) for part in parts}
        if len(orders) != 1 or (order := orders.pop()) is None:
            return False
        producers = {part.owner for part in parts}
        values = (*parts, *inside)
        if len(producers) < len(parts) or not all(map(_is_read_in_any_order, values)):
            return False
        new = {part: write_permuted(_kernel(part), part, order) for part in parts}
        for each in group:
            axis = order.index(each.axis.value.data)
            made = kernel.ConcatOp(
                [new[x] for x in each.inputs], axis, permuted_type(each.result, order)
            )
            Rewriter.insert_op(made, InsertPoint.before(each))
            new[each.result] = made.result
        for old, value in new.items():
            value.name_hint = old.name_hint
            for reader in dict.fromkeys(use.operation for use in old.uses):
                if isinstance(reader, KernelOp):
                    read_permuted(reader, old, value, order)
        for each in (*reversed(group), *map(_kernel, parts)):
            Rewriter.erase_op(each)
        return True


def _kernel(part: SSAValue) -> KernelOp:
    """What computes a part that has an order."""
    assert isinstance(part.owner, KernelOp)
    return part.owner


def _order(part: SSAValue) -> Order | None:
    """What turns a part into the order of the domain of what computes it, if that is another one, and vectorized."""
    op = part.owner
    if not isinstance(op, KernelOp) or isinstance(op, kernel.MapOp):
        return None
    access = op.accesses[len(op.ins) + op.results.index(part)]
    if access.is_identity or (order := permutation_of(access)) is None:
        return None
    return inverse(order)


def _is_read_in_any_order(value: SSAValue) -> bool:
    readers = (use.operation for use in value.uses)
    return all(isinstance(op, kernel.ConcatOp) or is_layout_agnostic(op, value) for op in readers)


def _connected(op: kernel.ConcatOp) -> Sequence[kernel.ConcatOp]:
    """This concatenation, those it takes, those that take it or one of its parts, and so on: the first ones first."""
    takes = dict[kernel.ConcatOp, list[kernel.ConcatOp]]()
    waiting = [op]
    while waiting:
        if (each := waiting.pop()) in takes:
            continue
        takes[each] = [x.owner for x in each.inputs if isinstance(x.owner, kernel.ConcatOp)]
        readers = (use.operation for value in (*each.inputs, each.result) for use in value.uses)
        waiting += takes[each]
        waiting += (reader for reader in readers if isinstance(reader, kernel.ConcatOp))
    return list(TopologicalSorter(takes).static_order())
