"""Bases of operations with one result, by what its type follows from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import AnyFloatConstr, IntegerType, NoneAttr, TensorType
from xdsl.ir import Attribute
from xdsl.irdl import base, operand_def, prop_def, result_def, traits_def

from ..accessors import first_operand
from ..inferred import SAME_ELEMENT, SAME_TYPE, Constants, TensorOp, shape_of, tensor
from ..tensor_types import typed
from ..traits import DataMovement

NO_ENCODING = NoneAttr()

OPERAND = type(cast(object, operand_def()))
"""What declares an operand."""


class ExtendedOp(TensorOp, ABC):
    """Operands that a class declares come behind those of its bases, which xDSL alone has the other way round."""

    def __init_subclass__(cls) -> None:
        operands = {
            name: field
            for base in reversed(cls.__mro__)
            if base not in TensorOp.__mro__  # which declare none
            for name, field in vars(base).items()
            if isinstance(field, OPERAND)
        }
        for name, field in operands.items():
            if name in vars(cls):
                delattr(cls, name)
            setattr(cls, name, field)
        super().__init_subclass__()


class ShapedOp(ExtendedOp, ABC):
    """`result` has elements of the type of the first operand's, where the class says no other; its shape follows."""

    result = result_def(SAME_ELEMENT)

    @abstractmethod
    def infer_shape(self, constants: Constants) -> Sequence[int]:
        """The shape of the result; raises as `infer_types` does."""

    @property
    def element(self) -> Attribute:
        """The type of the result's elements."""
        return tensor(first_operand(self)).element_type

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, element, first = self.infer_shape(constants), self.element, first_operand(self)
        same = tensor(first)
        if shape_of(first) == tuple(shape) and same.element_type == element:
            return [typed(element, shape) if same.encoding != NO_ENCODING else same]
        return [typed(element, shape)]


class OfInputOp(ShapedOp, ABC):
    """An operation whose first operand is `input`."""

    input = operand_def(TensorType)


class InputOp(OfInputOp, ABC):
    """`result` has elements of the type of those of `input`."""

    input = operand_def(SAME_ELEMENT)


class SameTypeOp(OfInputOp, ABC):
    """`result` has the type of `input`."""

    input = operand_def(SAME_TYPE)
    result = result_def(SAME_TYPE)

    def check(self, constants: Constants) -> None:
        """Raises VerifyException, naming the operation, where operands or properties do not fit."""

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        self.check(constants)
        return shape_of(self.input)


class MovedOp(OfInputOp, ABC):
    """`result` has the elements of `input`, in other places."""

    result = result_def(TensorType)

    traits = traits_def(DataMovement())


class TypedOp(ShapedOp, ABC):
    """`result` has elements of `output_type`."""

    result = result_def(TensorType)
    output_type = prop_def(base(IntegerType) | AnyFloatConstr)

    @property
    def element(self) -> Attribute:
        return self.output_type
