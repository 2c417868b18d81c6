"""
Squeezes without axes, of values with unknown sizes. The declared results of a model decide whether these sizes are 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp

from ...dialects.inferred import Shape, shape_of
from ...dialects.module import entry_of


@dataclass
class UnknownSqueezes:
    """While a model is read: whether unknown sizes are taken to be 1, and the first node for which this mattered."""

    are_one: bool = False
    met: str | None = None

    def axes(self, shape: Shape, node: str) -> list[int]:
        """The dimensions of size 1."""
        if self.met is None and DYNAMIC_INDEX in shape:
            self.met = node
        ones = (1, DYNAMIC_INDEX) if self.are_one else (1,)
        return [axis for axis, size in enumerate(shape) if size in ones]


def has_declared_ranks(module: ModuleOp, outputs: Iterable[Any]) -> bool:
    """Whether results have the ranks that a graph's outputs declare, if at least one of them declares it."""
    returned = entry_of(module).get_return_op()
    assert returned is not None
    declared = [
        (len(info.type.tensor_type.shape.dim), len(shape_of(result)))
        for info, result in zip(outputs, returned.operands, strict=True)
        if info.type.tensor_type.HasField("shape")
    ]
    return bool(declared) and all(rank == found for rank, found in declared)
