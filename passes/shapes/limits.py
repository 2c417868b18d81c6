"""Limits of the sizes that inputs leave open, such as `[1..8,2]`, which arguments of the entry carry as text."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import shape_of
from ...dialects.module import port_attributes, set_port_attribute
from ..errors import DiagnosticError
from .partial_shape import PartialShape

LIMITS = "nn.limits"


def set_limits(entry: func.FuncOp, number: int, shape: PartialShape) -> None:
    """Lets an argument of the entry carry the limits of its dimensions; none where there are none."""
    value = StringAttr(shape.to_string()) if shape.has_limits else None
    set_port_attribute(entry, "input", number, LIMITS, value)


def limited_shape(entry: func.FuncOp, number: int) -> PartialShape:
    """
    The shape of an argument of the entry: what its type leaves unknown has the limits that it carries. Raises
    DiagnosticException where these are of another number of dimensions, or not of this form.
    """
    sizes = [-1 if n == DYNAMIC_INDEX else n for n in shape_of(entry.body.block.args[number])]
    carried = port_attributes(entry, "input")[number].data.get(LIMITS)
    if carried is None:
        return PartialShape(sizes)
    try:
        assert isinstance(carried, StringAttr)
        limits = PartialShape(carried.data)
        assert len(limits) == len(sizes)
    except (DiagnosticException, AssertionError):
        raise DiagnosticError(
            f'input {number} of {len(sizes)} dimensions has the {LIMITS} {carried}; write one such as "[1..8,2]"'
        ) from None
    return PartialShape(
        limit if size < 0 else size for size, limit in zip(sizes, limits, strict=True)
    )
