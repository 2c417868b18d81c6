"""`relax-constants`: constants that hold a size of the inputs follow it instead."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import infra, nn
from ..dialects.blob import bits_of
from ..dialects.inferred import (
    NAME,
    constant_integers,
    friendly_name,
    label,
    normalize_axis,
    shape_of,
    spelled,
    tensor,
)
from ..dialects.module import entry_of, port_names
from .infer_shapes import shape_errors

log = logging.getLogger(__name__)

PROBE = 1009
"""The prime that sizes are multiplied with to see what follows them."""

MOST_CHOICES = 4096
"""Ways to read one target shape that are looked at."""


BOUNDS: dict[type[Operation], tuple[int, ...]] = {nn.BroadcastOp: (1,), nn.SliceOp: (2,)}
"""The operands that may hold a size of an input that the operation does not read."""


@dataclass(frozen=True)
class RelaxConstants(ModulePass):
    """
    `reshape(x: [1, 49, 10], [1, 490]) = reshape(x, [0, -1])`, and so for other constants that hold a size.

    - A target of `nn.reshape` becomes 0 where it copies a dimension, -1 where it is what is left, and an
      `nn.shape_of` where it copies another dimension, as long as the number of elements stays right
      whatever sizes the inputs get. Elsewhere it stays.
    - A stop of `nn.slice` or `nn.strided_slice` at the end of a dimension that follows an input becomes the end;
      so does a start at its last element.
    - A trip count of `infra.loop` that is the number of parts of what the loop slices becomes -1, no limit, if
      all that it slices follows the inputs.
    - A target of `nn.broadcast`, or a stop of `nn.slice`, that equals a size of an input becomes that
      size, if the model fits another size only so.

    What the model computes for the shapes it has stays the same. Each change is noted.
    """

    name = "relax-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not (notes := relax_constants(op)):
            log.warning("relax-constants changed nothing: no constant follows a size of an input")
        for note in notes:
            log.warning("relax-constants: %s", note)


def relax_constants(module: ModuleOp) -> list[str]:
    """Relaxes all constants that can be. Returns a note for each change."""
    notes = list[str]()
    while found := _relax_once(module):
        notes += found
    return notes


def _relax_once(module: ModuleOp) -> list[str]:
    """
    Relaxes what there is a reason for in the operation itself. Failing that, one constant of which only the rest
    of the model tells that it follows an input.
    """
    sizes, notes = _Sizes.of(module), list[str]()
    for op in list(module.walk()):
        match op:
            case nn.ReshapeOp():
                notes += _relax_reshape(op, sizes)
            case nn.SliceOp():
                notes += _relax_slice(op, sizes)
            case nn.StridedSliceOp():
                notes += _relax_strided_slice(op, sizes)
            case nn.BroadcastOp():
                notes += _relax_broadcast(op, sizes)
            case infra.LoopOp():
                notes += _relax_trip_count(op, sizes)
            case _:
                pass
    if notes:
        return notes
    trials = (
        _relax_by_trial(module, op, operand, sizes)
        for op in list(module.walk())
        for operand in BOUNDS.get(type(op), ())
    )
    return next(filter(None, trials), notes)


# --- what follows the inputs ----------------------------------------------------------------

Size = tuple[int, ...]
"""A size as it is, then as it is when all inputs' dimensions of one size are `PROBE` times as large, for
each size that they have."""


@dataclass(frozen=True)
class _Dimension:
    """A dimension of a value that is there to be asked."""

    value: SSAValue
    index: int


@dataclass(frozen=True)
class _Sizes:
    """How all sizes of a module follow its inputs."""

    known: dict[SSAValue, list[tuple[int, ...]]]
    inputs: Sequence[SSAValue]
    probed: Sequence[int]

    @classmethod
    def of(cls, module: ModuleOp) -> _Sizes:
        inputs = entry_of(module).body.block.args
        tensors = [value for value in inputs if isinstance(value.type, TensorType)]
        probed = sorted({size for value in tensors for size in shape_of(value) if size > 0})
        known = {value: [shape_of(value)] for value in _values(module)}
        for size in probed:
            probe, _ = _probe(module, size, size * PROBE)
            for value, other in zip(known, _values(probe), strict=True):
                known[value].append(shape_of(other))
        return cls(known, tensors, probed)

    def of_value(self, value: SSAValue) -> list[Size]:
        """The sizes of a value's dimensions."""
        return list(zip(*self.known[value], strict=True)) if value in self.known else []

    @cached_property
    def runs(self) -> set[Size]:
        """The sizes of adjacent dimensions of an input put together."""
        return {
            _product(dimensions[begin:end])
            for dimensions in map(self.of_value, self.inputs)
            for end in range(1, len(dimensions) + 1)
            for begin in range(end)
        }

    def literal(self, size: int) -> Size:
        """A size that follows nothing."""
        return (size,) * (len(self.probed) + 1)

    def input_dimensions(self, op: Operation) -> list[tuple[_Dimension, Size]]:
        """The dimensions of inputs that an operation can ask for."""
        return [
            (_Dimension(value, index), size)
            for value in self.inputs
            if op.parent is value.owner
            for index, size in enumerate(self.of_value(value))
        ]


