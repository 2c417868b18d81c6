"""
`algebraic-simplification`: algebraic simplification of quantized kernel bodies, requantization folding above all.

The body of a quantized kernel is a chain of operations with constants: dequantization, bias, activation and
quantization. Neighbouring constants are folded and clamps move behind scales, until one multiplication and
addition, one rounding and one clamp are left. Results may change by a rounding; kernels that neither read nor
write codes are therefore left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from ...dialects import nn
from ...dialects.accessors import operands_of
from ...dialects.kernel import Access, KernelOp, outside_bodies, shaped
from ...dialects.rewriter import Rewriter, replace_all_uses
from ...dialects.walk import block_operations, readers_of
from ..fusion.kernel_builder import KernelBuilder
from .bodies import OGT, BodyBuilder, Clamp, Scalar, select

if TYPE_CHECKING:
    from ...reference.arrays import Array


P_RELU_READERS = 3
"""The operations of a PReLU that read its x: comparison, product and selection."""


class AlgebraicSimplification(ModulePass):
    """Simplifies the body of every kernel on tensors that reads or writes codes."""

    name = "algebraic-simplification"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in outside_bodies(op):
            if isinstance(inner, KernelOp) and inner.results and _has_codes(inner):
                _simplify(inner)


def _has_codes(op: KernelOp) -> bool:
    return any(_is_code(shaped(value).get_element_type()) for value in (*op.reads, *op.results))


def _is_code(type: Attribute) -> bool:
    return isa(type, IntegerType) and 1 < type.width.data <= 8


def _simplify(op: KernelOp) -> None:
    names = [argument.name_hint for argument in op.body.block.args]
    matcher = _Matcher(op, KernelBuilder.of(op))
    if not matcher.simplify():
        for argument, name in zip(matcher.block.args, names, strict=False):
            argument.name_hint = name
    new = matcher.builder.build()
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(op.results, new.results, strict=True):
        replace_all_uses(old, result)
    Rewriter.erase_op(op)


@dataclass(frozen=True)
class _Coefficient:
    """A constant: one number for all points (`access` is None), or an element of a constant array for each."""

    array: Array
    access: Access | None

    def map(self, compute: Callable[[Array], Array]) -> _Coefficient:
        return _Coefficient(compute(self.array), self.access)

    def meet(
        self, other: _Coefficient, compute: Callable[[Array, Array], Array]
    ) -> _Coefficient | None:
        """`compute` of both, if the same access reads them."""
        if None not in (self.access, other.access) and (
            self.access != other.access or self.array.shape != other.array.shape
        ):
            return None
        return _Coefficient(compute(self.array, other.array), self.access or other.access)

    @cached_property
    def is_positive(self) -> bool:
        return bool((self.array > 0).all())

    @cached_property
    def is_whole(self) -> bool:
        return bool((self.array == self.array.round()).all())


class _Matcher:
    """The body of a kernel: matches constants in it, and emits what replaces its operations."""

    def __init__(self, op: KernelOp, builder: KernelBuilder):
        self.op, self.builder = op, builder
        self.block: Block = builder.block
        self._known: dict[SSAValue, _Coefficient | None] = {}

    def simplify(self) -> bool:
        """Applies `LAWS` until none applies, then `LAST_LAWS`. Whether any did."""
        changed = False
        while self._sweep(LAWS):
            changed = True
        return self._sweep(LAST_LAWS) or changed

    def _sweep(self, laws: Laws) -> bool:
        changed = False
        for op in block_operations(self.block):
            for law in laws.get(type(op), ()):
                if (value := law(self, op)) is not None:
                    self._replace(op, value)
                    changed = True
                    break
        return changed

    # --- reading ----------------------------------------------------------------------------

    def constant(self, value: SSAValue) -> _Coefficient | None:
        """The constant that a scalar is."""
        try:
            return self._known[value]
        except KeyError:
            found = self._known[value] = self._constant(value)
            return found

    def _constant(self, value: SSAValue) -> _Coefficient | None:
        import numpy as np

        if isinstance(op := value.owner, arith.ConstantOp) and isinstance(op.value, FloatAttr):
            return _Coefficient(np.array(op.value.value.data, np.float64), None)
        if not isinstance(value, BlockArgument):
            return None
        i = value.index - (len(self.block.args) - len(self.builder.ins))
        if i < 0:
            return None
        blob = nn.constant_of(self.builder.ins[i])
        if blob is None:
            return None
        from ...reference.arrays import array_of

        return _Coefficient(array_of(blob).astype(np.float64), self.builder.access[i])

    def with_constant(
        self, op: arith.AddfOp | arith.MulfOp
    ) -> tuple[SSAValue, _Coefficient] | None:
        """An operand and the other one, which is constant."""
        lhs, rhs = operands_of(op)
        for value, other in ((lhs, rhs), (rhs, lhs)):
            if (found := self.constant(other)) is not None:
                return value, found
        return None

    def clamp(self, value: SSAValue) -> tuple[Clamp, _Coefficient] | None:
        """The clamp that gives a value, and its constant bound."""
        clamp = Clamp.of(value)
        bound = clamp and self.constant(clamp.bound)
        return (clamp, bound) if clamp and bound else None

    def clamps(
        self, op: arith.SelectOp
    ) -> tuple[tuple[Clamp, _Coefficient], tuple[Clamp, _Coefficient]] | None:
        """The clamp that `op` ends and the one before it, which has no other reader; the inner one first."""
        outer = self.clamp(op.result)
        first = outer and self.clamp(outer[0].x)
        return (first, outer) if outer and first and self.only_clamped(op, outer[0].x) else None

    def p_relu(self, value: SSAValue) -> tuple[SSAValue, _Coefficient] | None:
        """x and the constant slope where a value is `x > 0 ? x : slope * x`."""
        if not isinstance(op := value.owner, arith.SelectOp):
            return None
        x, compare, below = op.lhs, op.cond.owner, op.rhs.owner
        if not isinstance(compare, arith.CmpfOp) or not isinstance(below, arith.MulfOp):
            return None
        zero, parts = self.constant(compare.rhs), self.with_constant(below)
        if compare.predicate.value.data != OGT or compare.lhs is not x:
            return None
        if zero is None or zero.array.any() or parts is None or parts[0] is not x:
            return None
        return parts

    def is_single(self, value: SSAValue) -> bool:
        """Whether a single operation reads a value; a clamp reads its operand twice."""
        readers = readers_of(value)
        return bool(readers) and readers.count(readers[0]) == len(readers)

    def only_clamped(self, op: arith.SelectOp, value: SSAValue) -> bool:
        """Whether the clamp that consists of `op` and its comparison is the only reader of a value."""
        readers = readers_of(value)
        own = readers.count(op), readers.count(cast(Operation, op.cond.owner))
        return all(own) and sum(own) == len(readers)

    # --- writing ----------------------------------------------------------------------------

    def _number(self, before: Operation, c: _Coefficient, like: SSAValue) -> SSAValue:
        """The scalar that a constant is at each point."""
        type = cast(AnyFloat, like.type)
        if c.access is None:
            return BodyBuilder(self.block, before=before).constant(float(c.array), type).value
        from ...reference.arrays import blob_of, dtype_of

        constant = nn.ConstantOp(blob_of(c.array.astype(dtype_of(type)), type))
        Rewriter.insert_op(constant, InsertPoint.before(self.op))
        return self.builder.read(constant.result, c.access)

    def emit(
        self,
        before: Operation,
        kind: type[arith.AddfOp | arith.MulfOp],
        x: SSAValue,
        c: _Coefficient,
    ) -> SSAValue:
        body = BodyBuilder(self.block, before=before)
        value, number = body.scalars((x, self._number(before, c, x)))
        return value.apply(kind, number).value

    def emit_clamp(self, before: Operation, x: SSAValue, c: _Coefficient, below: bool) -> SSAValue:
        body = BodyBuilder(self.block, before=before)
        value, limit = body.scalars((x, self._number(before, c, x)))
        return (value.at_least(limit) if below else value.at_most(limit)).value

    def emit_round(self, before: Operation, x: SSAValue) -> SSAValue:
        return Scalar(BodyBuilder(self.block, before=before), x).round_even().value

    def _replace(self, op: Operation, value: SSAValue) -> None:
        """Replaces the result of `op` and erases the operations that this leaves without a reader."""
        (result,) = op.results
        self.builder.outputs = [
            (value if output[0] is result else output[0], *output[1:])
            for output in self.builder.outputs
        ]
        replace_all_uses(result, value)
        kept = {output[0] for output in self.builder.outputs}
        waiting = [op]
        while waiting:
            dead = waiting.pop()
            if any(r.first_use is not None or r in kept for r in dead.results):
                continue
            sources = [v.owner for v in operands_of(dead)]
            if dead.parent is not None:
                Rewriter.erase_op(dead)
            waiting += [source for source in sources if isinstance(source, Operation)]


# --- the laws: each gives the value that takes the place of an operation's, if it holds --------


def add_negative(m: _Matcher, op: arith.SubfOp) -> SSAValue | None:
    """`x - c = x + -c`"""
    if (c := m.constant(op.rhs)) is None:
        return None
    return m.emit(op, arith.AddfOp, op.lhs, c.map(lambda a: -a))


def add_before_clamp(m: _Matcher, op: arith.AddfOp) -> SSAValue | None:
    """`max(x, c) + d = max(x + d, c + d)`, and so for min, if nothing else reads the clamp."""
    return _before_clamp(m, op, arith.AddfOp, lambda a, b: a + b)


def add_before_rounding(m: _Matcher, op: arith.AddfOp) -> SSAValue | None:
    """`round(x) + d = round(x + d)` if d is even: halves round to even. Nothing else reads the rounding."""
    if (found := m.with_constant(op)) is None or not m.is_single(found[0]):
        return None
    value, d = found
    if not isinstance(inner := value.owner, math.RoundEvenOp) or not (d.array % 2 == 0).all():
        return None
    return m.emit_round(op, m.emit(op, arith.AddfOp, inner.operands[0], d))


def merge_terms(m: _Matcher, op: arith.AddfOp) -> SSAValue | None:
    """`(x + c) + d = x + (c + d)` if nothing else reads x + c."""
    return _merge(m, op, lambda a, b: a + b)


def multiply_before_clamp(m: _Matcher, op: arith.MulfOp) -> SSAValue | None:
    """`max(x, c) * d = max(x * d, c * d)`, and so for min, if d > 0 and nothing else reads the clamp."""
    if (found := m.with_constant(op)) is None or not found[1].is_positive:
        return None
    return _before_clamp(m, op, arith.MulfOp, lambda a, b: a * b)


def merge_factors(m: _Matcher, op: arith.MulfOp) -> SSAValue | None:
    """`(x * c) * d = x * (c * d)` if nothing else reads x * c."""
    return _merge(m, op, lambda a, b: a * b)


def distribute_factor(m: _Matcher, op: arith.MulfOp) -> SSAValue | None:
    """`(x + c) * d = x * d + c * d` if nothing else reads x + c."""
    if (found := m.with_constant(op)) is None or not m.is_single(found[0]):
        return None
    value, d = found
    if not isinstance(inner := value.owner, arith.AddfOp) or not (parts := m.with_constant(inner)):
        return None
    if (offset := parts[1].meet(d, lambda a, b: a * b)) is None:
        return None
    return m.emit(op, arith.AddfOp, m.emit(op, arith.MulfOp, parts[0], d), offset)


def multiply_factor(m: _Matcher, op: arith.MulfOp) -> SSAValue | None:
    """
    `((x + c) * y) * d = ((x + c) * d) * y`, and so for `x * c`, if nothing else reads the product and its first factor:
    then c and d meet.
    """
    if (found := m.with_constant(op)) is None or not m.is_single(found[0]):
        return None
    product, d = found
    if not isinstance(inner := product.owner, arith.MulfOp) or m.with_constant(inner) is not None:
        return None
    for factor, other in ((inner.lhs, inner.rhs), (inner.rhs, inner.lhs)):
        if not isinstance(owner := factor.owner, arith.AddfOp | arith.MulfOp):
            continue
        parts = m.with_constant(owner) if m.is_single(factor) and factor is not other else None
        if parts is not None and parts[1].meet(d, lambda a, b: a * b) is not None:
            scaled = m.emit(op, arith.MulfOp, factor, d)
            x, y = BodyBuilder(m.block, before=op).scalars((scaled, other))
            return (x * y).value
    return None


def multiply_before_p_relu(m: _Matcher, op: arith.MulfOp) -> SSAValue | None:
    """`p_relu(x, a) * d = p_relu(x * d, a)` if d > 0 and nothing else reads x nor the activation: d meets x's scale."""
    if (found := m.with_constant(op)) is None or not found[1].is_positive:
        return None
    if not m.is_single(found[0]) or (parts := m.p_relu(found[0])) is None:
        return None
    x, slope = parts
    if len(set(readers_of(x))) > P_RELU_READERS:
        return None
    scaled = m.emit(op, arith.MulfOp, x, found[1])
    body = BodyBuilder(m.block, before=op)
    value, below = body.scalars((scaled, m.emit(op, arith.MulfOp, scaled, slope)))
    return select(value > 0, value, below).value


