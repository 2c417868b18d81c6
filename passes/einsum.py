"""Einsum: sums of products along named dimensions, as transposes, reshapes and matrix products."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import nn
from ..dialects.elements import bits_of
from ..dialects.inferred import shape_of, spelled, tensor
from ..dialects.nn.writer import Writer

Labels = tuple[str, ...]
"""The names of a value's dimensions: letters, and for those of an ellipsis their index from the right."""

_SUBSCRIPT = re.compile(r"[A-Za-z]|\.\.\.")


def einsum(write: Writer, equation: str, operands: Sequence[SSAValue]) -> SSAValue:
    """
    `abc,cd->abd`: `result[a, b, d] = sum_c first[a, b, c] * second[c, d]`, operands from the left to the right. An
    operation gives the result, never an operand itself.

    A letter that an operand has twice takes its diagonal. Raises DiagnosticException where the equation is none for
    these operands.
    """
    inputs, output = read(equation, [len(shape_of(value)) for value in operands])
    for value in operands:
        if bits_of(element := tensor(value).element_type) <= 8 and len(operands) > 1:
            raise DiagnosticException(
                f"products of {element} are not supported; convert them first"
            )
    products = _Products(write)
    first, *rest = map(products.diagonal, map(_Term, operands, inputs))
    for number, second in enumerate(rest, 1):
        needed = {*output, *(label for labels in inputs[number + 1 :] for label in labels)}
        first = products.product(first, second, needed)
    result = products.transpose(products.sum(first, output), output)
    if result in operands:
        return write(nn.TransposeOp, result, write.integers(*range(len(output))))
    return result


