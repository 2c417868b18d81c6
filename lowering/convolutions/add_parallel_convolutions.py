"""
`add-parallel-convolutions`: a sum of convolutions of one input is one convolution, with the sum of their filters.

This is structural reparameterization (Ding et al., RepVGG, https://arxiv.org/abs/2101.03697) of networks that are
exported as they are trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import Shape, shape_of, tensor
from ...dialects.nn.convolution import ForwardConvolution
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused

if TYPE_CHECKING:
    from ...reference.arrays import Array


class AddParallelConvolutions(ModulePass):
    """
    `conv(x, f) + conv(x, g) = conv(x, f + g)` in f32, where f and g are constants and have the same strides, dilations
    and groups; zeros around the filters of the smaller window make both of one size. The filters are added in f64 and
    rounded once.

    Between them in the sum there may be other values, such as the bias of each. Declines where the window of f does not
    have all taps of that of g: a zero that none of both has would make NaN of infinity.
    """

    name = "add-parallel-convolutions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        sums = [inner for inner in all_operations(op) if isinstance(inner, nn.AddOp)]
        for inner in sums:
            if not _is_part(inner.result, shape_of(inner.result)):
                _add(inner)


@dataclass(frozen=True)
class Branch:
    """A convolution of the sum: filters, how many taps their window has, and how far it begins before the input."""

    op: ForwardConvolution
    kernel: Shape
    before: Shape

    @classmethod
    def of(cls, value: SSAValue, shape: Shape) -> Self | None:
        """That of a value of the sum, if nothing else reads it and all is known."""
        op = value.owner
        if not isinstance(op, ForwardConvolution) or not value.has_one_use():
            return None
        sizes = [shape_of(each) for each in (op.input, op.filters, value)]
        if any(size < 1 for each in sizes for size in each) or sizes[2] != shape:
            return None
        if tensor(value).element_type != f32 or tensor(op.input).element_type != f32:
            return None
        if nn.constant_of(op.filters) is None:
            return None
        kernel = op.split_filters(sizes[1]).kernel
        pads = op.window(kernel).padding(sizes[0][2:])
        return cls(op, kernel, tuple(first for first, _ in pads))

    def is_beside(self, other: Branch) -> bool:
        """Whether both move over the same input in the same steps."""
        mine, others = (each.op.window(each.kernel) for each in (self, other))
        rank = len(self.kernel)
        return (
            type(self.op) is type(other.op)
            and self.op.input is other.op.input
            and mine.strides == others.strides
            and mine.dilations == others.dilations
            and shape_of(self.op.filters)[:-rank] == shape_of(other.op.filters)[:-rank]
        )


@dataclass(frozen=True)
class Union:
    """The smallest window that has those of all branches."""

    branches: tuple[Branch, ...]

    @property
    def before(self) -> Shape:
        """How far it begins before the input."""
        return tuple(map(max, *(each.before for each in self.branches)))

    def offsets(self, branch: Branch) -> list[tuple[int, int]]:
        """In which tap of each dimension the window of a branch begins, and how far from there."""
        dilations = branch.op.window(branch.kernel).dilations
        gaps = zip(self.before, branch.before, dilations, strict=True)
        return [divmod(outer - inner, dilation) for outer, inner, dilation in gaps]

    @property
    def kernel(self) -> Shape:
        """Its taps."""
        ends = [
            [first + taps for (first, _), taps in zip(self.offsets(each), each.kernel, strict=True)]
            for each in self.branches
        ]
        return tuple(map(max, *ends))

    @property
    def after(self) -> list[int]:
        """How far the last window ends behind the input."""
        op = self.branches[0].op
        window = op.window(self.kernel)
        positions = shape_of(op.result)[2:]
        return [
            (count - 1) * stride + extent - size - before
            for count, stride, extent, size, before in zip(
                positions,
                window.strides,
                window.extents,
                shape_of(op.input)[2:],
                self.before,
                strict=True,
            )
        ]

    @property
    def is_largest(self) -> bool:
        """Whether it is the window of the first branch, and has those of the others tap by tap."""
        fits = all(not rest for each in self.branches for _, rest in self.offsets(each))
        return fits and self.kernel == self.branches[0].kernel and min(self.after) >= 0

    def filters(self) -> Array:
        """The sum of all filters, in f64."""
        import numpy as np

        lead = shape_of(self.branches[0].op.filters)[: -len(self.kernel)]
        total = np.zeros((*lead, *self.kernel))
        for each in self.branches:
            places = zip(self.offsets(each), each.kernel, strict=True)
            part = tuple(slice(first, first + taps) for (first, _), taps in places)
            total[(..., *part)] += _array(each.op.filters)
        return total


def _is_part(value: SSAValue, shape: Shape) -> bool:
    """Whether a value is only added to others, to a sum of this shape."""
    users = [use.operation for use in value.uses]
    return (
        len(users) == 1
        and isinstance(users[0], nn.AddOp)
        and shape_of(value) == shape_of(users[0].result) == shape
    )


def _terms(value: SSAValue, shape: Shape) -> list[SSAValue]:
    """What a sum adds, from left to right."""
    terms, waiting = list[SSAValue](), [value]
    while waiting:
        term = waiting.pop()
        op = term.owner
        if isinstance(op, nn.AddOp) and (term is value or _is_part(term, shape)):
            waiting += reversed(op.operands)
        else:
            terms.append(term)
    return terms


def _unions(terms: Sequence[SSAValue], shape: Shape) -> list[Union]:
    """Those of several convolutions among the terms, in each the largest window first."""
    found = [branch for term in terms if (branch := Branch.of(term, shape)) is not None]
    unions: list[Union] = []
    for branch in sorted(found, key=lambda each: -prod(each.kernel)):
        for number, union in enumerate(unions):
            wider = Union((*union.branches, branch))
            if branch.is_beside(union.branches[0]) and wider.is_largest:
                unions[number] = wider
                break
        else:
            unions.append(Union((branch,)))
    return [union for union in unions if len(union.branches) > 1]


def _add(op: nn.AddOp) -> None:
    """Puts one convolution in the place of those that a sum adds, for each of their inputs."""
    import numpy as np

    shape = shape_of(op.result)
    terms = _terms(op.result, shape)
    write, made, done = Writer(InsertPoint.before(op)), list[SSAValue](), set[SSAValue]()
    for union in _unions(terms, shape):
        with np.errstate(over="ignore"):
            filters = union.filters().astype(np.float32)
        if np.isfinite(filters).all():
            made.append(_written(write, union, filters))
            done |= {branch.op.results[0] for branch in union.branches}
    if not made:
        return
    parts = [*made, *(term for term in terms if term not in done)]
    total = reduce(lambda left, right: write(nn.AddOp, left, right), parts)
    if isinstance(total.owner, nn.AddOp):
        set_origins(total.owner, origin_of(op))
    op.result.replace_all_uses_with(total)
    erase_unused(op.result)


def _written(write: Writer, union: Union, filters: Array) -> SSAValue:
    """The convolution of all branches."""
    from ...reference.arrays import blob_of

    op = union.branches[0].op
    window = op.window(union.kernel)
    result = write(
        type(op),
        op.input,
        write.constant(blob_of(filters, f32)),
        strides=window.strides,
        pads_begin=union.before,
        pads_end=union.after,
        dilations=window.dilations,
    )
    new = result.owner
    assert isinstance(new, ForwardConvolution)
    set_origins(new, [origin for branch in union.branches for origin in origin_of(branch.op)])
    return result


def _array(filters: SSAValue) -> Array:
    from ...reference.arrays import array_of

    blob = nn.constant_of(filters)
    assert blob is not None
    return array_of(blob)
