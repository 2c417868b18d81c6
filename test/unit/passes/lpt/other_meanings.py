"""The reference executor with other functions in the place of some operations' own, in bodies too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.ir import Operation

from lowstream.reference.arrays import Array
from lowstream.reference.meaning import MEANINGS, Meaning


@contextmanager
def instead(meanings: Mapping[type[Operation], Meaning]) -> Iterator[None]:
    """Lets operations mean something else for a while."""
    own = {kind: MEANINGS[kind] for kind in meanings}
    MEANINGS.update(meanings)
    try:
        yield
    finally:
        MEANINGS.update(own)


def result_of(meaning: Meaning, op: Operation, operands: Sequence[Array]) -> Array:
    """The one result of an operation that means this."""
    results = meaning(op, *operands)
    return results[0] if isinstance(results, tuple) else results