def _values(module: ModuleOp) -> list[SSAValue]:
    values: list[SSAValue] = []
    for op in module.walk():
        values += op.results
        for region in op.regions:
            for block in region.blocks:
                values += block.args
    return [value for value in values if isinstance(value.type, TensorType)]


def _probe(module: ModuleOp, old: int, new: int) -> tuple[ModuleOp, int]:
    """A copy whose inputs have dimensions of another size, and how many operations do not fit then."""
    probe = module.clone()
    for value in entry_of(probe).body.block.args:
        if isinstance(value.type, TensorType):
            shape = [new if size == old else size for size in shape_of(value)]
            type = TensorType(tensor(value).element_type, shape)
            Rewriter.replace_value_with_new_type(value, type)
    return probe, len(set(shape_errors(probe)))


def _follows(size: Size) -> bool:
    return len(set(size)) > 1 and DYNAMIC_INDEX not in size


def _is_dynamic(*values: SSAValue) -> bool:
    return any(DYNAMIC_INDEX in shape_of(value) for value in values)


# --- reshape --------------------------------------------------------------------------------

Element = int | _Dimension
"""An element of a relaxed vector."""


@dataclass(frozen=True)
class _Choice:
    """An element of a target shape, and the size that it gives; None where it is what is left."""

    element: Element
    size: Size | None


def _relax_reshape(op: nn.ReshapeOp, sizes: _Sizes) -> list[str]:
    target, source = _constant(op.shape), sizes.of_value(op.input)
    if target is None or not any(map(_follows, source)) or _is_dynamic(op.input, op.result):
        return []
    if 0 in target and not op.special_zero:
        return []  # nothing has elements here
    reading = _read_target(op, target, source, sizes)
    if reading is None or list(reading) == list(target):
        return []
    op.properties["special_zero"] = BoolAttr.from_bool(0 in reading or bool(op.special_zero))
    return [_replace(op, 1, reading)]


def _read_target(
    op: nn.ReshapeOp, target: Sequence[int], source: Sequence[Size], sizes: _Sizes
) -> list[Element] | None:
    """
    The target that gives as many elements as there are for most sizes of the inputs; the first of equals copies most.
    Where it does not, it is an error to give the inputs such sizes: no elements move to another row.
    """
    total = _product(source)
    choices = [_choices(op, i, given, source, sizes) for i, given in enumerate(target)]
    best: tuple[int, int] | None = None
    found: Sequence[_Choice] = ()
    for reading in islice(product(*choices), MOST_CHOICES):
        if (given := _sizes_given(reading, source, sizes, -1 in target)) is None:
            continue
        fits = sum(a == b for a, b in zip(total, _product(given), strict=True))
        left = sum(choice.size is None for choice in reading)
        if best is None or (fits, -left) > best:
            best, found = (fits, -left), reading
    elements = [choice.element for choice in found]
    asked = [i for i, element in enumerate(elements) if isinstance(element, _Dimension)]
    if asked and -1 not in elements and best is not None and best[0] == len(total):
        elements[asked[-1]] = -1
    return elements if found else None


def _choices(
    op: nn.ReshapeOp, index: int, given: int, source: Sequence[Size], sizes: _Sizes
) -> list[_Choice]:
    """What one element of a target can mean, the plainest first."""
    if given == -1:
        return [_Choice(-1, None)]
    if given == 0:
        return [_Choice(0, source[index])]
    found: list[_Choice] = []
    if index < len(source) and source[index][0] == given:
        found.append(_Choice(0, source[index]))
    found += [_Choice(_Dimension(op.input, i), size) for i, size in enumerate(source)]
    found += [_Choice(dimension, size) for dimension, size in sizes.input_dimensions(op)]
    unique = {
        choice.size: choice
        for choice in reversed(found)
        if choice.size is not None and choice.size[0] == given and _follows(choice.size)
    }
    return [
        *reversed(unique.values()),
        _Choice(given, sizes.literal(given)),
        _Choice(-1, None),
    ]


