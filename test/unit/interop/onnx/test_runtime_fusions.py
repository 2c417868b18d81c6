"""
Operators that ONNX Runtime fuses for diffusion models, decoders, hyper-connections and images, as it computes them;
those that it has no kernels of for CPUs, as the operators that they stand for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import Array, check, model, node, random, runtime
from lowstream.test.unit.interop.onnx.test_runtime_operators import codes
from lowstream.test.unit.interop.onnx.test_runtime_rest import ELEMENTS, put

I16, U16 = 5, 4
ELEMENTS |= {"int16": I16, "uint16": U16}


def plain(nodes: list[Any], given: dict[str, Array], constants: dict[str, Array]) -> list[Array]:
    """What ONNX Runtime makes of ONNX's own operators."""
    ports = {name: (ELEMENTS[a.dtype.name], a.shape) for name, a in given.items()}
    return runtime(model(nodes, ports, " ".join(nodes[-1].output), constants), given)


def results(proto: ModelProto, given: dict[str, Array]) -> list[Array]:
    return [*compile_model(read_model(proto)).create_infer_request().infer(given).values()]


def same(
    each: Any, given: dict[str, Array], constants: dict[str, Array], nodes: list[Any], at: int = 0
):
    """A result of an operator without kernels is that of ONNX's own operators."""
    outputs = " ".join(each.output)
    found = results(put(each, given, constants, outputs=outputs), given)[at]
    (wanted,) = plain(nodes, given, constants)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)


X, SKIP, IMAGE = random(2, 3, 8), random(2, 3, 8, seed=1), random(2, 5, 4, 6)
VECTORS = {
    "b": random(8, seed=2),
    "w": random(8, 8, seed=3),
    "v": random(6),
    "u": random(6, seed=1),
}


@pytest.mark.parametrize(
    ("each", "nodes"),
    [
        (node("BiasAdd", "x b k", "y"), [node("Add", "x b", "s"), node("Add", "s k", "y")]),
        (
            node("BiasSplitGelu", "x b", "y"),
            [
                node("Add", "x b", "s"),
                node("Split", "s", "l r", axis=-1, num_outputs=2),
                node("Gelu", "r", "g"),
                node("Mul", "l g", "y"),
            ],
        ),
        (
            node("GemmFastGelu", "x w b", "y"),
            [
                node("MatMul", "x w", "p"),
                node("Add", "p b", "s"),
                node("Gelu", "s", "y", approximate="tanh"),
            ],
        ),
        (
            node("FusedMatMulActivation", "x w", "y", transB=1, alpha=0.5, activation="Relu"),
            [
                node("Transpose", "w", "t"),
                node("MatMul", "x t", "p"),
                node("Constant", "", "h", value_float=0.5),
                node("Mul", "p h", "s"),
                node("Relu", "s", "y"),
            ],
        ),
        (
            node("BiasSoftmax", "x k", "y", axis=1, is_inner_broadcast=1),
            [
                node("Add", "x k", "s"),
                node("Flatten", "s", "f"),
                node("Softmax", "f", "p"),
                node("Shape", "x", "n"),
                node("Reshape", "p n", "y"),
            ],
        ),
        (node("BiasDropout", "x b k", "y"), [node("Add", "x b", "s"), node("Add", "s k", "y")]),
        (node("BitmaskDropout", "x", "y"), [node("Identity", "x", "y")]),
    ],
    ids=lambda each: getattr(each, "op_type", ""),
)
def test_sums_and_activations(each: Any, nodes: list[Any]):
    given = {name: value for name, value in (("x", X), ("k", SKIP)) if name in each.input}
    same(each, given, {name: VECTORS[name] for name in "bw" if name in each.input}, nodes)


NORMAL = [
    node("GroupNormalization", "n v u", "g", num_groups=3, epsilon=1e-3),
    node("Sigmoid", "g", "s"),
    node("Mul", "g s", "m"),
]
TO_FIRST = node("Transpose", "x", "n", perm=[0, 3, 1, 2])
TO_LAST = node("Transpose", "m", "y", perm=[0, 2, 3, 1])


