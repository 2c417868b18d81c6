"""The precision report by layer: one row for each name, however many operations passes made of that layer."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..lpt.products import PRODUCTS
from . import UNLISTED, PrecisionRow, is_dequantization, precision_report


def layer_rows(module: ModuleOp) -> dict[str, tuple[Operation, PrecisionRow]]:
    """
    By the name of a layer, the operation that represents it, and its row: a product, else the first operation that does
    not dequantize. Operations without names are left out.
    """
    found: dict[str, tuple[Operation, PrecisionRow]] = {}
    listed = [op for op in module.walk() if not isinstance(op, UNLISTED)]
    for op, row in zip(listed, precision_report(module), strict=True):
        name = row["name"]
        if name and (name not in found or _rank(op) < _rank(found[name][0])):
            found[name] = (op, row)
    return found


def _rank(op: Operation) -> int:
    """How well an operation represents its layer; lower is better."""
    if isinstance(op, PRODUCTS):
        return 0
    return 2 if is_dequantization(op) else 1
