"""FakeQuantize whose codes no operation used."""

from __future__ import annotations

from typing import ClassVar, cast

import numpy as np
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.blob import BlobAttr
from ....dialects.inferred import NAME, copy_name, tensor
from ....dialects.nn import ConstantOp, constant_of
from ....dialects.qnn import DequantizeOp, FakeQuantizeOp
from ....reference.arrays import Array, array_of, blob_of
from ..attributes import CHOSEN, INPUT_INTERVAL, LEVELS, ORIGINALS, OUTPUT_INTERVAL
from ..dequantization import Dequantization
from ..pattern import NamedPattern


class FuseDequantizeToFakeQuantize(NamedPattern[DequantizeOp]):
    """
    `dq(fq(x)) = fq'(x)` if nothing else uses the codes of `fq`; `fq'` has the original output interval of a decomposed
    one. Negative scales stay, since their interval would be inverted, for which LPT has no codes.

    Declines negative scales; codes that something else uses; an end that would be infinite, or that its type rounds by
    more than half a step.
    """

    name: ClassVar[str] = "fuse_dequantize_to_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DequantizeOp, rewriter: PatternRewriter, /) -> None:
        quantize = op.input.owner
        if not isinstance(quantize, FakeQuantizeOp) or quantize.output_type is None:
            return
        if not quantize.result.has_one_use():
            return
        limits = output_interval(op, quantize)
        if limits is None or tensor(op.result).element_type != tensor(quantize.input).element_type:
            return
        low, high = (ConstantOp(limit) for limit in limits)
        properties: dict[str, Attribute] = {
            name: value for name, value in quantize.properties.items() if name != "output_type"
        }
        inputs = [quantize.input_low, quantize.input_high]
        if isinstance(before := op.attributes.get(INPUT_INTERVAL), ArrayAttr):
            rewriter.insert(
                constants := [ConstantOp(limit) for limit in cast(ArrayAttr[BlobAttr], before)]
            )
            inputs = [one.result for one in constants]
            properties["levels"] = op.attributes[LEVELS]
        fused = FakeQuantizeOp.of(quantize.input, *inputs, low, high, **properties)
        fused.attributes |= {
            key: value
            for key, value in (quantize.attributes | op.attributes).items()
            if key not in (*ORIGINALS, CHOSEN)
        }
        if NAME not in op.attributes:
            copy_name(quantize, fused)
        rewriter.replace(op, [low, high, fused])


def output_interval(op: DequantizeOp, quantize: FakeQuantizeOp) -> list[BlobAttr] | None:
    """The values of the lowest and the highest code, where they are finite, precise and rise as codes do."""
    before = op.attributes.get(OUTPUT_INTERVAL)
    if isinstance(before, ArrayAttr):
        return list(cast(ArrayAttr[BlobAttr], before))
    dequantization = Dequantization.on(op.result)
    codes = [constant_of(limit) for limit in (quantize.output_low, quantize.output_high)]
    assert dequantization is not None
    if None in codes:
        return None
    ends = [array_of(blob) for blob in codes if blob is not None]
    low, high = (dequantization.values(end) for end in ends)
    if not np.isfinite(low).all() or not np.isfinite(high).all() or (low > high).any():
        return None
    if not all(is_precise(dequantization, end) for end in ends):
        return None
    return [blob_of(array, dequantization.element) for array in (low, high)]


def is_precise(dequantization: Dequantization, codes: Array) -> bool:
    """Whether the values of these codes are rounded by at most half a step, as those of f16 far from 0 are not."""
    scale = dequantization.scale.astype(np.float64)
    exact = (codes - dequantization.zero_point.astype(np.float64)) * scale
    rounding = abs(dequantization.values(codes).astype(np.float64) - exact)
    return bool((rounding <= abs(scale) / 2).all())