def test_group_normalization_of_pixels():
    flags = {"groups": 3, "epsilon": 1e-3, "activation": 1}
    vectors = {name: VECTORS[name] for name in "vu"}
    each = node("GroupNorm", "x v u", "y", **flags)
    same(each, {"x": IMAGE}, vectors, [TO_FIRST, *NORMAL, TO_LAST])
    skip, b = random(2, 6, seed=4), random(6, seed=5)
    each = node("SkipGroupNorm", "x v u k b", "y t", **flags)
    found = results(
        put(each, {"x": IMAGE}, vectors | {"k": skip, "b": b}, outputs="y t"), {"x": IMAGE}
    )
    total = IMAGE + skip[:, None, None] + b
    np.testing.assert_allclose(found[1], total, 1e-6, 1e-6)
    (wanted,) = plain([TO_FIRST, *NORMAL, TO_LAST], {"x": total}, vectors)
    np.testing.assert_allclose(found[0], wanted, 1e-4, 1e-5)


@pytest.mark.parametrize("type", ["NhwcConv", "NhwcFusedConv"])
def test_convolutions_with_channels_last(type: str):
    filters, last = random(4, 3, 2, 2, seed=1), (0, 2, 3, 1)
    fused = {"activation": "Relu"} if type == "NhwcFusedConv" else {}
    inputs = "x f b z" if fused else "x f b"
    each = node(type, inputs, "y", group=2, strides=[2, 1], **fused)
    constants = {"f": filters if fused else filters.transpose(last), "b": random(4)}
    added = random(2, 2, 3, 4, seed=2)
    constants |= {"z": added} if fused else {}
    (found,) = results(put(each, {"x": IMAGE}, constants), {"x": IMAGE})
    nodes = [TO_FIRST, node("Conv", "n f b", "m", group=2, strides=[2, 1]), TO_LAST]
    (wanted,) = plain(nodes, {"x": IMAGE}, {"f": filters, "b": constants["b"]})
    wanted = np.maximum(wanted + added, 0) if fused else wanted
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)


def test_transposed_convolutions_whose_pads_are_an_input():
    given = {"x": random(1, 3, 4, 5)}
    constants = {"w": random(3, 2, 3, 3), "p": np.array([1, 0, 1, 2]), "b": random(2)}
    each = node("ConvTransposeWithDynamicPads", "x w p b", "y", strides=[2, 1])
    check(put(each, given, constants), given)


def test_products_of_sparse_matrices():
    """ONNX Runtime runs it of sparse inputs alone: it is a product."""
    given, places = {"x": random(4, 3)}, np.array([1, 6], np.int64)
    proto = put(node("SparseToDenseMatMul", "s x", "y", alpha=2.0), given)
    values = numpy_helper.from_array(random(2), "s")
    indices = numpy_helper.from_array(places, "i")
    proto.graph.sparse_initializer.append(helper.make_sparse_tensor(values, indices, [2, 4]))
    dense = np.zeros(8, np.float32)
    dense[places] = random(2)
    (found,) = results(proto, given)
    np.testing.assert_allclose(found, 2 * dense.reshape(2, 4) @ given["x"], 1e-5, 1e-6)


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize("sizes", [(3, 2), (1, 4)])
def test_crops(mode: str, sizes: tuple[int, int]):
    boxes = np.array([[0.1, 0, 0.8, 1], [0.7, 0.8, 0.2, -0.3], [5 / 6, 0, 5 / 6, 1.2]], np.float32)
    constants = {"i": np.array([1, 0, 1], np.int32), "c": np.array(sizes, np.int32)}
    each = node("CropAndResize", "x r i c", "y", mode=mode, extrapolation_value=7.0)
    check(put(each, {"x": IMAGE, "r": boxes}, constants), {"x": IMAGE, "r": boxes}, 1e-4)


@pytest.mark.parametrize(
    ("shape", "flags"),
    [
        ((1, 4, 9), {"kernel_shape": [3], "strides": [2], "pads": [1, 0]}),
        ((2, 2, 5, 7), {"kernel_shape": [2, 3], "pads": [0, 1, 1, 1]}),
        ((1, 2, 3, 4, 5), {"kernel_shape": [2, 1, 2], "auto_pad": "SAME_UPPER"}),
    ],
)
def test_maxima_in_front_of_what_does_not_count(shape: tuple[int, ...], flags: Any):
    mask = np.random.default_rng(1).integers(0, 3, (1, 1, *shape[2:])).astype(np.int32)
    given = {"x": random(*shape)}
    check(put(node("MaxpoolWithMask", "x m", "y", **flags), given, {"m": mask}), given)


@pytest.mark.parametrize(
    "flags", [{"size": 2}, {"size": 3, "step": 2, "dim": 1}, {"size": 2, "dim": 0}]
)
def test_slices_of_a_dimension(flags: Any):
    given = {"x": random(2, 7, 4)}
    check(put(node("UnfoldTensor", "x", "y", **flags), given), given)


