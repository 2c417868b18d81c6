"""
`low-latency2`: what an iterator carries from one iteration to the next becomes a state of the model
(OpenVINO's transformation of this name). A signal then goes in piece by piece, one call for each.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, ModuleOp, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ..dialects import infra, nn
from ..dialects.inferred import NAME, friendly_name, label, shape_of, tensor
from .infer_shapes import infer_types

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LowLatency2(ModulePass):
    """
    Makes every `infra.tensor_iterator` stateful, those in bodies included.

    - Each merged input gets a state named `<operation>/<body parameter>/variable_<n>`, where n
      counts all inputs of the operation: `infra.read_value` feeds the input, `infra.assign` keeps
      what the body gave for it last. An input that a `read_value` feeds has its state already.
    - Where the body runs exactly once, it takes the operation's place.

    While a state is unset its `read_value` gives zeros of the initial value's type, or with
    `use_const_initializer=False` the initial value itself. Applied again, the pass changes nothing
    and says so.
    """

    name = "low-latency2"

    use_const_initializer: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = retyped = False
        for candidate in list(op.walk()):
            match candidate:
                case infra.TensorIteratorOp() as iterator:
                    if ports := ports_without_state(iterator):
                        iterator = _add_states(iterator, ports, self.use_const_initializer)
                        changed = True
                    if iterator.iterations() == 1:
                        retyped |= _inline(iterator)
                        changed = True
                case _:
                    pass
        if retyped:
            infer_types(op, keep=True)
        if not changed:
            states = sum(isinstance(each, infra.VariableOp) for each in op.walk())
            log.warning(
                "low-latency2 changed nothing: no iterator lacks a state (states in the model: %d)",
                states,
            )


# --- states ---------------------------------------------------------------------------------


def ports_without_state(iterator: infra.TensorIteratorOp) -> dict[int, infra.MergedAttr]:
    """The merged inputs, by index, that no `read_value` feeds yet."""
    return {
        index: port
        for index, (port, operand) in enumerate(
            zip(iterator.inputs, iterator.operands, strict=True)
        )
        if isinstance(port, infra.MergedAttr) and not isinstance(operand.owner, infra.ReadValueOp)
    }


def _add_states(
    iterator: infra.TensorIteratorOp, ports: Mapping[int, infra.MergedAttr], zero: bool
) -> infra.TensorIteratorOp:
    """Gives each of these inputs a state. Returns the iterator, a new one if results were added."""
    names = _state_names(iterator, list(ports))
    iterator, finals = _with_last_results(iterator, [port.result.data for port in ports.values()])
    after = InsertPoint.after(iterator)
    for index, name, final in zip(ports, names, finals, strict=True):
        type, old = tensor(iterator.body.block.args[index]), iterator.operands[index]
        _declare(iterator, infra.VariableOp(name, type))
        init = _zeros_like(old, InsertPoint.before(iterator)) if zero else old
        read = infra.ReadValueOp(name, init, type)
        Rewriter.insert_op(read, InsertPoint.before(iterator))
        iterator.operands[index] = read.result
        Rewriter.insert_op(infra.AssignOp(name, final), after)
        _erase_unused(old)
    return iterator


def _state_names(iterator: infra.TensorIteratorOp, inputs: Sequence[int]) -> list[str]:
    """The names of these inputs' states, under another operation's name where one is taken."""
    taken = infra.variables_of(iterator)
    original = friendly_name(iterator) or iterator.name
    parameters = [iterator.body_names.data[index].data for index in inputs]
    for attempt in count():
        prefix = f"{original}_{attempt}" if attempt else original
        names = [
            f"{prefix}/{parameter}/variable_{index}"
            for index, parameter in zip(inputs, parameters, strict=True)
        ]
        if taken.keys().isdisjoint(names):
            if attempt:
                log.warning(
                    "low-latency2: %s: a state of this name exists; the new ones are named '%s/…'",
                    label(iterator),
                    prefix,
                )
            return names
    raise AssertionError("there are more prefixes than states")


def _declare(user: Operation, variable: infra.VariableOp) -> None:
    """Puts the variable behind the last one of the module around `user`, or first."""
    module = user
    while not isinstance(module, ModuleOp):
        parent = module.parent_op()
        assert parent is not None, "a pass is given a module"
        module = parent
    others = list(infra.variables_of(user).values())
    place = InsertPoint.after(others[-1]) if others else InsertPoint.at_start(module.body.block)
    Rewriter.insert_op(variable, place)


def _with_last_results(
    iterator: infra.TensorIteratorOp, wanted: Sequence[int]
) -> tuple[infra.TensorIteratorOp, list[SSAValue]]:
    """The iterator, and of each body result wanted the last iteration's value, added if missing."""
    outputs = list(iterator.outputs)
    positions: list[int] = []
    for result in wanted:
        port = infra.IterationAttr(IntAttr(result), IntAttr(-1))
        if port not in outputs:
            outputs.append(port)
        positions.append(outputs.index(port))
    old = len(iterator.results)
    if len(outputs) > old:
        added = [iterator.yielded[result].type for result in _body_results(outputs[old:])]
        widened = infra.TensorIteratorOp.create(
            operands=iterator.operands,
            result_types=[*iterator.result_types, *added],
            properties={**iterator.properties, "outputs": ArrayAttr(outputs)},
            attributes=iterator.attributes,
            regions=[iterator.detach_region(iterator.body)],
        )
        Rewriter.replace_op(iterator, widened, widened.results[:old])
        iterator = widened
    return iterator, [iterator.results[position] for position in positions]


