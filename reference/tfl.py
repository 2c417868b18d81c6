"""The meaning of the `tfl` dialect: LiteRT's LSTMs in floating point, its update of a slice, and its constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import tfl
from ..dialects.blob import BlobAttr
from ..dialects.inferred import label
from .arrays import Array, array_of, dtype_in_memory, of_memory
from .meaning import meaning
from .nn.elementwise import logistic

NORMALIZATION = 1e-8
"""What LiteRT adds to a variance before it divides by its root."""

FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "NONE": lambda x: x,
    "RELU": lambda x: np.maximum(x, x.dtype.type(0)),
    "RELU_N1_TO_1": lambda x: np.clip(x, x.dtype.type(-1), x.dtype.type(1)),
    "RELU6": lambda x: np.clip(x, x.dtype.type(0), x.dtype.type(6)),
    "TANH": np.tanh,
    "SIGN_BIT": lambda x: np.signbit(x).astype(x.dtype),
}

Given = Array | None
"""An operand; None where it is absent."""


@dataclass(frozen=True)
class Lstm:
    """An LSTM's weights as arrays, in the order of operands, and what its attributes say."""

    weights: Sequence[Given]
    norms: Sequence[Given]
    attributes: tfl.Attributes

    def step(
        self, x: Array, h: Array, c: Array, extra: Sequence[Given] = ()
    ) -> tuple[Array, Array]:
        """The states after one step; `extra` is added to what enters each gate."""
        activation = FUNCTIONS[self.attributes.activation]
        coupled = self.weights[0] is None
        entering = [
            None if coupled and i == 0 else self._entering(i, x, h, extra) for i in range(4)
        ]
        forget = logistic(self._gate(1, entering[1], self._peephole(1, c)))
        own = None if coupled else logistic(self._gate(0, entering[0], self._peephole(0, c)))
        enter = forget.dtype.type(1) - forget if own is None else own
        cell = forget * c + enter * activation(self._gate(2, entering[2]))
        cell = _limited(cell, self.attributes.cell_clip)
        leave = logistic(self._gate(3, entering[3], self._peephole(2, cell)))
        return self._projected(leave * activation(cell)), cell

    def _entering(self, gate: int, x: Array, h: Array, extra: Sequence[Given]) -> Array:
        w, r = self.weights[gate], self.weights[4 + gate]
        assert w is not None and r is not None
        total = x @ w.T + (h * r if r.ndim == 1 else h @ r.T)
        more = extra[gate] if extra else None
        return total if more is None else total + more

    def _peephole(self, number: int, cell: Array) -> Given:
        weights = self.weights[8 + number]
        return None if weights is None else cell * weights

    def _gate(self, gate: int, entering: Given, peephole: Given = None) -> Array:
        assert entering is not None
        total = entering if peephole is None else entering + peephole
        norm, bias = self.norms[gate] if self.norms else None, self.weights[11 + gate]
        if norm is not None:
            total = _normalized(total) * norm
        return total if bias is None else total + bias

    def _projected(self, h: Array) -> Array:
        projection, bias = self.weights[15], self.weights[16]
        if projection is None:
            return h
        h = h @ projection.T
        return _limited(h if bias is None else h + bias, self.attributes.proj_clip)

    def run(
        self,
        x: Array,
        h: Array,
        c: Array,
        extra: Sequence[Given] = (),
        backward: bool = False,
    ) -> Array:
        """The outputs [steps, batch, n_output] of a sequence [steps, batch, n_input], in its order."""
        outputs: list[Array] = []
        order = range(len(x) - 1, -1, -1) if backward else range(len(x))
        for t in order:
            now = [None if values is None else values[t] for values in extra]
            h, c = self.step(x[t], h, c, now)
            outputs.append(h)
        if backward:
            outputs.reverse()
        return np.stack(outputs) if outputs else np.zeros((0, *h.shape), h.dtype)


def _limited(x: Array, clip: float) -> Array:
    return np.clip(x, x.dtype.type(-clip), x.dtype.type(clip)) if clip else x


