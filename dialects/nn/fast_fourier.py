"""
Fast Fourier transforms: a stage for each small factor of the size, after J. W. Cooley and J. W. Tukey (1965), in the
order of T. G. Stockham (1966), which needs no permutation; and convolution with a chirp, after L. I. Bluestein (1970),
where a factor is large. Numbers are planes: real parts before imaginary ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf, isinf, prod
from typing import TYPE_CHECKING

from .expression import Expression, concatenated
from .matrix import MatMulOp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STAGE = 60
"""What a stage does beside its products takes as long as so many products of real numbers, for each number."""

LARGEST_FACTOR = 64
"""Of a stage."""


@cache
def plan_of(size: int) -> tuple[float, tuple[int, ...]]:
    """
    How many products of real numbers a transform in stages takes for each of its numbers, and the factors of the
    stages; infinitely many where a prime factor is too large. An even factor comes last: then the ends of a spectrum of
    real numbers are exactly real.
    """
    if size == 1:
        return 0, ()
    found: list[tuple[float, tuple[int, ...]]] = [(inf, (size,))]
    for factor in range(2, min(size, LARGEST_FACTOR) + 1):
        if size % factor == 0:
            products, others = plan_of(size // factor)
            order = sorted((factor, *others), key=lambda each: (each % 2 == 0, each))
            found.append((products + 4 * factor + STAGE, tuple(order)))
    return min(found)


@cache
def chirp_size(size: int) -> int:
    """The size of the transforms that convolve so many numbers with a chirp."""
    step = 1 << max(size.bit_length() - 6, 0)
    first = -(-(2 * size - 1) // step) * step
    sizes = range(first, first + 16 * step, step)
    return min(sizes, key=lambda each: each * plan_of(each)[0])


def is_fast(size: int, pairs: bool) -> bool:
    """Whether a transform of complex numbers, or of real ones, takes less than its product with a matrix."""
    if size < 2:
        return False
    products, _ = plan_of(size)
    if isinf(products):
        longer = chirp_size(size)
        products = 3 * STAGE + 2 * plan_of(longer)[0] * longer / size
    return products < (4 if pairs else 2) * size


def phases(turns: NDArray[np.float64]) -> NDArray[np.complex128]:
    """
    `exp(-2πi turn)`. Quarter turns have exact zeros: of real numbers, the highest frequency is real, so that its phase
    is 0 or π.
    """
    import numpy as np

    cosine, sine = np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)
    quarters = 4 * turns
    cosine[quarters % 2 == 1] = 0
    sine[quarters % 2 == 0] = 0
    return cosine - 1j * sine


def between_parts(factors: NDArray[np.complex128]) -> NDArray[np.float64]:
    """What part p of a complex number adds to part q where it is multiplied by a factor, `[..., p, q]`."""
    import numpy as np

    real, imaginary = factors.real, factors.imag
    return np.stack([np.stack([real, imaginary], -1), np.stack([-imaginary, real], -1)], -2)


def transformed(
    data: Expression, size: int, columns: int, inverse: bool = False, parts: int = 2
) -> Expression:
    """
    The first `columns` numbers of the transforms of `size` numbers, [signal, part, number]; those that are not given
    are 0. Without imaginary parts, `parts` is 1. The inverse is not divided by `size`.
    """
    products, factors = plan_of(size)
    if isinf(products):
        return _by_chirp(data, size, columns, inverse).slice(1, 0, parts)
    return _in_stages(data, factors, columns, inverse, parts)


def _in_stages(
    data: Expression, factors: Sequence[int], columns: int, inverse: bool, parts: int
) -> Expression:
    """
    With these factors, the index of a number has a digit for each. Each stage transforms along the first digit, and
    makes it the last one of the index in the spectrum.
    """
    import numpy as np

    done, left, sign = 1, prod(factors), -1 if inverse else 1
    data = _filled(data, left // factors[0])
    for factor in factors:
        left //= factor
        count, given, numbers = data.shape
        taken = numbers // (left * done)
        made, kept = (-(-columns // done), parts) if left == 1 else (factor, 2)
        turns = np.outer(np.arange(made), np.arange(taken)) % factor / factor
        matrix = between_parts(phases(sign * turns))[..., :given, :kept].transpose(3, 0, 2, 1)
        data = _multiplied(
            matrix.reshape(kept * made, given * taken),
            data.reshaped(count, given * taken, left * done),
        )
        if left > 1:
            turns = np.outer(np.arange(factor), np.arange(left)) / (factor * left)
            data = data.reshaped(count, 2, factor, left, done)
            data = _scaled(data, phases(sign * turns)[..., None]).transposed(0, 1, 3, 2, 4)
        done *= made
        data = data.reshaped(count, kept, left * done)
    return data.slice(2, 0, columns)


def _filled(data: Expression, step: int) -> Expression:
    """With zeros up to a multiple of `step` numbers."""
    count, given, rows = data.shape
    if not rows % step:
        return data
    zeros = data.constant((1, 1, 1), [0]).broadcast(count, given, -rows % step)
    return concatenated(2, data, zeros)


def _by_chirp(data: Expression, size: int, columns: int, inverse: bool) -> Expression:
    """
    `x(k) = c(k) sum_j (c(j) x[j]) / c(k - j)` with the chirp `c(k) = exp(-πi k k / size)`; the sum is a convolution.
    The ends of a spectrum of real numbers are made real.
    """
    import numpy as np

    _, given, rows = data.shape
    k, longer = np.arange(size), chirp_size(size)
    chirp = phases(k * k % (2 * size) / (2 * size) * (-1 if inverse else 1))
    kernel = np.zeros(longer, np.complex128)
    kernel[-k] = kernel[k] = 1 / chirp
    spectrum = transformed(_scaled(data, chirp[:rows]), longer, longer)
    product = _scaled(spectrum, np.fft.fft(kernel) / longer)
    result = _scaled(transformed(product, longer, columns, inverse=True), chirp[:columns])
    if given == 2:
        return result
    is_complex = 2 * k[:columns] % size != 0
    return result * result.constant((1, 2, columns), [1] * columns + is_complex.tolist())


def _scaled(data: Expression, factors: NDArray[np.complex128]) -> Expression:
    """Numbers times complex factors, [signal, part, …]."""
    shape = (1, 1, *factors.shape)
    real, imaginary = (
        data.constant(shape, part.reshape(-1).tolist()) for part in (factors.real, factors.imag)
    )
    x = data.slice(1, 0, 1)
    if data.shape[1] == 1:
        return concatenated(1, x * real, x * imaginary)
    y = data.slice(1, 1, 2)
    return concatenated(1, x * real - y * imaginary, x * imaginary + y * real)


def _multiplied(matrix: NDArray[np.float64], data: Expression) -> Expression:
    factors = data.constant(matrix.shape, matrix.reshape(-1).tolist())
    return data.on(data.write(MatMulOp, factors.value, data.value))
