"""Runs a module in NumPy, with its states: slow and right, the reference for everything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import infra
from ..dialects import rnn as rnn_dialect
from ..dialects.inferred import label
from ..dialects.module import entry_of

# Their import fills the table of meanings, as `_load` does for dialects that few models have.
from . import meaning, nn, qnn, rnn  # noqa: F401  # pyright: ignore[reportUnusedImport]
from .arrays import Array, dtype_of, of_user

Observer = Callable[[Operation, Sequence[Array], Sequence[Array]], None]
"""A callback that gets every operation with the arrays of its operands and results."""

Recurrence = infra.IteratorOp | rnn_dialect.SequenceOp
"""Operations that carry values from one step to the next."""


def has_meaning(op: Operation) -> bool:
    """Whether `evaluate` knows this operation."""
    _load(op.name.partition(".")[0])
    return meaning.has_meaning(op)


def evaluate(op: Operation, inputs: Sequence[Array]) -> list[Array]:
    """The results of one operation that has no regions and no effects. Raises KeyError if it has no meaning."""
    _load(op.name.partition(".")[0])
    return meaning.evaluate(op, inputs)


@cache
def _load(dialect: str) -> None:
    """Loads the meanings of a dialect whose import takes long."""
    match dialect:
        case "kernel":
            from . import kernel  # noqa: F401  # pyright: ignore[reportUnusedImport]
        case "tfl":
            from . import tfl  # noqa: F401  # pyright: ignore[reportUnusedImport]
        case _:
            pass


class NoMeaningError(DiagnosticException):
    """The reference cannot compute an operation."""


class Executor:
    """
    A module and the values of its states.

    `run` takes the entry's inputs in order and gives its results in order. A state that was never
    assigned, or was reset, is absent from `states`.
    """

    def __init__(self, module: ModuleOp, entry: func.FuncOp | None = None):
        self.entry = entry if entry is not None else entry_of(module)
        self.states: dict[str, Array] = {}

    def run(self, inputs: Sequence[Array], observe: Observer | None = None) -> list[Array]:
        """
        One inference. Raises DiagnosticException where an input does not fit its argument or an
        operation has no meaning here; the states then stay as they were.
        """
        arguments = self.entry.body.block.args
        if len(inputs) != len(arguments):
            raise DiagnosticException(
                f"the model has {len(arguments)} inputs, {len(inputs)} were given"
            )
        inputs = [
            of_user(array, cast(TensorType[Any], argument.type).element_type)
            for argument, array in zip(arguments, inputs, strict=True)
        ]
        for i, (argument, array) in enumerate(zip(arguments, inputs, strict=True)):
            _check_input(i, cast(TensorType[Any], argument.type), array)
        scope = _Scope(self, observe)
        results = scope.run(self.entry.body.block, inputs)
        self.states = scope.states
        return results

    def reset(self) -> None:
        """Forgets all states."""
        self.states.clear()

    def begin(self, op: Recurrence, operands: Sequence[Array]) -> Sequence[Array]:
        """The operands that an iterator or a sequence starts with; subclasses may carry them otherwise."""
        return operands

    def end(self, op: Recurrence, results: Sequence[Array]) -> None:
        """Gets the results of an iterator's body in the last iteration, and those of a sequence."""


def _check_input(index: int, type: TensorType[Any], array: Array) -> None:
    fits = len(array.shape) == type.get_num_dims() and all(
        want in (have, DYNAMIC_INDEX)
        for want, have in zip(type.get_shape(), array.shape, strict=True)
    )
    if not fits or array.dtype != dtype_of(type.element_type):
        raise DiagnosticException(
            f"input {index} is {array.dtype}{list(array.shape)}, the model takes {type}"
        )


