"""One step of a recurrent layer: LSTM, GRU and simple cells."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from ..inferred import Constants, tensor
from ..names import Names
from ..operation import op_definition
from .recurrent import GruOp, LstmOp, RecurrentOp, RnnOp, StateOp


class CellOp(RecurrentOp, ABC):
    """One step of a recurrent layer."""

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        """The types of the new states, one like each old one. Raises VerifyException where sizes differ."""
        self.check_attributes()
        x, *states, w, r, b = self.operands
        hidden, rows = self.hidden_size.value.data, self.GATES * self.hidden_size.value.data
        batch, inputs = self.size(x, "X", 2)
        for name, state in zip("HC", states, strict=False):
            self.match(state, name, (batch, hidden))
        self.match(w, "W", (rows, inputs))
        self.match(r, "R", (rows, hidden))
        self.match(b, "B", (self.bias_parts * hidden,))
        return [TensorType(tensor(x).element_type, [batch, hidden]) for _ in states]


@op_definition
class LstmCellOp(StateOp, LstmOp, CellOp):
    """
    One LSTM step, gates in the order f, i, c, o:

    `C' = f(xW+hR+b)_f * C + f(..)_i * g(..)_c;  H' = f(..)_o * h(C')`

    `cell_clip` limits C' to [-cell_clip, cell_clip], as LiteRT's LSTMs do; 0 is no limit.

        %h, %c = rnn.lstm_cell %x, %h0, %c0, %w, %r, %b {hidden_size = 4 : i64}
            : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<16x3xf32>,
               tensor<16x4xf32>, tensor<16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    """

    name = "rnn.lstm_cell"
    NAMES: ClassVar = Names("LSTMCell-4")


@op_definition
class GruCellOp(StateOp, GruOp, CellOp):
    """
    One GRU step, gates in the order z, r, h:

    `H' = (1 - z) * g(x W_h + (r * h) R_h + b_h) + z * h`; with `linear_before_reset` the reset gate
    multiplies `h R_h + b_rh` instead, and B has a fourth part.

        %h = rnn.gru_cell %x, %h0, %w, %r, %b {hidden_size = 4 : i64}
            : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<12x3xf32>, tensor<12x4xf32>,
               tensor<12xf32>) -> tensor<2x4xf32>
    """

    name = "rnn.gru_cell"
    NAMES: ClassVar = Names("GRUCell-3")


@op_definition
class RnnCellOp(StateOp, RnnOp, CellOp):
    """
    One step of a simple recurrent layer: `H' = f(xW + hR + b)`

        %h = rnn.rnn_cell %x, %h0, %w, %r, %b {hidden_size = 4 : i64}
            : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<4x3xf32>, tensor<4x4xf32>,
               tensor<4xf32>) -> tensor<2x4xf32>
    """

    name = "rnn.rnn_cell"
    NAMES: ClassVar = Names("RNNCell-1")
