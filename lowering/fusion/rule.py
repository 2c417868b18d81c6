"""What all rules of fusion are."""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, Self, TypeVar, get_args

from xdsl.ir import Operation

from ...dialects import kernel
from ..machine import Isa

OpT = TypeVar("OpT", bound=Operation)


class FusionRule(ABC, Generic[OpT]):
    """
    A law about a kernel, its producers and its readers: the class states it, and `apply`'s guards are the law. It is
    offered operations of the kinds that `FusionRule[…]` names.
    """

    operations: ClassVar[tuple[type[Operation], ...]]

    def __init_subclass__(cls) -> None:
        (base,) = cls.__orig_bases__  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
        (kind,) = get_args(base)
        cls.operations = get_args(kind) or (kind,)

    def on(self, isa: Isa) -> Self:
        """The rule as it is for an instruction set: the same for each, unless it says otherwise."""
        del isa
        return self

    @abstractmethod
    def apply(self, op: OpT) -> bool:
        """Rewrites where the law holds for `op`, and says whether it did."""


class MovementRule(FusionRule[kernel.MapOp]):
    """A law about data movement (`is_data_movement`); it is offered nothing else."""
