"""Transposes of what a kernel, concatenation or padding writes."""

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import kernel
from ....dialects.kernel import KernelOp
from ....dialects.rewriter import Rewriter
from ..recomputation import is_data_movement
from ..rule import MovementRule
from ..transposes import (
    Order,
    is_layout_agnostic,
    leaves_block,
    order_of,
    permuted_type,
    read_permuted,
    transpose_before,
    write_permuted,
)


class HoistTranspose(MovementRule):
    """
    Transpose hoisting: `transpose(f(x)) = f'(x)`, where f' writes the other order, if all other readers of f(x) read
    the same transpose of it or, by accesses alone, any order.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if (order := order_of(op)) is None:
            return False
        (value,) = op.operands
        producer = value.owner
        if not isinstance(producer, KernelOp | kernel.ConcatOp | kernel.PadOp):
            return False
        if isinstance(producer, kernel.MapOp) and is_data_movement(producer):
            return False  # `FoldAccess` combines the two
        readers = [use.operation for use in value.uses]
        same = [reader for reader in readers if order_of(reader) == order]
        if len(same) > 1 and any(map(leaves_block, same)):
            return False
        if not all(is_layout_agnostic(reader, value) for reader in readers):
            return False
        new = _written_in_order(producer, value, order)
        new.name_hint = value.name_hint
        for reader in dict.fromkeys(readers):
            if reader in same:
                Rewriter.replace_op(reader, [], [new])
            else:
                read_permuted(reader, value, new, order)
        Rewriter.erase_op(producer)
        return True


def _written_in_order(
    producer: KernelOp | kernel.ConcatOp | kernel.PadOp, value: SSAValue, order: Order
) -> SSAValue:
    """The transposed value, from a rebuilt producer."""
    match producer:
        case kernel.ConcatOp():
            parts = [transpose_before(producer, part, order) for part in producer.inputs]
            axis = order.index(producer.axis.value.data)
            new = kernel.ConcatOp(parts, axis, permuted_type(value, order))
        case kernel.PadOp():
            low, high, gaps = (
                [side.get_values()[d] for d in order]
                for side in (producer.low, producer.high, producer.interior)
            )
            inside = transpose_before(producer, producer.input, order)
            new = kernel.PadOp(inside, low, high, producer.filling.value.data, gaps)
        case _:
            return write_permuted(producer, value, order)
    Rewriter.insert_op(new, InsertPoint.before(producer))
    return new.result