class _Scope:
    """The states during a call, and what an observer sees of it."""

    def __init__(self, executor: Executor, observe: Observer | None):
        self.states, self.observe = dict(executor.states), observe
        self.executor = executor

    def run(self, block: Block, inputs: Sequence[Array]) -> list[Array]:
        """One run of a block: it reads the states as they are now, and its assigns commit at its end."""
        entered = dict(self.states)
        values: dict[SSAValue, Array] = dict(zip(block.args, inputs, strict=True))
        assigned: dict[str, Array] = {}
        for op in block.ops:
            operands = [values[operand] for operand in op.operands]
            match op:
                case func.ReturnOp() | infra.YieldOp():
                    self.states.update(assigned)
                    return operands
                case infra.ReadValueOp():
                    results = [entered.get(op.variable.string_value(), operands[0])]
                case infra.AssignOp():
                    assigned[op.variable.string_value()] = operands[0]
                    results = []
                case infra.TensorIteratorOp():
                    results = self._iterate(op, operands, _parts(op, operands), True)
                case infra.LoopOp():
                    trip, execute, *rest = operands
                    results = self._iterate(op, rest, int(trip.item()), bool(execute.item()))
                case rnn_dialect.SequenceOp():
                    operands = list(self.executor.begin(op, operands))
                    results = _apply(op, operands)
                    self.executor.end(op, results)
                case Operation(name="tfl.no_value"):
                    values[op.results[0]] = cast(Array, None)
                    continue
                case infra.FailOp():
                    raise DiagnosticException(op.message.data)
                case infra.IfOp():
                    body = op.bodies[0 if operands[0].item() else 1]
                    results = self.run(body, operands[1:])
                case _:
                    results = _apply(op, operands)
            if self.observe is not None:
                self.observe(op, operands, results)
            values.update(zip(op.results, results, strict=True))
        raise AssertionError("a block without a terminator passed verification")

    def _iterate(
        self, op: infra.IteratorOp, operands: Sequence[Array], most: int, go_on: bool
    ) -> list[Array]:
        """
        At most `most` iterations (no limit if negative), while `go_on` and then the body's condition hold and
        sliced operands have parts.
        """
        operands = self.executor.begin(op, operands)
        history: list[list[Array]] = []
        parts = [
            port.slicing.iterations(array.shape[port.axis.data])
            for port, array in zip(op.inputs, operands, strict=True)
            if isinstance(port, infra.SlicedAttr)
        ]
        has_room = isinstance(op, infra.LoopOp) and op.most_iterations is not None
        room = op.room() if has_room else None
        while (
            go_on and not 0 <= most <= len(history) and len(history) < min(parts, default=1 << 62)
        ):
            if room is not None and len(history) >= room:
                raise infra.TooManyIterationsError(room)
            arguments = [
                self._argument(port, array, history)
                for port, array in zip(op.inputs, operands, strict=True)
            ]
            if op.extra_arguments:
                dtype = dtype_of(cast(TensorType[Any], op.body.block.args[-1].type).element_type)
                shape = cast(TensorType[Any], op.body.block.args[-1].type).get_shape()
                arguments.append(np.full(shape, len(history), dtype))
            history.append(self.run(op.body.block, arguments))
            if isinstance(op, infra.LoopOp) and op.body_condition is not None:
                go_on = bool(history[-1][op.body_condition.value.data].item())
        results = [_collect(op, port, operands, history) for port in op.outputs]
        if room is not None:
            results = [
                _filled_up(port, array, room)
                for port, array in zip(op.outputs, results, strict=True)
            ]
        if history:
            self.executor.end(op, history[-1])
        return results

    def _argument(
        self, port: infra.PortAttr, array: Array, history: Sequence[Sequence[Array]]
    ) -> Array:
        match port:
            case infra.SlicedAttr():
                return _part(array, port.slicing, len(history))
            case infra.MergedAttr() if history:
                return history[-1][port.result.data]
            case _:
                return array


def _parts(op: infra.TensorIteratorOp, operands: Sequence[Array]) -> int:
    counts = {
        port.slicing.iterations(array.shape[port.axis.data])
        for port, array in zip(op.inputs, operands, strict=True)
        if isinstance(port, infra.SlicedAttr)
    }
    if len(counts) > 1:
        raise DiagnosticException(
            f"{label(op)}: sliced inputs give different numbers of iterations: {sorted(counts)}"
        )
    return counts.pop() if counts else 1


def _part(array: Array, slicing: infra.Slicing, iteration: int) -> Array:
    begin = slicing.begin(array.shape[slicing.axis], iteration)
    return np.take(array, range(begin, begin + slicing.part_size), slicing.axis)


def _collect(
    op: infra.IteratorOp,
    port: infra.PortAttr,
    operands: Sequence[Array],
    history: Sequence[Sequence[Array]],
) -> Array:
    assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
    number = port.result.data
    values = [results[number] for results in history]
    if isinstance(port, infra.ConcatenatedAttr):
        if not values:
            return _nothing(op, port)
        if port.stride.data < 0:
            values.reverse()
        return np.concatenate(values, port.axis.data)
    if values:
        return values[port.iteration.data]
    for given, array in zip(op.inputs, operands, strict=True):
        if isinstance(given, infra.MergedAttr) and given.result.data == number:
            return array
    raise DiagnosticException(
        f"{label(op)}: runs no iteration, so body result {number} has no value; merge it with an input"
    )


def _filled_up(port: infra.PortAttr, array: Array, room: int) -> Array:
    """The concatenation, with zeros behind it for the iterations that did not run."""
    if not isinstance(port, infra.ConcatenatedAttr):
        return array
    more = room * port.part_size.data - array.shape[port.axis.data]
    return np.pad(array, [(0, more if d == port.axis.data else 0) for d in range(array.ndim)])


def _nothing(op: infra.IteratorOp, port: infra.ConcatenatedAttr) -> Array:
    """The concatenation of no parts."""
    type = cast(TensorType[Any], op.yielded[port.result.data].type)
    shape = [max(size, 0) for size in type.get_shape()]
    shape[port.axis.data] = 0
    return np.zeros(shape, dtype_of(type.element_type))


def _apply(op: Operation, operands: Sequence[Array]) -> list[Array]:
    if not has_meaning(op):
        raise NoMeaningError(f"{label(op)}: has no meaning in the reference executor")
    results = evaluate(op, operands)
    for result, array in zip(op.results, results, strict=True):
        wanted = dtype_of(cast(TensorType[Any], result.type).element_type)
        assert array.dtype == wanted, f"{op.name} gave {array.dtype} for {wanted}"
    return results
