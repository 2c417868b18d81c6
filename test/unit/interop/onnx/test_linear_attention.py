"""Linear attention, its gates and its causal convolution give what ONNX Runtime gives, in one call or step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model, run_passes
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    Array,
    check,
    model,
    node,
    random,
    runtime,
)

BATCH, STEPS, KEY, VALUE = 2, 5, 4, 3
HALF = 10


def of_runtime(
    each: Any, feeds: dict[str, Array], outputs: str, unknown: tuple[int, ...] = (), **given: Any
):
    """A model of one node of the domain; the dimensions `unknown` of inputs have names."""
    each.domain = "com.microsoft"
    kinds = {np.dtype(np.float32): FLOAT, np.dtype(np.float16): HALF}
    inputs = {
        name: (
            kinds[value.dtype],
            [f"n{k}" if k in unknown else size for k, size in enumerate(value.shape)],
        )
        for name, value in feeds.items()
    }
    proto = model([each], inputs, outputs, **given)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return proto


def attended(heads: int, keys: int, values: int, steps: int = STEPS) -> dict[str, Array]:
    """Inputs of a rule with all of them."""
    widths = {"q": heads * KEY, "k": keys * KEY, "v": values * VALUE, "d": values, "b": values}
    feeds = {
        name: random(BATCH, steps, width, seed=seed)
        for seed, (name, width) in enumerate(widths.items())
    }
    feeds["k"] /= 2
    feeds["d"] = -np.abs(feeds["d"])
    feeds["b"] = 1 / (1 + np.exp(-feeds["b"]))
    return feeds | {"s": random(BATCH, values, KEY, VALUE, seed=9)}


def layer(inputs: str, feeds: dict[str, Array], rule: str, heads: tuple[int, int], **given: Any):
    unknown = given.pop("unknown", ())
    each = node(
        "LinearAttention", inputs, "y t", q_num_heads=heads[0], kv_num_heads=heads[1], update_rule=rule, **given
    )  # fmt: skip
    return of_runtime(each, feeds, "y t", unknown)


def read(inputs: str, feeds: dict[str, Array]) -> dict[str, Array]:
    return {name: feeds[name] for name in inputs.split() if name != "-"}


@pytest.mark.parametrize(
    ("rule", "inputs"),
    [
        ("linear", "q k v s"),
        ("linear", "q k v"),
        ("gated", "q k v s d"),
        ("delta", "q k v - - b"),
        ("gated_delta", "q k v s d b"),
    ],
)
def test_rules(rule: str, inputs: str):
    feeds = read(inputs, attended(2, 2, 2))
    check(layer(inputs, feeds, rule, (2, 2)), feeds)
    check(layer(inputs, feeds, rule, (2, 2), unknown=(0, 1)), feeds)


@pytest.mark.parametrize("heads", [(4, 2, 2), (2, 2, 4), (2, 4, 4), (4, 1, 1)])
def test_heads_may_share_queries_or_keys(heads: tuple[int, int, int]):
    feeds = attended(*heads)
    proto = layer("q k v s d b", feeds, "gated_delta", (heads[0], heads[2]), scale=0.3)
    check(proto, feeds)


def test_decays_may_be_of_each_key_and_rates_of_all_heads():
    feeds = attended(2, 2, 2)
    feeds["d"] = -np.abs(random(BATCH, STEPS, 2 * KEY, seed=7))
    feeds["b"] = feeds["b"][..., :1]
    check(layer("q k v s d b", feeds, "gated_delta", (2, 2)), feeds)


def test_a_state_goes_on_in_the_next_call():
    feeds = attended(2, 2, 2)
    (whole, last), state = (
        runtime(layer("q k v s d b", feeds, "gated_delta", (2, 2)), feeds),
        feeds["s"],
    )
    parts: list[Array] = []
    first = {name: value if name == "s" else value[:, :1] for name, value in feeds.items()}
    compiled = compile_model(read_model(layer("q k v s d b", first, "gated_delta", (2, 2))))
    for step in range(STEPS):
        now = {k: state if k == "s" else v[:, step : step + 1] for k, v in feeds.items()}
        part, state = (np.array(each) for each in compiled(now).values())
        parts.append(part)
    np.testing.assert_allclose(np.concatenate(parts, 1), whole, 1e-5, 1e-5)
    np.testing.assert_allclose(state, last, 1e-5, 1e-5)


def test_low_latency2_keeps_the_state():
    feeds = read("q k v - d b", attended(2, 2, 2))
    proto = layer("q k v - d b", feeds, "gated_delta", (2, 2))
    whole = runtime(proto, feeds)[0]
    part = read_model(
        layer("q k v - d b", {k: v[:, :1] for k, v in feeds.items()}, "gated_delta", (2, 2))
    )
    run_passes(part, "low-latency2")
    request = compile_model(part).create_infer_request()
    given = [
        np.array(request.infer({k: v[:, step : step + 1] for k, v in feeds.items()})[0])
        for step in range(STEPS)
    ]
    np.testing.assert_allclose(np.concatenate(given, 1), whole, 1e-5, 1e-5)


@pytest.mark.parametrize("inputs", ["a t c b", "a t c"])
def test_gates(inputs: str):
    feeds = read(
        inputs,
        {
            "a": 9 * random(2, 3, 4),
            "b": random(2, 3, 4, seed=1),
            "t": random(4),
            "c": -np.abs(random(4)),
        },
    )
    outputs = "y z" if "b" in feeds else "y"
    check(of_runtime(node("LinearAttentionGate", inputs, outputs), feeds, outputs), feeds)


@pytest.mark.parametrize("activation", ["silu", "swish", "sigmoid"])
@pytest.mark.parametrize("type", [np.float32, np.float16])
def test_gated_normalization(activation: str, type: Any):
    feeds = {
        "x": random(2, 3, 8).astype(type),
        "w": random(4).astype(type),
        "g": random(2, 3, 8, seed=2).astype(type),
    }
    each = node("GatedRMSNorm", "x w g", "y", activation=activation, epsilon=0.1)
    check(of_runtime(each, feeds, "y"), feeds, 1e-5 if type is np.float32 else 1e-3)


@pytest.mark.parametrize("inputs", ["x w b p", "x w", "x w - p"])
@pytest.mark.parametrize("options", [{}, {"activation": "silu"}, {"dilation": 2}], ids=str)
@pytest.mark.parametrize("unknown", [(), (0, 2)], ids=["known", "unknown"])
def test_causal_convolutions(inputs: str, options: dict[str, Any], unknown: tuple[int, ...]):
    length = 3 * options.get("dilation", 1)
    weights = {"w": random(6, 1, 4, seed=1), "b": random(6, seed=2)}
    feeds = read(inputs, {"x": random(2, 6, 5), "p": random(2, 6, length, seed=3)} | weights)
    constants = {name: feeds.pop(name) for name in ("w", "b") if name in feeds}
    proto = of_runtime(
        node("CausalConvWithState", inputs, "y t", **options), feeds, "y t", unknown, constants=constants
    )  # fmt: skip
    check(proto, feeds)


def test_causal_convolutions_with_channels_last():
    feeds = {"x": random(2, 5, 3, 2), "p": random(2, 3, 3, 2, seed=3)}
    constants = {"w": random(6, 1, 4, seed=1)}
    each = node("CausalConvWithState", "x w - p", "y t", channels_last=1)
    check(of_runtime(each, feeds, "y t", constants=constants), feeds)


@pytest.mark.parametrize(
    ("each", "reason"),
    [
        (node("CausalConvWithState", "x w", "y t", ndim=2), "ndim must be 1"),
        (node("CausalConvWithState", "x w", "y t", state_window=2), "state_window is not supported"),
        (node("CausalConvWithState", "x one", "y t"), "1 taps have no state"),
        (
            node("LinearAttention", "x x x - x", "y t", q_num_heads=4, kv_num_heads=4, update_rule="gated_delta"),
            "rule 'gated_delta' needs input 5",
        ),
        (node("LinearAttention", "x x x", "y t", q_num_heads=3, kv_num_heads=3), "are not known to be those of 3"),
        (node("LinearAttention", "x x x", "y", q_num_heads=1, kv_num_heads=1, update_rule="no"), "update_rule is 'no'"),
    ],
)  # fmt: skip
def test_refusals(each: Any, reason: str):
    constants = {"w": random(6, 1, 4), "one": random(6, 1, 1)}
    proto = of_runtime(each, {"x": random(2, 6, 4)}, "y", constants=constants)
    with pytest.raises(DiagnosticException, match=reason):
        read_model(proto)
