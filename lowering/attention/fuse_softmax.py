"""
`fuse-softmax`: the kernels of a softmax along rows become one, if a row stays in the nearest cache.

    map(p, total(sum e), …)  with  p, e = map(x, max x)   becomes   softmax(x, …)

The kernel's regions are the bodies of the kernels that it replaces, and every number stays what it was. One function
takes less time to compile than four, and powers do not go through memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects import kernel
from ...dialects.inferred import tensor
from ...dialects.origins import origins_of, set_origins
from ...dialects.rewriter import Rewriter
from ...passes.instrumentation import note_rewrite
from ..machine import LEAST_FIRST_LEVEL_BYTES
from .row_kernels import (
    gives_argument,
    is_elementwise,
    map_over_rows,
    readers,
    reduces_rows,
    reduction_of,
    row_access,
)

MOST_ELEMENTS = LEAST_FIRST_LEVEL_BYTES // 4 // 4
"""The elements of a row that stay in a first-level cache, beside the row of the input and that of the result."""


class FuseSoftmax(ModulePass):
    """Fuses the softmaxes of every block. `vectorize-reductions` comes first."""

    name = "fuse-softmax"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in kernel.outside_bodies(op):
            if isinstance(inner, kernel.MapOp) and (found := RowKernels.ending_in(inner)):
                found.fuse()
                note_rewrite("FuseSoftmax")


@dataclass(frozen=True)
class RowKernels:
    """The kernels of a softmax; `powers` and `summed` are results of `power`, and may be the same."""

    most: kernel.ReduceOp
    power: kernel.MapOp
    summed: SSAValue
    total: kernel.ReduceOp
    powers: SSAValue
    last: kernel.MapOp

    @classmethod
    def ending_in(cls, last: kernel.MapOp) -> Self | None:
        """The softmax that a map ends. None where there is none, or its rows are long."""
        for value in last.ins:
            total = reduction_of(value, "sum")
            if total is None or len(total.x) != 1:
                continue
            (summed,) = total.x
            power = map_over_rows(summed)
            if power is None or len(power.ins) > 2:
                continue
            most = reduction_of(power.ins[1], "max")
            read = [each for each in last.ins if each in power.results]
            if most is None or len(read) != 1:
                continue
            found = cls(most, power, summed, total, read[0], last)
            if found._holds():
                return found
        return None

    def _holds(self) -> bool:
        """Whether rows are whole, adjacent and short, and nobody else reads what is in between."""
        most, power, total, last = self.most, self.power, self.total, self.last
        x = power.ins[0]
        return (
            power.shape == last.shape
            and power.shape[-1] <= MOST_ELEMENTS
            and tensor(x).element_type == f32
            and all(tensor(result).element_type == f32 for result in power.results)
            and reduces_rows(most, "max", x)
            and gives_argument(most.body.block)
            and reduces_rows(total, "sum", self.summed)
            and total.partials > 1  # neighbours on a row are adjacent
            and set(power.results) == {self.powers, self.summed}
            and readers(most.results[0]) == {power}
            and readers(self.summed) <= {total, last}
            and readers(self.powers) <= {total, last}
            and readers(total.results[0]) == {last}
            and all(self._reads_own(value, n) for n, value in enumerate(last.ins))
        )

    def _reads_own(self, value: SSAValue, number: int) -> bool:
        """Whether the last map reads, of what is in between, what belongs to its point."""
        access = self.last.accesses[number]
        if value is self.powers:
            return is_elementwise(self.last, access, value)
        return value is not self.total.results[0] or access == row_access(access.rank)

    def fuse(self) -> None:
        """Replaces the last map by the softmax."""
        power, last = self.power, self.last
        total = self.total.results[0]
        body, kept = last.body.clone(), [*last.ins]
        accesses = last.accesses
        block = body.block
        taken = [block.insert_arg(f32, n) for n in range(2)]
        for n in reversed(range(len(kept))):
            if kept[n] in (self.powers, total):
                argument = block.args[2 + n]
                argument.replace_all_uses_with(taken[kept[n] is total])
                block.erase_arg(argument)
                del kept[n], accesses[n]
        new = kernel.SoftmaxOp(
            last.shape,
            self.total.partials,
            power.ins[0],
            power.accesses[0],
            (self._power(), self.total.body.clone()),
            kernel.Epilogue(kept, accesses, body),
            results=[tensor(result) for result in last.results],
            attributes=last.attributes,
        )
        old = [self.most, power, self.total, last]
        set_origins(new, list(dict.fromkeys(o for op in old for o in origins_of(op))))
        Rewriter.replace_op(last, new)
        for op in (self.total, power, self.most):
            Rewriter.erase_op(op)

    def _power(self) -> Region:
        """The body that gives what is kept, and what is summed."""
        region = self.power.body.clone()
        results: list[SSAValue] = [*self.power.results]
        end = region.block.last_op
        assert isinstance(end, kernel.YieldOp)
        wanted = [end.values[results.index(value)] for value in (self.powers, self.summed)]
        Rewriter.replace_op(end, kernel.YieldOp(*wanted))
        return region
