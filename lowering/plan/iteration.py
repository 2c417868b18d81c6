"""Iterators as loops on memory: the buffers of their ports, and the copies between iterations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel
from ...dialects.inferred import label, tensor
from ...dialects.kernel import strides_of
from .memref_layout import element_bytes, memref_of, strided
from .program_memory import memref

if TYPE_CHECKING:
    from .planner import Planner


def emit_iterator(planner: Planner, op: infra.IteratorOp) -> None:
    """
    Emits the loop. Kernels of the body write yielded values directly to their destination. A merged value is copied at
    the end of an iteration, since the body may read the old one until then.
    """
    _Loop(planner, op, op.iterations()).emit()


@dataclass
class _Loop:
    planner: Planner
    op: infra.IteratorOp
    count: int | None
    last: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """By number of a body's result: the memref that holds it after the last iteration."""
    carried: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """By number of a merged input: the memref that its argument lies in."""

    def emit(self) -> None:
        self._refuse_what_has_no_size()
        memory = self.planner.memory
        results = [self.planner.target(result) for result in self.op.results]
        limits = self._limits()
        self._choose_last(results)
        self._begin()
        if self.count is None:
            self._clear(results)
        body = Block(arg_types=[IndexType()])
        memory.step += 1
        with memory.repeated(body):
            self._place_arguments(body.args[0])
            copies = self._direct_yields(results, limits.get("next"), body.args[0])
            self.planner.emit_block(self.op.body.block)
            memory.step += 1
            for value, target in copies:
                memory.copy(self.planner.where(value), target)
        if self.count is not None:
            memory.add(kernel.ForOp(self.count, Region(body)))
        else:
            parts = [count for count in self.op.parts() if count is not None]
            memory.add(
                kernel.WhileOp(
                    limits.get("trip"),
                    limits.get("start"),
                    limits.get("next"),
                    Region(body),
                    min(parts, default=None),
                    self.op.room() if isinstance(self.op, infra.LoopOp) else None,
                )
            )
        for port, target in zip(self.op.outputs, results, strict=True):
            if isinstance(port, infra.IterationAttr):
                source = self.last[port.result.data]
                if source is not target:
                    memory.copy(source, target)

    def _refuse_what_has_no_size(self) -> None:
        """Raises DiagnosticException where results cannot be told before the loop has run."""
        op = self.op
        merged = {port.result.data for port in op.inputs if isinstance(port, infra.MergedAttr)}
        if self.count is None and (
            not isinstance(op, infra.LoopOp) or any(count is None for count in op.parts())
        ):
            raise DiagnosticException(
                f"{label(op)}: runs an unknown number of iterations; give inputs of a shape that says how "
                "many"
            )
        may_not_run = not (self.count or (isinstance(op, infra.LoopOp) and op.runs()))
        for number, port in enumerate(op.outputs):
            has_room = tensor(op.results[number]).has_static_shape()
            if self.count is None and isinstance(port, infra.ConcatenatedAttr) and not has_room:
                raise DiagnosticException(
                    f"{label(op)}: output {number} ({op.results[number].type}) puts together the parts of an unknown "
                    "number of iterations within a body, or from the last to the first; make the trip count and the "
                    "conditions constants (replace-constant, fold-constants), or use only the last value"
                )
            if (
                may_not_run
                and isinstance(port, infra.IterationAttr)
                and port.result.data not in merged
            ):
                raise DiagnosticException(
                    f"{label(op)}: may run no iteration, then body result {port.result.data} has no value; "
                    "merge it with an input"
                )

    def _limits(self) -> dict[str, SSAValue]:
        """Where a loop of unknown count finds its trip count and its conditions."""
        if self.count is not None or not isinstance(self.op, infra.LoopOp):
            return {}
        planner, op = self.planner, self.op
        found = {
            "trip": planner.where(op.trip_count),
            "start": planner.where(op.execution_condition),
        }
        if op.condition is not None:
            found["next"] = planner.memory.allocate(memref_of(tensor(op.condition)))
        return found

    def _choose_last(self, results: list[SSAValue]) -> None:
        for port, target in zip(self.op.outputs, results, strict=True):
            if not isinstance(port, infra.IterationAttr):
                continue
            if port.iteration.data != -1 and port.iteration.data + 1 != self.count:
                raise DiagnosticException(
                    f"{label(self.op)}: gives the value of iteration {port.iteration.data}, and it is not "
                    "known how many there are; only the last one compiles"
                )
            self.last.setdefault(port.result.data, target)

    def _begin(self) -> None:
        """Copies the initial values of merged inputs to the buffers that will hold the last ones."""
        memory, shared = self.planner.memory, dict(self.last)
        for i, (port, operand) in enumerate(zip(self.op.inputs, self.op.operands_, strict=True)):
            if isinstance(port, infra.MergedAttr):
                target = shared.pop(port.result.data, None)
                self.carried[i] = target or memory.allocate(memref_of(tensor(operand)))
                memory.copy(self.planner.where(operand), self.carried[i])

    def _clear(self, results: list[SSAValue]) -> None:
        """
        What only iterations write is 0 where none runs: parts put together are read there, though nothing depends on
        them; and the plan's verifier cannot tell that one runs.
        """
        carried = list(self.carried.values())
        last = [target for target in self.last.values() if target not in carried]
        for port, target in zip(self.op.outputs, results, strict=True):
            if isinstance(port, infra.ConcatenatedAttr) or target in last:
                self.planner.memory.touch(target)
                self.planner.memory.fill(target, 0)

    def _place_arguments(self, index: SSAValue) -> None:
        planner = self.planner
        arguments = self.op.body.block.args
        for argument in arguments[len(self.op.inputs) :]:
            number = planner.target(argument)
            planner.memory.add(kernel.IndexOp(index, number))
        for i, (port, argument) in enumerate(zip(self.op.inputs, arguments, strict=False)):
            match port:
                case infra.SlicedAttr():
                    source = planner.where(self.op.operands_[i])
                    planner.place[argument] = self._part(source, port.slicing, index)
                case infra.MergedAttr():
                    planner.place[argument] = self.carried[i]
                case _:
                    planner.place[argument] = planner.where(self.op.operands_[i])

    def _direct_yields(
        self, results: list[SSAValue], condition: SSAValue | None, index: SSAValue
    ) -> list[tuple[SSAValue, SSAValue]]:
        """Lets kernels write yielded values directly to their destination; returns the copies that remain."""
        copies: list[tuple[SSAValue, SSAValue]] = []
        carried = list(self.carried.values())
        for number, value in enumerate(self.op.yielded):
            targets = [
                self._part(whole, port.slicing, index)
                for port, whole in zip(self.op.outputs, results, strict=True)
                if isinstance(port, infra.ConcatenatedAttr) and port.result.data == number
            ]
            if number in self.last and self.last[number] not in carried:
                targets.append(self.last[number])
            if condition is not None and self._is_condition(number):
                targets.append(condition)
            if targets and self.planner.sink(value, targets[0]):
                del targets[0]
            targets += [
                self.carried[i]
                for i, port in enumerate(self.op.inputs)
                if isinstance(port, infra.MergedAttr) and port.result.data == number
            ]
            copies += [(value, target) for target in targets]
        return copies

    def _is_condition(self, number: int) -> bool:
        op = self.op
        return (
            isinstance(op, infra.LoopOp)
            and op.body_condition is not None
            and op.body_condition.value.data == number
        )

    def _part(self, whole: SSAValue, slicing: infra.Slicing, index: SSAValue) -> SSAValue:
        """The part of a memref that belongs to the iteration `index`."""
        type = memref(whole)
        shape, strides = list(type.get_shape()), strides_of(type)
        first, second = (slicing.begin(shape[slicing.axis], i) for i in (0, 1))
        shape[slicing.axis] = slicing.part_size
        unit = strides[slicing.axis] * element_bytes(type)
        part = strided(type, shape, strides)
        return self.planner.memory.view(whole, part, first * unit, index, (second - first) * unit)
