"""Iterators as loops on memory: where each port's part lies, and what is copied between iterations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel
from ...dialects.inferred import label, tensor
from ...dialects.kernel import strides_of
from .layout import element_bytes, memref_of, strided
from .memory import memref

if TYPE_CHECKING:
    from .planner import Planner


def emit_iterator(planner: Planner, op: infra.TensorIteratorOp) -> None:
    """
    Writes the loop. What the body yields is written where it belongs by what computes it; what comes back as
    an argument is copied at the end of an iteration, since until then the argument may be read.
    """
    count = op.iterations()
    if not count:
        raise DiagnosticException(
            f"{label(op)}: runs {count or 'an unknown number of'} iterations; give inputs of a shape "
            "that says how many"
        )
    _Loop(planner, op, count).emit()


@dataclass
class _Loop:
    planner: Planner
    op: infra.TensorIteratorOp
    count: int
    last: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """By number of a body's result: the memref that holds it after the last iteration."""
    carried: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """By number of a merged input: the memref that its argument lies in."""

    def emit(self) -> None:
        memory = self.planner.memory
        results = [self.planner.target(result) for result in self.op.results]
        self._choose_last(results)
        self._begin()
        body = Block(arg_types=[IndexType()])
        memory.step += 1
        with memory.repeated(body):
            for target in (*results, *self.carried.values()):
                memory.touch(target)
            self._place_arguments(body.args[0])
            copies = self._direct_yields(results, body.args[0])
            self.planner.emit_block(self.op.body.block)
            memory.step += 1
            for value, target in copies:
                memory.copy(self.planner.where(value), target)
        memory.add(kernel.ForOp(self.count, Region(body)))
        for port, target in zip(self.op.outputs, results, strict=True):
            if isinstance(port, infra.IterationAttr):
                source = self.last[port.result.data]
                if source is not target:
                    memory.copy(source, target)

    def _choose_last(self, results: list[SSAValue]) -> None:
        for port, target in zip(self.op.outputs, results, strict=True):
            if not isinstance(port, infra.IterationAttr):
                continue
            if port.iteration.data not in (-1, self.count - 1):
                raise DiagnosticException(
                    f"{label(self.op)}: gives the value of iteration {port.iteration.data}; only the "
                    "last one compiles"
                )
            self.last.setdefault(port.result.data, target)

    def _begin(self) -> None:
        """The first values of what is carried, where the last ones will lie."""
        memory, shared = self.planner.memory, dict(self.last)
        for i, (port, operand) in enumerate(zip(self.op.inputs, self.op.operands, strict=True)):
            if isinstance(port, infra.MergedAttr):
                target = shared.pop(port.result.data, None)
                self.carried[i] = target or memory.allocate(memref_of(tensor(operand)))
                memory.copy(self.planner.where(operand), self.carried[i])

    def _place_arguments(self, index: SSAValue) -> None:
        planner = self.planner
        arguments = self.op.body.block.args
        for i, (port, argument) in enumerate(zip(self.op.inputs, arguments, strict=True)):
            match port:
                case infra.SlicedAttr():
                    source = planner.where(self.op.operands[i])
                    planner.place[argument] = self._part(source, port.slicing, index)
                case infra.MergedAttr():
                    planner.place[argument] = self.carried[i]
                case _:
                    planner.place[argument] = planner.where(self.op.operands[i])

    def _direct_yields(
        self, results: list[SSAValue], index: SSAValue
    ) -> list[tuple[SSAValue, SSAValue]]:
        """Lets each yielded value be written where it belongs, and lists the copies that remain."""
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
            if targets and self.planner.sink(value, targets[0]):
                del targets[0]
            targets += [
                self.carried[i]
                for i, port in enumerate(self.op.inputs)
                if isinstance(port, infra.MergedAttr) and port.result.data == number
            ]
            copies += [(value, target) for target in targets]
        return copies

    def _part(self, whole: SSAValue, slicing: infra.Slicing, index: SSAValue) -> SSAValue:
        """The part of a memref that belongs to the iteration `index`."""
        type = memref(whole)
        shape, strides = list(type.get_shape()), strides_of(type)
        first, second = (slicing.begin(shape[slicing.axis], i) for i in (0, 1))
        shape[slicing.axis] = slicing.part_size
        unit = strides[slicing.axis] * element_bytes(type)
        part = strided(type, shape, strides)
        return self.planner.memory.view(whole, part, first * unit, index, (second - first) * unit)
