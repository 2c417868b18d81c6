"""Loops as front ends write them: all values merged, the condition computed in the body."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    TensorType,
    UnrealizedConversionCastOp,
    i64,
)
from xdsl.ir import Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects import infra
from ...dialects.compatible import compatible
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ..iterator_ports import Ports, last
from . import raise_ports
from .trip_counts import NO_LIMIT

Step = Callable[[Ports, Sequence[SSAValue]], tuple[Sequence[SSAValue], SSAValue]]
"""Writes a body: what becomes of its arguments, and whether another iteration follows. Further ports are its own."""


def merged_loop(
    write: Writer,
    starts: Sequence[SSAValue],
    go_on: SSAValue,
    step: Step,
    wanted: Collection[int],
    wider: Mapping[int, TensorType[Any]] = MappingProxyType({}),
) -> dict[int, SSAValue]:
    """
    `while condition: values = body(values)`, with its ports raised: the values that are wanted, by number. `go_on` is
    the condition of the first iteration. A size that the body changes is unknown in it; `wider` types are given.

    Raises VerifyException where the body gives other ranks or element types.
    """
    types = [wider.get(number, tensor(start)) for number, start in enumerate(starts)]
    while True:
        ports = Ports()
        arguments = [ports.merged(start) for start in starts]
        for number, type in enumerate(types):
            if arguments[number].type != type:
                arguments[number] = Rewriter.replace_value_with_new_type(arguments[number], type)
        after, condition = step(ports, arguments)
        joined = [_join(type, value) for type, value in zip(types, after, strict=True)]
        if joined == types:
            break
        types = joined
    ports.block.add_op(infra.YieldOp(*after, condition))
    chosen = sorted(wanted)
    loop = infra.LoopOp.create(
        operands=[write.integer(NO_LIMIT), go_on, *ports.operands],
        result_types=[after[number].type for number in chosen],
        properties={
            **ports.properties,
            "outputs": ArrayAttr(last(number) for number in chosen),
            "body_condition": IntegerAttr(len(after), i64),
        },
        regions=[Region(ports.block)],
    )
    write.builder.insert(loop)
    return dict(zip(chosen, _raised(write, loop), strict=True))


def _raised(write: Writer, loop: infra.LoopOp) -> Sequence[SSAValue]:
    """What takes the place of a loop's results where its ports are raised."""
    use = UnrealizedConversionCastOp.create(operands=loop.results)
    write.builder.insert(use)
    raise_ports(loop)
    results = list(use.operands)
    Rewriter.erase_op(use)
    return results


def _join(type: TensorType[Any], value: SSAValue) -> TensorType[Any]:
    """The type of what is given and of what comes back."""
    if compatible(value.type, type):
        return type
    old, new = type.get_shape(), shape_of(value)
    if len(old) != len(new) or tensor(value).element_type != type.element_type:
        raise VerifyException(
            f"its body gives {value.type} for what was {type}; ranks and element types must stay"
        )
    shape = [a if a == b else DYNAMIC_INDEX for a, b in zip(old, new, strict=True)]
    return TensorType(type.element_type, shape)
