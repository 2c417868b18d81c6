"""The table of rules from operations to kernels on tensors, and the words rules are written in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import kernel, nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import bits_of, is_unsigned
from ...dialects.inferred import label, shape_of, static_shape, tensor
from ...dialects.kernel import Access, body_type
from ...dialects.origins import origin_of, set_origins
from ...reference.arrays import Array, array_of, blob_of
from ..bodies import BodyBuilder, Scalar, same

OpT = TypeVar("OpT", bound=Operation)
Rule = Callable[[Any], "Lowered"]

KERNEL_RULES: dict[type[Operation], Rule] = {}
"""Operation class to the function that gives its kernels."""


class Lowered:
    """New operations in order, and the values that replace the results of the old one."""

    def __init__(self, *values: SSAValue, ops: Sequence[Operation] = ()):
        self.values, self.ops = values, list(ops)


def rule(*ops: type[Operation]) -> Callable[[Rule], Rule]:
    """Registers the decorated function for these operations."""

    def register(function: Rule) -> Rule:
        KERNEL_RULES.update(dict.fromkeys(ops, function))
        return function

    return register


def is_wide_unsigned(element: Attribute) -> bool:
    """Whether bodies, in which integers are signless, have to be told that these have no sign."""
    return is_unsigned(element) and bits_of(element) >= 32


def known_array(value: SSAValue) -> Array | None:
    """The contents of a constant."""
    blob = nn.constant_of(value)
    return None if blob is None else array_of(blob)


def known_integers(op: Operation, value: SSAValue, what: str) -> list[int]:
    """The integers of an operand that must be constant to compile. Raises DiagnosticException else."""
    array = known_array(value)
    if array is None:
        raise DiagnosticException(
            f"{label(op)}: {what} is not constant; run fold-constants first or make it one"
        )
    return [int(number) for number in array.reshape(-1)]


def constant(array: Array, element: Attribute | None = None) -> nn.ConstantOp:
    """A new constant of an array's contents."""
    return nn.ConstantOp(blob_of(array, element))


def is_low(value: SSAValue) -> bool:
    """Whether a tensor holds integers of at most 8 bits."""
    element = tensor(value).element_type
    return is_integer(element) and 1 < bits_of(element) <= 8


def is_integer(element: Attribute) -> bool:
    """Whether this is an integer type."""
    return isinstance(element, IntegerType)


def uniform(value: SSAValue) -> float | int | None:
    """The one element that a constant repeats everywhere."""
    blob = nn.constant_of(value)
    if blob is None:
        return None
    return _repeated(blob)


def _repeated(blob: BlobAttr) -> float | int | None:
    if not blob.data.splat and blob.type.get_shape() != () and blob.data.nbytes > 8:
        return None
    array = array_of(blob)
    return array.reshape(-1)[0].item() if array.size == 1 or blob.data.splat else None


def map_kernel(
    op: Operation,
    result: TensorType[Any],
    ins: Sequence[SSAValue],
    compute: Callable[..., Scalar | float],
    access: Sequence[Access] | None = None,
) -> kernel.MapOp:
    """
    A kernel over all elements of `result`: `compute(body, *scalars)` of the elements of `ins`, which
    broadcast as NumPy does where `access` does not say otherwise. Constants that repeat one element become
    numbers in the body. Integers are unsigned in it if those of an operand are. It may give a number.
    """
    domain = result.get_shape()
    if DYNAMIC_INDEX in domain:
        static_shape(op.results[0])
    for value in ins:
        static_shape(value)
    if access is None:
        access = [Access.broadcast(domain, shape_of(value)) for value in ins]
    numbers = [uniform(value) for value in ins]
    reads = list(zip(ins, access, strict=True))
    kept = [i for i, number in enumerate(numbers) if number is None and reads.index(reads[i]) == i]
    types = [body_type(tensor(value).element_type) for value in ins]

    unsigned = any(is_wide_unsigned(tensor(value).element_type) for value in ins)
    body = BodyBuilder(Block(arg_types=[types[i] for i in kept]), unsigned)
    scalars = body.scalars(body.block.args)
    given = {reads[i]: scalar for i, scalar in zip(kept, scalars, strict=True)}
    value = compute(
        *(
            given[read] if number is None else body.constant(number, type)
            for read, number, type in zip(reads, numbers, types, strict=True)
        )
    )
    if not isinstance(value, Scalar):
        value = body.constant(value, body_type(result.element_type))
    new = kernel.MapOp(
        domain,
        [ins[i] for i in kept],
        [*(access[i] for i in kept), Access.identity(len(domain))],
        body.region(value),
        results=[result],
    )
    low = any(is_low(value) for value in (*ins, *op.results))
    set_origins(new, origin_of(op, low))
    return new


def unary(op: Operation, compute: Callable[[Scalar], Scalar]) -> Lowered:
    """A function of each element."""
    return elementwise(op, compute)


def binary(op: Operation, compute: Callable[[Scalar, Scalar], Scalar]) -> Lowered:
    """A function of each pair of elements, over the broadcast of the operands."""
    return elementwise(op, compute)


def elementwise(op: Operation, compute: Callable[..., Scalar]) -> Lowered:
    """The operation as a kernel of one result over the broadcast of its operands."""
    new = map_kernel(op, tensor(op.results[0]), op.operands, compute)
    return Lowered(*new.results, ops=[new])


def moved(op: Operation, source: SSAValue, result: TensorType[Any], access: Access) -> kernel.MapOp:
    """A kernel that only moves elements: `result[p] = source[access(p)]`."""
    return map_kernel(op, result, [source], same, [access])


def as_array(array: Array) -> Array:
    """A float64 copy, for computing a kernel's constants before they are rounded once."""
    return np.asarray(array, np.float64)


def tensor_type(element: Attribute, shape: Sequence[int]) -> TensorType[Any]:
    """A tensor type."""
    return cast(TensorType[Any], TensorType(element, shape))
