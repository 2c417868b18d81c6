"""`tfl-weights`: the weights of LiteRT's operators in fewer bits: codes of 8 bits, or f16."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, Float32Type, ModuleOp, TensorType, f16, i8
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import tfl
from ..dialects.inferred import copy_name, shape_of, tensor
from ..dialects.quant import UniformQuantizedType
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from ..reference.arrays import Array, blob_of
from ..reference.tfl import dense_array
from .erase_unused import erase_unused

ASYMMETRIC = "asymmetric_quantize_inputs"
"""The option by which codes of inputs have a zero point, as TensorFlow's converter has it."""

CODES = 127
"""The largest code: kernels take weights that are symmetric around 0."""


@dataclass(frozen=True)
class TflWeights(ModulePass):
    """
    Constants of f32 from `least` elements on become smaller.

    - `int8`: the weights of products, as codes with a scale for each output, or one for all of them. Kernels that take
      such weights beside f32 inputs quantize these in each call (dynamic range); the others get a DEQUANTIZE, which
      LiteRT runs once.
    - `float16`: all constants, with a DEQUANTIZE.
    """

    name = "tfl-weights"

    type: Literal["int8", "float16"] = "int8"
    least: int = 1024

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for constant in all_operations(op):
            if isinstance(constant, tfl.PseudoConstOp) and self._is_large(constant.output):
                if self.type == "float16":
                    half = dense_array(constant.value).astype(np.float16)
                    _replace(constant, _dequantized(constant, half, TensorType(f16, half.shape)))
                else:
                    _quantize(constant)

    def _is_large(self, value: SSAValue) -> bool:
        return isinstance(tensor(value).element_type, Float32Type) and (
            int(np.prod(shape_of(value))) >= self.least
        )


def _quantize(constant: tfl.PseudoConstOp) -> None:
    """Gives those that multiply with a constant its codes."""
    array, made = dense_array(constant.value), dict[tuple[int, bool], Operation]()
    for use in list(constant.output.uses):
        user = use.operation
        if (
            not isinstance(user, tfl.TflOp)
            or (axis := user.WEIGHTS.get(_name(user, use.index))) is None
        ):
            continue
        key = axis, user.DYNAMIC_RANGE
        if key not in made:
            codes, type = quantized(array, axis)
            made[key] = (_constant if user.DYNAMIC_RANGE else _dequantized)(constant, codes, type)
        user.operands[use.index] = made[key].results[0]
        if ASYMMETRIC in user.get_irdl_definition().properties:
            user.properties[ASYMMETRIC] = BoolAttr.from_bool(True)
    erase_unused(constant.output)


def quantized(array: Array, axis: int) -> tuple[Array, TensorType[Any]]:
    """Codes of an array, symmetric around 0, with a scale for each place along an axis, or one."""
    rest = tuple(i for i in range(array.ndim) if i != axis)
    scales = np.maximum(np.abs(array).max(axis=rest, keepdims=True), 1e-9) / CODES
    codes = np.rint(array / scales).astype(np.int8)
    listed = [float(scale) for scale in scales.reshape(-1)]
    return codes, TensorType(UniformQuantizedType.of(i8, listed, axis=axis), array.shape)


def _name(op: IRDLOperation, index: int) -> str:
    """What an operation calls its operand."""
    place = 0
    for name, _ in op.get_irdl_definition().operands:
        given: SSAValue | Sequence[SSAValue] | None = getattr(op, name)
        place += len(given) if isinstance(given, Sequence) else given is not None
        if index < place:
            return name
    raise AssertionError("an operation names its operands")


def _constant(old: tfl.PseudoConstOp, array: Array, type: TensorType[Any]) -> tfl.PseudoConstOp:
    made = tfl.PseudoConstOp(blob_of(array), type)
    copy_name(old, made)
    Rewriter.insert_op(made, InsertPoint.before(old))
    return made


def _dequantized(old: tfl.PseudoConstOp, array: Array, type: TensorType[Any]) -> Operation:
    """What makes f32 of a smaller constant."""
    codes = _constant(old, array, type)
    made = tfl.OPERATIONS["DEQUANTIZE"].of([codes.output], [old.output.type])
    Rewriter.insert_op(made, InsertPoint.before(old))
    return made


def _replace(old: tfl.PseudoConstOp, new: Operation) -> None:
    old.output.replace_all_uses_with(new.results[0])
    Rewriter.erase_op(old)
