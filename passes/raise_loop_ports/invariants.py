"""Values that come back as they were."""

from __future__ import annotations

from ...dialects import infra
from .loop import Loop


def raise_invariants(loop: Loop) -> bool:
    """A merged value that the body gives back as it was given is invariant, and its result the operand."""
    found = [each for each in loop.carried() if each.after is each.argument]
    for each in found:
        for result in each.results:
            result.replace_all_uses_with(each.start)
        loop.set_port(each.number, infra.InvariantAttr())
    return bool(found)
