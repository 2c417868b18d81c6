"""What LPT works toward: a configuration and the transformations that it enables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from .config import LptConfig
from .transformation import Transformation


@dataclass(frozen=True)
class Target:
    """A configuration, and the transformations of the main step in their order."""

    config: LptConfig
    transformations: tuple[Transformation[Any], ...]

    def is_about(self, op: Operation) -> bool:
        """Whether a transformation is about operations of this kind."""
        return type(op) in self.kinds

    @cached_property
    def kinds(self) -> frozenset[type[Operation]]:
        """What the transformations are about."""
        return frozenset(one.op for one in self.transformations)

    @classmethod
    def of(
        cls,
        config: LptConfig,
        known: Sequence[Transformation[Any]],
        only: Sequence[str] = (),
        elsewhere: Sequence[str] = (),
    ) -> Self:
        """
        Of the known transformations and the user's, those not disabled; with `only`, just these. There are
        others `elsewhere`, in the first and the last step, that can be disabled, too.

        Raises DiagnosticException where a name is of none of them.
        """
        every = (*known, *config.additional)
        names = [one.name for one in every]
        for chosen, given in ((config.disabled, [*names, *elsewhere]), (only, names)):
            for name in chosen:
                if name not in given:
                    raise DiagnosticException(
                        f"lpt has no transformation '{name}'; there is {', '.join(sorted({*given}))}"
                    )
        wanted = set(only or names) - config.disabled
        return cls(config, tuple(one for one in every if one.name in wanted))
