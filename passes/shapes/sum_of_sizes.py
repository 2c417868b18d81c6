"""What the numbers of a computed shape add up to."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Self

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..raise_loop_ports.loop import is_equal
from .computed_integers import Size, source


@dataclass(frozen=True)
class Sum:
    """A computed integer: a constant, and other integers times factors."""

    constant: int
    terms: tuple[tuple[SSAValue, int], ...] = ()

    @classmethod
    def of(cls, size: Size) -> Self:
        """Of a number, or of a value of one element."""
        if isinstance(size, int):
            return cls(size)
        match op := size.owner:
            case nn.AddOp() | nn.SubtractOp():
                left, right = map(cls.of, op.operands)
                return left.plus(right, 1 if isinstance(op, nn.AddOp) else -1)
            case nn.MultiplyOp():
                left, right = map(cls.of, op.operands)
                if not left.terms or not right.terms:
                    factor, other = (left, right) if not left.terms else (right, left)
                    return cls(0).plus(other, factor.constant)
            case nn.DivideOp():
                whole, part = map(cls.of, op.operands)
                if not part.terms and (found := whole._divided(part.constant)) is not None:
                    return found
            case nn.ReduceProdOp() if (found := cls._product(op)) is not None:
                return found
            case _:
                found = source(size, 0)
                if found is not None and found is not size:
                    return cls.of(found)
        return cls(0, ((size, 1),))

    @classmethod
    def _product(cls, op: nn.ReduceProdOp) -> Self | None:
        """Of a list of numbers, of which at most one is computed."""
        shape = shape_of(op.input)
        if len(shape) != 1 or DYNAMIC_INDEX in shape:
            return None
        parts = [source(op.input, index) for index in range(shape[0])]
        sums = [cls.of(part) for part in parts if part is not None]
        computed = [each for each in sums if each.terms]
        if len(sums) != len(parts) or len(computed) > 1:
            return None
        factor = prod(each.constant for each in sums if not each.terms)
        return cls(0).plus(computed[0] if computed else cls(1), factor)

    def _divided(self, by: int) -> Self | None:
        """A part of it, if that is a sum of whole multiples."""
        if by < 1 or any(each % by for each in (self.constant, *(n for _, n in self.terms))):
            return None
        return type(self)(self.constant // by, tuple((value, n // by) for value, n in self.terms))

    def over(self, part: Self) -> int | None:
        """How often this is a computed integer, if that is known: 4 of `8 * n + 4` and `2 * n + 1`."""
        if not part.terms:
            return None
        times = sum(abs(n) for _, n in self.terms) // sum(abs(n) for _, n in part.terms)
        return times if times and self.plus(part, -times) == type(self)(0) else None

    def plus(self, other: Self, factor: int) -> Self:
        """This and a multiple of another one."""
        terms = list(self.terms)
        for value, times in other.terms:
            for place, (known, before) in enumerate(terms):
                if is_equal(known, value):
                    terms[place] = (known, before + times * factor)
                    break
            else:
                terms.append((value, times * factor))
        kept = tuple((value, times) for value, times in terms if times)
        return type(self)(self.constant + other.constant * factor, kept)
