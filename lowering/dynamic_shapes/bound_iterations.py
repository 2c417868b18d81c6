"""
`bound-iterations`: concatenated outputs of loops get buffers for the largest number of iterations.

Values that a loop carries then have one size in every iteration. The number of iterations, which is only known at run
time, becomes the stop of a slice behind the loop; `bound-dynamic-shapes` moves that slice on.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, ModuleOp, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import shape_of, tensor
from ...dialects.module import entry_of
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.infer_shapes import infer_types
from ...passes.raise_loop_ports import raise_ports
from ...passes.raise_loop_ports.loop import Loop
from ...passes.rebuilt import rebuilt
from ...passes.unroll_loops import can_unroll, unroll


class BoundIterations(ModulePass):
    """
    In this order, inner loops first:

    - Merged values of loops of unknown count, and of those that change a size or slice between computed limits, are
      raised (`raise-loop-ports`): they may be counters, parts, or values that are appended to.
    - A loop of known count that still changes a size is unrolled.
    - A loop of the entry that concatenates an unknown number of parts counts its iterations, and a slice of as many
      parts takes the place of its output. The buffer has room for as many as the trip count and sliced operands allow,
      else for as many as the module's attribute `infra.room` says (64 by default); a run of more iterations fails.
    - A loop that reads values of unknown size waits for `bound-dynamic-shapes`.
    """

    name = "bound-iterations"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not _iterators(op):
            return
        _raise_ports(op)
        grown = [each for each in _iterators(op) if each.changing_inputs() and can_unroll(each)]
        for each in grown:
            unroll(each)
        if grown:
            infer_types(op, keep=True)
        for each in list(entry_of(op).body.block.ops):
            if not isinstance(each, infra.LoopOp) or each.iterations() is not None:
                continue
            if all(tensor(operand).has_static_shape() for operand in each.operands):
                bound(each, infra.room_of(op))


def _iterators(module: ModuleOp) -> list[infra.IteratorOp]:
    """Inner ones first."""
    if not any(isinstance(op, infra.IteratorOp) for op in all_operations(module)):
        return []
    return [op for op in module.walk(reverse=True) if isinstance(op, infra.IteratorOp)]


def _raise_ports(module: ModuleOp) -> None:
    """
    Raises ports until nothing changes: the number of iterations of one loop may be the size that another one
    concatenates.
    """
    before, loops = 0, _to_raise(module)
    while loops and len(loops) != before:
        for each in loops:
            raise_ports(each)
        infer_types(module, keep=True)
        before, loops = len(loops), _to_raise(module)


def _to_raise(module: ModuleOp) -> list[infra.LoopOp]:
    return [
        op
        for op in _iterators(module)
        if isinstance(op, infra.LoopOp)
        and (op.iterations() is None or op.changing_inputs() or _takes_unknown_parts(op))
    ]


def _takes_unknown_parts(op: infra.LoopOp) -> bool:
    """Whether a body slices between limits that are computed: as a port, a part has a known size."""
    return any(
        isinstance(inner, nn.SliceOp) and not tensor(inner.result).has_static_shape()
        for inner in op.body.block.ops
    )


def bound(op: infra.LoopOp, room: int) -> infra.LoopOp:
    """Makes a loop count its iterations, and slices what it concatenates to that number. Returns the loop."""
    ports = {
        number: port
        for number, port in enumerate(op.outputs)
        if isinstance(port, infra.ConcatenatedAttr)
    }
    is_known = op.iterations() is not None or op.most_iterations is not None
    if is_known or not ports or any(port.stride.data < 0 for port in ports.values()):
        return op
    slot = len(op.yielded)
    none = Loop(op).outside.integers(0)
    count = Loop(op).add_input(none, infra.MergedAttr(IntAttr(slot)), TensorType(i64, [1]))
    last = op.body.block.last_op
    assert last is not None
    Loop(op).give(Writer(InsertPoint.before(last))(nn.AddOp, count, 1))
    most = room if (limit := op.most()) is None else limit
    types = [result.type for result in op.results]
    for number, port in ports.items():
        shape = list(shape_of(op.yielded[port.result.data]))
        shape[port.axis.data] = most * port.part_size.data
        types[number] = TensorType(tensor(op.results[number]).element_type, shape)
    outputs = [*op.outputs, infra.IterationAttr(IntAttr(slot), IntAttr(-1))]
    bounded = IntegerAttr(most, i64)
    properties = {"outputs": ArrayAttr(outputs), "most_iterations": bounded}
    new = rebuilt(op, types=[*types, TensorType(i64, [1])], properties=properties)
    write, stops = Writer(InsertPoint.after(new)), dict[int, SSAValue]()
    *given, number_run = new.results
    results: list[SSAValue] = [*given]
    for number, port in ports.items():
        size = port.part_size.data
        if size not in stops:
            stops[size] = number_run if size == 1 else write(nn.MultiplyOp, number_run, size)
        limits = [write.integers(0), stops[size], write.integers(1), write.integers(port.axis.data)]
        results[number] = write(nn.SliceOp, results[number], *limits)
    Rewriter.replace_op(op, [], results)
    return new
