"""Operators of ONNX Runtime's own domain give what it gives; codes may be one apart where ties are rounded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, precision_report, read_model
from lowstream.test.unit.interop.narrow_weights import narrow_weights
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    Array,
    check,
    model,
    node,
    random,
    runtime,
)

DRAW = np.random.default_rng(3)
U8, I8, I32 = 2, 3, 6
STEP = {"s": np.array(0.04, np.float32), "z": np.array(9, np.uint8)}


def of_runtime(*nodes: Any, **given: Any) -> ModelProto:
    """A model whose nodes are of the domain, but for those whose domain is said."""
    for each in nodes:
        each.domain = each.domain or "com.microsoft"
    proto = model(nodes, **given)
    proto.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return proto


def codes(*shape: int, type: Any = np.uint8) -> Array:
    limits = np.iinfo(type)
    return DRAW.integers(limits.min, limits.max + 1, shape).astype(type)


def weights(*shape: int) -> Array:
    return narrow_weights(DRAW, *shape)


VECTORS = {"v": random(8, seed=1), "w": random(8, seed=2), "u": random(8, seed=3)}


@pytest.mark.parametrize(
    "each",
    [
        node("Gelu", "x", "y"),
        node("BiasGelu", "x v", "y"),
        node("FastGelu", "x v", "y"),
        node("FastGelu", "x", "y"),
        node("QuickGelu", "x", "y", alpha=1.2),
        node("SkipLayerNormalization", "x k v w u", "y a a t", epsilon=0.1),
        node("SkipSimplifiedLayerNormalization", "x k v", "y", epsilon=1e-5),
    ],
    ids=lambda each: f"{each.op_type}{len(each.input)}",
)
def test_activations_and_normalizations(each: Any):
    outputs = " ".join(name for name in each.output if name != "a")
    del each.output[1:]
    each.output.extend(["", "", "t"] if "t" in outputs.split() else [])
    ports = {name: (FLOAT, [2, 3, 8]) for name in ("x", "k") if name in each.input}
    proto = of_runtime(each, inputs=ports, outputs=outputs, constants=VECTORS)
    check(proto, {name: random(2, 3, 8, seed=n) for n, name in enumerate(ports)})


def test_simplified_layer_normalization_is_in_the_domain_of_onnx():
    each = node("SimplifiedLayerNormalization", "x v", "y", axis=-1, epsilon=1e-3)
    proto = model([each], {"x": (FLOAT, ["n", 8])}, "y", VECTORS)
    check(proto, {"x": random(3, 8)})


@pytest.mark.parametrize("opset", [11, 17])
def test_layer_normalization_of_an_older_opset(opset: int):
    """ONNX has it since opset 17; ONNX Runtime's optimizer writes it into models of any."""
    each = node("LayerNormalization", "x v w", "y", axis=-1, epsilon=0.1)
    check(model([each], {"x": (FLOAT, ["n", 8])}, "y", VECTORS, opset), {"x": random(3, 8)})


@pytest.mark.parametrize(
    ("element", "type", "error"), [(10, np.float16, 1e-3), (11, np.float64, 1e-12)]
)
def test_statistics_of_narrow_and_of_wide_numbers(element: int, type: Any, error: float):
    """The squares of f16 overflow in f16; those of f64 are not rounded to f32."""
    each = node("SimplifiedLayerNormalization", "x v", "y", epsilon=1e-12)
    proto = model([each], {"x": (element, [1, 2])}, "y", {"v": np.ones(2, type)})
    x = np.array([[300, 900]], type)
    found = compile_model(read_model(proto)).create_infer_request().infer({"x": x})[0]
    np.testing.assert_allclose(found, [[0.2**0.5, 3 * 0.2**0.5]], error)


def test_results_of_training_are_refused():
    each = node("SkipLayerNormalization", "x k v w", "y m")
    proto = of_runtime(
        each, inputs=dict.fromkeys("xk", (FLOAT, [2, 3, 8])), outputs="y m", constants=VECTORS
    )
    with pytest.raises(DiagnosticException, match="mean and deviation are results of training"):
        read_model(proto)


@pytest.mark.parametrize("segments", ["s", "-"])
@pytest.mark.parametrize("has_mask", [False, True])
def test_embeddings(segments: str, has_mask: bool):
    tables = {"a": random(9, 8), "p": random(6, 8, seed=1), "g": random(2, 8, seed=2)}
    each = node("EmbedLayerNormalization", f"i {segments} a p g v w{' m' * has_mask}", "y n")
    given = [name for name in ("i", "s", "m") if name in each.input]
    ports = dict.fromkeys(given, (I32, [2, 5]))
    proto = of_runtime(each, inputs=ports, outputs="y n", constants=VECTORS | tables)
    feeds = {name: DRAW.integers(0, 2, (2, 5)).astype(np.int32) for name in ports}
    check(proto, feeds)


