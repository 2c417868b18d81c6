"""
`create-lookup-tables`: what a kernel computes of one 8-bit code and rounds to a code becomes a lookup in a table.

    store(f(c)) = lookup(c, table)        with table[c mod 256] = store(f(c)) for each code c

f is any function, such as that of `dequantize`, a sigmoid, `quantize`, `dequantize` and a product with the argument.
The code may be an element that the kernel reads, or one that it computes: a whole number that is no NaN, and of which
there are at most 256. The table is what the reference computes, so that all that comes before and behind f stays as it
is. The law holds where f costs more than a lookup on the instruction set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType, ModuleOp, UnitAttr, f32, i32
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa as is_a

from ...dialects.accessors import operands_of
from ...dialects.elements import CODES, bits_of
from ...dialects.kernel import (
    NO_OVERFLOW,
    ErfcOp,
    KernelOp,
    LookupOp,
    SigmoidOp,
    YieldOp,
    outside_bodies,
    shaped,
)
from ...dialects.rewriter import Rewriter
from ..machine import planned_isa
from .bodies import Clamp
from .range_analysis import Operands, RangeAnalysis

COSTS: dict[type[Operation], int] = {
    arith.ConstantOp: 0,
    arith.CmpfOp: 0,  # a clamp is one instruction, which is that of the select
    arith.FPToSIOp: 0,  # `eliminate-redundant-clamps` rewrites conversions of codes and clamps between them
    arith.SIToFPOp: 0,
    arith.UIToFPOp: 0,
    arith.MaxSIOp: 0,
    arith.MinSIOp: 0,
    arith.DivfOp: 8,
    math.SqrtOp: 8,
    math.ExpOp: 14,
    SigmoidOp: 16,
    math.TanhOp: 16,
    math.ErfOp: 24,
    ErfcOp: 24,
}
"""About how many instructions of a vector unit an operation takes, as `expand-math` and LLVM write it."""

ROUNDING = (math.RoundEvenOp, math.FloorOp, math.CeilOp, math.TruncOp, math.AbsFOp, math.FmaOp)
"""Operations of `math` that are one instruction."""

ARITHMETIC, FUNCTION = 1, 24
"""The cost of other operations of `arith`, and of functions of `math` that are not listed."""


@dataclass(frozen=True)
class CreateLookupTables(ModulePass):
    """
    Rewrites the codes that kernels store. `isa` names the instruction set (default: the host's best), which decides
    what a lookup costs.
    """

    name = "create-lookup-tables"

    isa: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lookup = planned_isa(self.isa).lookup_operations
        for inner in outside_bodies(op):
            if isinstance(inner, KernelOp):
                _create_lookup_tables(inner, lookup)


def _create_lookup_tables(kernel: KernelOp, lookup: int) -> None:
    """
    Where a lookup costs less. What is stored becomes one first, then the last of the other codes. A body that costs no
    more as a whole is not looked at any further: most bodies are so short.
    """
    if sum(map(_cost, kernel.body.block.ops)) <= lookup:
        return
    codes = _Codes(RangeAnalysis(Operands(kernel).interval))
    code_of = _code_of_each(kernel.body.block, codes)
    for value, element in _results(kernel):
        if value.op.parent is None:
            continue
        function = _function_of(value, code_of.get(value), element, codes, lookup)
        if function is not None and (table := function.table()) is not None:
            function.replace(table)


def _results(kernel: KernelOp) -> list[tuple[OpResult, IntegerType | None]]:
    """What may be looked up: results that are stored as a byte, with its type, then all others backwards."""
    block, found = kernel.body.block, list[tuple[OpResult, IntegerType | None]]()
    last = block.last_op
    assert isinstance(last, YieldOp)
    for value, output in zip(last.values, kernel.outputs, strict=True):
        element = shaped(output).get_element_type()
        is_byte = is_a(element, IntegerType) and bits_of(element) == 8
        if is_byte and isinstance(value, OpResult) and value.has_one_use():
            found.append((value, element))
    results = [result for op in block.ops for result in op.results]
    return [*found, *((result, None) for result in reversed(results))]


@dataclass(frozen=True)
class _Codes:
    """Which scalars of a body are codes: whole numbers, of which there are at most 256."""

    ranges: RangeAnalysis

    def has(self, value: SSAValue) -> bool:
        """Whether a value is a code."""
        if not self.is_whole(value):
            return False
        found = self.ranges.of(value)
        return not found.may_be_nan and found.high - found.low < CODES

    def all_of(self, value: SSAValue) -> range:
        """All numbers that a code may be."""
        found = self.ranges.of(value)
        return range(ceil(found.low), floor(found.high) + 1)

    def is_whole(self, value: SSAValue) -> bool:
        """Whether a value is an i32, or a whole number or NaN in f32."""
        if value.type != f32:
            return value.type == i32
        if (clamp := Clamp.of(value)) is not None:
            return self.is_whole(clamp.x) and self.is_whole(clamp.bound)
        owner = value.owner
        kind = type(owner)  # which is compared much faster than by `isinstance`
        if kind in (arith.AddfOp, arith.SubfOp):
            return all(map(self.is_whole, operands_of(cast(Operation, owner))))
        if kind is arith.ConstantOp:
            found = self.ranges.of(value)
            return found.is_finite and found.low.is_integer()
        return kind in (math.RoundEvenOp, arith.SIToFPOp, arith.UIToFPOp)


@dataclass(frozen=True)
class _Function:
    """A value that depends on one code alone, by these operations, in order; it is stored as an `element` or read."""

    code: SSAValue
    value: OpResult
    element: IntegerType | None
    codes: range
    operations: list[Operation]

    @property
    def needless(self) -> list[Operation]:
        """What nobody needs any more if the value is looked up, in order."""
        found: dict[Operation, None] = {}
        for op in reversed(self.operations):
            users = {use.operation for result in op.results for use in result.uses}
            if op is self.value.op or users <= found.keys():
                found[op] = None
        return list(reversed(found))

    def replace(self, table: Sequence[int]) -> None:
        """Looks the value up."""
        needless, code, new = self.needless, self.code, list[Operation]()
        if code.type == f32:
            convert = arith.FPToSIOp(code, i32)
            convert.attributes[NO_OVERFLOW] = UnitAttr()
            new.append(convert)
            code = convert.result
        new.append(lookup := LookupOp(code, table))
        if self.value.type == f32:
            new.append(arith.SIToFPOp(lookup.result, f32))
        Rewriter.replace_op(needless.pop(), new)
        for op in reversed(needless):
            Rewriter.erase_op(op)

    def table(self) -> list[int] | None:
        """What the reference computes of each code, 0 for codes that do not occur; None if it does not fit 8 bits."""
        import numpy as np

        from ...reference.arrays import dtype_of
        from ...reference.scalar import run_operations, stored

        codes = np.array(self.codes)
        given = {self.code: codes.astype(dtype_of(self.code.type))}
        found = run_operations(self.operations, given)[self.value]
        if self.element is not None:
            found = stored(found, self.element)
        elif not LookupOp.fits(found.min(initial=0), found.max(initial=0)):
            return None
        table = np.zeros(CODES, int)
        table[codes % CODES] = found
        return table.tolist()


def _code_of_each(block: Block, codes: _Codes) -> dict[SSAValue, SSAValue]:
    """The first code that a value is a function of, for values that are functions of one; a code itself has itself."""
    code_of: dict[SSAValue, SSAValue] = {arg: arg for arg in block.args if codes.has(arg)}
    fixed = set[SSAValue]()
    for op in block.ops:
        read = {code_of.get(operand) for operand in operands_of(op) if operand not in fixed}
        (code,) = read if len(read) == 1 else (None,)
        for result in op.results:
            if not read:
                fixed.add(result)
            elif code is not None:
                code_of[result] = code
            elif codes.has(result):
                code_of[result] = result
    return code_of


def _function_of(
    value: OpResult, code: SSAValue | None, element: IntegerType | None, codes: _Codes, lookup: int
) -> _Function | None:
    """The function of this code that a result is, where a lookup costs less."""
    if code is None or code is value:
        return None
    if element is None and not (value.type == f32 and codes.is_whole(value)):
        return None
    operations = _operations(value, code)
    if sum(map(_cost, operations)) <= lookup:
        return None
    found = _Function(code, value, element, codes.all_of(code), operations)
    return found if sum(map(_cost, found.needless)) > lookup else None


def _operations(value: OpResult, code: SSAValue) -> list[Operation]:
    """The operations that compute a value of the code, in order."""
    needed, op = {value.op}, value.op
    found: list[Operation] = []
    while op is not None and needed:
        if op in needed:
            needed.discard(op)
            found.append(op)
            needed.update(
                each.op for each in op.operands if isinstance(each, OpResult) and each is not code
            )
        op = op.prev_op
    return found[::-1]


def _cost(op: Operation) -> int:
    return _cost_of(type(op))


@cache
def _cost_of(kind: type[Operation]) -> int:
    is_function = kind.name.startswith(math.Math.name + ".") and kind not in ROUNDING
    return COSTS.get(kind, FUNCTION if is_function else ARITHMETIC)
