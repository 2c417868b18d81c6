"""Operators of QONNX, as Brevitas writes them: quantization to any number of bits; values stay in floating point."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from ....dialects import nn, qnn
from ....dialects.inferred import tensor
from ....reference.arrays import Array, blob_of
from ....reference.constants import constant_array, constant_arrays
from ..node import Node, Values
from ..package import QONNX
from ..rule_table import rule
from .elements import converted


@rule(*(f"{domain}.{type}" for domain in QONNX for type in ("Quant", "IntQuant")))
def quant(node: Node) -> Values:
    """`(round(clamp(x / scale + zero_point)) - zero_point) * scale`"""
    x, bits = node[0], _bits(node, 3)
    signed, narrow = bool(node("signed", 1)), bool(node("narrow", 0))
    if signed and bits == 1:
        return _bipolar(node, x, node[1])
    limits = _limits(bits, signed, narrow)
    if (fake := _fake(node, limits)) is not None:
        return fake
    scale, point = (converted(node, node[i], tensor(x).element_type) for i in (1, 2))
    code = node.write(nn.AddOp, node.write(nn.DivideOp, x, scale), point)
    code = _rounded(node, node.write.clamp(code, *limits), "ROUND")
    return node.write(nn.MultiplyOp, node.write(nn.SubtractOp, code, point), scale)


@rule(*(f"{domain}.BipolarQuant" for domain in QONNX))
def bipolar_quant(node: Node) -> Values:
    """`scale` where x is at least 0, else `-scale`."""
    return _bipolar(node, node[0], node[1])


@rule(*(f"{domain}.Trunc" for domain in QONNX))
def trunc(node: Node) -> Values:
    """
    Codes without their lowest bits. Version 1 says how many bits are left, and keeps the scale; version 2 says the new
    scale, and limits the codes.
    """
    write, x = node.write, node[0]
    scale, point = (converted(node, node[i], tensor(x).element_type) for i in (1, 2))
    code = write(nn.RoundOp, write(nn.AddOp, write(nn.DivideOp, x, scale), point))
    if len(node.inputs) < 6:
        factor = 2.0 ** (_bits(node, 3) - _bits(node, 4))
        code = _rounded(node, write(nn.DivideOp, code, factor), "FLOOR")
        return write(nn.MultiplyOp, write(nn.SubtractOp, code, point), scale)
    old, new = (_scale(node, i) for i in (1, 4))
    step = write.constant(blob_of(2 ** np.rint(np.log2(new / old)), tensor(x).element_type))
    limits = _limits(_bits(node, 5), bool(node("signed", 1)), bool(node("narrow", 0)))
    code = _rounded(node, write.clamp(write(nn.DivideOp, code, step), *limits), "FLOOR")
    code = write(nn.SubtractOp, code, write(nn.DivideOp, point, step))
    return write(nn.MultiplyOp, code, converted(node, node[4], tensor(x).element_type))


def _scale(node: Node, index: int) -> Array:
    scale = _constant(node, index, "scale").astype(np.float64)
    if not (np.isfinite(scale) & (scale > 0)).all():
        raise node.refuse(f"its scale (input {index}) is not positive everywhere; quantize again")
    return scale


def _constant(node: Node, index: int, what: str) -> Array:
    if (array := constant_array(node[index])) is None:
        raise node.refuse(f"its {what} (input {index}) is computed; make it a constant")
    return array


def _bits(node: Node, index: int) -> int:
    """A number of bits, which is a constant: the same for all elements."""
    found = np.unique(_constant(node, index, "number of bits"))
    if found.size != 1 or found[0] not in range(1, 33):
        raise node.refuse(
            f"its number of bits (input {index}) is {', '.join(map(str, found.tolist()))}; "
            "use one whole number from 1 to 32"
        )
    return int(found[0])


def _limits(bits: int, signed: bool, narrow: bool) -> tuple[int, int]:
    """The least and the greatest code. A narrow interval has one code less: signed ones lose the least."""
    if signed:
        return narrow - 2 ** (bits - 1), 2 ** (bits - 1) - 1
    return 0, 2**bits - 1 - narrow


def _bipolar(node: Node, x: SSAValue, scale: SSAValue) -> SSAValue:
    positive = node.write(nn.GreaterEqualOp, x, 0.0)
    scale = converted(node, scale, tensor(x).element_type)
    return node.write(nn.SelectOp, positive, scale, node.write(nn.NegativeOp, scale))


def _fake(node: Node, limits: tuple[int, int]) -> SSAValue | None:
    """
    The FakeQuantize to at most 8 bits whose interval is constant, and in which halves round to the same codes; None
    where there is none.
    """
    x, (least, most) = node[0], limits
    known = constant_arrays(node[i] for i in (1, 2))
    if known is None or most - least not in range(1, 256):
        return None
    if node("rounding_mode", "ROUND").upper() not in ("ROUND", "HALF_EVEN"):
        return None
    scale, point = (array.astype(np.float64) for array in known)
    if not (np.isfinite(scale) & (scale > 0)).all() or (point != np.rint(point)).any():
        return None
    if (point < least).any() or (point > most).any():
        return None
    # Even codes are even steps from the code 0: from a zero point that is even, or from a lowest code that is.
    if (point % 2).any() and least % 2:
        return None
    origin = {} if (point % 2).any() else {"from_zero": UnitAttr()}
    kind = tensor(x).element_type
    interval = [node.write.constant(blob_of((end - point) * scale, kind)) for end in limits]
    levels = most - least + 1
    return node.write(qnn.FakeQuantizeOp, x, *interval, *interval, levels=levels, **origin)


def _rounded(node: Node, x: SSAValue, default: str) -> SSAValue:
    """Codes that are rounded in the node's mode, which may be written in small letters."""
    mode, write = node("rounding_mode", default).upper(), node.write
    match mode:
        case "ROUND" | "HALF_EVEN":
            return write(nn.RoundOp, x)
        case "HALF_UP":
            return write(nn.RoundOp, x, mode="half_away_from_zero")
        case "FLOOR":
            return write(nn.FloorOp, x)
        case "CEIL":
            return write(nn.CeilingOp, x)
        case "UP" | "DOWN" | "HALF_DOWN":
            size, sign = write(nn.AbsOp, x), write(nn.SignOp, x)
            if mode == "DOWN":
                return write(nn.MultiplyOp, sign, write(nn.FloorOp, size))
            size = size if mode == "UP" else write(nn.SubtractOp, size, 0.5)
            return write(nn.MultiplyOp, sign, write(nn.CeilingOp, size))
        case _:
            raise node.refuse(
                f"rounding_mode '{mode}' is not supported; use ROUND, HALF_EVEN, HALF_UP, HALF_DOWN, UP, DOWN, FLOOR "
                "or CEIL"
            )
