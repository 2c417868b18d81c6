"""Target shapes of `nn.reshape`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

from xdsl.dialects.builtin import (
    BoolAttr,
)

from ...dialects import nn
from .constant_elements import Element, constant_of, replace
from .sizes import ReadDimension, Size, Sizes, follows, is_dynamic, product_of

MOST_CHOICES = 4096
"""Ways to read one target shape that are looked at."""


@dataclass(frozen=True)
class _Choice:
    """An element of a target shape, and the size that it gives; None where it is what is left."""

    element: Element
    size: Size | None


def relax_reshape(op: nn.ReshapeOp, sizes: Sizes) -> list[str]:
    """`reshape(x, [n, m]) = reshape(x, [0, -1])` where the dimensions of x follow an input: see `_read_target`."""
    target, source = constant_of(op.shape), sizes.of_value(op.input)
    if target is None or not any(map(follows, source)) or is_dynamic(op.input, op.result):
        return []
    if 0 in target and not op.special_zero:
        return []  # nothing has elements here
    reading = _read_target(op, target, source, sizes)
    if reading is None or list(reading) == list(target):
        return []
    op.properties["special_zero"] = BoolAttr.from_bool(0 in reading or bool(op.special_zero))
    return [replace(op, 1, reading)]


def _read_target(
    op: nn.ReshapeOp, target: Sequence[int], source: Sequence[Size], sizes: Sizes
) -> list[Element] | None:
    """
    The target that gives as many elements as there are for most sizes of the inputs; of equals, the first in which what
    is left is whole dimensions, which copies most.
    Where it does not, it is an error to give the inputs such sizes: no elements move to another row.
    """
    total = product_of(source)
    choices = [_choices(op, i, given, source, sizes) for i, given in enumerate(target)]
    best: tuple[int, bool, int] | None = None
    found: Sequence[_Choice] = ()
    for reading in islice(product(*choices), MOST_CHOICES):
        is_whole = True
        if (given := _sizes_given(reading, source, sizes, False)) is None:
            is_whole = False
            if -1 not in target or (given := _sizes_given(reading, source, sizes, True)) is None:
                continue
        fits = sum(a == b for a, b in zip(total, product_of(given, len(total)), strict=True))
        left = sum(choice.size is None for choice in reading)
        if best is None or (fits, is_whole, -left) > best:
            best, found = (fits, is_whole, -left), reading
    elements = [choice.element for choice in found]
    asked = [i for i, element in enumerate(elements) if isinstance(element, ReadDimension)]
    if asked and -1 not in elements and best is not None and best[0] == len(total):
        elements[asked[-1]] = -1
    return elements if found else None


def _choices(
    op: nn.ReshapeOp, index: int, given: int, source: Sequence[Size], sizes: Sizes
) -> list[_Choice]:
    """What one element of a target can mean, the plainest first."""
    if given == -1:
        return [_Choice(-1, None)]
    if given == 0:
        return [_Choice(0, source[index])]
    found: list[_Choice] = []
    if index < len(source) and source[index][0] == given:
        found.append(_Choice(0, source[index]))
    found += [_Choice(ReadDimension(op.input, i), size) for i, size in enumerate(source)]
    found += [_Choice(dimension, size) for dimension, size in sizes.input_dimensions(op)]
    unique = {
        choice.size: choice
        for choice in reversed(found)
        if choice.size is not None and choice.size[0] == given and follows(choice.size)
    }
    return [
        *reversed(unique.values()),
        _Choice(given, sizes.literal(given)),
        _Choice(-1, None),
    ]


def _sizes_given(
    reading: Sequence[_Choice], source: Sequence[Size], sizes: Sizes, is_left: bool
) -> list[Size] | None:
    """
    The sizes of the result. What is left must be whole dimensions, of the source or of an input, else
    None: of four columns that become two pairs, nobody knows what more columns become, unless the model
    says it (`is_left`: its target has a -1).
    """
    left = [i for i, choice in enumerate(reading) if choice.size is None]
    if not left:
        return [choice.size for choice in reading if choice.size is not None]
    if len(left) > 1:
        return None
    before = [choice.size for choice in reading[: left[0]] if choice.size is not None]
    after = [choice.size for choice in reading[left[0] + 1 :] if choice.size is not None]
    length = len(source[0])
    quotients = zip(product_of(source), product_of([*before, *after], length), strict=True)
    rests = [divmod(a, b) if b else (0, 1) for a, b in quotients]
    if any(remainder for _, remainder in rests):
        return None
    rest = tuple(quotient for quotient, _ in rests)
    is_whole = any(
        product_of(source[:begin], length) == product_of(before, length)
        and product_of(source[end:], length) == product_of(after, length)
        for begin in range(len(source) + 1)
        for end in range(begin, len(source) + 1)
    )
    return [*before, rest, *after] if is_left or is_whole or rest in sizes.runs else None
