"""
NumPy's number types by name, those that the package ml_dtypes adds to them included: `bfloat16`, `int4`,
`float8_e4m3fn` and more. The package is imported when one is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..passes.errors import DiagnosticError

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]


def dtype_named(name: str, user: object) -> np.dtype[Any]:
    """The type of this name. Raises DiagnosticException, naming `user`, where it needs ml_dtypes, which is missing."""
    if hasattr(np, name):
        return np.dtype(name)
    try:
        import ml_dtypes
    except ImportError:
        raise DiagnosticError(
            f"{user} has elements of {name}, for which NumPy has no type: pip install ml_dtypes, or convert it in "
            "the model"
        ) from None
    return np.dtype(getattr(ml_dtypes, name))


def is_extended(dtype: np.dtype[Any]) -> bool:
    """Whether this is a type that NumPy does not have of its own."""
    return dtype.isbuiltin == 2


def kind_of(dtype: np.dtype[Any]) -> str:
    """`b`, `i`, `u` or `f`: NumPy's letter for booleans, integers with and without sign, floats."""
    if not is_extended(dtype):
        return dtype.kind
    return {"i": "i", "u": "u"}.get(dtype.name[0], "f")


def widened(array: Array) -> Array:
    """The same numbers in a type of NumPy's own that has them all."""
    wide = {"i": np.int8, "u": np.uint8, "f": np.float32}
    return array.astype(wide[kind_of(array.dtype)]) if is_extended(array.dtype) else array


def limits_of(dtype: np.dtype[Any]) -> tuple[int, int]:
    """The least and the greatest integer between which a type has all integers."""
    match kind_of(dtype):
        case "f":
            info = _finfo(dtype)
            whole = 2 ** (info.nmant + 1)
            return max(-whole, int(float(info.min))), min(whole, int(float(info.max)))
        case "b":
            return 0, 1
        case _ if is_extended(dtype):
            import ml_dtypes

            return int(ml_dtypes.iinfo(dtype).min), int(ml_dtypes.iinfo(dtype).max)
        case _:
            limits = np.iinfo(dtype)
            return int(limits.min), int(limits.max)


def _finfo(dtype: np.dtype[Any]) -> Any:
    if not is_extended(dtype):
        return cast(Any, np.finfo(dtype))
    import ml_dtypes

    return cast(Any, ml_dtypes.finfo(dtype))


def holds_every(dtype: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Whether a type holds every value of another."""
    kind, given = kind_of(dtype), kind_of(other)
    if dtype == other:
        return True
    if given not in "biuf" or kind not in "biuf":
        return False
    if given in "iu" and kind in "iuf":
        (low, high), (least, most) = limits_of(dtype), limits_of(other)
        return low <= least and most <= high
    if is_extended(other) and kind == "f":
        return not is_extended(dtype) and (dtype.itemsize >= 4 or _fits_half(other))
    return not is_extended(dtype) and np.can_cast(other, dtype, "safe")


def _fits_half(dtype: np.dtype[Any]) -> bool:
    """Whether binary16 has all values of a float of ml_dtypes."""
    return dtype.name not in ("bfloat16", "float8_e8m0fnu")
