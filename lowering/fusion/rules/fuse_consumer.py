"""Elementwise kernels behind any kernel."""

from xdsl.ir import SSAValue

from ....dialects import kernel
from ....dialects.kernel import Access, KernelOp
from ....dialects.walk import block_operations
from ..domains import correspondence, reindexed
from ..inlining import quantize_round_trip
from ..kernel_builder import MAX_BODY, MAX_OPERANDS, KernelBuilder
from ..recomputation import widens
from ..rule import FusionRule
from ..topology import feeds


class FuseConsumer(FusionRule[kernel.MapOp]):
    """
    `c(p(x))` as one kernel, if c reads each element of p once, each at another point, and its other operands do not
    depend on p. Results of p with other readers are still written.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        if widens(op) and _is_recomputed(op):
            return False
        producers = (value.owner for value in op.ins)
        return any(isinstance(p, KernelOp) and _fuse(p, op) for p in producers)


def _is_recomputed(op: kernel.MapOp) -> bool:
    """Whether every reader of the result can recompute it (`RecomputeDequantization`)."""
    (result,) = op.results
    return all(
        isinstance(use.operation, KernelOp) and result in use.operation.ins for use in result.uses
    )


def _fuse(producer: KernelOp, consumer: kernel.MapOp) -> bool:
    if len(producer.operands) + len(producer.results) + len(consumer.operands) > MAX_OPERANDS:
        return False
    written: dict[SSAValue, Access] = dict(
        zip(producer.results, producer.accesses[len(producer.ins) :], strict=True)
    )
    dims, *others = [
        correspondence(producer.shape, written[value], consumer.shape, access)
        for value, access in zip(consumer.ins, consumer.accesses, strict=False)
        if value in written
    ]
    if dims is None or any(other != dims for other in others):
        return False
    if sum(len(block_operations(op.body.block)) for op in (producer, consumer)) > MAX_BODY:
        return False
    if feeds(producer, {value.owner for value in consumer.ins}, consumer):
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
    builder.inline(consumer, arguments, outputs)
    builder.replace((producer, consumer))
    return True
