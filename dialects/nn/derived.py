"""Derived operations: those that other operations define."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ..inferred import Constants, TensorOp, constant_integers, label, tensor
from ..traits import DataMovement
from ..walk import block_operations
from .writer import SharingWriter, Writer


class DerivedOp(TensorOp, ABC):
    """
    An operation that is defined by a decomposition into others. Its meaning, its kernels and, where the class
    does not say more, its inference follow from that.

    Real numbers are computed with in the widest type at hand (float64 by the reference, float32 or wider by
    kernels) and rounded once, at the end: the decomposition is what the operation means, step by step, and
    not where it rounds.
    """

    @abstractmethod
    def decompose(self, write: Writer) -> SSAValue | Sequence[SSAValue]:
        """
        Writes the operations that give the result, or all results. They may be derived ones themselves. Operands
        that say how to compute (axes, shapes) are constants; their types are known in full.
        """

    NEEDS_KNOWN_SHAPES: ClassVar[bool] = False
    """Whether `decompose` asks for the sizes of operands: until they are known, the operation stays as it is."""

    HAS_KERNEL: ClassVar[bool] = False
    """Whether it is lowered to a kernel of its own. Its decomposition is for formats that have no such operation."""

    @property
    def is_decomposable(self) -> bool:
        """Whether as much is known of the operands' shapes as `decompose` asks for."""
        types = map(tensor, self.operands)
        return not self.NEEDS_KNOWN_SHAPES or all(type.has_static_shape() for type in types)

    @property
    def is_widened(self) -> bool:
        """Whether real numbers are computed in a wider type, and rounded at the end; what only moves is not."""
        return not self.has_trait(DataMovement)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        scratch = Block()
        try:
            return [
                each.type for each in self._decomposed(SharingWriter(InsertPoint.at_end(scratch)))
            ]
        finally:  # a refused decomposition must leave no uses behind, either
            for op in reversed(block_operations(scratch)):
                op.detach()
                op.erase()

    def known(self, value: SSAValue, what: str) -> Sequence[int]:
        """The integers of an operand that says how to compute. Raises DiagnosticException where they are unknown."""
        if (integers := constant_integers(value)) is None:
            raise DiagnosticException(
                f"{label(self)}: {what} is not constant; run fold-constants first or make it one"
            )
        return integers

    def _decomposed(self, write: Writer) -> Sequence[SSAValue]:
        """All results of the decomposition."""
        results = self.decompose(write)
        return [results] if isinstance(results, SSAValue) else results

    def within(self, block: Block, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Writes the decomposition for operands, its own or others, at the end of a block. Returns its results."""
        write = SharingWriter(InsertPoint.at_end(block))
        if list(operands) == list(self.operands):
            return self._decomposed(write)
        clone = type(self).of(*operands, **self.properties)
        clone.attributes |= self.attributes  # messages name it
        results = clone._decomposed(write)
        clone.erase()
        return results


def is_real(value: SSAValue) -> bool:
    """Whether a tensor holds floating-point numbers."""
    return isinstance(tensor(value).element_type, AnyFloat)
