"""Recurrent operations other than the full LSTMs."""

from __future__ import annotations

from ..quant import PER_TENSOR
from .attributes import LstmKernelTypeAttr
from .operation import FLAG, INTEGER, MAYBE_FLAG, NUMBER, WORD, operation, opt_prop_def

_WEIGHTS = "input_to_input_weights, recurrent_to_input_weights, input_gate_bias, hidden_state"

BasicLstmOp = operation(
    "basic_lstm",
    "data_input, prev_activ_input, weights_input, biases_input, prev_state_input"
    " -> activ_output, state_output, concat_temp, activ_temp",
    table="LSTMOptions",
    builtin="LSTM",
    fused_activation_function=WORD,
    cell_clip=NUMBER,
    proj_clip=NUMBER,
    kernel_type=opt_prop_def(LstmKernelTypeAttr),
    asymmetric_quantize_inputs=MAYBE_FLAG,
)
"""An LSTM of the `BASIC` kernel, which has one matrix of weights."""

SvdfOp = operation(
    "svdf",
    "input, feature_weights, time_weights, input_gate_bias, activation_state -> output",
    codes_version=3,
    rank=INTEGER,
    fused_activation_function=WORD,
    asymmetric_quantize_inputs=MAYBE_FLAG,
    weights={"feature_weights": PER_TENSOR},
    dynamic_range=True,
)
RnnOp = operation(
    "rnn",
    f"input, {_WEIGHTS} -> output",
    fused_activation_function=WORD,
    asymmetric_quantize_inputs=MAYBE_FLAG,
)
UnidirectionalSequenceRnnOp = operation(
    "unidirectional_sequence_rnn",
    f"input, {_WEIGHTS} -> output",
    table="SequenceRNNOptions",
    fused_activation_function=WORD,
    time_major=FLAG,
    asymmetric_quantize_inputs=MAYBE_FLAG,
)
BidirectionalSequenceRnnOp = operation(
    "bidirectional_sequence_rnn",
    "input, fw_weights, fw_recurrent_weights, fw_bias, fw_hidden_state, bw_weights, bw_recurrent_weights, bw_bias, "
    "bw_hidden_state, aux_input, fw_aux_weights, bw_aux_weights -> outputs*",
    fused_activation_function=WORD,
    time_major=FLAG,
    merge_outputs=FLAG,
    asymmetric_quantize_inputs=MAYBE_FLAG,
)
