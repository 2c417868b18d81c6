"""Slices at integers that the condition of a loop keeps within what is sliced."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import OpResult, SSAValue

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, shape_of
from ..infer_shapes import KnownIntegers
from ..shapes.sum_of_sizes import Sum
from .loop import Carried, Loop, conjuncts
from .slices import Part, gather


def gather_tested_slices(loop: Loop) -> bool:
    """
    While `i < limit`, `x[i : i + size]` has `size` elements, and is gathered, if `i` begins at 0 or more and never
    falls, and `limit + size - 1` is within `x`.
    """
    if loop.op.condition is None:
        return False
    changed = [_gather(loop, op) for op in list(loop.body.ops) if isinstance(op, nn.SliceOp)]
    return any(changed)


def _gather(loop: Loop, op: nn.SliceOp) -> bool:
    axes, steps = constant_integers(op.axes), constant_integers(op.step)
    if loop.invariant(op.input) is None or axes is None or len(axes) != 1 or steps != [1]:
        return False
    axis = axes[0] % len(shape_of(op.input))
    whole, start = shape_of(op.input)[axis], Sum.of(op.start)
    length = Sum.of(op.stop).plus(start, -1)
    if whole == DYNAMIC_INDEX or length.terms or length.constant < 1 or len(start.terms) != 1:
        return False
    ((counter, times),) = start.terms
    size, last = length.constant, whole - length.constant - start.constant
    for carried in loop.carried():
        is_counter = carried.argument is counter and times == 1 and start.constant >= 0
        if is_counter and _begins_within(carried, last) and _goes_on_within(carried, last):
            return gather(op, Part(axis, 1, start.constant, size))
    return False


def _begins_within(carried: Carried, last: int) -> bool:
    first = KnownIntegers()(carried.start)
    return first is not None and len(first) == 1 and 0 <= first[0] <= last


def _goes_on_within(carried: Carried, last: int) -> bool:
    """Whether it never falls, and another iteration follows only while it is no more than `last`."""
    loop, condition = carried.loop, carried.loop.op.condition
    assert condition is not None, "asked for before"
    return _is_no_less(carried.after, {carried.argument}) and any(
        isinstance(leaf.owner, nn.LessOp)
        and leaf.owner.lhs is carried.after
        and (limit := loop.known(leaf.owner.rhs)) is not None
        and max(limit) <= last + 1
        for leaf in conjuncts(condition)
    )


def _is_no_less(value: SSAValue, than: Collection[SSAValue]) -> bool:
    """Whether an integer is no less than one that these values are no less than, whatever branch is taken."""
    if not isinstance(value, OpResult) or not isinstance(op := value.op, infra.IfOp):
        total = Sum.of(value)
        bounds = {(each, 1) for each in than}
        return total.constant >= 0 and len(total.terms) == 1 and total.terms[0] in bounds
    given = {each for each in op.inputs if each.type == value.type and _is_no_less(each, than)}
    for number, body in enumerate(op.bodies):
        inside = [arg for arg, each in zip(body.args, op.inputs, strict=True) if each in given]
        if not _is_no_less(op.yielded(number)[value.index], {*than, *inside}):
            return False
    return True
