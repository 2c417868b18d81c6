"""Scores of ONNX Runtime's attention as outputs, and attention of one new token, as it computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, Array, check, node, random, runtime
from lowstream.test.unit.interop.onnx.test_runtime_rest import put


def typed(
    each: Any, given: dict[str, Array], constants: dict[str, Array] | None = None
) -> ModelProto:
    """A model whose outputs are floats: ONNX Runtime infers no type of scores. `-` is an output that is left out."""
    outputs = ["" if name == "-" else name for name in each.output]
    del each.output[:]
    each.output.extend(outputs)
    proto = put(each, given, constants, outputs=" ".join(filter(None, outputs)))
    for port in proto.graph.output:
        port.CopyFrom(helper.make_tensor_value_info(port.name, FLOAT, None))
    return proto


@pytest.mark.parametrize("masked", [False, True])
def test_scores_of_several_heads(masked: bool):
    given = {"q": random(2, 2, 8), "k": random(2, 3, 8, seed=1), "v": random(2, 3, 8, seed=2)}
    given |= {"m": np.array([[1, 1, 0], [1, 1, 1]], np.int32)} if masked else {}
    inputs = "q k v - m" if masked else "q k v"
    check(typed(node("MultiHeadAttention", inputs, "y - - s", num_heads=2), given), given)


@pytest.mark.parametrize(
    ("kind", "flags", "bias"),
    [
        (1, {}, False),
        (2, {"smooth_softmax": 1}, False),
        (1, {"softcap": 0.5, "local_window_size": 2}, True),
        (2, {"softcap": 0.5}, False),
    ],
)
def test_scores_of_shared_keys(kind: int, flags: Any, bias: bool):
    """ONNX Runtime leaves those of padding as its memory was."""
    inputs = "q k v - - n t" + " - - - b" * bias
    each = node(
        *("GroupQueryAttention", inputs, "y - - s"),
        **{"num_heads": 2, "kv_num_heads": 1, "qk_output": kind, **flags},
    )
    given = {"q": random(2, 3, 16), "k": random(2, 3, 8, seed=1), "v": random(2, 3, 8, seed=2)}
    given |= {"n": np.array([2, 2], np.int32)} | ({"b": random(2, 2, 3, 3)} if bias else {})
    check(typed(each, given, {"t": np.array(3, np.int32)}), given)


def test_queries_and_keys_that_are_normalized():
    """ONNX Runtime has no kernel of it for CPUs: it is the same of normalized ones."""
    draw = {name: random(2, 3, n, seed=n) for name, n in (("q", 16), ("k", 8), ("v", 8))}
    lengths = {"n": np.array([2, 2], np.int32), "t": np.array(3, np.int32)}
    weights = {"a": random(8, seed=3), "b": random(8, seed=4)}
    flags = {"num_heads": 2, "kv_num_heads": 1, "qk_norm_epsilon": 0.1}
    inputs = "q k v - - n t - - - - - - - a b"
    proto = put(node("GroupQueryAttention", inputs, "y", **flags), draw, lengths | weights)
    (found,) = compile_model(read_model(proto))(draw).values()
    normal = dict(draw)
    for name, scale in (("q", weights["a"]), ("k", weights["b"])):
        heads = draw[name].reshape(2, 3, -1, 8)
        heads = heads / np.sqrt((heads**2).mean(-1, keepdims=True) + 0.1) * scale
        normal[name] = heads.reshape(draw[name].shape)
    del flags["qk_norm_epsilon"]
    alone = put(node("GroupQueryAttention", "q k v - - n t", "y", **flags), normal, lengths)
    np.testing.assert_allclose(found, runtime(alone, normal)[0], 1e-5, 1e-5)


TOKEN = {name: random(4, 1, 8, seed=n) for n, name in enumerate("qkv")}
PAST = {name: random(4, 2, 3, 4, seed=n) for n, name in enumerate(("pk", "pv"), 3)}
LENGTH = {"n": np.array([2], np.int32)}
BEAMS = {
    "w": np.array([2], np.int32),
    "c": np.array([[[0, 1, 0], [1, 0, 0]], [[1, 1, 0], [0, 0, 0]]], np.int32),
}
MASK = {"m": np.array([[1, 0, 1]] + [[1, 1, 1]] * 3, np.int32)}


@pytest.mark.parametrize(
    ("inputs", "more"),
    [
        ("q k v - - pk pv n", {}),
        ("q k v m - pk pv n - - b", MASK | {"b": random(24)}),
        ("q k v - - pk pv n w c", BEAMS),
        ("q k v - a pk pv n", {"a": random(1, 2, 1, 3, seed=7)}),
    ],
)
def test_a_new_token_in_buffers(inputs: str, more: dict[str, Array]):
    flags = {"num_heads": 2, "past_present_share_buffer": 1, "scale": 0.4}
    each = node("DecoderMaskedMultiHeadAttention", inputs, "y a z", **flags)
    each.output[:] = ["y", "p", "r"]
    given = TOKEN | PAST | LENGTH | more
    check(typed(each, given), given)


@pytest.mark.parametrize("packed", [False, True])
def test_a_new_token_behind_its_past(packed: bool):
    """ONNX Runtime has that for GPUs alone: it is MultiHeadAttention with a past."""
    wide = np.concatenate([TOKEN[name] for name in "qkv"], 2)
    given = ({"x": wide} if packed else TOKEN) | PAST
    inputs = "x - - - - pk pv" if packed else "q k v - - pk pv"
    each = node("DecoderMaskedMultiHeadAttention", inputs, "y p r", num_heads=2)
    found = compile_model(read_model(put(each, given, outputs="y p r")))(given).values()
    alone = node("MultiHeadAttention", "q k v - - - pk pv", "y p r", num_heads=2)
    wanted = runtime(put(alone, TOKEN | PAST, outputs="y p r"), TOKEN | PAST)
    for have, want in zip(found, wanted, strict=True):
        np.testing.assert_allclose(have, want, 1e-5, 1e-5)


def test_a_new_token_sees_what_was_encoded():
    given = {"q": TOKEN["q"], "k": random(4, 2, 5, 4), "v": random(4, 2, 5, 4, seed=9)}
    given |= {"m": np.array([[1, 0, 1, 1, 1]] + [[1] * 5] * 3, np.int32)}
    flags = {"num_heads": 2, "output_qk": 1}
    each = node("DecoderMaskedMultiHeadAttention", "q k v m", "y - - s", **flags)
    check(typed(each, given), given)


@pytest.mark.parametrize(
    ("each", "what"),
    [
        (
            node("DecoderMaskedMultiHeadAttention", "q k v - - pk pv - w c", "y", num_heads=2),
            r"cache_indirection \[2, 2, 3\] is supported with buffers",
        ),
        (
            node("DecoderMaskedMultiHeadAttention", "q k v - - pk pv - - - w", "y", num_heads=2),
            r"a bias \[1\] does not fit 24 columns",
        ),
        (
            node("MultiHeadAttention", "q k v - - - - - w", "y", num_heads=2),
            "buffers of a past are",
        ),
    ],
)
def test_refused(each: Any, what: str):
    given = {n: a for n, a in (TOKEN | PAST | BEAMS).items() if n in each.input}
    with pytest.raises(DiagnosticException, match=what):
        read_model(put(each, given))
