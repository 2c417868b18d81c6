"""Keras' LSTM, `lstm_<id>` and `indy_lstm_<id>`, as `tfl.unidirectional_sequence_lstm`; why `gru_<id>` is not fused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of, tensor
from ..legalize_tfl_to_nn.sequences import lstm_sequence, swapped
from .composite import Call, CannotFuseError, Composite, boolean
from .contract import Argument, Interface
from .writing import LSTM, TfWriter

TIME_MAJOR, GO_BACKWARDS = "tf.time_major", "tf.go_backwards"
"""The attributes in which Keras says how the sequence lies, and in which order it is read."""

LAST, SEQUENCE, HIDDEN, CELL, RUNTIME = range(5)
"""The results of Keras' function."""


def interface(function: func.FuncOp, types: Sequence[Attribute], rows: str = "cells") -> Interface:
    """`(x, h0, c0, W, R, b[, mask]) -> (last, sequence, h, c, runtime)`"""
    order = ("steps", "batch") if boolean(TIME_MAJOR, function.attributes) else ("batch", "steps")
    return Interface(
        (
            Argument("inputs", *order, "inputs"),
            Argument("init_h", "batch", "cells"),
            Argument("init_c", "batch", "cells"),
            Argument("kernel", "inputs", "4*cells"),
            Argument("recurrent_kernel", rows, "4*cells"),
            Argument("bias", "4*cells"),
            Argument("mask", *order, optional=True),
        ),
        results=5,
        known=("inputs", "cells"),
    )


def indy_interface(function: func.FuncOp, types: Sequence[Attribute]) -> Interface:
    """As `interface`; the recurrent kernel has one row, the diagonal, or as many as cells, and no other elements."""
    return interface(function, types, "rows")


def no_gru(function: func.FuncOp, types: Sequence[Attribute]) -> Interface:
    """Raises CannotFuseError: there is nothing to fuse it to."""
    raise CannotFuseError(
        "is a GRU, for which LiteRT has no fused operation; legalize-tf-to-nn makes a loop of it"
    )


@dataclass(frozen=True)
class Layer:
    """One Keras LSTM: its arguments, and how its sequence lies."""

    call: Call
    time_major: bool
    go_backwards: bool

    @classmethod
    def of(cls, call: Call) -> Layer:
        """Raises CannotFuseError where no fused operation computes what the function does."""
        major = call.flag(TIME_MAJOR)
        if major is None:
            raise CannotFuseError(
                f"has no attribute {TIME_MAJOR}, which says how its sequence lies; set it to true or false"
            )
        if "mask" in call.arguments:
            raise CannotFuseError(
                "takes a mask, for which fused operations have no place; raise-tf-while-to-lstm fuses "
                "the loop in it"
            )
        call.require_f32()
        return cls(call, major, bool(call.flag(GO_BACKWARDS)))

    @property
    def axis(self) -> int:
        """The dimension of the steps."""
        return 0 if self.time_major else 1

    def operands(self, write: TfWriter, diagonal: bool = False) -> tuple[list[SSAValue], ...]:
        """17 weights in the order of `tfl`, the states, and the coefficients of a normalization, which are absent."""
        given, none = self.call.arguments, write.none
        sizes = [self.call.size("cells")] * 4
        kernel = write.parts(write.matrix_transposed(given["kernel"]), sizes)
        recurrent = list(write.parts(write.matrix_transposed(given["recurrent_kernel"]), sizes))
        if diagonal:
            recurrent = [self._diagonal(write, part) for part in recurrent]
        bias = write.parts(given["bias"], sizes)
        weights = [*kernel, *recurrent, none, none, none, *bias, none, none]
        return weights, [given["init_h"], given["init_c"]], [none] * 4

    def _diagonal(self, write: TfWriter, matrix: SSAValue) -> SSAValue:
        """The weights with which each cell sees its own output."""
        rows, cells = self.call.size("rows"), self.call.size("cells")
        if rows == 1:
            return write.flat(matrix, cells)
        if rows != cells:
            have = "an unknown number of" if rows == DYNAMIC_INDEX else rows
            raise CannotFuseError(
                f"is an independently recurrent layer whose recurrent kernel has {have} rows; expected are "
                f"1 or, with its diagonal, {cells}"
            )
        return write.tf("MatrixDiagPart", [matrix], [cells])[0]


def build(call: Call) -> Sequence[SSAValue]:
    """The composite of a layer whose recurrent kernel is a matrix."""
    return _build(call, diagonal=False)


def build_indy(call: Call) -> Sequence[SSAValue]:
    """The same for an independently recurrent layer, whose recurrent kernel is a diagonal."""
    return _build(call, diagonal=True)


def _build(call: Call, diagonal: bool) -> Sequence[SSAValue]:
    """
    One operation over the sequence, reversed before if the layer goes backward; `last` and `h` are its last step.
    Initial states are those given, and nothing is clipped.
    """
    layer, write = Layer.of(call), call.write
    x = call.arguments["inputs"]
    if layer.go_backwards:
        x = write.backward(x, layer.axis)
    weights, states, norms = layer.operands(write, diagonal)
    shape = [*shape_of(x)[:2], call.size("cells")]
    op = tfl.UnidirectionalSequenceLstmOp.of(
        [x, *weights, *states, *norms],
        [TensorType(tensor(x).element_type, shape)],
        **LSTM,
        time_major=layer.time_major,
        diagonal_recurrent_tensors=diagonal,
    )
    (sequence,) = write.op(op)
    last = write.step(sequence, layer.axis, -1)
    cell = final_cell(write, x, op) if CELL in call.used else write.zeros(states[1], shape[2])
    return [last, as_declared(call, layer, sequence, last), last, cell, write.filled(0.0, x, [])]


def final_cell(write: TfWriter, x: SSAValue, op: tfl.UnidirectionalSequenceLstmOp) -> SSAValue:
    """
    The cell state after the last step, which LiteRT's operation leaves in a variable and gives nobody.
    `legalize-tfl-to-nn` writes the same sequence for the operation, so that `cse` makes them one.
    """
    attributes = tfl.Attributes.of(op)
    sequence = lstm_sequence(write, swapped(write, x, attributes), [op.parts], attributes)
    return write(nn.SqueezeOp, sequence.c, write.integers(1))


def as_declared(call: Call, layer: Layer, sequence: SSAValue, last: SSAValue) -> SSAValue:
    """The sequence, or the last step alone where the function gives only that, with one step."""
    declared = call.function.function_type.outputs.data[SEQUENCE]
    steps = shape_of(sequence)[layer.axis]
    if (
        isinstance(declared, TensorType)
        and declared.get_num_dims() == 3
        and declared.get_shape()[layer.axis] == 1 != steps
        and SEQUENCE in call.used
    ):
        return call.write.widened(last, layer.axis)
    return sequence


COMPOSITES = (
    Composite("lstm_", interface, build, prefix=True),
    Composite("indy_lstm_", indy_interface, build_indy, prefix=True),
    Composite("gru_", no_gru, build, prefix=True),
)
