"""The fusions, each a law with its conditions, and the sweep that applies them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, TensorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import kernel, nn
from ...dialects.blob import bits_of
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, KernelOp, Term
from ...dialects.origins import origins_of
from .domains import correspondence, reindexed
from .inlining import inline_body, quantize_round_trip
from .kernel_builder import KernelBuilder, is_data_movement
from .reductions import compute_in_reduction, read_in_reduction, read_unit_dimensions
from .transposes import (
    fold_unit_transpose,
    fold_view,
    hoist_transpose,
    hoist_transpose_above_slice,
    sink_transpose,
    write_in_order,
)

MAX_OPERANDS = 32
"""The most arrays of one kernel: more would not fit the registers that address them."""

CHEAP = 8
"""The largest body, in operations, that is recomputed rather than stored."""

MAX_PRODUCTS = 2
MAX_GROUPS = 4
"""The most accumulators for one element of a register tile: products times groups."""


def fuse_block(block: Block) -> None:
    """
    Applies the rules, in order, to each kernel of the block until none applies, then sinks transposes. In between,
    values may be used before they are defined: the rules only follow the graph.
    """
    changed = True
    while changed:
        changed = False
        for op in list(block.ops):
            if op.parent is block and any(rule(op) for rule in FUSION_RULES):
                changed = True
    for op in list(block.ops):
        sink_transpose(op)
    restore_order(block)


# --- the laws -------------------------------------------------------------------------------


def drop_dead(op: Operation) -> bool:
    """A kernel without readers is erased."""
    if not isinstance(op, _PURE) or any(result.first_use is not None for result in op.results):
        return False
    op.detach()
    op.erase()
    return True


def drop_unread(op: Operation) -> bool:
    """A result without readers is not written."""
    if not isinstance(op, KernelOp):
        return False
    unread: set[SSAValue] = {value for value in op.results if value.first_use is None}
    if not unread or len(unread) == len(op.results):
        return False
    builder = KernelBuilder.of(op)
    builder.drop_outputs(unread)
    new = builder.build()
    Rewriter.insert_op(new, InsertPoint.before(op))
    kept = [value for value in op.results if value not in unread]
    for old, result in zip(kept, new.results, strict=True):
        old.replace_all_uses_with(result)
    op.detach()
    op.erase()
    return True


def fold_reshape(op: Operation) -> bool:
    """`reshape(reshape(x)) = reshape(x)`; `reshape(x) = x` if the shape is the same."""
    if not isinstance(op, kernel.ReshapeOp):
        return False
    source = op.input.owner
    if op.input.type == op.result.type:
        Rewriter.replace_op(op, [], [op.input])
        return True
    if not isinstance(source, kernel.ReshapeOp):
        return False
    Rewriter.replace_op(op, kernel.ReshapeOp(source.input, tensor(op.result)))
    return True


def fold_reshape_access(op: Operation) -> bool:
    """`map(reshape(x)) = map'(x)` where the reshape only adds or drops dimensions of size 1."""
    if not isinstance(op, KernelOp):
        return False
    for i, (value, access) in enumerate(zip(op.ins, op.accesses, strict=False)):
        if not isinstance(source := value.owner, kernel.ReshapeOp):
            continue
        if (through := _without_units(source, access)) is not None:
            _replace_input(op, i, source.input, through)
            return True
    return False


def fold_access(op: Operation) -> bool:
    """Access folding: `k(move(x)) = k'(x)`; data movement becomes the access of its reader."""
    if not isinstance(op, KernelOp):
        return False
    for i, (value, access) in enumerate(zip(op.ins, op.accesses, strict=False)):
        if isinstance(source := value.owner, kernel.MapOp) and is_data_movement(source):
            _replace_input(op, i, source.ins[0], source.accesses[0].after(access))
            return True
    return False


def read_codes(op: Operation) -> bool:
    """
    `k(dequantize(q)) = k'(q)`: every reader recomputes a kernel that only widens codes, so that memory holds the codes
    and not numbers four times as wide.
    """
    if not isinstance(op, KernelOp):
        return False
    for value in op.ins:
        source = value.owner
        if isinstance(source, kernel.MapOp) and source is not op and _widens(source):
            _read_before(op, value, source)
            return True
    return False


def _widens(op: kernel.MapOp) -> bool:
    """Whether a cheap kernel widens elements point by point: narrow ones and constants in, wide ones out."""
    if len(op.results) != 1 or not op.accesses[-1].is_identity:
        return False
    moving = [value for value in op.ins if nn.constant_of(value) is None]
    if len(moving) != 1 or len(op.body.block.ops) > CHEAP:
        return False
    (source,), (result,) = moving, op.results
    return bits_of(tensor(source).element_type) < bits_of(tensor(result).element_type)


def _read_by_kernels(op: kernel.MapOp) -> bool:
    """Whether every reader of the result can recompute it (`read_codes`)."""
    (result,) = op.results
    return all(
        isinstance(use.operation, KernelOp) and result in use.operation.ins for use in result.uses
    )


def _read_before(reader: KernelOp, value: SSAValue, source: kernel.MapOp) -> None:
    """Inlines the body of `source` into that of its reader."""
    builder = KernelBuilder(
        reader, reader.shape, Block(), [list(segment) for segment in reader.factors]
    )
    arguments: list[SSAValue] = builder.add_sums(reader)
    element = tensor(value).element_type
    for one, access in zip(reader.ins, reader.accesses, strict=False):
        if one is not value:
            arguments.append(builder.read(one, access))
            continue
        given = [
            builder.read(operand, inner.after(access))
            for operand, inner in zip(source.ins, source.accesses, strict=False)
        ]
        (yielded,) = inline_body(builder.block, source.body.block, given)
        arguments.append(quantize_round_trip(builder.block, yielded, element))
    outputs = reader.accesses[len(reader.ins) :]
    builder.take(reader, inline_body(builder.block, reader.body.block, arguments), outputs)
    builder.origins += origins_of(source)
    _commit(builder, (reader,))


def fuse_consumer(op: Operation) -> bool:
    """
    `c(p(x))` as one kernel, if c reads each element of p once, each at another point, and its other operands do not
    depend on p. Results of p with other readers are still written.
    """
    if not isinstance(op, kernel.MapOp) or (_widens(op) and _read_by_kernels(op)):
        return False
    for value in op.ins:
        producer = value.owner
        if (
            isinstance(producer, KernelOp)
            and producer.parent is op.parent
            and _fuse_pair(producer, op)
        ):
            return True
    return False


def _fuse_pair(producer: KernelOp, consumer: kernel.MapOp) -> bool:
    if len(producer.operands) + len(producer.results) + len(consumer.operands) > MAX_OPERANDS:
        return False
    written: dict[SSAValue, Access] = dict(
        zip(producer.results, producer.accesses[len(producer.ins) :], strict=True)
    )
    dims = None
    for value, access in zip(consumer.ins, consumer.accesses, strict=False):
        if value not in written:
            continue
        found = correspondence(producer.shape, written[value], consumer.shape, access)
        if found is None or dims not in (None, found):
            return False
        dims = found
    if dims is None:
        return False
    others = {value.owner for value in consumer.ins if value not in written}
    if _feeds(producer, others, consumer):
        return False
    builder, rank = KernelBuilder.of(producer), len(producer.shape)
    yielded = {output[3]: (output[0], output[1].element_type) for output in builder.outputs}
    arguments: list[SSAValue] = []
    for value, access in zip(consumer.ins, consumer.accesses, strict=False):
        if value in yielded:
            arguments.append(quantize_round_trip(builder.block, *yielded[value]))
        else:
            arguments.append(builder.read(value, reindexed(access, rank, dims)))
    outputs = [reindexed(a, rank, dims) for a in consumer.accesses[len(consumer.ins) :]]
    builder.take(consumer, inline_body(builder.block, consumer.body.block, arguments), outputs)
    _commit(builder, (producer, consumer))
    return True


def merge_products(op: Operation) -> bool:
    """
    `f(a·b, c·d)` as one kernel with two products, if both have the same domain and neither depends on the other.
    """
    if not isinstance(op, kernel.MapOp):
        return False
    owners = dict.fromkeys(value.owner for value in op.ins)
    products = [each for each in owners if isinstance(each, kernel.MatMulOp)]
    for i, first in enumerate(products):
        for second in products[i + 1 :]:
            if _mergeable(first, second, op):
                _merge(first, second)
                return True
    return False


def _mergeable(first: kernel.MatMulOp, second: kernel.MatMulOp, reader: Operation) -> bool:
    return (
        first.shape == second.shape
        and first.groups == second.groups
        and first.accumulator == second.accumulator
        and len(first.a) + len(second.a) <= MAX_PRODUCTS
        and len(first.operands) + len(second.operands) <= MAX_OPERANDS
        and not _feeds(first, {second}, reader)
        and not _feeds(second, {first}, reader)
    )


def _merge(first: kernel.MatMulOp, second: kernel.MatMulOp) -> None:
    builder = KernelBuilder.of(first)
    sums = builder.add_sums(second)
    builder.factors[0] += second.a
    builder.factors[1] += second.b
    arguments = sums + [
        builder.read(v, a) for v, a in zip(second.ins, second.accesses, strict=False)
    ]
    outputs = second.accesses[len(second.ins) :]
    builder.take(second, inline_body(builder.block, second.body.block, arguments), outputs)
    _commit(builder, (first, second))


def group_columns(op: Operation) -> bool:
    """
    A product whose result is read only as G equal parts of its columns becomes G groups with one result each, so that
    all gates of a unit are computed together.
    """
    if not isinstance(op, kernel.MatMulOp) or len(op.results) != 1 or op.groups.value.data != 1:
        return False
    result, *_ = op.results
    if not op.accesses[-1].is_identity:
        return False
    reads = [_columns_read(use.operation, result) for use in result.uses]
    if not reads or any(read is None for read in reads):
        return False
    widths = {width for read in reads if read for width, _ in read}
    columns = op.shape[-1]
    if len(widths) != 1 or columns % (width := widths.pop()):
        return False
    groups = columns // width
    if not 2 <= groups <= MAX_GROUPS:
        return False
    _regroup(op, groups, width)
    return True


def _columns_read(reader: Operation, value: SSAValue) -> list[tuple[int, int]] | None:
    """Width and offset of each part of the columns of `value` that a kernel reads; None if not in parts."""
    if not isinstance(reader, kernel.MapOp):
        return None
    parts: list[tuple[int, int]] = []
    for operand, access in zip(reader.ins, reader.accesses, strict=False):
        if operand is not value:
            continue
        last = access.terms[-1]
        if last.dim is None or last.step != 1:
            return None
        width = reader.shape[last.dim]
        if width in (0, shape_of(value)[-1]) or last.offset % width:
            return None
        parts.append((width, last.offset))
    return parts


def _regroup(op: kernel.MatMulOp, groups: int, width: int) -> None:
    (old,) = op.results
    rank = len(op.shape)
    builder = KernelBuilder(op, (*op.shape[:-1], width), Block(), [list(op.a), list(op.b)])
    builder.properties["groups"] = IntegerAttr(groups, 64)
    sums: list[SSAValue] = [
        builder.block.insert_arg(op.accumulator, len(builder.block.args))
        for _ in range(len(op.a) * groups)
    ]
    for group in range(groups):
        arguments: list[SSAValue] = sums[group::groups]
        for value, access in zip(op.ins, op.accesses, strict=False):
            shifted = access.after(_columns_from(rank, group * width))
            arguments.append(builder.read(value, shifted))
        yields = inline_body(builder.block, op.body.block, arguments)
        element = tensor(old).element_type
        type_ = TensorType(element, builder.domain)
        builder.outputs.append((yields[0], type_, Access.identity(rank), old))
    builder.origins = list(origins_of(op))
    new = builder.build()
    Rewriter.insert_op(new, InsertPoint.before(op))
    for use in list(old.uses):
        reader = use.operation
        assert isinstance(reader, kernel.MapOp)
        if reader.parent is not None and old in reader.ins:
            _read_groups(reader, old, new.results, width)
    op.detach()
    op.erase()


def _read_groups(
    reader: kernel.MapOp, old: SSAValue, parts: Sequence[SSAValue], width: int
) -> None:
    access = reader.accesses
    for i, value in enumerate(reader.ins):
        if value is old:
            *lead, last = access[i].terms
            part = parts[last.offset // width]
            access[i] = Access(access[i].rank, (*lead, Term(last.dim)))
            reader.operands[i] = part
    reader.properties["access"] = ArrayAttr([one.map() for one in access])


def _columns_from(rank: int, offset: int) -> Access:
    return Access(rank, (*(Term(i) for i in range(rank - 1)), Term(rank - 1, 1, offset)))


FUSION_RULES: tuple[Callable[[Operation], bool], ...] = (
    drop_dead,
    drop_unread,
    fold_reshape,
    fold_unit_transpose,
    read_unit_dimensions,
    read_in_reduction,
    hoist_transpose_above_slice,
    hoist_transpose,
    write_in_order,
    fold_view,
    fold_reshape_access,
    fold_access,
    read_codes,
    merge_products,
    fuse_consumer,
    group_columns,
    compute_in_reduction,
)
"""The fusions, in the order in which they are tried on each operation."""


# --- edits ----------------------------------------------------------------------------------


_PURE = (KernelOp, kernel.ReshapeOp, kernel.SliceOp, kernel.ConcatOp, kernel.PadOp, nn.ConstantOp)


def _commit(builder: KernelBuilder, old: Sequence[KernelOp]) -> None:
    """Puts the built kernel in the place of the old ones; results that only they read are dropped."""
    inner = {
        output[3]
        for output in builder.outputs
        if all(use.operation in old for use in output[3].uses)
    }
    builder.drop_outputs(inner)
    new = builder.build()
    Rewriter.insert_op(new, InsertPoint.after(old[-1]))
    for result, output in zip(new.results, builder.outputs, strict=True):
        output[3].replace_all_uses_with(result)
    for op in reversed(old):
        op.detach()
        op.erase()


def _feeds(producer: Operation, targets: Collection[Operation | Block], reader: Operation) -> bool:
    """
    Whether one of `targets` depends on a result of `producer`. The search ends at `reader`, which uses both: nothing
    behind it leads back.
    """
    seen: set[Operation] = {reader}
    waiting: list[Operation] = [producer]
    while waiting:
        users = {use.operation for result in waiting.pop().results for use in result.uses}
        if not users.isdisjoint(targets):
            return True
        waiting += users - seen
        seen |= users
    return False


def restore_order(block: Block) -> None:
    """Sorts the operations of a block topologically, and otherwise keeps their order."""
    ordered: list[Operation] = []
    placed: set[Operation] = set()
    for first in block.ops:
        waiting = [first]
        while waiting:
            op = waiting[-1]
            missing = [
                owner
                for value in op.operands
                if isinstance(owner := value.owner, Operation)
                and owner.parent is block
                and owner not in placed
            ]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if op not in placed:
                placed.add(op)
                ordered.append(op)
    for op in ordered:
        op.detach()
    block.add_ops(ordered)


def _replace_input(op: KernelOp, index: int, value: SSAValue, access: Access) -> None:
    """Makes input number `index` of a kernel read another value in another way."""
    accesses = op.accesses
    accesses[index] = access
    op.operands[len(op.reads) - len(op.ins) + index] = value
    op.properties["access"] = ArrayAttr([one.map() for one in accesses])


def _without_units(reshape: kernel.ReshapeOp, access: Access) -> Access | None:
    """The access to the input of a reshape that only adds or drops dimensions of size 1."""
    source, target = shape_of(reshape.input), shape_of(reshape.result)
    if [s for s in source if s != 1] != [s for s in target if s != 1]:
        return None
    kept = iter(t for t, size in zip(access.terms, target, strict=True) if size != 1)
    return Access(access.rank, tuple(next(kept) if s != 1 else Term(None) for s in source))
