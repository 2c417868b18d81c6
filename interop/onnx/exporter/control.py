"""Branches and iterators as If, Scan and Loop, whose bodies read the values around them by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType, i1, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra
from ....dialects.inferred import constant_integers, label, shape_of, tensor
from ....dialects.infra.ports import (
    ConcatenatedAttr,
    IterationAttr,
    MergedAttr,
    SlicedAttr,
    Slicing,
)
from .graph import GraphWriter, info_of
from .handlers import Written, writes


def closed(
    inner: GraphWriter, name: str, inputs: Sequence[Any], results: Sequence[tuple[str, Any]]
) -> Any:
    """A body whose results are these values, with types, each under a name of its own."""
    outputs, renamed = list[Any](), dict[str, str]()
    for value, type in results:
        made = inner.shared.name(f"{name}/result")
        inner.result(renamed.get(value, value), made, set(renamed.values()))
        renamed.setdefault(value, made)
        outputs.append(info_of(made, type))
    return inner.proto(name, inputs, outputs)


@writes(infra.IfOp)
def if_(graph: GraphWriter, op: infra.IfOp) -> Written:
    bodies: dict[str, Any] = {}
    for name, block in zip(("then_branch", "else_branch"), op.bodies, strict=True):
        inner = graph.within()
        inner.values.update(zip(block.args, (graph[v] for v in op.inputs), strict=True))
        names = inner.write(block)
        assert block.last_op is not None
        types = [tensor(value) for value in block.last_op.operands]
        results = list(zip(names, types, strict=True))
        bodies[name] = closed(inner, f"{graph.hint}/{name}", [], results)
    return graph.node("If", [graph.single(op.condition)], len(op.results), **bodies)


# --- iterators --------------------------------------------------------------------------------------


def is_whole(cut: Slicing) -> bool:
    """Whether iterations take all elements one after the other, as Scan does."""
    ends = {1: (0, -1), -1: (-1, 0)}
    return cut.part_size == 1 and ends.get(cut.stride) == (cut.start, cut.end)


@writes(infra.TensorIteratorOp)
def tensor_iterator(graph: GraphWriter, op: infra.TensorIteratorOp) -> Written:
    """A Scan where all parts are single elements, else a Loop of as many iterations as there are parts."""
    ports = [*op.inputs, *op.outputs]
    cuts = [port.slicing for port in ports if isinstance(port, SlicedAttr | ConcatenatedAttr)]
    if all(map(is_whole, cuts)) and any(isinstance(port, SlicedAttr) for port in op.inputs):
        return _Scan(graph, op).written()
    if (count := op.iterations()) is None:
        raise DiagnosticException(
            f"{label(op)}: slices sizes that are unknown in parts that ONNX's Scan cannot say; reshape the model"
        )
    return _Loop(graph, op).written(graph.scalar(count, i64), "")


@writes(infra.LoopOp)
def loop(graph: GraphWriter, op: infra.LoopOp) -> Written:
    """A Loop. A trip count of -1 is no limit; the size of a sliced operand is one."""
    trip, known = "", constant_integers(op.trip_count)
    element = tensor(op.trip_count).element_type
    parts = [count for count in op.parts() if count is not None]
    if known is None:
        trip = graph.cast(graph.single(op.trip_count), element, i64)
        endless = graph.scalar((1 << 63) - 1, i64)
        trip = graph("Where", graph("Less", trip, graph.scalar(0, i64)), endless, trip)
        trip = graph("Min", trip, graph.scalar(min(parts), i64)) if parts else trip
    else:
        limits = [*parts, *([known[0]] if known[0] >= 0 else [])]
        trip = graph.scalar(min(limits), i64) if limits else ""
    if len(parts) < len(op.parts()):
        raise DiagnosticException(
            f"{label(op)}: slices sizes that are unknown, which ONNX's Loop cannot say; reshape the model"
        )
    return _Loop(graph, op).written(trip, graph.single(op.execution_condition))


class _Iterated:
    """What Scan and Loop share: results that are carried, and results of all iterations."""

    def __init__(self, graph: GraphWriter, op: infra.IteratorOp):
        self.graph, self.op, self.block = graph, op, op.body.block
        self.inner = graph.within()
        self.given = list(zip(op.inputs, op.operands_, self.block.args, strict=False))
        self.carried = [
            (port, value, argument)
            for port, value, argument in self.given
            if isinstance(port, MergedAttr)
        ]
        for port, value, argument in self.given:
            if not isinstance(port, MergedAttr | SlicedAttr):
                self.inner.values[argument] = graph[value]

    def argument(self, argument: SSAValue, type: TensorType[Any]) -> Any:
        """The input of the body for an argument."""
        name = self.inner.shared.name(f"{self.graph.hint}/argument")
        self.inner.values[argument] = name
        return info_of(name, type)

    def carried_types(self) -> list[TensorType[Any]]:
        return [tensor(argument) for _, _, argument in self.carried]

    def stacked(self) -> list[tuple[int, int, bool]]:
        """
        For each result that is no carried value: the body's result, the axis, and whether the last iteration comes
        first. The result of a single iteration is selected from those of all.
        """
        found: list[tuple[int, int, bool]] = []
        for port in self.op.outputs:
            match port:
                case ConcatenatedAttr():
                    cut = port.slicing
                    key = (port.result.data, cut.axis, cut.stride < 0)
                case IterationAttr() if self.place_of(port) is None:
                    key = (port.result.data, -1, False)
                case _:
                    continue
            if key not in found:
                found.append(key)
        return found

    def place_of(self, port: IterationAttr) -> int | None:
        """The carried value that is the result of the last iteration."""
        if port.iteration.data != -1:
            return None
        numbers = [merged.result.data for merged, _, _ in self.carried]
        return numbers.index(port.result.data) if port.result.data in numbers else None

    def results(
        self,
        outputs: Sequence[str],
        join: Callable[[str, ConcatenatedAttr], str],
    ) -> list[str]:
        """
        The results of the operation, from the outputs of the node: carried values, then stacked results of all
        iterations.
        """
        graph, keys, count = self.graph, self.stacked(), len(self.carried)
        found: list[str] = []
        for port in self.op.outputs:
            if isinstance(port, ConcatenatedAttr):
                cut = port.slicing
                key = (port.result.data, cut.axis, cut.stride < 0)
                found.append(join(outputs[count + keys.index(key)], port))
                continue
            assert isinstance(port, IterationAttr)
            if (place := self.place_of(port)) is not None:
                found.append(outputs[place])
                continue
            stack = outputs[count + keys.index((port.result.data, -1, False))]
            which = graph.scalar(port.iteration.data, i64)
            found.append(graph("Gather", stack, which, axis=0))
        return found

    def yielded(self) -> list[str]:
        return self.inner.write(self.block)


class _Scan(_Iterated):
    """A Scan: states first, then parts without their axis."""

    def written(self) -> list[str]:
        graph, inner, op = self.graph, self.inner, self.op
        inputs = [self.argument(a, tensor(a)) for _, _, a in self.carried]
        sliced = [(p, v, a) for p, v, a in self.given if isinstance(p, SlicedAttr)]
        axes = [port.axis.data % len(shape_of(value)) for port, value, _ in sliced]
        for axis, (_, _, argument) in zip(axes, sliced, strict=True):
            type, shape = tensor(argument), list(shape_of(argument))
            del shape[axis]
            info = self.argument(argument, TensorType(type.element_type, shape))
            inputs.append(info)
            inner.hint = graph.hint
            inner.values[argument] = inner("Unsqueeze", info.name, inner.integers(axis))
        values = self.yielded()
        results: list[tuple[str, Any]] = [
            (values[port.result.data], type)
            for (port, _, _), type in zip(self.carried, self.carried_types(), strict=True)
        ]
        keys = self.stacked()
        for number, axis, _ in keys:
            type = tensor(op.yielded[number])
            shape = list(type.get_shape())
            value = values[number]
            if axis >= 0:
                del shape[axis]
                value = inner("Squeeze", value, inner.integers(axis))
            results.append((value, TensorType(type.element_type, shape)))
        body = closed(inner, f"{graph.hint}/body", inputs, results)
        names = [graph[value] for _, value, _ in (*self.carried, *sliced)]
        outputs = graph.node(
            "Scan",
            names,
            len(results),
            body=body,
            num_scan_inputs=len(sliced),
            scan_input_axes=axes,
            scan_input_directions=[int(port.stride.data < 0) for port, _, _ in sliced],
            scan_output_axes=[max(axis, 0) for _, axis, _ in keys] or None,
            scan_output_directions=[int(back) for _, _, back in keys] or None,
        )
        return self.results(outputs, lambda stack, _: stack)


class _Loop(_Iterated):
    """
    A Loop. Its body slices its parts by the number of the iteration, and its results are stacked along a new first
    dimension.
    """

    def written(self, trip: str, condition: str) -> list[str]:
        graph, inner, op = self.graph, self.inner, self.op
        names = [inner.shared.name(f"{graph.hint}/{each}") for each in ("iteration", "runs")]
        inputs = [
            info_of(name, TensorType(element, []))
            for name, element in zip(names, (i64, i1), strict=True)
        ]
        inputs += [self.argument(a, tensor(a)) for _, _, a in self.carried]
        inner.hint = graph.hint
        for port, value, argument in self.given:
            if isinstance(port, SlicedAttr):
                inner.values[argument] = self._part(names[0], port.slicing, value)
        if op.extra_arguments:
            number = self.block.args[-1]
            element = tensor(number).element_type
            counted = inner.cast(names[0], i64, element)
            if shape := shape_of(number):
                counted = inner.reshaped(counted, shape)
            inner.values[number] = counted
        values = self.yielded()
        go_on: IntegerAttr | None = getattr(op, "body_condition", None)
        holds = names[1]
        if go_on is not None:
            holds = values[go_on.value.data]
            if shape_of(op.yielded[go_on.value.data]):
                holds = inner.reshaped(holds, ())
        results: list[tuple[str, Any]] = [(holds, TensorType(i1, []))]
        results += [
            (values[port.result.data], type)
            for (port, _, _), type in zip(self.carried, self.carried_types(), strict=True)
        ]
        keys = self.stacked()
        results += [(values[number], tensor(op.yielded[number])) for number, _, _ in keys]
        body = closed(inner, f"{graph.hint}/body", inputs, results)
        given = [trip, condition, *(graph[value] for _, value, _ in self.carried)]
        outputs = graph.node("Loop", given, len(results) - 1, body=body)
        return self.results(outputs, self._joined)

    def _part(self, iteration: str, cut: Slicing, value: SSAValue) -> str:
        """`[begin, begin + part_size)` along the axis."""
        inner, size = self.inner, shape_of(value)[cut.axis]
        first = cut.begin(size, 0)
        begin = inner("Mul", iteration, inner.scalar(cut.stride, i64))
        begin = inner("Add", begin, inner.scalar(first, i64))
        begin = inner.reshaped(begin, (1,))
        end = inner("Add", begin, inner.integers(cut.part_size))
        return inner("Slice", self.graph[value], begin, end, inner.integers(cut.axis))

    def _joined(self, stack: str, port: ConcatenatedAttr) -> str:
        """Stacked parts, concatenated along the axis."""
        graph, cut = self.graph, port.slicing
        part = list(shape_of(self.op.yielded[port.result.data]))
        rank, axis = len(part), cut.axis % len(part)
        if cut.stride < 0:
            ends = (graph.integers(n) for n in (-1, -(1 << 63), 0, -1))
            stack = graph("Slice", stack, *ends)
        order = [*range(1, axis + 1), 0, *range(axis + 1, rank + 1)]
        unknown = [i for i, size in enumerate(part) if size == DYNAMIC_INDEX]
        if len(unknown) > 1 or (unknown and unknown[0] == axis):
            raise DiagnosticException(
                f"{label(self.op)}: puts together parts of unknown sizes; reshape the model"
            )
        sizes = [0 if i < axis else size for i, size in enumerate(part)]
        if unknown and unknown[0] > axis:
            count = self.op.iterations()
            if count is None:
                raise DiagnosticException(
                    f"{label(self.op)}: puts together parts of unknown sizes; reshape the model"
                )
            sizes[axis], sizes[unknown[0]] = count * cut.part_size, -1
        else:
            sizes[axis] = -1
        return graph.reshaped(graph.transposed(stack, order), sizes)