def clamp_before_rounding(m: _Matcher, op: arith.SelectOp) -> SSAValue | None:
    """`max(round(x), d) = round(max(x, d))`, and so for min, if d is whole and nothing else reads the rounding."""
    if (found := m.clamp(op.result)) is None or not m.only_clamped(op, found[0].x):
        return None
    clamp, d = found
    if not isinstance(inner := clamp.x.owner, math.RoundEvenOp) or not d.is_whole:
        return None
    return m.emit_round(op, m.emit_clamp(op, inner.operands[0], d, clamp.is_lower))


def merge_clamps(m: _Matcher, op: arith.SelectOp) -> SSAValue | None:
    """`max(max(x, c), d) = max(x, max(c, d))`, and so for min, if nothing else reads the first."""
    import numpy as np

    if (found := m.clamps(op)) is None:
        return None
    (first, c), (outer, d) = found
    if first.is_lower != outer.is_lower:
        return None
    both = c.meet(d, np.maximum if outer.is_lower else np.minimum)
    return both and m.emit_clamp(op, first.x, both, outer.is_lower)


def exchange_clamps(m: _Matcher, op: arith.SelectOp) -> SSAValue | None:
    """
    `min(max(min(x, a), c), d) = max(min(min(x, a), d), c)` if c <= d, and so with max and min exchanged, so that
    `merge_clamps` merges the two; nothing else reads the one in the middle.
    """
    if (found := m.clamps(op)) is None:
        return None
    (first, c), (outer, d) = found
    deeper = Clamp.of(first.x)
    if first.is_lower == outer.is_lower or not deeper or deeper.is_lower != outer.is_lower:
        return None
    order = c.meet(d, (lambda a, b: a >= b) if outer.is_lower else (lambda a, b: a <= b))
    if order is None or not order.array.all():
        return None
    return m.emit_clamp(op, m.emit_clamp(op, first.x, d, outer.is_lower), c, first.is_lower)


