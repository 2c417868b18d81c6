"""
Elements in memory to lanes in registers and back, as `body_type` of the `kernel` dialect says: bytes and
words widen to i32, half precision to f32; what is stored saturates or rounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, SSAValue

from ...dialects.elements import bits_of, is_small_float, is_unsigned, limits_of
from ...dialects.kernel import Access, KernelOp, body_type, shaped, strides_of
from ..machine import Isa
from . import ir
from .intrinsics import call_intrinsic
from .narrow_floats import (
    HALF,
    decode_bfloat,
    decode_float,
    encode_bfloat,
    encode_half,
    encode_small,
    pattern,
    words,
)
from .vectors import (
    F16,
    F32,
    F64,
    I8,
    I16,
    I32,
    broadcast,
    byte_offset,
    first_lanes,
    lanes_of,
    shuffle,
    splat,
    zero,
)


def size_of(element: Attribute) -> int:
    """Bytes of an element in memory; an integer of less than 8 bits takes a whole byte."""
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
        case _ if is_small_float(element):
            return I8
        case _:
            return scalar_type(element)


def memref(value: SSAValue) -> MemRefType[Any]:
    """The type of a kernel's operand on planned memory."""
    type = shaped(value)
    assert isinstance(type, MemRefType)
    return type


@dataclass(frozen=True)
class Operand:
    """Where a kernel finds the element of a point: `offset + sum_d strides[d] * point[d]`, counted in elements."""

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


def ins_and_outs(
    op: KernelOp,
) -> tuple[tuple[Operand, ...], tuple[Operand, ...]]:
    """Operands for what a kernel's body reads beside the kernel's own operands, and for what it writes."""
    operands = tuple(
        Operand.of(memref(value), access)
        for value, access in zip((*op.ins, *op.outs), op.accesses, strict=True)
    )
    return operands[: len(op.ins)], operands[len(op.ins) :]


def at_pointers(operands: Iterable[Operand]) -> tuple[Operand, ...]:
    """The same, where pointers include the offset."""
    return tuple(replace(operand, offset=0) for operand in operands)


CLOSE, FEWEST_CLOSE = 4, 4
"""Where at least `FEWEST_CLOSE` elements lie at most `CLOSE` apart, a load takes what is between them, too."""


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
    """
    The same elements as they lie in memory, not converted. Nothing is read before the first active one or behind the
    last.
    """
    memory, size = memory_type(element), size_of(element)
    vector = ir.VectorType(memory, lanes)
    if stride == 0:
        return broadcast(b, b.load(pointer, align=size, typ=memory), lanes)
    if stride == 1 and active == lanes:
        return b.load(pointer, align=size, typ=vector)
    if stride == 1 and active > 1 and active & (active - 1) == 0:  # a mask would take an operation
        part = b.load(pointer, align=size, typ=ir.VectorType(memory, active))
        return shuffle(b, part, [*range(active), *[active] * (lanes - active)], zero(part.type))
    if stride == 1 and active > 1:
        arguments = [pointer, first_lanes(lanes, active), zero(vector)]
        return call_intrinsic(b, "llvm.masked.load", vector, arguments, [vector, pointer.type])
    if abs(stride) <= CLOSE and active >= FEWEST_CLOSE:
        return _load_close(b, pointer, element, stride, lanes, active)
    value: ir.Value = zero(vector)
    for lane in range(active):
        address = byte_offset(b, pointer, lane * stride * size)
        scalar = b.load(address, align=size, typ=memory)
        value = b.insert_element(value, scalar, ir.Constant(I32, lane))
    return value


def _load_close(
    b: ir.IRBuilder, pointer: ir.Value, element: Attribute, stride: int, lanes: int, active: int
) -> ir.Value:
    """The same by whole vectors, the last one of which ends where the elements do."""
    size, vector = size_of(element), ir.VectorType(memory_type(element), lanes)
    begin = min((active - 1) * stride, 0)
    places = [lane * stride - begin for lane in range(active)]
    span = max(places) + 1
    starts = [max(min(first, span - lanes), 0) for first in range(0, span, lanes)]
    loaded = [
        load_raw(
            b, byte_offset(b, pointer, (begin + start) * size), element, 1, lanes, min(lanes, span)
        )
        for start in starts
    ]
    found: ir.Value = zero(vector)
    for n, (start, part) in enumerate(zip(starts, loaded, strict=True)):
        chosen = [
            lanes + places[lane] - start if lane < active and places[lane] // lanes == n else lane
            for lane in range(lanes)
        ]
        found = shuffle(b, found, chosen, part)
    return found


def load_masked(b: ir.IRBuilder, pointer: ir.Value, element: Attribute, mask: ir.Value) -> ir.Value:
    """Elements as they lie in memory, where the mask is set. The others are zero and are not read."""
    vector = ir.VectorType(memory_type(element), lanes_of(mask))
    arguments = [pointer, mask, zero(vector)]
    return call_intrinsic(b, "llvm.masked.load", vector, arguments, [vector, pointer.type])


