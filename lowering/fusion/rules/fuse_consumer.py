"""Elementwise kernels behind any kernel."""

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ....dialects import kernel, nn
from ....dialects.kernel import Access, KernelOp
from ....dialects.walk import block_operations
from ..domains import Correspondence, correspondence, reindexed
from ..inlining import quantize_round_trip
from ..kernel_builder import MAX_BODY, MAX_OPERANDS, KernelBuilder
from ..recomputation import moves_elements, widens
from ..rule import FusionRule
from ..topology import feeds


class FuseConsumer(FusionRule[kernel.MapOp]):
    """
    `c(p(x))` as one kernel, if c reads each element of p once, each at another point, and its other operands do not
    depend on p. Results of p with other readers are still written.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if _is_recomputed(op):
            return False
        producers = (value.owner for value in op.ins)
        return any(isinstance(p, KernelOp) and _fuse(p, op) for p in producers)


def _is_recomputed(op: kernel.MapOp) -> bool:
    """Whether every reader of the result can recompute it (`RecomputeDequantization`)."""
    return widens(op) and all(
        isinstance(use.operation, KernelOp) and op.results[0] in use.operation.ins
        for use in op.results[0].uses
    )


def _fuse(producer: KernelOp, consumer: kernel.MapOp) -> bool:
    """Fuses them, and at once all that only reads the last result and constants: a chain is built once."""
    written = zip(producer.results, producer.accesses[len(producer.ins) :], strict=True)
    count = len(producer.operands) + len(producer.results)
    size = len(block_operations(producer.body.block))
    dims = _correspondence(producer.shape, dict(written), consumer)
    if dims is None or not _fits(count, size, consumer):
        return False
    if feeds(producer, {value.owner for value in consumer.ins}, consumer):
        return False
    builder, fused = KernelBuilder.of(producer), [producer, consumer]
    _inline(builder, consumer, dims)
    while (following := _following(consumer)) is not None:
        written = {old: access for _, _, access, old in builder.outputs}
        count = sum(map(len, builder.factors)) + len(builder.ins) + len(builder.outputs)
        dims = _correspondence(builder.domain, written, following)
        size = len(block_operations(builder.block)) + 1  # its end
        if dims is None or not _fits(count, size, following):
            break
        _inline(builder, following, dims)
        fused.append(consumer := following)
    builder.replace(fused)
    return True


def _following(op: kernel.MapOp) -> kernel.MapOp | None:
    """
    The map that alone reads the only result of one, in the order of its domain, and beside it nothing but constants: no
    other rule is about it.
    """
    if len(op.results) != 1 or (use := op.results[0].first_use) is None:
        return None
    reader = use.operation
    if not isinstance(reader, kernel.MapOp) or reader.parent is not op.parent:
        return None
    if any(each.operation is not reader for each in op.results[0].uses):
        return None
    others = [value for value in reader.ins if value is not op.results[0]]
    if len(reader.results) != 1 or not all(nn.constant_of(value) for value in others):
        return None
    is_plain = reader.accesses[-1].is_identity and not moves_elements(reader)
    is_read = reader.results[0].first_use is not None
    return reader if is_read and is_plain and not widens(reader) else None


def _fits(count: int, size: int, consumer: kernel.MapOp) -> bool:
    """Whether a kernel of so many arrays, and so many operations, is small enough with another."""
    more = len(block_operations(consumer.body.block))
    return count + len(consumer.operands) <= MAX_OPERANDS and size + more <= MAX_BODY


def _correspondence(
    domain: Sequence[int], written: Mapping[SSAValue, Access], consumer: kernel.MapOp
) -> Correspondence | None:
    """The dimension of this domain for each one of the consumer, which is the same for all that it reads there."""
    dims, *others = [
        correspondence(domain, written[value], consumer.shape, access)
        for value, access in zip(consumer.ins, consumer.accesses, strict=False)
        if value in written
    ]
    return None if any(other != dims for other in others) else dims


def _inline(builder: KernelBuilder, consumer: kernel.MapOp, dims: Correspondence) -> None:
    """Moves the body of the consumer behind what the builder has."""
    rank = len(builder.domain)
    yielded = {old: (value, type.element_type) for value, type, _, old in builder.outputs}
    arguments: list[SSAValue] = []
    for value, access in zip(consumer.ins, consumer.accesses, strict=False):
        if value in yielded:
            arguments.append(quantize_round_trip(builder.block, *yielded[value]))
        else:
            arguments.append(builder.read(value, reindexed(access, rank, dims)))
    outputs = [reindexed(a, rank, dims) for a in consumer.accesses[len(consumer.ins) :]]
    builder.inline(consumer, arguments, outputs)
