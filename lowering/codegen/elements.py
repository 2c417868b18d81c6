"""
Elements in memory to lanes in registers and back, as `body_type` of the `kernel` dialect says: bytes and
words widen to i32, half precision to f32; what is stored saturates or rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from llvmlite import ir
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects.blob import bits_of, is_unsigned
from ...dialects.kernel import Access, body_type, shaped, strides_of
from ..machine import Isa
from .intrinsics import call_intrinsic
from .vectors import (
    F16,
    F32,
    F64,
    I16,
    I32,
    broadcast,
    byte_offset,
    first_lanes,
    splat,
    zero,
)


def size_of(element: Attribute) -> int:
    """Bytes of an element in memory; narrow integers lie in bytes."""
    return max(bits_of(element), 8) // 8


def scalar_type(type: Attribute) -> ir.Type:
    """The LLVM type of a body's scalar."""
    match type:
        case IntegerType():
            return ir.IntType(type.width.data)
        case Float32Type():
            return F32
        case _:
            assert isinstance(type, Float64Type), f"{type} is no scalar of kernel bodies"
            return F64


def memory_type(element: Attribute) -> ir.Type:
    """The LLVM type by which elements are loaded and stored."""
    match element:
        case Float16Type() | BFloat16Type():
            return I16
        case IntegerType():
            return ir.IntType(8 * size_of(element))
        case _:
            return scalar_type(element)


def memref(value: SSAValue) -> MemRefType[Any]:
    """The type of a kernel's operand on planned memory."""
    type = shaped(value)
    assert isinstance(type, MemRefType)
    return type


@dataclass(frozen=True)
class Operand:
    """How a kernel finds an element: `offset + sum_d strides[d] * point[d]`, counted in elements."""

    element: Attribute
    offset: int
    strides: tuple[int, ...]

    @classmethod
    def of(cls, type: MemRefType[Any], access: Access) -> Operand:
        """Where the points of a domain find their elements."""
        strides, offset = [0] * access.rank, 0
        for term, stride in zip(access.terms, strides_of(type), strict=True):
            offset += term.offset * stride
            if term.dim is not None:
                strides[term.dim] += term.step * stride
        return cls(type.element_type, offset, tuple(strides))

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return size_of(self.element)


def load_lanes(
    b: ir.IRBuilder,
    isa: Isa,
    pointer: ir.Value,
    element: Attribute,
    stride: int,
    lanes: int,
    active: int,
) -> ir.Value:
    """The first `active` of `lanes` elements that lie `stride` apart, as a body computes with them."""
    return decode(b, isa, load_raw(b, pointer, element, stride, lanes, active), element)


def load_raw(
    b: ir.IRBuilder, pointer: ir.Value, element: Attribute, stride: int, lanes: int, active: int
) -> ir.Value:
    """The same, as they lie in memory. Others than the active ones are not touched."""
    memory, size = memory_type(element), size_of(element)
    vector = ir.VectorType(memory, lanes)
    if stride == 0:
        return broadcast(b, b.load(pointer, align=size, typ=memory), lanes)
    if stride == 1 and active == lanes:
        return b.load(pointer, align=size, typ=vector)
    if stride == 1 and active > 1:
        arguments = [pointer, first_lanes(lanes, active), zero(vector)]
        return call_intrinsic(b, "llvm.masked.load", vector, arguments, [vector, pointer.type])
    value: ir.Value = zero(vector)
    for lane in range(active):
        address = byte_offset(b, pointer, lane * stride * size)
        scalar = b.load(address, align=size, typ=memory)
        value = b.insert_element(value, scalar, ir.Constant(I32, lane))
    return value


def store_lanes(
    b: ir.IRBuilder,
    isa: Isa,
    pointer: ir.Value,
    element: Attribute,
    stride: int,
    value: ir.Value,
    active: int,
    within: bool = False,
) -> None:
    """
    Writes the first `active` lanes to elements that lie `stride` apart; 0 keeps the last. Integers that are
    known to be `within` the limits of the element are not limited again.
    """
    store_raw(b, pointer, element, stride, encode(b, isa, value, element, within), active)


def store_raw(
    b: ir.IRBuilder,
    pointer: ir.Value,
    element: Attribute,
    stride: int,
    raw: ir.Value,
    active: int,
) -> None:
    """The same, of elements as they lie in memory."""
    assert isinstance(raw.type, ir.VectorType)
    lanes, size = raw.type.count, size_of(element)
    if stride == 1 and active == lanes:
        b.store(raw, pointer, align=size)
        return
    # LLVM 22 stores a single masked lane before it is narrowed: four bytes of one.
    if stride == 1 and active > 1:
        arguments = [raw, pointer, first_lanes(lanes, active)]
        overload = [raw.type, pointer.type]
        call_intrinsic(b, "llvm.masked.store", ir.VoidType(), arguments, overload)
        return
    for lane in range(active) if stride else [active - 1]:
        scalar = b.extract_element(raw, ir.Constant(I32, lane))
        b.store(scalar, byte_offset(b, pointer, lane * stride * size), align=size)


def decode(b: ir.IRBuilder, isa: Isa, raw: ir.Value, element: Attribute) -> ir.Value:
    """Elements as they lie in memory to what a body computes with."""
    lanes = cast(ir.VectorType, raw.type).count
    wide = ir.VectorType(scalar_type(body_type(element)), lanes)
    match element:
        case IntegerType() if element.width.data == 1:
            return b.icmp_unsigned("!=", raw, zero(raw.type))
        case IntegerType():
            if raw.type == wide:
                return raw
            return b.zext(raw, wide) if is_unsigned(element) else b.sext(raw, wide)
        case BFloat16Type():
            return b.bitcast(b.shl(b.zext(raw, _words(lanes)), _bits(lanes, 16)), wide)
        case Float16Type() if isa.half:
            return b.fpext(b.bitcast(raw, ir.VectorType(F16, lanes)), wide)
        case Float16Type():
            return _half_to_float(b, b.zext(raw, _words(lanes)))
        case _:
            return raw


