"""PrecisionPreserved: which operations compute on codes as on values."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....dialects.walk import all_operations
from ..attributes import PRECISION_PRESERVED, note
from ..target import Target


def mark_precision_preserved(module: ModuleOp, target: Target) -> None:
    """Marks the operations of which an enabled transformation of the main step declares it."""
    kinds = {one.op for one in target.transformations if one.preserves_precision}
    for op in all_operations(module):
        if type(op) in kinds:
            note(op, PRECISION_PRESERVED)
