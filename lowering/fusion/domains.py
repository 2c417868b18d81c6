"""Maps the domain of a consumer to that of its producer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...dialects.kernel import Access, Term

Correspondence = Mapping[int, int | None]
"""For each dimension of the consumer's domain the producer's, or None for one of size 1."""


def correspondence(
    producer: Sequence[int], written: Access, consumer: Sequence[int], read: Access
) -> Correspondence | None:
    """
    The producer's dimension for each one of the consumer, if every point of the consumer reads one element and every
    element is read once; order and rank may differ. Otherwise None.
    """
    found: dict[int, int | None] = {e: None for e, size in enumerate(consumer) if size == 1}
    reached: set[int] = set()
    for out, term in zip(written.terms, read.terms, strict=True):
        if out.dim is None or producer[out.dim] == 1:
            if term.dim is not None and consumer[term.dim] != 1:
                return None
            continue
        if out != Term(out.dim) or term.dim is None or term != Term(term.dim):
            return None
        if producer[out.dim] != consumer[term.dim] or term.dim in found:
            return None
        found[term.dim] = out.dim
        reached.add(out.dim)
    if len(found) != len(consumer):
        return None
    if any(size != 1 and d not in reached for d, size in enumerate(producer)):
        return None
    return found


def reindexed(access: Access, rank: int, dims: Correspondence) -> Access:
    """The access of a consumer's operand over the producer's domain, which has `rank` dimensions."""
    terms: list[Term] = []
    for term in access.terms:
        dim = None if term.dim is None else dims[term.dim]
        terms.append(Term(dim, term.step if dim is not None else 1, term.offset))
    return Access(rank, tuple(terms))
