"""
`bound-computed-sizes`: what has a size that only the run can tell is computed at its largest.

Such sizes begin at an `nn.slice` of the first elements, whose stop is computed: `slice(x, 0, n)`. A law for each
operation moves it behind: `f(slice(x, 0, n)) = slice(f(x), 0, n)`, where elements beyond n are computed for nothing.
So they arrive at the results of the model: these leave with all elements, and the sizes leave as further results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn
from ..dialects.inferred import (
    InferredOp,
    constant_integers,
    label,
    normalize_axis,
    shape_of,
    tensor,
)
from ..dialects.kernel import SIZES
from ..dialects.module import entry_of
from ..dialects.nn.writer import Writer
from ..dialects.origins import origin_of, set_origins
from ..dialects.traits import Elementwise

Sizes = dict[int, SSAValue]
"""By dimension, the value (a vector of one integer) that holds its size."""


@dataclass(frozen=True)
class Bounded:
    """A value with all elements that it may have, and the sizes of what is there."""

    value: SSAValue
    sizes: Sizes

    @classmethod
    def of(cls, op: Operation) -> Bounded | None:
        """Where a size begins: a slice of the first elements, as many as the run tells, of a value of known shape."""
        if not isinstance(op, nn.SliceOp) or not tensor(op.input).has_static_shape():
            return None
        start, stop, step, axes = map(constant_integers, op.operands[1:])
        if stop is not None or axes is None or start is None or len(axes) != 1:
            return None
        if list(start) != [0] or step is None or list(step) != [1]:
            return None
        return cls(op.input, {normalize_axis(op, axes[0], len(shape_of(op.input))): op.stop})


@dataclass(frozen=True)
class BoundComputedSizes(ModulePass):
    """Applies the laws to the entry, first operation first."""

    name = "bound-computed-sizes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        entry = entry_of(op)
        _Bounding(entry.body.block).run(entry)


class _Bounding:
    def __init__(self, block: Block):
        self.block = block
        self.known: dict[SSAValue, Bounded] = {}

    def run(self, entry: func.FuncOp) -> None:
        """Bounds every value; slices and what read them go."""
        replaced: list[Operation] = []
        for op in list(self.block.ops):
            if isinstance(op, func.ReturnOp):
                self._leave(entry, op)
            elif (begun := Bounded.of(op)) is not None:
                self.known[op.results[0]] = begun
                replaced.append(op)
            elif any(operand in self.known for operand in op.operands):
                self._move(op)
                replaced.append(op)
            elif any(value in self.known for inner in op.walk() for value in inner.operands):
                raise _refusal(op)
        for op in reversed(replaced):
            op.detach()
            op.erase()

    def _move(self, op: Operation) -> None:
        law = next((law for kind, law in LAWS.items() if isinstance(op, kind)), None)
        if law is None and op.has_trait(Elementwise):
            law = _elementwise
        if law is None or not isinstance(op, InferredOp):
            raise _refusal(op)
        given = [self.known.get(operand, Bounded(operand, {})) for operand in op.operands]
        sizes = law(op, given)
        new = type(op).of(*(each.value for each in given), **op.properties)
        new.attributes.update(op.attributes)
        set_origins(new, origin_of(op))
        Rewriter.insert_op(new, InsertPoint.before(op))
        for old, result in zip(op.results, new.results, strict=True):
            if not tensor(result).has_static_shape():
                raise _refusal(op)
            self.known[old] = Bounded(result, sizes)

    def _leave(self, entry: func.FuncOp, op: func.ReturnOp) -> None:
        """What is returned keeps all its elements; the sizes follow behind all results."""
        operands, places = list(op.operands), list[int]()
        write = Writer(InsertPoint.before(op))
        made: dict[SSAValue, int] = {}
        for number, value in enumerate(op.operands):
            if (bounded := self.known.get(value)) is None:
                continue
            operands[number] = bounded.value
            for dimension, size in sorted(bounded.sizes.items()):
                if size not in made:
                    made[size] = len(operands)
                    wide = tensor(size).element_type == i64
                    operands.append(
                        size if wide else write(nn.ConvertOp, size, destination_type=i64)
                    )
                places += [number, dimension, made[size]]
        if not places:
            return
        self._name(entry, len(operands))
        Rewriter.replace_op(op, func.ReturnOp(*operands))
        inputs = entry.function_type.inputs.data
        entry.properties["function_type"] = FunctionType.from_lists(
            list(inputs), [value.type for value in operands]
        )
        entry.attributes[SIZES] = DenseArrayBase.from_list(i64, places)

    def _name(self, entry: func.FuncOp, count: int) -> None:
        """Further results have no names."""
        if (attributes := entry.res_attrs) is not None:
            more = [DictionaryAttr({})] * (count - len(attributes))
            entry.properties["res_attrs"] = ArrayAttr([*attributes, *more])


def _refusal(op: Operation) -> DiagnosticException:
    return DiagnosticException(
        f"{label(op)}: reads a value whose size only the run can tell, and has no law for that; compute it outside of "
        "the model"
    )


Law = Callable[[Any, Sequence[Bounded]], Sizes]


def _elementwise(op: InferredOp, given: Sequence[Bounded]) -> Sizes:
    """What is computed element by element: sizes of one dimension are one value, or 1."""
    rank = len(shape_of(op.results[0]))
    sizes: Sizes = {}
    for each in given:
        offset = rank - len(shape_of(each.value))
        for dimension, size in each.sizes.items():
            if sizes.setdefault(offset + dimension, size) is not size:
                raise _refusal(op)
    for each in given:
        offset, shape = rank - len(shape_of(each.value)), shape_of(each.value)
        for dimension, of_dimension in enumerate(shape):
            if offset + dimension in sizes and dimension not in each.sizes and of_dimension != 1:
                raise _refusal(op)
    return sizes


def _transpose(op: nn.TransposeOp, given: Sequence[Bounded]) -> Sizes:
    order = list(constant_integers(op.order) or ()) or list(
        reversed(range(len(shape_of(op.input))))
    )
    return {order.index(dimension): size for dimension, size in given[0].sizes.items()}


def _gather(op: nn.GatherOp, given: Sequence[Bounded]) -> Sizes:
    """Indices of unknown number give slices of unknown number."""
    data, indices, _ = given
    (axis,) = constant_integers(op.axis) or (0,)
    axis, batch = normalize_axis(op, axis, len(shape_of(op.input))), op.batch_dims.value.data
    if axis in data.sizes or batch:
        raise _refusal(op)
    more = len(shape_of(op.indices)) - 1
    behind = {d + more * (d > axis): size for d, size in data.sizes.items()}
    return behind | {axis + d: size for d, size in indices.sizes.items()}


def _reduce(op: Any, given: Sequence[Bounded]) -> Sizes:
    """Along other dimensions."""
    rank, sizes = len(shape_of(op.input)), given[0].sizes
    axes = {normalize_axis(op, axis, rank) for axis in constant_integers(op.axes) or ()}
    if axes & sizes.keys():
        raise _refusal(op)
    kept = range(rank) if op.keep_dims else [d for d in range(rank) if d not in axes]
    return {list(kept).index(d): size for d, size in sizes.items()}


def _unsqueeze(op: nn.UnsqueezeOp, given: Sequence[Bounded]) -> Sizes:
    rank = len(shape_of(op.result))
    axes = {normalize_axis(op, axis, rank) for axis in constant_integers(op.axes) or ()}
    kept = [d for d in range(rank) if d not in axes]
    return {kept[d]: size for d, size in given[0].sizes.items()}


def _squeeze(op: nn.SqueezeOp, given: Sequence[Bounded]) -> Sizes:
    shape, listed = shape_of(given[0].value), None
    if op.axes is not None and (listed := constant_integers(op.axes)) is None:
        raise _refusal(op)
    axes = {normalize_axis(op, axis, len(shape)) for axis in listed or ()}
    if not axes or axes & given[0].sizes.keys():
        raise _refusal(op)
    kept = [d for d in range(len(shape)) if d not in axes]
    return {kept.index(d): size for d, size in given[0].sizes.items()}


def _concat(op: nn.ConcatOp, given: Sequence[Bounded]) -> Sizes:
    """Of parts that have the same sizes, along another dimension."""
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
    first = given[0].sizes
    if axis in first or any(each.sizes != first for each in given):
        raise _refusal(op)
    return first


LAWS: dict[type[Operation], Law] = {
    nn.TransposeOp: _transpose,
    nn.GatherOp: _gather,
    nn.ReduceOp: _reduce,
    nn.UnsqueezeOp: _unsqueeze,
    nn.SqueezeOp: _squeeze,
    nn.ConcatOp: _concat,
}
"""By operation, the sizes of its results, if that of operands are moved behind it."""