def store_masked(b: ir.IRBuilder, pointer: ir.Value, raw: ir.Value, mask: ir.Value) -> None:
    """Writes the lanes whose mask is set."""
    overload = [raw.type, pointer.type]
    call_intrinsic(b, "llvm.masked.store", ir.VoidType(), [raw, pointer, mask], overload)


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
    Writes the first `active` lanes to elements that lie `stride` apart; with stride 0 the last one remains. Integers
    that are known to be `within` the limits of the element type are not clamped again.
    """
    store_raw(b, isa, pointer, element, stride, encode(b, isa, value, element, within), active)


def store_raw(
    b: ir.IRBuilder,
    isa: Isa,
    pointer: ir.Value,
    element: Attribute,
    stride: int,
    raw: ir.Value,
    active: int,
) -> None:
    """The same for elements as they lie in memory, which are not converted."""
    assert isinstance(raw.type, ir.VectorType)
    lanes, size = raw.type.count, size_of(element)
    if stride == 1 and active == lanes:
        b.store(raw, pointer, align=size)
        return
    # LLVM 22 stores a single masked lane before it is narrowed: four bytes of one. A mask of bytes takes an operation,
    # and where lanes are a power of two, none is needed.
    is_power = active & (active - 1) == 0
    if stride == 1 and active > 1 and (is_power or not isa.has_evex):
        _store_parts(b, pointer, raw, active, size)
        return
    if stride == 1 and active > 1:
        arguments = [raw, pointer, first_lanes(lanes, active)]
        overload = [raw.type, pointer.type]
        call_intrinsic(b, "llvm.masked.store", ir.VoidType(), arguments, overload)
        return
    for lane in range(active) if stride else [active - 1]:
        scalar = b.extract_element(raw, ir.Constant(I32, lane))
        b.store(scalar, byte_offset(b, pointer, lane * stride * size), align=size)


def _store_parts(b: ir.IRBuilder, pointer: ir.Value, raw: ir.Value, active: int, size: int) -> None:
    """
    The first lanes in as many parts as they have powers of two. AVX2's masked store takes 42 operations on cores of AMD
    (https://uops.info, VPMASKMOVD), and bytes have none.
    """
    first = 0
    for part in (1 << n for n in reversed(range(active.bit_length())) if active >> n & 1):
        lanes = shuffle(b, raw, range(first, first + part))
        b.store(lanes, byte_offset(b, pointer, first * size), align=size)
        first += part


def decode(b: ir.IRBuilder, isa: Isa, raw: ir.Value, element: Attribute) -> ir.Value:
    """Converts elements as they lie in memory to the type that a body computes with."""
    lanes = cast(ir.VectorType, raw.type).count
    wide = ir.VectorType(scalar_type(body_type(element)), lanes)
    match element:
        case IntegerType() if element.width.data == 1:
            return b.icmp_unsigned("!=", raw, zero(raw.type))
        case IntegerType() if element.width.data == 4:
            return _nibble(b, b.zext(raw, wide), element)
        case IntegerType():
            if raw.type == wide:
                return raw
            return b.zext(raw, wide) if is_unsigned(element) else b.sext(raw, wide)
        case BFloat16Type():
            return decode_bfloat(b, b.zext(raw, words(lanes)))
        case Float16Type() if isa.half:
            return b.fpext(b.bitcast(raw, ir.VectorType(F16, lanes)), wide)
        case Float16Type():
            return decode_float(b, b.zext(raw, words(lanes)), HALF)
        case _ if is_small_float(element):
            return decode_float(b, b.zext(raw, words(lanes)), element.SEMANTICS)
        case _:
            return raw


def encode(
    b: ir.IRBuilder, isa: Isa, value: ir.Value, element: Attribute, within: bool = False
) -> ir.Value:
    """
    The inverse of `decode`: integers saturate unless they are `within` the limits, floats are rounded to nearest even.
    """
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
            return b.trunc(encode_bfloat(b, value), narrow)
        case Float16Type() if isa.half:
            return b.bitcast(b.fptrunc(value, ir.VectorType(F16, lanes)), narrow)
        case Float16Type():
            return b.trunc(encode_half(b, value), narrow)
        case _ if is_small_float(element):
            return b.trunc(encode_small(b, value, element), narrow)
        case _:
            return value


def _nibble(b: ir.IRBuilder, value: ir.Value, element: IntegerType) -> ir.Value:
    """The low four bits of bytes: a caller's array may hold anything in the high ones."""
    lanes = cast(ir.VectorType, value.type).count
    if is_unsigned(element):
        return b.and_(value, pattern(lanes, 0xF))
    return b.ashr(b.shl(value, pattern(lanes, 28)), pattern(lanes, 28))


def _clamp(b: ir.IRBuilder, value: ir.Value, element: IntegerType) -> ir.Value:
    lanes = cast(ir.VectorType, value.type).count
    lowest, highest = limits_of(element)
    for intrinsic, bound in (("llvm.smax", lowest), ("llvm.smin", highest)):
        arguments = [value, splat(I32, lanes, bound)]
        value = call_intrinsic(b, intrinsic, value.type, arguments, [value.type])
    return value
