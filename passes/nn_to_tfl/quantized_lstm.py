"""
LSTMs in integers, LiteRT's 8x8_16: input, weights and output are 8-bit codes, biases 32-bit at the scale
of input times weights, the cell state 16-bit codes of a scale that is a power of two.

A cell state begins at `c` and grows by less than 1 at each step, so that its scale needs no calibration.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects import nn, qnn, rnn, tfl
from ...dialects.inferred import shape_of
from ...reference.arrays import Array, array_of
from .codes import real
from .lstm import GATE_ORDER, TANH, direction_of, variable
from .quantization import ActivationQuantization, codes_behind
from .tensors import Elements, Tensor, TensorQuantization
from .writer import TflWriter

CODES = 127
CELL_CODES = 2**15
GATE_SCALE = 2**-12
"""The scale of what enters a gate. It is built into the kernel, which without normalization reads it from no tensor."""


@dataclass(frozen=True)
class Integers:
    """How an LSTM is quantized: its weights by gate, and its outputs."""

    w: Array
    r: Array
    output: TensorQuantization


def integers_of(write: TflWriter, op: rnn.LstmSequenceOp) -> Integers | None:
    """The quantization of a sequence, if its input, weights and outputs are quantized."""
    x = codes_behind(write, op.x)
    given = {_output_grid(write, value) for value in (op.y, op.h_next) if value.first_use}
    output = next(iter(given)) if len(given) == 1 else None
    weights = [_real(write, value) for value in (op.w, op.r)]
    known = [nn.constant_of(value) for value in (op.b, op.c)]
    if x is None or output is None or None in known or DYNAMIC_INDEX in shape_of(op.x):
        return None
    w, r = weights
    return None if w is None or r is None else Integers(w, r, output)


def _real(write: TflWriter, value: SSAValue) -> Array | None:
    """The values of constant codes."""
    if (codes := codes_behind(write, value)) is None or codes.data is None:
        return None
    return real(codes)


def _output_grid(write: TflWriter, value: SSAValue) -> TensorQuantization | None:
    """The quantization of the only fake quantization that reads a value, or its reshape."""
    if (use := value.get_unique_use()) is None:
        return None
    user = use.operation
    if isinstance(user, nn.SqueezeOp | nn.UnsqueezeOp | nn.ReshapeOp | nn.TransposeOp):
        return _output_grid(write, user.results[0])
    if not isinstance(user, qnn.FakeQuantizeOp) or use.index != 0:
        return None
    grid = ActivationQuantization.of(write, user)
    if grid is None or not grid.is_direct or grid.element != "int8":
        return None
    return grid.elements.quantization


def run_integers(
    write: TflWriter,
    op: rnn.LstmSequenceOp,
    x: Tensor,
    direction: int,
    how: Integers,
    time_major: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """The codes of the outputs, and the variables of the states, after one direction."""
    cells = op.hidden_size.value.data
    bias, cell = array_of(_blob(op.b)), array_of(_blob(op.c))[:, direction]
    assert x.quantization is not None
    (own,) = x.quantization.scales
    inputs: list[list[Tensor]] = [[], [], []]
    for gate in GATE_ORDER:
        rows = slice(gate * cells, (gate + 1) * cells)
        for kind, array in enumerate((how.w, how.r)):
            inputs[kind].append(_symmetric(write, array[direction, rows]))
        scale = own * inputs[0][-1].quantization.scales[0]  # pyright: ignore[reportOptionalMemberAccess]
        codes = np.rint(bias[direction, rows] / scale).astype(np.int32)
        inputs[2].append(write.constant(codes, None, TensorQuantization((scale,))))
    h = variable(write, _initial_output(write, op, direction, how.output))
    bound = float(np.abs(cell).max()) + shape_of(op.x)[1]
    power = TensorQuantization((2.0 ** math.ceil(math.log2(bound)) / CELL_CODES,))
    start = np.rint(cell / power.scales[0]).clip(-CELL_CODES, CELL_CODES - 1)
    c = variable(write, write.constant(start, "int16", power))
    codes = Elements("int8", how.output)
    gate = Elements("int16", TensorQuantization((GATE_SCALE,))).tensor(())
    inside = zip(tfl.INTERMEDIATES, [*[gate] * 4, codes.tensor(())], strict=True)
    w, r, b = inputs
    operands = [x, *w, *r, None, None, None, *b, None, None, h, c, None, None, None, None]
    options: dict[str, Any] = {
        "fused_activation_function": TANH,
        "time_major": time_major,
        "cell_clip": op.cell_clip.value.data,
        **dict(inside),
    }
    type = codes.tensor((*x.shape[:2], cells))
    y = write.operator("UNIDIRECTIONAL_SEQUENCE_LSTM", operands, type, **options)
    return y, h, c


def _blob(value: SSAValue) -> nn.BlobAttr:
    blob = nn.constant_of(value)
    assert blob is not None
    return blob


def _symmetric(write: TflWriter, real: Array) -> Tensor:
    """The weights of one gate as symmetric codes with one scale, as the kernel takes them."""
    scale = max(float(np.abs(real).max()), 1e-9) / CODES
    codes = np.rint(real / scale)
    return write.constant(codes, "int8", TensorQuantization((scale,)))


def _initial_output(
    write: TflWriter, op: rnn.LstmSequenceOp, direction: int, output: TensorQuantization
) -> Tensor:
    start = direction_of(write, op.h, direction, op.hidden_size.value.data)
    like = Elements("int8", output)
    if start.data is not None:
        codes = np.rint(start.data / output.scales[0]) + output.zero_point
        return write.constant(codes.clip(-CODES - 1, CODES), "int8", output)
    return write.op("QUANTIZE", [start], start.shape, like=like)
