"""
WHILE and IF as `infra.loop` and `infra.if`.

A counter that the condition compares with a limit makes a trip count, and is the number of the iteration in the
body. What the body takes or puts part by part, along one axis, is a sliced input or a concatenated output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    TensorType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra, nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import compatible, constant_integers, shape_of, tensor
from ....dialects.infra.ports import Slicing
from ....passes.ports import Ports, last
from ..graph import Operator, Subgraph, Tensor
from .reader import Reader, integer, reads
from .while_graph import Limit, Part, Setting, While

NO_LIMIT = -1
"""The trip count of a loop that its condition ends."""


def _run(read: Reader) -> list[SSAValue]:
    """What a body gives. Raises DiagnosticException where it has states."""
    results = read.run()
    if read.variables or read.assigned:
        raise DiagnosticException(
            f"subgraph '{read.subgraph.name}' keeps states in its variables, which cannot be read of a body; "
            "convert the model with its variables as constants, or its loop unrolled"
        )
    return results


def _operands(read: Reader, tensors: Sequence[Tensor | None]) -> list[SSAValue]:
    """What a subgraph is given."""
    found: list[SSAValue] = []
    for each in tensors:
        if each is not None and each.element == "resource":
            raise DiagnosticException(
                "takes a variable into a body, which cannot be read; convert the model with its variables as "
                "constants"
            )
        found.append(read.value(each) if each is None else read.taken(each))
    return found


@reads("IF")
def branch(read: Reader, op: Operator) -> None:
    condition, *inputs = _operands(read, op.inputs)
    bodies: list[Block] = []
    for role in ("then", "else"):
        subgraph = read.graph.named(op, f"{role}SubgraphIndex")
        block = Block(arg_types=[value.type for value in inputs])
        inner = read.inside(subgraph, block)
        if len(subgraph.inputs) != len(inputs):
            raise DiagnosticException(
                f"gives {len(inputs)} tensors to a branch that takes {len(subgraph.inputs)}"
            )
        for given, argument in zip(subgraph.inputs, block.args, strict=True):
            inner.give(given, argument)
        inner.write.builder.insert(infra.YieldOp(*_run(inner)))
        bodies.append(block)
    types = [op.type for op in _yields(bodies[0])]
    made = infra.IfOp.create(
        operands=[condition, *inputs],
        result_types=types,
        regions=[Region(body) for body in bodies],
    )
    read.write.builder.insert(made)
    for result, type in zip(made.results, made.infer_types(constant_integers), strict=True):
        Rewriter.replace_value_with_new_type(result, type)
    for target, value in zip(op.outputs, made.results, strict=True):
        read.give(target, value)


def _yields(block: Block) -> Sequence[SSAValue]:
    assert isinstance(block.last_op, infra.YieldOp)
    return block.last_op.values


@reads("WHILE")
def iterate(read: Reader, op: Operator) -> None:
    loop = _Loop(read, While.of(read.graph, op))
    loop.write()


class _Loop:
    """One WHILE while it is read: what becomes of each tensor that it carries."""

    def __init__(self, read: Reader, source: While):
        self.read, self.source = read, source
        self.count = len(source.op.inputs)
        limits = [source.limit(leaf) for leaf in source.leaves]
        self.tests = [leaf for leaf, limit in zip(source.leaves, limits, strict=True) if not limit]
        self.trips = self._trips([limit for limit in limits if limit])
        self.counters = {i for i in range(self.count) if source.counts(i)}
        self.taken = [
            part
            for op in source.body.operators
            if (part := source.taken(op)) and self._slicing(part)
        ]
        self.lists = {i: setting for i in range(self.count) if (setting := self._list(i))}
        self.carried, self.read_inside, self.operators = self._needed()

    def value(self, index: int) -> SSAValue:
        """What goes into the loop."""
        return _operands(self.read, [self.source.op.inputs[index]])[0]

    # --- how often it runs ---

    def _trips(self, limits: Sequence[Limit]) -> SSAValue:
        """The number of steps as far as counters decide."""
        write, least = self.read.write, None
        for limit in limits:
            steps = self._long(self.read.value(limit.value))
            first = self._long(self.value(limit.counter))
            steps = write(nn.SubtractOp, steps, first)
            if limit.more:
                steps = write(nn.AddOp, steps, self.read.scalar(steps, limit.more))
            least = steps if least is None else write(nn.MinimumOp, least, steps)
        if least is None:
            return self.read.constant(np.array(NO_LIMIT))
        least = write(nn.MaximumOp, least, self.read.scalar(least, 0))
        known = self._integers(least)
        return least if known is None else self.read.constant(np.array(known[0]))

    def _long(self, value: SSAValue) -> SSAValue:
        if shape_of(value) == (1,):
            value = self.read.reshaped(value, ())
        if tensor(value).element_type == i64:
            return value
        return self.read(nn.ConvertOp, value, destination_type=i64)

    def _integers(self, value: SSAValue) -> Sequence[int] | None:
        from ....passes.infer_shapes import KnownIntegers

        return KnownIntegers()(value)

    def _known_trips(self) -> int | None:
        """How often the body runs for certain."""
        known = constant_integers(self.trips)
        return None if self.tests or known is None or known[0] == NO_LIMIT else known[0]

    # --- what it carries ---

    def _start(self, index: int) -> int | None:
        """What a counter begins with, where that is known."""
        given = self.source.op.inputs[index]
        data = None if given is None else given.data
        return None if data is None or data.size != 1 else int(data.reshape(-1)[0])

    def _steps(self, part: Part, size: int) -> tuple[int, int] | None:
        """Where the first step's part begins and how much further those of the next ones do."""
        start = self._start(part.place.counter)
        if start is None or size == DYNAMIC_INDEX:
            return None
        place = part.place.at(start)
        first, stride = (int(np.reshape(n, -1)[0]) for n in (place.offset, place.slope))
        return (first, stride) if abs(stride) >= part.size else None

    def _slicing(self, part: Part) -> Slicing | None:
        """The parts that an operator takes; None where they are not all within the whole."""
        size = shape_of(self.value(part.carried))[part.axis]
        if (steps := self._steps(part, size)) is None:
            return None
        first, stride = steps
        if first < 0 or first + part.size > size:
            return None
        slicing = Slicing(part.axis, first, -1, stride, part.size)
        if stride < 0:
            end = first - stride
            if end > size:
                return None
            slicing = Slicing(part.axis, -1 if end == size else end, 0, stride, part.size)
        known = constant_integers(self.trips)
        is_short = known is not None and slicing.iterations(size) < known[0]
        return None if is_short else slicing

    def _list(self, index: int) -> Setting | None:
        """How a list is filled, if it is so from one end to the other."""
        setting, trips = self.source.setting(index), self._known_trips()
        if setting is None or trips is None:
            return None
        part = setting.part
        size = shape_of(self.value(index))[part.axis]
        steps = self._steps(part, size)
        ends = ((0, part.size), (size - part.size, -part.size))
        return setting if steps in ends and trips * part.size == size else None

    def _needed(self) -> tuple[list[int], set[int], set[int]]:
        """
        What comes back at each step, what the body and the condition read, and the identities of the body's
        operators that this takes. What a list was before is not looked at; a list of which it is, is none.
        """
        source, shown = self.source, set(self._shown())
        tested = self._tested()
        replaced = [output for part in self.taken for output in part.operator.outputs]
        carried: set[int] = set()
        while True:
            wanted = [source.body.outputs[i] for i in carried]
            wanted += [setting.item for i, setting in self.lists.items() if i in shown]
            inputs, operators = source.reached(wanted, replaced)
            needed = {i for i in shown | inputs | tested if not source.is_invariant(i)}
            needed -= {i for i in self.counters if not (self.tests and i in shown | tested)}
            if again := (inputs | tested) & set(self.lists):
                for index in again:
                    del self.lists[index]
            elif needed - set(self.lists) == carried:
                return sorted(carried), inputs | tested, operators
            carried |= needed - set(self.lists)

    def _shown(self) -> list[int]:
        """The numbers of results that somebody reads."""
        operators, outputs = self.read.subgraph.operators, self.read.subgraph.outputs
        read = {id(each) for op in operators for each in op.inputs} | {id(each) for each in outputs}
        return [i for i, output in enumerate(self.source.op.outputs) if id(output) in read]

    # --- writing it ---

    def write(self) -> None:
        widened: dict[int, TensorType[Any]] = {}
        while (loop := self._written(widened)) is None:
            pass
        results = dict(zip([*self.carried, *self._listed()], loop.results, strict=True))
        shown = self._shown()
        for index, target in enumerate(self.source.op.outputs):
            given = self.source.op.inputs[index]
            if index in results:
                self.read.give(target, results[index])
            elif self.source.is_invariant(index) and given is not None:
                self.read.same(target, self.read.value(given))
            elif index in shown:
                self.read.give(target, self._counted(index))

    def _listed(self) -> list[int]:
        shown = self._shown()
        return [i for i in self.lists if i in shown]

    def _counted(self, index: int) -> SSAValue:
        """What a counter is after the last step."""
        start = self.value(index)
        return self.read(nn.AddOp, start, self._as(self.read, self.trips, start))

    def _as(self, read: Reader, number: SSAValue, like: SSAValue) -> SSAValue:
        """A number of steps with the type of a counter."""
        element = tensor(like).element_type
        if element != tensor(number).element_type:
            number = read(nn.ConvertOp, number, destination_type=element)
        return read.reshaped(number, shape_of(like))

    def _written(self, widened: dict[int, TensorType[Any]]) -> infra.LoopOp | None:
        """The loop; None where what comes back has other sizes, which are unknown from then on."""
        source, ports = self.source, Ports()
        constants = {
            source.body.inputs[i]: given
            for i in range(self.count)
            if source.is_invariant(i) and (given := source.op.inputs[i]) and given.data is not None
        }
        replaced = {id(part.operator) for part in self.taken}
        operators = [
            replace(op, inputs=[constants.get(t, t) if t is not None else None for t in op.inputs])
            for op in source.body.operators
            if id(op) in self.operators and id(op) not in replaced
        ]
        inner = self.read.inside(source.body, ports.block)
        for index in self.carried:
            argument = ports.merged(self.value(index))
            if index in widened:
                argument = Rewriter.replace_value_with_new_type(argument, widened[index])
            inner.give(source.body.inputs[index], argument)
        for index in sorted(self.read_inside):
            if not source.is_invariant(index):
                continue
            given = source.body.inputs[index]
            if given in constants:
                inner.give(given, inner.taken(constants[given]))
            else:
                inner.give(given, ports.invariant(self.value(index)))
        parts = [self._part(ports, part) for part in self.taken]
        self._count(ports, inner)
        for part, argument in zip(self.taken, parts, strict=True):
            if part.is_scalar:
                argument = inner(nn.SqueezeOp, argument, inner.index(part.axis))
            inner.give(part.operator.outputs[0], argument)
        inner.subgraph = replace(source.body, operators=operators)
        inner.subgraph.outputs = [source.body.outputs[i] for i in self.carried]
        inner.subgraph.outputs += [self.lists[i].item for i in self._listed()]
        yielded = _run(inner)
        if self._widen(ports, yielded, widened):
            return None
        return self._loop(ports, inner, yielded)

    def _part(self, ports: Ports, part: Part) -> SSAValue:
        slicing = self._slicing(part)
        assert slicing is not None, "only such parts are taken"
        fields = (slicing.axis, slicing.start, slicing.end, slicing.stride, slicing.part_size)
        port = infra.SlicedAttr(*map(IntAttr, fields))
        return ports.parts(self.value(part.carried), port)

    def _count(self, ports: Ports, inner: Reader) -> None:
        """Says what counters are in the body that do not come back: their start and the number of the iteration."""
        counters = [i for i in sorted(self.counters & self.read_inside) if i not in self.carried]
        starts = [
            None if self._start(i) is not None else ports.invariant(self.value(i)) for i in counters
        ]
        if not counters:
            return
        iteration = ports.block.insert_arg(TensorType(i64, []), len(ports.block.args))
        for index, start in zip(counters, starts, strict=True):
            given = self.source.op.inputs[index]
            assert given is not None
            start = start or inner.taken(given)
            number = self._as(inner, iteration, start)
            inner.give(self.source.body.inputs[index], inner(nn.AddOp, start, number))

    def _widen(
        self, ports: Ports, yielded: Sequence[SSAValue], widened: dict[int, TensorType[Any]]
    ) -> bool:
        """Notes what comes back with other sizes than it had."""
        changed = False
        for index, value, argument in zip(self.carried, yielded, ports.block.args, strict=False):
            if compatible(value.type, argument.type):
                continue
            old, new = shape_of(argument), shape_of(value)
            if len(old) != len(new) or tensor(value).element_type != tensor(argument).element_type:
                raise DiagnosticException(
                    f"its body gives {value.type} for what was {argument.type}; ranks and element types must "
                    "stay"
                )
            shape = [a if a == b else DYNAMIC_INDEX for a, b in zip(old, new, strict=True)]
            widened[index] = TensorType(tensor(value).element_type, shape)
            changed = True
        return changed

    def _loop(self, ports: Ports, inner: Reader, yielded: list[SSAValue]) -> infra.LoopOp:
        outputs: list[infra.PortAttr] = [last(i) for i in range(len(self.carried))]
        types: list[Attribute] = [value.type for value in yielded]
        for place, index in enumerate(self._listed(), len(self.carried)):
            part, value = self.lists[index].part, yielded[place]
            whole = shape_of(self.value(index))
            first = self._steps(part, whole[part.axis])
            assert first is not None, "only lists that are filled are put together"
            limits = (0, -1, part.size) if first[1] > 0 else (-1, 0, -part.size)
            fields = (place, part.axis, *limits, part.size)
            outputs.append(infra.ConcatenatedAttr(*map(IntAttr, fields)))
            types[place] = TensorType(tensor(value).element_type, whole)
        properties: dict[str, Attribute] = {
            **ports.properties,
            "outputs": ArrayAttr(outputs),
        }
        if len(ports.block.args) > len(ports.ports):
            properties["current_iteration"] = UnitAttr()
        go_on = self.read.write.constant(BlobAttr.of(TensorType(i1, []), [1]))
        if self.tests:
            go_on = self._condition(self.read, {i: self.value(i) for i in self._tested()})
            properties["body_condition"] = integer(len(yielded))
            yielded.append(self._condition_after(inner, yielded))
        inner.write.builder.insert(infra.YieldOp(*yielded))
        loop = infra.LoopOp.create(
            operands=[self.trips, go_on, *ports.operands],
            result_types=types,
            properties=properties,
            regions=[Region(ports.block)],
        )
        return self.read.write.builder.insert(loop)

    def _condition(self, read: Reader, values: Mapping[int, SSAValue]) -> SSAValue:
        """What the condition says of these values, limits of counters aside."""
        source = self.source.condition
        inner = read.inside(source, read.block)
        for index, value in values.items():
            inner.give(source.inputs[index], value)
        _, needed = self.source.reached(self.tests, ())
        operators = [op for op in source.operators if id(op) in needed]
        inner.subgraph = Subgraph(source.name, [], list(self.tests), operators)
        first, *others = _run(inner)
        for other in others:
            first = read(nn.LogicalAndOp, first, other)
        return first

    def _tested(self) -> set[int]:
        """The numbers of what the condition reads, limits of counters aside."""
        return self.source.reached(self.tests, ())[0]

    def _condition_after(self, inner: Reader, yielded: Sequence[SSAValue]) -> SSAValue:
        """The condition of what comes back, and of what stays."""
        after = dict(zip(self.carried, yielded, strict=False))
        for index in self._tested() - set(after):
            after[index] = inner.taken(self.source.body.inputs[index])
        return self._condition(inner, {i: after[i] for i in self._tested()})
