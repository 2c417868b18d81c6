"""Linear attention and causal convolutions with a state, as ONNX Runtime's recurrent language models have them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import infra, nn
from ....dialects.inferred import shape_of, tensor
from ....dialects.nn.writer import Writer
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted
from .runtime_fused import as_onnx

FORGETTING, CORRECTING = ("gated", "gated_delta"), ("delta", "gated_delta")
"""The update rules whose states decay, and those that write what the state does not give yet."""

UPDATES = {name: name for name in ("linear", *FORGETTING, "delta")}


@rule("com.microsoft.LinearAttention")
def linear_attention(node: Node) -> Values:
    """A loop over steps; its state `[batch, head, key, value]` is of f32."""
    _check_window(node)
    name = node.choice("update_rule", "gated_delta", UPDATES)
    query, key, value = _by_head(node)
    sizes = shape_of(query)[2], shape_of(key)[-1], shape_of(value)[-1]
    state = _zeros(node, f32, sizes) if node.get(3) is None else _wide(node, 3)
    ports = {"q_t": query, "k_t": key, "v_t": value, "S_t": state}
    if name in FORGETTING:
        ports["decay_t"] = node.write(nn.ExpOp, _gate(node, 4, name, (sizes[0], -1, 1)))
    if name in CORRECTING:
        ports["beta_t"] = _gate(node, 5, name, (-1, 1, 1))
    together, last = node.recurrence(_loop(node, ports))
    flat = node.write(nn.ReshapeOp, together, node.write.integers(0, 0, -1), special_zero=True)
    kept = node.element(3) if node.get(3) is not None else node.element()
    return [converted(node, flat, node.element()), converted(node, last, kept)]


def _check_window(node: Node) -> None:
    if node("state_window", 0):
        raise node.refuse(
            "state_window is not supported; export the model with the state of the last step alone (state_window 0)"
        )


def _by_head(node: Node) -> list[SSAValue]:
    """Scaled queries `[batch, step, head, group, key]`, keys and values `[batch, step, head, 1, depth]`."""
    write, heads = node.write, node.number("kv_num_heads")
    queries = node.number("q_num_heads")
    hidden = [shape_of(node[i])[-1] for i in range(3)]
    if min(heads, queries) < 1 or DYNAMIC_INDEX in hidden or hidden[0] % queries:
        raise node.refuse(
            f"the last sizes {hidden} of query, key and value are not known to be those of {queries} and {heads} "
            "heads; give the model's inputs fixed shapes, or export it again"
        )
    depth = hidden[0] // queries
    query = _heads(node, write(nn.MultiplyOp, _wide(node, 0), _scale(node, depth)), queries, depth)
    key = _heads(node, _wide(node, 1), hidden[1] // depth, depth)
    value = _heads(node, _wide(node, 2), heads, hidden[2] // heads)
    key = _repeated(node, key, heads)
    if queries > heads:
        shape = write.integers(0, 0, heads, queries // heads, depth)
        query = write(nn.ReshapeOp, query, shape, special_zero=True)
    else:
        query = _repeated(node, query, heads)
    return [query, key, value]


def _scale(node: Node, depth: int) -> float:
    return float(node("scale", 0.0)) or 1 / math.sqrt(depth)


def _wide(node: Node, place: int) -> SSAValue:
    return converted(node, node[place], f32)


def _heads(node: Node, value: SSAValue, heads: int, depth: int) -> SSAValue:
    shape = node.write.integers(0, 0, heads, 1, depth)
    return node.write(nn.ReshapeOp, value, shape, special_zero=True)


def _repeated(node: Node, value: SSAValue, heads: int) -> SSAValue:
    """One for each head: neighbours share what there is less of."""
    given = shape_of(value)[2]
    if given == heads:
        return value
    owners = node.write.integers(*(head * given // heads for head in range(heads)))
    return node.write(nn.GatherOp, value, owners, node.write.integer(2), batch_dims=0)


def _gate(node: Node, place: int, name: str, sizes: Sequence[int]) -> SSAValue:
    """An input that a rule needs, `[batch, step, *sizes]`."""
    if node.get(place) is None:
        raise node.refuse(f"rule '{name}' needs input {place}; export the model again")
    shape = node.write.integers(0, 0, *sizes)
    return node.write(nn.ReshapeOp, _wide(node, place), shape, special_zero=True)


def _zeros(node: Node, element: Attribute, sizes: Sequence[int]) -> SSAValue:
    """`[batch, *sizes]`, with the batch of the first input."""
    write = node.write
    size = write.slice(write(nn.ShapeOfOp, node[0]), 0, 1, 0)
    zero = converted(node, write.scalar_like(node[0], 0), element)
    return write(nn.BroadcastOp, zero, write.joined([size, write.integers(*sizes)], 0))


def _loop(node: Node, ports: Mapping[str, SSAValue]) -> Sequence[SSAValue]:
    """What all steps give, `[batch, step, head, group, value]`, and the last state."""
    types = {name: tensor(value) for name, value in ports.items()}
    steps = {
        name: type
        if name == "S_t"
        else TensorType(f32, [type.get_shape()[0], 1, *type.get_shape()[2:]])
        for name, type in types.items()
    }
    block = Block(arg_types=[*steps.values()])
    write = Writer(InsertPoint.at_end(block))
    now = dict(zip(ports, block.args, strict=True))
    state, result = _step(write, now)
    block.add_op(infra.YieldOp(state, write(nn.UnsqueezeOp, result, write.integers(1))))
    sliced = infra.SlicedAttr(*map(IntAttr, (1, 0, -1, 1, 1)))
    merged = infra.MergedAttr(IntAttr(0))
    outputs = [
        infra.ConcatenatedAttr(*map(IntAttr, (1, 1, 0, -1, 1, 1))),
        infra.IterationAttr(IntAttr(0), IntAttr(-1)),
    ]
    shape = types["q_t"].get_shape()
    whole = TensorType(f32, [*shape[:4], types["v_t"].get_shape()[-1]])
    loop = infra.TensorIteratorOp.create(
        operands=[*ports.values()],
        result_types=[whole, types["S_t"]],
        properties={
            "inputs": ArrayAttr([merged if name == "S_t" else sliced for name in ports]),
            "outputs": ArrayAttr(outputs),
            "body_names": ArrayAttr(map(StringAttr, ports)),
        },
        regions=[Region(block)],
    )
    return node.write.builder.insert(loop).results


def _step(write: Writer, now: Mapping[str, SSAValue]) -> tuple[SSAValue, SSAValue]:
    """The next state and what the queries read of it: `S' = a S + kᵀ b (v - k a S)`, `q S'`."""
    axis = write.integers(1)
    of = {k: v if k == "S_t" else write(nn.SqueezeOp, v, axis) for k, v in now.items()}
    state, key, news = of["S_t"], of["k_t"], of["v_t"]
    if "decay_t" in of:
        state = write(nn.MultiplyOp, state, of["decay_t"])
    if "beta_t" in of:
        known = write(nn.MatMulOp, key, state)
        news = write(nn.MultiplyOp, write(nn.SubtractOp, news, known), of["beta_t"])
    state = write(nn.AddOp, state, write(nn.MatMulOp, key, news, transpose_a=True))
    return state, write(nn.MatMulOp, of["q_t"], state)


@rule("com.microsoft.LinearAttentionGate")
def linear_attention_gate(node: Node) -> Values:
    """`decay_scale * softplus(a + dt_bias)`, computed in f32, and `sigmoid(b)`."""
    write = node.write
    decay = write(nn.SoftPlusOp, write(nn.AddOp, _wide(node, 0), _wide(node, 1)))
    decay = converted(node, write(nn.MultiplyOp, decay, _wide(node, 2)), node.element())
    rate = None if node.get(3) is None else write(nn.SigmoidOp, node[3])
    return [decay, rate]


@rule("com.microsoft.GatedRMSNorm")
def gated_rms_norm(node: Node) -> Values:
    """`x / √(mean(x²) + epsilon) * scale * activation(gate)`; each group of as many as `scale` has is normalized."""
    write, rank = node.write, node.rank()
    activation = node.choice("activation", "silu", {"silu": "silu", "swish": "silu", "sigmoid": ""})
    grouped = write.integers(*[0] * (rank - 1), -1, shape_of(node[1])[0])
    x = write(nn.ReshapeOp, _wide(node, 0), grouped, special_zero=True)
    square = write(nn.MultiplyOp, x, x)
    mean = write(nn.ReduceMeanOp, square, write.integers(-1), keep_dims=True)
    root = write(nn.SqrtOp, write(nn.AddOp, mean, float(node("epsilon", 1e-5))))
    normal = write(nn.MultiplyOp, write(nn.DivideOp, x, root), _wide(node, 1))
    flat = write.integers(*[0] * (rank - 1), -1)
    normal = write(nn.ReshapeOp, normal, flat, special_zero=True)
    gate = _wide(node, 2)
    opened = write(nn.SwishOp, gate) if activation else write(nn.SigmoidOp, gate)
    return converted(node, write(nn.MultiplyOp, normal, opened), node.element())


@rule("com.microsoft.CausalConvWithState")
def causal_convolution(node: Node) -> Values:
    """A depthwise convolution over time of the earlier rows, which are the state, and the new ones."""
    _check_window(node)
    if node("ndim", 1) != 1:
        raise node.refuse(
            "ndim must be 1; write other causal convolutions as Concat, Conv and Slice"
        )
    channels, _, taps = shape_of(node[1])
    dilation = int(node("dilation", 1))
    length = (taps - 1) * dilation
    if length < 1:
        raise node.refuse(f"{taps} taps have no state; write this convolution as Conv")
    new = _rows(node, 0, channels)
    kept = [channels, length]
    past = _zeros(node, node.element(), kept) if node.get(3) is None else _rows(node, 3, channels)
    whole = node.write(nn.ConcatOp, past, new, axis=2)
    options = {"group": channels, "dilations": [dilation], "kernel_shape": [taps]}
    result = as_onnx(replace(node, attributes=options), "Conv", 11, whole, *node.inputs[1:3])
    activation = node.choice("activation", "none", {"none": "", "silu": "silu", "swish": "silu"})
    if activation:
        result = node.write(nn.SwishOp, result)
    last = node.write.slice(whole, -length, 2**31 - 1, 2)
    return [_as_given(node, each) for each in (result, last)]


def _rows(node: Node, place: int, channels: int) -> SSAValue:
    """An input as `[batch, channel, step]`."""
    if not node("channels_last", 0):
        return node[place]
    shape = node.write.integers(0, 0, channels)
    joined = node.write(nn.ReshapeOp, node[place], shape, special_zero=True)
    return node.write.transposed(joined, (0, 2, 1))


def _as_given(node: Node, value: SSAValue) -> SSAValue:
    """The inverse, with the channel dimensions of the first input."""
    if not node("channels_last", 0):
        return value
    shape = node.write.integers(0, 0, *shape_of(node[0])[2:])
    steps_first = node.write.transposed(value, (0, 2, 1))
    return node.write(nn.ReshapeOp, steps_first, shape, special_zero=True)
