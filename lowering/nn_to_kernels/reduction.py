"""
Reductions along axes: integers in i32 or wider, exactly; floating-point numbers in their scalar type.

The reduced dimensions stay with size 1 in a kernel's domain, so that readers of both the operand and the result
have one rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, f64, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import kernel, nn
from ...dialects.elements import bits_of, is_unsigned, limits_of
from ...dialects.inferred import label, normalize_axis, shape_of, static_shape, tensor
from ...dialects.kernel import Access, Reading, Term, body_type
from ...dialects.tensor_types import typed
from ..kernel_bodies.bodies import Scalar, build_body, same
from .rule import is_integer, is_wide_unsigned, kernel_rule, known_integers
from .writer import KernelWriter

EXACT_QUOTIENT = 2**23
"""Below, the quotient of two integers in f32 lies on the right side of whole and half numbers next to it."""

Element = Callable[..., Scalar]
Finish = Callable[[Scalar], Scalar]


def reduce_kernel(
    write: KernelWriter,
    combiner: str,
    x: Sequence[SSAValue],
    domain: Sequence[int],
    window: Sequence[int],
    access: Sequence[Reading],
    element: Element,
    finish: Element,
    result: Attribute,
    ins: Sequence[SSAValue] = (),
) -> SSAValue:
    """
    `finish(combined element(x…), ins…)` over the window of each point; `access` says where in each of x a point and
    where a step in its window lies.
    """
    made = build_body([body_type(tensor(value).element_type) for value in x], element)
    last = made.block.last_op
    assert last is not None
    scalars = [last.operands[0].type, *(tensor(value).element_type for value in ins)]
    outer = [Access.broadcast(domain, shape_of(value)) for value in ins]
    new = kernel.ReduceOp(
        combiner,
        domain,
        window,
        x,
        access,
        made,
        kernel.Epilogue(ins, [*outer, Access.identity(len(domain))], build_body(scalars, finish)),
        results=[typed(result, domain)],
    )
    return write.kernel(new, write.op.operands[0])


def axes_of(op: Operation, axes: SSAValue, rank: int) -> list[int]:
    """Constant axes, counted from the front."""
    return [normalize_axis(op, axis, rank) for axis in known_integers(op, axes, "axes")]


def _reduce(
    op: nn.ReduceOp, write: KernelWriter, combiner: str, element: Element, finish: Finish
) -> SSAValue:
    """The reduced dimensions stay with size 1 in the kernel."""
    shape, result = static_shape(op.input), tensor(op.result)
    rank, axes = len(shape), sorted(axes_of(op, op.axes, len(shape)))
    points = (Term(None if d in axes or shape[d] == 1 else d) for d in range(rank))
    steps = (Term(axes.index(d) if d in axes and shape[d] != 1 else None) for d in range(rank))
    access = Access(rank, tuple(points)), Access(len(axes), tuple(steps))
    domain, window = [1 if d in axes else n for d, n in enumerate(shape)], [shape[d] for d in axes]
    value = reduce_kernel(
        write, combiner, [op.input], domain, window, [access], element, finish, result.element_type
    )
    return write.reshape(value, result.get_shape())


def check_numbers(op: Operation) -> Attribute:
    """The element type of the operand. Raises DiagnosticException for booleans."""
    element = tensor(op.operands[0]).element_type
    if element == i1:
        raise DiagnosticException(f"{label(op)}: booleans are not numbers; convert them to i32")
    return element


def _wraps(element: Attribute) -> Finish:
    """Integers wrap around at their own width."""
    return lambda total: total.wrap(element) if is_integer(element) else total


@kernel_rule(nn.ReduceSumOp)
def reduce_sum(op: nn.ReduceSumOp, write: KernelWriter) -> SSAValue:
    return _reduce(op, write, "sum", same, _wraps(check_numbers(op)))


@kernel_rule(nn.ReduceProdOp)
def reduce_prod(op: nn.ReduceProdOp, write: KernelWriter) -> SSAValue:
    return _reduce(op, write, "product", same, _wraps(check_numbers(op)))


def signed_order(element: Attribute) -> Finish:
    """
    Numbers to ones that a signed order has in the same order, and back: integers without sign of all bits of a scalar
    have their first bit flipped.
    """
    if not is_wide_unsigned(element):
        return same
    lowest = -(2 ** (bits_of(element) - 1))
    return lambda x: x ^ lowest


@kernel_rule(nn.ReduceMaxOp)
def reduce_max(op: nn.ReduceMaxOp, write: KernelWriter) -> SSAValue:
    order = signed_order(check_numbers(op))
    return _reduce(op, write, "max", order, order)


@kernel_rule(nn.ReduceMinOp)
def reduce_min(op: nn.ReduceMinOp, write: KernelWriter) -> SSAValue:
    order = signed_order(check_numbers(op))
    return _reduce(op, write, "min", order, order)


@kernel_rule(nn.ReduceMeanOp)
def reduce_mean(op: nn.ReduceMeanOp, write: KernelWriter) -> SSAValue:
    check_numbers(op)
    shape = static_shape(op.input)
    count = max(prod(shape[axis] for axis in axes_of(op, op.axes, len(shape))), 1)
    element = tensor(op.input).element_type
    return _reduce(op, write, "sum", summand(element, count), mean(element, count))


@kernel_rule(nn.ReduceLogicalAndOp)
def reduce_logical_and(op: nn.ReduceLogicalAndOp, write: KernelWriter) -> SSAValue:
    return _reduce(op, write, "and", same, same)


@kernel_rule(nn.ReduceLogicalOrOp)
def reduce_logical_or(op: nn.ReduceLogicalOrOp, write: KernelWriter) -> SSAValue:
    return _reduce(op, write, "or", same, same)


# --- means ----------------------------------------------------------------------------------


def bound_of(element: Attribute, count: int) -> int:
    """What a sum of so many integers cannot exceed."""
    return count * max(map(abs, limits_of(element)))


def sum_of(element: Attribute, count: int) -> Attribute:
    """The type that holds the sum of so many elements."""
    if not is_integer(element):
        return body_type(element)
    return i32 if bound_of(element, count) < 2**31 else i64


def summand(element: Attribute, count: int) -> Element:
    """An element in the type of its sum."""
    wide = sum_of(element, count)

    def compute(x: Scalar) -> Scalar:
        return x if x.type == wide else x.convert(element, wide)

    return compute


def mean(element: Attribute, count: int) -> Finish:
    """`total / count`; integers are truncated toward zero."""
    parts = Quotient(element, count)
    return lambda total: parts.emit(total, total.body.constant(count, parts.type))


@dataclass(frozen=True)
class Quotient:
    """
    The sum of at most `count` elements by a number of type `type`; of integers truncated, or `rounded` to
    even, exactly.
    """

    element: Attribute
    count: int
    rounded: bool = False

    @property
    def type(self) -> Any:
        """The type in which is divided."""
        if is_integer(self.element):
            if bound_of(self.element, self.count) < EXACT_QUOTIENT:
                return f32
            if self.rounded:
                return f64
        return sum_of(self.element, self.count)

    def emit(self, total: Scalar, divisor: Scalar) -> Scalar:
        """The quotient as a scalar of the element."""
        wanted = body_type(self.element)
        if not is_integer(self.element):
            return total / divisor
        if is_integer(divisor.type):
            has_sign = bits_of(total.type) > bits_of(self.element) or not is_unsigned(self.element)
            quotient = total.apply(arith.DivSIOp if has_sign else arith.DivUIOp, divisor)
            return quotient.convert(divisor.type, wanted)
        ratio = total.convert(total.type, divisor.type) / divisor
        whole = ratio.round_even() if self.rounded else ratio
        return whole.convert(divisor.type, wanted)
