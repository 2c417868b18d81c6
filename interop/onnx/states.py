"""The note in an ONNX model of which of its inputs and outputs are states, as `exporter/states.py` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ...dialects import context, infra
from ..mlir import parse_module

STATES = "lowstream.states"
"""The metadata key of the note."""

NEXT = "/next"
"""The suffix of the output that gives the next value of a state."""

SET = "/is_set"
"""The suffix of the input that says whether a state is set."""


@dataclass
class StatePorts:
    """
    One state: its declaration, the input of its value before a call, the output of that after it, and the input that
    says whether it is set, if there is one.
    """

    variable: str
    input: str
    output: str
    is_set: str

    def declared(self) -> infra.VariableOp:
        """The declaration as an operation. Raises DiagnosticException where it is not valid."""
        module = parse_module(self.variable, f"metadata '{STATES}'", context())
        (op,) = module.ops
        op.detach()
        assert isinstance(op, infra.VariableOp)
        return op

    def read(self, block: Block, init: SSAValue) -> SSAValue:
        """Appends a read: the value before a call, or `init` where the state is not set."""
        variable = self.declared()
        read = infra.ReadValueOp(variable.sym_name.data, init, variable.type)
        block.add_op(read)
        return read.result

    def assign(self, block: Block, value: SSAValue) -> None:
        """Appends an assign of the value after a call."""
        block.add_op(infra.AssignOp(self.declared().sym_name.data, value))


def noted(metadata: Iterable[Any]) -> list[StatePorts]:
    """The states that a model's metadata notes. Raises DiagnosticException where the note cannot be read."""
    text = next((entry.value for entry in metadata if entry.key == STATES), "[]")
    try:
        states = [StatePorts(**fields) for fields in json.loads(text)]
        for state in states:
            state.declared()
    except (ValueError, TypeError, AssertionError, ParseError, DiagnosticException):
        raise DiagnosticException(
            f"metadata '{STATES}' does not list states; write the model again, or remove the entry"
        ) from None
    return states
