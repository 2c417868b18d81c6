"""All operations inside of one, or all readers of a value, listed at once: every pass asks for them."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

# pyright: reportPrivateUsage=false
# A pass goes over ten thousands of operations; xDSL's public names for their links are functions.


def all_operations(op: Operation) -> list[Operation]:
    """
    The operations of `op.walk()`, in the same order, as a list: faster than a generator for each operation, block and
    region. The list does not change when operations do.
    """
    found = [op]
    for region in op.regions:
        block = region._first_block
        while block is not None:
            inner = block._first_op
            while inner is not None:
                if inner.regions:
                    found += all_operations(inner)
                else:
                    found.append(inner)
                inner = inner._next_op
            block = block._next_block
    return found


def block_operations(block: Block) -> list[Operation]:
    """The operations of a block without those within them, as they are now: `list(block.ops)` goes over them twice."""
    found: list[Operation] = []
    op = block._first_op
    while op is not None:
        found.append(op)
        op = op._next_op
    return found


def readers_of(value: SSAValue) -> list[Operation]:
    """The operation of each use of a value, as they are now."""
    found: list[Operation] = []
    use = value.first_use
    while use is not None:
        found.append(use._operation)
        use = use._next_use
    return found
