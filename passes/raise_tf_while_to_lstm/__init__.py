"""
`raise-tf-while-to-lstm`: loops that compute a recurrent layer become that layer.

Keras 3 writes its layers as plain `tf.While`, without annotation. `legalize-tf-to-nn` makes iterators of them; here
their bodies are read as formulas, and those of an LSTM, a GRU or a simple RNN become `rnn` sequences, whoever
wrote them and in whatever order the sums stand.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects import infra
from ...dialects.walk import all_operations
from .raising import raised


class RaiseTfWhileToLstm(ModulePass):
    """
    `h', c' = body(x_t, h, c)` for all steps is `rnn.lstm_sequence`, where the body computes an LSTM's step; so with
    `rnn.gru_sequence` and `rnn.rnn_sequence`.

    - Gates may come from one product or several, in any order; activations are those that `rnn` has.
    - With a mask, steps that do not count are left out before and put back after (the number of steps must be known).
    - An iterator that computes, or gives, anything else stays.
    """

    name = "raise-tf-while-to-lstm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in all_operations(op):
            if isinstance(each, infra.LoopOp | infra.TensorIteratorOp) and each.parent is not None:
                raised(each)