def round_once(m: _Matcher, op: math.RoundEvenOp) -> SSAValue | None:
    """`round(round(x)) = round(x)`, also with clamps to integers between the two."""
    (value,) = op.operands
    while (clamp := Clamp.of(value)) is not None:
        c = m.constant(clamp.bound)
        if c is None or not c.is_whole:
            return None
        value = clamp.x
    return op.operands[0] if isinstance(value.owner, math.RoundEvenOp) else None


def p_relu_as_maximum(m: _Matcher, op: arith.SelectOp) -> SSAValue | None:
    """
    `x > 0 ? x : a * x = max(a * x, x)` if 0 < a <= 1: exact, also for zeros, infinities and NaN. With a = 0, infinity
    would become NaN.
    """
    if (parts := m.p_relu(op.result)) is None:
        return None
    _, slope = parts
    if not slope.is_positive or not (slope.array <= 1).all():
        return None
    value, below = BodyBuilder(m.block, before=op).scalars((op.lhs, op.rhs))
    return below.at_least(value).value


def fuse_multiply_add(m: _Matcher, op: arith.AddfOp) -> SSAValue | None:
    """`x * y + z = fma(x, y, z)`, which rounds once, if one of them is constant and nothing else reads x * y."""
    for product, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        owner = product.owner
        if not isinstance(owner, arith.MulfOp) or not m.is_single(product):
            continue
        if all(m.constant(value) is None for value in (*owner.operands, other)):
            continue
        x, c, y = BodyBuilder(m.block, before=op).scalars((owner.lhs, owner.rhs, other))
        return x.fma(c, y).value
    return None


