"""
The version of our IR: a saved module says it, and one of an older version is upgraded when it is read.

    builtin.module attributes {infra.ir_version = 1 : i64} { … }

A module that says none is of the current version, as people write it. `docs/versions.md` says what a version
promises, and when it changes.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

IR_VERSION = "infra.ir_version"
"""The attribute of a saved module."""

HEADER = 1000
"""The version of a module stands within so many characters from the beginning of its text."""


@dataclass(frozen=True)
class Upgrade:
    """
    What leads from one version to the next.

    renamed   operations by their former names; these are read in every text, for a name is never used again
    patterns  what rewrites a module of a former version; it is not verified before
    """

    renamed: dict[str, str] = field(default_factory=dict[str, str])
    patterns: tuple[RewritePattern, ...] = ()


UPGRADES: tuple[Upgrade, ...] = ()
"""In order; the first one leads from version 1 to version 2."""


def current_version() -> int:
    """The version that modules are saved in."""
    return 1 + len(UPGRADES)


def name_now(operation: str) -> str:
    """The current name of an operation, by a name that it has or had."""
    for upgrade in UPGRADES:
        operation = upgrade.renamed.get(operation, operation)
    return operation


def version_in(text: str) -> int:
    """The version that the beginning of a text says, without parsing it; the current one where it says none."""
    said = re.search(rf"{re.escape(IR_VERSION)} = (\d+)", text[:HEADER])
    return int(said[1]) if said else current_version()


def too_new(version: int) -> str:
    """Why a module of this version cannot be read."""
    return (
        f"the module is of IR version {version}, and this lowstream reads versions up to {current_version()}; "
        "install a newer one"
    )


def upgrade(module: ModuleOp) -> None:
    """
    Brings a module that was just read to the current version, which it then no longer says.

    Raises DiagnosticException where its version is none, or one that is still to come.
    """
    said = module.attributes.pop(IR_VERSION, None)
    if said is None:
        return
    version = said.value.data if isinstance(said, IntegerAttr) else 0
    if version < 1:
        raise DiagnosticException(
            f"{IR_VERSION} is {said}; it must be a number from 1 to {current_version()}"
        )
    if version > current_version():
        raise DiagnosticException(too_new(version))
    _apply(module, UPGRADES[version - 1 :])


def _apply(module: ModuleOp, upgrades: Sequence[Upgrade]) -> None:
    from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

    for each in upgrades:
        applied = GreedyRewritePatternApplier(list(each.patterns))
        PatternRewriteWalker(applied).rewrite_module(module)


@contextmanager
def saying_version(module: ModuleOp) -> Generator[None]:
    """Inside, a module carries its version, so that it can be written to a file."""
    module.attributes[IR_VERSION] = IntegerAttr(current_version(), i64)
    try:
        yield
    finally:
        del module.attributes[IR_VERSION]
