"""Questions about an operation that callbacks of a configuration ask: true keeps a transformation from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.ir import Operation

from .dequantization import Dequantization


def is_asymmetric_quantization(op: Operation) -> bool:
    """Whether the data, input 0, has codes around a zero point."""
    return any(not side.is_symmetric for side in _sides(op, 0))


def is_asymmetric_on_weights(op: Operation) -> bool:
    """Whether the weights, input 1, have codes around a zero point."""
    return any(not side.is_symmetric for side in _sides(op, 1))


def is_quantized_per_channel(op: Operation) -> bool:
    """Whether the data, input 0, has more than one scale or zero point."""
    return any(not side.is_per_tensor for side in _sides(op, 0))


def _sides(op: Operation, port: int) -> Iterator[Dequantization]:
    if port < len(op.operands) and (found := Dequantization.on(op.operands[port])) is not None:
        yield found


CALLBACKS: dict[str, Callable[[Operation], bool]] = {
    one.__name__: one
    for one in (is_asymmetric_quantization, is_asymmetric_on_weights, is_quantized_per_channel)
}
"""The callbacks that configuration files name."""
