"""A kernel's body, scalar operations of `arith` and `math`, computed for a vector of points at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.accessors import operands_of
from ...dialects.elements import is_narrow_float
from ...dialects.inferred import label
from ...dialects.kernel import NO_OVERFLOW, LookupOp, YieldOp
from ..kernel_bodies.range_analysis import RangeAnalysis
from ..machine import Isa
from . import ir
from .elements import decode, encode, scalar_type
from .integer_division import DIVISIONS
from .integer_power import emit_integer_power
from .intrinsics import call_intrinsic
from .lookup import emit_lookup
from .remainder import emit_remainder
from .vectors import lanes_of, splat, zero

Emitter = Callable[[ir.IRBuilder, Sequence[ir.Value]], ir.Value]

SPARING = (-1.0, 0.0, 1.0)
"""Constants that LLVM folds into cheaper instructions, so they stay in the code."""


LONG_BODY = 64
"""Operations of a body from which on out-of-order execution no longer overlaps one vector's body with the next's."""

PAIRED_BODY = 24
"""Operations from which on two bodies take turns, operation by operation, so that more of them overlaps."""


@dataclass(frozen=True)
class KernelBody:
    """
    A kernel's body. Two bodies are equal if they compute equal results, whatever their values are called. The constants
    in `later` are no part of the code: their numbers are further arguments, which the run gives.
    """

    text: str
    block: Block = field(compare=False, repr=False)
    later: tuple[SSAValue, ...] = field(default=(), compare=False, repr=False)
    _steps: dict[object, tuple[list[Emitter], list[int]]] = field(
        default_factory=dict[object, "tuple[list[Emitter], list[int]]"],
        init=False,
        compare=False,
        repr=False,
    )

    @classmethod
    def of(cls, region: Region) -> KernelBody:
        """The body in a region."""
        return cls(_text(region.block, ()), region.block)

    @classmethod
    def apart_from_numbers(cls, region: Region) -> tuple[KernelBody, tuple[float, ...]]:
        """
        The body in a region, without the numbers of its f32 constants, and these numbers. Constants that LLVM folds
        (`SPARING`) stay. All constants stay where a conversion to integers saturates, since range analysis decides its
        code.
        """
        block = region.block
        if any(
            isinstance(op, arith.FPToSIOp) and NO_OVERFLOW not in op.attributes for op in block.ops
        ):
            return cls.of(region), ()
        found = [
            (op.result, number)
            for op in block.ops
            if isinstance(op, arith.ConstantOp)
            and op.result.type == f32
            and isinstance(op.value, FloatAttr)
            and (number := op.value.value.data) not in SPARING
        ]
        later = tuple(value for value, _ in found)
        return cls(_text(block, later), block, later), tuple(number for _, number in found)

    @property
    def operations(self) -> int:
        """The number of operations: the text has a line for each, after the line of the arguments."""
        return self.text.count("\n")

    def steps(
        self, isa: Isa, lanes: int, wanted: Sequence[SSAValue]
    ) -> tuple[list[Emitter], list[int]]:
        """
        The steps that compute these values for `lanes` points, and the places of the values among all results. Each
        step takes the arguments and the results of the steps before it, in order. Steps are kept, since they are asked
        for again and again.
        """
        key = (isa.name, lanes, *wanted)
        if key not in self._steps:
            places = {value: n for n, value in enumerate((*self.block.args, *self.later))}
            steps: list[Emitter] = []
            for op in _needed(self.block, wanted, self.later):
                steps.append(_step(isa, op, lanes, places))
                places[op.results[0]] = len(places)
            self._steps[key] = steps, [places[value] for value in wanted]
        return self._steps[key]


def _step(isa: Isa, op: Operation, lanes: int, places: Mapping[SSAValue, int]) -> Emitter:
    """Emits an operation, given all values so far and where the operands are among them."""
    if isinstance(op, arith.FPToSIOp):
        return _to_integer(op, places)
    operands, emit = [places[operand] for operand in operands_of(op)], _emitter_of(isa, op, lanes)
    return lambda b, values: emit(b, [values[place] for place in operands])


def emit_body(
    b: ir.IRBuilder,
    isa: Isa,
    body: KernelBody,
    lanes: int,
    arguments: Sequence[ir.Value],
) -> list[ir.Value]:
    """
    The yielded values for `lanes` points. `arguments` are those of the block, then the numbers of constants in `later`.
    Raises DiagnosticException, naming the kernel and the operation, where an operation has no machine code.
    """
    (results,) = emit_bodies(b, isa, body, lanes, [arguments], yielded(body.block))
    return results


def emit_bodies(
    b: ir.IRBuilder,
    isa: Isa,
    body: KernelBody,
    lanes: int,
    arguments: Sequence[Sequence[ir.Value]],
    wanted: Sequence[SSAValue],
) -> list[list[ir.Value]]:
    """
    The `wanted` values for several vectors of points. Operations are interleaved: while one vector waits for a result,
    another one goes on.
    """
    steps, places = body.steps(isa, lanes, wanted)
    count = len(body.block.args) + len(body.later)
    assert all(len(each) == count for each in arguments), "a value for each argument and number"
    found = [list(each) for each in arguments]
    for emit in steps:
        for values in found:
            values.append(emit(b, values))
    return [[values[place] for place in places] for values in found]


def yielded(block: Block) -> Sequence[SSAValue]:
    """The values that a body yields."""
    last = block.last_op
    assert isinstance(last, YieldOp), "a body without kernel.yield passed verification"
    return last.values


def _needed(block: Block, wanted: Sequence[SSAValue], given: Sequence[SSAValue]) -> list[Operation]:
    """The operations that compute these values, in order; values in `given` need none."""
    needed = set(wanted)
    found: list[Operation] = []
    for op in reversed(block.ops):
        if any(result in needed and result not in given for result in op.results):
            needed.update(operands_of(op))
            found.append(op)
    return found[::-1]


def _emitter_of(isa: Isa, op: Operation, lanes: int) -> Emitter:
    """The function that emits an operation, given its operands."""
    name = op.name
    if name in _NARROWING and _is_narrow(op):
        return lambda b, x: _convert_narrow(b, isa, op, x[0])
    for type in (*op.operand_types, *op.result_types):
        if not isinstance(type, IntegerType | Float32Type | Float64Type):
            raise _refusal(op, f"on {type}; bodies compute in integers, f32 and f64")
    if (division := DIVISIONS.get(name)) is not None:
        is_known = isinstance(op.operands[1].owner, arith.ConstantOp)
        return division.of_any if is_known else division
    if (emit := _OPERATIONS.get(name)) is not None:
        return emit
    if (convert := _CONVERSIONS.get(name)) is not None:
        to = ir.VectorType(scalar_type(op.results[0].type), lanes)
        return lambda b, x: convert(b, x[0], to)
    match op:
        case arith.ConstantOp():
            value = _constant(op, lanes)
            return lambda b, x: value
        case LookupOp():
            codes = op.codes
            return lambda b, x: emit_lookup(b, isa, codes, x[0])
        case arith.CmpiOp():
            sign, relation = _INTEGER_RELATIONS[op.predicate.value.data]
            method = ir.IRBuilder.icmp_unsigned if sign == "u" else ir.IRBuilder.icmp_signed
            return lambda b, x: method(b, relation, x[0], x[1])
        case arith.CmpfOp():
            predicate = op.predicate.value.data
            return lambda b, x: _compare_floats(b, predicate, x[0], x[1])
        case _:
            raise _refusal(op, "which has no machine code; expand it into arithmetic (expand-math)")


def _refusal(op: Operation, reason: str) -> DiagnosticException:
    parent = op.parent_op()
    assert parent is not None
    return DiagnosticException(f"{label(parent)}: its body has {op.name} {reason}")


def _constant(op: arith.ConstantOp, lanes: int) -> ir.Value:
    assert isinstance(op.value, IntegerAttr | FloatAttr)
    return splat(scalar_type(op.result.type), lanes, op.value.value.data)


# --- comparisons ----------------------------------------------------------------------------

_INTEGER_RELATIONS = [
    ("s", "=="),
    ("s", "!="),
    ("s", "<"),
    ("s", "<="),
    ("s", ">"),
    ("s", ">="),
    ("u", "<"),
    ("u", "<="),
    ("u", ">"),
    ("u", ">="),
]
"""By the number of the predicate of `arith.cmpi`."""

_ALWAYS_FALSE, _ORDERED, _UNORDERED, _ALWAYS_TRUE = 0, 7, 14, 15
_FLOAT_RELATIONS = ["==", ">", ">=", "<", "<=", "!="]
"""Predicates 1 to 6 of `arith.cmpf` compare ordered numbers by these; 8 to 13 also hold where one is NaN."""


def _compare_floats(b: ir.IRBuilder, predicate: int, x: ir.Value, y: ir.Value) -> ir.Value:
    if predicate in (_ALWAYS_FALSE, _ALWAYS_TRUE):
        return splat(ir.IntType(1), lanes_of(x), predicate == _ALWAYS_TRUE)
    if predicate == _ORDERED:
        return b.fcmp_ordered("ord", x, y)
    if predicate == _UNORDERED:
        return b.fcmp_unordered("uno", x, y)
    if predicate < _ORDERED:
        return b.fcmp_ordered(_FLOAT_RELATIONS[predicate - 1], x, y)
    return b.fcmp_unordered(_FLOAT_RELATIONS[predicate - 1 - _ORDERED], x, y)


# --- conversions ----------------------------------------------------------------------------


_NARROWING = ("arith.extf", "arith.truncf")


def _is_narrow(op: Operation) -> bool:
    types = (op.operands[0].type, op.results[0].type)
    return any(is_narrow_float(type) for type in types)


def _convert_narrow(b: ir.IRBuilder, isa: Isa, op: Operation, value: ir.Value) -> ir.Value:
    """Narrow floats stand in a body only between a truncf from f32 and an extf to f32."""
    source, target = op.operands[0].type, op.results[0].type
    if f32 not in (source, target):
        raise _refusal(op, f"from {source} to {target}; go through f32")
    if isinstance(op, arith.TruncFOp):
        return encode(b, isa, value, target)
    return decode(b, isa, value, source)


def _to_integer(op: arith.FPToSIOp, places: Mapping[SSAValue, int]) -> Emitter:
    """Converts a float to an integer: saturates where it is out of range, and gives 0 for NaN."""
    source, rounding, is_rounded = op.input, op.input.owner, False
    if isinstance(rounding, math.RoundEvenOp) and source.type == f32 and op.result.type == i32:
        # Numbers near the limits of i32 are whole: what is in range rounded is in range before.
        source, is_rounded = rounding.operand, True
    place = places[source]
    element = scalar_type(op.result.type)
    power = 2.0 ** (cast(ir.IntType, element).width - 1)
    found = None if NO_OVERFLOW in op.attributes else RangeAnalysis().of(op.input)

    def emit(b: ir.IRBuilder, values: Sequence[ir.Value]) -> ir.Value:
        x = values[place]
        to = ir.VectorType(element, lanes_of(x))
        result = (
            call_intrinsic(b, "llvm.lrint", to, [x], [to, x.type])
            if is_rounded
            else b.fptosi(x, to)
        )
        if found is None:
            return result
        if not found.high < power:
            inside = b.fcmp_ordered("<", x, _number(x, power))
            result = b.select(inside, result, _number(result, int(power) - 1))
        if not found.low >= -power:
            inside = b.fcmp_ordered(">=", x, _number(x, -power))
            result = b.select(inside, result, _number(result, -int(power)))
        return b.select(b.fcmp_ordered("ord", x, x), result, zero(to))

    return emit


_CONVERSIONS: dict[str, Callable[[ir.IRBuilder, ir.Value, ir.Type], ir.Value]] = {
    "arith.sitofp": lambda b, x, to: b.sitofp(x, to),
    "arith.uitofp": lambda b, x, to: b.uitofp(x, to),
    "arith.extf": lambda b, x, to: b.fpext(x, to),
    "arith.truncf": lambda b, x, to: b.fptrunc(x, to),
    "arith.extsi": lambda b, x, to: b.sext(x, to),
    "arith.extui": lambda b, x, to: b.zext(x, to),
    "arith.trunci": lambda b, x, to: b.trunc(x, to),
    "arith.bitcast": lambda b, x, to: b.bitcast(x, to),
}


# --- arithmetic -----------------------------------------------------------------------------


def _binary(method: Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]) -> Emitter:
    return lambda b, x: method(b, x[0], x[1])


def _intrinsic(name: str) -> Emitter:
    def emit(b: ir.IRBuilder, x: Sequence[ir.Value]) -> ir.Value:
        return call_intrinsic(b, name, x[0].type, x, [x[0].type])

    return emit


def _number(like: ir.Value, value: float) -> ir.Value:
    vector = cast(ir.VectorType, like.type)
    return splat(vector.element, vector.count, value)


_OPERATIONS: dict[str, Emitter] = {
    "arith.addi": _binary(ir.IRBuilder.add),
    "arith.subi": _binary(ir.IRBuilder.sub),
    "arith.muli": _binary(ir.IRBuilder.mul),
    "arith.andi": _binary(ir.IRBuilder.and_),
    "arith.ori": _binary(ir.IRBuilder.or_),
    "arith.xori": _binary(ir.IRBuilder.xor),
    "arith.shli": _binary(ir.IRBuilder.shl),
    "arith.shrsi": _binary(ir.IRBuilder.ashr),
    "arith.shrui": _binary(ir.IRBuilder.lshr),
    "arith.minsi": _intrinsic("llvm.smin"),
    "arith.maxsi": _intrinsic("llvm.smax"),
    "arith.minui": _intrinsic("llvm.umin"),
    "arith.maxui": _intrinsic("llvm.umax"),
    "arith.select": lambda b, x: b.select(x[0], x[1], x[2]),
    "arith.addf": _binary(ir.IRBuilder.fadd),
    "arith.subf": _binary(ir.IRBuilder.fsub),
    "arith.mulf": _binary(ir.IRBuilder.fmul),
    "arith.divf": _binary(ir.IRBuilder.fdiv),
    "arith.negf": lambda b, x: b.fneg(x[0]),
    "arith.maximumf": _intrinsic("llvm.maximum"),
    "arith.minimumf": _intrinsic("llvm.minimum"),
    "kernel.integer_power": emit_integer_power,
    "kernel.remainder": emit_remainder,
    "math.fma": _intrinsic("llvm.fma"),
    "math.roundeven": _intrinsic("llvm.roundeven"),
    "math.sqrt": _intrinsic("llvm.sqrt"),
    "math.absf": _intrinsic("llvm.fabs"),
    "math.floor": _intrinsic("llvm.floor"),
    "math.ceil": _intrinsic("llvm.ceil"),
    "math.trunc": _intrinsic("llvm.trunc"),
}


# --- identity -------------------------------------------------------------------------------


def _text(block: Block, later: Sequence[SSAValue]) -> str:
    """
    A body without the names of its values and the numbers of `later` constants. Bodies of equal text compute the same.
    """
    numbers: dict[SSAValue, int] = {arg: i for i, arg in enumerate(block.args)}
    lines = [", ".join(_spelled(arg.type) for arg in block.args)]
    for op in block.ops:
        operands = " ".join(str(numbers[operand]) for operand in operands_of(op))
        is_later = bool(op.results) and op.results[0] in later
        properties = (
            "later"
            if is_later
            else " ".join(
                f"{key}={_value(what[key])}"
                for what in (op.properties, op.attributes)
                for key in sorted(what)
            )
        )
        types = " ".join(_spelled(result.type) for result in op.results)
        lines.append(f"{op.name} {operands} {properties} {types}")
        for result in op.results:
            numbers[result] = len(numbers)
    return "\n".join(lines)


def _value(attribute: Attribute) -> str:
    """A property as text. A number is spelled bit by bit: as attributes, 0.0 and -0.0 are equal."""
    if isinstance(attribute, FloatAttr):
        return attribute.value.data.hex()
    return _spelled(attribute)


@lru_cache(1 << 10)
def _spelled(attribute: Attribute) -> str:
    """An attribute as text. Printing takes longer than all else here, and there are few different ones."""
    return str(attribute)
