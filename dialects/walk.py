"""All operations within one, listed at once: a compilation asks for them in each of its passes."""

from __future__ import annotations

from xdsl.ir import Operation


def all_operations(op: Operation) -> list[Operation]:
    """
    What `op.walk()` gives, itself first and each in front of those in its regions, yet not as a generator for each
    operation, block and region. The list stays as it is when operations come or go.
    """
    found = [op]
    for region in op.regions:
        for block in region.blocks:
            inner = block.first_op
            while inner is not None:
                if inner.regions:
                    found += all_operations(inner)
                else:
                    found.append(inner)
                inner = inner.next_op
    return found
