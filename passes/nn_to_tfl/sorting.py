"""The largest and smallest elements."""

from __future__ import annotations

from ...dialects import nn
from ...dialects.inferred import shape_of
from .elements import carrier
from .tensors import Elements, Tensor, inverse
from .writer import Writer, element_of, emits, sizes_of


@emits(nn.TopKOp)
def top_k(write: Writer, op: nn.TopKOp) -> None:
    """LiteRT's finds the largest along the last dimension, best first, those with lower indices before their equals."""
    rank = len(shape_of(op.input))
    axis = op.axis.value.data % rank
    order = (*(i for i in range(rank) if i != axis), axis)
    x = write.arranged(op.input, order)
    x = write.cast(x, carrier("TOPK_V2", x.element))
    if op.mode.data == "min":
        x = _turned(write, x)
    sizes = tuple(sizes_of(op.values)[i] for i in order)
    k = write.cast(write.reshaped(write.plain(op.k), ()), "int32")
    found, places = largest(write, x, k, sizes)
    if op.sort.data == "index":
        back, _ = largest(write, _turned(write, places), k, sizes)
        places = _turned(write, back)
        found = write.op("GATHER", [x, places], sizes, axis=rank - 1, batch_dims=rank - 1)
    if op.mode.data == "min":
        found = _turned(write, found)
    indices = write.cast(places, element_of(op.indices))
    for value, each in (
        (op.values, write.cast(found, element_of(op.input))),
        (op.indices, indices),
    ):
        write.set(value, write.transposed(each, inverse(order)))


def largest(write: Writer, x: Tensor, k: Tensor, sizes: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    """The largest along the last dimension, and where they are."""
    types = [Elements(element).tensor(sizes) for element in (x.element, "int32")]
    found, places = write.operators("TOPK_V2", [x, k], types)
    return found, places


def _turned(write: Writer, x: Tensor) -> Tensor:
    """The greatest least and the least greatest: `-x`, or `-1 - x`, which no integer is too small for."""
    return write.unary("NEG", x) if x.is_real else write.binary("SUB", write.scalar(x, -1), x)
