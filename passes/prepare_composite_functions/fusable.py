"""`tfl_fusable_op`: a function that says it is one operation of its user's runtime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import tfl
from .composite import Annotation, Call, boolean
from .flexbuffer import Scalar, encode_map

FUSABLE = "tfl_fusable_op"
"""The attribute that says so, where it is true."""


def is_fusable(annotation: Annotation) -> bool:
    """Whether a function asks to become a custom operation. Raises CannotFuseError where it says neither."""
    return bool(boolean(FUSABLE, annotation.options))


def build(call: Call) -> Sequence[SSAValue]:
    """`tfl.custom` of the annotation's name on all arguments; its other attributes are the options."""
    options = {
        name: _scalar(call, name, attribute)
        for name, attribute in call.annotation.options.items()
        if name != FUSABLE
    }
    op = tfl.CustomOp(
        list(call.arguments.values()),
        call.annotation.name,
        encode_map(options),
        call.function.function_type.outputs.data,
    )
    return call.write.op(op)


def _scalar(call: Call, name: str, attribute: Attribute) -> Scalar:
    match attribute:
        case StringAttr():
            return attribute.data
        case FloatAttr():
            return float(cast(FloatAttr[Any], attribute).value.data)
        case IntegerAttr():
            number = cast(IntegerAttr[Any], attribute)
            is_truth = str(number.type) == "i1"
            return bool(number.value.data) if is_truth else number.value.data
        case _:
            raise DiagnosticException(
                f"@{call.function.sym_name.data}: attribute '{name}' of {call.annotation.name} is "
                f"{attribute}; a custom operation can have numbers, booleans and texts"
            )
