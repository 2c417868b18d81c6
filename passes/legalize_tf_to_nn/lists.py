"""TensorLists, as tensors with one more dimension, and variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from ..tensorflow_rules.movement import gather
from .translation import Translation, rule
from .values import Nothing, TensorList, Value, Variable


@rule("TensorListFromTensor")
def from_tensor(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return TensorList(t.tensor_of(op, values[0]))


@rule("TensorListReserve")
def reserve(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return TensorList(None, t.tensor_of(op, values[1]))


@rule("EmptyTensorList")
def empty(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return TensorList(None, t.integer(0))


@rule("TensorListStack")
def stack(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return stacked(op, values[0])


def stacked(op: TfOp, value: Value) -> Value:
    """The elements of a list, stacked."""
    if isinstance(value, TensorList) and value.stacked is not None:
        return value.stacked
    raise DiagnosticException(
        f"{op.label}: reads a list that no loop has filled; only lists made of a tensor or written at "
        "each step of a loop have a meaning here"
    )


@rule("TensorListGetItem")
def get_item(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return gather(
        t, op, t.tensor_of(op, stacked(op, values[0])), t.long(t.tensor_of(op, values[1]))
    )


@rule("TensorListSetItem")
def set_item(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    """
    In a list that may grow, or has unknown sizes: the elements before, the new one, and the elements behind. Otherwise,
    an update in place. A list of one element becomes the new one.
    """
    whole, index, item = values[0], t.long(t.tensor_of(op, values[1])), t.tensor_of(op, values[2])
    if not isinstance(whole, TensorList):
        raise DiagnosticException(f"{op.label}: sets an element of what is not a list")
    part, place = t(nn.UnsqueezeOp, item, t.integers(0)), t(nn.UnsqueezeOp, index, t.integers(0))
    old, grows = whole.stacked, op.flag("resize_if_index_out_of_bounds")
    if old is None:
        old = zeros(t, whole.count, TensorType(tensor(part).element_type, [-1, *shape_of(item)]))
    if shape_of(old)[0] == 1 and not grows:
        return TensorList(part)
    if grows or DYNAMIC_INDEX in (*shape_of(old), *shape_of(part)):
        first, one = t.integers(0), t.integers(1)
        before = t(nn.SliceOp, old, first, place, one, first)
        onward, end = t(nn.AddOp, place, one), t.integers(np.iinfo(np.int64).max)
        after = t(nn.SliceOp, old, onward, end, one, first)
        return TensorList(t(nn.ConcatOp, before, part, after, axis=0))
    places = t(nn.ConcatOp, place, t.integers(*[0] * len(shape_of(item))), axis=0)
    made = tfl.DynamicUpdateSliceOp.create(operands=[old, part, places], result_types=[old.type])
    return TensorList(t.builder.insert(made).results[0])


def zeros(t: Translation, count: SSAValue | None, type: TensorType[Any]) -> SSAValue:
    """`count` elements that were not set yet; unknown sizes are 0 until then."""
    assert count is not None, "what is not filled has room"
    length = t(nn.ReshapeOp, t.long(count), t.integers(1))
    element = t.integers(*(max(size, 0) for size in type.get_shape()[1:]))
    zero = t.constant(BlobAttr.of(TensorType(type.element_type, []), [0]))
    return t(nn.BroadcastOp, zero, t(nn.ConcatOp, length, element, axis=0))


@rule("VarHandleOp")
def var_handle(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return Variable(op.text("shared_name"))


@rule("ReadVariableOp")
def read_variable(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return read(t, op, values[0])


def read(t: Translation, op: TfOp, value: Value) -> Value:
    """The value of a variable."""
    if not isinstance(value, Variable):
        raise DiagnosticException(f"{op.label}: reads what is not a variable")
    return t.states.read(t, value.name)


@rule("ResourceGather")
def gather_variable(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return gather(t, op, *t.tensors_of(op, [read(t, op, values[0]), *values[1:]]))


@rule("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp")
def assign_variable(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    variable, value = values[0], t.tensor_of(op, values[1])
    if not isinstance(variable, Variable):
        raise DiagnosticException(f"{op.label}: assigns what is not a variable")
    if op.name != "AssignVariableOp":
        kind = nn.AddOp if op.name == "AssignAddVariableOp" else nn.SubtractOp
        value = t(kind, t.states.read(t, variable.name), value)
    t.states.assign(t, variable.name, value)
    return [Nothing() for _ in op.op.results]
