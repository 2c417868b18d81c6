"""The plan of `lpt-main`: the markup, read once; the rewrites that follow cannot change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.infra import AssignOp, ReadValueOp
from ...dialects.walk import all_operations
from ..quantized import quantizes_weights_only
from .attributes import (
    BIAS,
    MARKUP,
    alignment_of,
    has,
    per_tensor_of,
    precisions_of,
    preserves_precision,
)
from .config import LptConfig
from .precision import Alignment


@dataclass(frozen=True)
class OperationMarkup:
    """The attributes of one operation."""

    precisions: Mapping[str, tuple[IntegerType, ...]]
    per_tensor: frozenset[str]
    keeps_codes: bool
    alignment: Alignment | None


@dataclass(frozen=True)
class LptPlan:
    """
    The configuration, the attributes of every operation that has some, the uses of every state, and whether the model
    quantizes its weights only.
    """

    config: LptConfig
    markup: Mapping[Operation, OperationMarkup]
    states: Mapping[str, Sequence[ReadValueOp | AssignOp]] = field(
        default_factory=dict[str, Sequence[ReadValueOp | AssignOp]]
    )
    weights_only: bool = False

    @classmethod
    def read(cls, module: ModuleOp, config: LptConfig) -> Self:
        """The plan that a module's attributes express."""
        markup = {
            op: OperationMarkup(
                precisions_of(op),
                per_tensor_of(op),
                preserves_precision(op),
                alignment_of(op),
            )
            for op in all_operations(module)
            if not op.attributes.keys().isdisjoint(MARKUP)
        }
        states: dict[str, list[ReadValueOp | AssignOp]] = {}
        for op in all_operations(module):
            if isinstance(op, ReadValueOp | AssignOp):
                states.setdefault(op.variable.string_value(), []).append(op)
        return cls(config, markup, states, quantizes_weights_only(module))

    def given_to(self, state: str) -> list[SSAValue]:
        """All values that a state may have: assigned and initial ones."""
        return [op.operands[0] for op in self.states.get(state, ())]

    def precisions(self, op: Operation, port: str) -> tuple[IntegerType, ...] | None:
        """The types that this port may have; None if it is unrestricted."""
        markup = self.markup.get(op)
        return None if markup is None else markup.precisions.get(port)

    def types_of(self, op: Operation) -> Sequence[IntegerType]:
        """The types that the codes of a FakeQuantize may have."""
        allowed = self.precisions(op, "output0")
        return self.config.default_precisions if allowed is None else allowed

    def needs_per_tensor(self, op: Operation, port: str) -> bool:
        """Whether this input must have one scale."""
        return op in self.markup and port in self.markup[op].per_tensor

    def is_bias(self, op: Operation) -> bool:
        """Whether the operation adds a bias."""
        return has(op, BIAS)

    def keeps_codes(self, op: Operation) -> bool:
        """Whether the results of this operation have the type of its codes."""
        return op in self.markup and self.markup[op].keeps_codes

    def alignment(self, op: Operation) -> Alignment | None:
        """The interval that a FakeQuantize shares with others; None if it has its own."""
        return self.markup[op].alignment if op in self.markup else None
