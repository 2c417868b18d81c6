"""FakeQuantize with a constant result."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.blob import Blob, BlobAttr
from ....dialects.inferred import copy_name, tensor
from ....dialects.nn import ConstantOp
from ....dialects.qnn import FakeQuantizeOp
from ....reference.arrays import blob_of
from ....reference.constants import constant_arrays
from ....reference.qnn import fake_quantize
from ..constants import without_nan
from ..pattern import NamedPattern


class FoldFakeQuantize(NamedPattern[FakeQuantizeOp]):
    """
    `fq(constant)` is a constant, whatever its levels; `fq(x)` is one where its output interval is a
    single point, and the shape of `x` is known.
    """

    name: ClassVar[str] = "fold_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FakeQuantizeOp, rewriter: PatternRewriter, /) -> None:
        if (value := folded(op)) is None:
            return
        constant = ConstantOp(value)
        copy_name(op, constant)
        rewriter.replace(op, constant)


def folded(op: FakeQuantizeOp) -> BlobAttr | None:
    """What it gives, where that is known."""
    type = tensor(op.result)
    if (known := constant_arrays(op.operands)) is not None:
        data, *limits = known
        return blob_of(fake_quantize(op, without_nan(op, data), *limits), type.element_type)
    limits = constant_arrays((op.output_low, op.output_high))
    if limits is None or not type.has_static_shape():
        return None
    ends = np.concatenate([limit.ravel() for limit in limits])
    if not (ends.size and (ends == ends[0]).all()):
        return None
    return BlobAttr(Blob(type, blob_of(ends[:1], type.element_type).data.buffer, splat=True))
