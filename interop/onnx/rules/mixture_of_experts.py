"""Mixtures of experts of ONNX Runtime: small networks, to some of which each row of the input is routed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, i64
from xdsl.ir import Block, Region, SSAValue

from ....dialects import infra, nn
from ....dialects.inferred import shape_of, tensor
from ....reference.arrays import Array, array_of, blob_of
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .runtime_packed_weights import codes_of


@dataclass(frozen=True)
class Product:
    """
    `x wᵀ + bias` of each expert, w being `[expert, row, depth]`: numbers, or codes, `(code - point) * scale`, with
    scales and points `[expert, row, block]`.
    """

    weights: Array
    bias: Array | None
    scales: Array | None = None
    points: Array | None = None
    bits: int = 0

    def of(self, node: Node, x: SSAValue, expert: int, rows: slice = slice(None)) -> SSAValue:
        """The product of some rows of an expert's weights."""
        write, element = node.write, tensor(x).element_type
        weights = self.weights[expert, rows]
        if self.scales is None or self.points is None:
            value = write.constant(blob_of(weights, element))
        else:
            scales, points = (each[expert, rows, :, None] for each in (self.scales, self.points))
            blocks = weights.reshape(*scales.shape[:2], -1)
            kind = IntegerType(max(self.bits, 4), Signedness.UNSIGNED)
            codes = converted(node, write.constant(blob_of(blocks, kind)), element)
            points = write.constant(blob_of(points.astype(np.float32), element))
            scaled = write(nn.SubtractOp, codes, points)
            scaled = write(nn.MultiplyOp, scaled, write.constant(blob_of(scales, element)))
            value = write.reshaped(scaled, weights.shape)
        product = write(nn.MatMulOp, x, value, transpose_b=True)
        if self.bias is None:
            return product
        return write(
            nn.AddOp, product, write.constant(blob_of(self.bias[expert, rows].copy(), element))
        )


@rule("com.microsoft.MoE")
def mixture_of_experts(node: Node) -> Values:
    """Without `normalize_routing_weights`, the shares of the experts of a row sum up to less than 1."""
    products = [
        Product(
            _constant(node, i, "weights"),
            None if node.get(i + 1) is None else _constant(node, i + 1, "a bias"),
        )
        for i in (2, 4)
    ]
    return _mixture(node, *products, third=6, is_normal=bool(node("normalize_routing_weights", 0)))


@rule("com.microsoft.QMoE")
def quantized_mixture_of_experts(node: Node) -> Values:
    """Weights are packed codes, the first in the lowest bits of a byte. The shares of a row's experts sum up to 1."""
    if (kind := node("quant_type", "int")) != "int":
        raise node.refuse(f"quant_type '{kind}' is not supported; quantize the weights to integers")
    if node.get(14) is not None:
        raise node.refuse("weights of routing (input 14) are not supported; leave them out")
    first, second = (_codes(node, *inputs) for inputs in ((2, "fc1", 11), (5, "fc2", 12)))
    return _mixture(node, first, second, third=8, is_normal=True)


def _constant(node: Node, index: int, what: str) -> Array:
    if (blob := nn.constant_of(node[index])) is None:
        raise node.refuse(
            f"{what} (input {index}) that are computed are not supported; make them constants"
        )
    return array_of(blob)


def _codes(node: Node, index: int, name: str, of_points: int) -> Product:
    """The product whose codes are an input, with scales and a bias in the two behind it."""
    bits = int(node(f"{name}_expert_weight_bits", node("expert_weight_bits", 4)))
    if bits not in (2, 4, 8):
        raise node.refuse(f"codes of {bits} bits are not supported; use 2, 4 or 8")
    weights = codes_of(_constant(node, index, "codes"), bits)
    experts, rows, depth = weights.shape
    scales = _constant(node, index + 1, "scales").reshape(experts, rows, -1)
    count = scales.shape[2]
    if depth % count:
        raise node.refuse(
            f"{count} scales do not divide rows of {depth} codes; export the model again"
        )
    points: Array = np.full(scales.shape, 1 << (bits - 1), np.uint8)
    if node.get(of_points) is not None:
        packed = codes_of(_constant(node, of_points, "zero points"), bits)
        points = packed[..., : count if packed.ndim == 3 else rows].reshape(scales.shape)
    bias = None if node.get(index + 2) is None else _constant(node, index + 2, "a bias")
    return Product(weights, bias, scales, points, bits)


@dataclass(frozen=True)
class Experts:
    """Two products with an activation between them, of each expert."""

    first: Product
    second: Product
    activation: str

    @property
    def count(self) -> int:
        return len(self.first.weights)

    def check(self, node: Node, hidden: int) -> None:
        """Raises DiagnosticException where weights do not fit each other, or rows of this size."""
        shapes = self.first.weights.shape, self.second.weights.shape
        inner = shapes[0][1] // (2 if self.activation == "swiglu" else 1)
        if shapes != ((self.count, shapes[0][1], hidden), (self.count, hidden, inner)):
            raise node.refuse(
                f"weights of shapes {list(shapes[0])} and {list(shapes[1])} do not fit rows of {hidden}; export the "
                "model again"
            )

    def add(
        self, expert: int, node: Node, total: SSAValue, rows: SSAValue, share: SSAValue
    ) -> SSAValue:
        """The total, and what an expert gives for the rows, times its share of each."""
        inner = _activated(node, rows, self.first, expert, self.activation)
        own = node.write(nn.MultiplyOp, self.second.of(node, inner, expert), share)
        return node.write(nn.AddOp, total, own)


