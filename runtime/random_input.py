"""Random inputs, for measuring models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..passes.errors import DiagnosticError

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..passes.interval import Interval
    from .ports import Port

    Array = npt.NDArray[Any]


def random_input(port: Port, interval: Interval | None = None) -> Array:
    """
    Random numbers for an input, the same in each run: floats in an interval, by default from -1 to 1, or small
    integers. Raises DiagnosticException where its shape is not known.
    """
    if -1 in port.shape:
        known = "x".join("1" if size == -1 else str(size) for size in port.shape)
        raise DiagnosticError(
            f"{port} has unknown dimensions; say its shape, as in --reshape {port.any_name}={known}"
        )
    rng = np.random.default_rng(0)
    if port.dtype.kind == "f":
        low, high = (-1, 1) if interval is None else (interval.low, interval.high)
        return rng.uniform(low, high, port.shape).astype(port.dtype)
    return rng.integers(0, 2, port.shape).astype(port.dtype)
