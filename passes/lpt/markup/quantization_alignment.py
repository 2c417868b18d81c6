"""QuantizationAlignment: where values are joined whose consumer needs one scale."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..attributes import QUANTIZATION_ALIGNMENT, note, per_tensor_of
from ..target import Target
from .body_boundaries import blocks_of
from .joined import Joins, is_value


def mark_quantization_alignment(module: ModuleOp, target: Target) -> None:
    """
    Marks operations that preserve precision and join several FakeQuantize, if a consumer needs one scale and all of
    its inputs are quantized.
    """
    for block in blocks_of(module):
        joins = Joins(block, target)
        for op in block.ops:
            ports = per_tensor_of(op)
            if not ports or not are_quantized(op, joins):
                continue
            operands = [op.operands[i] for i in range(len(op.operands)) if f"input{i}" in ports]
            for group in filter(None, map(joins.of.get, operands)):
                for joined in group.operations if len(group.quantizers) > 1 else ():
                    note(joined, QUANTIZATION_ALIGNMENT)


def are_quantized(op: Operation, joins: Joins) -> bool:
    """Whether every input in floating point comes from FakeQuantize or codes, and nothing else."""
    return all(
        operand in joins.of and not joins.of[operand].is_open
        for operand in op.operands
        if is_value(operand)
    )
