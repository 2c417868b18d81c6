"""The exponential function of a softmax: of the difference of a score and the greatest one, never above 0."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, BlockArgument, SSAValue

from ...dialects.inferred import shape_of
from ...dialects.kernel import AttentionOp, MapOp, ReduceOp, SoftmaxOp, Term, YieldOp
from ..kernel_bodies.bodies import Scalar
from .exponential import exp, exp_of_negative


def expand_exp(x: Scalar) -> Scalar:
    """`exp(x)`, by `exp_of_negative` in a softmax in f32."""
    return exp_of_negative(x) if x.type == f32 and _is_below_greatest(x.value) else exp(x)


def _is_below_greatest(value: SSAValue) -> bool:
    """Whether this is the difference of an element and the greatest of several, of which it is one."""
    difference = value.owner
    if not isinstance(difference, arith.SubfOp):
        return False
    x, most = difference.operands
    block = difference.parent
    if block is None or not isinstance(x, BlockArgument) or not isinstance(most, BlockArgument):
        return False
    match block.parent_op():
        case AttentionOp() | SoftmaxOp() as op:
            return block is op.power.block and (x.index, most.index) == (0, 1)
        case MapOp() as op:
            return _is_greatest(op, most.index, x.index)
        case _:
            return False


def _is_greatest(op: MapOp, most: int, x: int) -> bool:
    """Whether one operand of a map has the greatest of those elements of the other among which each lies."""
    reduction = op.ins[most].owner
    if not isinstance(reduction, ReduceOp) or list(reduction.x) != [op.ins[x]] or reduction.ins:
        return False
    ((points, steps),), access, shape = reduction.readings, op.accesses[most], op.shape
    if (
        reduction.combiner.data != "max"
        or not op.accesses[x].is_identity
        or not reduction.accesses[-1].is_identity
        or (access.rank, len(access.terms), shape_of(op.ins[x])) != (len(shape), len(shape), shape)
        or not all(_gives_argument(each.block) for each in (reduction.element, reduction.body))
    ):
        return False
    for d, size in enumerate(shape):
        point, step, place = (each.terms[d] for each in (points, steps, access))
        same = step == Term(None) and point == place == Term(d)
        whole = point == place == Term(None) and step.dim is not None
        whole = whole and step == Term(step.dim) and reduction.extents[step.dim or 0] == size
        if size > 1 and not same and not whole:
            return False
    return True


def _gives_argument(block: Block) -> bool:
    first = block.first_op
    return isinstance(first, YieldOp) and first.values[0] is block.args[0]
