"""`unroll-loops`: an iterator becomes copies of its body, a branch the body that runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import infra, nn
from ..dialects.inferred import (
    NAME,
    constant_integers,
    friendly_name,
    label,
    normalize_axis,
    shape_of,
    tensor,
)
from ..dialects.nn.writer import Writer
from ..dialects.rewriter import Rewriter
from .erase_unused import erase_unused
from .infer_shapes import infer_types

MOST_OPERATIONS = 1 << 20
"""Operations that the copies of one body may have; beyond it, memory runs out before the passes are through."""


class UnrollLoops(ModulePass):
    """
    Every `infra.tensor_iterator` and `infra.loop` that runs a known number of times becomes that many
    copies of its body, every `infra.if` of a constant condition the body that runs; inner ones too.

    - A sliced input is cut into its parts, a merged one takes what the copy before gave, the number
      of the iteration is a constant.
    - A concatenated output puts the copies' results together in the order of its parts, an
      `#infra.iteration` one is a copy's result. Of no iteration these are an empty constant and the initial
      value.
    - A state that the body reads is, in a later copy, what the copy before assigned.
    - Operations of several copies are called `<name>/<iteration>`.

    What shares a state with an operation outside of it stays, as does a body whose inner bodies use a
    state that it uses itself: when a state is read and assigned, there, depends on the iteration.
    """

    name = "unroll-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        while unrolled := list(_unroll_inside(op)):
            if any(unrolled):
                infer_types(op, keep=True)


Unrollable = infra.IteratorOp | infra.IfOp


def _unroll_inside(op: Operation) -> Iterator[bool]:
    """
    Unrolls what is in `op`, inner ones first: their states are then the body's own. Gives for each
    whether a value got another type.
    """
    for block in [block for region in op.regions for block in region.blocks]:
        for inner in list(block.ops):
            yield from _unroll_inside(inner)
            if isinstance(inner, Unrollable) and can_unroll(inner):
                yield unroll(inner)


def can_unroll(op: Unrollable) -> bool:
    """Whether it is known what runs here, and its states do not depend on running as a body."""
    if isinstance(op, infra.IfOp):
        return constant_integers(op.condition) is not None and _keeps_its_states(op)
    count = op.iterations()
    return (
        count is not None
        and _can_be_cut(op)
        and _keeps_its_states(op)
        and (count <= 1 or _states_are_on_one_level(op.body.block))
    )


def unroll(op: Unrollable) -> bool:
    """
    Puts what runs in the place of an operation that `can_unroll`. Returns whether a value got another
    type.

    Raises DiagnosticException where the copies would be too many.
    """
    place, before = InsertPoint.before(op), op.prev_op
    if isinstance(op, infra.IfOp):
        copies = _Copies(place, op.bodies[0 if any(constant_integers(op.condition) or ()) else 1])
        results = copies.last(op.inputs)
    else:
        count = op.iterations()
        assert count is not None, "`can_unroll` says so"
        _check_size(op, count)
        copies, history = _Copies(place, op.body.block), list[Sequence[SSAValue]]()
        arguments = _Arguments(op, place, count)
        for iteration in range(count - 1):
            history.append(copies.next(arguments.of(iteration, history), iteration))
        if count:
            number = count - 1 if history else None
            history.append(copies.last(arguments.of(count - 1, history), number))
        results = [_result(op, port, history, place) for port in op.outputs]
    _name_last_producer(op, before, results)
    retyped = copies.retyped or list(op.result_types) != [result.type for result in results]
    operands = list(op.operands)
    Rewriter.replace_op(op, [], results)
    erase_unused(*operands)
    return retyped


def _check_size(op: infra.IteratorOp, count: int) -> None:
    size = count * sum(1 for _ in op.body.walk())
    if size > MOST_OPERATIONS:
        raise DiagnosticException(
            f"{label(op)}: {count} iterations would become {size} operations, more than "
            f"{MOST_OPERATIONS}; leave it a loop"
        )


def _name_last_producer(
    op: Unrollable, before: Operation | None, results: Sequence[SSAValue]
) -> None:
    """The last operation between `before` and `op` that gives a result takes the name if it has none."""
    producers, new = {result.owner for result in results}, op.prev_op
    while new is not before and new is not None and new not in producers:
        new = new.prev_op
    if new is not before and new is not None and NAME in op.attributes:
        new.attributes.setdefault(NAME, op.attributes[NAME])


# --- inputs and outputs -------------------------------------------------------------------------


def _can_be_cut(op: infra.IteratorOp) -> bool:
    """Whether the size of what the iterations take parts of is known."""
    return all(
        shape_of(operand)[port.axis.data] != DYNAMIC_INDEX
        for operand, port in zip(op.operands_, op.inputs, strict=True)
        if isinstance(port, infra.SlicedAttr)
    )


class _Arguments:
    """What an iterator's body is given in each iteration."""

    def __init__(self, op: infra.IteratorOp, place: InsertPoint, count: int):
        self.op, self.place = op, place
        self.parts = {
            index: _parts(operand, port.slicing, count, place)
            for index, (operand, port) in enumerate(zip(op.operands_, op.inputs, strict=True))
            if isinstance(port, infra.SlicedAttr)
        }

    def of(self, iteration: int, history: Sequence[Sequence[SSAValue]]) -> list[SSAValue]:
        """The arguments of an iteration, `history` what the ones before it gave."""
        given: list[SSAValue] = []
        for index, (operand, port) in enumerate(
            zip(self.op.operands_, self.op.inputs, strict=True)
        ):
            match port:
                case infra.SlicedAttr():
                    given.append(self.parts[index][iteration])
                case infra.MergedAttr() if history:
                    given.append(history[-1][port.result.data])
                case _:
                    given.append(operand)
        if self.op.extra_arguments:
            type = tensor(self.op.body.block.args[-1])
            shape = [1 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
            number = nn.BlobAttr.of(TensorType(type.element_type, shape), iteration)
            given.append(Writer(self.place).constant(number))
        return given


def _parts(
    value: SSAValue, slicing: infra.Slicing, count: int, place: InsertPoint
) -> Sequence[SSAValue]:
    """The parts of `value`, one for each iteration: all of it, a split where they fill it, or slices."""
    size = shape_of(value)[slicing.axis]
    if slicing.part_size == size:
        return [value] * count
    begins = [slicing.begin(size, iteration) for iteration in range(count)]
    write = Writer(place)
    if count > 1 and sorted(begins) == list(range(0, size, slicing.part_size)):
        parts = write.split(value, count, slicing.axis)
        return [parts[begin // slicing.part_size] for begin in begins]
    stops = (begin + slicing.part_size for begin in begins)
    return [write.slice(value, *each, slicing.axis) for each in zip(begins, stops, strict=True)]


def _result(
    op: infra.IteratorOp,
    port: infra.PortAttr,
    history: Sequence[Sequence[SSAValue]],
    place: InsertPoint,
) -> SSAValue:
    """What an output port makes of the copies' results."""
    assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
    number = port.result.data
    values = [results[number] for results in history]
    if isinstance(port, infra.IterationAttr):
        return values[port.iteration.data] if values else _initial(op, number)
    if not values:
        return Writer(place).constant(_nothing(op, port))
    if port.stride.data < 0:
        values.reverse()
    axis = normalize_axis(op, port.axis.data, len(shape_of(values[0])))
    return Writer(place).joined(values, axis)


def _initial(op: infra.IteratorOp, number: int) -> SSAValue:
    """What a body result is where no iteration runs: the initial value that it would be merged with."""
    for operand, port in zip(op.operands_, op.inputs, strict=True):
        if isinstance(port, infra.MergedAttr) and port.result.data == number:
            return operand
    raise DiagnosticException(
        f"{label(op)}: runs no iteration, so body result {number} has no value; merge it with an input"
    )


def _nothing(op: infra.IteratorOp, port: infra.ConcatenatedAttr) -> nn.BlobAttr:
    """The concatenation of no parts."""
    value = op.yielded[port.result.data]
    shape = [0 if size == DYNAMIC_INDEX else size for size in shape_of(value)]
    shape[port.axis.data] = 0
    return nn.BlobAttr.of(TensorType(tensor(value).element_type, shape), [])


# --- copies -------------------------------------------------------------------------------------


class _Copies:
    """Copies of a body, one after the other; `retyped` says whether an argument got another type."""

    def __init__(self, place: InsertPoint, body: Block):
        self.place, self.body = place, body
        self.retyped = False
        self._assigned: dict[str, SSAValue] = {}

    def next(self, arguments: Sequence[SSAValue], iteration: int) -> list[SSAValue]:
        """A copy whose assigns the one after it replaces. Returns its results."""
        values: dict[SSAValue, SSAValue] = dict(zip(self.body.args, arguments, strict=True))
        assigned = dict[str, SSAValue]()
        for op in self.body.ops:
            match op:
                case infra.YieldOp():
                    self._enter(arguments)
                    self._assigned.update(assigned)
                    return [values[value] for value in op.values]
                case infra.ReadValueOp() if op.variable.string_value() in self._assigned:
                    values[op.result] = self._assigned[op.variable.string_value()]
                case infra.AssignOp():
                    assigned[op.variable.string_value()] = values[op.value]
                case _:
                    copy = op.clone(values)
                    _rename(copy, iteration)
                    Rewriter.insert_op(copy, self.place)
        raise AssertionError("a body without a terminator passed verification")

    def last(self, arguments: Sequence[SSAValue], iteration: int | None = None) -> list[SSAValue]:
        """The body itself; its operations keep their names unless they have a number."""
        last = self.body.last_op
        assert isinstance(last, infra.YieldOp)
        self._enter(arguments)
        for op in list(self.body.ops):
            if iteration is not None:
                _rename(op, iteration)
            if isinstance(op, infra.ReadValueOp) and (
                value := self._assigned.get(op.variable.string_value())
            ):
                Rewriter.replace_op(op, [], [value])
        Rewriter.inline_block(self.body, self.place, arguments)
        results = list(last.values)
        Rewriter.erase_op(last)
        return results

    def _enter(self, arguments: Sequence[SSAValue]) -> None:
        self.retyped |= [value.type for value in arguments] != list(self.body.arg_types)


def _rename(op: Operation, iteration: int) -> None:
    for each in op.walk():
        if (name := friendly_name(each)) is not None:
            each.attributes[NAME] = StringAttr(f"{name}/{iteration}")


# --- states -------------------------------------------------------------------------------------


def _keeps_its_states(op: Unrollable) -> bool:
    """Whether no operation of the function outside of this one uses a state that this one uses."""
    if not (mine := set(_states(op))):
        return True
    function = op.parent_op()
    while function is not None and not isinstance(function, func.FuncOp):
        function = function.parent_op()
    return function is None or len(list(_states(function, mine))) == len(list(_states(op)))


def _states_are_on_one_level(body: Block) -> bool:
    """Whether what the body itself reads and assigns is nothing that its inner bodies do."""
    own: set[str] = set()
    inner: set[str] = set()
    for op in body.ops:
        (inner if op.regions else own).update(_states(op))
    return own.isdisjoint(inner)


def _states(op: Operation, among: set[str] | None = None) -> Iterator[str]:
    """The states that `op` and what is in it use, one for each use."""
    for each in op.walk():
        if isinstance(each, infra.ReadValueOp | infra.AssignOp):
            name = each.variable.string_value()
            if among is None or name in among:
                yield name