@pytest.mark.parametrize(
    ("flags", "a", "b"),
    [
        ({"transA": 1, "alpha": 0.5}, (2, 5, 3), (2, 5, 4)),
        ({"transB": 1}, (2, 3, 5), (4, 5)),
        ({"transBatchA": 1}, (3, 2, 5), (2, 5, 4)),
    ],
)
def test_fused_products(flags: dict[str, Any], a: tuple[int, ...], b: tuple[int, ...]):
    ports = {"a": (FLOAT, a), "b": (FLOAT, b)}
    proto = of_runtime(node("FusedMatMul", "a b", "y", **flags), inputs=ports, outputs="y")
    check(proto, {"a": random(*a), "b": random(*b, seed=1)})


@pytest.mark.parametrize(
    ("activation", "params"),
    [
        ("Relu", []),
        ("Sigmoid", []),
        ("Tanh", []),
        ("LeakyRelu", [0.1]),
        ("Clip", [-0.5, 1.0]),
        ("HardSigmoid", [0.3, 0.4]),
        ("HardSwish", []),
    ],
)
def test_fused_convolutions(activation: str, params: list[float]):
    given = {"activation_params": params} if params else {}
    each = node("FusedConv", "x f b r", "y", activation=activation, **given)
    constants = {"f": random(4, 3, 3, 3), "b": random(4)}
    ports = {"x": (FLOAT, [1, 3, 5, 5]), "r": (FLOAT, [1, 4, 3, 3])}
    proto = of_runtime(each, inputs=ports, outputs="y", constants=constants)
    check(proto, {"x": random(1, 3, 5, 5), "r": random(1, 4, 3, 3)})


@pytest.mark.parametrize(
    ("activation", "params"),
    [
        ("LeakyRelu", {"activation_alpha": 0.2, "alpha": 0.5}),
        ("Elu", {"activation_alpha": 0.4}),
        ("Selu", {"activation_alpha": 1.2, "activation_gamma": 0.7}),
        ("Softplus", {}),
        ("Softsign", {}),
        ("ThresholdedRelu", {"activation_alpha": 0.3}),
        ("ScaledTanh", {"activation_alpha": 0.3, "activation_beta": 0.5}),
        ("ParametricSoftplus", {"activation_alpha": 0.3, "activation_beta": 0.5}),
    ],
)
def test_fused_gemm(activation: str, params: dict[str, float]):
    each = node("FusedGemm", "x f b", "y", activation=activation, **params)
    constants = {"f": random(4, 5), "b": random(5)}
    proto = of_runtime(each, inputs={"x": (FLOAT, [3, 4])}, outputs="y", constants=constants)
    check(proto, {"x": random(3, 4)})


@pytest.mark.parametrize("mask", ["none", "lengths", "keys", "pairs", "added"])
@pytest.mark.parametrize("causal", [0, 1])
def test_attention(mask: str, causal: int):
    given = {
        "none": ({}, ""),
        "lengths": ({"m": np.array([4, 2], np.int32)}, "m"),
        "keys": ({"m": np.array([[1, 1, 0, 1], [1, 1, 1, 0]], np.int32)}, "m"),
        "pairs": (
            {"m": (DRAW.integers(0, 2, (2, 4, 4)) | np.eye(4, dtype=int)).astype(np.int32)},
            "m",
        ),
        "added": ({"m": random(2, 2, 4, 4)}, "- - m"),
    }
    arrays, inputs = given[mask]
    each = node("Attention", f"x w b {inputs}", "y", num_heads=2, unidirectional=causal)
    constants = {"w": random(6, 24), "b": random(24)}
    ports: dict[str, tuple[int, list[int]]] = {"x": (FLOAT, [2, 4, 6])}
    if arrays:
        ports["m"] = (FLOAT if mask == "added" else I32, list(arrays["m"].shape))
    proto = of_runtime(each, inputs=ports, outputs="y", constants=constants)
    check(proto, {"x": random(2, 4, 6), **arrays})


