"""
`erf(x) = x P(x²) / Q(x²)`, since LiteRT has no erf: a rational approximation up to the |x| where erf is 1 in f32, with
an error of at most 3e-7. The coefficients are those of XLA's f32 expansion (xla/hlo/builder/lib/math.cc).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import nn
from .elementwise import elementwise
from .tensors import Tensor
from .writer import TflWriter

LIMIT = 3.7439211627767994

P = (
    *(0.00022905065861350646, 0.0034082910107109506, 0.050955695062380861),
    *(0.18520832239976145, 1.128379143519084),
)

Q = (
    *(-1.1791602954361697e-7, 2.3547966471313185e-5, 0.0010179625278914885),
    *(0.014070470171167667, 0.11098505178285362, 0.49746925110067538, 1.0),
)


@elementwise(nn.ErfOp)
def erf(write: TflWriter, op: nn.FloatingOp, x: Tensor) -> Tensor:
    x = write.binary("MINIMUM", write.binary("MAXIMUM", x, -LIMIT), LIMIT)
    square = write.binary("MUL", x, x)
    over = write.binary("MUL", x, _polynomial(write, square, P))
    return write.binary("DIV", over, _polynomial(write, square, Q))


def _polynomial(write: TflWriter, x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """Horner's rule, the highest power first."""
    first, second, *rest = coefficients
    total = write.binary("ADD", write.binary("MUL", x, first), second)
    for coefficient in rest:
        total = write.binary("ADD", write.binary("MUL", total, x), coefficient)
    return total
