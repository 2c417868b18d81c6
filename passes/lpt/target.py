"""What LPT works toward: a configuration and the transformations that it enables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from xdsl.utils.exceptions import DiagnosticException

from .config import LptConfig
from .transformation import Transformation


@dataclass(frozen=True)
class Target:
    """A configuration, and the transformations of the main step in their order."""

    config: LptConfig
    transformations: tuple[Transformation[Any], ...]

    @classmethod
    def of(
        cls, config: LptConfig, known: Sequence[Transformation[Any]], only: Sequence[str] = ()
    ) -> Self:
        """
        Of the known transformations and the user's, those not disabled; with `only`, just these.

        Raises DiagnosticException where a name is of none of them.
        """
        every = (*known, *config.additional)
        names = list(dict.fromkeys(one.name for one in every))
        for name in (*config.disabled, *only):
            if name not in names:
                raise DiagnosticException(
                    f"lpt has no transformation '{name}'; there is {', '.join(names)}"
                )
        wanted = set(only or names) - config.disabled
        return cls(config, tuple(one for one in every if one.name in wanted))
