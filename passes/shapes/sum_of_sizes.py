"""What the numbers of a computed shape add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from xdsl.ir import SSAValue

from ...dialects import nn
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
            case _:
                found = source(size, 0)
                if found is not None and found is not size:
                    return cls.of(found)
        return cls(0, ((size, 1),))

    def _divided(self, by: int) -> Self | None:
        """A part of it, if that is a sum of whole multiples."""
        if by < 1 or any(each % by for each in (self.constant, *(n for _, n in self.terms))):
            return None
        return type(self)(self.constant // by, tuple((value, n // by) for value, n in self.terms))

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
