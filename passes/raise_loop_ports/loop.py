"""A loop while its ports are raised: what it carries, what is known of its values, and how a port changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ...dialects import infra, nn
from ...dialects.inferred import NAME, constant_integers, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ..infer_shapes import KnownIntegers
from ..rebuilt import with_used_results


@dataclass(frozen=True)
class Carried:
    """A merged value of a loop, by the number of its input."""

    loop: Loop
    number: int

    @property
    def slot(self) -> int:
        """The number of the body's result that comes back."""
        port = self.loop.op.inputs.data[self.number]
        assert isinstance(port, infra.MergedAttr)
        return port.result.data

    @property
    def start(self) -> SSAValue:
        """What it is in the first iteration."""
        return self.loop.op.operands_[self.number]

    @property
    def argument(self) -> BlockArgument:
        """What it is in the body."""
        return self.loop.body.args[self.number]

    @property
    def after(self) -> SSAValue:
        """What the body gives for the next iteration."""
        return self.loop.op.yielded[self.slot]

    @property
    def results(self) -> list[OpResult]:
        """The results in use that are this after the last iteration, or the start where there is none."""
        wanted = infra.IterationAttr(IntAttr(self.slot), IntAttr(-1))
        ports = zip(self.loop.op.results, self.loop.op.outputs, strict=True)
        return [result for result, port in ports if port == wanted and result.first_use is not None]


class Loop:
    """An `infra.loop`, changed in place; `op` is another one once results have gone."""

    def __init__(self, op: infra.LoopOp):
        self.op = op
        self.reasons: dict[str, str] = {}

    @property
    def body(self) -> Block:
        return self.op.body.block

    @property
    def outside(self) -> Writer:
        """Writes in front of the loop."""
        return Writer(InsertPoint.before(self.op))

    @property
    def inside(self) -> Writer:
        """Writes at the start of the body."""
        return Writer(InsertPoint.at_start(self.body))

    def stays(self, what: str, reason: str) -> bool:
        """Notes why something stays as it is."""
        self.reasons[what] = reason
        return False

    # --- what is known of it ------------------------------------------------------------------

    @property
    def most(self) -> int | None:
        """The trip count, where it is known and a limit."""
        known = constant_integers(self.op.trip_count)
        return None if known is None or known[0] < 0 else known[0]

    @property
    def ends_early(self) -> bool:
        """Whether a condition may end it before its trip count does."""
        known = constant_integers(self.op.execution_condition)
        return self.op.condition is not None or known is None or not any(known)

    def carried(self) -> list[Carried]:
        """What is merged; where two inputs share a result of the body, neither can change alone."""
        slots = [p.result.data for p in self.op.inputs if isinstance(p, infra.MergedAttr)]
        return [
            Carried(self, number)
            for number, port in enumerate(self.op.inputs)
            if isinstance(port, infra.MergedAttr) and slots.count(port.result.data) == 1
        ]

    def invariant(self, value: SSAValue) -> SSAValue | None:
        """The operand that a value of the body is in every iteration."""
        if not isinstance(value, BlockArgument) or value.index >= len(self.op.inputs):
            return None
        is_kept = isinstance(self.op.inputs.data[value.index], infra.InvariantAttr)
        return self.op.operands_[value.index] if is_kept else None

    def known(self, value: SSAValue) -> Sequence[int] | None:
        """The integers that a value of the body is in every iteration."""
        operand = self.invariant(value)
        return KnownIntegers()(value if operand is None else operand)

    def is_outer(self, value: SSAValue) -> bool:
        """Whether a value of the body can be computed in front of the loop."""
        if isinstance(value, BlockArgument):
            return self.invariant(value) is not None
        op = value.owner
        assert isinstance(op, Operation)
        return not op.regions and is_side_effect_free(op) and all(map(self.is_outer, op.operands))

    def outer(self, value: SSAValue) -> SSAValue:
        """A value of the body, computed in front of the loop."""
        if (operand := self.invariant(value)) is not None:
            return operand
        assert isinstance(value, OpResult), "asked for before"
        copy = value.op.clone({each: self.outer(each) for each in value.op.operands})
        copy.attributes.pop(NAME, None)
        return self.outside.builder.insert(copy).results[value.index]

    def mirrors(self, inner: SSAValue, outer: SSAValue) -> bool:
        """Whether `outer` is of the operands what `inner`, in the body, is of the values after an iteration."""
        for carried in self.carried():
            if carried.after is inner and carried.start is outer:
                return True
        if isinstance(inner, BlockArgument) or isinstance(outer, BlockArgument):
            return self.invariant(inner) is outer
        is_integer = isinstance(tensor(inner).element_type, IntegerType)
        if is_integer and (known := self.known(inner)) is not None:
            return inner.type == outer.type and known == KnownIntegers()(outer)
        return is_like(inner, outer, self.mirrors)

    # --- how it changes -----------------------------------------------------------------------

    def add_input(self, operand: SSAValue, port: infra.PortAttr, type: Attribute) -> SSAValue:
        """What a further operand is in the body: the argument of the same operand and port, or a new one."""
        op = self.op
        for given, known, argument in zip(op.operands_, op.inputs, self.body.args, strict=False):
            if given is operand and known == port:
                return argument
        count = len(op.inputs)
        argument = self.body.insert_arg(type, count)
        op.operands = [*op.operands, operand]
        op.properties["inputs"] = ArrayAttr([*op.inputs, port])
        op.properties["body_names"] = ArrayAttr([*op.body_names, StringAttr(f"input{count}")])
        return argument

    def set_port(self, number: int, port: infra.PortAttr) -> None:
        """Says how an operand takes part in the iterations."""
        ports = list(self.op.inputs)
        ports[number] = port
        self.op.properties["inputs"] = ArrayAttr(ports)

    def drop_inputs(self, dropped: Sequence[int]) -> None:
        """Removes operands, and what only they need in the body."""
        op, first = self.op, self.op.first_operand
        kept = [n for n in range(len(op.inputs)) if n not in dropped]
        op.operands = [*op.operands[:first], *(op.operands_[n] for n in kept)]
        op.properties["inputs"] = ArrayAttr([op.inputs.data[n] for n in kept])
        op.properties["body_names"] = ArrayAttr([op.body_names.data[n] for n in kept])
        self.eliminate_dead_results()
        for number in sorted(dropped, reverse=True):
            self.body.erase_arg(self.body.args[number])

    def give(self, value: SSAValue) -> int:
        """The number of a further result of the body."""
        last = self.body.last_op
        assert last is not None
        last.operands = [*last.operands, value]
        return len(last.operands) - 1

    def test(self, condition: SSAValue | None) -> None:
        """Says what must hold for another iteration."""
        if condition is None:
            del self.op.properties["body_condition"]
        else:
            self.op.properties["body_condition"] = IntegerAttr(self.give(condition), i64)

    def iteration(self) -> SSAValue:
        """The number of the iteration, in the body."""
        if self.op.current_iteration is None:
            self.op.properties["current_iteration"] = UnitAttr()
            self.body.insert_arg(TensorType(i64, []), len(self.body.args))
        return self.body.args[-1]

    def eliminate_dead_results(self) -> bool:
        """Drops results that nobody uses, and what only they need in the body."""
        before, self.op = self.op, with_used_results(self.op)
        for inner in reversed(list(self.body.ops)):
            if is_trivially_dead(inner):
                Rewriter.erase_op(inner)
        if self.op.current_iteration is not None and self.body.args[-1].first_use is None:
            self.body.erase_arg(self.body.args[-1])
            del self.op.properties["current_iteration"]
        return self.op is not before


