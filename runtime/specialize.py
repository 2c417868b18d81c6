"""Specialization: a model for calls that begin with inputs and states of certain shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i64
from xdsl.utils.exceptions import VerifyException

from ..dialects import context, infra
from ..dialects.inferred import shape_of, spelled, tensor
from ..dialects.module import entry_of, port_names
from ..dialects.rewriter import Rewriter
from ..dialects.verification import verify
from ..dialects.walk import all_operations
from ..lowering.dynamic_shapes.bound_inputs import BoundInputs, initialize_with_zeros
from ..passes.errors import DiagnosticError
from ..passes.infer_shapes import infer_types_of_call

if TYPE_CHECKING:
    from .buckets import Bucket

Shape = Sequence[int]


def has_unknown_states(module: ModuleOp) -> bool:
    """Whether a state has an unknown dimension."""
    variables = infra.variables_of(module).values()
    return any(not cast(TensorType[Any], op.type).has_static_shape() for op in variables)


def has_unlimited_loops(module: ModuleOp) -> bool:
    """Whether what a loop puts together, or appends to, needs room for a number of iterations that only a run tells."""
    return any(
        op.iterations() is None
        and op.most() is None
        and any(
            isinstance(port, infra.ConcatenatedAttr) or not tensor(result).has_static_shape()
            for port, result in zip(op.outputs, op.results, strict=True)
        )
        for op in all_operations(module)
        if isinstance(op, infra.LoopOp)
    )


def specialized(
    module: ModuleOp,
    inputs: Sequence[Shape],
    states: Mapping[str, Shape],
    room: int | None = None,
) -> ModuleOp:
    """
    A copy of a module for calls whose inputs, in order, and states, by name, have these shapes; states that
    are not named are unset. Variables stay as they are declared: what is assigned may have yet another shape. Loops
    that nothing limits have room for so many iterations.

    Raises DiagnosticException, saying the shapes, where the model does not fit them.
    """
    module = module.clone()
    entry = entry_of(module)
    if room is not None:
        module.attributes[infra.ROOM] = IntegerAttr(room, i64)
    for argument, shape in zip(list(entry.args), inputs, strict=True):
        type = TensorType(tensor(argument).element_type, shape)
        Rewriter.replace_value_with_new_type(argument, type)
    try:
        infer_types_of_call(module, {name: tuple(shape) for name, shape in states.items()})
        _drop_initial_values(module, states)
        verify(module)
    except VerifyException as error:
        names = port_names(entry.arg_attrs, len(inputs))
        ports = [
            *(
                f"input '{listed[0] if listed else i}' {spelled(shape)}"
                for i, (listed, shape) in enumerate(zip(names, inputs, strict=True))
            ),
            *(f"state '{name}' {spelled(shape)}" for name, shape in states.items()),
        ]
        advice = "; give other inputs, or reset the states" if states else ""
        raise DiagnosticError(
            f"the model does not fit {', '.join(ports)}: {error}{advice}"
        ) from error
    return module


def with_bounded_inputs(module: ModuleOp, bucket: Bucket) -> ModuleOp:
    """
    A copy of a module for all calls of a bucket. Raises DiagnosticException or VerifyException where the model does not
    fit their shapes.
    """
    shapes = bucket.at(bucket.most)
    count = len(shapes) - len(bucket.states)
    states = dict(zip(bucket.states, shapes[count:], strict=True))
    module = specialized(module, shapes[:count], states)
    variables = list(infra.variables_of(module))
    numbers = [*range(count), *map(variables.index, bucket.states)]
    of_inputs, of_states = (
        tuple(
            each
            for n, *rest in bucket.dimensions
            if (n < count) == is_input
            for each in (numbers[n], *rest)
        )
        for is_input in (True, False)
    )
    conditions = tuple(int(each) for pair in bucket.conditions for each in pair)
    BoundInputs(bucket.most, of_inputs, of_states, conditions).apply(context(), module)
    verify(module)
    return module


def shapes_read(module: ModuleOp) -> dict[str, tuple[int, ...]]:
    """
    The shapes that a specialized module says of states of unknown size. Only its reads do: passes that infer
    types anew from what is declared forget them.
    """
    variables = infra.variables_of(module)
    reads = [op for op in module.walk() if isinstance(op, infra.ReadValueOp)]
    return {
        name: shape_of(op.result)
        for op in reads
        if (name := op.variable.string_value()) and variables[name].type != op.result.type
    }


def _drop_initial_values(module: ModuleOp, states: Mapping[str, Shape]) -> None:
    """Where a state is set, an initial value of another shape is not needed; zeros stand for it."""
    for op in all_operations(module):
        if (
            isinstance(op, infra.ReadValueOp)
            and op.variable.string_value() in states
            and op.init.type != op.result.type
        ):
            initialize_with_zeros(op)
