"""
`lower-single-iterations`: an output of one iteration that is not the last becomes a slice of those of all iterations.

A loop on memory keeps the value of the last iteration. For another one, the values of all iterations are concatenated
along a new dimension, and the wanted one is sliced out behind the loop. A loop that never runs is replaced by its
initial values and by empty concatenations.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntAttr, ModuleOp, TensorType
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.infer_shapes import infer_types
from ...passes.rebuilt import rebuilt
from ...passes.unroll_loops import unroll


class LowerSingleIterations(ModulePass):
    """Rewrites the outputs of all iterators whose count is known."""

    name = "lower-single-iterations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        retyped = False
        for inner in all_operations(op):
            if not isinstance(inner, infra.IteratorOp) or not op.is_ancestor(inner):
                continue
            if (count := inner.iterations()) is None:
                continue
            if count == 0:
                retyped |= unroll(inner)
                continue
            retyped |= not all(tensor(result).has_static_shape() for result in inner.results)
            for number, port in enumerate(inner.outputs):
                if isinstance(port, infra.IterationAttr) and 0 <= port.iteration.data < count - 1:
                    inner = _cut(inner, number, port, count)
        if retyped:
            infer_types(op, keep=True)


def _cut(
    op: infra.IteratorOp, number: int, port: infra.IterationAttr, count: int
) -> infra.IteratorOp:
    """Makes output `number` of an iterator the values of all iterations, and slices the wanted one from them."""
    last = op.body.block.last_op
    assert isinstance(last, infra.YieldOp)
    write = Writer(InsertPoint.before(last))
    layer = write(nn.UnsqueezeOp, last.values[port.result.data], write.integers(0))
    Rewriter.replace_op(last, infra.YieldOp(*last.values, layer))
    numbers = (len(op.yielded) - 1, 0, 0, -1, 1, 1)
    outputs = list(op.outputs)
    outputs[number] = infra.ConcatenatedAttr(*map(IntAttr, numbers))
    types = [result.type for result in op.results]
    shape = tensor(op.results[number]).get_shape()
    types[number] = TensorType(tensor(op.results[number]).element_type, [count, *shape])
    new = rebuilt(op, types=types, properties={"outputs": ArrayAttr(outputs)})
    write = Writer(InsertPoint.after(new))
    part = write.slice(new.results[number], port.iteration.data, port.iteration.data + 1, axis=0)
    results: list[SSAValue] = list(new.results)
    results[number] = write(nn.SqueezeOp, part, write.integers(0))
    Rewriter.replace_op(op, [], results)
    return new
