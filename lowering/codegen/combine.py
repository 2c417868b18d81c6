"""How a reduction combines two elements."""

from __future__ import annotations

from . import ir
from .intrinsics import call_intrinsic


def combined(
    b: ir.IRBuilder, combiner: str, left: ir.Value, right: ir.Value, unsigned: bool = False
) -> ir.Value:
    """Vectors combined as `combiner` of `kernel.reduce` says; integers are compared as signed ones, or `unsigned`."""
    assert isinstance(left.type, ir.VectorType)
    is_float = not isinstance(left.type.element, ir.IntType)
    match combiner:
        case "sum":
            return b.fadd(left, right) if is_float else b.add(left, right)
        case "product":
            return b.fmul(left, right) if is_float else b.mul(left, right)
        case "and":
            return b.and_(left, right)
        case "or":
            return b.or_(left, right)
        case _:
            kind = f"{combiner}imum" if is_float else f"{'u' if unsigned else 's'}{combiner}"
            # Of zeros of both signs any may be the greatest, as in NumPy: half as many instructions on x86-64.
            flags = "nsz" if is_float else ""
            return call_intrinsic(b, f"llvm.{kind}", left.type, [left, right], [left.type], flags)
