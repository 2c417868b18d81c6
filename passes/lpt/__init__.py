"""
`lpt`: low precision transformations, in four steps.

What each step is made of is in `steps`; a transformation is one file, and one line there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import Any, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects.qnn import FakeQuantizeOp
from ...dialects.walk import all_operations
from ..erase_unused import erase_all_dead
from ..errors import shown
from ..fold_constants import fold_constants
from ..instrumentation import apply_pass
from ..lpt_extensions import extensions
from ..quantized import is_quantized
from .cleanup.compute_codes_in_float import compute_codes_in_float
from .cleanup.erase_markup import erase_markup
from .config import DEFAULT, PRESETS, LptConfig, preset
from .config_file import KEYS, read_config
from .main.sweep import sweep
from .pattern import apply
from .plan import LptPlan
from .prerequisites.shift_weights import ShiftWeights
from .result_types import keep_result_types
from .steps import MAIN, MARKUP, PREREQUISITES, cleanup_pattern_sets, pattern_names
from .target import Target


def prerequisites(module: ModuleOp, config: LptConfig) -> None:
    """Step 1: all dequantization of the model becomes `qnn.dequantize`, with constants that are known."""
    erase_all_dead(module)  # what nobody reads is no other reader
    fold_constants(module)
    check_intervals(module)
    for patterns in PREREQUISITES:
        apply(patterns, module, config)
    erase_all_dead(module)


def check_intervals(module: ModuleOp) -> None:
    """
    Raises DiagnosticException for intervals that are none, which shows where constants had to be folded first: the
    model had them so.
    """
    for op in all_operations(module):
        if isinstance(op, FakeQuantizeOp):
            try:
                op.check_intervals()
            except VerifyException as error:
                raise DiagnosticException(str(error)) from error


def target_of(config: LptConfig, only: tuple[str, ...] = ()) -> Target:
    """The transformations of the main step. Raises DiagnosticException for a name that nothing has."""
    return Target.of(config, MAIN, extensions(), only, pattern_names())


def markup(module: ModuleOp, config: LptConfig) -> None:
    """
    Step 2: says, in attributes, which precisions are possible where. Weights without zero points become i8 also where
    only these attributes show that a product multiplies them by quantized data.
    """
    target = target_of(config)
    for mark in MARKUP:
        mark(module, target)
    apply((ShiftWeights(has_zero_points=False),), module, config)


def main(module: ModuleOp, config: LptConfig, only: tuple[str, ...] = ()) -> None:
    """Step 3: decomposes FakeQuantize and moves dequantization, as the markup plans it."""
    sweep(module, target_of(config, only), LptPlan.read(module, config))
    keep_result_types(module)


def cleanup(module: ModuleOp, config: LptConfig) -> None:
    """
    Step 4: fuses dequantization back where nothing used the codes, and writes out the rest. Folds what the main step
    wrote out of constants, and then what is behind a FakeQuantize that is one.
    """
    fold_constants(module)
    for patterns in cleanup_pattern_sets(config):
        apply(patterns, module, config)
    fold_constants(module)
    erase_all_dead(module)
    keep_result_types(module)
    if not config.update_precisions:
        compute_codes_in_float(module)
    erase_markup(module)


@dataclass(frozen=True)
class Configured(ModulePass):
    """
    A pass that follows a configuration: a preset (by default `cpu-x86`, or what a file names), a TOML file's changes
    to one, or the user's own.
    """

    preset: str | None = None
    config: LptConfig | str | None = field(default=None, metadata={"keys": tuple(KEYS)})

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raises ValueError where an option has no value: it would be as if nobody had given it."""
        for key, value in spec.parameters.items():
            if not value:
                raise ValueError(f"{cls.name}: {key} needs a value")
        return super().from_spec(spec)

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        """The pass as text, which has a name for a configuration of Python where it is a preset."""
        if not isinstance(self.config, LptConfig):
            return super().spec(include_default=include_default)
        named = next((name for name, one in PRESETS.items() if one == self.config), None)
        said = replace(self, preset=named, config=None if named else "LptConfig(…)")
        return said.spec(include_default=include_default)

    @property
    def chosen(self) -> LptConfig:
        """
        The configuration: given, or what a file makes of a preset, or a preset. Raises DiagnosticException where
        there is no such preset, the file is wrong, or what is given is neither a configuration nor a path.
        """
        given: Any = self.config
        if isinstance(given, LptConfig):
            return given
        if given is None:
            return preset(self.preset or DEFAULT)
        if isinstance(given, str | PathLike):
            return read_config(fspath(given), self.preset)
        raise DiagnosticException(
            f"{self.name}: config is {shown(given)}; give an LptConfig, or the path of a TOML file"
        )


class Lpt(Configured):
    """All four steps. A model that is not quantized stays as it is."""

    name = "lpt"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        _ = self.chosen  # one that is wrong is an error for every model
        if not is_quantized(op):
            return
        for step in (LptPrerequisites, LptMarkup, LptMain, LptCleanup):
            apply_pass(step(self.preset, self.config), ctx, op)


class LptPrerequisites(Configured):
    """Step 1: raise dequantization."""

    name = "lpt-prerequisites"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        prerequisites(op, self.chosen)


class LptMarkup(Configured):
    """Step 2: say, in attributes, which precisions are possible."""

    name = "lpt-markup"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        markup(op, self.chosen)


@dataclass(frozen=True)
class LptMain(Configured):
    """Step 3: decompose FakeQuantize and move dequantization; `only` the transformations named."""

    name = "lpt-main"

    only: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        main(op, self.chosen, self.only)


class LptCleanup(Configured):
    """Step 4: fuse or expand what is left."""

    name = "lpt-cleanup"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        cleanup(op, self.chosen)