def test_attention_in_f16_of_a_model_that_hides_keys_with_the_least_f32():
    """What the optimizer leaves in such a model when it converts it to f16: the number is none of f16."""
    least = float(np.finfo(np.float32).min)
    each = node("Attention", "x w b m", "y", num_heads=2, mask_filter_value=least)
    constants = {"w": random(6, 24).astype(np.float16), "b": random(24).astype(np.float16)}
    ports = {"x": (10, [2, 4, 6]), "m": (I32, [2, 4])}
    proto = of_runtime(each, inputs=ports, outputs="y", constants=constants)
    mask = np.array([[1, 1, 0, 1], [1, 0, 0, 0]], np.int32)
    check(proto, {"x": random(2, 4, 6).astype(np.float16), "m": mask}, 5e-3)


@pytest.mark.parametrize("type", ["Attention", "MultiHeadAttention"])
def test_masks_of_several_numbers_for_each_sequence(type: str):
    """Where keys end and begin, as of texts that are padded on the left; lengths, and where texts lie side by side."""
    if type == "Attention":
        mask, inputs = [4, 3, 0, 2], "x w b m"
        ports: dict[str, Any] = {"x": (FLOAT, [2, 4, 6])}
    else:
        mask, inputs = [3, 2, 0, 4, 8, 0, 4, 8], "x x x - m"
        ports = {"x": (FLOAT, [2, 4, 8])}
    each = node(type, inputs, "y", num_heads=2)
    constants = {"w": random(6, 24), "b": random(24)} if type == "Attention" else {}
    proto = of_runtime(
        each, inputs=ports | {"m": (I32, [len(mask)])}, outputs="y", constants=constants
    )
    check(proto, {"x": random(*ports["x"][1]), "m": np.array(mask, np.int32)})


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("has_past", [False, True])
def test_attention_of_queries_keys_and_values(has_past: bool, causal: int):
    keys, width = (5, 8) if has_past else (3, 6)
    inputs = "q k v b m a" + " s t" * has_past
    flags = {"num_heads": 2, "scale": 0.4, "unidirectional": causal}
    each = node("MultiHeadAttention", inputs, "y p r", **flags)
    ports = {"q": (FLOAT, [2, 4, 8]), "k": (FLOAT, [2, 3, 8]), "v": (FLOAT, [2, 3, width])}
    ports |= {"m": (I32, [2, keys]), "a": (FLOAT, [1, 2, 4, keys])}
    if has_past:
        ports |= {"s": (FLOAT, [2, 2, 2, 4]), "t": (FLOAT, [2, 2, 2, 4])}
    feeds = {name: random(*shape) for name, (_, shape) in ports.items()}
    feeds["m"] = np.array([[1, 0, 1, 1, 0][:keys], [1, 1, 0, 1, 1][:keys]], np.int32)
    proto = of_runtime(each, inputs=ports, outputs="y p r", constants={"b": random(16 + width)})
    check(proto, feeds)


# --- codes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("each", "shape"),
    [
        (node("QLinearAdd", "x s z c s z s z", "y"), (2, 3, 4)),
        (node("QLinearMul", "x s z c s z s z", "y"), (2, 3, 4)),
        (node("QLinearSigmoid", "x s z s z", "y"), (2, 3, 4)),
        (node("QLinearLeakyRelu", "x s z s z", "y", alpha=0.6), (2, 3, 4)),
        (node("QLinearSoftmax", "x s z s z", "y", axis=1, opset=13), (2, 3, 4)),
        (node("QLinearSoftmax", "x s z s z", "y", axis=1, opset=11), (2, 3, 4)),
        (node("QLinearConcat", "s z x s z c s z", "y", axis=0), (2, 4)),
        (
            node("QLinearAveragePool", "x s z s z", "y", kernel_shape=[3, 3], pads=[1] * 4),
            (1, 2, 4, 4),
        ),
        (
            node(
                "QLinearAveragePool",
                "x s z s z",
                "y",
                kernel_shape=[3, 3],
                strides=[2, 2],
                pads=[0, 1, 1, 0],
                ceil_mode=1,
                count_include_pad=1,
            ),
            (1, 2, 6, 5),
        ),
        (node("QLinearGlobalAveragePool", "x s z s z", "y", channels_last=0), (1, 2, 4, 4)),
        (node("QLinearGlobalAveragePool", "x s z s z", "y", channels_last=1), (1, 4, 4, 2)),
        (node("QLinearWhere", "m x s z c s z s z", "y"), (2, 3, 4)),
        (node("QGemm", "x s z w ws wz b s z", "y", transB=1), (3, 5)),
        (node("QGemm", "x s z w ws wz b s z", "y", transA=1, transB=1, alpha=0.5), (5, 3)),
        (node("QGemm", "x s z w ws wz b", "y", transB=1), (3, 5)),
        (node("DequantizeLinear", "x s z", "y"), (2, 3)),
    ],
    ids=lambda each: getattr(each, "op_type", ""),
)
def test_operators_on_codes(each: Any, shape: tuple[int, ...]):
    constants = {
        **STEP,
        "c": codes(1, 4),
        "m": np.array([True, False, False, True]),
        "w": weights(4, 5),
        "ws": np.array([0.01, 0.02, 0.03, 0.04], np.float32),
        "wz": np.array([1, -2, 3, 0], np.int8),
        "b": codes(4, type=np.int32) // (1 << 21),
    }
    proto = of_runtime(each, inputs={"x": (U8, shape)}, outputs="y", constants=constants)
    feeds = {"x": codes(*shape)}
    (wanted,) = runtime(proto, feeds)
    given = compile_model(read_model(proto)).create_infer_request().infer(feeds)[0]
    assert (given.dtype, given.shape) == (wanted.dtype, wanted.shape)
    apart = np.abs(given.astype(np.float64) - wanted)
    assert apart.max() <= (1 if wanted.dtype == np.uint8 else 1e-4), (given, wanted)


