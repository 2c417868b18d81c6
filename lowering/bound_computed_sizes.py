"""
`bound-computed-sizes`: what has a size that only the run can tell is computed at its largest.

Such sizes begin at an `nn.slice` of the first elements, whose stop is computed: `slice(x, 0, n)`. A law for each
operation moves it behind: `f(slice(x, 0, n)) = slice(f(x), 0, n)`, where elements beyond n are computed for nothing.
So they arrive at the results of the model: these leave with all elements, and the sizes leave as further results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import Any

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn
from ..dialects.blob import BlobAttr
from ..dialects.elements import limits_of
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
    def of(cls, op: Operation, counts: dict[tuple[SSAValue, int], SSAValue]) -> Bounded | None:
        """
        Where a size begins: a slice of the first elements, as many as the run tells, of a value of known shape.
        `counts` has those of stops and dimensions that were met before.
        """
        if not isinstance(op, nn.SliceOp) or not tensor(op.input).has_static_shape():
            return None
        start, stop, step, axes = map(constant_integers, op.operands[1:])
        if stop is not None or axes is None or start is None or len(axes) != 1:
            return None
        if list(start) != [0] or step is None or list(step) != [1]:
            return None
        axis = normalize_axis(op, axes[0], len(shape_of(op.input)))
        met = (op.stop, shape_of(op.input)[axis])
        if met not in counts:
            counts[met] = _count(op, met[1])
        return cls(op.input, {axis: counts[met]})


def _count(op: nn.SliceOp, size: int) -> SSAValue:
    """How many elements lie before the stop of a slice: it may count from the end, and lie beyond it."""
    write = Writer(InsertPoint.before(op))
    from_end = write(nn.AddOp, op.stop, size)
    stop = write(nn.SelectOp, write(nn.LessOp, op.stop, 0), from_end, op.stop)
    return write.clamp(stop, 0, size)


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
        self.counts: dict[tuple[SSAValue, int], SSAValue] = {}

    def run(self, entry: func.FuncOp) -> None:
        """Bounds every value; slices and what read them go."""
        replaced: list[Operation] = []
        for op in list(self.block.ops):
            if isinstance(op, func.ReturnOp):
                self._leave(entry, op)
            elif (begun := Bounded.of(op, self.counts)) is not None:
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
        given = [self.known.get(operand, Bounded(operand, {})) for operand in op.operands]
        if (rewrite := REWRITES.get(type(op))) is not None:
            found = rewrite(Writer(InsertPoint.before(op)), op, given)
            if found is not None:
                set_origins(_owner(found.value), origin_of(op))
                self._replace(op.results[0], found)
                return
        law = next((law for kind, law in LAWS.items() if isinstance(op, kind)), None)
        if law is None and op.has_trait(Elementwise):
            law = _elementwise
        if law is None or not isinstance(op, InferredOp):
            raise _refusal(op)
        sizes = law(op, given)
        new = type(op).of(*(each.value for each in given), **op.properties)
        new.attributes.update(op.attributes)
        set_origins(new, origin_of(op))
        Rewriter.insert_op(new, InsertPoint.before(op))
        for old, result in zip(op.results, new.results, strict=True):
            if not tensor(result).has_static_shape():
                raise _refusal(op)
            self.known[old] = Bounded(result, sizes)

    def _replace(self, old: SSAValue, new: Bounded) -> None:
        """What has a known size takes the place of the old value at once."""
        if new.sizes:
            self.known[old] = new
        else:
            old.replace_all_uses_with(new.value)

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


def _reduce(op: nn.ReduceOp, given: Sequence[Bounded]) -> Sizes:
    """Along other dimensions."""
    rank, sizes = len(shape_of(op.input)), given[0].sizes
    axes = _axes(op)
    if axes & sizes.keys():
        raise _refusal(op)
    kept = range(rank) if op.keep_dims else [d for d in range(rank) if d not in axes]
    return {list(kept).index(d): size for d, size in sizes.items()}


def _axes(op: nn.ReduceOp) -> set[int]:
    return {
        normalize_axis(op, axis, len(shape_of(op.input)))
        for axis in constant_integers(op.axes) or ()
    }


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


def _reshape(op: nn.ReshapeOp, given: Sequence[Bounded]) -> Sizes:
    """Of other dimensions, those ahead and those behind each among themselves."""
    (data, shape), result = given, shape_of(op.result)
    if shape.sizes or len(data.sizes) != 1 or result.count(DYNAMIC_INDEX) != 1:
        raise _refusal(op)
    ((dimension, size),) = data.sizes.items()
    before, at = shape_of(data.value), result.index(DYNAMIC_INDEX)
    if (
        constant_integers(op.shape) is None
        or prod(before[:dimension]) != prod(result[:at])
        or prod(before[dimension + 1 :]) != prod(result[at + 1 :])
    ):
        raise _refusal(op)
    return {at: size}


def _mat_mul(op: nn.MatMulOp, given: Sequence[Bounded]) -> Sizes:
    """Rows of the left, columns of the right, and matrices beside each other."""
    rank, sizes = len(shape_of(op.result)), Sizes()
    for each, other, is_left, transposed in (
        (given[0], given[1], True, op.transpose_a),
        (given[1], given[0], False, op.transpose_b),
    ):
        shape, others = shape_of(each.value), shape_of(other.value)
        if min(len(shape), len(others)) < 2:
            raise _refusal(op)
        free = len(shape) - 1 - (is_left != bool(transposed))
        for dimension, size in each.sizes.items():
            if dimension == free:
                sizes[rank - 1 - is_left] = size
                continue
            at = dimension - len(shape)
            batch = others[:-2]
            same = other.sizes.get(at + len(others)) is size
            if at >= -2 or not (same or -at - 2 > len(batch) or batch[at + 2] == 1):
                raise _refusal(op)
            sizes[rank + at] = size
    return sizes


def _slice(op: nn.SliceOp, given: Sequence[Bounded]) -> Sizes:
    """Along other dimensions."""
    limits, rank = [constant_integers(value) for value in op.operands[1:]], len(shape_of(op.input))
    if None in limits or any(
        normalize_axis(op, axis, rank) in given[0].sizes for axis in limits[-1] or ()
    ):
        raise _refusal(op)
    return given[0].sizes


LAWS: dict[type[Operation], Law] = {
    nn.TransposeOp: _transpose,
    nn.GatherOp: _gather,
    nn.ReduceOp: _reduce,
    nn.UnsqueezeOp: _unsqueeze,
    nn.SqueezeOp: _squeeze,
    nn.ConcatOp: _concat,
    nn.ReshapeOp: _reshape,
    nn.MatMulOp: _mat_mul,
    nn.SliceOp: _slice,
}
"""By operation, the sizes of its results, if that of operands are moved behind it."""


Rewrite = Callable[[Writer, Any, Sequence[Bounded]], Bounded | None]


def _owner(value: SSAValue) -> Operation:
    owner = value.owner
    assert isinstance(owner, Operation), "a rewrite writes its result"
    return owner


def _shape_of(write: Writer, op: nn.ShapeOfOp, given: Sequence[Bounded]) -> Bounded:
    """Known sizes, and those that only the run can tell."""
    (data,) = given
    parts = [
        write(nn.ConvertOp, data.sizes[d], destination_type=op.output_type)
        if d in data.sizes
        else write.constant(BlobAttr.of(TensorType(op.output_type, [1]), [size]))
        for d, size in enumerate(shape_of(data.value))
    ]
    return Bounded(write(nn.ConcatOp, *parts, axis=0), {})


def _reduce_masked(write: Writer, op: nn.ReduceOp, given: Sequence[Bounded]) -> Bounded | None:
    """Along dimensions of unknown size: what lies beyond becomes a number that changes nothing."""
    data, value = given[0], given[0].value
    masked = _axes(op) & data.sizes.keys()
    if not masked:
        return None
    shape, kind, element = shape_of(value), type(op), tensor(value).element_type
    count: SSAValue | None = None
    for axis in sorted(masked):
        size = data.sizes[axis]
        numbers = BlobAttr.of(
            TensorType(tensor(size).element_type, [shape[axis]]), range(shape[axis])
        )
        exists = write(nn.LessOp, write.constant(numbers), size)
        exists = write.reshaped(
            exists, [shape[axis] if d == axis else 1 for d in range(len(shape))]
        )
        value = write(nn.SelectOp, exists, value, write.scalar_like(value, _neutral(op)))
        count = size if count is None else write(nn.MultiplyOp, count, size)
    is_mean = kind is nn.ReduceMeanOp
    if is_mean and not isinstance(element, AnyFloat):
        raise _refusal(op)
    kind = nn.ReduceSumOp if is_mean else kind
    result = write(kind, value, op.axes, **op.properties)
    if is_mean and count is not None:
        rest = prod(shape[d] for d in _axes(op) - masked)
        numbers = write(nn.ConvertOp, count, destination_type=element)
        number = write.reshaped(write(nn.MultiplyOp, numbers, rest), ())
        result = write(nn.DivideOp, result, number)
    left = [d for d in range(len(shape)) if op.keep_dims or d not in _axes(op)]
    sizes = {left.index(d): size for d, size in data.sizes.items() if d not in masked}
    return Bounded(result, sizes)


def _neutral(op: nn.ReduceOp) -> float:
    """What a reduction gives for no elements at all."""
    element = tensor(op.input).element_type
    low, high = (-inf, inf) if isinstance(element, AnyFloat) else limits_of(element)
    match op:
        case nn.ReduceSumOp() | nn.ReduceMeanOp() | nn.ReduceLogicalOrOp():
            return 0
        case nn.ReduceProdOp() | nn.ReduceLogicalAndOp():
            return 1
        case nn.ReduceMaxOp():
            return low
        case nn.ReduceMinOp():
            return high
        case _:
            raise _refusal(op)


REWRITES: dict[type[Operation], Rewrite] = {
    nn.ShapeOfOp: _shape_of,
    **dict.fromkeys(
        (kind for kind in nn.Nn.operations if issubclass(kind, nn.ReduceOp)), _reduce_masked
    ),
}
"""By operation, what is written in its place; None leaves it to its law."""
