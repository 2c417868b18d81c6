"""What a WHILE is to become, decided before it is written: how often it runs, what stays, what comes back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import nn
from ....dialects.inferred import constant_integers, shape_of, tensor
from ....dialects.infra.ports import Slicing
from ..graph import Tensor
from .reader import Reader
from .while_graph import Limit, Part, Setting, While

NO_LIMIT = -1
"""The trip count of a loop that its condition ends."""


def operands(read: Reader, tensors: Sequence[Tensor | None]) -> list[SSAValue]:
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


class LoopPlan:
    """What becomes of each tensor that a WHILE carries, by its number."""

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
            if (part := source.taken(op)) and self.slicing(part)
        ]
        self.lists = {i: setting for i in range(self.count) if (setting := self._list(i))}
        self.carried, self.read_inside, self.operators = self._needed()

    def value(self, index: int) -> SSAValue:
        """What goes into the loop."""
        return operands(self.read, [self.source.op.inputs[index]])[0]

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

    def start(self, index: int) -> int | None:
        """What a counter begins with, where that is known."""
        given = self.source.op.inputs[index]
        data = None if given is None else given.data
        return None if data is None or data.size != 1 else int(data.reshape(-1)[0])

    def steps(self, part: Part, size: int) -> tuple[int, int] | None:
        """Where the first step's part begins and how much further those of the next ones do."""
        start = self.start(part.place.counter)
        if start is None or size == DYNAMIC_INDEX:
            return None
        place = part.place.at(start)
        first, stride = (int(np.reshape(n, -1)[0]) for n in (place.offset, place.slope))
        return (first, stride) if abs(stride) >= part.size else None

    def slicing(self, part: Part) -> Slicing | None:
        """The parts that an operator takes; None where they are not all within the whole."""
        size = shape_of(self.value(part.carried))[part.axis]
        if (steps := self.steps(part, size)) is None:
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
        steps = self.steps(part, size)
        ends = ((0, part.size), (size - part.size, -part.size))
        return setting if steps in ends and trips * part.size == size else None

    def _needed(self) -> tuple[list[int], set[int], set[int]]:
        """
        What comes back at each step, what the body and the condition read, and the identities of the body's
        operators that this takes. What a list was before is not looked at; a list of which it is, is none.
        """
        source, shown = self.source, set(self.shown())
        tested = self.tested()
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

    def shown(self) -> list[int]:
        """The numbers of results that somebody reads."""
        operators, outputs = self.read.subgraph.operators, self.read.subgraph.outputs
        read = {id(each) for op in operators for each in op.inputs} | {id(each) for each in outputs}
        return [i for i, output in enumerate(self.source.op.outputs) if id(output) in read]

    def listed(self) -> list[int]:
        """The numbers of lists that are put together and read by somebody."""
        shown = self.shown()
        return [i for i in self.lists if i in shown]

    def tested(self) -> set[int]:
        """The numbers of what the condition reads, limits of counters aside."""
        return self.source.reached(self.tests, ())[0]
