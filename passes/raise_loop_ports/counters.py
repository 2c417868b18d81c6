"""Counters in the body, and after the last iteration."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, shape_of, tensor
from ...dialects.nn.writer import Writer
from ..infer_shapes import KnownIntegers
from .loop import Carried, Loop, scalar
from .places import step_of


def replace_counters(loop: Loop) -> bool:
    """
    A value that is `step` more after each iteration is `start + step * iteration` in the body, and
    `start + step * trip count` in the end, where no condition and no slice ends the loop before.
    """
    changed = [_replace(each) for each in loop.carried()]
    return any(changed)


def _replace(carried: Carried) -> bool:
    loop, step = carried.loop, step_of(carried)
    if step is None:
        return False
    if carried.results:
        if (count := _iterations(loop)) is None:
            name = f"input {carried.number}"
            return loop.stays(name, "how often the body runs is known only after the last time")
        after = _after(loop.outside, carried.start, step, count)
        for result in carried.results:
            result.replace_all_uses_with(after)
    own = carried.after.owner
    if all(use.operation is own for use in carried.argument.uses):
        return bool(carried.results)
    write, argument = loop.inside, carried.argument
    if isinstance(carried.start.owner, nn.ConstantOp):
        start = write.constant(carried.start.owner.value)
    else:
        start = loop.add_input(carried.start, infra.InvariantAttr(), argument.type)
    argument.replace_all_uses_with(_after(write, start, step, loop.iteration()))
    return True


def _iterations(loop: Loop) -> SSAValue | None:
    """How often the body runs, in front of the loop; None where that is not known there."""
    if loop.ends_early:
        return None
    known = loop.op.iterations()
    if known is not None:
        return loop.outside.integer(known)
    is_limit = constant_integers(loop.op.trip_count) is None
    return scalar(loop.outside, loop.op.trip_count) if is_limit and not loop.op.parts() else None


def _after(write: Writer, start: SSAValue, step: int, count: SSAValue) -> SSAValue:
    """`start + step * count`, of the type of `start`."""
    element, shape = tensor(start).element_type, shape_of(start)
    count = write.converted(count, element)
    if shape != ():
        count = write(nn.ReshapeOp, count, write.integers(*shape))
    if step != 1:
        count = write(nn.MultiplyOp, count, write.scalar_like(count, step))
    known = KnownIntegers()(start)
    return count if known == [0] else write(nn.AddOp, start, count)
