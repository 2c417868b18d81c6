"""Recurrent layers over whole sequences."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Attribute, OpResult
from xdsl.irdl import Operand, base, operand_def, result_def

from ..inferred import Constants, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import word_prop
from .cells import CellOp, GruCellOp, LstmCellOp, RnnCellOp
from .recurrent import FLOATS, GruOp, LstmOp, RecurrentOp, RnnOp, StateOp

DIRECTIONS = ("forward", "reverse", "bidirectional")
"""In which order a sequence may be read."""


class SequenceOp(RecurrentOp, ABC):
    """
    A recurrent layer over a sequence, in one direction or both; `CELL` is one step of it.

    `sequence_lengths` says how many steps of each batch entry count: later outputs are zero, the last states are those
    of the last step that counts, and `reverse` starts at it.
    """

    CELL: ClassVar[type[CellOp]]

    if TYPE_CHECKING:  # each has them in its own order of operands and results
        x: Operand
        h: Operand
        y: OpResult
        h_next: OpResult

    sequence_lengths = operand_def(TensorType.constr(base(IntegerType)))
    direction = word_prop("forward")

    @property
    def directions(self) -> int:
        """How many directions the sequence is read in."""
        return 2 if self.direction.data == "bidirectional" else 1

    @property
    def state_count(self) -> int:
        """How many states each direction carries (H, of an LSTM also C): operands and results from number 1."""
        return len(self.results) - 1

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        """The types of the outputs and of the last states. Raises VerifyException where sizes differ."""
        self.check_attributes()
        if self.direction.data not in DIRECTIONS:
            raise self.op_error(
                f"direction '{self.direction.data}' is none of {', '.join(DIRECTIONS)}"
            )
        x, *states, sequence_lengths, w, r, b = self.operands
        directions, hidden = self.directions, self.hidden_size.value.data
        batch, steps, inputs = self.size(x, "X", 3)
        for name, state in zip("HC", states, strict=False):
            self.match(state, name, (batch, directions, hidden))
        self.match(sequence_lengths, "sequence_lengths", (batch,))
        self.match(w, "W", (directions, self.GATES * hidden, inputs))
        self.match(r, "R", (directions, self.GATES * hidden, hidden))
        self.match(b, "B", (directions, self.bias_parts * hidden))
        element = tensor(x).element_type
        last: list[Attribute] = [TensorType(element, [batch, directions, hidden]) for _ in states]
        return [TensorType(element, [batch, directions, steps, hidden]), *last]


@op_definition
class LstmSequenceOp(StateOp, LstmOp, SequenceOp):
    """
    `rnn.lstm_cell` over a sequence.

        %y, %h, %c = rnn.lstm_sequence %x, %h0, %c0, %lengths, %w, %r, %b {hidden_size = 4 : i64}
            : (tensor<2x5x3xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>,
               tensor<2xi64>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x16xf32>)
            -> (tensor<2x1x5x4xf32>, tensor<2x1x4xf32>, tensor<2x1x4xf32>)
    """

    name = "rnn.lstm_sequence"
    NAMES: ClassVar = Names(
        "LSTMSequence-5", "", "UNIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_LSTM", "LSTM-22"
    )
    CELL: ClassVar[type[CellOp]] = LstmCellOp

    y = result_def(FLOATS)


@op_definition
class GruSequenceOp(StateOp, GruOp, SequenceOp):
    """
    `rnn.gru_cell` over a sequence.

        %y, %h = rnn.gru_sequence %x, %h0, %lengths, %w, %r, %b {hidden_size = 4 : i64}
            : (tensor<2x5x3xf32>, tensor<2x1x4xf32>, tensor<2xi64>,
               tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x12xf32>) -> (tensor<2x1x5x4xf32>, tensor<2x1x4xf32>)
    """

    name = "rnn.gru_sequence"
    NAMES: ClassVar = Names("GRUSequence-5", "", "", "GRU-22")
    CELL: ClassVar[type[CellOp]] = GruCellOp

    y = result_def(FLOATS)


@op_definition
class RnnSequenceOp(StateOp, RnnOp, SequenceOp):
    """
    `rnn.rnn_cell` over a sequence.

        %y, %h = rnn.rnn_sequence %x, %h0, %lengths, %w, %r, %b {hidden_size = 4 : i64}
            : (tensor<2x5x3xf32>, tensor<2x1x4xf32>, tensor<2xi64>,
               tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x4xf32>) -> (tensor<2x1x5x4xf32>, tensor<2x1x4xf32>)
    """

    name = "rnn.rnn_sequence"
    NAMES: ClassVar = Names("RNNSequence-5", onnx="RNN-22")
    CELL: ClassVar[type[CellOp]] = RnnCellOp

    y = result_def(FLOATS)
