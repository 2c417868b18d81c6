"""Top-k, non-zero and unique elements."""

from __future__ import annotations

from xdsl.dialects.builtin import i32

from ...dialects import nn
from ...dialects.inferred import shape_of
from .elements import compute_element
from .tensors import UNKNOWN, Elements, Tensor, inverse
from .writer import TflWriter, element_of, emits, sizes_of


@emits(nn.TopKOp)
def top_k(write: TflWriter, op: nn.TopKOp) -> None:
    """
    LiteRT's TOPK_V2 finds the largest elements along the last dimension, sorted, lower indices first among equals.
    """
    rank = len(shape_of(op.input))
    axis = op.axis.value.data % rank
    order = (*(i for i in range(rank) if i != axis), axis)
    x = write.arranged(op.input, order)
    x = write.cast(x, compute_element("TOPK_V2", x.element))
    if op.mode.data == "min":
        x = _order_reversed(write, x)
    sizes = tuple(sizes_of(op.values)[i] for i in order)
    k = write.cast(write.reshaped(write.plain(op.k), ()), "int32")
    found, places = largest(write, x, k, sizes)
    if op.sort.data == "index":
        back, _ = largest(write, _order_reversed(write, places), k, sizes)
        places = _order_reversed(write, back)
        found = write.op("GATHER", [x, places], sizes, axis=rank - 1, batch_dims=rank - 1)
    if op.mode.data == "min":
        found = _order_reversed(write, found)
    indices = write.cast(places, element_of(op.indices))
    for value, each in (
        (op.values, write.cast(found, element_of(op.input))),
        (op.indices, indices),
    ):
        write.set(value, write.transposed(each, inverse(order)))


def largest(
    write: TflWriter, x: Tensor, k: Tensor, sizes: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    """The largest along the last dimension, and where they are."""
    types = [Elements(element).tensor(sizes) for element in (x.element, "int32")]
    found, places = write.operators("TOPK_V2", [x, k], types)
    return found, places


def _order_reversed(write: TflWriter, x: Tensor) -> Tensor:
    """Numbers in reverse order: `-x`, or `-1 - x`, which does not overflow for integers."""
    return write.unary("NEG", x) if x.is_real else write.binary("SUB", write.scalar(x, -1), x)


@emits(nn.NonZeroOp)
def non_zero(write: TflWriter, op: nn.NonZeroOp) -> None:
    x = write.plain(op.input)
    truth = x if x.element == "bool" else write.binary("NOT_EQUAL", x, 0, element="bool")
    rows = write.op("WHERE", [truth], (UNKNOWN, x.rank), "int64")
    write.set(op.result, write.cast(rows, element_of(op.result)), (1, 0))


@emits(nn.UniqueOp)
def unique(write: TflWriter, op: nn.UniqueOp) -> None:
    """LiteRT's kernel gives elements in the order of the input only, and neither first indices nor counts."""
    others = (op.first_indices, op.counts)
    if op.sorted or op.axis is not None or any(each.first_use for each in others):
        write.decomposed(op)
        return
    x, index = write.plain(op.input), Elements("int32").tensor(sizes_of(op.inverse))
    line = write.reshaped(x, sizes_of(op.inverse))
    types = [Elements(x.element).tensor((UNKNOWN,)), index]
    values, places = write.operators("UNIQUE", [line], types, idx_out_type=i32)
    write.set(op.values, values)
    write.set(op.inverse, write.cast(places, element_of(op.inverse)))
