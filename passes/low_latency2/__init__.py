"""
`low-latency2`: what an iterator or a sequence carries from one step to the next becomes a state of the
model (OpenVINO's transformation of this name). A signal then goes in piece by piece, one call for each.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from shlex import quote
from typing import TypeVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects import infra, nn, rnn
from ...dialects.inferred import Shape, friendly_name, label, tensor
from ...dialects.locations import inherit
from ...dialects.module import entry_of, port_names
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ..erase_unused import erase_unused
from ..fold_constants import fold_constants
from ..infer_shapes import infer_types
from ..lower_sequences import SEQUENCE, replace_by_cells, step_count
from ..rebuilt import rebuilt
from ..relax_constants import relax_constants
from ..reshape import as_text, retype
from ..unroll_loops import can_unroll, unroll
from .feedback import is_fed_back
from .reach import Recurrence, iterations, reaching, recurrences
from .step_constants import constants_of_steps

log = logging.getLogger(__name__)

IteratorT = TypeVar("IteratorT", bound=infra.IteratorOp)


@dataclass(frozen=True)
class LowLatency2(ModulePass):
    """
    Makes every `infra.tensor_iterator`, `infra.loop` and `rnn` sequence stateful, those in bodies included.

    - Each merged input gets a state named `<operation>/<body parameter>/variable_<n>`, where n
      counts all inputs of the operation; the H and C of a sequence are `<operation>/variable_<n>`.
      `infra.read_value` feeds the input, `infra.assign` keeps what it is in the end. An input that a
      `read_value` feeds has its state already, and so has one whose initial value the model computes from its
      last one, through a state or an outer iterator.
    - Where the body runs exactly once, it takes the operation's place; a sequence of one step becomes
      its cell, in both directions if it is bidirectional.

    While a state is unset its `read_value` gives zeros of the initial value's type, or with
    `use_const_initializer=False` the initial value itself. Applied again, the pass changes nothing
    and says so.
    """

    name = "low-latency2"

    use_const_initializer: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        streamed = [
            number
            for number, each in enumerate(recurrences(op))
            if inputs_without_state(each) or (iterations(each) == 1 and _carried(each))
        ]
        differs = reaching(op, streamed) if streamed else []
        changed = False
        for candidate in list(op.walk()):
            retyped = False
            match candidate:
                case infra.IteratorOp() as iterator:
                    if inputs := inputs_without_state(iterator):
                        iterator = _with_last_results(iterator, inputs)
                        _add_states(iterator, inputs, self.use_const_initializer)
                        changed = True
                    if iterator.iterations() == 1 and can_unroll(iterator):
                        retyped = unroll(iterator)
                        changed = True
                case rnn.SequenceOp() as sequence:
                    if inputs := inputs_without_state(sequence):
                        _add_states(sequence, inputs, self.use_const_initializer)
                        changed = True
                    if step_count(sequence) == 1:
                        retyped = replace_by_cells(sequence)
                        changed = True
                case _:
                    pass
            if retyped:  # what follows it may now run once, too
                infer_types(op, keep=True)
        _warn_of_what_stays(op)
        for sentence in differs:
            log.warning("low-latency2: %s", sentence)
        if not changed:
            states = sum(isinstance(each, infra.VariableOp) for each in op.walk())
            log.warning(
                "low-latency2 changed nothing: nothing lacks a state (states in the model: %d)",
                states,
            )


# --- what stays a loop ----------------------------------------------------------------------


def _warn_of_what_stays(module: ModuleOp) -> None:
    """Says of each loop and sequence that is left why it is, and which reshape leaves one iteration."""
    for number, op in enumerate(recurrences(module)):
        if (count := iterations(op)) == 1 or not _carried(op):
            continue
        runs = f"{count} iterations" if count is not None else "an unknown number of iterations"
        if (passes := _passes_to_one(module, number)) is not None:
            first = "reshape" if "--reshape" in passes else "fold"
            helps = f"for one, {first} first: {passes} --low-latency2"
        elif isinstance(op, infra.LoopOp) and count is None:
            helps = (
                "its trip count or a condition is computed in each call, which no pass changes; "
                "export the model with constant ones"
            )
        elif names := constants_of_steps(module, number):
            listed, files = (",".join(map(form.format, names)) for form in ('"{}"', "{}.npy"))
            helps = (
                f"for one, put 1 for {count} into what follows no input "
                f"(replace-constant{{name={listed} file={files}}})"
            )
        else:
            helps = "no other size of one input alone leaves one"
        log.warning("low-latency2: %s still runs %s in each call; %s", label(op), runs, helps)


def _passes_to_one(module: ModuleOp, number: int) -> str | None:
    """
    What makes recurrence `number` run once: another shape of an input, maybe once constants follow it, and folding
    what is computed of shapes.
    """
    try:
        entry_of(module)
    except DiagnosticException:
        return None
    op = recurrences(module)[number]
    is_computed = isinstance(op, infra.LoopOp) and op.iterations() is None
    if is_computed and _iterations(module.clone(), number, fold=True) == 1:
        return FOLD
    for relax in ("", "--relax-constants "):
        if relax and not relax_constants(module := module.clone()):
            return None
        for fold in (False, True) if is_computed else (False,):
            if (shapes := _reshape_to_one(module, number, fold)) is not None:
                inputs = ",".join(f"{name}={as_text(shape)}" for name, shape in shapes.items())
                return f"{relax}--reshape {quote(inputs)}" + (f" {FOLD}" if fold else "")
    return None


FOLD = "--fold-constants"


def _iterations(module: ModuleOp, number: int, fold: bool) -> int | None:
    """How often a recurrence runs, once constants are folded if `fold` says so."""
    if fold:
        fold_constants(module)
    return iterations(recurrences(module)[number])


def _reshape_to_one(module: ModuleOp, number: int, fold: bool) -> dict[str, Shape] | None:
    """The new shape of an input with which recurrence `number` runs once, by trying."""
    entry = entry_of(module)
    arguments = entry.body.block.args
    names = port_names(entry.arg_attrs, len(arguments))
    count = _iterations(module.clone(), number, fold)
    for i, argument in enumerate(arguments):
        if not isinstance(argument.type, TensorType):
            continue
        shape = tensor(argument).get_shape()
        for axis, size in enumerate(shape):
            if size != DYNAMIC_INDEX and (not count or size % count):
                continue
            new = (*shape[:axis], size // count if count and size > 0 else 1, *shape[axis + 1 :])
            trial = module.clone()
            try:
                retype(trial, {i: new})
            except VerifyException:
                continue
            if _iterations(trial, number, fold) == 1:
                return {names[i][0] if names[i] else str(i): new}
    return None


# --- what is carried ------------------------------------------------------------------------


@dataclass(frozen=True)
class CarriedInput:
    """
    A loop-carried value: the operand it begins with, the suffix of its state's name, its type in the loop, and the
    number of the value that it ends as, among the results of an iterator's body or those of a sequence.
    """

    operand: int
    suffix: str
    type: TensorType
    final: int


def inputs_without_state(op: Recurrence) -> list[CarriedInput]:
    """What an operation carries, where no state and no outer iterator brings it to the next step yet."""
    return [
        each
        for each in _carried(op)
        if not _is_state(first := op.operands[each.operand])
        and (not is_fed_back(op, first) or _is_same_outside(op, each))
    ]


def _is_same_outside(op: Recurrence, carried: CarriedInput) -> bool:
    """Whether an outer iterator carries this value as it is, so that a state holds what it would bring."""
    first, outer = op.operands[carried.operand], op.parent_op()
    if not isinstance(outer, infra.IteratorOp) or not isinstance(first, BlockArgument):
        return False
    port = outer.inputs.data[first.index] if first.index < len(outer.inputs) else None
    if not isinstance(port, infra.MergedAttr):
        return False
    is_given = isinstance(op, rnn.SequenceOp) or _last(carried) in op.outputs.data
    return is_given and outer.yielded[port.result.data] is _final(op, carried)


def _is_state(value: SSAValue) -> bool:
    """Whether this is what a state has, as it is, or with or without the dimension of directions."""
    if isinstance(value.owner, nn.SqueezeOp | nn.UnsqueezeOp):
        value = value.owner.operands[0]
    return isinstance(value.owner, infra.ReadValueOp)


def _carried(op: Recurrence) -> list[CarriedInput]:
    return _of_sequence(op) if isinstance(op, rnn.SequenceOp) else _of_iterator(op)


def _of_iterator(op: infra.IteratorOp) -> list[CarriedInput]:
    carried = [
        (index, port) for index, port in enumerate(op.inputs) if isinstance(port, infra.MergedAttr)
    ]
    return [
        CarriedInput(
            op.first_operand + index,
            f"variable_{number}"
            if SEQUENCE in op.attributes
            else f"{op.body_names.data[index].data}/variable_{index}",
            tensor(op.body.block.args[index]),
            port.result.data,
        )
        for number, (index, port) in enumerate(carried)
    ]


def _of_sequence(op: rnn.SequenceOp) -> list[CarriedInput]:
    return [
        CarriedInput(1 + n, f"variable_{n}", tensor(op.operands[1 + n]), 1 + n)
        for n in range(op.state_count)
    ]


# --- states ---------------------------------------------------------------------------------


def _add_states(op: Recurrence, inputs: Sequence[CarriedInput], zero: bool) -> None:
    """
    Gives each of these inputs a state; an iterator has the results for them. States of what was a sequence are those
    that the sequence would have: [batch, 1, size], of which the iterator carries [batch, size].
    """
    behind, was_sequence = Writer(InsertPoint.after(op), op), SEQUENCE in op.attributes
    for each, name in zip(inputs, _state_names(op, inputs), strict=True):
        write, old, type = Writer(InsertPoint.before(op)), op.operands[each.operand], each.type
        if was_sequence:
            old = write(nn.UnsqueezeOp, old, write.integers(1))
            type = tensor(old)
        _declare(op, infra.VariableOp(name, type))
        init = _zeros_like(old, write) if zero else old
        value = write.builder.insert(infra.ReadValueOp(name, init, type)).result
        final = _final(op, each)
        if was_sequence:
            value = write(nn.SqueezeOp, value, write.integers(1))
            final = behind(nn.UnsqueezeOp, final, behind.integers(1))
        op.operands[each.operand] = value
        behind.builder.insert(infra.AssignOp(name, final))
        erase_unused(old)


def _final(op: Recurrence, carried: CarriedInput) -> SSAValue:
    """What a carried value is in the end."""
    if isinstance(op, rnn.SequenceOp):
        return op.results[carried.final]
    return op.results[list(op.outputs).index(_last(carried))]


def _last(carried: CarriedInput) -> infra.IterationAttr:
    """The output port that gives a carried value of an iterator."""
    return infra.IterationAttr(IntAttr(carried.final), IntAttr(-1))


def _with_last_results(op: IteratorT, inputs: Sequence[CarriedInput]) -> IteratorT:
    """The iterator with the last iteration's value of each of these, a new one if one was missing."""
    added = [port for port in dict.fromkeys(map(_last, inputs)) if port not in op.outputs.data]
    if not added:
        return op
    types = [*op.result_types, *(op.yielded[port.result.data].type for port in added)]
    widened = rebuilt(op, types=types, properties={"outputs": ArrayAttr([*op.outputs, *added])})
    Rewriter.replace_op(op, [], widened.results[: len(op.results)])
    return widened


