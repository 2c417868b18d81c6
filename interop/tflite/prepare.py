"""What is done to a copy of a module before it is written for LiteRT."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ...dialects import context, rnn
from ...passes.decompose_cells import DecomposeCells
from ...passes.fold_constants import FoldConstants
from ...passes.infer_shapes import infer_types
from ...passes.lower_sequences import lower, step_count


def prepared(module: ModuleOp) -> ModuleOp:
    """
    A copy of the module in the form that the writers know: recurrent layers that LiteRT has no kernel for
    are iterators, their cells operations of `nn`.
    """
    from .write.recurrent import has_kernel

    copy, ctx = module.clone(), context()
    retyped = False
    for op in list(copy.walk()):
        if isinstance(op, rnn.SequenceOp) and not has_kernel(op) and step_count(op) is not None:
            retyped |= lower(op)
    if retyped:
        infer_types(copy, keep=True)
    DecomposeCells().apply(ctx, copy)
    FoldConstants().apply(ctx, copy)
    return copy
