"""
Fuses biases into products, and activation functions into products and arithmetic, in floating point.

`ADD(CONV_2D(x, w, b), c) = CONV_2D(x, w, b + c)` for numbers of channels, and `RELU(CONV_2D(…))` is its fused
activation, also behind a RESHAPE that keeps the channels.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import tfl
from ...dialects.inferred import shape_of
from ...dialects.rewriter import Rewriter
from ...reference.arrays import Array, blob_of
from ..erase_unused import erase_unused
from .tensors import Tensor
from .writer import NONE

ACTIVATION = "fused_activation_function"

ACTIVATIONS = ("RELU", "RELU6", "RELU_N1_TO_1")
"""Builtins that are also fused activation functions."""

ACTIVATED = (
    tfl.BiasedOp,
    tfl.AddOp,
    tfl.SubOp,
    tfl.MulOp,
    tfl.DivOp,
    tfl.AveragePool2DOp,
    tfl.MaxPool2DOp,
)
"""Builtins whose kernels apply a fused activation function."""


def fuse(function: func.FuncOp) -> None:
    """Fuses operators with the operators behind them, if nothing else reads their results."""
    for op in list(function.body.block.ops):
        if isinstance(op, tfl.AddOp):
            _fuse_bias(op)
        elif isinstance(op, tfl.TflOp) and op.builtin() in ACTIVATIONS:
            source = _before(op.operands[0])
            if isinstance(source, ACTIVATED) and _is_plain(source):
                source.properties[ACTIVATION] = StringAttr(op.builtin())
                _take_place(op, op.operands[0])


def _before(value: SSAValue) -> tfl.TflOp | None:
    """
    The operator that computes floating-point numbers which are read once; a RESHAPE that keeps the last dimension is
    skipped.
    """
    op = value.owner
    if not isinstance(op, tfl.TflOp) or not value.has_one_use() or not _is_number(value):
        return None
    if type(op) is not tfl.ReshapeOp:
        return op
    source = op.operands[0]
    if not shape_of(source) or not shape_of(value) or shape_of(source)[-1] != shape_of(value)[-1]:
        return None
    return _before(source)


def _is_number(value: SSAValue) -> bool:
    return Tensor(value).element == "float32" and Tensor(value).quantization is None


def _is_plain(op: tfl.TflOp) -> bool:
    """Whether no activation function is fused yet."""
    return op.word(ACTIVATION) == NONE


def _fuse_bias(op: tfl.TflOp) -> None:
    for value, added in (op.operands, reversed(op.operands)):
        data, source = Tensor(added).data, _before(value)
        if data is None or not isinstance(source, tfl.BiasedOp) or not _is_plain(source):
            continue
        channels = shape_of(source.results[0])[-1]
        if shape_of(value) != shape_of(op.results[0]) or data.size not in (1, channels):
            continue
        if data.size > 1 and data.shape[-1] != channels:
            continue
        before = source.bias
        kept = [each for each in source.operands if each is not before]
        if (bias := _biased(before, np.broadcast_to(data.reshape(-1), (channels,)))) is None:
            continue
        constant = tfl.PseudoConstOp(blob_of(bias))
        Rewriter.insert_op(constant, InsertPoint.before(source))
        source.operands = [*kept, constant.output]
        if before is not None:
            erase_unused(before)
        source.properties[ACTIVATION] = op.properties[ACTIVATION]
        _take_place(op, value)
        return


def _biased(bias: SSAValue | None, more: Array) -> Array | None:
    """The sum of a bias and more; None where the bias is not constant."""
    if bias is None or tfl.is_absent(bias):
        return more.astype(np.float32)
    data = Tensor(bias).data
    return None if data is None else (data + more).astype(np.float32)


def _take_place(op: Operation, value: SSAValue) -> None:
    """Replaces an operation's result by a value, which gets its name."""
    (name,) = tfl.result_names(op)
    if name:
        Tensor(value).rename(name)
    operands = list(op.operands)
    Rewriter.replace_op(op, [], [value])
    erase_unused(*operands)
