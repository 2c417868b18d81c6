"""
`legalize-tfl-to-rnn`: LiteRT's LSTMs as `rnn` and `nn`.

An LSTM without peephole, projection, normalization and coupled gates is one `rnn.lstm_sequence` (a step
alone `rnn.lstm_cell`); the others run step by step in an `infra.tensor_iterator`. An update of a slice is a choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import NAME, label
from ...dialects.nn.writer import Writer
from ..erase_unused import erase_unused
from .sequences import bidirectional, one_step, unidirectional
from .update import updated


@dataclass(frozen=True)
class LegalizeTflToRnn(ModulePass):
    """
    `tfl` operations as `rnn` and `nn`, with the same numbers.

    - `tfl.pseudo_const` becomes `nn.constant`, `tfl.no_value` goes with its users.
    - `tfl.custom` stays: only its user's runtime knows what it computes.
    - Quantized LSTMs are refused: their scales are in types that have no meaning here.
    """

    name = "legalize-tfl-to-rnn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in list(op.walk()):
            if isinstance(each, tfl.PseudoConstOp):
                _constant(each)
        for each in list(op.walk()):
            if each.parent is not None:
                _legalize(each)
        erase_unused(*(each.none_val for each in op.walk() if isinstance(each, tfl.NoValueOp)))


def _constant(op: tfl.PseudoConstOp) -> None:
    from ...reference.arrays import blob_of
    from ...reference.tfl import dense_array

    new = nn.ConstantOp(blob_of(dense_array(op.value), op.output.type.element_type))
    Rewriter.replace_op(op, new)


def _legalize(op: Operation) -> None:
    write = Writer(InsertPoint.before(op))
    match op:
        case _ if isinstance(op, tfl.DynamicUpdateSliceOp):
            results = [updated(write, op)]
        case tfl.LstmOp():
            _verify_ranks(op, [op.input, *op.parts.values])
            results = [one_step(write, op)]
        case tfl.UnidirectionalSequenceLstmOp():
            _verify_ranks(op, [op.input, *op.parts.values])
            results = [unidirectional(write, op)]
        case tfl.BidirectionalSequenceLstmOp():
            _verify_ranks(op, [op.input, *op.forward.values, *op.backward.values])
            results = bidirectional(write, op)
        case _:
            return
    if NAME in op.attributes and isinstance(results[0].owner, Operation):
        results[0].owner.attributes[NAME] = op.attributes[NAME]
    Rewriter.replace_op(op, [], results)


def _verify_ranks(op: Operation, values: list[SSAValue]) -> None:
    for value in values:
        if tfl.is_absent(value):
            continue
        type: Attribute = value.type
        if not isinstance(type, TensorType):
            raise DiagnosticException(
                f"{label(op)}: takes a {type}; only tensors of known rank have a meaning here"
            )
        if not isinstance(cast(TensorType[Any], type).element_type, AnyFloat):
            raise DiagnosticException(
                f"{label(op)}: takes a {type}; only floating point has a meaning here"
            )