@pytest.mark.parametrize("kind", [np.int16, np.uint16])
def test_integers_of_16_bits(kind: Any):
    """ONNX Runtime has no kernel of unsigned ones. Sums wrap around."""
    a, b = (codes(*shape, type=kind) for shape in ((2, 3, 50), (50, 4)))
    given = {"a": a, "b": b}
    proto = put(node("MatMulInteger16", "a b", "y"), given)
    (found,) = results(proto, given)
    exact = a.astype(np.int64) @ b.astype(np.int64)
    wanted = runtime(proto, given)[0] if kind is np.int16 else exact.astype(np.uint32)
    assert found.dtype == wanted.dtype and (exact != wanted).any()
    np.testing.assert_array_equal(found, wanted)


def test_integers_of_8_bits():
    a, b = np.arange(6, dtype=np.uint8).reshape(2, 3) * 50, np.array([3, 200, 255], np.uint8)
    points = {"p": np.array(7, np.uint8), "q": np.array(90, np.uint8)}
    (found,) = results(
        put(node("MulInteger", "a p b q", "y"), {"a": a}, points | {"b": b}), {"a": a}
    )
    np.testing.assert_array_equal(found, (a.astype(np.int32) - 7) * (b.astype(np.int32) - 90))
    (found,) = results(
        put(node("ReduceSumInteger", "a", "y", axes=[1], keepdims=0), {"a": a}), {"a": a}
    )
    np.testing.assert_array_equal(found, a.sum(1, np.uint32))


STREAMS = {"x": random(2, 3, 4, 6), "v": random(2, 3, 6, seed=1)}


@pytest.mark.parametrize(
    ("each", "constants"),
    [
        (node("GatedAdd", "v v g", "y"), {"g": random(2, 3, 1)}),
        (node("ScaledSiLU", "x", "y", alpha=0.7), {}),
        (node("ScaledSiLU", "x g", "y"), {"g": np.array(0.3, np.float32)}),
        (node("BranchwiseRMSNorm", "x", "y", epsilon=0.1), {}),
        *(
            (node("BranchwiseRMSNorm", "x g", "y"), {"g": random(*shape)})
            for shape in ((24,), (4, 6), (6,))
        ),
        (node("BranchwiseRMSNorm", "v g", "y", num_branches=2), {"g": random(6)}),
        *(
            (
                node("HyperConnectionPreMix", "x g", "y", reduction_scale=0.5),
                {"g": random(2, 3, *shape)},
            )
            for shape in ((4,), (4, 1), (4, 6))
        ),
        (node("HyperConnectionPreMix", "v g", "y", num_branches=2), {"g": random(2, 3, 6)}),
        (node("HyperConnectionPostMix", "x v g", "y"), {"g": random(2, 3, 4)}),
        (
            node("HyperConnectionPostMix", "x v g m", "y"),
            {"g": random(2, 3, 4, 6), "m": random(2, 3, 4, 4)},
        ),
    ],
    ids=lambda each: getattr(each, "op_type", ""),
)
def test_hyper_connections(each: Any, constants: dict[str, Array]):
    given = {name: value for name, value in STREAMS.items() if name in each.input}
    check(put(each, given, constants), given)


@pytest.mark.parametrize("outputs", ["y", "y z"])
def test_gates_of_what_is_remembered(outputs: str):
    given = {name: random(2, 3, 4, 6, seed=n) for n, name in enumerate("kq")} | {"v": STREAMS["v"]}
    constants = {name: random(4, 6, seed=n) for n, name in enumerate("abc", 5)}
    each = node("EngramGate", "k q v a b" + " c" * (outputs != "y"), outputs, epsilon=0.1)
    constants = {name: value for name, value in constants.items() if name in each.input}
    check(put(each, given, constants, outputs=outputs), given)


@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_repeated_sequences_of_tokens(size: int):
    ids = np.array([[1, 2, 3, 1, 2], [4, 4, 4, 0, 4]], np.int64)
    given = {"i": ids, "s": random(2, 6)}
    check(put(node("NGramRepeatBlock", "i s", "y", ngram_size=size), given), given)