def _state_names(op: Recurrence, inputs: Sequence[CarriedInput]) -> list[str]:
    """The names of these inputs' states, under another operation's name where one is taken."""
    taken = infra.variables_of(op)
    sequence = op.attributes.get(SEQUENCE)
    named = sequence.data if isinstance(sequence, StringAttr) else friendly_name(op)
    original = named or op.name
    for attempt in count():
        prefix = f"{original}_{attempt}" if attempt else original
        names = [f"{prefix}/{each.suffix}" for each in inputs]
        if taken.keys().isdisjoint(names):
            if attempt:
                log.warning(
                    "low-latency2: %s: a state of this name exists; the new ones are named '%s/…'",
                    label(op),
                    prefix,
                )
            return names
    raise AssertionError("there are more prefixes than states")


def _declare(user: Operation, variable: infra.VariableOp) -> None:
    """Puts the variable behind the last one of the module around `user`, or first."""
    module = infra.module_around(user)
    assert module is not None, "a pass is given a module"
    others = list(infra.variables_of(user).values())
    place = InsertPoint.after(others[-1]) if others else InsertPoint.at_start(module.body.block)
    inherit(variable, user)
    Rewriter.insert_op(variable, place)


def _zeros_like(value: SSAValue, write: Writer) -> SSAValue:
    """Zeros of the type of `value`, and of its size at run time where that is not known yet."""
    type = tensor(value)
    if DYNAMIC_INDEX not in type.get_shape():
        return write.constant(nn.BlobAttr.of(type, 0))
    zero, shape = write.scalar_like(value, 0), write(nn.ShapeOfOp, value)
    broadcast = nn.BroadcastOp(operands=[zero, shape], result_types=[type])
    return write.builder.insert(broadcast).result
