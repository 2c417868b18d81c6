"""Calls of LLVM's intrinsics. A module declares each intrinsic once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from . import ir

Values = Sequence[ir.Value]


def call_intrinsic(
    b: ir.IRBuilder,
    name: str,
    result: ir.Type,
    arguments: Values,
    overload: Sequence[ir.Type] = (),
    flags: str = "",
) -> ir.Value:
    """
    A call at the end of the block. Types in `overload` are part of the intrinsic's name; `flags` are LLVM's fast-math
    flags.
    """
    types = [value.type for value in arguments]
    function = b.module.declared(_full_name(name, *overload), result, types)
    return b.call(function, arguments, flags)


@cache
def _full_name(name: str, *overload: ir.Type) -> str:
    return ".".join((name, *map(_overload_name, overload)))


def _overload_name(type: ir.Type) -> str:
    match type:
        case ir.VectorType():
            return f"v{type.count}{_overload_name(type.element)}"
        case ir.IntType():
            return f"i{type.width}"
        case ir.FloatType():
            return "f32"
        case ir.DoubleType():
            return "f64"
        case _:
            assert isinstance(type, ir.PointerType)
            return "p0"
