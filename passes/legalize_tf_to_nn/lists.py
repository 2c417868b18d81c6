"""TensorLists outside of loops, and variables."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ..tensorflow import TfOp
from .translation import Translation, rule
from .values import Nothing, TensorList, Value, Variable


@rule("TensorListFromTensor")
def from_tensor(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return TensorList(t.tensor_of(op, values[0]))


@rule("TensorListReserve")
def reserve(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    count = t.known(t.tensor_of(op, values[1]))
    return TensorList(None, None if count is None else count[0])


@rule("EmptyTensorList")
def empty(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return TensorList(None, 0)


@rule("TensorListStack")
def stack(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return stacked(op, values[0])


def stacked(op: TfOp, value: Value) -> Value:
    """The elements of a list, one after the other."""
    if isinstance(value, TensorList) and value.stacked is not None:
        return value.stacked
    raise DiagnosticException(
        f"tf.{op.name}: reads a list that no loop has filled; only lists made of a tensor or written at "
        "each step of a loop have a meaning here"
    )


@rule("VarHandleOp")
def var_handle(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return Variable(op.text("shared_name"))


@rule("ReadVariableOp")
def read_variable(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return read(t, op, values[0])


def read(t: Translation, op: TfOp, value: Value) -> Value:
    """The value of a variable."""
    if not isinstance(value, Variable):
        raise DiagnosticException(f"tf.{op.name}: reads what is no variable")
    return t.states.read(t, value.name)


@rule("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp")
def assign_variable(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    variable, value = values[0], t.tensor_of(op, values[1])
    if not isinstance(variable, Variable):
        raise DiagnosticException(f"tf.{op.name}: assigns what is no variable")
    if op.name != "AssignVariableOp":
        kind = nn.AddOp if op.name == "AssignAddVariableOp" else nn.SubtractOp
        value = t(kind, t.states.read(t, variable.name), value)
    t.states.assign(t, variable.name, value)
    return [Nothing() for _ in op.op.results]
