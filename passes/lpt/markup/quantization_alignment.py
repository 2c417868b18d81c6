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
        joins = Joins(block)
        for op in block.ops:
            if not per_tensor_of(op) or not are_quantized(op, joins):
                continue
            for port, operand in enumerate(op.operands):
                group = joins.of.get(operand)
                if f"input{port}" in per_tensor_of(op) and group and len(group.quantizers) > 1:
                    for joined in group.operations:
                        note(joined, QUANTIZATION_ALIGNMENT)


def are_quantized(op: Operation, joins: Joins) -> bool:
    """Whether every input in floating point comes from FakeQuantize or codes, and nothing else."""
    return all(
        operand in joins.of and not joins.of[operand].is_open
        for operand in op.operands
        if is_value(operand)
    )
