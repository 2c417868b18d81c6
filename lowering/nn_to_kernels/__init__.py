"""
`nn-to-kernels`: every operation of `nn` and `qnn` as kernels on tensors, one for one.

What decides nothing yet: fusion, layout and memory come after. States and iterators stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel, nn
from ...dialects.inferred import label
from ...dialects.tables import import_modules
from ...dialects.verification import check_size


@dataclass(frozen=True)
class NnToKernels(ModulePass):
    """Rewrites the operations of all functions."""

    name = "nn-to-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .rule import RULES

        import_modules(__name__)

        for inner in list(op.walk()):
            if lower := RULES.get(type(inner)):
                lowered = lower(inner)
                for new in lowered.ops:
                    check_size(new)
                Rewriter.insert_op(lowered.ops, InsertPoint.before(inner))
                for old, new in zip(inner.results, lowered.values, strict=True):
                    new.name_hint = new.name_hint or old.name_hint
                Rewriter.replace_op(inner, [], lowered.values)
            elif not isinstance(inner, _STAY):
                raise DiagnosticException(
                    f"{label(inner)}: cannot be compiled; rewrite it in operations of nn first"
                )


_STAY: tuple[type[Operation], ...] = (
    ModuleOp,
    func.FuncOp,
    func.ReturnOp,
    nn.ConstantOp,
    infra.VariableOp,
    infra.ReadValueOp,
    infra.AssignOp,
    infra.IteratorOp,
    infra.IfOp,
    infra.YieldOp,
    *kernel.Kernel.operations,
)
