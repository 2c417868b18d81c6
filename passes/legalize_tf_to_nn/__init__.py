"""
`legalize-tf-to-nn`: TensorFlow's operations as ours.

The entry is written anew: calls become what they call, `tf.While` becomes `infra.loop` with TensorLists as its
sliced and concatenated ports, variables that the model assigns become states and all others constants. Types
that TensorFlow left open follow from operands. What is already ours stays.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.tables import import_modules
from ..tensorflow import TfOp
from .entry import legalize
from .translation import take_shared

import_modules(__name__)
take_shared()


class LegalizeTfToNn(ModulePass):
    """
    Every `tf` operation that the entry needs becomes `nn`, `infra` or a constant; functions that only it called go.

    - A module without `tf` operations stays as it is.
    - An operation that is not known is an error that names it.
    - Side effects other than assigning variables (printing, checking) are dropped.
    """

    name = "legalize-tf-to-nn"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if is_tensorflow(op):
            legalize(op)


def is_tensorflow(module: ModuleOp) -> bool:
    """Whether a module has operations of TensorFlow."""
    return any(TfOp.of(op) is not None for op in module.walk())
