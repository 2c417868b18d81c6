"""Values that come back as they were."""

from __future__ import annotations

from ...dialects import infra, qnn
from .loop import Carried, Loop
from .quantized_parts import dequantized, gives_back


def raise_invariants(loop: Loop) -> bool:
    """A merged value that the body gives back as it was given is invariant, and its result the operand."""
    found = [each for each in loop.carried() if _stays(each)]
    for each in found:
        for result in each.results:
            result.replace_all_uses_with(each.start)
        loop.set_port(each.number, infra.InvariantAttr())
    return bool(found)


def _stays(carried: Carried) -> bool:
    """Whether the body gives back what it is given, be it as codes of what its codes stand for."""
    quantize = carried.after.owner
    if carried.after is carried.argument or not isinstance(quantize, qnn.FakeQuantizeOp):
        return carried.after is carried.argument
    given = dequantized(quantize.input)
    return given is not None and given.input is carried.argument and gives_back(quantize, given)
