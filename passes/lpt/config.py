"""What a target can compute in low precision, as data: the configuration of LPT and its presets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, f32, i8
from xdsl.ir import Dialect, Operation
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.nn import Nn
from ...dialects.rnn import Rnn
from ...dialects.traits import multiplied
from .precision import ui8

if TYPE_CHECKING:
    from .transformation import Transformation


@dataclass(frozen=True)
class PrecisionsRestriction:
    """
    The 8-bit types that one input of an operation takes, the preferred one first; none: it takes values only.

    `rank` limits this to operations whose first input has so many dimensions, and goes before what holds for all.
    """

    operation: str
    port: int
    precisions: tuple[IntegerType, ...]
    rank: int | None = None


@dataclass(frozen=True)
class PerTensorRestriction:
    """An input of an operation that must have one scale and one zero point."""

    operation: str
    port: int


@dataclass(frozen=True)
class Callback:
    """
    What decides, operation by operation, where a transformation stays away: where `skips` says so.

        Callback("convolution", is_asymmetric_quantization)
    """

    transformation: str
    skips: Callable[[Operation], bool]


@dataclass(frozen=True)
class LptConfig:
    """
    What LPT may do. `operation` is a name as printed, `nn.mat_mul`.

    precisions                what the inputs of operations take
    per_tensor                which inputs need one scale
    default_precisions        what a FakeQuantize may become where no consumer restricts it
    update_precisions         whether codes get types of 8 bits; else they are computed in floating point, to debug
    dequantization_precision  what dequantization is computed in, f32 or f64; values in f64 always are in f64
    disabled                  transformations to leave out, by name, those of the first and the last step too
    callbacks                 what keeps a transformation from some operations
    additional                transformations that join the main step, after ours and those that are registered
    """

    precisions: tuple[PrecisionsRestriction, ...] = ()
    per_tensor: tuple[PerTensorRestriction, ...] = ()
    default_precisions: tuple[IntegerType, ...] = (ui8, i8)
    update_precisions: bool = True
    dequantization_precision: Float32Type | Float64Type = f32
    disabled: frozenset[str] = frozenset()
    callbacks: tuple[Callback, ...] = ()
    additional: tuple[Transformation[Any], ...] = ()

    @property
    def title(self) -> str:
        """What reasons call it: `preset 'cpu-arm'`; `the configuration` where it is like none of these."""
        same = next((name for name, one in PRESETS.items() if one == self), None)
        return "the configuration" if same is None else f"preset '{same}'"

    def taken(self, operation: str, rank: int) -> dict[int, tuple[IntegerType, ...]]:
        """By port, what the inputs of an operation take, whose first input has so many dimensions."""
        about = [one for one in self.precisions if one.operation == operation]
        general = {one.port: one.precisions for one in about if one.rank is None}
        return general | {one.port: one.precisions for one in about if one.rank == rank}

    def leaves_out(self, transformation: str, op: Operation) -> bool:
        """Whether a transformation is disabled, or a callback keeps it from this operation."""
        return transformation in self.disabled or self.skips(transformation, op)

    def skips(self, transformation: str, op: Operation) -> bool:
        """Whether a callback keeps a transformation from this operation."""
        return any(one.transformation == transformation and one.skips(op) for one in self.callbacks)


ATTENTION = "nn.scaled_dot_product_attention"


def product(operation: str, *data: IntegerType) -> tuple[PrecisionsRestriction, ...]:
    """What an operation takes whose first two inputs are multiplied: these for data, and i8 for weights."""
    ports = enumerate((data, (i8,)))
    return tuple(PrecisionsRestriction(operation, port, precisions) for port, precisions in ports)


def products(dialect: Dialect, *data: IntegerType) -> tuple[PrecisionsRestriction, ...]:
    """What the operations of a dialect take where their products take these for data, and i8 for weights."""
    return tuple(
        PrecisionsRestriction(operation.name, port, precisions)
        for operation in dialect.operations
        for ports in multiplied(operation)
        for port, precisions in zip(ports, (data, (i8,)), strict=True)
    )


BEYOND = frozenset({"clip_codes", "mat_mul_zero_points"})
"""Transformations without a like in OpenVINO, whose CPU plugin computes in floating point what they are about."""

PRESETS = {
    "cpu-x86": LptConfig(
        precisions=(
            *product("nn.mat_mul", ui8, i8),
            *product(ATTENTION, ui8, i8),
            *product("nn.convolution", ui8),
            *product("nn.group_convolution", ui8),
            PrecisionsRestriction("nn.group_convolution", 0, (ui8, i8), rank=5),
            *product("nn.convolution_backprop_data", ui8, i8),
            *product("nn.group_convolution_backprop_data", ui8, i8),
            *products(Rnn, ui8, i8),
        ),
        per_tensor=(
            PerTensorRestriction("nn.convolution", 0),
            PerTensorRestriction("nn.convolution_backprop_data", 0),
        ),
        disabled=BEYOND | {"multiply_to_group_convolution"},
    ),
    "cpu-arm": LptConfig(
        precisions=(*product("nn.mat_mul", i8), *product(ATTENTION, i8)),
        disabled=BEYOND
        | frozenset(
            {
                "avg_pool",
                "column_scales",
                "convolution",
                "convolution_backprop_data",
                "group_convolution",
                "group_convolution_backprop_data",
                "interpolate",
                "max_pool",
                "multiply_to_group_convolution",
                "mvn",
                "normalize_l2",
                "recurrent_cell",
                "reduce_max",
                "reduce_mean",
                "reduce_min",
                "reduce_sum",
                "weights_zero_point",
            }
        ),
    ),
    "all": LptConfig(
        precisions=(
            *products(Nn, ui8, i8),
            *product(ATTENTION, ui8, i8),
            *products(Rnn, ui8, i8),
        ),
    ),
}
"""
Configurations by name: what OpenVINO computes in 8 bits on a CPU; `cpu-x86-exact`, also what is exact beside that; and
`all` that the laws allow. OpenVINO's kernels on Arm multiply
matrices of i8, and compute convolutions, pooling, reductions and recurrent layers in floating point.
"""

PRESETS["cpu-x86-exact"] = replace(
    PRESETS["cpu-x86"], disabled=PRESETS["cpu-x86"].disabled - BEYOND
)

DEFAULT = "cpu-x86"
"""The preset where none is named."""

COMPILED = "cpu-x86-exact"
"""The preset with which a quantized model is compiled where no passes are named."""


def preset(name: str) -> LptConfig:
    """The configuration of this name. Raises DiagnosticException where there is none."""
    if name not in PRESETS:
        raise DiagnosticException(f"lpt has no preset '{name}'; there is {', '.join(PRESETS)}")
    return PRESETS[name]