def test_means_of_codes():
    """ONNX Runtime has the operator's schema, and no implementation."""
    each = node("QLinearReduceMean", "x s z t z", "y", axes=[-1], keepdims=0)
    constants = {**STEP, "t": np.array(0.02, np.float32)}
    proto = of_runtime(each, inputs={"x": (U8, [3, 4])}, outputs="y", constants=constants)
    x = np.array([[9, 10, 11, 12], [9, 9, 9, 9], [255, 255, 255, 255]], np.uint8)
    found = compile_model(read_model(proto)).create_infer_request().infer({"x": x})[0]
    np.testing.assert_array_equal(found, np.array([9 + 3, 9, 255], np.uint8))


@pytest.mark.parametrize("has_points", [False, True])
def test_dynamically_quantized_products(has_points: bool):
    each = node("DynamicQuantizeMatMul", "x w s p b" if has_points else "x w s", "y")
    constants = {
        "w": weights(6, 4),
        "s": np.array([0.01, 0.02, 0.03, 0.04], np.float32),
        "p": np.array([1, -2, 3, 0], np.int8),
        "b": random(4),
    }
    proto = of_runtime(each, inputs={"x": (FLOAT, [2, 3, 6])}, outputs="y", constants=constants)
    check(proto, {"x": random(2, 3, 6)}, 1e-4)
    rows = [row for row in precision_report(read_model(proto)) if row["type"] == "MatMul"]
    assert {each for row in rows for each in row["inputs"]} == {"u8", "i8"}


def test_products_of_codes():
    each = node("MatMulIntegerToFloat", "x w s t z p b", "y")
    constants = {
        "w": weights(6, 4),
        "s": np.array(0.03, np.float32),
        "t": np.array([0.01, 0.02, 0.03, 0.04], np.float32),
        "z": np.array(7, np.uint8),
        "p": np.array(2, np.int8),
        "b": random(4),
    }
    proto = of_runtime(each, inputs={"x": (U8, [2, 3, 6])}, outputs="y", constants=constants)
    check(proto, {"x": codes(2, 3, 6)}, 1e-4)


@pytest.mark.parametrize("units", [1, 12])
def test_lstms_with_weights_in_codes(units: int):
    each = node("DynamicQuantizeLSTM", "x w r b - - - - s p t q", "y h c", hidden_size=3)
    each.attribute.append(helper.make_attribute("direction", "bidirectional"))
    shape = (2,) if units == 1 else (2, units)
    constants = {
        "w": weights(2, 4, 12),
        "r": weights(2, 3, 12),
        "b": random(2, 24),
        **{name: np.abs(random(*shape, seed=n)) * 0.01 + 0.004 for n, name in enumerate("st")},
        **dict.fromkeys("pq", np.zeros(shape, np.int8)),
    }
    ports = {"x": (FLOAT, [3, 1, 4])}
    proto = of_runtime(each, inputs=ports, outputs="y h c", constants=constants)
    check(proto, {"x": random(3, 1, 4)}, 0.03)  # ONNX Runtime rounds inputs and states


def test_an_operator_that_is_not_there_is_named():
    each = node("DynamicTimeWarping", "x", "y")
    proto = of_runtime(each, inputs={"x": (FLOAT, [2])}, outputs="y")
    with pytest.raises(
        DiagnosticException, match=r"com\.microsoft\.DynamicTimeWarping 'y': this operator of"
    ):
        read_model(proto)
