"""`qnn`: quantization, as models write it (`fake_quantize`) and as LPT moves it (`dequantize`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloatConstr, IntegerType, TensorType, UnitAttr
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    base,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)

from .blob import BlobAttr
from .elements import bits_of
from .inferred import Constants, TensorOp, broadcast, shape_of, spelled, tensor
from .names import Names
from .nn.constant import constant_of
from .operation import op_definition
from .properties import integer_prop, word_prop
from .tables import operations_of
from .tensor_types import typed
from .traits import Broadcasts, Elementwise

INTERVALS = ("input_low", "input_high", "output_low", "output_high")
"""The names of FakeQuantize's four limits, in the order of its operands."""


@op_definition
class FakeQuantizeOp(TensorOp):
    """
    Elementwise quantization to `levels` values:

    `round((clamp(x) - input_low) / (input_high - input_low) * (levels - 1)) / (levels - 1)
     * (output_high - output_low) + output_low`, where clamp limits to the input interval; halves round to
    even. With an 8-bit result (inside and after LPT) the output interval is in codes, and they are exact.
    With `from_zero`, steps are counted from 0, as ONNX counts them, where it lies on one: halves round to what is even
    then. NaN stays NaN; it has no code, and becomes 0 in an integer type.

    With two levels, the input interval may be one point (binarization): up to it is `output_low`, beyond it
    `output_high`.

        %il = nn.constant dense<-1.0> : tensor<f32>
        %ih = nn.constant dense<1.0> : tensor<f32>
        %ol = nn.constant dense<-1.0> : tensor<f32>
        %oh = nn.constant dense<1.0> : tensor<f32>
        %y = qnn.fake_quantize %x, %il, %ih, %ol, %oh {levels = 256 : i64}
            : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
    """

    name = "qnn.fake_quantize"
    NAMES: ClassVar = Names("FakeQuantize-1")

    input = operand_def(TensorType.constr(AnyFloatConstr))
    input_low = operand_def(TensorType.constr(AnyFloatConstr))
    input_high = operand_def(TensorType.constr(AnyFloatConstr))
    output_low = operand_def(TensorType.constr(AnyFloatConstr))
    output_high = operand_def(TensorType.constr(AnyFloatConstr))
    result = result_def(TensorType)
    levels = integer_prop()
    auto_broadcast = word_prop("numpy")
    output_type = opt_prop_def(base(IntegerType))
    from_zero = opt_prop_def(UnitAttr)

    NEGLIGIBLE: ClassVar = 1e-4
    """Parts of a step below which a limit counts as lying on one: what rounding it to f32 does."""

    traits = traits_def(Elementwise(), Broadcasts())

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape = shape_of(self.input)
        whole = broadcast(self, *(shape_of(operand) for operand in self.operands))
        if len(whole) != len(shape) or any(
            size not in (have, DYNAMIC_INDEX) and have != DYNAMIC_INDEX
            for size, have in zip(whole, shape, strict=True)
        ):
            raise self.op_error(
                f"intervals broadcast to {spelled(whole)}, the input is {spelled(shape)}; they "
                "must fit into it"
            )
        element = self.output_type or tensor(self.input).element_type
        return [typed(element, shape)]

    def verify_(self) -> None:
        super().verify_()
        if self.auto_broadcast.data != "numpy":
            raise self.op_error(
                f"auto_broadcast '{self.auto_broadcast.data}' is not supported; use 'numpy'"
            )
        levels = self.levels.value.data
        if levels < 2:
            raise self.op_error(f"{levels} levels; at least 2 are needed")
        self.check_intervals()

    def check_intervals(self) -> None:
        """Raises VerifyException where an interval, as far as it is known, is none."""
        limits: list[list[float] | None] = []
        for name, operand in zip(INTERVALS, self.operands[1:], strict=True):
            blob = constant_of(operand)
            values = None if blob is None else [float(v) for v in blob.data.distinct()]
            if values is not None and not all(map(math.isfinite, values)):
                raise self.op_error(f"{name} is not finite; calibrate this quantization again")
            limits.append(values)
        self._check_scale(*limits)

    def _check_scale(
        self,
        input_low: list[float] | None,
        input_high: list[float] | None,
        output_low: list[float] | None,
        output_high: list[float] | None,
    ) -> None:
        if not input_low or not input_high:
            return
        channels = max(len(input_low), len(input_high))
        if not {len(input_low), len(input_high)} <= {1, channels}:
            return  # they vary along different dimensions
        lows, highs = (each * (channels // len(each)) for each in (input_low, input_high))
        for channel, (low, high) in enumerate(zip(lows, highs, strict=True)):
            if low < high:
                continue
            if low == high and (
                self.levels.value.data == 2 or _same(output_low, output_high, channel)
            ):
                continue  # a step at one point, or a channel that was pruned
            why = (
                "is one point, and what it gives is not; calibrate this quantization again"
                if low == high
                else "is inverted; exchange input_low and input_high"
            )
            raise self.op_error(f"input interval [{low:g}, {high:g}] {why}")


def _same(low: list[float] | None, high: list[float] | None, channel: int) -> bool:
    if not low or not high:
        return False
    return low[channel % len(low)] == high[channel % len(high)]


@op_definition
class DequantizeOp(TensorOp):
    """
    `result = (input - zero_point) * scale`, in the floating-point type of the scale; `output_type` rounds
    the product to another one.

    Scale and zero point broadcast to the input from the right, as NumPy has it.

        %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>>
            : tensor<4xui8> -> tensor<4xf32>
    """

    name = "qnn.dequantize"
    NAMES: ClassVar = Names("", "", "DEQUANTIZE", "DequantizeLinear-28")

    input = operand_def(TensorType.constr(base(IntegerType) | AnyFloatConstr))
    scale = prop_def(BlobAttr)
    zero_point = opt_prop_def(BlobAttr)
    result = result_def(TensorType.constr(AnyFloatConstr))
    output_type = opt_prop_def(AnyFloatConstr)

    traits = traits_def(Broadcasts())
    assembly_format = (
        "$input `scale` $scale (`zero_point` $zero_point^)? attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape = shape_of(self.input)
        sizes = [
            attr.type.get_shape() for attr in (self.scale, self.zero_point) if attr is not None
        ]
        whole = broadcast(self, shape, *sizes)
        if len(whole) != len(shape):
            raise self.op_error("scale has more dimensions than the input")
        for size in sizes:
            if any(
                s not in (1, d) and d != DYNAMIC_INDEX
                for s, d in zip(size[::-1], shape[::-1], strict=False)
            ):
                raise self.op_error(
                    f"scale or zero point of shape {spelled(size)} does not broadcast to "
                    f"the input's {spelled(shape)}"
                )
        return [typed(self.output_type or self.scale.type.element_type, whole)]

    def verify_(self) -> None:
        super().verify_()
        if bits_of(self.scale.type.element_type) < 16 or not all(
            math.isfinite(v) for v in self.scale.data.distinct()
        ):
            raise self.op_error("a scale is not finite; calibrate this quantization again")
        if self.zero_point is not None and not all(
            math.isfinite(v) for v in self.zero_point.data.distinct()
        ):
            raise self.op_error("a zero point is not finite; calibrate this quantization again")


Qnn = Dialect("qnn", operations_of("qnn", globals()))
