"""
`outline-kernels`: kernel outlining; kernels that differ only in constants read these and share one function.

    … arith.mulf %x, 0.7 …   beside   … arith.mulf %x, 0.9 …   becomes   … arith.mulf %x, %scale …   in both

The layers of a network often differ only in the scales of their quantization. Code generation emits equal kernels
once (deduplication), so differing scales become operands, and so do limits of clamps behind which scales or sums come.
Constants that all kernels share stay in the bodies, and so do the limits of last clamps, whose values decide which
instructions round and store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, ModuleOp, TensorType, f32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.accessors import operands_of
from ..dialects.blob import BlobAttr
from ..dialects.kernel import Access, KernelOp, Term, outside_bodies
from ..dialects.rewriter import Rewriter
from .fusion.kernel_builder import KernelBuilder


class OutlineKernels(ModulePass):
    """Makes operands of the constants in which otherwise equal kernels on tensors differ."""

    name = "outline-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        alike = defaultdict[Hashable, list[KernelOp]](list)
        for inner in outside_bodies(op):
            if isinstance(inner, KernelOp) and inner.results:
                alike[_skeleton(inner)].append(inner)
        for kernels in alike.values():
            numbers = list(zip(*map(_numbers, kernels), strict=True))
            differing = [i for i, values in enumerate(numbers) if len(set(values)) > 1]
            for kernel in kernels if differing else ():
                _read(kernel, differing)


def _scales(block: Block) -> Iterator[arith.ConstantOp]:
    """The constants of a body that may become operands: factors and terms."""
    for op in block.ops:
        if (
            isinstance(op, arith.ConstantOp)
            and op.result.type == f32
            and _goes_into_sums(op.result)
        ):
            yield op


_SUMS = (arith.MulfOp, arith.AddfOp, math.FmaOp)
_CLAMPS = (arith.CmpfOp, arith.SelectOp)


def _goes_into_sums(value: SSAValue) -> bool:
    """Whether only sums and products read a value, quotients of it, or clamps whose results only they read."""
    return all(
        type(user) in _SUMS
        or (type(user) is arith.DivfOp and use.index == 0)
        or (type(user) in _CLAMPS and _goes_into_sums(user.results[0]))
        for use in value.uses
        for user in (use.operation,)
    )


def _numbers(op: KernelOp) -> list[FloatAttr]:
    return [scale.value for scale in _scales(op.body.block) if isinstance(scale.value, FloatAttr)]


def _skeleton(op: KernelOp) -> Hashable:
    """A key that is equal for kernels that differ only in such constants."""
    body = op.body.block
    types = tuple(value.type for value in (*operands_of(op), *op.results))
    own = tuple(_operations(region.block) for region in op.regions if region is not op.body)
    properties = tuple(sorted(op.properties.items()))
    return op.name, types, properties, own, _operations(body, set(_scales(body)))


def _operations(block: Block, blank: Collection[Operation] = ()) -> Hashable:
    """A block without the names of its values, and without the properties of `blank` operations."""
    known: dict[SSAValue, int] = {}
    for value in (*block.args, *(result for inner in block.ops for result in inner.results)):
        known[value] = len(known)
    types = tuple(argument.type for argument in block.args)
    return types, tuple(
        (
            inner.name,
            tuple(known[operand] for operand in operands_of(inner)),
            tuple(result.type for result in inner.results),
            () if inner in blank else tuple(sorted(inner.properties.items())),
            tuple(sorted(inner.attributes.items())),
        )
        for inner in block.ops
    )


def _read(op: KernelOp, wanted: Collection[int]) -> None:
    """Replaces these constants of the kernel by elements of one operand."""
    builder = KernelBuilder.of(op)
    scales = [scale for i, scale in enumerate(_scales(builder.block)) if i in wanted]
    constant = _constant(scales)
    Rewriter.insert_op(constant, InsertPoint.before(op))
    for i, scale in enumerate(scales):
        place = Access(len(op.shape), (Term(None, offset=i),))
        scale.result.replace_all_uses_with(builder.read(constant.result, place))
    new = builder.build()
    Rewriter.replace_op(op, new)


def _constant(scales: Sequence[arith.ConstantOp]) -> nn.ConstantOp:
    values = [scale.value.value.data for scale in scales if isinstance(scale.value, FloatAttr)]
    return nn.ConstantOp(BlobAttr.of(TensorType(f32, [len(values)]), values))
