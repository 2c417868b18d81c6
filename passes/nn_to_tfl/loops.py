"""Iterators and branches as WHILE and IF, their bodies as functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import SSAValue

from ...dialects import infra, nn
from ...dialects.inferred import constant_integers, shape_of
from ...dialects.infra.ports import ResultPort, Slicing
from .block import given, result, written
from .origins import origins, root
from .refusals import refuse, refuse_unknown
from .sizes import Size, grown, size_of, sizes_in
from .tensors import UNKNOWN, Elements, Tensor, identity
from .writer import TflWriter, View, element_of, emits, sizes_of

ENDLESS = np.iinfo(np.int32).max
"""A trip count that is no limit."""


@emits(infra.TensorIteratorOp, infra.LoopOp)
def iterate(write: TflWriter, op: infra.IteratorOp) -> None:
    """
    A WHILE that carries the number of the iteration, all operands that are not constant, carried values, and each
    result so far.
    """
    loop = _While(write, op)
    body = loop.body()
    options = {"cond_subgraph": loop.condition(), "body_subgraph": body}
    types = [tensor.type for tensor in loop.starts]
    outputs = write.operators("WHILE", loop.starts, types, **options)
    for value, place in zip(op.results, loop.results, strict=True):
        write.set(value, outputs[place])


class _While:
    """The values of an iterator, by their positions among the values that a WHILE carries."""

    def __init__(self, write: TflWriter, op: infra.IteratorOp):
        self.write, self.op, self.starts = write, op, list[Tensor]()
        self.count = op.iterations()
        self.number = self._carry(write.constant(0, "int32"))
        self.limit, self.go_on = self._limits()
        self.operands = [
            self._operand(value, port) for value, port in zip(op.operands_, op.inputs, strict=True)
        ]
        self.results = [
            self._result(value, port) for value, port in zip(op.results, op.outputs, strict=True)
        ]

    def _carry(self, first: Tensor) -> int:
        self.starts.append(first)
        return len(self.starts) - 1

    def _limits(self) -> tuple[int | Tensor, int | None]:
        """The number of iterations, constant or carried, and the position of the carried condition."""
        write, op = self.write, self.op
        if self.count is not None:
            return write.constant(self.count, "int32"), None
        limits = [number for number in op.parts() if number is not None]
        most = write.constant(min(limits, default=ENDLESS), "int32")
        for value, axis in _unknown_parts(op):
            most = write.binary("MINIMUM", most, size_of(write, write.plain(value), axis))
        if not isinstance(op, infra.LoopOp):
            return self._carry(most), None
        trip = write.cast(write.reshaped(write.plain(op.trip_count), ()), "int32")
        negative = write.binary("LESS", trip, 0, element="bool")
        trip = write.op("SELECT_V2", [negative, most, trip], (), "int32")
        most = write.binary("MINIMUM", trip, most)
        start = write.reshaped(write.plain(op.execution_condition), ())
        if start.element != "bool":
            start = write.binary("NOT_EQUAL", start, 0, element="bool")
        return self._carry(most), self._carry(start)

    def _operand(self, value: SSAValue, port: infra.PortAttr) -> int | Tensor:
        """The position of an operand; a constant that never changes is a constant of the body."""
        found = self.write.plain(value)
        constant = found.data is not None and not isinstance(port, infra.MergedAttr)
        return found if constant else self._carry(found)

    def _result(self, value: SSAValue, port: infra.PortAttr) -> int:
        """The position of a result."""
        op = self.op
        if isinstance(port, infra.ConcatenatedAttr):
            return self._nothing(value, port)
        assert isinstance(port, infra.IterationAttr)
        if port.iteration.data not in (-1, (self.count or 0) - 1):
            raise refuse(
                op, f"it gives iteration {port.iteration.data}; unroll it with unroll-loops"
            )
        for given_port, place in zip(op.inputs, self.operands, strict=True):
            if isinstance(given_port, infra.MergedAttr) and given_port.result == port.result:
                assert isinstance(place, int)
                return place
        return self._nothing(value, port)

    def _nothing(self, value: SSAValue, port: ResultPort) -> int:
        """Zeros, for a result that no iteration has computed yet; sizes that are unknown follow those of operands."""
        sizes = sizes_of(value)
        known = [1 if size == UNKNOWN else size for size in sizes]
        nothing = self.write.constant(np.zeros(known, element_of(value)))
        for axis, size in enumerate(sizes):
            if size != UNKNOWN:
                continue
            for origin in self._origins(port, axis, len(sizes)):
                have = nothing.shape
                nothing = grown(self.write, nothing, [*have[:axis], origin, *have[axis + 1 :]])
        return self._carry(nothing)

    def _origins(self, port: ResultPort, axis: int, rank: int) -> Sequence[Size]:
        """The dimensions of operands that a dimension of a result is the size of."""
        if isinstance(port, infra.ConcatenatedAttr) and axis == port.axis.data % rank:
            steps = _steps(self.op) if _is_whole(port.slicing) else None
            if steps is None:
                raise refuse_unknown(self.op, "what it puts together has an unknown size")
            return [steps]
        found = origins(self.op, Size(self.op.yielded[port.result.data], axis))
        if found is None:
            raise refuse_unknown(self.op, "a result has unknown sizes")
        return found

    def _inner(self) -> tuple[TflWriter, list[Tensor]]:
        write = TflWriter(self.write.module)
        return write, [write.argument(tensor.type) for tensor in self.starts]

    def condition(self) -> SymbolRefAttr:
        """The function that computes the condition."""
        write, carried = self._inner()
        limit = self.limit
        limit = carried[limit] if isinstance(limit, int) else write.again(limit)
        goes_on = write.binary("LESS", carried[self.number], limit, element="bool")
        if self.go_on is not None:
            goes_on = write.binary("LOGICAL_AND", goes_on, carried[self.go_on])
        result(write, goes_on)
        return write.called("condition")

    def body(self) -> SymbolRefAttr:
        """The function of one iteration."""
        op, block = self.op, self.op.body.block
        write, carried = self._inner()
        number = carried[self.number]
        for argument, port, place in zip(block.args, op.inputs, self.operands, strict=False):
            tensor = carried[place] if isinstance(place, int) else write.again(place)
            if isinstance(port, infra.SlicedAttr):
                tensor = _part(write, tensor, port.slicing, number)
            write.values[argument] = View(tensor, identity(tensor.rank))
        if op.extra_arguments:
            last = block.args[-1]
            tensor = write.reshaped(write.cast(number, element_of(last)), shape_of(last))
            write.values[last] = View(tensor, identity(tensor.rank))
        yielded = written(write, block)
        after = list(carried)
        after[self.number] = write.binary("ADD", number, 1)
        for port, place in zip(op.inputs, self.operands, strict=True):
            if isinstance(port, infra.MergedAttr):
                assert isinstance(place, int)
                after[place] = write.plain(yielded[port.result.data])
        if self.go_on is not None and isinstance(op, infra.LoopOp) and op.condition is not None:
            after[self.go_on] = write.reshaped(write.plain(op.condition), ())
        for port, place in zip(op.outputs, self.results, strict=True):
            after[place] = self._gathered(write, port, carried[place], yielded, number)
        for tensor in after:
            if tensor in carried and tensor not in write.outputs:
                write.outputs.append(tensor)  # what passes through is not copied
            else:
                result(write, tensor)
        return write.called("body")

    def _gathered(
        self,
        write: TflWriter,
        port: infra.PortAttr,
        so_far: Tensor,
        yielded: Sequence[SSAValue],
        number: Tensor,
    ) -> Tensor:
        """A result after an iteration."""
        assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
        part = write.plain(yielded[port.result.data])
        if isinstance(port, infra.IterationAttr):
            return part
        axis = port.axis.data % so_far.rank
        step = -port.part_size.data if port.stride.data < 0 else port.part_size.data
        along = np.zeros(so_far.rank, np.int32)
        along[axis] = 1
        place = write.binary("MUL", write.constant(along * step), number)
        if step < 0:
            first = write.binary("ADD", size_of(write, so_far, axis), step)
            place = write.binary("ADD", place, write.binary("MUL", write.constant(along), first))
        return write.op("DYNAMIC_UPDATE_SLICE", [so_far, part, place], so_far.shape)


def _is_whole(slicing: Slicing) -> bool:
    """Whether there is a part for each element along the axis, whatever their number."""
    limits = slicing.start, slicing.end, slicing.stride, slicing.part_size
    return limits in ((0, -1, 1, 1), (-1, 0, -1, 1))


def _unknown_parts(op: infra.IteratorOp) -> list[tuple[SSAValue, int]]:
    """
    The sliced operands of unknown size, and along which dimension. Raises DiagnosticException where that is not the
    number of parts.
    """
    found: list[tuple[SSAValue, int]] = []
    for value, port in zip(op.operands_, op.inputs, strict=True):
        if isinstance(port, infra.SlicedAttr):
            sizes = sizes_of(value)
            axis = port.axis.data % len(sizes)
            if sizes[axis] == UNKNOWN:
                if not _is_whole(port.slicing):
                    raise refuse_unknown(op, "how often it runs is unknown")
                found.append((value, axis))
    return found


def _steps(op: infra.IteratorOp) -> Size | None:
    """The dimension that is the number of iterations, None where they may end before or it is computed otherwise."""
    parts = [Size(value, axis) for value, axis in _unknown_parts(op)]
    if any(number is not None for number in op.parts()):
        return None
    if not isinstance(op, infra.LoopOp):
        return parts[0]  # all have as many
    conditions = [op.execution_condition, *([] if op.condition is None else [op.condition])]
    if any(not all(constant_integers(each) or [0]) for each in conditions):
        return None
    trip = sizes_in(_at_least_zero(op.trip_count))
    if trip is None or (isinstance(trip[0], int) and trip[0] >= 0):
        return None
    limits = [
        *parts,
        *(each for each in trip if isinstance(each, Size)),
    ]  # a negative number is none
    return limits[0] if len(set(map(root, limits))) == 1 else None


def _at_least_zero(count: SSAValue) -> SSAValue:
    """What a number of iterations is before negative ones are taken for 0; a size is not negative."""
    op = count.owner
    if isinstance(op, nn.MaximumOp):
        for one, other in (op.operands, op.operands[::-1]):
            if constant_integers(one) == [0]:
                return other
    return count


def _part(write: TflWriter, x: Tensor, slicing: Slicing, number: Tensor) -> Tensor:
    """The part of a sliced operand that an iteration reads."""
    axis = slicing.axis % x.rank
    first = slicing.begin(0, 0)
    offsets = write.integers(range(first, first + slicing.part_size))
    if slicing.start < 0:
        offsets = write.binary("ADD", offsets, size_of(write, x, axis))
    places = write.binary("ADD", write.binary("MUL", number, slicing.stride), offsets)
    shape = (*x.shape[:axis], slicing.part_size, *x.shape[axis + 1 :])
    return write.op("GATHER", [x, places], shape, like=x, axis=axis)


@emits(infra.IfOp)
def branch(write: TflWriter, op: infra.IfOp) -> None:
    inputs = [write.plain(value) for value in op.inputs]
    options: dict[str, Any] = {}
    for name, block in zip(("then", "else"), op.bodies, strict=True):
        inner = TflWriter(write.module)
        for argument in block.args:
            given(inner, argument)
        for value in written(inner, block):
            result(inner, inner.plain(value))
        options[f"{name}_subgraph"] = inner.called(name)
    condition = write.reshaped(write.plain(op.condition), ())
    if condition.element != "bool":
        condition = write.binary("NOT_EQUAL", condition, 0, element="bool")
    types = [Elements(element_of(value)).tensor(sizes_of(value)) for value in op.results]
    outputs = write.operators("IF", [condition, *inputs], types, **options)
    for value, tensor in zip(op.results, outputs, strict=True):
        write.set(value, tensor)
