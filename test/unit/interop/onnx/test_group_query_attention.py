"""Rotary positions and attention with a cache, as ONNX Runtime's language models have them, give what it gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    INT64,
    Array,
    check,
    node,
    random,
    runtime,
)
from lowstream.test.unit.interop.onnx.test_runtime_operators import of_runtime

I32 = 6
HEADS, SHARED, DEPTH = 4, 2, 16
ANGLES = random(12, DEPTH // 2, seed=9)
TABLES = {"c": np.cos(ANGLES), "s": np.sin(ANGLES)}


@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize(
    ("shape", "pairs", "flags"),
    [
        ((2, 3, 4 * 16), 8, {}),
        ((2, 3, 4 * 16), 6, {"num_heads": 4, "rotary_embedding_dim": 12}),
        ((2, 4, 3, 16), 8, {}),
    ],
)
def test_rotary_embedding(shape: tuple[int, ...], pairs: int, flags: Any, interleaved: int):
    positions = np.array([4] if interleaved else [[3, 1, 7], [0, 11, 2]], np.int64)
    each = node("RotaryEmbedding", "x p c s", "y", interleaved=interleaved, **flags)
    ports = {"x": (FLOAT, list(shape)), "p": (INT64, list(positions.shape))}
    tables = {name: table[:, :pairs] for name, table in TABLES.items()}
    proto = of_runtime(each, inputs=ports, outputs="y", constants=tables)
    check(proto, {"x": random(*shape), "p": positions})


def test_rotary_embedding_of_packed_sequences_is_refused():
    each = node("RotaryEmbedding", "x p c s", "y", is_packed_batching=1)
    ports = {"x": (FLOAT, [2, 3, 64]), "p": (INT64, [2, 3])}
    with pytest.raises(DiagnosticException, match="is_packed_batching is not supported"):
        read_model(of_runtime(each, inputs=ports, outputs="y", constants=TABLES))


def attention(
    rows: int,
    past: int,
    total: int,
    lengths: list[int],
    *,
    tables: str = "- -",
    more: str = "",
    packed: bool = False,
    **flags: Any,
) -> tuple[ModelProto, dict[str, Array]]:
    """A model with an input for each of `q k v`, the past and the lengths, and arrays for them."""
    batch, names = len(lengths), "q - -" if packed else "q k v"
    widths = {"q": HEADS * DEPTH, "k": SHARED * DEPTH, "v": SHARED * DEPTH}
    if packed:
        widths = {"q": sum(widths.values())}
    shapes: dict[str, list[int]] = {name: [batch, rows, n] for name, n in widths.items()}
    if past:
        shapes |= {name: [batch, SHARED, past, DEPTH] for name in ("kp", "vp")}
    if "b" in more:
        shapes["b"] = [1, HEADS, rows, total]
    names += f" {'kp vp' if past else '- -'} l t {tables} {more}"
    each = node(
        "GroupQueryAttention", names, "y p r", num_heads=HEADS, kv_num_heads=SHARED, **flags
    )
    ports: dict[str, tuple[int, list[int]]] = {
        name: (FLOAT, shape) for name, shape in shapes.items()
    }
    ports["l"] = (I32, [batch])
    feeds = {name: random(*shape, seed=n) for n, (name, shape) in enumerate(shapes.items())}
    feeds["l"] = np.array(lengths, np.int32) - 1
    constants = {"t": np.array(total, np.int32), "h": random(HEADS, seed=5), **TABLES}
    if "i" in more.split():
        ports["i"], feeds["i"] = (
            (INT64, [batch, rows]),
            np.array([[2 * n] for n in lengths], np.int64),
        )
    return of_runtime(each, inputs=ports, outputs="y p r", constants=constants), feeds


STEP, CHUNK = {"rows": 1, "past": 4}, {"rows": 3, "past": 4}


@pytest.mark.parametrize(
    "case",
    [
        {"rows": 4, "past": 0, "total": 4, "lengths": [4, 2, 3]},
        {"rows": 4, "past": 6, "total": 4, "lengths": [4, 2], "more": "- b", "scale": 0.3},
        {**STEP, "total": 5, "lengths": [5, 2, 4], "packed": True},
        {**STEP, "total": 3, "lengths": [1, 3], "local_window_size": 2},
        {**STEP, "total": 5, "lengths": [5, 3], "more": "- b h", "softcap": 1.5},
        {**STEP, "total": 5, "lengths": [5, 3], "more": "- - h"},
        {**STEP, "total": 5, "lengths": [5, 3], "more": "- - h", "smooth_softmax": 1},
        {**CHUNK, "total": 7, "lengths": [7], "smooth_softmax": 1, "local_window_size": 3},
        {**CHUNK, "total": 7, "lengths": [7], "causal": 0},
        {**STEP, "total": 5, "lengths": [5, 2], "do_rotary": 1, "tables": "c s"},
        {**STEP, "total": 5, "lengths": [5, 2], "do_rotary": 1, "tables": "c s", "more": "i"},
        {
            **CHUNK,
            "total": 7,
            "lengths": [7],
            "do_rotary": 1,
            "tables": "c s",
            "rotary_interleaved": 1,
        },
    ],
    ids=str,
)
def test_attention_with_a_cache(case: dict[str, Any]):
    check(*attention(**case))


def test_sizes_of_a_cache_follow_the_shapes_of_inputs():
    """The length of the longest sequence is that of a mask, the past grows from call to call."""
    proto, feeds = attention(1, 4, 5, [5, 3])
    del proto.graph.initializer[0]
    feeds["m"] = np.ones((2, 5), np.int64)
    proto.graph.node.insert(0, node("Shape", "m", "t64", start=1, end=2))
    proto.graph.node.insert(1, node("Cast", "t64", "t", to=I32))
    proto.graph.input.append(helper.make_tensor_value_info("m", INT64, [2, 5]))
    unknown = {"kp": [0, 2], "vp": [0, 2], "l": [0]}
    for port in proto.graph.input:
        for axis in unknown.get(port.name, [0, 1]):
            port.type.tensor_type.shape.dim[axis].dim_param = f"{port.name}{axis}"
    given = read_model(proto)
    given.reshape({name: list(array.shape) for name, array in feeds.items()})
    results = compile_model(given).create_infer_request().infer(feeds)
    for k, wanted in enumerate(runtime(proto, feeds)):
        np.testing.assert_allclose(results[k], wanted, 1e-5, 1e-5)


@pytest.mark.parametrize("kind", ["PER_TENSOR", "PER_CHANNEL"])
@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize(("rows", "lengths"), [(1, [3, 5]), (3, [5])])
def test_a_cache_of_codes(bits: int, kind: str, rows: int, lengths: list[int]):
    """New rows are quantized, too: some are beyond the largest code."""
    flags = {"k_quant_type": kind, "v_quant_type": kind, "kv_cache_bit_width": bits}
    proto, feeds = attention(rows, 6, 5, lengths, more="- - - ks vs", **flags)
    shape = (1, SHARED, 1, DEPTH) if kind == "PER_CHANNEL" else (1,)
    scales = np.linspace(0.01, 0.02, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    for name, factor in (("ks", 1), ("vs", 10)):
        proto.graph.initializer.append(numpy_helper.from_array(scales * np.float32(factor), name))
    draw, element, width = np.random.default_rng(bits), TensorProto.INT8, DEPTH
    if bits == 4:
        element, width = TensorProto.UINT8, DEPTH // 2
    for port in proto.graph.input:
        if port.name in ("kp", "vp"):
            port.type.tensor_type.elem_type = element
            port.type.tensor_type.shape.dim[3].dim_value = width
            type = np.int8 if bits == 8 else np.uint8
            limits = np.iinfo(type)
            shape = (len(lengths), SHARED, 6, width)
            codes = draw.integers(limits.min, limits.max + 1, shape)
            feeds[port.name] = codes.astype(type)
    check(proto, feeds)


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ({"more": "- - - - - h"}, "q_norm_weight and k_norm_weight go together"),
        (
            {"sliding_window_cache": 1, "local_window_size": 2},
            "sliding_window_cache is not supported",
        ),
        ({"more": "- - - h h"}, "k_quant_type is 'NONE' and k_scale is given"),
        ({"v_quant_type": "PER_TENSOR"}, "v_quant_type is 'PER_TENSOR' and v_scale is left out"),
        (
            {"more": "- - - h", "k_quant_type": "PER_TENSOR"},
            "a cache of f32 with kv_cache_bit_width 8 is not supported; use 8 bits in INT8",
        ),
    ],
)
def test_what_a_cache_cannot_be(flags: dict[str, Any], problem: str):
    proto, _ = attention(1, 4, 5, [5], **flags)
    with pytest.raises(DiagnosticException, match=problem):
        read_model(proto)
