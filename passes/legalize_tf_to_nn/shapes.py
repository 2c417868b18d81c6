"""Operations on shapes, and those that move elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import DYNAMIC_INDEX, shape_of, tensor
from ..tensorflow import TfOp
from .elementwise import converted, element_type
from .translation import Translation, rule
from .values import Nothing, Value

FAR = (1 << 31) - 1
"""Beyond the end of every dimension."""


def rank(value: SSAValue) -> int:
    return len(shape_of(value))


def long(t: Translation, value: SSAValue) -> SSAValue:
    """Sizes, axes and limits as i64."""
    return converted(t, value, i64)


def number(value: int) -> IntegerAttr:
    return IntegerAttr(value, i64)


@rule("Shape")
def shape(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return converted(
        t, t.sizes(t.tensor_of(op, values[0])), element_type(op, op.op.results[0].type)
    )


@rule("Size")
def size(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    count = t(nn.ReduceProdOp, t.sizes(t.tensor_of(op, values[0])), t.integers(0))
    return converted(t, count, element_type(op, op.op.results[0].type))


@rule("Rank")
def rank_of(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    type = TensorType(element_type(op, op.op.results[0].type), [])
    return t.constant(BlobAttr.of(type, [rank(t.tensor_of(op, values[0]))]))


@rule("Reshape")
def reshape(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, wanted = t.tensors_of(op, values)
    sizes = t.known_one_by_one(wanted)
    if sizes.count(None) == 1 and min((size for size in sizes if size is not None), default=1) > 0:
        wanted = t.integers(*(-1 if size is None else size for size in sizes))
    return t(nn.ReshapeOp, x, long(t, wanted))


@rule("Squeeze")
def squeeze(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    axes = op.integers("squeeze_dims") or op.integers("axis")
    if not axes:
        sizes = shape_of(x)
        if DYNAMIC_INDEX in sizes:
            raise DiagnosticException(
                "tf.Squeeze: which dimensions are 1 is not known while compiling; give it axes"
            )
        axes = [i for i, n in enumerate(sizes) if n == 1]
    return t(nn.SqueezeOp, x, t.integers(*axes)) if axes else x


@rule("ExpandDims")
def expand_dims(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    axes = t.integers_of(op, values[1], "the axis")
    return t(nn.UnsqueezeOp, t.tensor_of(op, values[0]), t.integers(*axes))


@rule("Transpose")
def transpose(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    order = t.integers_of(op, values[1], "the order of dimensions")
    return t(nn.TransposeOp, t.tensor_of(op, values[0]), t.integers(*order))


@rule("ReverseV2")
def reverse(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    for axis in t.integers_of(op, values[1], "axes"):
        x = reversed_along(t, x, axis)
    return x


def reversed_along(t: Translation, x: SSAValue, axis: int) -> SSAValue:
    """The elements of an axis from the last to the first; what reverses twice is gone."""
    op = x.owner
    if isinstance(op, nn.SliceOp) and _reverses(t, op, axis % rank(x)):
        return op.input
    return t(nn.SliceOp, x, *map(t.integers, (FAR, -FAR, -1, axis % rank(x))))


def _reverses(t: Translation, op: nn.SliceOp, axis: int) -> bool:
    limits = [t.known(value) for value in op.operands[1:]]
    return limits == [[FAR], [-FAR], [-1], [axis]]


@rule("ConcatV2")
def concat(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    *parts, axis = values
    (along,) = t.integers_of(op, axis, "the axis")
    tensors = t.tensors_of(op, parts)
    return t(nn.ConcatOp, *tensors, axis=number(along)) if len(tensors) > 1 else tensors[0]


@rule("Split")
def split(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    (along,) = t.integers_of(op, values[0], "the axis")
    axis = t.constant(BlobAttr.of(TensorType(i64, []), [along]))
    parts = {"num_splits": number(len(op.op.results))}
    return t.write(nn.SplitOp, [t.tensor_of(op, values[1]), axis], parts)


@rule("SplitV")
def split_v(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    x, lengths, axis = t.tensors_of(op, values)
    (along,) = t.integers_of(op, axis, "the axis")
    sizes = t.integers_of(op, lengths, "the sizes of parts")
    where = t.constant(BlobAttr.of(TensorType(i64, []), [along]))
    if len(set(sizes)) == 1 and sizes[0] >= 0:
        return t.write(nn.SplitOp, [x, where], {"num_splits": number(len(sizes))})
    return _uneven(t, op, x, sizes, along)


def _uneven(
    t: Translation, op: TfOp, x: SSAValue, sizes: Sequence[int], axis: int
) -> Sequence[Value]:
    """The parts that somebody reads, one slice for each; a size of -1 is what is left."""
    whole = shape_of(x)[axis]
    if -1 in sizes and whole == DYNAMIC_INDEX:
        where = t.constant(BlobAttr.of(TensorType(i64, []), [axis]))
        return t.write(nn.VariadicSplitOp, [x, where, t.integers(*sizes)], {})
    rest = whole - sum(size for size in sizes if size >= 0)
    parts: list[Value] = []
    start = 0
    for size, result in zip(sizes, op.op.results, strict=True):
        stop = start + (rest if size < 0 else size)
        read = result.first_use is not None
        parts.append(t.slice(x, start, stop, axis) if read else Nothing())
        start = stop
    return parts


@rule("StridedSlice")
def strided_slice(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, *limits = t.tensors_of(op, values)
    numbers = [t.known_one_by_one(each) for each in limits]
    count = shape_of(limits[0])[0]
    if all(numbers) or count == 0:
        places = [
            Place(*each, *(bool(op.integer(name) >> i & 1) for name in MASKS))
            for i, each in enumerate(zip(*numbers, strict=True))
        ]
        if all(place.is_known for place in places):
            return _sliced(t, x, limits[0], places)
    masks = {name: _mask(op.integer(name), count) for name in MASKS}
    return t(nn.StridedSliceOp, x, *(long(t, v) for v in limits), **masks)


MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
"""What says, by the bits of a number, how the places of a strided slice are meant, as `Place` has it."""


@dataclass(frozen=True)
class Place:
    """One place of a strided slice: its limits, None where they are computed, and how it is meant."""

    start: int | None
    stop: int | None
    stride: int | None
    from_first: bool
    to_last: bool
    is_new: bool
    is_single: bool
    is_ellipsis: bool

    @property
    def is_known(self) -> bool:
        """Whether it says how many elements are taken; of a single one, where that is may be computed."""
        if self.is_ellipsis or self.is_new or self.is_single:
            return True
        limits = (self.from_first or self.start, self.to_last or self.stop, self.stride)
        return None not in limits

    def cut(self) -> tuple[int, int, int]:
        """Start, stop and step as those of a slice; `(0, FAR, 1)` is all."""
        start, stop, step = self.start or 0, self.stop or 0, self.stride or 1
        if self.is_single:
            return start, FAR if start == -1 else start + 1, 1
        first = (FAR if step < 0 else 0) if self.from_first else start
        last = (-FAR if step < 0 else FAR) if self.to_last else stop
        return first, last, step


def _sliced(t: Translation, x: SSAValue, begin: SSAValue, places: Sequence[Place]) -> SSAValue:
    """
    A strided slice of known sizes, as a slice, gathers of single elements whose place is computed, and
    dimensions that come and go.
    """
    named = sum(not (place.is_new or place.is_ellipsis) for place in places)
    skipped = rank(x) - named
    cuts: list[tuple[int, int, int, int]] = []
    computed = dict[int, int]()
    gone, come, axis, out = list[int](), list[int](), 0, 0
    for i, place in enumerate(places):
        if place.is_ellipsis:
            axis, out = axis + skipped, out + skipped
            continue
        if place.is_new:
            come.append(out)
            out += 1
            continue
        if place.is_single and place.start is None:
            computed[axis] = i
        elif (cut := place.cut()) != (0, FAR, 1):
            cuts.append((*cut, axis))
        if place.is_single:
            gone.append(axis)
        else:
            out += 1
        axis += 1
    if cuts:
        x = t(nn.SliceOp, x, *(t.integers(*column) for column in zip(*cuts, strict=True)))
    for axis, i in computed.items():
        x = _gathered(t, x, axis, t(nn.SliceOp, begin, *map(t.integers, (i, i + 1, 1, 0))))
    if gone:
        x = t(nn.SqueezeOp, x, t.integers(*gone))
    return t(nn.UnsqueezeOp, x, t.integers(*come)) if come else x


def _gathered(t: Translation, x: SSAValue, axis: int, places: SSAValue) -> SSAValue:
    """The elements at computed places along an axis."""
    along = t.constant(BlobAttr.of(TensorType(i64, []), [axis]))
    return t(nn.GatherOp, x, long(t, places), along, batch_dims=number(0))


def _mask(bits: int, places: int) -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, [bits >> place & 1 for place in range(places)])


@rule("Slice")
def slice_(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, begin, size = t.tensors_of(op, values)
    start, begun = long(t, begin), t.known(begin)
    counts = t.known(size)
    axes = t.integers(*range(rank(x)))
    ones = t.integers(*[1] * rank(x))
    if counts is None:
        stop = t(nn.AddOp, start, long(t, size))
        return t(nn.SliceOp, x, start, stop, ones, axes)
    if begun is not None:
        stops = [FAR if n < 0 else b + n for b, n in zip(begun, counts, strict=True)]
        return t(nn.SliceOp, x, start, t.integers(*stops), ones, axes)
    begins = t.known_one_by_one(begin)
    if not begins or any(b is None and n < 0 for b, n in zip(begins, counts, strict=True)):
        ends = t.integers(*(FAR if n < 0 else n for n in counts))
        is_rest = t.integers(*(0 if n < 0 else 1 for n in counts))
        stop = t(nn.AddOp, t(nn.MultiplyOp, start, is_rest), ends)
        return t(nn.SliceOp, x, start, stop, ones, axes)
    cuts = [
        (b, FAR if n < 0 else b + n, 1, axis)
        for axis, (b, n) in enumerate(zip(begins, counts, strict=True))
        if b is not None
    ]
    if cuts:
        x = t(nn.SliceOp, x, *(t.integers(*column) for column in zip(*cuts, strict=True)))
    for axis, (b, n) in enumerate(zip(begins, counts, strict=True)):
        if b is None:
            first = t(nn.SliceOp, start, *map(t.integers, (axis, axis + 1, 1, 0)))
            x = _gathered(t, x, axis, t(nn.AddOp, first, t.integers(*range(n))))
    return x


@rule("Pack")
def pack(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    axis = op.integer("axis")
    parts = [t(nn.UnsqueezeOp, v, t.integers(axis)) for v in t.tensors_of(op, values)]
    return t(nn.ConcatOp, *parts, axis=number(axis)) if len(parts) > 1 else parts[0]


@rule("Unpack")
def unpack(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    x, axis, count = t.tensor_of(op, values[0]), op.integer("axis"), len(op.op.results)
    where = t.constant(BlobAttr.of(TensorType(i64, []), [axis]))
    parts = t.write(nn.SplitOp, [x, where], {"num_splits": number(count)})
    return [t(nn.SqueezeOp, part, t.integers(axis)) for part in parts]


@rule("Fill")
def fill(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    sizes, value = t.tensors_of(op, values)
    return t(nn.BroadcastOp, value, long(t, sizes))


@rule("BroadcastTo")
def broadcast_to(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    value, sizes = t.tensors_of(op, values)
    return t(nn.BroadcastOp, value, long(t, sizes))


@rule("Tile")
def tile(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, repeats = t.tensors_of(op, values)
    known = t.known(repeats)
    if known is not None and all(n == 1 for n in known):
        return x
    return t(nn.TileOp, x, long(t, repeats))


@rule("GatherV2", "Gather")
def gather(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    axis = values[2] if len(values) > 2 else t.constant(BlobAttr.of(TensorType(i64, []), [0]))
    x, indices, along = t.tensors_of(op, [values[0], values[1], axis])
    batch = number(op.integer("batch_dims"))
    return t(nn.GatherOp, x, indices, long(t, along), batch_dims=batch)


@rule("Range")
def range_(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    start, stop, step = t.tensors_of(op, values)
    return t(nn.RangeOp, start, stop, step, output_type=tensor(start).element_type)


@rule("Pad", "PadV2")
def pad(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    sizes = t.integers_of(op, values[1], "the sizes of the padding")
    value = t.tensor_of(op, values[2]) if len(values) > 2 else t.like(x, 0)
    begin, end = t.integers(*sizes[0::2]), t.integers(*sizes[1::2])
    return t(nn.PadOp, x, begin, end, value, pad_mode=StringAttr("constant"))


@rule("MirrorPad")
def mirror_pad(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    sizes = t.integers_of(op, values[1], "the sizes of the padding")
    begin, end = t.integers(*sizes[0::2]), t.integers(*sizes[1::2])
    return t(nn.PadOp, x, begin, end, pad_mode=StringAttr(op.text("mode").lower()))


@rule("OneHot")
def one_hot(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    indices, depth, on, off = t.tensors_of(op, values)
    axis = number(op.integer("axis", -1))
    return t(nn.OneHotOp, indices, depth, on, off, axis=axis)


@rule("ReverseSequence")
def reverse_sequence(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, lengths = t.tensors_of(op, values)
    axes = {
        "batch_axis": number(op.integer("batch_dim")),
        "seq_axis": number(op.integer("seq_dim")),
    }
    return t(nn.ReverseSequenceOp, x, lengths, **axes)
