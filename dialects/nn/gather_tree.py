"""Beam search: the sequences that beams are at the end of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ..compatible import compatible_shapes
from ..inferred import SAME_ELEMENT, Constants, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from .derived import DerivedOp
from .expression import Expression, concatenated, places
from .shaped import ShapedOp
from .writer import Writer


@op_definition
class GatherTreeOp(ShapedOp, DerivedOp):
    """
    The sequence of tokens that each beam ends, `[step, batch, beam]`: beam b at the last step is beam
    `parent_idx[step, batch, b]` one step before. Behind `max_seq_len[batch]` steps, and behind the first `end_token`,
    there are end tokens.

        %y = nn.gather_tree %tokens, %parents, %lengths, %end
            : (tensor<4x2x4xi32>, tensor<4x2x4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4x2x4xi32>
    """

    name = "nn.gather_tree"
    NAMES: ClassVar = Names("GatherTree-1")

    step_ids = operand_def(SAME_ELEMENT)
    parent_idx = operand_def(SAME_ELEMENT)
    max_seq_len = operand_def(SAME_ELEMENT)
    end_token = operand_def(SAME_ELEMENT)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        steps, parents, lengths = map(shape_of, self.operands[:3])
        if (
            len(steps) != 3
            or not compatible_shapes(parents, steps)
            or not compatible_shapes(lengths, steps[1:2])
        ):
            raise self.op_error(
                f"step_ids {spelled(steps)} and parent_idx {spelled(parents)} must be "
                f"[step, batch, beam], max_seq_len {spelled(lengths)} [batch]"
            )
        return shape_of(self.step_ids)

    def decompose(self, write: Writer) -> SSAValue:
        """Parents of parents: maps over 1, 2, 4, … steps, each made of two over half as many."""
        tokens, end = Expression(write, self.step_ids), Expression(write, self.end_token).reshaped()
        steps, batch, beams = tokens.shape
        if 0 in tokens.shape:
            return self.step_ids
        parents = Expression(write, self.parent_idx).to(i32)
        lengths = Expression(write, self.max_seq_len).to(i32).reshaped(1, batch, 1)
        time = places(write, steps, 1, 1)
        itself = places(write, 1, 1, beams).broadcast(steps, batch, beams)
        path, reach = itself, 1
        if steps > 1:
            above = concatenated(0, parents.slice(0, 1, steps), itself.slice(0, 0, 1))
            path = (time + 1 < lengths).where(above, itself)
        while reach < steps:
            later = concatenated(0, path.slice(0, reach, steps), itself.slice(0, 0, reach))
            path = path.gathered(later, 2, batch=2)
            reach *= 2
        found = tokens.gathered(path, 2, batch=2)
        exists = time < lengths
        last = (found.equals(end) & exists).where(time, steps).least(0, keep=True)
        return (exists & (time <= last)).where(found, end).value
