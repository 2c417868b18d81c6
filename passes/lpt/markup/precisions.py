"""Precisions: what inputs take, and what FakeQuantize should thus give."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.qnn import DequantizeOp, FakeQuantizeOp
from ..marks import note_precisions, precisions_of, preserves_precision
from ..target import Target
from .blocks import blocks_of

Demands = dict[SSAValue, tuple[IntegerType, ...]]


def mark_restrictions(module: ModuleOp, target: Target) -> None:
    """Every operation that the configuration restricts says which types its inputs take."""
    restricted: dict[str, dict[str, tuple[IntegerType, ...]]] = {}
    for restriction in target.config.precisions:
        restricted.setdefault(restriction.operation, {})[f"input{restriction.port}"] = (
            restriction.precisions
        )
    for op in module.walk():
        if op.name in restricted:
            note_precisions(op, restricted[op.name])


def propagate_precisions(module: ModuleOp, target: Target) -> None:
    """
    What an input takes, its producer should give: up through operations that preserve precision, to
    the FakeQuantize that starts the codes.

    Where users of a value have no type in common, those further down decide.
    """
    for block in blocks_of(module):
        _propagate(block, target)


def _propagate(block: Block, target: Target) -> None:
    demands: Demands = {}
    for op in reversed(list(block.ops)):
        if isinstance(op, FakeQuantizeOp):
            found = demands.get(op.result, target.config.default_precisions)
            note_precisions(op, {"output0": found})
        elif preserves_precision(op) or isinstance(op, DequantizeOp):
            _pass_on(op, demands)
        elif target.is_about(op):  # others are in floating point, and take what is dequantized
            _demand(op, precisions_of(op), demands)


def _demand(op: Operation, ports: Mapping[str, tuple[IntegerType, ...]], demands: Demands) -> None:
    for port, operand in enumerate(op.operands):
        if (wanted := ports.get(f"input{port}")) is not None:
            demands[operand] = meet(demands.get(operand, wanted), wanted)


def _pass_on(op: Operation, demands: Demands) -> None:
    wanted: tuple[IntegerType, ...] | None = None
    for result in op.results:
        if (found := demands.get(result)) is not None:
            wanted = found if wanted is None else meet(wanted, found)
    if wanted is None:
        return
    ports = {f"input{port}": wanted for port in range(len(op.operands))}
    _demand(op, ports, demands)


def meet(
    first: tuple[IntegerType, ...], second: tuple[IntegerType, ...]
) -> tuple[IntegerType, ...]:
    """The types of both, in the order of the first; where there is none, the first."""
    return tuple(type for type in first if type in second) or first
