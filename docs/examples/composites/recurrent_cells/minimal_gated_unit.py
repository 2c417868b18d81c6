"""A minimal gated unit (arXiv 1603.09420), `h' = (1 - f) h + f tanh(x W + (f h) R + b)`, as a GRU."""

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, TensorType, i64
from xdsl.ir import SSAValue

from lowstream.dialects import nn, rnn
from lowstream.dialects.blob import BlobAttr
from lowstream.dialects.inferred import shape_of
from lowstream.passes.prepare_composite_functions import (
    Argument,
    Call,
    CannotFuseError,
    Composite,
    Interface,
    TfWriter,
)

INTERFACE = Interface(
    (
        Argument("inputs", "batch", "steps", "inputs"),
        Argument("init_h", "batch", "cells"),
        Argument("kernel", "inputs", "2*cells"),  # forget, candidate
        Argument("recurrent_kernel", "cells", "2*cells"),
        Argument("bias", "2*cells"),
    ),
    results=1,
    known=("inputs", "cells"),
)


def gates(write: TfWriter, value: SSAValue) -> SSAValue:
    """
    The rows of a GRU's gates z, r and h from those of f and h: r is f, and z, which keeps the old state, is
    `1 - f`, that is the gate of the negated sum.
    """
    forget, candidate = write.split(value, 2, 0)
    parts = [write(nn.NegativeOp, forget), forget, candidate]
    whole = write(nn.ConcatOp, *parts, axis=IntegerAttr(0, i64))
    return write(nn.UnsqueezeOp, whole, write.integers(0))


def build(call: Call) -> Sequence[SSAValue]:
    given, write = call.arguments, call.write
    x = given["inputs"]
    batch, steps, _ = shape_of(x)
    if batch < 0 or steps < 0:
        raise CannotFuseError("has an input of unknown batch or steps; export the model with both")
    lengths = write.constant(BlobAttr.of(TensorType(i64, [batch]), steps))
    kernel, recurrent = (
        write(nn.TransposeOp, given[name], write.integers(1, 0))
        for name in ("kernel", "recurrent_kernel")
    )
    sequence = rnn.GruSequenceOp.of(
        x,
        write(nn.UnsqueezeOp, given["init_h"], write.integers(1)),
        lengths,
        gates(write, kernel),
        gates(write, recurrent),
        gates(write, given["bias"]),
        hidden_size=IntegerAttr(call.size("cells"), i64),
        linear_before_reset=BoolAttr.from_bool(False),
    )
    return [write(nn.SqueezeOp, write.op(sequence)[0], write.integers(1))]


MINIMAL_GATED_UNIT = Composite("recurrent_cells.MinimalGatedUnit", INTERFACE, build)