def _mixture(node: Node, first: Product, second: Product, third: int, is_normal: bool) -> SSAValue:
    """What the experts of each row give, by their shares. An expert that no row is routed to is not computed."""
    write, x = node.write, node[0]
    if node.get(third) is not None:
        raise node.refuse(
            f"a third product (input {third}) is not supported; fuse it into the first (swiglu_fusion)"
        )
    if node("use_sparse_mixer", 0):
        raise node.refuse("use_sparse_mixer is not supported; export the model without it")
    experts, hidden = Experts(first, second, node("activation_type", "relu")), shape_of(x)[-1]
    experts.check(node, hidden)
    rows = write.reshaped(x, (-1, hidden))
    shares, chosen = _routed(node, is_normal)
    total = write(nn.BroadcastOp, write.scalar_like(x, 0), write(nn.ShapeOfOp, rows))
    for expert in range(experts.count):
        is_own = write(nn.EqualOp, chosen, write.integer(expert))
        share = write(nn.SelectOp, is_own, shares, write.scalar_like(shares, 0))
        share = write(nn.ReduceSumOp, share, write.integers(1), keep_dims=True)
        is_used = write(nn.ReduceLogicalOrOp, is_own, write.integers(0, 1), keep_dims=False)
        total = _where_used(node, is_used, partial(experts.add, expert), total, rows, share)
    return write(nn.ReshapeOp, total, write(nn.ShapeOfOp, x))


def _routed(node: Node, is_normal: bool) -> tuple[SSAValue, SSAValue]:
    """The shares and the numbers of each row's experts."""
    write, router, count = node.write, node[1], node("k", 1)
    logits = router if is_normal else write(nn.SoftmaxOp, router, axis=1)
    values, chosen = write.all(
        nn.TopKOp,
        logits,
        write.integer(count),
        axis=1,
        mode="max",
        sort="value",
        index_element_type=i64,
    )
    values = write(nn.SoftmaxOp, values, axis=1) if is_normal else values
    return converted(node, values, node.element()), chosen


def _activated(node: Node, x: SSAValue, first: Product, expert: int, kind: str) -> SSAValue:
    """The activation of an expert's first product."""
    write = node.write
    if kind == "swiglu":
        return _gated(node, x, first, expert)
    value = first.of(node, x, expert)
    match kind:
        case "relu":
            return write(nn.ReluOp, value)
        case "gelu":
            return write(nn.GeluOp, value, approximation_mode="tanh")
        case "silu":
            return write(nn.SwishOp, value)
        case "identity":
            return value
        case _:
            raise node.refuse(
                f"activation_type '{kind}' is not supported; use relu, gelu, silu, swiglu or identity"
            )


def _gated(node: Node, x: SSAValue, first: Product, expert: int) -> SSAValue:
    """`g * sigmoid(alpha * g) * (l + beta)`; rows of g and l take turns, or those of l come behind those of g."""
    write, half = node.write, first.weights.shape[1] // 2
    fusion = int(node("swiglu_fusion", 0))
    if fusion not in (1, 2):
        raise node.refuse(f"swiglu_fusion {fusion} is not supported; use 1 or 2")
    parts = (
        (slice(0, None, 2), slice(1, None, 2)) if fusion == 1 else (slice(half), slice(half, None))
    )
    gate, linear = (first.of(node, x, expert, rows) for rows in parts)
    if math.isfinite(limit := float(node("swiglu_limit", math.inf))):
        gate = write(nn.MinimumOp, gate, limit)
        linear = write.clamp(linear, -limit, limit)
    scaled = write(nn.MultiplyOp, gate, float(node("activation_alpha", 1.0)))
    gate = write(nn.MultiplyOp, gate, write(nn.SigmoidOp, scaled))
    return write(nn.MultiplyOp, gate, write(nn.AddOp, linear, float(node("activation_beta", 0.0))))


def _where_used(
    node: Node, condition: SSAValue, then: Callable[..., SSAValue], *values: SSAValue
) -> SSAValue:
    """`then(node, *values)` where the condition holds, else the first of the values."""
    regions: list[Region] = []
    for body_of in (then, None):
        scope = replace(node.scope, block=Block(arg_types=[value.type for value in values]))
        args = scope.block.args
        own = replace(node, write=scope.write)
        scope.block.add_op(infra.YieldOp(args[0] if body_of is None else body_of(own, *args)))
        regions.append(Region(scope.block))
    made = infra.IfOp.create(
        operands=[condition, *values], result_types=[values[0].type], regions=regions
    )
    return node.write.builder.insert(made).results[0]
