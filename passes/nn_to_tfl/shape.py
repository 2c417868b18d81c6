"""Reshapes, and shapes as data."""

from __future__ import annotations

from xdsl.dialects.builtin import i32

from ...dialects import nn
from .elements import element_name
from .refusals import refuse, refuse_unknown
from .sizes import grown, sizes_in
from .tensors import UNKNOWN
from .writer import TflWriter, emits, sizes_of


@emits(nn.ReshapeOp)
def reshape(write: TflWriter, op: nn.ReshapeOp) -> None:
    shape = sizes_of(op.result)
    if shape.count(UNKNOWN) <= 1:
        write.set(op.result, write.reshaped(write.plain(op.input), shape))
        return
    if op.special_zero or write.known(op.shape) is not None:
        raise refuse(op, "its result has several unknown sizes; give the inputs shapes")
    target = write.cast(write.plain(op.shape), "int32")
    x = write.plain(op.input)
    write.set(op.result, write.op("RESHAPE", [x, target], shape, like=x))


@emits(nn.SqueezeOp, nn.UnsqueezeOp)
def squeeze(write: TflWriter, op: nn.SqueezeOp | nn.UnsqueezeOp) -> None:
    shape, x = sizes_of(op.result), write.plain(op.input)
    if shape.count(UNKNOWN) <= 1:
        write.set(op.result, write.reshaped(x, shape))
        return
    assert op.axes is not None, "squeeze of unknown sizes without axes"
    axes = sorted(axis % max(x.rank, len(shape)) for axis in write.numbers(op, op.axes, "axes"))
    if isinstance(op, nn.SqueezeOp):
        shape = [size for axis, size in enumerate(x.shape) if axis not in axes]
    else:
        shape = list(x.shape)
        for axis in axes:
            shape.insert(axis, 1)
    if shape.count(UNKNOWN) <= 1:
        write.set(op.result, write.reshaped(x, shape))
    elif isinstance(op, nn.SqueezeOp):
        write.set(op.result, write.op("SQUEEZE", [x], shape, like=x, squeeze_dims=axes))
    else:
        for axis in axes:
            inside = (*x.shape[:axis], 1, *x.shape[axis:])
            x = write.op("EXPAND_DIMS", [x, write.integers([axis])], inside, like=x)
        write.set(op.result, x)


@emits(nn.ShapeOfOp)
def shape_of(write: TflWriter, op: nn.ShapeOfOp) -> None:
    element, x = element_name(op.output_type), write.plain(op.input)
    rank = (x.rank,)
    if UNKNOWN not in x.shape:
        write.set(op.result, write.constant(x.shape, element))
        return
    sizes = write.op("SHAPE", [x], rank, "int32", out_type=i32)
    write.set(op.result, write.cast(sizes, element))


@emits(nn.BroadcastOp)
def broadcast(write: TflWriter, op: nn.BroadcastOp) -> None:
    shape, x = sizes_of(op.result), write.plain(op.input)
    if x.shape == shape and UNKNOWN not in shape:
        write.set(op.result, x)
        return
    if UNKNOWN not in shape:
        target = write.integers(shape)
    elif op.mode.data == "numpy" and (sizes := sizes_in(op.target_shape)) is not None:
        if 0 in sizes:
            raise refuse(op, "its result is empty; remove what uses it")
        write.set(op.result, grown(write, x, sizes))
        return
    elif op.mode.data == "numpy":
        target = write.cast(write.plain(op.target_shape), "int32")
    else:
        raise refuse_unknown(op, "its result has unknown sizes")
    if 0 in shape:
        raise refuse(op, "its result is empty; remove what uses it")
    write.set(op.result, write.op("BROADCAST_TO", [x, target], shape, like=x))
