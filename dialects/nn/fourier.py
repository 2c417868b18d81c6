"""Discrete Fourier transforms; complex numbers are pairs along the last dimension."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def

from ..inferred import INDEX, SAME_ELEMENT, Constants, TensorOp, floating, spelled, static_shape
from ..names import Names
from ..operation import op_definition
from .derived import DerivedOp
from .expression import Expression
from .fast_fourier import between_parts, is_fast, phases, transformed
from .matrix import MatMulOp
from .reduction import constant_axes
from .shaped import ShapedOp
from .writer import Writer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def spectrum(
    data: Expression, axis: int, pairs: bool, size: int, columns: int, inverse: bool = False
) -> Expression:
    """
    The first `columns` numbers of the transform of `size` numbers along an axis, to pairs: of pairs, or of real
    numbers. Missing ones are 0.
    """
    rows = min(data.shape[axis], size)
    if is_fast(size, pairs):

        def transform(signals: Expression) -> Expression:
            result = transformed(signals, size, columns, inverse)
            return result * (1 / size) if inverse else result

        return _along(data, axis, pairs, rows, transform)
    return _product(data, axis, pairs, _factors(rows, columns, size, inverse)[:, : 1 + pairs])


def real_signal(spectra: Expression, axis: int, size: int) -> Expression:
    """
    `size` real numbers from pairs along an axis, the first half of their spectrum: the other half is its conjugate.
    """
    import numpy as np

    rows = min(spectra.shape[axis], size // 2 + 1)
    weights = np.full((rows, 1, 1), 2.0)
    weights[:1] = 1
    weights[(size + 1) // 2 :] = 1
    if is_fast(size, True):

        def transform(signals: Expression) -> Expression:
            weighted = signals * signals.constant((rows,), (weights / size).ravel().tolist())
            return transformed(weighted, size, size, inverse=True, parts=1)

        return _along(spectra, axis, True, rows, transform)
    factors = _factors(rows, size, size, inverse=True)[..., 0]
    return _product(spectra, axis, True, factors * weights)


def _factors(rows: int, columns: int, size: int, inverse: bool) -> NDArray[np.float64]:
    """
    What part p of complex number j (of `rows`) adds to part q of complex number k (of `columns`), `[j, p, k, q]`:
    `exp(-2πi j k / size)`, and `exp(2πi j k / size) / size` of the inverse. Parts are real and imaginary.
    """
    import numpy as np

    turns = np.outer(np.arange(rows), np.arange(columns)) % max(size, 1) / max(size, 1)
    factors = phases(-turns) / size if inverse else phases(turns)
    return between_parts(factors).transpose(0, 2, 1, 3)


def _product(data: Expression, axis: int, pairs: bool, factors: NDArray[np.float64]) -> Expression:
    """Numbers along an axis, or pairs of them, times a matrix from these to others."""
    shape = data.shape[:-1] if pairs else data.shape
    others = [i for i in range(len(shape)) if i != axis]
    rest = [shape[i] for i in others]
    after = factors.shape[2:]
    order = [*others, axis, len(shape)][: len(data.shape)]
    terms, sums = prod(factors.shape[:2]), prod(after)
    rows = data.slice(axis, 0, len(factors)).transposed(*order).reshaped(prod(rest), terms)
    matrix = rows.constant((terms, sums), factors.reshape(-1).tolist())
    total = data.on(data.write(MatMulOp, rows.value, matrix.value)).reshaped(*rest, *after)
    back = [others.index(i) if i != axis else len(rest) for i in range(len(shape))]
    return total.transposed(*back, *range(len(shape), len(total.shape)))


def _along(
    data: Expression,
    axis: int,
    pairs: bool,
    rows: int,
    transform: Callable[[Expression], Expression],
) -> Expression:
    """What becomes of the first `rows` numbers along an axis, as [signal, part, number], in their place."""
    shape = data.shape[:-1] if pairs else data.shape
    others = [i for i in range(len(shape)) if i != axis]
    rest, last = [shape[i] for i in others], len(shape)
    signals = data.slice(axis, 0, rows).transposed(*others, *[last] * pairs, axis)
    result = transform(signals.reshaped(prod(rest), 1 + pairs, rows))
    _, parts, columns = result.shape
    kept = parts == 2
    back = [others.index(i) if i != axis else len(rest) + kept for i in range(last)]
    result = result.reshaped(*rest, *[parts] * kept, columns)
    return result.transposed(*back, *[len(rest)] * kept)


class FourierOp(ShapedOp, DerivedOp, ABC):
    """
    A transform along constant `axes`, of `signal_size` elements each (-1, or without: all): further ones are left
    out, missing ones are 0. Axes do not count the dimension of pairs.
    """

    READS_PAIRS: ClassVar = True
    WRITES_PAIRS: ClassVar = True

    data = operand_def(SAME_ELEMENT)
    axes = operand_def(INDEX)
    signal_size = opt_operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        type = floating(self, self.data)
        shape = without_pairs(self, self.data) if self.READS_PAIRS else type.get_shape()
        axes = constant_axes(self, self.axes, len(shape), constants)
        if not axes:
            raise self.op_error("axes are none; it needs one or more")
        sizes = [self._natural(shape, axes, i) for i in range(len(axes))]
        if self.signal_size is not None:
            given = constants(self.signal_size)
            if given is not None and (
                len(given) != len(axes) or any(n < -1 or not n for n in given)
            ):
                raise self.op_error(
                    f"signal_size {list(given)} must have a size above 0, or -1, for each of {axes}"
                )
            wanted = [DYNAMIC_INDEX] * len(axes) if given is None else given
            sizes = [
                natural if given is not None and size == -1 else size
                for natural, size in zip(sizes, wanted, strict=True)
            ]
        result = list(shape)
        for axis, size in zip(axes, sizes, strict=True):
            result[axis] = size
        if not self.READS_PAIRS and sizes[-1] != DYNAMIC_INDEX:
            result[axes[-1]] = sizes[-1] // 2 + 1
        return [*result, *[2] * self.WRITES_PAIRS]

    def _natural(self, shape: Sequence[int], axes: Sequence[int], place: int) -> int:
        """How many elements a transform along `axes[place]` has where nothing says it."""
        size = shape[axes[place]]
        if self.WRITES_PAIRS or place < len(axes) - 1 or size == DYNAMIC_INDEX:
            return size
        return 2 * (size - 1)

    def _plan(self) -> list[tuple[int, int]]:
        """Each axis, and how many elements the transform along it has."""
        shape = static_shape(self.data)
        shape = shape[:-1] if self.READS_PAIRS else shape
        axes = [axis % len(shape) for axis in self.known(self.axes, "axes")]
        sizes = [self._natural(shape, axes, i) for i in range(len(axes))]
        if self.signal_size is not None:
            given = self.known(self.signal_size, "signal_size")
            sizes = [size if n == -1 else n for n, size in zip(given, sizes, strict=True)]
        return list(zip(axes, sizes, strict=True))


def without_pairs(op: TensorOp, data: SSAValue) -> tuple[int, ...]:
    """The shape of complex numbers. Raises VerifyException, naming `op`, where they are no pairs."""
    *shape, pair = floating(op, data).get_shape() or (0,)
    if pair not in (2, DYNAMIC_INDEX):
        raise op.op_error(
            f"data {spelled((*shape, pair))} are not complex numbers; the last dimension must be 2"
        )
    return tuple(shape)


@op_definition
class DftOp(FourierOp):
    """
    `result[k] = sum_j data[j] * exp(-2πi j k / n)` along each of the axes.

        %axes = nn.constant dense<[0]> : tensor<1xi64>
        %y = nn.dft %x, %axes : (tensor<6x3x2xf32>, tensor<1xi64>) -> tensor<6x3x2xf32>
    """

    name = "nn.dft"
    NAMES: ClassVar = Names("DFT-7")

    def decompose(self, write: Writer) -> SSAValue:
        data = Expression(write, self.data)
        for axis, size in self._plan():
            data = spectrum(data, axis, True, size, size)
        return data.value


@op_definition
class IdftOp(FourierOp):
    """
    The inverse, `result[k] = sum_j data[j] * exp(2πi j k / n) / n` along each of the axes.

        %axes = nn.constant dense<[0]> : tensor<1xi64>
        %size = nn.constant dense<[5]> : tensor<1xi64>
        %y = nn.idft %x, %axes, %size : (tensor<6x3x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<5x3x2xf32>
    """

    name = "nn.idft"
    NAMES: ClassVar = Names("IDFT-7")

    def decompose(self, write: Writer) -> SSAValue:
        data = Expression(write, self.data)
        for axis, size in self._plan():
            data = spectrum(data, axis, True, size, size, inverse=True)
        return data.value


@op_definition
class RdftOp(FourierOp):
    """
    The transform of real numbers; along the last of `axes`, the first `n / 2 + 1` numbers of the result, of which the
    others are conjugates.

        %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
        %y = nn.rdft %x, %axes : (tensor<3x6xf32>, tensor<2xi64>) -> tensor<3x4x2xf32>
    """

    name = "nn.rdft"
    NAMES: ClassVar = Names("RDFT-9")
    READS_PAIRS: ClassVar = False

    def decompose(self, write: Writer) -> SSAValue:
        *others, (axis, size) = self._plan()
        data = spectrum(Expression(write, self.data), axis, False, size, size // 2 + 1)
        for other, count in others:
            data = spectrum(data, other, True, count, count)
        return data.value


@op_definition
class IrdftOp(FourierOp):
    """
    The inverse of `nn.rdft`: real numbers, `signal_size` of them along the last of `axes`, `2 * (size - 1)` without.

        %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
        %y = nn.irdft %x, %axes : (tensor<3x4x2xf32>, tensor<2xi64>) -> tensor<3x6xf32>
    """

    name = "nn.irdft"
    NAMES: ClassVar = Names("IRDFT-9")
    WRITES_PAIRS: ClassVar = False

    def decompose(self, write: Writer) -> SSAValue:
        *others, (axis, size) = self._plan()
        data = Expression(write, self.data)
        for other, count in others:
            data = spectrum(data, other, True, count, count, inverse=True)
        return real_signal(data, axis, size).value
