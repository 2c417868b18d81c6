"""`tf.While` as `infra.loop`: counters count, lists are sliced and concatenated, the rest is carried."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerType,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ..ports import Ports, concatenated, last
from ..tensorflow import TfOp
from .lists import stacked
from .shapes import long, number
from .translation import NOTHING, Translation, rule
from .values import SlicedList, TensorList, Value, WrittenList
from .variables import States
from .while_functions import While, origin

NO_LIMIT = -1
"""The trip count of a loop that its slices end."""


class StatesOfLoop(States):
    """Variables in the body of a loop, which cannot set them."""

    def __init__(self, outer: Translation, ports: Ports):
        super().__init__({})
        self.outer, self.ports = outer, ports

    def read(self, t: Translation, name: str) -> SSAValue:
        return self.ports.invariant(self.outer.states.read(self.outer, name))

    def assign(self, t: Translation, name: str, value: SSAValue) -> None:
        raise DiagnosticException(
            f"tf.AssignVariableOp: variable '{name}' is assigned within a loop; assign it after the loop"
        )


@rule("While", "StatelessWhile")
def while_(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    return _Loop(t, While.of(t, op), values).results()


class _Loop:
    """One loop while it is written: what each of its variables becomes."""

    def __init__(self, t: Translation, source: While, values: Sequence[Value]):
        self.t, self.source, self.values = t, source, values
        self.ports = Ports()
        self.starts = {i: self._start(i) for i in range(len(values)) if source.counts(i)}
        self.trips = self._trips()
        self.lists = [i for i in range(len(values)) if source.written(i) is not None]
        self.needed = self._needed()

    def _start(self, index: int) -> int | None:
        value = self.values[index]
        known = self.t.known(value) if isinstance(value, SSAValue) else None
        return known[0] if known is not None and len(known) == 1 else None

    def _follows_steps(self, index: SSAValue) -> bool:
        """Whether an index is the number of the step."""
        value = origin(index)
        return (
            isinstance(value, BlockArgument)
            and value.block is self.source.body
            and self.starts.get(value.index) == 0
        )

    # --- how often it runs ---

    def _trips(self) -> SSAValue | None:
        """The number of steps; None where the condition has to be computed at each."""
        found = self.source.comparisons()
        if not found or any(self.starts.get(variable) is None for variable, _ in found):
            return None
        counts: list[SSAValue] = []
        for variable, limit in found:
            if (outer := self._limit(limit)) is None:
                return None
            start = self.starts[variable]
            assert start is not None
            value = long(self.t, outer)
            if start:
                value = self.t(nn.SubtractOp, value, self.t.like(value, start))
            if not self._is_length(outer) or start:
                counts.append(value)
        if not counts:
            return self.t.constant(BlobAttr.of(TensorType(i64, []), [NO_LIMIT]))
        least = counts[0]
        for count in counts[1:]:
            least = self.t(nn.MinimumOp, least, count)
        return self.t(nn.MaximumOp, least, self.t.like(least, 0))

    def _limit(self, limit: SSAValue) -> SSAValue | None:
        """A limit of the condition, outside of the loop."""
        if isinstance(limit, BlockArgument):
            value = self.values[limit.index]
            is_kept = self.source.is_invariant(limit.index)
            return value if is_kept and isinstance(value, SSAValue) else None
        tf = TfOp.of(limit.owner)
        if tf is None or tf.name != "Const":
            return None
        (value,) = self.t.block(_constant_block(tf), [])
        return value if isinstance(value, SSAValue) else None

    def _is_length(self, value: SSAValue) -> bool:
        """Whether this is how many elements a list has that each step takes one of."""
        if self.t.known(value) is not None:
            return False
        sized = _sized(value)
        return any(
            isinstance(each, TensorList) and each.stacked is not None and each.stacked is sized
            for i, each in enumerate(self.values)
            if self._is_sliced(i)
        )

    # --- what it needs ---

    def _is_sliced(self, index: int) -> bool:
        readers = self.source.readers(index)
        return (
            isinstance(self.values[index], TensorList)
            and self.source.is_invariant(index)
            and bool(readers)
            and all(self._follows_steps(reader.operands[1]) for reader in readers or ())
        )

    def _needed(self) -> set[int]:
        """The variables whose value at some step somebody needs."""
        results = self.source.op.op.results
        found = {
            i
            for i, result in enumerate(results)
            if result.first_use is not None
            and not self.source.is_invariant(i)
            and not (i in self.starts and self._steps_known())
        }
        if self.trips is None:
            assert isinstance(self.source.condition.last_op, func.ReturnOp)
            found |= self._arguments(self.source.condition, self.source.condition.last_op.operands)
        pending = list(found)
        while pending:
            needs = self._arguments(self.source.body, [self.source.after[pending.pop()]])
            pending += needs - found
            found |= needs
        return found

    def _steps_known(self) -> bool:
        return self.trips is not None and self.t.known(self.trips) not in (None, [NO_LIMIT])

    def _arguments(self, block: Block, values: Sequence[SSAValue]) -> set[int]:
        """The arguments of a block that these values are made of; the numbers of steps go without saying."""
        found: set[int] = set()
        seen: set[Operation] = set()
        pending = list(values)
        while pending:
            value = pending.pop()
            if isinstance(value, BlockArgument):
                found.add(value.index)
                continue
            op = value.owner
            if not isinstance(op, Operation) or op in seen:
                continue
            seen.add(op)
            pending += self._read_by(op)
        return found

    def _read_by(self, op: Operation) -> list[SSAValue]:
        tf = TfOp.of(op)
        operands = list(op.operands)
        if tf is None or tf.name not in ("TensorListGetItem", "TensorListSetItem"):
            return operands
        steps = self._follows_steps(operands[1])
        argument = origin(operands[0])
        if tf.name == "TensorListSetItem":
            return [operands[0], operands[2]] + ([] if steps else [operands[1]])
        is_sliced = isinstance(argument, BlockArgument) and self._is_sliced(argument.index)
        return [operands[0]] if is_sliced else operands

    # --- writing it ---

    def results(self) -> Sequence[Value]:
        arguments = [self._argument(i) for i in range(len(self.values))]
        inner = self.t.inside(self.ports.block, StatesOfLoop(self.t, self.ports))
        wanted = [i for i in sorted(self.needed) if not self.source.is_invariant(i)]
        before = self._elements(inner, arguments)
        after = inner.block(self.source.body, before, wanted)
        yielded, outputs = self._yields(inner, after)
        outward = ArrayAttr(port for port, _ in outputs.values())
        properties = {**self.ports.properties, "outputs": outward}
        trips, go_on = self.trips, self.t.constant(BlobAttr.of(TensorType(i1, []), [1]))
        if trips is None:
            trips = self.t.constant(BlobAttr.of(TensorType(i64, []), [NO_LIMIT]))
            go_on = self._condition(self.t, self.values)
            properties["body_condition"] = number(len(yielded))
            yielded.append(self._condition(inner, self._merged(before, after)))
        inner.builder.insert(infra.YieldOp(*yielded))
        loop = infra.LoopOp.create(
            operands=[trips, go_on, *self.ports.operands],
            result_types=[type for _, type in outputs.values()],
            properties=properties,
            regions=[Region(self.ports.block)],
        )
        self.t.builder.insert(loop)
        given = dict(zip(outputs, loop.results, strict=True))
        return [self._result(i, given.get(i)) for i in range(len(self.values))]

    def _argument(self, index: int) -> Value:
        """What a variable is in the body, while it is no element yet."""
        value = self.values[index]
        if index not in self.needed:
            return NOTHING if isinstance(value, SSAValue | TensorList) else value
        if index in self.lists:
            return WrittenList()
        if isinstance(value, TensorList):
            whole = stacked(self.source.op, value)
            assert isinstance(whole, SSAValue)
            if self._is_sliced(index):
                return SlicedList(self.ports.sliced(whole))
            return TensorList(self.ports.invariant(whole), value.count)
        if not isinstance(value, SSAValue):
            return value
        if not self.source.is_invariant(index):
            return self.ports.merged(value)
        return value if _is_small(self.t, value) else self.ports.invariant(value)

    def _elements(self, inner: Translation, arguments: Sequence[Value]) -> list[Value]:
        """The arguments, the parts of lists as their elements, small constants written anew."""
        found: list[Value] = []
        for argument in arguments:
            if isinstance(argument, SlicedList):
                element = inner(nn.SqueezeOp, argument.element, inner.integers(0))
                found.append(SlicedList(element))
            elif isinstance(argument, SSAValue) and isinstance(argument.owner, nn.ConstantOp):
                found.append(inner.constant(argument.owner.value))
            else:
                found.append(argument)
        return found

    def _merged(self, arguments: Sequence[Value], after: Sequence[Value]) -> list[Value]:
        """The variables after a step; those that stay are what they were."""
        return [
            before if self.source.is_invariant(i) else after[i]
            for i, before in enumerate(arguments)
        ]

    def _yields(
        self, inner: Translation, after: Sequence[Value]
    ) -> tuple[list[SSAValue], dict[int, tuple[infra.PortAttr, Attribute]]]:
        """What the body gives, and for each variable that it gives the port and the type of the result."""
        carried = [
            i
            for i in sorted(self.needed)
            if not self.source.is_invariant(i) and i not in self.lists
        ]
        yielded: list[SSAValue] = []
        outputs: dict[int, tuple[infra.PortAttr, Attribute]] = {}
        for i in carried:
            value = self.t.tensor_of(self.source.op, after[i])
            outputs[i] = (last(len(yielded)), value.type)
            yielded.append(value)
        for i in self.lists:
            if i in self.needed:
                outputs[i] = self._written(i, after[i], len(yielded))
                yielded.append(self._item(inner, after[i]))
        return yielded, outputs

    def _item(self, inner: Translation, written: Value) -> SSAValue:
        assert isinstance(written, WrittenList) and written.item is not None
        return inner(nn.UnsqueezeOp, written.item, inner.integers(0))

    def _written(self, index: int, written: Value, place: int) -> tuple[infra.PortAttr, Attribute]:
        setter = self.source.written(index)
        assert isinstance(written, WrittenList) and written.item is not None and setter is not None
        type = tensor(written.item)
        if not self._follows_steps(setter.operands[1]):
            reserved = self.values[index]
            if isinstance(reserved, TensorList) and reserved.count == 1:
                return last(place), TensorType(type.element_type, [1, *type.get_shape()])
            raise DiagnosticException(
                f"tf.{self.source.op.name}: sets elements of a list in an order of its own; only one "
                "element at each step, in the order of steps, has a meaning here"
            )
        known = self._trip_count()
        shape = [DYNAMIC_INDEX if known is None else known, *type.get_shape()]
        return concatenated(place, 0), TensorType(type.element_type, shape)

    def _trip_count(self) -> int | None:
        """How often the body runs, where that is known."""
        known = None if self.trips is None else self.t.known(self.trips)
        counts = [] if known is None or known[0] == NO_LIMIT else [known[0]]
        if known is None:
            return None
        for operand, port in zip(self.ports.operands, self.ports.ports, strict=True):
            if isinstance(port, infra.SlicedAttr):
                size = shape_of(operand)[0]
                if size == DYNAMIC_INDEX:
                    return None
                counts.append(size)
        return min(counts, default=None)

    def _condition(self, t: Translation, values: Sequence[Value]) -> SSAValue:
        (result,) = t.block(self.source.condition, values)
        return t.tensor_of(self.source.op, result)

    def _result(self, index: int, given: SSAValue | None) -> Value:
        if self.source.is_invariant(index):
            return self.values[index]
        if given is None:
            return self._counted(index) if index in self.starts else NOTHING
        return TensorList(given) if index in self.lists else given

    def _counted(self, index: int) -> Value:
        """What a counter is after the last step."""
        start, count = self.values[index], self._trip_count()
        if count is None or not isinstance(start, SSAValue):
            return NOTHING
        return self.t(nn.AddOp, start, self.t.like(start, count))


def _is_small(t: Translation, value: SSAValue) -> bool:
    """Whether a value is integers that the body may hold itself."""
    return (
        isinstance(value.owner, nn.ConstantOp)
        and isinstance(tensor(value).element_type, IntegerType)
        and t.known(value) is not None
    )


def _sized(value: SSAValue) -> SSAValue | None:
    """The tensor whose first dimension this is; None where it is something else."""
    while isinstance(
        op := value.owner, nn.ConvertOp | nn.SqueezeOp | nn.ReshapeOp | nn.ReduceMaxOp
    ):
        value = op.operands[0]
    if not isinstance(op, nn.StridedSliceOp | nn.SliceOp | nn.GatherOp):
        return None
    first, where = op.operands[0], op.operands[1].owner
    if not isinstance(where, nn.ConstantOp) or any(where.value.data.values()):
        return None
    while isinstance(first.owner, nn.ConvertOp):
        first = first.owner.input
    return first.owner.input if isinstance(first.owner, nn.ShapeOfOp) else None


def _constant_block(tf: TfOp) -> Block:
    """A block that gives a constant."""
    copy = tf.op.clone()
    return Block([copy, func.ReturnOp(*copy.results)])


@rule("TensorListSetItem")
def set_item(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    if not isinstance(values[0], WrittenList):
        raise DiagnosticException(
            "tf.TensorListSetItem: sets an element outside of a loop; only loops fill lists here"
        )
    return WrittenList(t.tensor_of(op, values[2]))


@rule("TensorListGetItem")
def get_item(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    if isinstance(sliced := values[0], SlicedList):
        return sliced.element
    index = long(t, t.tensor_of(op, values[1]))
    axis = t.constant(BlobAttr.of(TensorType(i64, []), [0]))
    whole = t.tensor_of(op, stacked(op, values[0]))
    return t(nn.GatherOp, whole, index, axis, batch_dims=number(0))
