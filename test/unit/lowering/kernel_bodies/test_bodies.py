"""Scalar functions in kernels: what they do beyond numbers, and how exact the polynomials are."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.lowering.expand_math import ExpandMath
from lowstream.lowering.nn_to_kernels import NnToKernels
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor


def module_of(op: str, size: int) -> ModuleOp:
    type = f"tensor<{size}xf32>"
    text = f"func.func @main(%x: {type}) -> {type} {{ %y = {op} : {type} func.return %y : {type} }}"
    return Parser(context(), text).parse_module()


def expanded(op: str, x: Array) -> Array:
    """What the kernels of an operation give, polynomials in place."""
    module = module_of(op, x.size)
    for item in (NnToKernels(), ExpandMath()):
        item.apply(context(), module)
    module.verify()
    (result,) = Executor(module).run([x])
    return result


SPECIAL = np.array(
    [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 1e30, -1e30, 0.5, -3.0, 100.0], np.float32
)


@pytest.mark.parametrize(
    "op",
    [
        "nn.relu %x",
        "nn.clamp %x {min = -1.0 : f64, max = 6.0 : f64}",
        "nn.clamp %x {min = -1.0e+300 : f64, max = 1.0e+300 : f64}",
    ],
)
def test_limits_are_those_of_nn(op: str):
    with np.errstate(over="ignore"):  # of limits that f32 does not reach
        (wanted,) = Executor(module_of(op, SPECIAL.size)).run([SPECIAL])
    np.testing.assert_array_equal(expanded(op, SPECIAL), wanted)


@pytest.mark.parametrize("op", ["nn.tanh %x", "nn.sigmoid %x"])
def test_functions_beyond_numbers(op: str):
    (wanted,) = Executor(module_of(op, SPECIAL.size)).run([SPECIAL])
    np.testing.assert_allclose(expanded(op, SPECIAL), wanted, rtol=0, atol=3e-7)


def numbers() -> Array:
    """f32 from 0 to beyond where tanh is 1: by exponent, and evenly."""
    bits = np.arange(0, 0x41200000, 20011, dtype=np.uint32).view(np.float32)
    return np.concatenate([bits, np.linspace(0, 12, 100001, dtype=np.float32)])


def test_tanh_is_exact_to_5_units():
    x = numbers()
    y = expanded("nn.tanh %x", x)
    wanted = np.tanh(x.astype(np.longdouble))
    units = np.abs(y - wanted) / np.spacing(wanted.astype(np.float32)).astype(np.longdouble)
    assert units.max() <= 5
    assert y.max() < 1
    np.testing.assert_array_equal(expanded("nn.tanh %x", -x), -y)


def test_sigmoid_is_exact_to_2e7():
    x = np.concatenate([numbers(), -numbers()])
    wanted = 1 / (1 + np.exp(-x.astype(np.longdouble)))
    y = expanded("nn.sigmoid %x", x)
    assert np.abs(y - wanted).max() <= 2e-7
    assert y.min() >= 0 and y.max() <= 1