def _normalized(x: Array) -> Array:
    centered = x - x.mean(axis=-1, keepdims=True, dtype=x.dtype)
    variance = (centered * centered).mean(axis=-1, keepdims=True, dtype=x.dtype)
    return centered / np.sqrt(variance + x.dtype.type(NORMALIZATION))


def _floating(op: tfl.LstmOperation | tfl.BidirectionalSequenceLstmOp, values: Sequence[Given]):
    """Raises DiagnosticException where an operand is quantized."""
    for array in values:
        if array is not None and array.dtype.kind != "f":
            raise DiagnosticException(
                f"{label(op)}: has {array.dtype} operands; only floating point has a meaning here"
            )


@meaning(tfl.LstmOp)
def lstm(op: tfl.LstmOp, x: Array, *operands: Given) -> Array:
    _floating(op, operands)
    h, c = cast(tuple[Array, Array], operands[17:19])
    return Lstm(operands[:17], operands[19:23], tfl.Attributes.of(op)).step(x, h, c)[0]


@meaning(tfl.UnidirectionalSequenceLstmOp)
def unidirectional_sequence_lstm(
    op: tfl.UnidirectionalSequenceLstmOp, x: Array, *operands: Given
) -> Array:
    _floating(op, operands)
    attributes = tfl.Attributes.of(op)
    h, c = cast(tuple[Array, Array], operands[17:19])
    lstm = Lstm(operands[:17], operands[19:23], attributes)
    return _time_first(lstm.run(_time_first(x, attributes), h, c), attributes)


@meaning(tfl.BidirectionalSequenceLstmOp)
def bidirectional_sequence_lstm(
    op: tfl.BidirectionalSequenceLstmOp, x: Array, *operands: Given
) -> tuple[Array, Array]:
    _floating(op, operands)
    attributes = tfl.Attributes.of(op)
    x, extra = _time_first(x, attributes), operands[38]
    extra = None if extra is None else _time_first(extra, attributes)
    states = cast(Sequence[Array], operands[34:38])
    outputs: list[Array] = []
    for way in range(2):
        lstm = Lstm(operands[17 * way : 17 * way + 17], (), attributes)
        auxiliary = operands[39 + 4 * way : 43 + 4 * way]
        source, more = x, list[Given]()
        if extra is not None and op.has_auxiliary_weights:
            more = [None if w is None else extra @ w.T for w in auxiliary]
        elif extra is not None and way == 1:
            source = extra
        h, c = states[2 * way : 2 * way + 2]
        outputs.append(_time_first(lstm.run(source, h, c, more, backward=way == 1), attributes))
    forward, backward = outputs
    if bool(op.merge_outputs):
        forward = np.concatenate(outputs, axis=-1)
    return forward, backward


def _time_first(x: Array, attributes: tfl.Attributes) -> Array:
    """A sequence with its steps first; its own inverse."""
    return x if attributes.time_major else np.swapaxes(x, 0, 1)


@meaning(tfl.PseudoConstOp)
def pseudo_const(op: tfl.PseudoConstOp) -> Array:
    return dense_array(op.value)


def dense_array(value: Any) -> Array:
    """The array that a constant's attribute holds."""
    if isinstance(value, BlobAttr):
        return array_of(value)
    if not isinstance(value, DenseIntOrFPElementsAttr):
        raise DiagnosticException("the data of a dense_resource is not at hand; write it inline")
    attribute = cast(DenseIntOrFPElementsAttr[Any], value)
    type = cast(TensorType[Any], attribute.type)
    raw = np.frombuffer(attribute.data.data, dtype_in_memory(type.element_type))
    return of_memory(raw, type.element_type).reshape(type.get_shape())


@meaning(tfl.DynamicUpdateSliceOp)
def update_slice(op: Operation, x: Array, update: Array, starts: Array) -> Array:
    sizes = zip(starts.tolist(), x.shape, update.shape, strict=True)
    first = [min(max(start, 0), size - part) for start, size, part in sizes]
    result = x.copy()
    result[tuple(slice(n, n + size) for n, size in zip(first, update.shape, strict=True))] = update
    return result
