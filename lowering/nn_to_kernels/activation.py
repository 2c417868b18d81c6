"""Activation functions beyond the basic ones."""

from __future__ import annotations

from math import pi, sqrt

from xdsl.dialects import math
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ..kernel_bodies.bodies import Scalar, select
from .rule import kernel_rule
from .writer import KernelWriter


@kernel_rule(nn.EluOp)
def elu(op: nn.EluOp, write: KernelWriter) -> SSAValue:
    alpha = op.alpha.value.data

    return write.elementwise(lambda x: select(x > 0, x, alpha * x.at_most(0).apply(math.ExpM1Op)))


@kernel_rule(nn.GeluOp)
def gelu(op: nn.GeluOp, write: KernelWriter) -> SSAValue:
    """`x` times a sigmoid, or half of the error function's complement: nothing is lost where these are small."""
    in_tanh = op.approximation_mode.data == "tanh"

    def compute(x: Scalar) -> Scalar:
        if in_tanh:
            square = x * x
            return x * (x * square.fma(0.044715, 1) * sqrt(8 / pi)).sigmoid()
        return x * 0.5 * (x * -sqrt(0.5)).apply(kernel.ErfcOp)

    return write.elementwise(compute)


@kernel_rule(nn.SoftPlusOp)
def soft_plus(op: nn.SoftPlusOp, write: KernelWriter) -> SSAValue:
    """`max(x, 0) + log1p(exp(-|x|))`, which nothing overflows."""
    return write.elementwise(lambda x: x.at_least(0) + (-abs(x)).exp().apply(math.Log1pOp))
