"""Connectionist temporal classification: the most probable classes of each step, without repetitions and blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType, TensorType, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, prop_def, result_def

from ..compatible import compatible_shapes
from ..inferred import INDEX, SAME_ELEMENT, Constants, TensorOp, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .cumulative import CumSumOp
from .derived import DerivedOp
from .expression import Expression, concatenated, constant, places
from .scatter import ScatterElementsUpdateOp
from .shaped import InputOp
from .writer import Writer


def _check(op: TensorOp, data: SSAValue, lengths: SSAValue, wanted: Sequence[int]) -> None:
    given = shape_of(lengths)
    if not compatible_shapes(given, wanted):
        raise op.op_error(
            f"lengths {spelled(given)} do not fit {spelled(shape_of(data))}; they are "
            f"{spelled(wanted)}"
        )


def _decoded(
    data: Expression, within: Expression, blank: Expression, merges: bool
) -> tuple[Expression, Expression]:
    """
    The classes that count, in i32, -1 behind the last one, and how many there are. Of data `[batch, step, class]`,
    and `within` `[batch, step]`, whether a step belongs to the sequence.
    """
    batch, steps, classes = data.shape
    numbers = places(data.write, 1, 1, classes)
    best = (data >= data.most(2, keep=True)).where(numbers, classes).least(2)
    counts = within & (best.equals(blank).where(numbers.constant((), [0]), 1) > 0)
    if merges and steps > 1:
        changes = best.slice(1, 1, steps) - best.slice(1, 0, steps - 1)
        first = changes.constant((1, 1), [1]).broadcast(batch, 1)
        changes = concatenated(1, first, changes)
        counts = counts & (changes.magnitude() > 0)
    return compacted(best, counts)


def compacted(values: Expression, counts: Expression) -> tuple[Expression, Expression]:
    """The values `[batch, step]` that count, in order, -1 behind the last one; and how many there are."""
    batch, steps = values.shape
    write, kept = values.write, counts.to(i32)
    until = kept.on(write(CumSumOp, kept.value, write.integer(1)))
    slots = counts.where(until - 1, steps)
    none = values.constant((), [-1]).broadcast(batch, steps)
    found = write(ScatterElementsUpdateOp, none.value, slots.value, values.value, write.integer(1))
    return values.on(found), kept.sum(1)


@op_definition
class CtcGreedyDecoderSeqLenOp(DerivedOp):
    """
    The most probable class of each of the first `sequence_length` steps, without blanks and, with `merge_repeated`,
    without repetitions next to each other; -1 behind the last one. The second result says how many there are.
    `blank_index` is the last class where it is absent.

        %y, %n = nn.ctc_greedy_decoder_seq_len %x, %lengths {merge_repeated = true, classes_index_type = i32,
              sequence_length_type = i32}
            : (tensor<2x6x4xf32>, tensor<2xi32>) -> (tensor<2x6xi32>, tensor<2xi32>)
    """

    name = "nn.ctc_greedy_decoder_seq_len"
    NAMES: ClassVar = Names("CTCGreedyDecoderSeqLen-6")

    input = operand_def(TensorType)
    sequence_length = operand_def(INDEX)
    blank_index = opt_operand_def(INDEX)
    result = result_def(TensorType)
    output_length = result_def(TensorType)
    merge_repeated = flag_prop(True)
    classes_index_type = prop_def(IntegerType, default_value=i32)
    sequence_length_type = prop_def(IntegerType, default_value=i32)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape = floating(self, self.input).get_shape()
        if len(shape) != 3:
            raise self.op_error(f"input {spelled(shape)} must be [batch, step, class]")
        _check(self, self.input, self.sequence_length, shape[:1])
        return [
            TensorType(self.classes_index_type, shape[:2]),
            TensorType(self.sequence_length_type, shape[:1]),
        ]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        data, lengths = Expression(write, self.input), Expression(write, self.sequence_length)
        batch, steps, classes = data.shape
        blank = data.on(constant(write, i32, (), [classes - 1]))
        if self.blank_index is not None:
            blank = data.on(self.blank_index).reshaped(1, 1).to(i32)
        within = places(write, 1, steps).to(lengths.element) < lengths.reshaped(batch, 1)
        found, counts = _decoded(data, within, blank, bool(self.merge_repeated))
        return [
            found.to(self.classes_index_type).value,
            counts.to(self.sequence_length_type).value,
        ]


@op_definition
class CtcGreedyDecoderOp(InputOp, DerivedOp):
    """
    The most probable class of each step until the first 0 of `sequence_mask`, without blanks (the last class) and,
    with `ctc_merge_repeated`, without repetitions next to each other; -1 behind the last one.

        %y = nn.ctc_greedy_decoder %x, %mask {ctc_merge_repeated = true}
            : (tensor<6x2x4xf32>, tensor<6x2xf32>) -> tensor<2x6x1x1xf32>
    """

    name = "nn.ctc_greedy_decoder"
    NAMES: ClassVar = Names("CTCGreedyDecoder-1")

    sequence_mask = operand_def(SAME_ELEMENT)
    ctc_merge_repeated = flag_prop(True)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        type = floating(self, self.input)
        shape = type.get_shape()
        if len(shape) != 3:
            raise self.op_error(f"input {spelled(shape)} must be [step, batch, class]")
        _check(self, self.input, self.sequence_mask, shape[:2])
        return (shape[1], shape[0], 1, 1)

    def decompose(self, write: Writer) -> SSAValue:
        data = Expression(write, self.input).transposed(1, 0, 2)
        mask = Expression(write, self.sequence_mask).transposed(1, 0)
        batch, steps, classes = data.shape
        numbers = places(write, 1, steps)
        ends = mask.equals(0).where(numbers, steps).least(1, keep=True)
        blank = data.on(constant(write, i32, (), [classes - 1]))
        found, _ = _decoded(data, numbers < ends, blank, bool(self.ctc_merge_repeated))
        return found.to(data.element).reshaped(batch, steps, 1, 1).value