def read(equation: str, ranks: Sequence[int]) -> tuple[list[Labels], Labels]:
    """The labels of inputs of these ranks, and those of the output."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    subscripts = left.split(",")
    if len(subscripts) != len(ranks):
        raise DiagnosticException(
            f"equation '{equation}' has {len(subscripts)} inputs, the operation {len(ranks)}"
        )
    inputs = [_labels(equation, *each) for each in zip(subscripts, ranks, strict=True)]
    counts = Counter(label for labels in inputs for label in labels)
    wide = max((_ellipsis(labels) for labels in inputs), key=len)
    if arrow:
        given = _SUBSCRIPT.findall(right)
        output = tuple(label for part in given for label in (wide if part == "..." else (part,)))
        if (
            "".join(given) != right
            or len({*output}) < len(output)
            or not counts.keys() >= {*output}
        ):
            raise DiagnosticException(
                f"output '{right}' of equation '{equation}' must list labels of its inputs, each once"
            )
        return inputs, output
    once = sorted(label for label, count in counts.items() if count == 1 and label.isalpha())
    return inputs, (*wide, *once)


def _labels(equation: str, subscript: str, rank: int) -> Labels:
    parts = _SUBSCRIPT.findall(subscript)
    letters = [part for part in parts if part != "..."]
    if "".join(parts) != subscript or parts.count("...") > 1:
        raise DiagnosticException(f"equation '{equation}': '{subscript}' is not a list of labels")
    missing = rank - len(letters)
    if missing < 0 or (missing and "..." not in parts):
        raise DiagnosticException(
            f"equation '{equation}': '{subscript}' is for {len(letters)} dimensions, its input has {rank}"
        )
    ellipsis = tuple(str(number) for number in reversed(range(missing)))
    return tuple(label for part in parts for label in (ellipsis if part == "..." else (part,)))


def _ellipsis(labels: Labels) -> Labels:
    """The dimensions of the ellipsis."""
    return tuple(label for label in labels if not label.isalpha())


@dataclass(frozen=True)
class _Term:
    """A value and what its dimensions are called."""

    value: SSAValue
    labels: Labels

    def sizes(self, labels: Sequence[str]) -> list[int]:
        shape = shape_of(self.value)
        return [shape[self.labels.index(label)] for label in labels]


@dataclass(frozen=True)
class _Products:
    """Writes products of two terms, and what goes before and behind them."""

    write: Writer

    def diagonal(self, term: _Term) -> _Term:
        """
        The diagonal of dimensions with the same label: both are merged, `[n * n]`, and every (n + 1)-th element is
        taken.
        """
        twice = [label for label, count in Counter(term.labels).items() if count > 1]
        if not twice:
            return term
        value, (label, *_) = term.value, twice
        (left, right), size = _places(term.labels, label), term.sizes([label])[0]
        others = [axis for axis in range(len(term.labels)) if axis not in (left, right)]
        if DYNAMIC_INDEX in (shape := shape_of(value)) or shape[right] != size:
            raise DiagnosticException(
                f"takes the diagonal of dimensions {spelled([size, shape[right]])}; they must be known and equal"
            )
        write, ahead = self.write, [shape[axis] for axis in others]
        value = write(nn.TransposeOp, value, write.integers(*others, left, right))
        value = write(nn.ReshapeOp, value, write.integers(*ahead, size * size))
        limits = (0, size * size, size + 1, len(others))
        value = write(nn.SliceOp, value, *map(write.integers, limits))
        return self.diagonal(_Term(value, (*(term.labels[axis] for axis in others), label)))

    def product(self, first: _Term, second: _Term, needed: Collection[str]) -> _Term:
        """The sum of products along dimensions that both have and nothing else needs."""
        first = self.sum(first, {*needed, *second.labels})
        second = self.sum(second, {*needed, *first.labels})
        shared = [label for label in first.labels if label in second.labels]
        batch = [label for label in shared if label in needed]
        inner = [label for label in shared if label not in needed]
        rows = [label for label in first.labels if label not in shared]
        columns = [label for label in second.labels if label not in shared]
        left = self.matrix(first, batch, rows, inner)
        right = self.matrix(second, batch, inner, columns)
        value = self.write(nn.MatMulOp, left, right)
        if not len(rows) == len(columns) == 1:
            each = [(first, [label]) for label in rows] + [(second, [label]) for label in columns]
            value = self.reshape(value, len(batch), each)
        return _Term(value, (*batch, *rows, *columns))

    def matrix(
        self, term: _Term, batch: Sequence[str], rows: Sequence[str], columns: Sequence[str]
    ) -> SSAValue:
        """The value as matrices, one for each of `batch`."""
        value = self.transpose(term, (*batch, *rows, *columns))
        if len(rows) == len(columns) == 1:
            return value
        return self.reshape(value, len(batch), [(term, rows), (term, columns)])

    def reshape(
        self, value: SSAValue, ahead: int, dimensions: Sequence[tuple[_Term, Sequence[str]]]
    ) -> SSAValue:
        """Other dimensions behind those that stay; each as large as some of a term together."""
        write, stay = self.write, shape_of(value)[:ahead]
        sizes = [_together(term.sizes(labels)) for term, labels in dimensions]
        if sizes.count(DYNAMIC_INDEX) > 1:
            first = self.gathered_sizes(value, range(ahead))
            others = [self.together(term, labels) for term, labels in dimensions]
            target = write(nn.ConcatOp, first, *others, axis=0)
            return write(nn.ReshapeOp, value, target, special_zero=False)
        copies = DYNAMIC_INDEX in stay
        behind = [-1 if size == DYNAMIC_INDEX else size for size in sizes]
        target = [*((0,) * ahead if copies else stay), *behind]
        return write(nn.ReshapeOp, value, write.integers(*target), special_zero=copies)

    def together(self, term: _Term, labels: Sequence[str]) -> SSAValue:
        """The size of merged dimensions, as a vector of one number."""
        sizes = self.gathered_sizes(term.value, [term.labels.index(label) for label in labels])
        if len(labels) == 1:
            return sizes
        return self.write(nn.ReduceProdOp, sizes, self.write.integers(0), keep_dims=True)

    def gathered_sizes(self, value: SSAValue, axes: Sequence[int]) -> SSAValue:
        write, shape = self.write, self.write(nn.ShapeOfOp, value, output_type=i64)
        return write(nn.GatherOp, shape, write.integers(*axes), write.integer(0), batch_dims=0)

    def sum(self, term: _Term, needed: Collection[str]) -> _Term:
        """The sum along dimensions that nothing else needs."""
        axes = [axis for axis, label in enumerate(term.labels) if label not in needed]
        if not axes:
            return term
        value = self.write(nn.ReduceSumOp, term.value, self.write.integers(*axes))
        return _Term(value, tuple(label for label in term.labels if label in needed))

    def transpose(self, term: _Term, labels: Sequence[str]) -> SSAValue:
        """The value with its dimensions in this order."""
        return self.write.transposed(term.value, [term.labels.index(label) for label in labels])


def _places(labels: Labels, label: str) -> tuple[int, int]:
    """The first two dimensions with the same label."""
    first = labels.index(label)
    return first, labels.index(label, first + 1)


def _together(sizes: Sequence[int]) -> int:
    """The size of merged dimensions."""
    return DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else math.prod(sizes)
