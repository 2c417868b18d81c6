"""Keys and values of a GroupQueryAttention that are kept as codes of 8 or 4 bits."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import f32, i8
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import tensor
from ..node import Node
from .elements import U8, converted

KINDS = ("PER_TENSOR", "PER_CHANNEL")
"""One scale, or one for each column of each head."""

NIBBLE, MIDDLE = 16, 8
"""Codes of 4 bits have so many values; this one stands for 0."""


@dataclass(frozen=True)
class QuantizedCache:
    """
    How keys, or values, are kept: as `clamp(round(x / scale))` in 8 bits, or in 4 bits, from -8 on and two in a byte,
    the first one in the lower bits. Attention takes what the codes mean, also of new rows.
    """

    node: Node
    scale: SSAValue
    bits: int

    @classmethod
    def of(cls, node: Node, which: int) -> QuantizedCache | None:
        """
        Of keys (0) or values (1); None where they are kept as they are. Raises DiagnosticException for other codes.
        """
        letter, scale, past = "kv"[which], node.get(12 + which), node.get(3 + which)
        kind, bits = node(f"{letter}_quant_type", "NONE"), node("kv_cache_bit_width", 8) or 8
        if scale is None and kind == "NONE":
            return None
        if scale is None or kind not in KINDS:
            raise node.refuse(
                f"{letter}_quant_type is '{kind}' and {letter}_scale is {'left out' if scale is None else 'given'}; "
                f"use {' or '.join(map(repr, KINDS))}, with scales"
            )
        wanted = {8: i8, 4: U8}.get(bits)
        if wanted is None or (past is not None and tensor(past).element_type != wanted):
            found = "" if past is None else f" of {tensor(past).element_type}"
            raise node.refuse(
                f"a cache{found} with kv_cache_bit_width {bits} is not supported; use 8 bits in INT8, or 4 in UINT8"
            )
        heads = node.number("kv_num_heads")
        shape = (1, heads, 1, -1) if kind == "PER_CHANNEL" else ()
        return cls(node, node.write.reshaped(converted(node, scale, f32), shape), bits)

    def encoded(self, value: SSAValue) -> SSAValue:
        """Codes of rows `[batch, head, row, column]`."""
        node, write = self.node, self.node.write
        code = write(nn.RoundOp, write(nn.DivideOp, converted(node, value, f32), self.scale))
        if self.bits == 8:
            return converted(node, write.clamp(code, -128, 127), i8)
        code = write(nn.AddOp, write.clamp(code, -MIDDLE, MIDDLE - 1), float(MIDDLE))
        pairs = write(nn.ReshapeOp, code, write.integers(0, 0, 0, -1, 2), special_zero=True)
        low, high = (write.slice(pairs, place, place + 1, 4) for place in range(2))
        both = write(nn.AddOp, low, write(nn.MultiplyOp, high, float(NIBBLE)))
        both = write(nn.ReshapeOp, both, write.integers(0, 0, 0, -1), special_zero=True)
        return converted(node, both, U8)

    def decoded(self, codes: SSAValue, like: SSAValue) -> SSAValue:
        """What codes mean, in the element type of `like`."""
        node, write = self.node, self.node.write
        code = converted(node, codes, f32)
        if self.bits != 8:
            high = write(nn.FloorOp, write(nn.MultiplyOp, code, 1 / NIBBLE))
            low = write(nn.SubtractOp, code, write(nn.MultiplyOp, high, float(NIBBLE)))
            parts = (write(nn.UnsqueezeOp, each, write.integers(4)) for each in (low, high))
            pairs = write.joined([*parts], 4)
            code = write(nn.ReshapeOp, pairs, write.integers(0, 0, 0, -1), special_zero=True)
            code = write(nn.SubtractOp, code, float(MIDDLE))
        value = write(nn.MultiplyOp, code, self.scale)
        return converted(node, value, tensor(like).element_type)
