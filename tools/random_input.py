"""What models are measured with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..runtime.ports import Port

    Array = npt.NDArray[Any]


def random_input(port: Port) -> Array:
    """
    Numbers for an input, the same each time: floats from -1 to 1, small integers. Raises
    DiagnosticException where its shape is not known.
    """
    if -1 in port.shape:
        raise DiagnosticException(
            f"{port} has unknown dimensions; say its shape with --reshape {port.any_name}=…"
        )
    rng = np.random.default_rng(0)
    if port.dtype.kind == "f":
        return rng.uniform(-1, 1, port.shape).astype(port.dtype)
    return rng.integers(0, 2, port.shape).astype(port.dtype)
