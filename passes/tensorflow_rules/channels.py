"""The position of channels: last or first; `nn` always has them first."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import Shape, shape_of, spelled
from ..channels_last import channels_first, channels_last
from ..tensorflow import TfOp
from .rules import Legalizer

LAST = {4: "NHWC", 5: "NDHWC"}
"""By rank, the `data_format` with channels last."""

FIRST = {4: "NCHW", 5: "NCDHW"}
"""By rank, the `data_format` with channels first."""


@dataclass(frozen=True)
class Channels:
    """The order of dimensions that the `data_format` of an operation says."""

    op: TfOp
    rank: int
    last: bool

    @classmethod
    def of(cls, op: TfOp, value: SSAValue, rank: int | None = None) -> Channels:
        """
        The order of the dimensions of `value`. Raises DiagnosticException where there is none for its rank, or
        where that is not `rank`.
        """
        shape = shape_of(value)
        wanted = sorted(LAST) if rank is None else [rank]
        if len(shape) not in wanted:
            raise DiagnosticException(
                f"{op.label}: takes a tensor {spelled(shape)}; it must have "
                f"{' or '.join(map(str, wanted))} dimensions, batch and channels among them"
            )
        last, first = LAST[len(shape)], FIRST[len(shape)]
        given = op.text("data_format", last)
        if given not in (last, first):
            raise DiagnosticException(
                f"{op.label}: data_format '{given}' of {len(shape)} dimensions has no meaning here; "
                f"use {last} or {first}"
            )
        return cls(op, len(shape), given == last)

    @property
    def place(self) -> int:
        """The dimension of channels."""
        return self.rank - 1 if self.last else 1

    @property
    def space(self) -> range:
        """The spatial dimensions."""
        return range(1, self.rank - 1) if self.last else range(2, self.rank)

    def first(self, t: Legalizer, value: SSAValue) -> SSAValue:
        """The operand as `[batch, channels, *space]`."""
        return channels_first(t, value) if self.last else value

    def back(self, t: Legalizer, value: SSAValue) -> SSAValue:
        """The result, from `[batch, channels, *space]`."""
        return channels_last(t, value) if self.last else value

    def along(self, t: Legalizer, vector: SSAValue) -> SSAValue:
        """A number for each channel, in a shape that broadcasts."""
        behind = range(1, self.rank - self.place)
        return t(nn.UnsqueezeOp, vector, t.integers(*behind)) if behind else vector

    def spatial(self, name: str) -> Shape:
        """
        An attribute that has a number for each dimension, of space alone; ones where it is left out. Raises
        DiagnosticException where it says something else than 1 of batch or channels.
        """
        listed = self.op.integers(name) or [1] * self.rank
        if len(listed) != self.rank:
            raise DiagnosticException(
                f"{self.op.label}: {name} {listed} must have {self.rank} numbers, one for each dimension"
            )
        if listed[0] != 1 or listed[self.place] != 1:
            raise DiagnosticException(
                f"{self.op.label}: {name} {listed} goes over batch or channels; only 1 has a meaning there"
            )
        return tuple(listed[i] for i in self.space)

    def explicit_paddings(self) -> tuple[Shape, Shape]:
        """
        What `explicit_paddings` puts before and after each dimension of space. Raises DiagnosticException where it
        lists another number of them, or pads batch or channels.
        """
        listed = self.op.integers("explicit_paddings")
        if len(listed) != 2 * self.rank:
            raise DiagnosticException(
                f"{self.op.label}: explicit_paddings {listed} must have {2 * self.rank} numbers, two for "
                "each dimension"
            )
        pairs = list(zip(listed[::2], listed[1::2], strict=True))
        if pairs[0] != (0, 0) or pairs[self.place] != (0, 0):
            raise DiagnosticException(
                f"{self.op.label}: explicit_paddings {listed} pad batch or channels; pad them with tf.Pad"
            )
        return tuple(pairs[i][0] for i in self.space), tuple(pairs[i][1] for i in self.space)
