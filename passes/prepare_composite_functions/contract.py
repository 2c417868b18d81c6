"""The contract between who annotates a function and who replaces it: names, ranks and sizes of arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, NoneType, TensorType
from xdsl.ir import Attribute

from ...dialects.inferred import spelled

_TERM = re.compile(r"(?:(\d+)\s*\*\s*)?([A-Za-z_]\w*)|(\d+)")


class ContractError(Exception):
    """An argument is not what the contract asks for; the message says what that is."""


@dataclass(frozen=True)
class Size:
    """A dimension: a sum of multiples of named sizes and a number, written `4*cells` or `inputs + outputs`."""

    text: str
    terms: tuple[tuple[int, str], ...]
    constant: int

    @classmethod
    def of(cls, text: str | int) -> Size:
        """Reads a size. Raises ValueError where it is not of this form."""
        terms: list[tuple[int, str]] = []
        constant = 0
        for part in str(text).split("+"):
            if (match := _TERM.fullmatch(part.strip())) is None:
                raise ValueError(f"size '{text}' is not a sum like '4*cells' or 'inputs + outputs'")
            if match[3] is not None:
                constant += int(match[3])
            else:
                terms.append((int(match[1] or 1), match[2]))
        return cls(str(text), tuple(terms), constant)

    def value(self, sizes: Mapping[str, int]) -> int | None:
        """The number, where all names in it are known."""
        if any(name not in sizes for _, name in self.terms):
            return None
        return self.constant + sum(factor * sizes[name] for factor, name in self.terms)

    def solve(self, number: int, sizes: dict[str, int]) -> bool:
        """Gives the one unknown name a value. Returns whether there was one, and a whole number fits it."""
        unknown = [term for term in self.terms if term[1] not in sizes]
        if len(unknown) != 1:
            return False
        ((factor, name),) = unknown
        known = sum(f * sizes[n] for f, n in self.terms if n in sizes)
        rest = number - self.constant - known
        if rest < 0 or rest % factor:
            return False
        sizes[name] = rest // factor
        return True


@dataclass(frozen=True)
class Argument:
    """
    One argument: its name and its dimensions. One that is optional may be left out at the end, or be of type none.

        Argument("kernel", "inputs", "4*cells")
    """

    name: str
    dimensions: tuple[str | int, ...]
    optional: bool

    def __init__(self, name: str, *dimensions: str | int, optional: bool = False):
        for dimension in dimensions:
            Size.of(dimension)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "dimensions", dimensions)
        object.__setattr__(self, "optional", optional)

    @property
    def sizes(self) -> list[Size]:
        return [Size.of(dimension) for dimension in self.dimensions]

    def spelled(self, known: Mapping[str, int]) -> str:
        """`[inputs, 4*cells]`, and what that is as far as it is known."""
        names = f"[{', '.join(size.text for size in self.sizes)}]"
        values = [size.value(known) for size in self.sizes]
        if all(value is None for value in values):
            return names
        numbers = [DYNAMIC_INDEX if value is None else value for value in values]
        return f"{names} = {spelled(numbers)}"


@dataclass(frozen=True)
class Interface:
    """The arguments of a function in order, how many results it has, and which sizes must be known."""

    arguments: tuple[Argument, ...]
    results: int
    known: tuple[str, ...] = ()

    def bind(self, types: Sequence[Attribute]) -> tuple[list[str | None], dict[str, int]]:
        """
        The name of each argument (None of one that is absent), and the sizes that are known.

        Raises ContractError where arguments are not those of the contract.
        """
        least = sum(not argument.optional for argument in self.arguments)
        if not least <= len(types) <= len(self.arguments):
            expected = ", ".join(a.name + "?" * a.optional for a in self.arguments)
            raise ContractError(f"has {len(types)} arguments; expected are ({expected})")
        pairs = list(zip(self.arguments, types, strict=False))
        shapes = {a.name: _shape(a, type) for a, type in pairs}
        sizes = self._sizes(shapes)
        self._verify(shapes, sizes)
        missing = [name for name in self.known if name not in sizes]
        if missing:
            raise ContractError(
                f"does not tell {', '.join(missing)} by the types of its arguments; give them fixed sizes"
            )
        return [a.name if shapes[a.name] is not None else None for a, _ in pairs], sizes

    def _sizes(self, shapes: Mapping[str, Sequence[int] | None]) -> dict[str, int]:
        equations = [
            (size, number)
            for argument in self.arguments
            for size, number in zip(argument.sizes, shapes.get(argument.name) or (), strict=False)
            if number != DYNAMIC_INDEX
        ]
        equations.sort(key=lambda equation: len(equation[0].terms))
        sizes: dict[str, int] = {}
        while any(size.solve(number, sizes) for size, number in equations):
            pass
        return sizes

    def _verify(self, shapes: Mapping[str, Sequence[int] | None], sizes: Mapping[str, int]) -> None:
        for argument in self.arguments:
            if (shape := shapes.get(argument.name)) is None:
                continue
            for size, number in zip(argument.sizes, shape, strict=True):
                wanted = size.value(sizes)
                unsolved = wanted is None and len(size.terms) == 1
                if number != DYNAMIC_INDEX and (unsolved or wanted not in (None, number)):
                    raise ContractError(
                        f"has an argument '{argument.name}' of shape {spelled(shape)}; expected "
                        f"{argument.spelled(sizes)}"
                    )


def _shape(argument: Argument, type: Attribute) -> Sequence[int] | None:
    """The shape of an argument; None where it is absent. Raises ContractError for other ranks."""
    if isinstance(type, NoneType) and argument.optional:
        return None
    wanted = len(argument.dimensions)
    if "tf_type.resource" in str(type):
        raise ContractError(
            f"has an argument '{argument.name}' that is a variable; expected its value, "
            "tf.convert_to_tensor(…)"
        )
    if not isinstance(type, TensorType):
        raise ContractError(
            f"has an argument '{argument.name}' that is a {type}; expected a tensor of rank {wanted}, "
            f"{argument.spelled({})}; give the input of the model a known rank"
        )
    shape = cast(TensorType[Any], type).get_shape()
    if len(shape) != wanted:
        raise ContractError(
            f"has an argument '{argument.name}' of rank {len(shape)}; expected {wanted}, {argument.spelled({})}"
        )
    return shape