def encode(
    b: ir.IRBuilder, isa: Isa, value: ir.Value, element: Attribute, within: bool = False
) -> ir.Value:
    """The inverse: saturates integers unless they are `within` limits, rounds floats to nearest even."""
    lanes = cast(ir.VectorType, value.type).count
    narrow = ir.VectorType(memory_type(element), lanes)
    match element:
        case IntegerType() if element.width.data == 1:
            return b.zext(value, narrow)
        case IntegerType():
            if value.type == narrow:
                return value
            return b.trunc(value if within else _clamp(b, value, element), narrow)
        case BFloat16Type():
            return b.trunc(_float_to_bfloat(b, b.bitcast(value, _words(lanes))), narrow)
        case Float16Type() if isa.half:
            return b.bitcast(b.fptrunc(value, ir.VectorType(F16, lanes)), narrow)
        case Float16Type():
            return b.trunc(_float_to_half(b, b.bitcast(value, _words(lanes))), narrow)
        case _:
            return value


def _clamp(b: ir.IRBuilder, value: ir.Value, element: IntegerType) -> ir.Value:
    lanes, bits = cast(ir.VectorType, value.type).count, element.width.data
    if is_unsigned(element):
        lowest, highest = 0, 2**bits - 1
    else:
        lowest, highest = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    for intrinsic, bound in (("llvm.smax", lowest), ("llvm.smin", highest)):
        arguments = [value, splat(I32, lanes, bound)]
        value = call_intrinsic(b, intrinsic, value.type, arguments, [value.type])
    return value


# --- half precision without hardware --------------------------------------------------------


def _words(lanes: int) -> ir.VectorType:
    return ir.VectorType(I32, lanes)


def _bits(lanes: int, pattern: int) -> ir.Constant:
    return splat(I32, lanes, pattern)


def _float(lanes: int, exponent: int) -> ir.Constant:
    return splat(F32, lanes, 2.0**exponent)


def _half_to_float(b: ir.IRBuilder, half: ir.Value) -> ir.Value:
    """Moves the fields into place and lets a product rebias the exponent, subnormals included."""
    lanes = cast(ir.VectorType, half.type).count
    floats = ir.VectorType(F32, lanes)
    sign = b.shl(b.and_(half, _bits(lanes, 0x8000)), _bits(lanes, 16))
    moved = b.shl(b.and_(half, _bits(lanes, 0x7FFF)), _bits(lanes, 13))
    finite = b.bitcast(b.fmul(b.bitcast(moved, floats), _float(lanes, 127 - 15)), half.type)
    special = b.or_(moved, _bits(lanes, 0x7F800000))
    is_special = b.icmp_unsigned(">=", moved, _bits(lanes, 0x7C00 << 13))
    return b.bitcast(b.or_(b.select(is_special, special, finite), sign), floats)


def _float_to_half(b: ir.IRBuilder, word: ir.Value) -> ir.Value:
    """To nearest even; subnormals by the rounding of a float addition."""
    lanes = cast(ir.VectorType, word.type).count
    floats = ir.VectorType(F32, lanes)
    magnitude = b.and_(word, _bits(lanes, 0x7FFFFFFF))
    sign = b.lshr(b.xor(word, magnitude), _bits(lanes, 16))
    is_nan = b.icmp_unsigned(">", magnitude, _bits(lanes, 0x7F800000))
    special = b.select(is_nan, _bits(lanes, 0x7E00), _bits(lanes, 0x7C00))
    # One unit of 0.5 in the last place is the spacing of half's subnormals, 2 ** -24.
    shifted = b.bitcast(b.fadd(b.bitcast(magnitude, floats), _float(lanes, -1)), word.type)
    subnormal = b.sub(shifted, _bits(lanes, (127 - 1) << 23))
    odd = b.and_(b.lshr(magnitude, _bits(lanes, 13)), _bits(lanes, 1))
    rebias = (0xFFF - ((127 - 15) << 23)) & 0xFFFFFFFF
    rounded = b.add(b.add(magnitude, _bits(lanes, rebias)), odd)
    normal = b.lshr(rounded, _bits(lanes, 13))
    is_small = b.icmp_unsigned("<", magnitude, _bits(lanes, (127 - 14) << 23))
    is_special = b.icmp_unsigned(">=", magnitude, _bits(lanes, (127 + 16) << 23))
    finite = b.select(is_small, subnormal, normal)
    return b.or_(b.select(is_special, special, finite), sign)


def _float_to_bfloat(b: ir.IRBuilder, word: ir.Value) -> ir.Value:
    lanes = cast(ir.VectorType, word.type).count
    high = b.lshr(word, _bits(lanes, 16))
    odd = b.and_(high, _bits(lanes, 1))
    rounded = b.lshr(b.add(b.add(word, _bits(lanes, 0x7FFF)), odd), _bits(lanes, 16))
    magnitude = b.and_(word, _bits(lanes, 0x7FFFFFFF))
    is_nan = b.icmp_unsigned(">", magnitude, _bits(lanes, 0x7F800000))
    return b.select(is_nan, b.or_(high, _bits(lanes, 0x40)), rounded)
