"""Which element of an operand a point of a kernel's domain reads or writes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)
from xdsl.irdl import irdl_to_attr_constraint
from xdsl.utils.exceptions import VerifyException

from ..read_once import ReadOnce

ACCESSES = irdl_to_attr_constraint(ArrayAttr[AffineMapAttr])
"""A list of accesses, as a property."""

MANY = 1 << 10
"""
The number of accesses that are cached as attributes: kernels are asked for theirs again and again, and few differ.
"""


class Term(NamedTuple):
    """One index of an operand: `step * d[dim] + offset`, or `offset` alone where `dim` is None."""

    dim: int | None
    step: int = 1
    offset: int = 0


class Access(NamedTuple):
    """Which element of an operand a point of a domain of `rank` dimensions reads or writes."""

    rank: int
    terms: tuple[Term, ...]

    @staticmethod
    @cache
    def identity(rank: int) -> Access:
        """Every point accesses the element of the same index."""
        return Access(rank, tuple(Term(i) for i in range(rank)))

    @classmethod
    def broadcast(cls, domain: Sequence[int], shape: Sequence[int]) -> Access:
        """NumPy's rule: aligned at the back, dimensions of size 1 repeat."""
        lead = len(domain) - len(shape)
        return cls(
            len(domain),
            tuple(
                Term(None) if size == 1 and domain[lead + i] != 1 else Term(lead + i)
                for i, size in enumerate(shape)
            ),
        )

    @staticmethod
    def of(attribute: AffineMapAttr) -> Access:
        """Reads an affine map whose results each use at most one dimension. Raises VerifyException else."""
        return _access_of(attribute)

    def map(self) -> AffineMapAttr:
        """The attribute that prints this access."""
        return _attribute(self)

    def after(self, inner: Access) -> Access:
        """`self` read at the point that `inner` gives: the access of a fused kernel."""
        terms: list[Term] = []
        for term in self.terms:
            if term.dim is None:
                terms.append(term)
                continue
            source = inner.terms[term.dim]
            offset = term.step * source.offset + term.offset
            terms.append(
                Term(source.dim, term.step * source.step if source.dim is not None else 1, offset)
            )
        return Access(inner.rank, tuple(terms))

    @property
    def is_identity(self) -> bool:
        """Whether point and element have the same index."""
        return self == Access.identity(self.rank)

    def reach(self, domain: Sequence[int]) -> tuple[list[int], list[int]]:
        """The least and the greatest index of each dimension of an operand, over a domain with points."""
        low: list[int] = []
        high: list[int] = []
        for term in self.terms:
            far = term.offset
            if term.dim is not None:
                far += term.step * (domain[term.dim] - 1)
            low.append(min(term.offset, far))
            high.append(max(term.offset, far))
        return low, high

    def at(self, point: Sequence[int]) -> tuple[int, ...]:
        """The element of one point."""
        return tuple(
            term.offset + (0 if term.dim is None else term.step * point[term.dim])
            for term in self.terms
        )

    def within(self, domain: Sequence[int], shape: Sequence[int]) -> bool:
        """Whether all points of `domain` stay inside an operand of this shape."""
        if len(self.terms) != len(shape):
            return False
        low, high = self.reach(domain)
        return 0 in domain or all(
            least >= 0 and most < size for least, most, size in zip(low, high, shape, strict=True)
        )


@ReadOnce
def _access_of(attribute: AffineMapAttr) -> Access:
    terms = tuple(_term(expression) for expression in attribute.data.results)
    return Access(attribute.data.num_dims, terms)


@lru_cache(MANY)
def access_list(accesses: tuple[Access, ...]) -> ArrayAttr[AffineMapAttr]:
    """The attribute that prints these accesses."""
    return ArrayAttr(map(_attribute, accesses))


@ReadOnce
def accesses_of(listed: ArrayAttr[AffineMapAttr]) -> tuple[Access, ...]:
    """What `Access.of` reads of each."""
    return tuple(map(_access_of, listed.data))


Reading = tuple[Access, Access]
"""Where the points of a domain lie in an operand, and where the steps of a window or the indices lie."""


@lru_cache(MANY)
def _attribute(access: Access) -> AffineMapAttr:
    return AffineMapAttr(AffineMap(access.rank, 0, tuple(map(_expression, access.terms))))


def _term(expression: AffineExpr) -> Term:
    match expression:
        case AffineConstantExpr():
            return Term(None, 1, expression.value)
        case AffineDimExpr():
            return Term(expression.position)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Add, left, AffineConstantExpr() as right):
            inner = _term(left)
            return Term(inner.dim, inner.step, inner.offset + right.value)
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, left, AffineConstantExpr() as right):
            inner = _term(left)
            step = 1 if inner.dim is None else inner.step * right.value
            return Term(inner.dim, step, inner.offset * right.value)
        case _:
            raise VerifyException(
                f"access {expression} uses more than one dimension; use d * c + c"
            )


def _expression(term: Term) -> AffineExpr:
    if term.dim is None:
        return AffineExpr.constant(term.offset)
    expression: AffineExpr = AffineExpr.dimension(term.dim)
    if term.step != 1:
        expression = AffineBinaryOpExpr(
            AffineBinaryOpKind.Mul, expression, AffineConstantExpr(term.step)
        )
    if term.offset:
        expression = AffineBinaryOpExpr(
            AffineBinaryOpKind.Add, expression, AffineConstantExpr(term.offset)
        )
    return expression
