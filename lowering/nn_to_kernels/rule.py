"""The table of rules from operations to kernels on tensors, and the words rules are written in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import bits_of, is_unsigned
from ...dialects.inferred import label, tensor
from ...dialects.tables import registered
from ...reference.arrays import Array, array_of, blob_of
from ...reference.constants import constant_array

OpT = TypeVar("OpT", bound=Operation)
Rule = Callable[[Any, Any], SSAValue | Sequence[SSAValue]]

KERNEL_RULES: dict[type[Operation], Rule] = {}
"""
Operation class to the function that writes its kernels, with a `KernelWriter`, and gives what replaces its results.
"""


def kernel_rule(*ops: type[Operation]) -> Callable[[Rule], Rule]:
    """Registers the decorated function for these operations."""
    return registered(KERNEL_RULES, ops)


def is_wide_unsigned(element: Attribute) -> bool:
    """Whether bodies, in which integers are signless, have to be told that these have no sign."""
    return is_unsigned(element) and bits_of(element) >= 32


def known_integers(op: Operation, value: SSAValue, what: str) -> list[int]:
    """The integers of an operand that must be constant to compile. Raises DiagnosticException else."""
    array = constant_array(value)
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


def as_array(array: Array) -> Array:
    """A float64 copy, for computing a kernel's constants before they are rounded once."""
    return np.asarray(array, np.float64)
