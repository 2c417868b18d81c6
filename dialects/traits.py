"""Traits of operations. Passes ask for them instead of listing operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.traits import IsolatedFromAbove, OpTrait

from .accessors import operands_of
from .inferred import tensor
from .walk import all_operations


class Broadcasts(OpTrait):
    """Operands broadcast as in NumPy: a dimension of size 1 fits any other."""


class Elementwise(OpTrait):
    """Each element of the result is computed from one element of each operand; equal ones give equal results."""


class HasWindow(OpTrait):
    """
    Computes with a window around each position. Padding and kernels may be much larger than operands and results; a
    limit on the sizes of those does not bound the computation.
    """


class Isolated(IsolatedFromAbove):
    """Nothing inside uses values from outside. A program, of thousands of operations, is walked once, as a list."""

    def verify(self, op: Operation) -> None:
        """Raises VerifyException where an operation inside uses a value from outside."""
        inside = all_operations(op)[1:]
        regions = [region for each in (op, *inside) for region in each.regions]
        blocks = {id(block) for region in regions for block in region.blocks}
        for each in inside:
            for operand in operands_of(each):
                owner = operand.owner
                if id(owner.parent if isinstance(owner, Operation) else owner) not in blocks:
                    super().verify(op)  # which says what is wrong
                    return


@dataclass(frozen=True)
class DataMovement(OpTrait):
    """
    Every element of the results is one of the operands number `first` to `last`, unchanged; by default the first
    operand. Operations whose `reduction` combines elements are not meant.
    """

    first: int = 0
    last: int | None = 1


class MovesOrFillsWithZero(OpTrait):
    """Every element of the results is one of the first operand, or 0 where an index or a window leaves it."""


def moved_data(op: Operation) -> Sequence[SSAValue]:
    """The operands whose elements an operation moves; none if it computes others."""
    trait, reduction = op.get_trait(DataMovement), op.properties.get("reduction")
    if trait is None or (isinstance(reduction, StringAttr) and reduction.data != "none"):
        return ()
    moved = op.operands[trait.first : trait.last]
    return [value for value in moved if _element(value) == _element(moved[0])]


def _element(value: SSAValue) -> Attribute | None:
    return tensor(value).element_type if isinstance(value.type, TensorType) else None


@dataclass(frozen=True)
class Multiplies(OpTrait):
    """Sums products of the elements of pairs of operands, data and weights, given by their names."""

    pairs: tuple[tuple[str, str], ...]


def multiplied(kind: type[Operation]) -> list[tuple[int, int]]:
    """The numbers of the operands, data and weights, that operations of a class multiply."""
    trait = kind.get_trait(Multiplies)
    if trait is None or not issubclass(kind, IRDLOperation):
        return []
    names = [name for name, _ in kind.get_irdl_definition().operands]
    return [(names.index(data), names.index(weights)) for data, weights in trait.pairs]
