"""Sequences of codes are reversed as sequences of values are: what lpt does not do on its own."""

from typing import ClassVar

from lowstream.dialects.inferred import shape_of
from lowstream.dialects.nn import ReverseSequenceOp
from lowstream.passes.lpt.dequantization import Dequantization
from lowstream.passes.lpt.main.sink import SinkAcross


class SinkDequantizeThroughReverseSequence(SinkAcross[ReverseSequenceOp]):
    """`reverse_sequence(dq(q)) = dq(reverse_sequence(q))` for scales that are the same along the sequence."""

    name: ClassVar[str] = "reverse_sequence"
    op: ClassVar[type[ReverseSequenceOp]] = ReverseSequenceOp

    def rearranged(self, op: ReverseSequenceOp, dequantization: Dequantization) -> list[int]:
        return [op.seq_axis.value.data % len(shape_of(op.input))]


REVERSE_SEQUENCE = SinkDequantizeThroughReverseSequence()
