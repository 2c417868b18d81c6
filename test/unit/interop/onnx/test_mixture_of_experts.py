"""Mixtures of experts give what ONNX Runtime gives, and refuse what is not covered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.dialects import infra
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    Array,
    check,
    model,
    node,
    random,
    runtime,
)

EXPERTS, HIDDEN, INNER = 4, 32, 48
FEEDS = {"x": random(6, HIDDEN, seed=8), "r": random(6, EXPERTS, seed=9)}


def mixture(type: str, inputs: str, constants: dict[str, Array], **attributes: Any) -> ModelProto:
    each = node(type, inputs, "y", **attributes)
    each.domain = "com.microsoft"
    ports = {"x": (FLOAT, ["rows", HIDDEN]), "r": (FLOAT, ["rows", EXPERTS])}
    proto = model([each], ports, "y", constants)
    proto.opset_import.append(helper.make_opsetid(each.domain, 1))
    return proto


def floats(width: int = 1) -> dict[str, Array]:
    shapes = {
        "a": (EXPERTS, width * INNER, HIDDEN),
        "p": (EXPERTS, width * INNER),
        "b": (EXPERTS, HIDDEN, INNER),
        "q": (EXPERTS, HIDDEN),
    }
    return {name: random(*shape, seed=i) / 4 for i, (name, shape) in enumerate(shapes.items())}


def codes(bits: int, block: int | None) -> dict[str, Array]:
    """Weights of which the first product has gates and values, scales and zero points of blocks or of whole rows."""
    draw, given = np.random.default_rng(bits), dict[str, Array]()
    for name, rows, depth in (("1", 2 * INNER, HIDDEN), ("2", HIDDEN, INNER)):
        count = depth // block if block else 1
        packed = (EXPERTS, rows, -(-count * bits // 8)) if block else (EXPERTS, rows * bits // 8)
        given["w" + name] = draw.integers(0, 256, (EXPERTS, rows, depth * bits // 8), np.uint8)
        scales = draw.random((EXPERTS, rows, count), np.float32) / 2 ** (bits + 2)
        given["s" + name] = scales if block else scales[..., 0]
        given["z" + name] = draw.integers(0, 256, packed, np.uint8)
    return given


GATED = {"activation_type": "swiglu", "swiglu_fusion": 1, "k": 2}
NAMES = "x r w1 s1 - w2 s2 - - - -"


@pytest.mark.parametrize(
    ("kind", "k", "normalize"),
    [("gelu", 2, 1), ("relu", 2, 0), ("silu", 1, 1), ("identity", 3, 0)],
)
def test_experts_of_rows(kind: str, k: int, normalize: int):
    attributes = {"activation_type": kind, "k": k, "normalize_routing_weights": normalize}
    check(mixture("MoE", "x r a p b q", floats(), **attributes), FEEDS)


def test_gates_and_values_that_take_turns():
    limits = {"activation_alpha": 1.7, "activation_beta": 1.0, "swiglu_limit": 0.5}
    proto = mixture("MoE", "x r a p b q", floats(2), **GATED, **limits)
    check(proto, FEEDS)


def test_values_behind_gates():
    """ONNX Runtime has these on GPUs alone: the rows in another order give the same."""
    turns, behind = floats(2), floats(2)
    for name in "ap":
        behind[name] = np.concatenate([turns[name][:, ::2], turns[name][:, 1::2]], 1)
    attributes = GATED | {"swiglu_fusion": 2}
    (wanted,) = runtime(mixture("MoE", "x r a p b q", turns, **GATED), FEEDS)
    read = read_model(mixture("MoE", "x r a p b q", behind, **attributes))
    np.testing.assert_allclose(compile_model(read)(FEEDS)["y"], wanted, 1e-5, 1e-5)


@pytest.mark.parametrize(("bits", "block"), [(4, None), (4, 16), (8, None)])
@pytest.mark.parametrize("has_points", [False, True])
def test_experts_whose_weights_are_codes(bits: int, block: int | None, has_points: bool):
    attributes = GATED | {"expert_weight_bits": bits} | ({"block_size": block} if block else {})
    names = f"{NAMES} z1 z2" if has_points else NAMES
    check(mixture("QMoE", names, codes(bits, block), **attributes), FEEDS, 1e-4)


def test_experts_without_rows_are_not_computed():
    """Weights that are no numbers do not matter for an expert that nothing is routed to."""
    weights, router = floats(), np.full((6, EXPERTS), -9, np.float32)
    router[:, 1] = 1
    weights["b"][[0, 2, 3]] = np.nan
    read = read_model(mixture("MoE", "x r a p b q", weights, k=1))
    assert sum(isinstance(op, infra.IfOp) for op in read.module.walk()) == EXPERTS
    assert np.isfinite(Executor(read.module).run([FEEDS["x"], router])[0]).all()


@pytest.mark.parametrize(
    ("type", "names", "attributes", "message"),
    [
        ("MoE", "x r a p b q a", {}, "fuse it into the first"),
        ("MoE", "x r a p b q", {"use_sparse_mixer": 1}, "export the model without it"),
        ("MoE", "x r a p b q", {"activation_type": "tanh"}, "use relu, gelu, silu"),
        ("MoE", "x r a p b q", {"activation_type": "swiglu"}, "do not fit rows of 32"),
        ("MoE", "x r x p b q", {}, "make them constants"),
        ("QMoE", NAMES, {"quant_type": "fp8"}, "quantize the weights to integers"),
        ("QMoE", NAMES, {"expert_weight_bits": 3}, "use 2, 4 or 8"),
        ("QMoE", f"{NAMES} - - - r", {}, "leave them out"),
    ],
)
def test_what_is_refused(type: str, names: str, attributes: dict[str, Any], message: str):
    constants = floats() if type == "MoE" else codes(4, None)
    with pytest.raises(DiagnosticException, match=f"{type} 'y': .*{message}"):
        read_model(mixture(type, names, constants, **attributes))
