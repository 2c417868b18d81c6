"""What all rules of fusion are."""

from abc import ABC, abstractmethod

from xdsl.ir import Operation


class FusionRule(ABC):
    """A law about a kernel, its producers and its readers: the class states it, and `apply`'s guards are the law."""

    @abstractmethod
    def apply(self, op: Operation) -> bool:
        """Rewrites where the law holds for `op`, and says whether it did."""
