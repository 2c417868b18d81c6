"""
`alternate-sums`: weights that a call leaves in the second-level cache are the first that the next call reads.

A step of a stack of recurrent layers reads all weights once, in the order of the layers, and what it reads pushes out
what it read before: nothing is near when it is needed. But what the last layer makes of its own state can be summed
at any time. In every second call it is summed first, when its weights were read last:

    even calls: layer 1, input of layer 2, state of layer 2
    odd calls:  state of layer 2, layer 1, input of layer 2

Kernels go over their weights backwards in odd calls anyway (`alternates` of their schedule).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import infra, kernel, nn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import tensor
from ..dialects.kernel import Access, MatMulOp, YieldOp, storage_bytes
from ..dialects.module import entry_of
from ..dialects.origins import origins_of, set_origins
from .fusion.rules import restore_order

FAR = 1 << 21
"""Bytes of weights that do not stay in the second-level cache from one call to the next."""

PRODUCT = "MatMul"
"""What origins call the operations whose sums move."""


Body = Callable[[Block], Sequence[SSAValue]]
"""Fills a block that has arguments, and says what it gives."""


@dataclass(frozen=True)
class AlternateSums(ModulePass):
    """Lets the last product of the entry whose weights are far sum its states at two places, in turns."""

    name = "alternate-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        products = list(_streamed(entry_of(op).body.block))
        if len(products) < 2 or sum(map(_weights, products)) < FAR:
            return
        *before, last = products
        early = [p for p in range(len(last.a)) if not _depends(last.a[p], set(before))]
        if early and len(early) < len(last.a) and _accumulates_integers(last):
            _alternate(last, early, products[0])


def _streamed(block: Block) -> Iterator[MatMulOp]:
    """Products that read each of their weights once."""
    for op in block.ops:
        if (
            isinstance(op, MatMulOp)
            and prod(op.shape[:-1]) == 1
            and len(_constants(op)) == len(op.b)
        ):
            yield op


def _constants(op: MatMulOp) -> list[BlobAttr]:
    """Its weights, as far as they are constant."""
    return [blob for b in op.b if (blob := nn.constant_of(b)) is not None]


def _weights(op: MatMulOp) -> int:
    return sum(storage_bytes(tensor(b)) for b in op.b)


def _depends(value: SSAValue, sources: set[Operation]) -> bool:
    """Whether a value is made of what one of these operations gives."""
    waiting, seen = [value.owner], set[Operation]()
    while waiting:
        op = waiting.pop()
        if not isinstance(op, Operation) or op in seen:
            continue
        if op in sources:
            return True
        seen.add(op)
        waiting += [operand.owner for operand in op.operands]
    return False


def _accumulates_integers(op: MatMulOp) -> bool:
    """Whether sums are exact in any order, so that nothing can tell when they were added."""
    return op.accumulator == i32


# --- the two places -------------------------------------------------------------------------


def _alternate(op: MatMulOp, early: Sequence[int], first: MatMulOp) -> None:
    """Takes a product apart into its sums and the rest; the `early` ones are summed before `first` in turns."""
    block = op.parent
    assert block is not None
    is_odd = kernel.OddCallOp()
    Rewriter.insert_op(is_odd, InsertPoint.before(first))
    sums: list[SSAValue] = []
    for p in range(len(op.a)):
        if p in early:
            ahead = _choice(is_odd, [op.a[p]], _summing(op, p), _nothing(op))
            Rewriter.insert_op(ahead, InsertPoint.before(first))
            here = _choice(is_odd, [op.a[p], *ahead.results], _done(op), _summing(op, p))
        else:
            here = _sums(op, p, op.a[p], op.b[p])
        Rewriter.insert_op(here, InsertPoint.before(op))
        sums += here.results
    identity = Access.identity(len(op.shape))
    rest = kernel.MapOp(
        op.shape,
        [*sums, *op.ins],
        [*[identity] * len(sums), *op.accesses],
        op.body.clone(),
        [tensor(result) for result in op.results],
    )
    set_origins(rest, [origin for origin in origins_of(op) if origin.type != PRODUCT])
    Rewriter.replace_op(op, rest)
    restore_order(block)


def _choice(
    is_odd: kernel.OddCallOp, inputs: Sequence[SSAValue], then: Body, otherwise: Body
) -> infra.IfOp:
    """One of two bodies of these inputs, in turns."""
    blocks = [Block(arg_types=[value.type for value in inputs]) for _ in range(2)]
    for body, block in zip((then, otherwise), blocks, strict=True):
        block.add_op(infra.YieldOp(*body(block)))
    last = blocks[0].last_op
    assert last is not None
    types = [value.type for value in last.operands]
    return infra.IfOp(
        operands=[is_odd.result, inputs],
        result_types=[types],
        regions=[Region(block) for block in blocks],
    )


def _summing(op: MatMulOp, p: int) -> Body:
    """Sums product number p of the first argument."""

    def body(block: Block) -> Sequence[SSAValue]:
        weights = nn.ConstantOp(_constants(op)[p])
        sums = _sums(op, p, block.args[0], weights.result)
        block.add_ops([weights, sums])
        return sums.results

    return body


def _nothing(op: MatMulOp) -> Body:
    """Gives zeros, which nobody reads."""

    def body(block: Block) -> Sequence[SSAValue]:
        inner = Block()
        inner.add_op(zero := arith.ConstantOp(IntegerAttr(0, i32)))
        return _mapped(op, block, [], inner, [zero.result] * op.groups.value.data)

    return body


def _done(op: MatMulOp) -> Body:
    """Gives the other arguments."""

    def body(block: Block) -> Sequence[SSAValue]:
        inner = Block(arg_types=[i32] * op.groups.value.data)
        return _mapped(op, block, block.args[1:], inner, inner.args)

    return body


def _mapped(
    op: MatMulOp,
    block: Block,
    ins: Sequence[SSAValue],
    inner: Block,
    yielded: Sequence[SSAValue],
) -> Sequence[SSAValue]:
    """What a map with this body makes of `ins`, at every point of its own."""
    inner.add_op(YieldOp(*yielded))
    access = [Access.identity(len(op.shape))] * (len(ins) + len(yielded))
    results = [TensorType(i32, op.shape)] * len(yielded)
    block.add_op(found := kernel.MapOp(op.shape, ins, access, Region(inner), results))
    return found.results


def _sums(op: MatMulOp, p: int, a: SSAValue, b: SSAValue) -> MatMulOp:
    """Product number p alone, its sums as they are."""
    groups = op.groups.value.data
    body = Block(arg_types=[i32] * groups)
    body.add_op(YieldOp(*body.args))
    found = MatMulOp(
        op.shape,
        groups,
        [a],
        [b],
        [],
        [Access.identity(len(op.shape))] * groups,
        Region(body),
        [TensorType(i32, op.shape)] * groups,
        offset_a=None if op.offset_a is None else [op.offsets[p]],
        layout=op.packed,
    )
    anchors = [origin for origin in origins_of(op) if origin.type == PRODUCT]
    set_origins(found, anchors[p : p + 1] if len(anchors) == len(op.a) else anchors)
    return found
