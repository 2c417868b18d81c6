"""Fourier transforms of frames: windows that lie one step after the other on a signal."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from math import sqrt
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    TensorOp,
    floating,
    shape_of,
    spelled,
    static_shape,
)
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .blocks import PadOp
from .derived import DerivedOp
from .expression import Expression, concatenated, constant
from .fourier import real_signal, spectrum, without_pairs
from .movement import ConcatOp
from .scatter import ScatterNdUpdateOp
from .shaped import ShapedOp
from .writer import Writer


def _one(op: TensorOp, name: str, value: SSAValue, constants: Constants) -> int:
    """A size that may be unknown. Raises VerifyException, naming `op`, where it is no one size above 0."""
    known = constants(value)
    if shape_of(value) not in ((), (1,)) or (known is not None and known[0] < 1):
        given = value.type if known is None else list(known)
        raise op.op_error(f"{name} {given} must be one number above 0")
    return DYNAMIC_INDEX if known is None else known[0]


def _check_window(op: TensorOp, window: SSAValue, frame: int) -> None:
    shape = shape_of(window)
    if len(shape) != 1 or (frame != DYNAMIC_INDEX and shape[0] > frame):
        raise op.op_error(f"window {spelled(shape)} must be a vector of at most frame_size {frame}")


def _frame(window: Expression, size: int) -> Expression:
    """A window in the middle of a frame, 0 around it."""
    (length,) = window.shape
    before = (size - length) // 2
    ends = (window.write.integers(n) for n in (before, size - length - before))
    mode = StringAttr("constant")
    return window.on(window.write(PadOp, window.value, *ends, pad_mode=mode))


def _places(write: Writer, frames: int, size: int, step: int) -> Expression:
    """Where in the signal each element of each frame lies, `[frames, size]`."""
    places = (first + i for first in range(0, frames * step, step) for i in range(size))
    return Expression(write, constant(write, i64, (frames, size), places))


def _cut(write: Writer, data: SSAValue, frames: int, size: int, step: int) -> Expression:
    """
    The frames of signals, `[…, frames, size]`. A frame that begins with row f of those of `step` elements goes on
    through the rows behind it: each of these, of all frames, is one slice. Where that would be many, elements are
    looked up.
    """
    *batch, length = static_shape(data)
    rows = -(-size // step)
    axis, signal = len(batch), Expression(write, data)
    if rows > MOST_ROWS:
        return signal.gathered(_places(write, frames, size, step), axis)
    total = (frames + rows - 1) * step
    if total > length:
        none = [0] * axis
        ends = (write.integers(*none, n) for n in (0, total - length))
        data = write(PadOp, data, *ends, pad_mode=StringAttr("constant"))
    elif total < length:
        data = write.slice(data, 0, total, axis)
    table = write.reshaped(data, (*batch, frames + rows - 1, step))
    parts = [write.slice(table, row, row + frames, axis) for row in range(rows)]
    joined = write(ConcatOp, *parts, axis=axis + 1) if rows > 1 else parts[0]
    return signal.on(joined if rows * step == size else write.slice(joined, 0, size, axis + 1))


MOST_ROWS = 64
"""The greatest number of slices that frames are joined of; beyond it, elements are gathered."""


class FramesOp(ShapedOp, DerivedOp, ABC):
    """What cuts a signal into frames, or joins them."""

    data = operand_def(SAME_ELEMENT)
    window = operand_def(SAME_ELEMENT)
    frame_size = operand_def(INDEX)
    frame_step = operand_def(INDEX)

    def frame(self, constants: Constants) -> tuple[int, int]:
        """How many elements a frame has, and how far it is behind that before."""
        size = _one(self, "frame_size", self.frame_size, constants)
        step = _one(self, "frame_step", self.frame_step, constants)
        _check_window(self, self.window, size)
        return size, step

    @property
    def known_frame(self) -> Sequence[int]:
        """The same, where both are constant."""
        parts = {"frame_size": self.frame_size, "frame_step": self.frame_step}
        return [self.known(value, name)[0] for name, value in parts.items()]


@op_definition
class StftOp(FramesOp):
    """
    The first half of the spectrum of `window` times each frame of a signal; a frame has `frame_size` elements and is
    `frame_step` behind that before. Frequencies come before frames where `transpose_frames`.

        %size = nn.constant dense<4> : tensor<i64>
        %step = nn.constant dense<2> : tensor<i64>
        %y = nn.stft %x, %window, %size, %step {transpose_frames = true}
            : (tensor<2x10xf32>, tensor<3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3x4x2xf32>
    """

    name = "nn.stft"
    NAMES: ClassVar = Names("STFT-15")

    transpose_frames = flag_prop()

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = floating(self, self.data).get_shape()
        size, step = self.frame(constants)
        if len(shape) not in (1, 2) or (
            DYNAMIC_INDEX not in (shape[-1], size) and shape[-1] < size
        ):
            raise self.op_error(
                f"data {spelled(shape)} must be a signal, or several, of frame_size {size} or more"
            )
        known = DYNAMIC_INDEX not in (shape[-1], size, step)
        frames = (shape[-1] - size) // step + 1 if known else DYNAMIC_INDEX
        bins = DYNAMIC_INDEX if size == DYNAMIC_INDEX else size // 2 + 1
        both = (bins, frames) if self.transpose_frames else (frames, bins)
        return [*shape[:-1], *both, 2]

    def decompose(self, write: Writer) -> SSAValue:
        size, step = self.known_frame
        *batch, length = static_shape(self.data)
        window = _frame(Expression(write, self.window), size)
        frames = _cut(write, self.data, (length - size) // step + 1, size, step) * window
        axis = len(batch) + 1
        result = spectrum(frames, axis, False, size, size // 2 + 1)
        if self.transpose_frames:
            result = result.transposed(*range(len(batch)), axis, axis - 1, axis + 1)
        return result.value


@op_definition
class IstftOp(FramesOp):
    """
    The signal whose frames have the spectra `data`, `[batch, frequency, frame, 2]`: the sum of `window` times each
    frame, over the sum of squares of the window where that is not 0. `frame_size / 2` elements are left out at both
    ends where `center`; spectra are those of frames over `√frame_size` where `normalized`. The result has
    `signal_length` elements where that is given: further ones are left out, missing ones are 0.

        %size = nn.constant dense<4> : tensor<i64>
        %step = nn.constant dense<2> : tensor<i64>
        %y = nn.istft %x, %window, %size, %step {center = true, normalized = true}
            : (tensor<2x3x4x2xf32>, tensor<3xf32>, tensor<i64>, tensor<i64>) -> tensor<2x6xf32>
    """

    name = "nn.istft"
    NAMES: ClassVar = Names("ISTFT-16")

    signal_length = opt_operand_def(INDEX)
    center = flag_prop()
    normalized = flag_prop()

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.data)
        shape = without_pairs(self, self.data)
        size, step = self.frame(constants)
        bins = {size // 2 + 1 if size != DYNAMIC_INDEX else DYNAMIC_INDEX, *shape[-2:-1]}
        if len(shape) not in (2, 3) or len(bins - {DYNAMIC_INDEX}) > 1:
            raise self.op_error(
                f"data {spelled((*shape, 2))} must have frame_size {size} / 2 + 1 frequencies"
            )
        if self.signal_length is not None:
            length = _one(self, "signal_length", self.signal_length, constants)
        elif DYNAMIC_INDEX in (shape[-1], size, step):
            length = DYNAMIC_INDEX
        else:
            covered = (shape[-1] - 1) * step + size if shape[-1] else 0
            length = max(covered - 2 * self._margin(size), 0)
        return [*shape[:-2], length]

    def _margin(self, size: int) -> int:
        """How many elements are left out at either end."""
        return size // 2 if self.center else 0

    def decompose(self, write: Writer) -> SSAValue:
        size, step = self.known_frame
        *batch, bins, count, _ = static_shape(self.data)
        wanted = static_shape(self.result)[-1]
        if not count:
            return write.broadcast(write.scalar_like(self.data, 0), (*batch, wanted))
        rows = batch[0] if batch else 1
        spectra = Expression(write, self.data).reshaped(rows, bins, count, 2)
        window = _frame(Expression(write, self.window), size)
        frames = real_signal(spectra, 1, size).transposed(2, 1, 0)
        if self.normalized:
            frames = frames * sqrt(size)
        column = window.reshaped(1, size, 1)
        squares = (column * column).broadcast(count, size, 1)
        sums = self._overlapped(concatenated(2, frames * column, squares), step)
        total, weights = sums.slice(1, 0, rows), sums.slice(1, rows, rows + 1)
        covered = weights > 0
        signal = (total / covered.where(weights, 1)).transposed(1, 0)
        margin, length = self._margin(size), signal.shape[1]
        signal = signal.slice(1, margin, min(margin + wanted, length))
        if (missing := wanted - signal.shape[1]) > 0:
            ends = write.integers(0, 0), write.integers(0, missing)
            mode = StringAttr("constant")
            signal = signal.on(write(PadOp, signal.value, *ends, pad_mode=mode))
        return signal.reshaped(*batch, wanted).value

    def _overlapped(self, frames: Expression, step: int) -> Expression:
        """Columns of frames, `[frame, element, column]`, where they lie in the signal; what overlaps is summed."""
        count, size, columns = frames.shape
        places = _places(frames.write, count, size, step).reshaped(count * size, 1)
        length = (count - 1) * step + size
        zeros = frames.constant((1, 1), [0]).broadcast(length, columns)
        updates = frames.reshaped(count * size, columns)
        total = frames.write(
            ScatterNdUpdateOp,
            zeros.value,
            places.value,
            updates.value,
            reduction="sum",
        )
        return frames.on(total)
