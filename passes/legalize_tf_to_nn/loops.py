"""`tf.While` as `infra.loop`; `raise-loop-ports` finds its counters, slices and concatenations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import tensor
from ..iterator_ports import Ports
from ..raise_loop_ports.merged import merged_loop
from ..tensorflow import TfOp, origin
from .lists import zeros
from .translation import NOTHING, Translation, rule
from .values import TensorList, Value
from .variables import VariableValues


class StatesOfLoop(VariableValues):
    """Variables in the body of a loop, which cannot assign them."""

    def __init__(self, outer: Translation, ports: Ports):
        super().__init__({})
        self.outer, self.ports = outer, ports

    def read(self, t: Translation, name: str) -> SSAValue:
        return self.ports.invariant(self.outer.states.read(self.outer, name))

    def assign(self, t: Translation, name: str, value: SSAValue) -> None:
        raise DiagnosticException(
            f"tf.AssignVariableOp: variable '{name}' is assigned within a loop; assign it after the loop"
        )


@rule("While", "StatelessWhile")
def while_(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    """Tensors and lists are carried. Small constants that are only passed through become constants of the body."""
    condition, body = (_function(t, op, role) for role in ("cond", "body"))
    assert isinstance(body.last_op, func.ReturnOp)
    after = [origin(value) for value in body.last_op.operands]
    stays = [after[i] is argument for i, argument in enumerate(body.args)]
    carried = [
        i
        for i, value in enumerate(values)
        if isinstance(value, SSAValue | TensorList) and not (stays[i] and _is_small(t, value))
    ]
    loop = _While(t, op, condition, body, list(values), carried)
    types = loop.reserve_lists()
    values, carried = loop.values, loop.carried
    starts = [_tensor(t, op, values[i]) for i in carried]
    (goes_on,) = t.block(condition, values)
    results = merged_loop(
        t,
        starts,
        t.tensor_of(op, goes_on),
        loop.step,
        [n for n, i in enumerate(carried) if op.op.results[i].first_use is not None],
        {n: types[i] for n, i in enumerate(carried) if i in types},
    )
    found = [value if stays[i] else NOTHING for i, value in enumerate(values)]
    for number, value in results.items():
        found[carried[number]] = _like(values[carried[number]], value)
    return found


@dataclass
class _While:
    """A loop of TensorFlow: the values that it begins with, and the numbers of those that it carries."""

    t: Translation
    op: TfOp
    condition: Block
    body: Block
    values: list[Value]
    carried: list[int]

    def step(
        self, ports: Ports, arguments: Sequence[SSAValue]
    ) -> tuple[Sequence[SSAValue], SSAValue]:
        """An iteration: what it leaves in the place of the carried tensors, and whether another one follows."""
        known = dict(zip(self.carried, arguments, strict=True))
        inner, results = self._run(
            ports, {i: _like(self.values[i], known[i]) for i in self.carried}
        )
        tensors = [_tensor(inner, self.op, results[i]) for i in self.carried]
        (goes_on,) = inner.block(self.condition, self._given(inner, results))
        return tensors, inner.tensor_of(self.op, goes_on)

    def reserve_lists(self) -> dict[int, TensorType[Any]]:
        """
        Fills lists whose elements have no type yet with zeros of the type that an iteration puts into them. Gives these
        types. A list that stays empty is not carried.
        """
        carried = [(i, self.values[i]) for i in self.carried]
        empty = [i for i, each in carried if isinstance(each, TensorList) and not each.stacked]
        if not empty:
            return {}
        ports = Ports()
        first = {
            i: value if i in empty else _like(value, ports.merged(_tensor(self.t, self.op, value)))
            for i, value in carried
            if isinstance(value, SSAValue | TensorList)
        }
        _, filled = self._run(ports, first)
        types: dict[int, TensorType[Any]] = {}
        for i in empty:
            reserved, list_ = self.values[i], filled[i]
            assert isinstance(reserved, TensorList)
            if isinstance(list_, TensorList) and list_.stacked is not None:
                types[i] = tensor(list_.stacked)
                self.values[i] = TensorList(zeros(self.t, reserved.count, types[i]))
        self.carried = [i for i in self.carried if i not in empty or i in types]
        return types

    def _run(
        self, ports: Ports, known: Mapping[int, Value]
    ) -> tuple[Translation, dict[int, Value]]:
        """The body in terms of these values: what it is translated in, and what becomes of the carried values."""
        inner = self.t.inside(ports.block, StatesOfLoop(self.t, ports))
        results = inner.block(self.body, self._given(inner, known), self.carried)
        return inner, {i: results[i] for i in self.carried}

    def _given(self, inner: Translation, known: Mapping[int, Value]) -> list[Value]:
        """The arguments of a function, in terms of these values; others are passed as they are."""
        return [
            known[i] if i in known else _own(inner, value) for i, value in enumerate(self.values)
        ]


def _function(t: Translation, op: TfOp, role: str) -> Block:
    name = op.symbol(role)
    if (function := t.functions.get(name)) is None or not function.body.blocks:
        raise DiagnosticException(f"{op.label}: there is no function @{name} for its {role}")
    return function.body.block


def _is_small(t: Translation, value: Value) -> bool:
    """Whether a value is integers that the body may hold itself."""
    return (
        isinstance(value, SSAValue)
        and isinstance(value.owner, nn.ConstantOp)
        and isinstance(tensor(value).element_type, IntegerType)
        and t.known(value) is not None
    )


def _own(inner: Translation, value: Value) -> Value:
    """A constant, copied into the body; any other value is itself."""
    if isinstance(value, SSAValue) and isinstance(value.owner, nn.ConstantOp):
        return inner.constant(value.owner.value)
    return value


def _tensor(t: Translation, op: TfOp, value: Value) -> SSAValue:
    """A tensor, or the elements of a list, as what a loop carries."""
    if isinstance(value, TensorList) and value.stacked is not None:
        return value.stacked
    return t.tensor_of(op, value)


def _like(value: Value, carried: SSAValue) -> Value:
    """What a loop carries as what it stands for."""
    return TensorList(carried) if isinstance(value, TensorList) else carried
