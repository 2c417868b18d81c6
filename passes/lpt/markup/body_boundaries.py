"""Where the markup looks: precisions do not cross the border of a body."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from ....dialects.walk import all_operations


def blocks_of(op: Operation) -> list[Block]:
    """All blocks inside an operation."""
    return [
        block for inner in all_operations(op) for region in inner.regions for block in region.blocks
    ]
