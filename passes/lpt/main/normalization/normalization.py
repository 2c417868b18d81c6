"""The template of normalizations: the divisor grows with the scale, and so must `eps`."""

from __future__ import annotations

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.nn.normalization import NormalizationOp
from ...dequantization import Dequantization
from ..sink import known_integers, varying


def uneven(op: NormalizationOp, dequantization: Dequantization) -> str | None:
    """Why scales cannot leave a normalization: they differ along its axes."""
    rank = len(shape_of(op.input))
    return varying(dequantization, [axis % rank for axis in known_integers(op.axes)])


def eps_on_codes(op: NormalizationOp, dequantization: Dequantization, power: int) -> float | str:
    """
    `eps / |scale| ** power`, what is `eps` beside codes; or why that is not one number.

    Channels of scale 0 do not count: they are 0 behind the normalization, too.
    """
    magnitudes = np.unique(np.abs(dequantization.scale.astype(np.float64)))
    magnitudes, eps = magnitudes[magnitudes > 0], op.eps.value.data
    if not magnitudes.size:
        return "its input has a scale of 0, so it is a constant"
    if magnitudes.size > 1 and eps:
        return (
            "its input is quantized per channel, and eps would be another number in each; quantize it "
            "per tensor"
        )
    with np.errstate(over="ignore", divide="ignore"):
        found = float(eps / magnitudes[0] ** power)
    if not np.isfinite(found):
        return f"its input has a scale of {magnitudes[0]:g}, beside which eps is too large"
    return found
