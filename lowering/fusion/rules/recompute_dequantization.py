"""Kernels that read widened codes."""

from xdsl.ir import Block, SSAValue

from ....dialects import kernel
from ....dialects.inferred import tensor
from ....dialects.kernel import KernelOp
from ....dialects.origins import origins_of
from ..inlining import inline_body, quantize_round_trip
from ..kernel_builder import KernelBuilder
from ..recomputation import widens
from ..rule import FusionRule


class RecomputeDequantization(FusionRule[KernelOp]):
    """
    `k(dequantize(q)) = k'(q)`: every reader recomputes a kernel that only widens codes, so that memory holds the codes
    and not numbers four times as wide.
    """

    def apply(self, op: KernelOp) -> bool:
        for value in op.ins:
            source = value.owner
            if isinstance(source, kernel.MapOp) and widens(source):
                _inline(op, value, source)
                return True
        return False


def _inline(reader: KernelOp, value: SSAValue, source: kernel.MapOp) -> None:
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
    builder.inline(reader, arguments, reader.accesses[len(reader.ins) :])
    builder.origins += origins_of(source)
    builder.replace((reader,))
