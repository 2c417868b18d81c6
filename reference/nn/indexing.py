"""Elements at indices that are computed."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.GatherElementsOp)
def gather_elements(op: nn.GatherElementsOp, x: Array, indices: Array) -> Array:
    axis = op.axis.value.data % x.ndim
    result = np.zeros(indices.shape, x.dtype)
    for place in np.ndindex(*indices.shape):
        index = int(indices[place])
        if -x.shape[axis] <= index < x.shape[axis]:
            result[place] = x[(*place[:axis], index, *place[axis + 1 :])]
    return result
