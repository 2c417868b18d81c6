"""
Matrix products: both operands with the summed dimension last, vectors as matrices of one row.

A constant right operand is transposed here, once; one that is computed, by a kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import TensorType, f32, f64, i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import bits_of, is_narrow_float
from ...dialects.inferred import shape_of, static_shape, tensor
from ...dialects.kernel import Access, body_type
from ...dialects.tensor_types import typed
from ..kernel_bodies.bodies import Scalar, build_body, conversion
from .rule import is_integer, kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.MatMulOp)
def mat_mul(op: nn.MatMulOp, write: KernelWriter) -> SSAValue:
    left, right, result = static_shape(op.a), static_shape(op.b), static_shape(op.result)
    target = tensor(op.result).element_type
    a = write.reshape(op.a, (1, *left)) if len(left) == 1 else op.a
    b = write.reshape(op.b, (1, *right)) if len(right) == 1 else op.b
    if op.transpose_a and len(left) > 1:
        a = write.swap(a)
    if not op.transpose_b and len(right) > 1:
        b = write.swap(b)
    product = product_type(tensor(op.a).element_type, tensor(op.b).element_type)
    if product is not None:
        a, b = write.convert(a, product), write.convert(b, product)
    batch = np.broadcast_shapes(shape_of(a)[:-2], shape_of(b)[:-2])
    if len(batch) and not any(size > 1 for size in shape_of(b)[:-2]):
        b = write.reshape(b, shape_of(b)[-2:])
    domain = (*batch, shape_of(a)[-2], shape_of(b)[-2])
    summed = i32 if product is None else product
    new = multiplied(a, b, summed, typed(target, domain))
    return write.reshape(write.kernel(new, op.a), result)


def multiplied(
    a: SSAValue, b: SSAValue, summed: Attribute, result: TensorType[Any]
) -> kernel.MatMulOp:
    """`a bᵀ`, summed in this type and converted to that of the result."""
    element = result.element_type
    wraps = summed == f64 and is_integer(element) and bits_of(element) < 64
    body = build_body([body_type(summed)], (_wrapped if wraps else conversion)(summed, element))
    domain = result.get_shape()
    return kernel.MatMulOp(
        domain,
        1,
        [a],
        [b],
        kernel.Epilogue([], [Access.identity(len(domain))], body),
        results=[result],
    )


def _wrapped(summed: Attribute, element: Attribute) -> Callable[[Scalar], Scalar]:
    """The low bits of a sum, where a conversion would give the nearest number."""
    return lambda total: total.convert(summed, i64).convert(i64, element)


def product_type(left: Attribute, right: Attribute) -> Attribute | None:
    """The type in which to multiply; None for two 8-bit operands, which multiply as they are."""
    if is_integer(left) and is_integer(right):
        if bits_of(left) == bits_of(right) == 8:
            return None
        return f64  # sums of integers up to 2**53 are exact there
    return f32 if is_narrow_float(left) else left
