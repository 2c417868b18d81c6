"""The table of meanings: for each operation, the NumPy function that says what it computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from xdsl.dialects.builtin import TensorType, f64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects.inferred import tensor
from ..dialects.nn.constant import ConstantOp, constant_of
from ..dialects.nn.derived import DerivedOp, is_real
from ..dialects.tables import registered
from .arrays import Array, blob_of, dtype_of, rounded

OpT = TypeVar("OpT", bound=Operation)
Meaning = Callable[..., Array | tuple[Array, ...]]

MEANINGS: dict[type[Operation], Meaning] = {}
"""Operation class to function of the operation and its operands' arrays (None for an absent operand)."""


def meaning(*ops: type[Operation]) -> Callable[[Meaning], Meaning]:
    """Registers the decorated function `(op, *arrays) -> array or tuple of arrays`."""
    return registered(MEANINGS, ops)


def has_meaning(op: Operation) -> bool:
    """Whether `evaluate` knows this operation."""
    return type(op) in MEANINGS or isinstance(op, DerivedOp)


def evaluate(op: Operation, inputs: Sequence[Array]) -> list[Array]:
    """The results of one operation that has no regions and no effects. Raises KeyError if it has no meaning."""
    if isinstance(op, DerivedOp) and type(op) not in MEANINGS:
        return _decomposed(op, inputs)
    given = MEANINGS[type(op)](op, *inputs)
    results = list(given) if isinstance(given, tuple) else [given]
    return [
        rounded(array, tensor(result).element_type)
        for result, array in zip(op.results, results, strict=True)
    ]


def _decomposed(op: DerivedOp, inputs: Sequence[Array]) -> list[Array]:
    """
    The decomposition's results. Real numbers are computed with in float64 and rounded once; integers are known, and
    so are single numbers that are constants.
    """
    block, values = Block(), dict[SSAValue, Array]()
    operands: list[SSAValue] = []
    for operand, array in zip(op.operands, inputs, strict=True):
        computes = is_real(operand) and op.is_widened
        if computes and (array.size != 1 or constant_of(operand) is None):
            type = cast(TensorType[Any], TensorType(f64, array.shape))
            value: SSAValue = block.insert_arg(type, len(block.args))
            values[value] = array.astype(dtype_of(f64))
        else:
            element: Attribute = f64 if computes else tensor(operand).element_type
            constant = ConstantOp(blob_of(array.astype(dtype_of(element)), element))
            block.add_op(constant)
            value = constant.result
        operands.append(value)
    found = op.within(block, operands)
    for each in block.ops:
        results = evaluate(each, [values[operand] for operand in each.operands])
        values.update(zip(each.results, results, strict=True))
    elements: list[Attribute] = [tensor(result).element_type for result in op.results]
    return [
        rounded(values[value], element).astype(dtype_of(element))
        for value, element in zip(found, elements, strict=True)
    ]
