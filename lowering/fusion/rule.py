"""What all rules of fusion are."""

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, TypeVar, get_args

from xdsl.ir import Operation

from ...dialects import kernel

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

    @abstractmethod
    def apply(self, op: OpT) -> bool:
        """Rewrites where the law holds for `op`, and says whether it did."""


class MovementRule(FusionRule[kernel.MapOp]):
    """A law about data movement (`is_data_movement`); it is offered nothing else."""
