"""Values that each iteration appends to."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, TensorType
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import normalize_axis, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ..rebuilt import slot_of
from .loop import Carried, Loop


def raise_appended(loop: Loop) -> bool:
    """
    `x' = concat(x, part)`, where nothing else reads `x`: the last one is `concat(x0, parts)`, the parts put together;
    of what is put in front, the other way round.
    """
    changed = [_raise(each) for each in loop.carried()]
    return any(changed)


def _raise(carried: Carried) -> bool:
    loop, results, op = carried.loop, carried.results, carried.after.owner
    if not results or not isinstance(op, nn.ConcatOp) or _is_read(carried):
        return False
    parts = [part for part in op.inputs if part is not carried.argument]
    is_last = op.inputs[-1] is carried.argument
    if len(parts) != len(op.inputs) - 1 or not (is_last or op.inputs[0] is carried.argument):
        return False
    axis = normalize_axis(op, op.axis.value.data, len(shape_of(carried.after)))
    sizes = [shape_of(part)[axis] for part in parts]
    size = DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes)
    if size < 1:
        reason = "the size of what each iteration appends to it is unknown"
        return loop.stays(f"input {carried.number}", reason)
    slot = loop.give(item := Writer(InsertPoint.before(op)).joined(parts, axis))
    limits = (-1, 0, -size) if is_last else (0, -1, size)
    outputs, shape = list(loop.op.outputs), list(shape_of(item))
    count = loop.op.iterations()
    shape[axis] = DYNAMIC_INDEX if count is None else count * size
    write = Writer(InsertPoint.after(loop.op), loop.op)
    for result in results:
        outputs[result.index] = infra.ConcatenatedAttr(*map(IntAttr, (slot, axis, *limits, size)))
        uses, type = list(result.uses), result.type
        appended = Rewriter.replace_value_with_new_type(
            result, TensorType(tensor(item).element_type, shape)
        )
        both = (appended, carried.start) if is_last else (carried.start, appended)
        whole = nn.ConcatOp.create(operands=both, result_types=[type], properties=op.properties)
        write.builder.insert(whole)
        for use in uses:
            use.operation.operands[use.index] = whole.result
    loop.op.properties["outputs"] = ArrayAttr(outputs)
    return True


def _is_read(carried: Carried) -> bool:
    """Whether anything but the next iteration reads it before the loop ends."""
    wanted = infra.IterationAttr(IntAttr(carried.slot), IntAttr(-1))
    ends = [port for port in carried.loop.op.outputs if slot_of(port) == carried.slot]
    values = (carried.argument, carried.after)
    return any(len(list(each.uses)) > 1 for each in values) or any(p != wanted for p in ends)
