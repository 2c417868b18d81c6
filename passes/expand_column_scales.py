"""`expand-column-scales`: convolutions of codes whose columns have scales, for formats that have none."""

from __future__ import annotations

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn, qnn
from ..dialects.inferred import label
from ..dialects.nn.convolution import ForwardConvolution
from ..dialects.nn.writer import Writer
from ..dialects.walk import all_operations
from ..reference.arrays import Array, array_of, blob_of
from ..reference.constants import constant_arrays
from .erase_unused import erase_unused


class ExpandColumnScales(ModulePass):
    """
    `conv(q, w) = conv(dq(q), w * column_scale / a) + z * sum(w * column_scale)` in f32, where `dq(q) = (q - z) * a`,
    `z` the code that pads, and `a` the step of the FakeQuantize that gives `q`, or 1.

    Raises DiagnosticException where filters are not constant.
    """

    name = "expand-column-scales"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_column_scales(op)


def expand_column_scales(module: ModuleOp) -> None:
    """The pass."""
    for op in all_operations(module):
        if has_column_scales(op):
            _expand(op)


def has_column_scales(op: Operation) -> bool:
    """Whether this is a convolution whose columns have scales."""
    return isinstance(op, ForwardConvolution) and op.column_scale is not None


def _expand(op: Operation) -> None:
    assert isinstance(op, ForwardConvolution)
    assert op.column_scale is not None
    if (blob := nn.constant_of(op.filters)) is None:
        raise DiagnosticException(
            f"{label(op)}: filters with a column_scale are not constant; run fold-constants first or make them constant"
        )
    step, write = _step(op.input.owner), Writer(InsertPoint.before(op))
    taps = array_of(blob) * array_of(op.column_scale).astype(np.float64)
    kept = {name: value for name, value in op.properties.items() if name not in EXTENSIONS}
    zero_point = {"zero_point": blob_of(np.float32(op.outside), f32)} if op.outside else {}
    data = write(qnn.DequantizeOp, op.input, scale=blob_of(step, f32), **zero_point)
    filters = write.constant(blob_of((taps / step).astype(np.float32), f32))
    result = write(type(op), data, filters, **kept)
    assert isinstance(result.owner, Operation)
    result.owner.attributes |= op.attributes
    if op.outside:
        result = write(nn.AddOp, result, write.constant(blob_of(_of_padding(op, taps), f32)))
    filters = op.filters
    op.result.replace_all_uses_with(result)
    op.detach()
    op.erase()
    erase_unused(filters)


EXTENSIONS = ("pad_value", "column_scale")
"""Properties of convolutions of codes alone."""


def _of_padding(op: ForwardConvolution, taps: Array) -> Array:
    """What the code that pads adds to each channel."""
    lead = 1 + op.GROUPED
    sums = taps.sum(axis=tuple(range(lead, taps.ndim))) * op.outside
    return sums.astype(np.float32).reshape(1, -1, *[1] * (taps.ndim - lead - 1))


def _step(quantizer: object) -> Array:
    """What one step of codes is, where a FakeQuantize with one interval gives them."""
    one = np.asarray(1, np.float32)
    if not isinstance(quantizer, qnn.FakeQuantizeOp):
        return one
    ends = constant_arrays(quantizer.operands[1:3])
    if ends is None or any(end.size != 1 for end in ends):
        return one
    low, high = (end.reshape(()) for end in ends)
    step = (high - low) / (quantizer.levels.value.data - 1)
    return np.asarray(step, np.float32) if step > 0 else one
