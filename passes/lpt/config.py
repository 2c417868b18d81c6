"""What a target can compute in low precision, as data: the configuration of LPT and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerType, i8
from xdsl.utils.exceptions import DiagnosticException

from .precision import ui8

if TYPE_CHECKING:
    from .transformation import Transformation


@dataclass(frozen=True)
class PrecisionsRestriction:
    """The 8-bit types that one input of an operation takes, the preferred one first."""

    operation: str
    port: int
    precisions: tuple[IntegerType, ...]


@dataclass(frozen=True)
class PerTensorRestriction:
    """An input of an operation that must have one scale and one zero point."""

    operation: str
    port: int


@dataclass(frozen=True)
class LptConfig:
    """
    What LPT may do. `operation` is a name as printed, `nn.mat_mul`.

    precisions             what the inputs of operations take
    per_tensor             which inputs need one scale
    default_precisions     what a FakeQuantize may become where no consumer restricts it
    disabled               transformations to leave out, by name
    additional             transformations that join the main step, after ours
    """

    precisions: tuple[PrecisionsRestriction, ...] = ()
    per_tensor: tuple[PerTensorRestriction, ...] = ()
    default_precisions: tuple[IntegerType, ...] = (ui8, i8)
    disabled: frozenset[str] = frozenset()
    additional: tuple[Transformation[Any], ...] = ()


WEIGHTS = {
    "rnn.lstm_cell": (3, 4),
    "rnn.gru_cell": (2, 3),
    "rnn.rnn_cell": (2, 3),
    "rnn.lstm_sequence": (4, 5),
    "rnn.gru_sequence": (3, 4),
    "rnn.rnn_sequence": (3, 4),
}
"""Where recurrent operations take W and R; X and H come first."""


def recurrent(*data: IntegerType) -> tuple[PrecisionsRestriction, ...]:
    """What recurrent operations take where their products take these for data, and i8 for weights."""
    return tuple(
        PrecisionsRestriction(operation, port, precisions)
        for operation, weights in WEIGHTS.items()
        for ports, precisions in (((0, 1), data), (weights, (i8,)))
        for port in ports
    )


PRODUCTS = (
    "nn.mat_mul",
    "nn.convolution",
    "nn.group_convolution",
    "nn.convolution_backprop_data",
    "nn.group_convolution_backprop_data",
)
"""What multiplies data by weights, inputs 0 and 1."""


PRESETS = {
    "cpu-x86": LptConfig(
        precisions=(
            PrecisionsRestriction("nn.mat_mul", 0, (ui8, i8)),
            PrecisionsRestriction("nn.mat_mul", 1, (i8,)),
            PrecisionsRestriction("nn.convolution", 0, (ui8,)),
            PrecisionsRestriction("nn.convolution", 1, (i8,)),
            PrecisionsRestriction("nn.group_convolution", 0, (ui8,)),
            PrecisionsRestriction("nn.group_convolution", 1, (i8,)),
            PrecisionsRestriction("nn.convolution_backprop_data", 0, (ui8, i8)),
            PrecisionsRestriction("nn.convolution_backprop_data", 1, (i8,)),
            PrecisionsRestriction("nn.group_convolution_backprop_data", 0, (ui8, i8)),
            PrecisionsRestriction("nn.group_convolution_backprop_data", 1, (i8,)),
            *recurrent(ui8, i8),
        ),
        per_tensor=(
            PerTensorRestriction("nn.convolution", 0),
            PerTensorRestriction("nn.convolution_backprop_data", 0),
        ),
        disabled=frozenset({"multiply_to_group_convolution"}),
    ),
    "all": LptConfig(
        precisions=(
            *(PrecisionsRestriction(operation, 0, (ui8, i8)) for operation in PRODUCTS),
            *(PrecisionsRestriction(operation, 1, (i8,)) for operation in PRODUCTS),
            *recurrent(ui8, i8),
        ),
    ),
}
"""Configurations by name: what a CPU computes, and `all` that the laws allow."""


def preset(name: str) -> LptConfig:
    """The configuration of this name. Raises DiagnosticException where there is none."""
    if name not in PRESETS:
        raise DiagnosticException(f"lpt has no preset '{name}'; there is {', '.join(PRESETS)}")
    return PRESETS[name]
