"""
`nn-to-kernels`: every operation of `nn` and `qnn` as kernels on tensors, one for one.

It decides nothing: fusion, layout and memory come after. States and iterators stay.
"""

from __future__ import annotations

from functools import cache

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel, nn
from ...dialects.inferred import InferredOp, label, shape_of, tensor
from ...dialects.rewriter import Rewriter, replace_all_uses
from ...dialects.tables import import_modules
from ...dialects.verification import check_size
from ...dialects.walk import all_operations
from ...passes.instrumentation import note_rewrite


class NnToKernels(ModulePass):
    """Rewrites the operations of all functions."""

    name = "nn-to-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .rule import KERNEL_RULES
        from .writer import KernelWriter

        import_modules(__name__)

        for inner in all_operations(op):
            if isinstance(inner, infra.IteratorOp):
                _refuse_growing(inner)
            if _stays(type(inner)):
                continue
            if isinstance(inner, InferredOp):
                _give_nothing(inner)
                if all(_is_empty(result) for result in inner.results):
                    Rewriter.erase_op(inner)
                    continue
            if (lower := KERNEL_RULES.get(type(inner))) is None:
                raise DiagnosticException(
                    f"{label(inner)}: cannot be compiled; rewrite it in operations of nn first"
                )
            write = KernelWriter(inner)
            given = lower(inner, write)
            values = [given] if isinstance(given, SSAValue) else given
            for new in write.ops:
                check_size(new)
                new.location = inner.location
            Rewriter.insert_op(write.ops, InsertPoint.before(inner))
            for old, new in zip(inner.results, values, strict=True):
                new.name_hint = new.name_hint or old.name_hint
            Rewriter.replace_op(inner, [], values)
            note_rewrite(inner.name)


@cache
def _stays(kind: type[Operation]) -> bool:
    return issubclass(kind, _STAY)


def _is_empty(value: SSAValue) -> bool:
    return tensor(value).has_static_shape() and 0 in shape_of(value)


def _give_nothing(op: Operation) -> None:
    """Results without elements become constants: nothing computes them."""
    for result in op.results:
        if _is_empty(result):
            nothing = nn.ConstantOp(nn.BlobAttr.of(tensor(result), []))
            Rewriter.insert_op(nothing, InsertPoint.before(op))
            replace_all_uses(result, nothing.result)


def _refuse_growing(op: infra.IteratorOp) -> None:
    """Raises DiagnosticException where a carried value has another size in each iteration."""
    for i in op.changing_inputs():
        begins, goes_on = tensor(op.operands_[i]), tensor(op.body.block.args[i])
        raise DiagnosticException(
            f"{label(op)}: carries '{op.body_names.data[i].data}', which begins as {begins} and has another size "
            f"({goes_on}) after an iteration; make the trip count and the conditions constants (replace-constant), let "
            "the body only append to it, or give it one size"
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
    infra.FailOp,
    infra.YieldOp,
    *kernel.Kernel.operations,
)
