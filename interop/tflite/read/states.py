"""Resource variables as states: what they hold is a value, where the file has codes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra
from ....dialects.inferred import tensor
from ..graph import Operator, Tensor
from .reader import Held, Reader, reads, there, type_of


def read_value(read: Reader, name: str, init: SSAValue) -> SSAValue:
    """What a state has, or `init`."""
    type = tensor(init)
    read.variables[name] = type
    return read.write.builder.insert(infra.ReadValueOp(name, init, type)).result


@reads("VAR_HANDLE")
def var_handle(read: Reader, op: Operator) -> None:
    read.handles[op.outputs[0]] = _text(op.options["sharedName"])


@reads("READ_VARIABLE")
def read_variable(read: Reader, op: Operator) -> None:
    """
    What was assigned before, or what the variable has when the call begins. Before the first one that is
    what was made once, or what a SELECT_V2 that reads it gives in its place.
    """
    (target,) = op.outputs
    name = read.handles[there(op.inputs[0])]
    if name in read.assigned:
        read.same(target, _as(read, name, read.assigned[name], target))
        return
    users = [o for o in read.subgraph.operators if target in o.inputs]
    if users and all(o.builtin == "SELECT_V2" and o.inputs[1] is target for o in users):
        read.handles[target] = name
        return
    if name in read.begun:
        first = _as(read, name, read.begun[name], target)
    elif any(size < 0 for size in target.shape):
        raise DiagnosticException(
            f"variable '{name}' has no known size, {list(target.shape)}; convert the model with fixed shapes"
        )
    else:
        first = read.constant(np.zeros(target.shape, target.element))
        if target.quantization is not None:
            first = read.dequantized(target, first)
    read.same(target, read_value(read, name, first))


def _as(read: Reader, name: str, held: Held, target: Tensor) -> SSAValue:
    """What a variable holds, as it is read: codes that nobody said the meaning of have that of the reader."""
    if held.quantization == target.quantization:
        return held.value
    if (
        held.quantization is None
        and tensor(held.value).element_type == type_of(target).element_type
    ):
        return read.dequantized(target, held.value)
    raise DiagnosticException(
        f"variable '{name}' is assigned in codes of another scale than it is read in; convert the model "
        "anew, with one scale for both"
    )


@reads("ASSIGN_VARIABLE")
def assign_variable(read: Reader, op: Operator) -> None:
    name, source = read.handles[there(op.inputs[0])], there(op.inputs[1])
    held = Held(read.value(source), source.quantization)
    read.variables.setdefault(name, tensor(held.value))
    read.assigned[name] = held


@reads("CALL_ONCE")
def call_once(read: Reader, op: Operator) -> None:
    """What this assigns to variables is what they begin with."""
    inner = read.inside(read.graph.named(op, "initSubgraphIndex"), read.block)
    inner.read_all()
    read.begun |= inner.assigned


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