def _before_clamp(
    m: _Matcher,
    op: arith.AddfOp | arith.MulfOp,
    kind: type[arith.AddfOp | arith.MulfOp],
    compute: Callable[[Array, Array], Array],
) -> SSAValue | None:
    found = m.with_constant(op)
    clamped = found and m.clamp(found[0])
    if not found or not clamped or not m.is_single(found[0]):
        return None
    (clamp, c), (_, d) = clamped, found
    if (bound := c.meet(d, compute)) is None:
        return None
    return m.emit_clamp(op, m.emit(op, kind, clamp.x, d), bound, clamp.is_lower)


def _merge(
    m: _Matcher, op: arith.AddfOp | arith.MulfOp, compute: Callable[[Array, Array], Array]
) -> SSAValue | None:
    """Two operations of one kind with constants as one with both."""
    if (found := m.with_constant(op)) is None or not m.is_single(found[0]):
        return None
    value, d = found
    inner = value.owner
    if not isinstance(inner, type(op)) or not (parts := m.with_constant(inner)):
        return None
    both = parts[1].meet(d, compute)
    return both and m.emit(op, type(op), parts[0], both)


Laws = Mapping[type[Operation], tuple[Callable[[_Matcher, Any], SSAValue | None], ...]]

LAWS: Laws = {
    arith.SubfOp: (add_negative,),
    arith.AddfOp: (add_before_clamp, add_before_rounding, merge_terms),
    arith.MulfOp: (
        multiply_before_clamp,
        multiply_before_p_relu,
        merge_factors,
        distribute_factor,
        multiply_factor,
    ),
    arith.SelectOp: (clamp_before_rounding, merge_clamps, exchange_clamps),
    math.RoundEvenOp: (round_once,),
}
"""The laws of each operation, in the order in which they are tried until none applies."""

LAST_LAWS: Laws = {arith.AddfOp: (fuse_multiply_add,), arith.SelectOp: (p_relu_as_maximum,)}
"""Tried once after that."""
