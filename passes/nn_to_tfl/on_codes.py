"""Operations whose kernels in LiteRT take codes and give codes of another grid, or of the same one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..channels_last import channels_last_order
from .activation import with_slopes
from .elementwise import RELUS, builtin_of, common_order, operand
from .interpolate import by_kernel, kernel_of
from .pooling import has_kernel, pooled
from .quantization import codes_behind, is_same
from .reduction import along, reduced_by
from .tensors import Like, Quantization, Tensor
from .window import VALID, padding_of
from .writer import NONE, Order, Writer, broadcast

Emitted = tuple[Tensor, Order] | None
"""The codes, and which dimension of the operation's result is at each place; None where there is no kernel."""

ON_CODES: dict[type[Operation], Callable[[Writer, Any, Like, str], Emitted]] = {}
"""By operation, what writes it of codes, to codes like a tensor's, with a fused activation."""

GIVEN = {
    "LOGISTIC": Quantization((1 / 256,), (-128,)),
    "SOFTMAX": Quantization((1 / 256,), (-128,)),
    "TANH": Quantization((1 / 128,), (0,)),
}
"""The only quantization of results that some kernels have."""

UNSCALED = ("MAXIMUM", "MINIMUM", "REDUCE_MAX", "REDUCE_MIN")
"""Builtins that give codes of the operands as they are."""


def on_codes(*ops: type[Operation]) -> Callable[[Callable[..., Emitted]], Callable[..., Emitted]]:
    """Registers the decorated function as what writes these operations of codes."""

    def register(function: Callable[..., Emitted]) -> Callable[..., Emitted]:
        ON_CODES.update(dict.fromkeys(ops, function))
        return function

    return register


def _all_codes(write: Writer, values: Sequence[SSAValue]) -> bool:
    return all(codes_behind(write, value) is not None for value in values)


def _keep(write: Writer, values: Sequence[SSAValue], like: Like) -> bool:
    """Whether values are held in the codes that the result has."""
    held = [codes_behind(write, value) for value in values]
    return all(each and is_same(each.quantization, like.quantization) for each in held)


@on_codes(
    nn.AddOp,
    nn.SubtractOp,
    nn.MultiplyOp,
    nn.MaximumOp,
    nn.MinimumOp,
    nn.SquaredDifferenceOp,
)
def binary(write: Writer, op: nn.BinaryOp, like: Like, activation: str) -> Emitted:
    builtin, values = builtin_of(op), list(op.operands)
    if not _all_codes(write, values) or (builtin in UNSCALED and not _keep(write, values, like)):
        return None
    order = common_order(write, values, len(shape_of(op.result)))
    with write.codes():
        left, right = (operand(write, value, order) for value in values)
    shape = broadcast(left.shape, right.shape)
    options: dict[str, Any] = {}
    if activation != NONE:
        options["fused_activation_function"] = activation
    return write.op(builtin, [left, right], shape, like=like, **options), order


def _one(write: Writer, value: SSAValue, like: Like, builtin: str, **options: Any) -> Emitted:
    given = GIVEN.get(builtin)
    if codes_behind(write, value) is None or (given and not is_same(given, like.quantization)):
        return None
    order = common_order(write, [value], len(shape_of(value)))
    with write.codes():
        x = write.arranged(value, order)
    return write.op(builtin, [x], x.shape, like=like, **options), order


@on_codes(nn.SigmoidOp, nn.TanhOp, nn.HswishOp, nn.AbsOp)
def unary(write: Writer, op: nn.UnaryOp, like: Like, _: str) -> Emitted:
    return _one(write, op.operands[0], like, builtin_of(op))


@on_codes(nn.ReluOp)
def relu(write: Writer, op: nn.ReluOp, like: Like, _: str) -> Emitted:
    return _one(write, op.input, like, "RELU")


@on_codes(nn.ClampOp)
def clamp(write: Writer, op: nn.ClampOp, like: Like, _: str) -> Emitted:
    builtin = RELUS.get((op.min.value.data, op.max.value.data))
    return None if builtin is None else _one(write, op.input, like, builtin)


@on_codes(nn.EluOp)
def elu(write: Writer, op: nn.EluOp, like: Like, _: str) -> Emitted:
    return _one(write, op.input, like, "ELU") if op.alpha.value.data == 1 else None


@on_codes(nn.GeluOp)
def gelu(write: Writer, op: nn.GeluOp, like: Like, _: str) -> Emitted:
    about = op.approximation_mode.data == "tanh"
    return _one(write, op.input, like, "GELU", approximate=np.bool_(about).item())


@on_codes(nn.PReluOp)
def p_relu(write: Writer, op: nn.PReluOp, like: Like, _: str) -> Emitted:
    slope = write.known(op.slope)
    if slope is not None and slope.size == 1:
        return _one(write, op.input, like, "LEAKY_RELU", alpha=float(slope.reshape(-1)[0]))
    if not _all_codes(write, [op.input, op.slope]):
        return None
    with write.codes():
        x, slopes, order = with_slopes(write, op)
    if slopes.data is None or slopes.shape[0] != 1:
        return None
    without_batch = write.reshaped(slopes, slopes.shape[1:])
    return write.op("PRELU", [x, without_batch], x.shape, like=like), order


@on_codes(nn.SoftmaxOp)
def softmax(write: Writer, op: nn.SoftmaxOp, like: Like, _: str) -> Emitted:
    rank = len(shape_of(op.input))
    if common_order(write, [op.input], rank)[-1] != op.axis.value.data % rank:
        return None
    return _one(write, op.input, like, "SOFTMAX", beta=1.0)


@on_codes(nn.ReduceMeanOp, nn.ReduceMaxOp, nn.ReduceMinOp)
def reduce(write: Writer, op: nn.ReduceOp, like: Like, _: str) -> Emitted:
    builtin = builtin_of(op)
    if not _all_codes(write, [op.input]) or write.known(op.axes) is None:
        return None
    if builtin in UNSCALED and not _keep(write, [op.input], like):
        return None
    with write.codes():
        x, axes, order = along(write, op, op.input, op.axes)
        return reduced_by(write, builtin, x, axes, order, bool(op.keep_dims), like)


@on_codes(nn.AvgPoolOp)
def avg_pool(write: Writer, op: nn.AvgPoolOp, like: Like, activation: str) -> Emitted:
    window, order = op.pooling_window(), channels_last_order(len(shape_of(op.input)))
    if not has_kernel(window) or not _keep(write, [op.input], like):
        return None
    padding = padding_of(op, window, shape_of(op.input)[2:])
    if padding.is_needed or not (padding.kind == VALID or op.exclude_pad):
        return None
    with write.codes():
        x = write.arranged(op.input, order)
    return pooled(write, op, "AVERAGE_POOL_2D", x, window, padding.kind, activation), order


@on_codes(nn.InterpolateOp)
def interpolate(write: Writer, op: nn.InterpolateOp, like: Like, _: str) -> Emitted:
    if (kernel := kernel_of(write, op)) is None or not _keep(write, [op.input], like):
        return None
    with write.codes():
        return by_kernel(write, op, kernel), channels_last_order(4)
