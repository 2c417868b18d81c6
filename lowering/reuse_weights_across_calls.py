"""
`reuse-weights-across-calls`: cross-call weight reuse; a call starts with the weights that the last call left in the
second-level cache.

One step of stacked recurrent layers streams all weights in the order of the layers. If they exceed the cache, each
read evicts what an earlier one loaded, and nothing is reused. The last layer's product with its own state does not
depend on the other layers, so it can move: call parity decides whether it runs first or last.

    even calls: layer 1, input of layer 2, state of layer 2
    odd calls:  state of layer 2, layer 1, input of layer 2

Within a kernel, serpentine traversal of the weights does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import infra, kernel, nn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import tensor
from ..dialects.kernel import Access, MatMulOp, YieldOp, storage_bytes
from ..dialects.module import entry_of
from ..dialects.origins import origins_of, set_origins
from ..dialects.rewriter import Rewriter
from .fusion.topology import restore_order
from .machine import MOST_SECOND_LEVEL_BYTES

FAR = MOST_SECOND_LEVEL_BYTES
"""Bytes of weights that stay in no second-level cache until the next call."""

PRODUCT = "MatMul"
"""The type that origins give to the operations whose products move."""


Filler = Callable[[Block], Sequence[SSAValue]]
"""Fills a block that has its arguments and returns the values to yield."""


class ReuseWeightsAcrossCalls(ModulePass):
    """Computes the last product's state part first in odd calls and last in even ones, if weights exceed the cache."""

    name = "reuse-weights-across-calls"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        products = list(_streamed(entry_of(op).body.block))
        if sum(map(_weights, products)) < FAR:
            return
        *before, last = products
        early = [p for p in range(len(last.a)) if not _depends(last.a[p], set(before))]
        if early and len(early) < len(last.a) and _accumulates_integers(last):
            _split_by_call_parity(last, early, products[0])


def _streamed(block: Block) -> Iterator[MatMulOp]:
    """The products that read each weight once: one row by constant weights."""
    for op in block.ops:
        if (
            isinstance(op, MatMulOp)
            and prod(op.shape[:-1]) == 1
            and len(_constants(op)) == len(op.b)
        ):
            yield op


def _constants(op: MatMulOp) -> list[BlobAttr]:
    """Its constant weights."""
    return [blob for b in op.b if (blob := nn.constant_of(b)) is not None]


def _weights(op: MatMulOp) -> int:
    return sum(storage_bytes(tensor(b)) for b in op.b)


def _depends(value: SSAValue, sources: set[Operation]) -> bool:
    """Whether a value depends on a result of one of these operations."""
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
    """Whether accumulation is exact in any order, so that moving a product changes no result."""
    return op.accumulator == i32


# --- the two places -------------------------------------------------------------------------


def _split_by_call_parity(op: MatMulOp, early: Sequence[int], first: MatMulOp) -> None:
    """Splits a product from its epilogue; the products in `early` run before `first` in odd calls."""
    block = op.parent
    assert block is not None
    is_odd = kernel.CallParityOp()
    Rewriter.insert_op(is_odd, InsertPoint.before(first))
    products: list[SSAValue] = []
    for p in range(len(op.a)):
        if p in early:
            early_product = _if_odd(is_odd, [op.a[p]], _product_body(op, p), _zeros(op))
            Rewriter.insert_op(early_product, InsertPoint.before(first))
            here = _if_odd(
                is_odd, [op.a[p], *early_product.results], _passed_on(op), _product_body(op, p)
            )
        else:
            here = _product(op, p, op.a[p], op.b[p])
        Rewriter.insert_op(here, InsertPoint.before(op))
        products += here.results
    identity = Access.identity(len(op.shape))
    rest = kernel.MapOp(
        op.shape,
        [*products, *op.ins],
        [*[identity] * len(products), *op.accesses],
        op.body.clone(),
        results=[tensor(result) for result in op.results],
    )
    set_origins(rest, [origin for origin in origins_of(op) if origin.type != PRODUCT])
    Rewriter.replace_op(op, rest)
    restore_order(block)


def _if_odd(
    is_odd: kernel.CallParityOp, inputs: Sequence[SSAValue], then: Filler, otherwise: Filler
) -> infra.IfOp:
    """A branch on call parity: `then` runs in odd calls, `otherwise` in even ones."""
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


def _product_body(op: MatMulOp, p: int) -> Filler:
    """A body that computes product number p of its first argument."""

    def body(block: Block) -> Sequence[SSAValue]:
        weights = nn.ConstantOp(_constants(op)[p])
        product = _product(op, p, block.args[0], weights.result)
        block.add_ops([weights, product])
        return product.results

    return body


def _zeros(op: MatMulOp) -> Filler:
    """A body that yields zeros, which nothing reads."""

    def body(block: Block) -> Sequence[SSAValue]:
        inner = Block()
        inner.add_op(zero := arith.ConstantOp(IntegerAttr(0, i32)))
        return _mapped(op, block, [], inner, [zero.result] * op.groups.value.data)

    return body


def _passed_on(op: MatMulOp) -> Filler:
    """A body that yields its arguments but the first: a product that was computed before."""

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
    """The results of an elementwise map of `ins` with this body."""
    inner.add_op(YieldOp(*yielded))
    access = [Access.identity(len(op.shape))] * (len(ins) + len(yielded))
    results = [TensorType(i32, op.shape)] * len(yielded)
    block.add_op(found := kernel.MapOp(op.shape, ins, access, Region(inner), results=results))
    return found.results


def _product(op: MatMulOp, p: int, a: SSAValue, b: SSAValue) -> MatMulOp:
    """Product number p alone, without an epilogue."""
    groups = op.groups.value.data
    body = Block(arg_types=[i32] * groups)
    body.add_op(YieldOp(*body.args))
    found = MatMulOp(
        op.shape,
        groups,
        [a],
        [b],
        kernel.Epilogue([], [Access.identity(len(op.shape))] * groups, Region(body)),
        results=[TensorType(i32, op.shape)] * groups,
        offset_a=None if op.offset_a is None else [op.offsets[p]],
        layout=op.packed,
    )
    anchors = [origin for origin in origins_of(op) if origin.type == PRODUCT]
    set_origins(found, anchors[p : p + 1] if len(anchors) == len(op.a) else anchors)
    return found
