"""
WHILE and IF as `infra.loop` and `infra.if`.

A counter that the condition compares with a limit makes a trip count, and is the number of the iteration in the
body. What the body takes or puts part by part, along one axis, is a sliced input or a concatenated output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

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
from ....passes.ports import Ports, last
from ..graph import Operator, Subgraph
from .loop_plan import LoopPlan, operands
from .reader import Reader, integer, reads
from .while_graph import Part, While


def _run(read: Reader) -> list[SSAValue]:
    """What a body gives. Raises DiagnosticException where it has states."""
    results = read.run()
    if read.variables or read.assigned:
        raise DiagnosticException(
            f"subgraph '{read.subgraph.name}' keeps states in its variables, which cannot be read of a body; "
            "convert the model with its variables as constants, or its loop unrolled"
        )
    return results


@reads("IF")
def branch(read: Reader, op: Operator) -> None:
    condition, *inputs = operands(read, op.inputs)
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
    made = infra.IfOp.create(
        operands=[condition, *inputs],
        result_types=[value.type for value in _yields(bodies[0])],
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
    _Loop(LoopPlan(read, While.of(read.graph, op))).write()


class _Loop:
    """One WHILE while it is written as its plan says."""

    def __init__(self, plan: LoopPlan):
        self.plan, self.read, self.source = plan, plan.read, plan.source

    def write(self) -> None:
        widened: dict[int, TensorType[Any]] = {}
        while (loop := self._written(widened)) is None:
            pass
        results = dict(zip([*self.plan.carried, *self.plan.listed()], loop.results, strict=True))
        shown = self.plan.shown()
        for index, target in enumerate(self.source.op.outputs):
            given = self.source.op.inputs[index]
            if index in results:
                self.read.give(target, results[index])
            elif self.source.is_invariant(index) and given is not None:
                self.read.same(target, self.read.value(given))
            elif index in shown:
                self.read.give(target, self._counted(index))

    def _counted(self, index: int) -> SSAValue:
        """What a counter is after the last step."""
        start = self.plan.value(index)
        return self.read(nn.AddOp, start, self._as(self.read, self.plan.trips, start))

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
            for i in range(self.plan.count)
            if source.is_invariant(i) and (given := source.op.inputs[i]) and given.data is not None
        }
        replaced = {id(part.operator) for part in self.plan.taken}
        operators = [
            replace(op, inputs=[constants.get(t, t) if t is not None else None for t in op.inputs])
            for op in source.body.operators
            if id(op) in self.plan.operators and id(op) not in replaced
        ]
        inner = self.read.inside(source.body, ports.block)
        for index in self.plan.carried:
            argument = ports.merged(self.plan.value(index))
            if index in widened:
                argument = Rewriter.replace_value_with_new_type(argument, widened[index])
            inner.give(source.body.inputs[index], argument)
        for index in sorted(self.plan.read_inside):
            if not source.is_invariant(index):
                continue
            given = source.body.inputs[index]
            if given in constants:
                inner.give(given, inner.taken(constants[given]))
            else:
                inner.give(given, ports.invariant(self.plan.value(index)))
        parts = [self._part(ports, part) for part in self.plan.taken]
        self._count(ports, inner)
        for part, argument in zip(self.plan.taken, parts, strict=True):
            if part.is_scalar:
                argument = inner(nn.SqueezeOp, argument, inner.index(part.axis))
            inner.give(part.operator.outputs[0], argument)
        inner.subgraph = replace(source.body, operators=operators)
        inner.subgraph.outputs = [source.body.outputs[i] for i in self.plan.carried]
        inner.subgraph.outputs += [self.plan.lists[i].item for i in self.plan.listed()]
        yielded = _run(inner)
        if self._widen(ports, yielded, widened):
            return None
        return self._loop(ports, inner, yielded)

    def _part(self, ports: Ports, part: Part) -> SSAValue:
        slicing = self.plan.slicing(part)
        assert slicing is not None, "only such parts are taken"
        fields = (slicing.axis, slicing.start, slicing.end, slicing.stride, slicing.part_size)
        port = infra.SlicedAttr(*map(IntAttr, fields))
        return ports.parts(self.plan.value(part.carried), port)

    def _count(self, ports: Ports, inner: Reader) -> None:
        """Says what counters are in the body that do not come back: their start and the number of the iteration."""
        counters = [
            i
            for i in sorted(self.plan.counters & self.plan.read_inside)
            if i not in self.plan.carried
        ]
        starts = [
            None if self.plan.start(i) is not None else ports.invariant(self.plan.value(i))
            for i in counters
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
        for index, value, argument in zip(
            self.plan.carried, yielded, ports.block.args, strict=False
        ):
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
        outputs: list[infra.PortAttr] = [last(i) for i in range(len(self.plan.carried))]
        types: list[Attribute] = [value.type for value in yielded]
        for place, index in enumerate(self.plan.listed(), len(self.plan.carried)):
            part, value = self.plan.lists[index].part, yielded[place]
            whole = shape_of(self.plan.value(index))
            first = self.plan.steps(part, whole[part.axis])
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
        if self.plan.tests:
            go_on = self._condition(self.read, {i: self.plan.value(i) for i in self.plan.tested()})
            properties["body_condition"] = integer(len(yielded))
            yielded.append(self._condition_after(inner, yielded))
        inner.write.builder.insert(infra.YieldOp(*yielded))
        loop = infra.LoopOp.create(
            operands=[self.plan.trips, go_on, *ports.operands],
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
        _, needed = self.source.reached(self.plan.tests, ())
        operators = [op for op in source.operators if id(op) in needed]
        inner.subgraph = Subgraph(source.name, [], list(self.plan.tests), operators)
        first, *others = _run(inner)
        for other in others:
            first = read(nn.LogicalAndOp, first, other)
        return first

    def _condition_after(self, inner: Reader, yielded: Sequence[SSAValue]) -> SSAValue:
        """The condition of what comes back, and of what stays."""
        after = dict(zip(self.plan.carried, yielded, strict=False))
        for index in self.plan.tested() - set(after):
            after[index] = inner.taken(self.source.body.inputs[index])
        return self._condition(inner, {i: after[i] for i in self.plan.tested()})
