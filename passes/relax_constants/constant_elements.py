"""The elements that take the place of a constant: numbers, and sizes of dimensions that follow the inputs."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    IntegerAttr,
    TensorType,
    i64,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import (
    constant_integers,
    copy_name,
    friendly_name,
    label,
    shape_of,
    spelled,
    tensor,
)
from ...dialects.module import port_names
from ...dialects.rewriter import Rewriter
from .sizes import ReadDimension

Element = int | ReadDimension
"""An element of a relaxed vector."""


def constant_of(value: SSAValue) -> Sequence[int] | None:
    """The integers of a value that a constant gives."""
    return constant_integers(value) if isinstance(value.owner, nn.ConstantOp) else None


def replace(op: Operation, operand: int, elements: Sequence[Element]) -> str:
    """Puts other elements in the place of a constant. Returns what changed."""
    constant = op.operands[operand].owner
    assert isinstance(constant, nn.ConstantOp)
    old, name = constant_integers(constant.result) or (), friendly_name(constant)
    made = put(op, operand, elements)
    if constant.result.first_use is None:
        copy_name(constant, made)
        Rewriter.erase_op(constant)
    which, now = (
        f"constant '{name}'" if name else "the constant",
        ", ".join(map(_spelled, elements)),
    )
    return f"{which} {spelled(old)} of {label(op)} is [{now}] now"


def _spelled(element: Element) -> str:
    if isinstance(element, int):
        return str(element)
    return f"dimension {element.index} of {_name(element.value)}"


def _name(value: SSAValue) -> str:
    """How messages call a value."""
    if isinstance(owner := value.owner, Operation):
        return label(owner)
    if isinstance(value, BlockArgument) and isinstance(function := owner.parent_op(), func.FuncOp):
        for name in port_names(function.arg_attrs, len(function.args))[value.index]:
            return name
    return f"an argument of type {value.type}"


def put(op: Operation, operand: int, elements: Sequence[Element]) -> Operation:
    """Makes these elements the operand, and returns what gives them."""
    type = tensor(op.operands[operand])
    place, parts = InsertPoint.before(op), list[Operation]()

    def insert(new: Operation) -> Operation:
        Rewriter.insert_op(new, place)
        return new

    def vector(values: Sequence[int]) -> Operation:
        shape = [len(values)] if shape_of(op.operands[operand]) else []
        data = nn.BlobAttr.of(TensorType(type.element_type, shape), list(values))
        return insert(nn.ConstantOp(data))

    literals: list[int] = []
    for element in (*elements, None):
        if isinstance(element, int):
            literals.append(element)
            continue
        if literals:
            parts.append(vector(literals))
            literals = []
        if element is not None:
            shape = insert(nn.ShapeOfOp.of(element.value, output_type=type.element_type))
            limits = [vector([n]) for n in (element.index, element.index + 1, 1, 0)]
            parts.append(insert(nn.SliceOp.of(shape, *limits)))
    if len(parts) > 1:
        parts = [insert(nn.ConcatOp.of(*parts, axis=IntegerAttr(0, i64)))]
    op.operands[operand] = parts[0].results[0]
    return parts[0]
