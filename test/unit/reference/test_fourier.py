"""Fourier transforms against NumPy's, also where signals are made longer, which OpenVINO's plugin for CPUs refuses."""

from math import isinf
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import TensorType, f64, i64
from xdsl.ir import Block

from lowstream.dialects import nn
from lowstream.dialects.blob import BlobAttr
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.nn.fast_fourier import is_fast, phases, plan_of
from lowstream.reference import executor
from lowstream.reference.arrays import Array
from lowstream.reference.meaning import evaluate

assert executor  # its import fills the table of meanings


def transformed(kind: type[InferredOp], data: Array, axes: list[int], sizes: list[int]) -> Array:
    """Complex numbers are pairs on the way in and out."""
    pairs = np.stack([np.real(data), np.imag(data)], -1) if np.iscomplexobj(data) else data
    given = [np.array(each, np.int64) for each in (axes, sizes)]
    types = [TensorType(i64, [len(axes)])] * 2
    constants = [
        nn.ConstantOp(BlobAttr.of(type, each.tolist()))
        for type, each in zip(types, given, strict=True)
    ]
    data_type: TensorType[Any] = TensorType(f64, pairs.shape)
    op = kind.of(Block(arg_types=[data_type]).args[0], *constants)
    (result,) = evaluate(op, [pairs, *given])
    return result if kind is nn.IrdftOp else result[..., 0] + 1j * result[..., 1]


@pytest.mark.parametrize("sizes", [[3, 9], [6, 4], [4, -1], [1, 66]], ids=str)
def test_transforms_are_those_of_numpy(sizes: list[int]):
    random = np.random.default_rng(0)
    real, imaginary = random.normal(size=(2, 2, 4, 7))
    numbers, axes = real + 1j * imaginary, [1, -1]
    whole = [4 if sizes[0] == -1 else sizes[0], 7 if sizes[1] == -1 else sizes[1]]
    half = [whole[0], 12 if sizes[1] == -1 else sizes[1]]
    for kind, wanted in (
        (nn.DftOp, np.fft.fftn(numbers, whole, axes)),
        (nn.IdftOp, np.fft.ifftn(numbers, whole, axes)),
        (nn.IrdftOp, np.fft.irfftn(numbers, half, axes)),
    ):
        np.testing.assert_allclose(transformed(kind, numbers, axes, sizes), wanted, 1e-12, 1e-12)
    given = transformed(nn.RdftOp, real, axes, sizes)
    np.testing.assert_allclose(given, np.fft.rfftn(real, whole, axes), 1e-12, 1e-12)


@pytest.mark.parametrize(
    ("length", "size"),
    [(1030, 1024), (700, 1100), (1152, 1152), (1031, 1031), (50, 2062), (99, 99)],
)
def test_fast_transforms_are_those_of_numpy(length: int, size: int):
    """What is left out, and zeros that are added; stages of even and odd factors, and of none: 1031 is prime."""
    random = np.random.default_rng(1)
    real, imaginary = random.normal(size=(2, 2, length))
    numbers = real + 1j * imaginary
    assert is_fast(size, True) and isinf(plan_of(size)[0]) == (size % 1031 == 0)
    for kind, data, wanted in (
        (nn.RdftOp, real, np.fft.rfft(real, size)),
        (nn.DftOp, numbers, np.fft.fft(numbers, size)),
        (nn.IdftOp, numbers, np.fft.ifft(numbers, size)),
        (nn.IrdftOp, numbers, np.fft.irfft(numbers, size)),
    ):
        np.testing.assert_allclose(transformed(kind, data, [1], [size]), wanted, 1e-10, 1e-10)
    along = transformed(nn.RdftOp, real.T, [0], [size])
    np.testing.assert_allclose(along.T, np.fft.rfft(real, size), 1e-10, 1e-10)


@pytest.mark.parametrize("size", [8, 104, 450, 1024, 1031, 1250, 2062])
def test_the_ends_of_the_spectrum_of_real_numbers_are_real(size: int):
    """The phase of a negative number is π, and it would be -π just below the real axis."""
    real = np.random.default_rng(2).normal(size=(2, size))
    given = transformed(nn.RdftOp, real, [1], [size])
    ends = [0, size // 2] if size % 2 == 0 else [0]
    np.testing.assert_array_equal(np.imag(given[:, ends]), 0)


def test_quarter_turns_are_exact():
    np.testing.assert_array_equal(phases(np.arange(8) / 4), [1, -1j, -1, 1j] * 2)


def test_matrices_of_real_numbers_are_half_as_large():
    """So that stages pay later."""
    assert [(is_fast(size, True), is_fast(size, False)) for size in (44, 48, 104)] == [
        (False, False),
        (True, False),
        (True, True),
    ]
