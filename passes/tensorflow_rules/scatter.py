"""Updates of a tensor at indices."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects import nn
from ..tensorflow import TfOp
from .rules import Legalizer, rule

REDUCTIONS = {
    "TensorScatterAdd": "sum",
    "TensorScatterSub": "sub",
    "TensorScatterMax": "max",
    "TensorScatterMin": "min",
}


@rule(*REDUCTIONS)
def tensor_scatter(
    t: Legalizer, op: TfOp, x: SSAValue, indices: SSAValue, updates: SSAValue
) -> SSAValue:
    return t(nn.ScatterNdUpdateOp, x, indices, updates, reduction=REDUCTIONS[op.name])


@rule("ScatterNd")
def scatter_nd(
    t: Legalizer, op: TfOp, indices: SSAValue, updates: SSAValue, sizes: SSAValue
) -> SSAValue:
    """Updates of the same index are summed."""
    zeros = t(nn.BroadcastOp, t.like(updates, 0), t.long(sizes))
    return t(nn.ScatterNdUpdateOp, zeros, indices, updates, reduction="sum")