def _body_results(ports: Sequence[infra.PortAttr]) -> list[int]:
    """Which results of the body output ports give."""
    results: list[int] = []
    for port in ports:
        assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
        results.append(port.result.data)
    return results


def _zeros_like(value: SSAValue, place: InsertPoint) -> SSAValue:
    """Zeros of the type of `value`, and of its size at run time where that is not known yet."""
    type = tensor(value)
    if DYNAMIC_INDEX not in type.get_shape():
        zeros = nn.ConstantOp(nn.BlobAttr.of(type, 0))
        Rewriter.insert_op(zeros, place)
        return zeros.result
    zero = nn.ConstantOp(nn.BlobAttr.of(TensorType(type.element_type, []), 0))
    shape = nn.ShapeOfOp.of(value)
    spread = nn.BroadcastOp(operands=[zero, shape], result_types=[type])
    Rewriter.insert_op((zero, shape, spread), place)
    return spread.result


def _erase_unused(value: SSAValue) -> None:
    """Erases what gives `value` and all that only it needed, if nothing uses it."""
    pending = [value.owner]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and is_trivially_dead(op):
            pending += [operand.owner for operand in op.operands]
            Rewriter.erase_op(op)


# --- one iteration --------------------------------------------------------------------------


def _inline(iterator: infra.TensorIteratorOp) -> bool:
    """
    Puts the body in the place of an iterator that runs it once: a sliced input is the one part,
    every output is the body's result. The body's operations keep their names; the last one that
    gives a result takes the iterator's if it has none. Returns whether a value got another type.
    """
    place = InsertPoint.before(iterator)
    arguments = [
        _only_part(operand, port.slicing, place) if isinstance(port, infra.SlicedAttr) else operand
        for operand, port in zip(iterator.operands, iterator.inputs, strict=True)
    ]
    body = iterator.body.block
    moved, last = list(body.ops), body.last_op
    assert isinstance(last, infra.YieldOp)
    retyped = [value.type for value in arguments] != list(body.arg_types)
    Rewriter.inline_block(body, place, arguments)
    results = [last.operands[result] for result in _body_results(list(iterator.outputs))]
    givers = {result.owner for result in results}
    if (name := iterator.attributes.get(NAME)) is not None:
        for op in [op for op in moved if op in givers][-1:]:
            op.attributes.setdefault(NAME, name)
    for old, new in zip(iterator.results, results, strict=True):
        retyped |= old.type != new.type
        old.replace_all_uses_with(new)
    Rewriter.erase_op(last)
    Rewriter.erase_op(iterator)
    return retyped


def _only_part(value: SSAValue, slicing: infra.Slicing, place: InsertPoint) -> SSAValue:
    """The part that the first of one iteration takes: all of `value`, or a slice of it."""
    size = shape_of(value)[slicing.axis]
    if slicing.part_size == size:
        return value
    begin = slicing.begin(size, 0)
    numbers = (begin, begin + slicing.part_size, 1, slicing.axis)
    limits = [nn.ConstantOp(nn.BlobAttr.of(TensorType(i64, [1]), [n])) for n in numbers]
    part = nn.SliceOp.of(value, *limits)
    Rewriter.insert_op((*limits, part), place)
    return part.result
