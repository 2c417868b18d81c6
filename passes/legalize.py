"""Modules of other frameworks' operations, in ours: what runs before a model is compiled."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from .pipeline import run_passes
from .tensorflow import TfOp

PIPELINE = (
    "legalize-tf-to-nn,legalize-tfl-to-rnn,fold-constants,raise-tf-while-to-lstm,fold-constants,cse"
)
"""The passes that leave nothing of TensorFlow and LiteRT."""


def legalized(module: ModuleOp) -> ModuleOp:
    """
    The module without operations of `tf` and `tfl`: itself, or a copy that they were legalized in.

    Raises DiagnosticException where one is not known.
    """
    if not any(TfOp.of(op) is not None or op.name.startswith("tfl.") for op in module.walk()):
        return module
    copy = module.clone()
    run_passes(copy, PIPELINE)
    return copy
