"""
`algebraic-simplification`: algebraic simplification of quantized kernel bodies, requantization folding above all.

The body of a quantized kernel is a chain of operations with constants: dequantization, bias, activation and
quantization. Neighbouring constants are folded and clamps move behind scales, until one multiplication and
addition, one rounding and one clamp are left. Results may change by a rounding; kernels that neither read nor
write codes are therefore left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from ..dialects import nn
from ..dialects.kernel import Access, KernelOp, shaped
from .bodies import Body, Clamp, float_attr

if TYPE_CHECKING:
    from ..reference.arrays import Array
    from .fusion.kernel_builder import KernelBuilder


@dataclass(frozen=True)
class AlgebraicSimplification(ModulePass):
    """Simplifies the body of every kernel on tensors that reads or writes codes."""

    name = "algebraic-simplification"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, KernelOp) and inner.results and _has_codes(inner):
                _simplify(inner)


def _has_codes(op: KernelOp) -> bool:
    return any(_is_code(shaped(value).get_element_type()) for value in (*op.reads, *op.results))


def _is_code(type: Attribute) -> bool:
    return isa(type, IntegerType) and 1 < type.width.data <= 8


def _simplify(op: KernelOp) -> None:
    from .fusion.kernel_builder import KernelBuilder

    body = _Simplification(op, KernelBuilder.of(op))
    if not body.simplify():
        return
    new = body.builder.build()
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, result in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.detach()
    op.erase()


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

    @property
    def is_positive(self) -> bool:
        return bool((self.array > 0).all())

    @property
    def is_whole(self) -> bool:
        return bool((self.array == self.array.round()).all())


class _Simplification:
    """The simplification of one body."""

    def __init__(self, op: KernelOp, builder: KernelBuilder):
        self.op, self.builder = op, builder
        self.block: Block = builder.block

    def simplify(self) -> bool:
        """Applies the laws until none applies. Whether any did."""
        changed, goes_on = False, True
        while goes_on:
            goes_on = False
            for op in list(self.block.ops):
                goes_on |= op.parent is self.block and self._apply(op)
            changed |= goes_on
        for op in list(self.block.ops):
            changed |= self._fuse(op)
        return changed

    def _apply(self, op: Operation) -> bool:
        match op:
            case arith.SubfOp():
                return self._subtract(op)
            case arith.AddfOp():
                return self._add(op)
            case arith.MulfOp():
                return self._multiply(op)
            case arith.SelectOp():
                return self._clamp(op)
            case math.RoundEvenOp():
                return self._round(op)
            case _:
                return False

    # --- the laws ---------------------------------------------------------------------------

    def _subtract(self, op: arith.SubfOp) -> bool:
        """`x - c = x + -c`"""
        if (c := self.constant(op.rhs)) is None:
            return False
        return self._replace(op, self._emit(op, arith.AddfOp, op.lhs, c.map(lambda a: -a)))

    def _add(self, op: arith.AddfOp) -> bool:
        """`(x + c) + d = x + (c + d)`; the addition moves before clamps and, if d is even, before roundings."""
        found = self._with_constant(op)
        if found is None:
            return False
        value, d = found
        inner = value.owner
        if (clamp := Clamp.of(value)) is not None:
            c = self.constant(clamp.bound)
            moved = c and c.meet(d, lambda a, b: a + b)
            if moved is None or not self._is_single(value):
                return False
            shifted = self._emit(op, arith.AddfOp, clamp.x, d)
            return self._replace(op, self._emit_clamp(op, shifted, moved, clamp.is_lower))
        if not self._is_single(value):
            return False
        if isinstance(inner, math.RoundEvenOp) and (d.array % 2 == 0).all():
            shifted = self._emit(op, arith.AddfOp, inner.operands[0], d)
            return self._replace(op, self._emit_round(op, shifted))
        if isinstance(inner, arith.AddfOp) and (parts := self._with_constant(inner)):
            x, c = parts
            if (total := c.meet(d, lambda a, b: a + b)) is not None:
                return self._replace(op, self._emit(op, arith.AddfOp, x, total))
        return False

    def _multiply(self, op: arith.MulfOp) -> bool:
        """`(x * c) * d = x * (c * d)`, `(x + c) * d = x * d + c * d`; a positive factor moves before clamps."""
        found = self._with_constant(op)
        if found is None or not self._is_single(found[0]):
            return False
        value, d = found
        inner = value.owner
        if (clamp := Clamp.of(value)) is not None:
            c = self.constant(clamp.bound)
            scaled = c and c.meet(d, lambda a, b: a * b)
            if scaled is None or not d.is_positive:
                return False
            product = self._emit(op, arith.MulfOp, clamp.x, d)
            return self._replace(op, self._emit_clamp(op, product, scaled, clamp.is_lower))
        if not isinstance(inner, arith.AddfOp | arith.MulfOp):
            return False
        parts = self._with_constant(inner)
        together = parts and parts[1].meet(d, lambda a, b: a * b)
        if parts is None or together is None:
            return False
        if isinstance(inner, arith.MulfOp):
            return self._replace(op, self._emit(op, arith.MulfOp, parts[0], together))
        product = self._emit(op, arith.MulfOp, parts[0], d)
        return self._replace(op, self._emit(op, arith.AddfOp, product, together))

    def _clamp(self, op: arith.SelectOp) -> bool:
        """A clamp to an integer moves before a rounding; of two clamps on the same side the tighter one stays."""
        outer = Clamp.of(op.result)
        d = None if outer is None else self.constant(outer.bound)
        if outer is None or d is None:
            return False
        inner = outer.x.owner
        if isinstance(inner, math.RoundEvenOp) and d.is_whole and self._only_clamped(op, outer.x):
            limited = self._emit_clamp(op, inner.operands[0], d, outer.is_lower)
            return self._replace(op, self._emit_round(op, limited))
        first = Clamp.of(outer.x)
        c = None if first is None else self.constant(first.bound)
        if first is None or c is None or not self._only_clamped(op, outer.x):
            return False
        if first.is_lower == outer.is_lower:
            import numpy as np

            both = c.meet(d, np.maximum if outer.is_lower else np.minimum)
            if both is None:
                return False
            return self._replace(op, self._emit_clamp(op, first.x, both, outer.is_lower))
        deeper = Clamp.of(first.x)
        if deeper is None or deeper.is_lower != outer.is_lower:
            return False
        # min(max(min(x, a), b), d): the outer one may come first where it leaves b possible.
        order = c.meet(d, (lambda a, b: a >= b) if outer.is_lower else (lambda a, b: a <= b))
        if order is None or not order.array.all():
            return False
        inside = self._emit_clamp(op, first.x, d, outer.is_lower)
        return self._replace(op, self._emit_clamp(op, inside, c, first.is_lower))

    def _round(self, op: math.RoundEvenOp) -> bool:
        """`round(round(x)) = round(x)`, also with clamps to integers between the two."""
        (value,) = op.operands
        while (clamp := Clamp.of(value)) is not None:
            c = self.constant(clamp.bound)
            if c is None or not c.is_whole:
                return False
            value = clamp.x
        if not isinstance(value.owner, math.RoundEvenOp):
            return False
        return self._replace(op, op.operands[0])

    def _fuse(self, op: Operation) -> bool:
        """`x * c + y = fma(x, c, y)`, which rounds once."""
        if not isinstance(op, arith.AddfOp) or op.parent is None:
            return False
        for product, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            owner = product.owner
            if not isinstance(owner, arith.MulfOp) or not self._is_single(product):
                continue
            if self.constant(owner.lhs) is None and self.constant(owner.rhs) is None:
                continue
            fused = math.FmaOp(owner.lhs, owner.rhs, other)
            self.block.insert_op_before(fused, op)
            return self._replace(op, fused.result)
        return False

    # --- reading ----------------------------------------------------------------------------

    def constant(self, value: SSAValue) -> _Coefficient | None:
        """The constant that a scalar is."""
        import numpy as np

        if isinstance(op := value.owner, arith.ConstantOp) and isinstance(op.value, FloatAttr):
            return _Coefficient(np.array(op.value.value.data, np.float64), None)
        lead = len(self.block.args) - len(self.builder.ins)
        arguments: list[SSAValue] = list(self.block.args)
        if value.owner is not self.block or (i := arguments.index(value) - lead) < 0:
            return None
        blob = nn.constant_of(self.builder.ins[i])
        if blob is None or isinstance(blob.type.element_type, IntegerType):
            return None
        from ..reference.arrays import array_of

        return _Coefficient(array_of(blob).astype(np.float64), self.builder.access[i])

    def _with_constant(
        self, op: arith.AddfOp | arith.MulfOp
    ) -> tuple[SSAValue, _Coefficient] | None:
        """The operand that is no constant, and the one that is."""
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if (found := self.constant(other)) is not None and self.constant(value) is None:
                return value, found
        return None

    def _is_single(self, value: SSAValue) -> bool:
        """Whether a single operation reads a value; a clamp reads its operand twice."""
        readers = {use.operation for use in value.uses}
        return len(readers) == 1

    def _only_clamped(self, op: arith.SelectOp, value: SSAValue) -> bool:
        """Whether the clamp that consists of `op` and its comparison is the only reader of a value."""
        return {use.operation for use in value.uses} == {op, op.cond.owner}

    # --- writing ----------------------------------------------------------------------------

    def _number(self, before: Operation, c: _Coefficient, like: SSAValue) -> SSAValue:
        """The scalar that a constant is at each point."""
        type = cast(AnyFloat, like.type)
        if c.access is None:
            new = arith.ConstantOp(float_attr(float(c.array), type))
            self.block.insert_op_before(new, before)
            return new.result
        from ..reference.arrays import blob_of, dtype_of

        constant = nn.ConstantOp(blob_of(c.array.astype(dtype_of(type)), type))
        Rewriter.insert_op(constant, InsertPoint.before(self.op))
        return self.builder.read(constant.result, c.access)

    def _emit(
        self,
        before: Operation,
        kind: type[arith.AddfOp | arith.MulfOp],
        x: SSAValue,
        c: _Coefficient,
    ) -> SSAValue:
        new = kind(x, self._number(before, c, x))
        self.block.insert_op_before(new, before)
        return new.result

    def _emit_clamp(self, before: Operation, x: SSAValue, c: _Coefficient, below: bool) -> SSAValue:
        scratch = Body(Block())
        limit = self._number(before, c, x)
        limited = (scratch.at_least if below else scratch.at_most)(x, limit)
        for op in list(scratch.block.ops):
            op.detach()
            self.block.insert_op_before(op, before)
        return limited

    def _emit_round(self, before: Operation, x: SSAValue) -> SSAValue:
        new = math.RoundEvenOp(x)
        self.block.insert_op_before(new, before)
        return new.result

    def _replace(self, op: Operation, value: SSAValue) -> bool:
        """Replaces the result of `op` and erases the operations that this leaves without a reader."""
        (result,) = op.results
        self.builder.outputs = [
            (value if output[0] is result else output[0], *output[1:])
            for output in self.builder.outputs
        ]
        result.replace_all_uses_with(value)
        kept = {output[0] for output in self.builder.outputs}
        waiting = [op]
        while waiting:
            dead = waiting.pop()
            if any(r.first_use is not None or r in kept for r in dead.results):
                continue
            sources = [v.owner for v in dead.operands]
            if dead.parent is not None:
                dead.detach()
                dead.erase()
            waiting += [s for s in sources if isinstance(s, Operation) and s.parent is self.block]
        return True
