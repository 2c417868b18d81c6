"""Whether floating-point numbers are finite, infinite, or NaN."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import result_def, traits_def

from ..inferred import Constants, floating
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from ..traits import Elementwise
from .comparison import EqualOp, LessOp, NotEqualOp
from .derived import DerivedOp
from .functions import AbsOp
from .shaped import OfInputOp
from .writer import Writer


class ClassificationOp(OfInputOp, DerivedOp, ABC):
    """`result[i] = f(input[i])`, a boolean."""

    result = result_def(TensorType.constr(i1))

    traits = traits_def(Elementwise())

    @property
    def element(self) -> Attribute:
        return i1

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        return floating(self, self.input).get_shape()


@op_definition
class IsNanOp(ClassificationOp):
    """
    Whether the input is NaN, which is what differs from itself.

        %c = nn.is_nan %x : tensor<4xf32> -> tensor<4xi1>
    """

    name = "nn.is_nan"
    NAMES: ClassVar = Names("IsNaN-10", "IsNan", "", "IsNaN-20")

    def decompose(self, write: Writer) -> SSAValue:
        return write(NotEqualOp, self.input, self.input)


@op_definition
class IsInfOp(ClassificationOp):
    """
    Whether the input is -∞ (where `detect_negative`) or ∞ (where `detect_positive`).

        %c = nn.is_inf %x {detect_negative = false} : tensor<4xf32> -> tensor<4xi1>
    """

    name = "nn.is_inf"
    NAMES: ClassVar = Names("IsInf-10", "IsInf", "", "IsInf-20")

    detect_negative = flag_prop(True)
    detect_positive = flag_prop(True)

    def decompose(self, write: Writer) -> SSAValue:
        if self.detect_negative and self.detect_positive:
            return write(EqualOp, write(AbsOp, self.input), math.inf)
        if self.detect_negative or self.detect_positive:
            return write(EqualOp, self.input, -math.inf if self.detect_negative else math.inf)
        return write(LessOp, self.input, -math.inf)  # nothing is


@op_definition
class IsFiniteOp(ClassificationOp):
    """
    Whether the input is a number, and not infinite.

        %c = nn.is_finite %x : tensor<4xf32> -> tensor<4xi1>
    """

    name = "nn.is_finite"
    NAMES: ClassVar = Names("IsFinite-10", "IsFinite")

    def decompose(self, write: Writer) -> SSAValue:
        return write(LessOp, write(AbsOp, self.input), math.inf)
