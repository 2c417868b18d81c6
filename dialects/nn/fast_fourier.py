"""Fourier transforms in two stages, after J. W. Cooley and J. W. Tukey (1965)."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from .expression import Expression, concatenated
from .matrix import MatMulOp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORTH = 8
"""How many times fewer products than elements two stages have where they are faster: they also move all three times."""


def first_factor(size: int) -> int | None:
    """What to divide a transform of `size` elements by, `a` of `a * b`; None where one product is faster."""
    factors = [a for a in range(2, int(size**0.5) + 1) if size % a == 0]
    if not factors or WORTH * (factors[-1] + size // factors[-1]) > size:
        return None
    return factors[-1]


def rotations(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    What part p of a complex number adds to part q where it is multiplied by `exp(-2πi turn)`, `[..., p, q]`. Quarter
    turns have exact zeros: of real numbers, the highest frequency is real, so that its phase is 0 or π.
    """
    import numpy as np

    cosine, sine = np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)
    quarters = 4 * turns
    cosine[quarters % 2 == 1] = 0
    sine[quarters % 2 == 0] = 0
    return np.stack([np.stack([cosine, -sine], -1), np.stack([sine, cosine], -1)], -2)


def in_two_stages(
    data: Expression,
    axis: int,
    pairs: bool,
    size: int,
    columns: int,
    first: int,
    inverse: bool = False,
) -> Expression:
    """
    The first `columns` numbers of the transform of `size` elements along an axis, missing ones being 0, as pairs; the
    elements are `pairs` or real. With `b = size / first`:

        x(k + first l) = sum_j exp(-2πi j (k + first l) / size) sum_i exp(-2πi i k / first) x[b i + j]
    """
    shape = data.shape[:-1] if pairs else data.shape
    others = [i for i in range(len(shape)) if i != axis]
    rest, rows = [shape[i] for i in others], min(shape[axis], size)
    order = [*others, axis, len(shape)][: len(data.shape)]
    signal = data.slice(axis, 0, rows).transposed(*order)
    signal = signal.reshaped(prod(rest), rows, 1 + pairs)
    sums = _inner_sums(signal, size // first, first, inverse)
    total = _outer_sums(sums, size, -(-columns // first), inverse).slice(1, 0, columns)
    back = [others.index(i) if i != axis else len(rest) for i in range(len(shape))]
    return total.reshaped(*rest, columns, 2).transposed(*back, len(shape))


def _inner_sums(signal: Expression, second: int, first: int, inverse: bool) -> Expression:
    """`s[k, j] = sum_i exp(-2πi i k / first) x[second i + j]`, [signal, i and j, part] to [k, signal, j, part]."""
    import numpy as np

    count, rows, parts = signal.shape
    taken = -(-rows // second)
    if missing := taken * second - rows:
        zeros = signal.constant((1, 1, 1), [0]).broadcast(count, missing, parts)
        signal = concatenated(1, signal, zeros)
    signal = signal.reshaped(count, taken, second, parts).transposed(0, 2, 1, 3)
    turns = np.outer(np.arange(taken), np.arange(first)) % first / first
    matrix = rotations(-turns if inverse else turns)[:, :, :parts].transpose(0, 2, 1, 3)
    sums = _product(
        signal.reshaped(count * second, taken * parts), matrix.reshape(taken * parts, first * 2)
    )
    return sums.reshaped(count, second, first, 2).transposed(2, 0, 1, 3)


def _outer_sums(sums: Expression, size: int, groups: int, inverse: bool) -> Expression:
    """`x(k + first l) = sum_j exp(-2πi j (k + first l) / size) s[k, j]` for `groups` l: [signal, l and k, part]."""
    import numpy as np

    first, count, second, parts = sums.shape
    k, j, group = np.ogrid[:first, :second, :groups]
    turns = j * (k + first * group) % size / size
    matrix = rotations(-turns) / size if inverse else rotations(turns)
    matrix = matrix.transpose(0, 1, 3, 2, 4).reshape(first, second * parts, groups * parts)
    total = _product(sums.reshaped(first, count, second * parts), matrix)
    total = total.reshaped(first, count, groups, parts).transposed(1, 2, 0, 3)
    return total.reshaped(count, groups * first, parts)


def _product(data: Expression, matrix: NDArray[np.float64]) -> Expression:
    factors = data.constant(matrix.shape, matrix.reshape(-1).tolist())
    return data.on(data.write(MatMulOp, data.value, factors.value))