def _sizes_given(
    reading: Sequence[_Choice], source: Sequence[Size], sizes: _Sizes, is_left: bool
) -> list[Size] | None:
    """
    The sizes of the result. What is left must be whole dimensions, of the source or of an input, else
    None: of four columns that become two pairs, nobody knows what more columns become, unless the model
    says it (`is_left`: its target has a -1).
    """
    left = [i for i, choice in enumerate(reading) if choice.size is None]
    if not left:
        return [choice.size for choice in reading if choice.size is not None]
    if len(left) > 1:
        return None
    before = [choice.size for choice in reading[: left[0]] if choice.size is not None]
    after = [choice.size for choice in reading[left[0] + 1 :] if choice.size is not None]
    length = len(source[0])
    quotients = zip(_product(source), _product([*before, *after], length), strict=True)
    rests = [divmod(a, b) if b else (0, 1) for a, b in quotients]
    if any(remainder for _, remainder in rests):
        return None
    rest = tuple(quotient for quotient, _ in rests)
    is_whole = any(
        _product(source[:begin], length) == _product(before, length)
        and _product(source[end:], length) == _product(after, length)
        for begin in range(len(source) + 1)
        for end in range(begin, len(source) + 1)
    )
    return [*before, rest, *after] if is_left or is_whole or rest in sizes.runs else None


def _product(sizes: Sequence[Size], length: int = 0) -> Size:
    """How many elements dimensions of these sizes have."""
    columns = zip(*sizes, strict=True) if sizes else [()] * length
    return tuple(math.prod(column) for column in columns)


# --- slice, broadcast and loop --------------------------------------------------------------


@dataclass(frozen=True)
class _Cut:
    """What a slice takes of a dimension: at `place` of its limits, with `step`, an only element if `is_single`."""

    place: int
    size: Size
    step: int
    is_single: bool = False


def _relax_slice(op: nn.SliceOp, sizes: _Sizes) -> list[str]:
    source, steps, axes = sizes.of_value(op.input), *map(constant_integers, (op.step, op.axes))
    if not source or steps is None or axes is None or len(axes) != len(steps):
        return []
    dimensions = [source[normalize_axis(op, axis, len(source))] for axis in axes]
    return _relax_limits(
        op, [_Cut(i, *cut) for i, cut in enumerate(zip(dimensions, steps, strict=True))]
    )


def _relax_strided_slice(op: nn.StridedSliceOp, sizes: _Sizes) -> list[str]:
    source, begin = sizes.of_value(op.input), _constant(op.begin)
    steps = constant_integers(op.strides) if op.strides else [1] * len(begin or ())
    if not source or begin is None or steps is None or len(begin) != len(steps):
        return []
    return _relax_limits(
        op,
        [
            _Cut(entry.place, source[entry.dimension], steps[entry.place], entry.kind == "shrink")
            for entry in op.entries(len(begin), len(source))
            if entry.kind in ("slice", "shrink")
        ],
    )


def _relax_limits(op: nn.SliceOp | nn.StridedSliceOp, cuts: Sequence[_Cut]) -> list[str]:
    """Both give where they start and stop as operands 1 and 2."""
    starts, stops = map(_constant, op.operands[1:3])
    if stops is None or any(cut.place >= len(stops) for cut in cuts):
        return []
    new_starts, new_stops = list[Element](starts or ()), list[Element](stops)
    for cut in cuts:
        i, size = cut.place, cut.size[0]
        if not _follows(cut.size):
            continue
        if cut.step > 0 and stops[i] == size and not cut.is_single:
            new_stops[i] = _end(op.operands[2])
        is_last = starts is not None and len(starts) == len(stops) and starts[i] == size - 1 > 0
        if is_last and (cut.is_single or cut.step < 0 or stops[i] >= size):
            new_starts[i] = -1
    notes = list[str]()
    if new_stops != list(stops):
        notes.append(_replace(op, 2, new_stops))
    if starts is not None and new_starts != list(starts):
        notes.append(_replace(op, 1, new_starts))
    return notes


def _end(stops: SSAValue) -> int:
    """The largest number of the type, which as a stop means the end."""
    element = tensor(stops).element_type
    return (1 << (bits_of(element) - 1)) - 1


def _relax_broadcast(op: nn.BroadcastOp, sizes: _Sizes) -> list[str]:
    target, source = _constant(op.target_shape), sizes.of_value(op.input)
    if target is None:
        return []
    elements, ahead = list[Element](target), len(target) - len(source)
    for i, size in enumerate(source):
        if i + ahead >= 0 and _follows(size) and size[0] == target[i + ahead] != 1:
            elements[i + ahead] = _Dimension(op.input, i)
    if elements == list(target):
        return []
    return [_replace(op, 1, elements)]


