"""
`raise-group-normalization`: a normalization of the rows of a reshape is one of groups of channels.

PyTorch's exporter writes GroupNorm so: groups become rows, InstanceNormalization normalizes these, with a scale and an
offset that are one and zero, and another reshape makes channels of them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.inferred import constant_integers, shape_of, tensor
from ..dialects.nn.writer import Writer
from ..dialects.origins import origin_of, set_origins
from ..dialects.walk import all_operations
from ..passes.erase_unused import erase_unused


class RaiseGroupNormalization(ModulePass):
    """
    `reshape(mvn(reshape(x)) * a + b) = group_normalization(x, a, b)` in f32, where the first reshape makes rows
    [batch, group, …] of x, the second one undoes it, all between has one reader, and a and b, if there are any, are
    constants, of one number or one for each group.
    """

    name = "raise-group-normalization"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if isinstance(inner, nn.ReshapeOp) and (found := Groups.of(inner)) is not None:
                _raise(inner, found)


@dataclass(frozen=True)
class Groups:
    """What is normalized, by which operation, in how many groups; constants that multiply, and that are added."""

    input: SSAValue
    mvn: nn.MvnOp
    count: int
    scale: SSAValue | None
    offset: SSAValue | None

    @classmethod
    def of(cls, op: nn.ReshapeOp) -> Self | None:
        """Those behind which a reshape makes channels of rows again."""
        value = op.input
        value, offset = _without(nn.AddOp, value)
        value, scale = _without(nn.MultiplyOp, value)
        mvn = value.owner
        if not isinstance(mvn, nn.MvnOp) or not value.has_one_use() or not _is_usual(mvn):
            return None
        rows = mvn.input.owner
        if not isinstance(rows, nn.ReshapeOp) or not mvn.input.has_one_use():
            return None
        shape, grouped = shape_of(rows.input), shape_of(mvn.input)
        if shape != shape_of(op.result) or min((*shape, *grouped), default=0) < 1:
            return None
        if len(shape) < 3 or len(grouped) < 3 or shape[0] != grouped[0] or shape[1] % grouped[1]:
            return None
        axes = constant_integers(mvn.axes) or ()
        if {axis % len(grouped) for axis in axes} != set(range(2, len(grouped))):
            return None
        constants = (each for each in (scale, offset) if each is not None)
        if tensor(rows.input).element_type != f32 or not all(
            _is_by_group(each, grouped) for each in constants
        ):
            return None
        return cls(rows.input, mvn, grouped[1], scale, offset)


def _is_usual(op: nn.MvnOp) -> bool:
    """Whether it is what a group normalization computes of a group."""
    return op.eps_mode.data == "inside_sqrt" and bool(op.normalize_variance)


def _without(
    kind: type[nn.AddOp | nn.MultiplyOp], value: SSAValue
) -> tuple[SSAValue, SSAValue | None]:
    """The operand of such an operation that is not constant, and the one that is; else the value and None."""
    op = value.owner
    if not isinstance(op, kind) or not value.has_one_use():
        return value, None
    for moving, constant in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        if nn.constant_of(constant) is not None and shape_of(moving) == shape_of(value):
            return moving, constant
    return value, None


def _is_by_group(value: SSAValue, grouped: Sequence[int]) -> bool:
    """Whether a constant is uniform, or differs between groups only."""
    own = shape_of(value)
    if len(own) > len(grouped):
        return False
    padded = (1,) * (len(grouped) - len(own)) + tuple(own)
    return padded[1] in (1, grouped[1]) and all(n == 1 for d, n in enumerate(padded) if d != 1)


def _raise(op: nn.ReshapeOp, groups: Groups) -> None:
    """Writes the group normalization in front of the last reshape, which goes with all that it makes useless."""
    write = Writer(InsertPoint.before(op))
    channels = shape_of(groups.input)[1]
    result = write(
        nn.GroupNormalizationOp,
        groups.input,
        _by_channel(write, groups.scale, 1, groups.count, channels),
        _by_channel(write, groups.offset, 0, groups.count, channels),
        num_groups=groups.count,
        epsilon=groups.mvn.eps,
    )
    new = result.owner
    assert isinstance(new, nn.GroupNormalizationOp)
    set_origins(new, origin_of(groups.mvn))
    op.result.replace_all_uses_with(result)
    erase_unused(op.result)


def _by_channel(
    write: Writer, value: SSAValue | None, number: float, groups: int, channels: int
) -> SSAValue:
    """A constant for groups as one for channels; without one, the number for each."""
    import numpy as np

    from ..reference.arrays import array_of, blob_of

    array = np.full(groups, number, np.float32)
    if value is not None:
        blob = nn.constant_of(value)
        assert blob is not None
        array[:] = array_of(blob).reshape(-1)
    return write.constant(blob_of(np.repeat(array, channels // groups), f32))
