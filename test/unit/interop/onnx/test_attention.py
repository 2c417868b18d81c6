"""Attention is one operation of ours where that says the same, else the function that ONNX defines it by."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from onnx import ModelProto, helper
from onnx.reference import ReferenceEvaluator

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import BOOL, FLOAT, Array, model, node, random

HEADS = {"q": (FLOAT, [1, 4, 3, 8]), "k": (FLOAT, [1, 2, 5, 8]), "v": (FLOAT, [1, 2, 5, 6])}
MASK = np.array([[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 1, 1, 0, 1]], bool)
FIRST_HIDDEN = np.where(MASK, random(3, 5), -np.inf).astype(np.float32)


def is_one_operation(proto: ModelProto, **given: Array) -> bool:
    """Checks the results. Whether there is one operation of ours."""
    feeds = {
        port.name: random(*(d.dim_value for d in port.type.tensor_type.shape.dim), seed=i)
        for i, port in enumerate(proto.graph.input)
    }
    feeds |= given
    read = read_model(proto)
    results = compile_model(read).create_infer_request().infer(feeds)
    for k, wanted in enumerate(cast(list[Array], ReferenceEvaluator(proto).run(None, feeds))):
        np.testing.assert_allclose(np.asarray(results[k]), wanted, 1e-5, 1e-5)
    return any(op.name == "nn.scaled_dot_product_attention" for op in read.module.walk())


@pytest.mark.parametrize(
    ("attributes", "mask"),
    [
        ({"is_causal": 1, "scale": 0.3}, None),
        ({}, MASK),
        ({"is_causal": 1}, FIRST_HIDDEN),
        ({"scale": 0.3}, MASK),
    ],
    ids=["causal", "nothing seen", "both", "scaled"],
)
def test_masks_and_shared_heads(attributes: dict[str, float], mask: Array | None):
    masks = {} if mask is None else {"mask": mask}
    types = {name: (BOOL if m.dtype == bool else FLOAT, m.shape) for name, m in masks.items()}
    names = " ".join(["q k v", *masks])
    proto = model([node("Attention", names, "y", **attributes)], HEADS | types, "y", opset=24)
    assert is_one_operation(proto, **masks)


def test_a_mask_of_an_unknown_number_of_queries():
    """Only a causal one needs to know it."""
    inputs = {**HEADS, "q": (FLOAT, [1, 4, "rows", 8]), "mask": (BOOL, ["rows", 5])}
    given = {"q": random(1, 4, 3, 8), "mask": MASK}
    for causal in (0, 1):
        nodes = [node("Attention", "q k v mask", "y", is_causal=causal)]
        assert is_one_operation(model(nodes, inputs, "y", opset=24), **given) is not bool(causal)


@pytest.mark.parametrize("causal", [0, 1])
def test_joined_heads_with_a_past(causal: int):
    """With a causal mask the first query sees all of the past."""
    inputs = {
        **{name: (FLOAT, [1, 2, 8]) for name in "qkv"},
        **{name: (FLOAT, [1, 2, 3, 4]) for name in ("past_k", "past_v")},
    }
    heads = {"q_num_heads": 2, "kv_num_heads": 2, "is_causal": causal}
    nodes = [node("Attention", "q k v - past_k past_v", "y present_k present_v", **heads)]
    proto = model(nodes, inputs, "y present_k present_v", opset=24)
    assert is_one_operation(proto) is not bool(causal)


@pytest.mark.parametrize(
    ("attributes", "opset"), [({"softcap": 0.5}, 24), ({"left_window_size": 1}, 25)]
)
def test_capped_scores_and_windows_are_the_function(attributes: dict[str, Any], opset: int):
    nodes = [helper.make_node("Attention", ["q", "k", "v"], ["y"], **attributes)]
    assert not is_one_operation(model(nodes, HEADS, "y", opset=opset))


@pytest.mark.parametrize("given", [(), ("score_mod",), ("score_mod", "prob_mod")])
def test_attention_whose_scores_are_changed(given: Sequence[str]):
    """FlexAttention is in a domain of its own; the function that defines it imports no other."""
    port = helper.make_tensor_value_info("s", FLOAT, None)
    own = helper.make_tensor_value_info("t", FLOAT, None)
    body = helper.make_graph([helper.make_node("Tanh", ["s"], ["t"])], "body", [port], [own])
    changes: Any = dict.fromkeys(given, body)
    each = node("FlexAttention", "q k v", "y", **changes)
    each.domain = "ai.onnx.preview"
    proto = model([each], HEADS, "y", opset=26)
    proto.opset_import.append(helper.make_opsetid(each.domain, 1))
    q, k, v = feeds = [random(*shape, seed=i) for i, (_, shape) in enumerate(HEADS.values())]
    k, v = (np.repeat(each, 2, 1) for each in (k, v))
    scores = q @ k.swapaxes(2, 3) / np.sqrt(8)
    scores = np.tanh(scores) if "score_mod" in given else scores
    shares = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    shares = np.tanh(shares) if "prob_mod" in given else shares
    np.testing.assert_allclose(compile_model(read_model(proto))(feeds)[0], shares @ v, 1e-4, 1e-5)
