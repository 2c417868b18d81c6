"""What LPT works toward: a configuration and the transformations that it enables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from .config import LptConfig
from .names import similar_transformations, why_no_effect
from .transformation import Transformation


@dataclass(frozen=True)
class Target:
    """A configuration, and the transformations of the main step in their order; apart, those it disables."""

    config: LptConfig
    transformations: tuple[Transformation[Any], ...]
    disabled: tuple[Transformation[Any], ...] = ()

    def is_about(self, op: Operation) -> bool:
        """Whether a transformation is about operations of this kind."""
        return type(op) in self.kinds

    def gives_values(self, op: Operation) -> bool:
        """Whether an operation of a kind that preserves precision gives values between codes nevertheless."""
        about = [one for one in self.transformations if one.op is type(op)]
        return any(one.preserves_precision for one in about) and not any(
            one.preserves(op) for one in about
        )

    @cached_property
    def kinds(self) -> frozenset[type[Operation]]:
        """What the transformations are about."""
        return frozenset(one.op for one in self.transformations)

    @classmethod
    def of(
        cls,
        config: LptConfig,
        known: Sequence[Transformation[Any]],
        added: Sequence[Transformation[Any]] = (),
        only: Sequence[str] = (),
        elsewhere: Iterable[str] = (),
    ) -> Self:
        """
        Of the known transformations, those added and the configuration's, all that are not disabled; with `only`,
        just these. There are others `elsewhere`, in the first and the last step, that can be disabled, too.

        Raises DiagnosticException where a name is of none of them, or of two.
        """
        every = (*known, *added, *config.additional)
        names = [one.name for one in every]
        _distinct(names[len(known) :], names)
        _known(
            (*config.disabled, *(one.transformation for one in config.callbacks)),
            [*names, *elsewhere],
        )
        _known(only, names)
        about = {one.op.name for one in every}
        for restriction in (*config.precisions, *config.per_tensor):
            if why := why_no_effect(restriction.operation, restriction.port, about):
                raise DiagnosticException(f"lpt: {why}")
        wanted = [one for one in every if one.name in (only or names)]
        return cls(
            config,
            tuple(one for one in wanted if one.name not in config.disabled),
            tuple(one for one in wanted if one.name in config.disabled),
        )


def _distinct(added: Iterable[str], names: Iterable[str]) -> None:
    count = Counter(names)
    for name in added:
        if count[name] > 1:
            raise DiagnosticException(
                f"lpt has two transformations '{name}'; give the one that was added another name"
            )


def _known(chosen: Iterable[str], names: Iterable[str]) -> None:
    for name in chosen:
        if name not in names:
            near = ", ".join(similar_transformations(name, {*names}))
            raise DiagnosticException(f"lpt has no transformation '{name}'; there is {near}")
