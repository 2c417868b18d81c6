"""Codes that low precision does not take: integers of more than 8 bits, and floats of 8 or less."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...dialects.elements import bits_of, is_integer, is_small_float
from ...dialects.inferred import tensor
from ...dialects.nn import ConvertOp, FakeConvertOp
from ...dialects.traits import moved_data
from .constants import scaled_or_shifted


def other_codes(value: SSAValue, port: int) -> str | None:
    """What a user can do about an input that is dequantized from such codes; None where it is not."""
    owner = value.owner
    while isinstance(owner, Operation):
        inner = scaled_or_shifted(owner) or next(iter(moved_data(owner)), None)
        if inner is None:
            break
        owner = inner.owner
    if isinstance(owner, FakeConvertOp):
        element = owner.destination_type
    elif isinstance(owner, ConvertOp):
        element = tensor(owner.input).element_type
    else:
        return None
    if is_small_float(element) or (is_integer(element) and 8 < bits_of(element) <= 16):
        return f"input {port} has codes of {element}; quantize it to integers of 8 bits"
    return None
