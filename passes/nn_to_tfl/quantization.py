"""
Quantized values as tensors of signed 8-bit codes.

A fake quantization per tensor is a QUANTIZE: what it gives is held in codes, and whoever computes in
floating point gets a DEQUANTIZE. Where everything before it up to a product, a sum or a mean is linear
and reads codes too, all of it is one operator on codes (see `fused_on_codes`). Codes of lpt, `ui8` or `i8`,
are held the same way: `ui8` code `n` as `n - 128`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import i16
from xdsl.ir import SSAValue

from ...dialects import qnn
from ...dialects.blob import element_count
from ...dialects.elements import bits_of
from ...dialects.nn.constant import constant_of
from ...reference.arrays import Array, array_of
from .block import given
from .elementwise import as_it_lies
from .tensors import Elements, Tensor, TensorQuantization, is_same
from .writer import TflWriter, element_of, emits

LOWEST, HIGHEST = -128, 127
"""The range of codes."""

LEVELS = HIGHEST - LOWEST + 1

HIGHEST_OF = {"int8": HIGHEST, "int16": 2**15 - 1}
"""The highest code of each type; 16-bit codes are symmetric around 0."""

NEARLY = 1e-2
"""How far a zero point may be from an integer: intervals are rounded to f32."""


@dataclass(frozen=True)
class ActivationQuantization:
    """
    The values that a fake quantization of activations gives, `scale * (code - zero_point)` for codes of an
    interval, of what is `gain * input + offset`.

    Of codes of lpt the meaning is free; they keep that of the input where LiteRT can say it, and are
    numbers otherwise.
    """

    scale: float
    zero_point: int
    first: int
    last: int
    gain: Array
    offset: Array
    element: str = "int8"

    @classmethod
    def of(cls, write: TflWriter, op: qnn.FakeQuantizeOp) -> ActivationQuantization | None:
        """
        The grid, if LiteRT has it: up to 256 levels, of one scale and one integer zero point, or those of 16 bits
        around 0.
        """
        known = [write.known(value) for value in op.operands[1:]]
        levels = op.levels.value.data
        if any(limits is None for limits in known) or not (
            2 <= levels <= LEVELS or levels == LEVELS**2
        ):
            return None
        element = "int8" if levels <= LEVELS else "int16"
        low, high, output_low, output_high = (np.asarray(k, np.float64) for k in known)
        steps = levels - 1
        if output_low.size > 1 or output_high.size > 1 or (high <= low).any():
            return None
        first = HIGHEST_OF[element] - steps
        width, begin = output_high.item() - output_low.item(), output_low.item()
        if op.output_type is not None:
            first = int(begin) - (128 if element_of(op.result) == "uint8" else 0)
            if width != steps:
                return None
            if low.size == high.size == 1 and _zero_point(first, low.item(), high.item(), steps):
                width, begin = high.item() - low.item(), low.item()  # what the codes stand for
            else:
                begin = first
        if (point := _zero_point(first, begin, begin + width, steps)) is None:
            return None
        if element == "int16" and any(point):
            return None
        gain = width / (high - low)
        return cls(width / steps, point[0], first, first + steps, gain, begin - low * gain, element)

    @property
    def is_direct(self) -> bool:
        """Whether the input already has the scale of the codes."""
        near = self.scale * NEARLY
        return bool(np.allclose(self.gain, 1, 1e-4, 0) and np.allclose(self.offset, 0, 0, near))

    @property
    def is_whole(self) -> bool:
        """Whether the interval covers all codes."""
        return self.last - self.first in (LEVELS - 1, LEVELS**2 - 1)

    @property
    def elements(self) -> Elements:
        """The quantization of the tensor."""
        return Elements(self.element, TensorQuantization((self.scale,), (self.zero_point,)))


def _zero_point(first: int, low: float, high: float, steps: int) -> tuple[int] | None:
    """The zero point, if it is an integer; in a tuple, since it may be 0."""
    if not high > low:
        return None
    point = first - low * steps / (high - low)
    fits = abs(point - round(point)) <= NEARLY and LOWEST <= round(point) <= HIGHEST
    return (round(point),) if fits else None


@emits(qnn.DequantizeOp)
def dequantize(write: TflWriter, op: qnn.DequantizeOp) -> None:
    """`(input - zero_point) * scale`: no operation where the codes are stored with this quantization."""
    if (constant := _constant_codes(write, op)) is not None:
        write.set(op.result, constant)
        return
    scale = array_of(op.scale).astype(np.float64)
    zero = np.zeros(()) if op.zero_point is None else array_of(op.zero_point).astype(np.float64)
    held = codes_behind(write, op.input)
    if held is not None and scale.size == zero.size == 1 and float(zero.flat[0]).is_integer():
        point = int(zero.flat[0]) - (128 if element_of(op.input) == "uint8" else 0)
        named = TensorQuantization((float(scale.flat[0]),), (point,))
        view = write.values[op.input]
        if LOWEST <= point <= HIGHEST:
            write.values[op.result] = type(view)(renamed(write, held, named), view.order)
            return
    x, order = as_it_lies(write, op.input)
    x = write.cast(x, "float32")
    for builtin, array in (("SUB", zero), ("MUL", scale)):
        if builtin == "MUL" or array.any():
            x = write.binary(builtin, x, write.along(array, order, "float32"))
    write.set(op.result, write.cast(x, element_of(op.result)), order)


def _constant_codes(write: TflWriter, op: qnn.DequantizeOp) -> Tensor | None:
    """
    Constant codes of 8 bits or fewer, with one scale or with scales along neighbouring dimensions; of 16 around 0 with
    one.
    """
    blob = constant_of(op.input)
    if blob is None or not element_count(blob.type):
        return None
    if blob.type.element_type == i16 and op.zero_point is None and array_of(op.scale).size == 1:
        own = TensorQuantization((float(array_of(op.scale).item()),), (0,))
        return write.constant(array_of(blob), "int16", own)
    if bits_of(blob.type.element_type) > 8:
        return None
    codes = array_of(blob).astype(np.float64)
    scale = array_of(op.scale).astype(np.float64)
    point = np.zeros(()) if op.zero_point is None else array_of(op.zero_point).astype(np.float64)
    if codes.max(initial=0) > HIGHEST:
        codes, point = codes - LEVELS // 2, point - LEVELS // 2
    integers = all((array == np.rint(array)).all() for array in (codes, point))
    held = min(codes.min(), point.min()) >= LOWEST and max(codes.max(), point.max()) <= HIGHEST
    if not (integers and held) or (scale <= 0).any():
        return None
    shape = np.broadcast_shapes(scale.shape, point.shape)
    shape = (*[1] * (codes.ndim - len(shape)), *shape)
    axes = [axis for axis, size in enumerate(shape) if size > 1]
    if axes != list(range(axes[0], axes[-1] + 1)) if axes else False:
        return None
    if any(shape[axis] != codes.shape[axis] for axis in axes):
        return None
    scales, points = (np.broadcast_to(array, shape).reshape(-1) for array in (scale, point))
    quantization = TensorQuantization(
        tuple(map(float, scales)), tuple(map(int, points)), axes[0] if axes else 0
    )
    return write.constant(codes, "int8", quantization)


def codes_behind(write: TflWriter, value: SSAValue) -> Tensor | None:
    """The tensor of codes that a value is stored in; None where it is not quantized."""
    view = write.values.get(value)
    return None if view is None or view.tensor.quantization is None else view.tensor


def renamed(write: TflWriter, codes: Tensor, quantization: TensorQuantization) -> Tensor:
    """The same codes with another quantization."""
    assert codes.quantization is not None
    if is_same(codes.quantization, quantization):
        return codes
    if codes.data is not None:
        return write.constant(codes.data, codes.element, quantization)
    like = Elements(codes.element, quantization)
    return write.copied(codes, like)


CODES = ("int8", "uint8", "int16")
"""The types of codes for inputs and outputs of a model."""

# --- of the model ---------------------------------------------------------------------------


def given_codes(write: TflWriter, argument: SSAValue) -> Tensor:
    """The tensor of an argument, with the quantization that all users agree on."""
    element = element_of(argument)
    uses = [use.operation for use in argument.uses]
    meanings = {_meaning(op) for op in uses if isinstance(op, qnn.DequantizeOp)}
    if element not in CODES or len(meanings) != 1:
        return given(write, argument)
    if not all(isinstance(op, qnn.DequantizeOp) for op in uses):
        return given(write, argument)
    found = given(write, argument, *meanings)
    if element == "uint8" and found.quantization is not None:
        write.set(argument, _shifted(write, found, "int8", -LEVELS // 2))
    return found


def _meaning(op: qnn.DequantizeOp) -> TensorQuantization | None:
    """The scale and zero point of a dequantization per tensor."""
    scale = array_of(op.scale)
    point = np.zeros(()) if op.zero_point is None else array_of(op.zero_point)
    if scale.size != 1 or point.size != 1 or scale.item() <= 0 or point.item() != int(point.item()):
        return None
    return TensorQuantization((float(scale.item()),), (int(point.item()),))


def taken_codes(write: TflWriter, value: SSAValue) -> Tensor:
    """The tensor of a result: the codes themselves, if the result is codes."""
    element = element_of(value)
    if codes_behind(write, value) is None or element not in CODES:
        return write.plain(value)
    with write.codes():
        found = write.plain(value)
    return found if element != "uint8" else _shifted(write, found, "uint8", LEVELS // 2)


def _shifted(write: TflWriter, x: Tensor, element: str, by: int) -> Tensor:
    """The same values, from signed to unsigned codes or back."""
    assert x.quantization is not None
    quantization = TensorQuantization(x.quantization.scales, (x.quantization.zero_point + by,))
    return write.op("QUANTIZE", [x], x.shape, like=Elements(element, quantization))
