"""`nest-concatenations`: a concatenation that begins with all of an earlier one has that one as its first part."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ..dialects import kernel
from ..dialects.inferred import shape_of

Parts = tuple[SSAValue, ...]


class NestConcatenations(ModulePass):
    """
    `concat(a, b, c) = concat(concat(a, b), c)`, where `concat(a, b)` is computed before and lies in one piece.

    Planned memory has the parts of a concatenation inside of it, each in one only. So the dense blocks of DenseNet, in
    which every layer concatenates the results of all layers before, copy nothing.
    """

    name = "nest-concatenations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        earlier = defaultdict[Any, dict[Parts, SSAValue]](dict)
        for inner in kernel.outside_bodies(op):
            if isinstance(inner, kernel.ConcatOp) and _is_in_one_piece(inner):
                parts = tuple(inner.inputs)
                _nest(inner, earlier[inner.parent, inner.axis])
                earlier[inner.parent, inner.axis][parts] = inner.result


def _is_in_one_piece(op: kernel.ConcatOp) -> bool:
    """Whether the parts lie one after the other in memory."""
    return all(size == 1 for size in shape_of(op.result)[: op.axis.value.data])


def _nest(op: kernel.ConcatOp, earlier: dict[Parts, SSAValue]) -> None:
    """Puts the longest concatenation of earlier ones in the place of the parts that it has in common."""
    parts = tuple(op.inputs)
    for count in range(len(parts) - 1, 1, -1):
        if (first := earlier.get(parts[:count])) is not None:
            op.operands = [first, *parts[count:]]
            return
