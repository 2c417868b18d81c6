"""QuantizationGranularity: which inputs need one scale."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....dialects.walk import all_operations
from ..attributes import note_per_tensor
from ..target import Target


def mark_granularity(module: ModuleOp, target: Target) -> None:
    """Every operation that the configuration restricts says which of its inputs need one scale."""
    restricted: dict[str, list[str]] = {}
    for restriction in target.config.per_tensor:
        restricted.setdefault(restriction.operation, []).append(f"input{restriction.port}")
    for op in all_operations(module):
        if op.name in restricted:
            note_per_tensor(op, restricted[op.name])