def _relax_trip_count(op: infra.LoopOp, sizes: _Sizes) -> list[str]:
    trip = _constant(op.trip_count)
    parts = [
        _parts(port.slicing, sizes.of_value(operand)[port.axis.data])
        for operand, port in zip(op.operands_, op.inputs, strict=True)
        if isinstance(port, infra.SlicedAttr)
    ]
    if not trip or not parts or not all(_follows(each) and each[0] == trip[0] for each in parts):
        return []
    return [_replace(op, 0, [-1])]


def _parts(slicing: infra.Slicing, size: Size) -> Size:
    """How many parts a loop takes of a dimension."""
    return tuple(n if n == DYNAMIC_INDEX else slicing.iterations(n) for n in size)


def _relax_by_trial(module: ModuleOp, op: Operation, operand: int, sizes: _Sizes) -> list[str]:
    """Lets one element follow an input's dimension of the same size if more of the model fits then."""
    if (old := _constant(op.operands[operand])) is None:
        return []
    place = list(module.walk()).index(op)
    for i, value in enumerate(old):
        for dimension, size in sizes.input_dimensions(op):
            if size[0] != value or value not in sizes.probed:
                continue
            trial = module.clone()
            copy = list(trial.walk())[place]
            argument = entry_of(trial).body.block.args[sizes.inputs.index(dimension.value)]
            elements = list[Element](old)
            elements[i] = _Dimension(argument, dimension.index)
            _put(copy, operand, elements)
            if _probe(trial, value, value + 1)[1] < _probe(module, value, value + 1)[1]:
                elements[i] = dimension
                return [_replace(op, operand, elements)]
    return []


# --- the new operands -----------------------------------------------------------------------


def _constant(value: SSAValue) -> Sequence[int] | None:
    """The integers of a value that a constant gives."""
    return constant_integers(value) if isinstance(value.owner, nn.ConstantOp) else None


def _replace(op: Operation, operand: int, elements: Sequence[Element]) -> str:
    """Puts other elements in the place of a constant. Returns what changed."""
    constant = op.operands[operand].owner
    assert isinstance(constant, nn.ConstantOp)
    old, name = constant_integers(constant.result) or (), friendly_name(constant)
    made = _put(op, operand, elements)
    if constant.result.first_use is None:
        if name is not None:
            made.attributes[NAME] = constant.attributes[NAME]
        Rewriter.erase_op(constant)
    which, now = (
        f"constant '{name}'" if name else "the constant",
        ", ".join(map(_spelled, elements)),
    )
    return f"{which} {spelled(old)} of {label(op)} is [{now}] now"


def _spelled(element: Element) -> str:
    if isinstance(element, int):
        return str(element)
    return f"dimension {element.index} of {_name(element.value)}"


def _name(value: SSAValue) -> str:
    """How messages call a value."""
    if isinstance(owner := value.owner, Operation):
        return label(owner)
    if isinstance(value, BlockArgument) and isinstance(function := owner.parent_op(), func.FuncOp):
        for name in port_names(function.arg_attrs, len(function.args))[value.index]:
            return name
    return f"an argument of type {value.type}"


def _put(op: Operation, operand: int, elements: Sequence[Element]) -> Operation:
    """Makes these elements the operand, and returns what gives them."""
    type = tensor(op.operands[operand])
    place, parts = InsertPoint.before(op), list[Operation]()

    def insert(new: Operation) -> Operation:
        Rewriter.insert_op(new, place)
        return new

    def vector(values: Sequence[int]) -> Operation:
        shape = [len(values)] if shape_of(op.operands[operand]) else []
        data = nn.BlobAttr.of(TensorType(type.element_type, shape), list(values))
        return insert(nn.ConstantOp(data))

    literals: list[int] = []
    for element in (*elements, None):
        if isinstance(element, int):
            literals.append(element)
            continue
        if literals:
            parts.append(vector(literals))
            literals = []
        if element is not None:
            shape = insert(nn.ShapeOfOp.of(element.value, output_type=type.element_type))
            limits = [vector([n]) for n in (element.index, element.index + 1, 1, 0)]
            parts.append(insert(nn.SliceOp.of(shape, *limits)))
    if len(parts) > 1:
        parts = [insert(nn.ConcatOp.of(*parts, axis=IntegerAttr(0, i64)))]
    op.operands[operand] = parts[0].results[0]
    return parts[0]