@pytest.mark.parametrize("both", [0, 1])
def test_relative_positions(both: int):
    table, (rows, columns) = random(8, 3), (5, 30)
    each = node("RelativePositionBias", "t q k", "y", max_distance=20, is_bidirectional=both)
    constants = {"q": np.array([rows], np.int64), "k": np.array([columns], np.int64)}
    (found,) = results(put(each, {"t": table}, constants), {"t": table})
    ahead = np.arange(columns) - np.arange(rows)[:, None]
    half = 4 if both else 8
    far, near = np.abs(ahead) if both else np.maximum(-ahead, 0), half // 2
    steps = near + np.log(np.maximum(far, 1) / near) / np.log(20 / near) * (half - near)
    bucket = np.where(far < near, far, np.minimum(steps.astype(int), half - 1))
    bucket += half * (ahead > 0) * both
    np.testing.assert_array_equal(found, table[bucket].transpose(2, 0, 1)[None])


def test_gates_of_relative_positions():
    given = {"x": random(2, 3, 8), "p": random(1, 2, 3, 3, seed=1)}
    constants = {
        "b": random(8, seed=2),
        "w": random(4, 6, seed=3),
        "c": random(6, seed=4),
        "e": random(1, 2, 1, 1, seed=5),
    }
    each = node("GatedRelativePositionBias", "x b p w c e", "y", num_heads=2)
    (found,) = results(put(each, given, constants), given)
    query = (given["x"] + constants["b"]).reshape(2, 3, 2, 4).transpose(0, 2, 1, 3)
    sums = (query @ constants["w"] + constants["c"]).reshape(2, 2, 3, 2, 3).sum(-1)
    u, r = np.split(1 / (1 + np.exp(-sums)), 2, -1)
    np.testing.assert_allclose(found, (u * (r * constants["e"] - 1) + 2) * given["p"], 1e-5, 1e-5)


@pytest.mark.parametrize("flags", [{}, {"isnan_only": 1}, {"isinf_only": 1}])
@pytest.mark.parametrize("value", [0.0, np.nan, -np.inf])
def test_whether_all_is_finite(flags: Any, value: float):
    given = {"x": random(2, 3), "z": np.array([1, value], np.float32)}
    (found,) = results(put(node("IsAllFinite", "x z", "y", **flags), given), given)
    is_bad = (np.isnan(value) and "isinf_only" not in flags) or (
        np.isinf(value) and "isnan_only" not in flags
    )
    assert bool(found) is not is_bad


@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("layout", [0, 1])
@pytest.mark.parametrize("shape", [(2, 3, 2 * 12), (2, 2, 3, 12)])
def test_positions_in_time_height_and_width(shape: tuple[int, ...], layout: int, interleaved: int):
    flags = {"mrope_layout": layout, "interleaved": interleaved, "num_heads": 2}
    each = node("MRotaryEmbedding", "x p c s", "y", mrope_section=[2, 3, 1], **flags)
    angles = random(9, 6)
    given = {"x": random(*shape), "p": np.random.default_rng(1).integers(0, 9, (3, 2, 3))}
    check(put(each, given, {"c": np.cos(angles), "s": np.sin(angles)}), given)


def test_queries_and_keys_turned_by_their_angles():
    states = {name: random(2, 2, 3, 4, seed=n) for n, name in enumerate(("q", "r", "k", "t"))}
    given = {"e": random(2, 3, 4, seed=7)} | states
    each = node("GemmaRotaryEmbedding", "e q r k t", "y z")
    found = results(put(each, given, outputs="y z"), given)
    angle = given["e"][:, None]
    for value, (own, turned) in zip(found, (("q", "r"), ("k", "t")), strict=True):
        wanted = given[own] * np.cos(angle) + given[turned] * np.sin(angle)
        np.testing.assert_allclose(value, wanted, 1e-5, 1e-5)


@pytest.mark.parametrize(
    ("each", "what"),
    [
        (node("BitmaskDropout", "x", "y m"), "the mask is a result of training"),
        (node("UnfoldTensor", "x", "y", size=9), "slices of 9 elements"),
        (node("GroupNorm", "x b b", "y", groups=2, activation=2), "activation 2 is not supported"),
        (node("IsAllFinite", "x", "y", isnan_only=1, isinf_only=1), "exclude each other"),
        (node("BranchwiseRMSNorm", "x", "y", num_branches=3), "num_branches 3 does not divide"),
        (
            node("MRotaryEmbedding", "x p w w", "y", mrope_section=[1, 1, 1]),
            r"does not share 8 pairs",
        ),
    ],
    ids=lambda each: getattr(each, "op_type", ""),
)
def test_refused(each: Any, what: str):
    constants = {name: VECTORS[name] for name in "bw" if name in each.input}
    constants |= {"p": np.zeros((3, 2, 3), np.int64)} if "p" in each.input else {}
    with pytest.raises(DiagnosticException, match=what):
        read_model(put(each, {"x": X}, constants))
