"""`nn.ctc_loss`: how improbable labels are, in connectionist temporal classification."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ..compatible import compatible_shapes
from ..inferred import INDEX, SAME_ELEMENT, Constants, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .ctc import compacted
from .derived import DerivedOp
from .expression import Expression, concatenated, places
from .normalization import LogSoftmaxOp
from .shaped import ShapedOp
from .writer import Writer

LOWEST = -1e30
"""Stands for the logarithm of 0: finite, so that sums of it are numbers, too."""


@op_definition
class CtcLossOp(ShapedOp, DerivedOp):
    """
    Minus the logarithm of how probable labels `[batch, step]` are by logits `[batch, step, class]`: of all that the
    classes of steps can be, those count that are the labels, if blanks are left out and (`ctc_merge_repeated`) classes
    that repeat count once, unless there is a blank between them. It is infinite where none is.

    The first `logit_length` steps and `label_length` labels count, at least one and no more labels than steps. Before
    that, labels that repeat one after the other (`preprocess_collapse_repeated`) or anywhere (`unique`) go.
    `blank_index` is the last class where it is absent.

        %y = nn.ctc_loss %x, %steps, %labels, %lengths {preprocess_collapse_repeated = false,
              ctc_merge_repeated = true, unique = false}
            : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<2xi32>) -> tensor<2xf32>
    """

    name = "nn.ctc_loss"
    NAMES: ClassVar = Names("CTCLoss-4")

    logits = operand_def(SAME_ELEMENT)
    logit_length = operand_def(INDEX)
    labels = operand_def(INDEX)
    label_length = operand_def(INDEX)
    blank_index = opt_operand_def(INDEX)
    preprocess_collapse_repeated = flag_prop(False)
    ctc_merge_repeated = flag_prop(True)
    unique = flag_prop(False)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.logits)
        shapes = [shape_of(each) for each in self.operands]
        shape = shapes[0] if len(shapes[0]) == 3 else (0, 0, 0)
        wanted = [shape, shape[:1], shape[:2], shape[:1]]
        fits = (
            0 not in shape
            and all(map(compatible_shapes, shapes, wanted))
            and shapes[4:] in ([], [()], [(1,)])
        )
        if not fits:
            raise self.op_error(
                "takes logits [batch, step, class], lengths [batch], labels [batch, step], lengths "
                f"[batch] and one number, not {', '.join(map(spelled, shapes))}"
            )
        return shape[:1]

    def decompose(self, write: Writer) -> SSAValue:
        logits = Expression(write, self.logits)
        batch, steps, classes = logits.shape
        lengths = logits.on(self.logit_length).to(i32).reshaped(batch, 1)
        blank = places(write, 1, 1) + (classes - 1)
        if self.blank_index is not None:
            blank = logits.on(self.blank_index).to(i32).reshaped(1, 1)
        labels, count = self._labels(write)
        size = 2 * steps + 1
        spaced = concatenated(
            2,
            blank.broadcast(batch, steps).reshaped(batch, steps, 1),
            labels.reshaped(batch, steps, 1),
        ).reshaped(batch, 2 * steps)
        target = concatenated(1, spaced, blank.broadcast(batch, 1))
        chances = logits.on(write(LogSoftmaxOp, logits.value, axis=2))
        chances = chances.gathered(target.at_least(0), 2, 1)
        is_blank, place = target.equals(blank), places(write, 1, size)
        merges = bool(self.ctc_merge_repeated)
        source = _later(target, -1, 2)
        skips = (source - blank).magnitude() > 0
        if merges:
            skips = skips & ((source - target).magnitude() > 0)
        begins = (place < 2) & (place <= count * 2)
        found = begins.where(_step(chances, 0), LOWEST)
        for step in range(1, steps):
            ways = [_later(found, LOWEST, 1), skips.where(_later(found, LOWEST, 2), LOWEST)]
            ways.append(found if merges else is_blank.where(found, LOWEST))
            most = ways[0].at_least(ways[1]).at_least(ways[2])
            total = (ways[0] - most).exp() + (ways[1] - most).exp() + (ways[2] - most).exp()
            following = (total.log() + most + _step(chances, step)).at_least(LOWEST)
            found = (lengths > step).where(following, found)
        ends = (place <= count * 2) & (place >= count * 2 - 1)
        found = ends.where(found, LOWEST)
        most = found.most(1, keep=True)
        total = (found - most).exp().sum(1, keep=True).log() + most
        return (total > LOWEST / 2).where(0 - total, inf).reshaped(batch).value

    def _labels(self, write: Writer) -> tuple[Expression, Expression]:
        """The labels that count, and how many there are `[batch, 1]`."""
        labels = Expression(write, self.labels).to(i32)
        batch, steps = labels.shape
        lengths = labels.on(self.label_length).to(i32).reshaped(batch, 1)
        counts = places(write, 1, steps) < lengths
        if self.unique:
            same = labels.reshaped(batch, steps, 1).equals(labels.reshaped(batch, 1, steps))
            earlier = places(write, 1, 1, steps) < places(write, 1, steps, 1)
            counts = counts & ((same & earlier).to(i32).sum(2) < 1)
        elif self.preprocess_collapse_repeated and steps > 1:
            changes = labels.slice(1, 1, steps) - labels.slice(1, 0, steps - 1)
            first = labels.constant((1, 1), [1]).broadcast(batch, 1)
            counts = counts & (concatenated(1, first, changes).magnitude() > 0)
        found, count = compacted(labels, counts)
        return found, count.reshaped(batch, 1)


def _step(chances: Expression, step: int) -> Expression:
    batch, _, size = chances.shape
    return chances.slice(1, step, step + 1).reshaped(batch, size)


def _later(values: Expression, fill: float, by: int) -> Expression:
    """Values `[batch, place]` moved to later places."""
    batch, size = values.shape
    first = values.constant((1, 1), [fill]).broadcast(batch, by)
    return concatenated(1, first, values.slice(1, 0, size - by))
