"""What a value is computed from, in this iteration or call and, through carried values and states, in earlier ones."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import infra
from ..rebuilt import slot_of


def is_fed_back(op: Operation, value: SSAValue) -> bool:
    """
    Whether `value` depends on what `op` gave in an earlier outer iteration or call: a loop-carried dependence.
    """
    seen, left = set[SSAValue](), [value]
    while left:
        if (value := left.pop()) in seen:
            continue
        if value.owner is op:
            return True
        seen.add(value)
        left.extend(_sources(value))
    return False


def _sources(value: SSAValue) -> Iterable[SSAValue]:
    """The values that `value` is made of directly."""
    match value.owner:
        case Block():
            return _sources_of_argument(value.owner, value)
        case infra.ReadValueOp() as read:
            return [read.init, *_assigned(read)]
        case infra.IteratorOp() as iterator:
            slot = slot_of(iterator.outputs.data[iterator.results.index(value)])
            assert slot is not None
            decided_by = iterator.operands[: iterator.first_operand]
            without_iterations = [
                iterator.operands[iterator.first_operand + index]
                for index, port in enumerate(iterator.inputs)
                if slot_of(port) == slot
            ]
            return [*decided_by, *without_iterations, iterator.yielded[slot]]
        case infra.IfOp() as branch:
            number = branch.results.index(value)
            return [branch.condition, *(branch.yielded(body)[number] for body in (0, 1))]
        case owner:
            return owner.operands


def _sources_of_argument(block: Block, argument: SSAValue) -> Iterable[SSAValue]:
    index = block.args.index(argument)
    match block.parent_op():
        case infra.IteratorOp() as iterator if index < len(iterator.inputs):
            first = iterator.operands[iterator.first_operand + index]
            port = iterator.inputs.data[index]
            if isinstance(port, infra.MergedAttr):
                return first, iterator.yielded[port.result.data]
            return (first,)
        case infra.IfOp() as branch:
            return (branch.inputs[index],)
        case _:
            return ()


def _assigned(read: infra.ReadValueOp) -> Iterable[SSAValue]:
    """What the model assigns to the variable that is read."""
    whole = read.get_toplevel_object()
    return [
        each.value
        for each in whole.walk()
        if isinstance(each, infra.AssignOp) and each.variable == read.variable
    ]