def conjuncts(condition: SSAValue) -> list[SSAValue]:
    """What all has to hold for a condition to hold."""
    if isinstance(condition.owner, nn.LogicalAndOp):
        return [leaf for each in condition.owner.operands for leaf in conjuncts(each)]
    return [condition]


def both(write: Writer, conditions: Sequence[SSAValue]) -> SSAValue | None:
    """Whether all of them hold; None of none."""
    result: SSAValue | None = None
    for each in conditions:
        result = each if result is None else write(nn.LogicalAndOp, result, each)
    return result


def is_like(a: SSAValue, b: SSAValue, alike: Callable[[SSAValue, SSAValue], bool]) -> bool:
    """Whether two values are the same result of equal operations, whose operands are alike."""
    return (
        isinstance(a, OpResult)
        and isinstance(b, OpResult)
        and (type(a.op), a.index, a.type) == (type(b.op), b.index, b.type)
        and a.op.properties == b.op.properties
        and not a.op.regions
        and is_side_effect_free(a.op)
        and len(a.op.operands) == len(b.op.operands)
        and all(alike(x, y) for x, y in zip(a.op.operands, b.op.operands, strict=True))
    )


def is_equal(a: SSAValue, b: SSAValue) -> bool:
    """Whether two values are computed alike from the same values."""
    return a is b or is_like(a, b, is_equal)


def scalar(write: Writer, value: SSAValue) -> SSAValue:
    """One integer as an i64 without dimensions."""
    return write.converted(write.reshaped(value, ()), i64)


PortRule = Callable[[Loop], bool]
"""Changes a loop by its law, or notes why not. Returns whether it changed."""
