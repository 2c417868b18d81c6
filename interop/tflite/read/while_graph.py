"""What a WHILE does with what it carries, read from its subgraphs before any of it is read as operations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ..graph import Graph, Operator, Subgraph, Tensor

UPPER = {"LESS": 0, "LESS_EQUAL": 1}
"""Comparisons of a counter with its limit, and how many steps more than their difference these let happen."""

LOWER = {"GREATER": 0, "GREATER_EQUAL": 1}
"""The same, the limit first."""


@dataclass(frozen=True)
class Affine:
    """`slope * counter + offset`, of the counter with this number; elementwise."""

    counter: int
    slope: Any
    offset: Any

    def at(self, start: int) -> Affine:
        """The same of the number of the step, where the counter begins with `start`."""
        return Affine(self.counter, self.slope, self.offset + self.slope * start)


@dataclass(frozen=True)
class Limit:
    """The loop goes on while the counter of this number is less than `value + more`."""

    counter: int
    value: Tensor
    more: int


@dataclass(frozen=True)
class Part:
    """What an operator of the body takes from, or puts into, what is carried: a part along an axis at each step."""

    operator: Operator
    carried: int
    place: Affine
    axis: int
    size: int

    @property
    def is_scalar(self) -> bool:
        """Whether the part comes without the axis."""
        return np.ndim(self.place.offset) == 0


@dataclass(frozen=True)
class Setting:
    """The operator after which a list has another part, and that."""

    part: Part
    item: Tensor


@dataclass(frozen=True)
class While:
    """The two subgraphs of a WHILE; both take all that it carries."""

    op: Operator
    condition: Subgraph
    body: Subgraph

    @classmethod
    def of(cls, graph: Graph, op: Operator) -> While:
        condition = graph.named(op, "condSubgraphIndex")
        body = graph.named(op, "bodySubgraphIndex")
        counts = {len(op.inputs), len(op.outputs), len(condition.inputs), len(body.inputs)}
        if len({*counts, len(body.outputs)}) > 1 or len(condition.outputs) != 1:
            raise DiagnosticException(
                f"carries {len(op.inputs)} tensors; its condition takes {len(condition.inputs)} and gives "
                f"{len(condition.outputs)}, its body takes {len(body.inputs)} and gives {len(body.outputs)}"
            )
        return cls(op, condition, body)

    @cached_property
    def producers(self) -> dict[Tensor, Operator]:
        """By tensor of either subgraph, what gives it."""
        both = [*self.condition.operators, *self.body.operators]
        return {output: op for op in both for output in op.outputs}

    @cached_property
    def numbers(self) -> dict[Tensor, int]:
        """Which of what is carried an input of either subgraph is."""
        return {t: i for side in (self.condition, self.body) for i, t in enumerate(side.inputs)}

    def is_invariant(self, index: int) -> bool:
        return self.body.outputs[index] is self.body.inputs[index]

    def counts(self, index: int) -> bool:
        """Whether this is one more after each step."""
        op = self.producers.get(self.body.outputs[index])
        if op is None or op.builtin != "ADD" or op.options.get("fusedActivationFunction"):
            return False
        left, right = op.inputs
        argument = self.body.inputs[index]
        return argument.element.startswith("int") and (
            (left is argument and _is_one(right)) or (right is argument and _is_one(left))
        )

    # --- the condition ---

    @cached_property
    def leaves(self) -> Sequence[Tensor]:
        """What all has to hold for another step."""
        pending, found = [self.condition.outputs[0]], list[Tensor]()
        while pending:
            op = self.producers.get(tensor := pending.pop())
            if op is not None and op.builtin == "LOGICAL_AND":
                pending += [operand for operand in op.inputs if operand is not None]
            else:
                found.append(tensor)
        return found

    def limit(self, leaf: Tensor) -> Limit | None:
        """What a part of the condition says of a counter; None where it says something else."""
        op = self.producers.get(leaf)
        if op is None or op.builtin not in (*UPPER, *LOWER):
            return None
        first, second = op.inputs if op.builtin in UPPER else op.inputs[::-1]
        if first is None or second is None or (counter := self.numbers.get(first)) is None:
            return None
        other = self.numbers.get(second)
        is_kept = second.data is not None or (other is not None and self.is_invariant(other))
        if not self.counts(counter) or not is_kept:
            return None
        limit = second if other is None else self.op.inputs[other]
        assert limit is not None
        return Limit(counter, limit, {**UPPER, **LOWER}[op.builtin])

    # --- lists ---

    def affine(self, tensor: Tensor | None) -> Affine | None:
        """What a tensor of integers makes of one counter; None where it is something else."""
        if tensor is None:
            return None
        if any(size < 0 for size in tensor.shape):
            return None
        if (index := self.numbers.get(tensor)) is not None:
            slope = np.ones(tensor.shape, np.int64)
            return Affine(index, slope, 0 * slope) if self.counts(index) else None
        if tensor.data is not None or (op := self.producers.get(tensor)) is None:
            return None
        if op.builtin in ("RESHAPE", "CAST"):
            found = self.affine(op.inputs[0])
            if found is None:
                return None
            slope, offset = (n.reshape(tensor.shape) for n in (found.slope, found.offset))
            return Affine(found.counter, slope, offset)
        if op.builtin == "CONCATENATION":
            return self._joined(op)
        if op.builtin not in ("ADD", "MUL") or op.options.get("fusedActivationFunction"):
            return None
        for one, other in (op.inputs, op.inputs[::-1]):
            found = self.affine(one)
            if found is not None and other is not None and other.data is not None:
                number = other.data.astype(np.int64)
                if op.builtin == "MUL":
                    return Affine(found.counter, found.slope * number, found.offset * number)
                slope = found.slope + np.zeros_like(number)
                return Affine(found.counter, slope, found.offset + number)
        return None

    def _joined(self, op: Operator) -> Affine | None:
        slopes, offsets, counters = list[Any](), list[Any](), set[int]()
        for operand in op.inputs:
            if operand is not None and operand.data is not None:
                slopes.append(np.zeros_like(operand.data, np.int64))
                offsets.append(operand.data.astype(np.int64))
            elif (found := self.affine(operand)) is not None and found.offset.ndim == 1:
                slopes.append(found.slope)
                offsets.append(found.offset)
                counters.add(found.counter)
            else:
                return None
        if len(counters) != 1:
            return None
        return Affine(counters.pop(), np.concatenate(slopes), np.concatenate(offsets))

    def taken(self, op: Operator) -> Part | None:
        """The part of something invariant that an operator takes at each step; None for any other operator."""
        if op.builtin != "GATHER" or op.options.get("batchDims"):
            return None
        source, indices = op.inputs
        index = self.numbers.get(source) if source is not None else None
        place = self.affine(indices)
        if source is None or index is None or place is None or not self.is_invariant(index):
            return None
        size = np.size(place.offset)
        steps = np.broadcast_to(place.slope, np.shape(place.offset)).reshape(-1)
        if np.ndim(place.offset) > 1 or len(set(steps.tolist())) != 1:
            return None
        if np.any(np.diff(np.reshape(place.offset, -1)) != 1):
            return None
        return Part(op, index, place, int(op.options["axis"]) % max(source.rank, 1), size)

    def setting(self, index: int) -> Setting | None:
        """How a list gets another part at each step; None where something else is done with it."""
        op = self.producers.get(self.body.outputs[index])
        if op is not None and op.builtin == "DYNAMIC_UPDATE_SLICE":
            return self._updated(index, op)
        if op is not None and op.builtin == "CONCATENATION":
            return self._spliced(index, op)
        return None

    def _updated(self, index: int, op: Operator) -> Setting | None:
        """`list[…, place : place + size, …] = item`"""
        source, item, where = op.inputs
        place = self.affine(where)
        if source is not self.body.inputs[index] or item is None or place is None:
            return None
        assert source is not None
        moving = np.flatnonzero(place.slope)
        if len(moving) != 1 or item.rank != source.rank:
            return None
        axis = int(moving[0])
        others = [i for i in range(item.rank) if i != axis]
        if any(place.offset[i] or item.shape[i] != source.shape[i] for i in others):
            return None
        along = Affine(place.counter, place.slope[axis], place.offset[axis])
        return Setting(Part(op, index, along, axis, item.shape[axis]), item)

    def _spliced(self, index: int, op: Operator) -> Setting | None:
        """`concat(list[: place], item, list[place + size :])`, as TensorFlow's converter sets an element."""
        if len(op.inputs) != 3 or (item := op.inputs[1]) is None:
            return None
        before, _, after = op.inputs
        argument, axis = self.body.inputs[index], int(op.options["axis"]) % item.rank
        slices = [self.producers.get(t) if t is not None else None for t in (before, after)]
        if any(s is None or s.builtin != "SLICE" or s.inputs[0] is not argument for s in slices):
            return None
        first, second = (s for s in slices if s is not None)
        begin, end = first.inputs[1], self.affine(first.inputs[2])
        onward, rest = self.affine(second.inputs[1]), second.inputs[2]
        if begin is None or begin.data is None or rest is None or rest.data is None:
            return None
        if end is None or onward is None or begin.data.any() or (rest.data != -1).any():
            return None
        unit = np.arange(item.rank) == axis
        is_whole = np.all(unit | (end.slope == 0) & (end.offset == -1))
        is_next = np.all(onward.slope == np.where(unit, end.slope, 0)) and np.all(
            onward.offset == np.where(unit, end.offset + item.shape[axis], 0)
        )
        if not is_whole or not is_next or end.counter != onward.counter:
            return None
        along = Affine(end.counter, end.slope[axis], end.offset[axis])
        return Setting(Part(op, index, along, axis, item.shape[axis]), item)

    # --- what is needed ---

    def reached(
        self, wanted: Collection[Tensor], replaced: Collection[Tensor]
    ) -> tuple[set[int], set[int]]:
        """
        What makes these tensors, not looking behind those that are `replaced`: the numbers of inputs, and the
        identities of operators.
        """
        inputs, operators, pending = set[int](), set[int](), list(wanted)
        while pending:
            tensor = pending.pop()
            if any(tensor is each for each in replaced):
                continue
            if (index := self.numbers.get(tensor)) is not None:
                inputs.add(index)
            elif (op := self.producers.get(tensor)) is not None and id(op) not in operators:
                operators.add(id(op))
                pending += [operand for operand in op.inputs if operand is not None]
        return inputs, operators


def _is_one(tensor: Tensor | None) -> bool:
    return (
        tensor is not None
        and tensor.data is not None
        and tensor.data.size == 1
        and tensor.data.reshape(-1)[0] == 1
    )
