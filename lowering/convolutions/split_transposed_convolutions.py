"""
`split-transposed-convolutions`: every stride-th output of a transposed convolution (a phase) is a convolution with
every stride-th tap.

This is the polyphase form (https://en.wikipedia.org/wiki/Polyphase_matrix), which multiplies no zeros between elements
of the input. Phases are channels of one convolution, or convolutions of their own whose results lie interleaved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, i32
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.elements import bits_of
from ...dialects.inferred import Shape, shape_of, tensor
from ...dialects.nn.convolution import BackwardConvolution, Filters
from ...dialects.nn.writer import Writer
from ...dialects.properties import Property
from ...dialects.walk import all_operations
from ...passes.expand_zero_points import expand_zero_point
from .drop_padding_taps import kernel_skips_zeros, worthwhile_regions
from .padded_regions import WORTH, live_part
from .trailing_elementwise import Trailing
from .transposed_phases import Axis, PhaseGroups, Phases

if TYPE_CHECKING:
    from ...reference.arrays import Array


class SplitTransposedConvolutions(ModulePass):
    """
    `y[s * q + r] = sum_j x[q - e_r - j] * f[t_r + s * j]`: a transposed convolution of stride s with constant filters
    is a convolution for each phase r, or one with a channel for each phase and output channel. Where inputs have a zero
    point, it is what lies outside of them, so that its part of a sum is a constant for each phase and channel.

    The input is padded once for all convolutions, but for those whose taps often see only padding: `drop-padding-taps`
    finds it as theirs.

    Elementwise operations behind it, with numbers and constants for each channel, are computed before the phases are
    put together, so that they become the epilogues of the convolutions.

    A depthwise one of floats whose filters cover the outputs side by side multiplies each element by its filter:
    `y[c, s * q + r] = x[c, q] * f[c, r]`.
    """

    name = "split-transposed-convolutions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if isinstance(inner, BackwardConvolution):
                if _has_known_filters(inner):
                    _split(inner)
                elif inner.code_of_zero:
                    expand_zero_point(inner, i32)


def _has_known_filters(op: BackwardConvolution) -> bool:
    """Whether filters are constant, sizes are known, and there is anything to compute."""
    types = [tensor(value) for value in (op.input, op.filters, op.result)]
    sizes = [size for type in types for size in type.get_shape()]
    return nn.constant_of(op.filters) is not None and all(size > 0 for size in sizes)


def _split(op: BackwardConvolution) -> None:
    """Replaces a transposed convolution, and the elementwise operations behind it, by convolutions."""
    filters = op.split_filters(shape_of(op.filters))
    window = op.window(filters.kernel)
    sizes, results = shape_of(op.input)[2:], shape_of(op.result)[2:]
    skipped = op.pads_before(filters.kernel, sizes, results)
    axes = [
        Axis(*each)
        for each in zip(
            filters.kernel, window.strides, window.dilations, skipped, sizes, results, strict=True
        )
    ]
    chain = Trailing.behind(op)
    block = Block()
    if _scales_blocks(op, filters, axes):
        chain.replace(_scaled(Writer(InsertPoint.at_end(block)), op, filters, chain), block)
        return
    codes = bits_of(tensor(op.input).element_type) <= 8
    plan = PhaseGroups.choose(axes, filters.groups, filters.inputs, filters.outputs, bytes=codes)
    result = _Split(Writer(InsertPoint.at_end(block)), op, filters, plan, chain).result()
    chain.replace(result, block)


def _scales_blocks(op: BackwardConvolution, filters: Filters, axes: Sequence[Axis]) -> bool:
    """Whether each element of the result is a product of one element of the input: of floats, and of its channel."""
    is_depthwise = filters.inputs == filters.outputs == 1
    types = {tensor(value).element_type for value in (op.input, op.filters, op.result)}
    (element, *others) = types
    return (
        is_depthwise and not others and isinstance(element, AnyFloat) and all(map(_is_block, axes))
    )


def _is_block(axis: Axis) -> bool:
    """Whether the taps of each input are outputs of their own, and there are no other outputs."""
    is_dense = axis.taps == axis.stride and (axis.dilation == 1 or axis.taps == 1)
    return is_dense and axis.skipped == 0 and axis.result == axis.size * axis.stride


def _scaled(write: Writer, op: BackwardConvolution, filters: Filters, chain: Trailing) -> SSAValue:
    """The input times the filters of its channels, and the elementwise operations behind it."""
    from ...reference.arrays import array_of, blob_of

    batch, channels, *sizes = shape_of(op.input)

    def constant(value: SSAValue, blocks: Sequence[int]) -> SSAValue:
        """A constant with so many numbers for each channel, or of one number, beside blocks of the result."""
        blob = nn.constant_of(value)
        assert blob is not None
        array = array_of(blob)
        shape = (1, channels, *(d for size in blocks for d in (1, size)))
        array = array.reshape(shape if array.size > 1 else [1] * len(shape))
        return write.constant(blob_of(array, blob.type.element_type))

    spread = write.reshaped(op.input, (batch, channels, *(d for size in sizes for d in (size, 1))))
    product = write(nn.MultiplyOp, spread, constant(op.filters, filters.kernel))
    result = chain.on(write, product, lambda value: constant(value, [1] * len(sizes)))
    return write.reshaped(result, shape_of(op.result))


@dataclass
class _Split:
    """Writes the convolutions of one transposed convolution."""

    write: Writer
    op: BackwardConvolution
    filters: Filters
    plan: PhaseGroups
    chain: Trailing

    def result(self) -> SSAValue:
        """All phases together, channels first."""
        write, axes = self.write, self.plan.axes
        batch, channels, *sizes = shape_of(self.op.result)
        value = self._joined(())
        counts = [axis[0].count * axis[0].axis.stride for axis in axes]
        value = write.reshaped(value, (batch, *counts, channels))
        firsts = [axis[0].shift for axis in axes]
        value = write.part(value, (0, *firsts, 0), (batch, *sizes, channels))
        rank = len(sizes) + 2
        return write.transposed(value, (0, rank - 1, *range(1, rank - 1)))

    def _joined(self, part: tuple[Phases, ...]) -> SSAValue:
        """The outputs of these phases along the first dimensions, and of all phases along the others."""
        if len(part) == len(self.plan.axes):
            return self._interleaved(part)
        values = [self._joined((*part, each)) for each in self.plan.axes[len(part)]]
        return self.write.joined(values, 2 + 2 * len(part))

    def _interleaved(self, part: tuple[Phases, ...]) -> SSAValue:
        """The result of one convolution as [batch, (q, phases) of each dimension…, channels]."""
        write, groups = self.write, self.filters.groups
        value = self._convolved(part)
        rank, batch = len(part), shape_of(value)[0]
        value = write.transposed(value, (0, *range(2, rank + 2), 1))
        counts, phases = [each.count for each in part], [len(each.phases) for each in part]
        have = [batch, *counts, groups, *phases, self.filters.outputs]
        pairs = [d for i in range(rank) for d in (1 + i, 2 + rank + i)]
        order = [0, *pairs, 1 + rank, 2 + 2 * rank]
        moving = [d for d in order if have[d] != 1]
        if moving != sorted(moving):
            kept = sorted(moving)
            value = write.reshaped(value, [have[d] for d in kept])
            value = write.transposed(value, [kept.index(d) for d in moving])
        return write.reshaped(
            value, (batch, *(have[d] for d in pairs), groups * self.filters.outputs)
        )

    def _convolved(self, part: tuple[Phases, ...]) -> SSAValue:
        """One convolution, and the elementwise operations behind it."""
        phases = prod(len(each.phases) for each in part)
        if any(each.is_empty for each in part):
            units = self.filters.groups * phases * self.filters.outputs
            shape = (shape_of(self.op.input)[0], units, *(each.count for each in part))
            value = self.write.broadcast(self.write.scalar_like(self.op.result, 0), shape)
        else:
            value = self._sums(part)
        return self.chain.on(self.write, value, lambda operand: self._repeated(operand, phases))

    def _sums(self, part: tuple[Phases, ...]) -> SSAValue:
        """The convolution."""
        write, op = self.write, self.op
        kind = nn.GroupConvolutionOp if op.GROUPED else nn.ConvolutionOp
        has_regions = self._has_regions(part)
        pads = [each.pads if has_regions else (0, 0) for each in part]
        window: dict[str, Property] = {
            "strides": [1] * len(part),
            "pads_begin": [before for before, _ in pads],
            "pads_end": [after for _, after in pads],
            "dilations": [each.step for each in part],
        }
        if has_regions and op.code_of_zero:
            window["pad_value"] = op.code_of_zero
        filters = self._filters(part)
        sums = write(kind, op.input if has_regions else self._read(part), filters, **window)
        if not self.op.code_of_zero:
            return sums
        return write(nn.SubtractOp, sums, self._of_zero_point(filters, len(part)))

    def _has_regions(self, part: tuple[Phases, ...]) -> bool:
        """Whether the padding should be seen to be that of a convolution, as enough of its taps see only padding."""
        if any(side < 0 for each in part for side in each.pads):
            return False
        lines = [each.window for each in part]
        if not self.op.code_of_zero and kernel_skips_zeros(self.op.input, lines):
            return live_part(lines) <= WORTH
        phases = prod(len(each.phases) for each in part)
        filters = self.filters._replace(outputs=phases * self.filters.outputs)
        batch = shape_of(self.op.input)[0]
        return worthwhile_regions(lines, filters, batch, skips=False) is not None

    def _read(self, part: tuple[Phases, ...]) -> SSAValue:
        """What a convolution reads of the padded input."""
        low, padded = self._padded
        firsts = [before - each.pads[0] for before, each in zip(low, part, strict=True)]
        shape = (*shape_of(padded)[:2], *(each.span for each in part))
        return self.write.part(padded, (0, 0, *firsts), shape)

    @cached_property
    def _padded(self) -> tuple[Shape, SSAValue]:
        """How much padding is before each dimension for all convolutions together, and the input with all of it."""
        write, axes, value = self.write, self.plan.axes, self.op.input
        low, high = (
            tuple(max(each.pads[side] for each in axis) for axis in axes) for side in range(2)
        )
        if not any((*low, *high)):
            return low, value
        ends = [write.integers(0, 0, *side) for side in (low, high)]
        if code := self.op.code_of_zero:
            ends.append(write.scalar_like(value, code))
        return low, write(nn.PadOp, value, *ends, pad_mode="constant")

    def _of_zero_point(self, filters: SSAValue, rank: int) -> SSAValue:
        """What the code of 0 adds to the sums of each phase and output."""
        import numpy as np

        from ...reference.arrays import array_of, blob_of

        blob = nn.constant_of(filters)
        assert blob is not None
        summed = tuple(range(-rank - 1, 0))
        sums = array_of(blob).sum(summed, dtype=np.int32) * np.int32(self.op.code_of_zero)
        return self.write.constant(blob_of(sums.reshape(1, -1, *[1] * rank)))

    def _filters(self, part: tuple[Phases, ...]) -> SSAValue:
        """Those taps, as [(groups,) phases and outputs, inputs, taps…]."""
        import numpy as np

        from ...reference.arrays import array_of, blob_of

        blob = nn.constant_of(self.op.filters)
        assert blob is not None
        groups, inputs, outputs, kernel = self.filters
        array: Array = array_of(blob).reshape(groups, inputs, outputs, *kernel)
        array = np.pad(array, [(0, 0)] * 3 + [(0, 1)] * len(kernel))  # the tap that is none
        for d, each in enumerate(part):
            array = np.take(array, np.array(each.table), axis=3 + 2 * d)
        rank = len(part)
        phases, taps = range(3, 3 + 2 * rank, 2), range(4, 4 + 2 * rank, 2)
        array = np.ascontiguousarray(array.transpose(0, *phases, 2, 1, *taps))
        units = outputs * prod(len(each.phases) for each in part)
        shape = (units, inputs, *(each.taps for each in part))
        array = array.reshape((groups, *shape) if self.op.GROUPED else shape)
        return self.write.constant(blob_of(array, blob.type.element_type))

    def _repeated(self, value: SSAValue, phases: int) -> SSAValue:
        """A constant for each channel, repeated for each phase of a group."""
        import numpy as np

        from ...reference.arrays import array_of, blob_of

        blob = nn.constant_of(value)
        assert blob is not None
        array, rank = array_of(blob), len(shape_of(self.op.result))
        array = array.reshape((1,) * (rank - array.ndim) + array.shape)
        if array.size > 1:
            groups, _, outputs, _ = self.filters
            each = np.repeat(array.reshape(groups, 1, outputs), phases, axis=1)
            array = each.reshape(1, -1, *array.shape[2:])
        return self.write.constant(blob_of(array, blob.type.element_type))
