"""A LiteRT model in memory, as its file has it: subgraphs of operators over tensors. Tests make and read such files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lowstream.passes.nn_to_tfl.tensors import TensorQuantization

if TYPE_CHECKING:
    from lowstream.reference.arrays import Array

Options = Mapping[str, Any]
"""The options of an operator, by the names of LiteRT's schema (`strideW`, `keepDims`)."""


@dataclass(eq=False)
class Tensor:
    """
    A value of a subgraph; one with `data` is constant, a `variable` keeps its contents between calls.

    `element` is NumPy's name of its type (`float32`, `bool`), or `resource`.
    """

    shape: tuple[int, ...]
    element: str
    name: str = ""
    data: Array | None = None
    quantization: TensorQuantization | None = None
    variable: bool = False

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)


@dataclass(eq=False)
class Operator:
    """An application of a builtin (`CONV_2D`) or a custom operation; None stands for an absent operand."""

    builtin: str
    inputs: Sequence[Tensor | None]
    outputs: Sequence[Tensor]
    options: Options = field(default_factory=dict[str, Any])
    intermediates: Sequence[Tensor] = ()
    custom: str = ""
    custom_options: bytes = b""


@dataclass(eq=False)
class Subgraph:
    """Operators in the order in which they run."""

    name: str
    inputs: list[Tensor] = field(default_factory=list[Tensor])
    outputs: list[Tensor] = field(default_factory=list[Tensor])
    operators: list[Operator] = field(default_factory=list[Operator])

    def tensors(self) -> list[Tensor]:
        """Every tensor, once, inputs first."""
        found: dict[Tensor, None] = dict.fromkeys(self.inputs)
        for operator in self.operators:
            for tensor in (*operator.inputs, *operator.outputs, *operator.intermediates):
                if tensor is not None:
                    found[tensor] = None
        found.update(dict.fromkeys(self.outputs))
        return list(found)


@dataclass(frozen=True)
class Signature:
    """The names by which users give inputs and take outputs of a subgraph."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    key: str = "serving_default"


@dataclass(eq=False)
class Graph:
    """A model: its first subgraph is what a call runs, `signature` names the inputs and outputs of that."""

    subgraphs: list[Subgraph]
    signature: Signature | None = None
