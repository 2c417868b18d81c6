"""Classifiers, regressors and encoders of `ai.onnx.ml`, without strings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, INT64, Array, check, model, random

X = random(6, 5)


def learned(type: str, feeds: dict[str, Array], outputs: str, **attributes: Any) -> ModelProto:
    each = helper.make_node(
        type, list(feeds), outputs.split(), outputs[0], domain="ai.onnx.ml", **attributes
    )
    kinds = {np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64}
    ports = {name: (kinds[array.dtype], array.shape) for name, array in feeds.items()}
    proto = model([each], ports, outputs)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    return proto


def numbers(count: int, seed: int) -> list[float]:
    return random(count, seed=seed).tolist()


@pytest.mark.parametrize("how", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"])
@pytest.mark.parametrize(("scores", "labels"), [(3, [3, 5, 7]), (2, [4, 9]), (1, [4, 9])])
def test_linear_classifiers(how: str, scores: int, labels: list[int]):
    weights = {"coefficients": numbers(5 * scores, 1), "intercepts": numbers(scores, 2)}
    flags = {"classlabels_ints": labels, "post_transform": how}
    check(learned("LinearClassifier", {"x": X}, "y p", **weights, **flags), {"x": X})


@pytest.mark.parametrize(
    ("type", "outputs", "attributes"),
    [
        ("LinearRegressor", "y", {}),
        ("LinearClassifier", "y p", {"classlabels_ints": [4, 9], "intercepts": [0.5]}),
    ],
)
def test_a_vector_is_one_row(type: str, outputs: str, attributes: dict[str, Any]):
    check(
        learned(type, {"x": X[0]}, outputs, coefficients=numbers(5, 1), **attributes), {"x": X[0]}
    )


@pytest.mark.parametrize("how", ["SOFTMAX", "SOFTMAX_ZERO"])
def test_scores_of_two_labels_by_support_vectors_are_shares(how: str):
    """ONNX Runtime gives 1 minus the second score, and this."""
    found = compile_model(read_model(votes([4, 9], post_transform=how)))({"x": X})["p"]
    scores = compile_model(read_model(votes([4, 9])))({"x": X})["p"]
    powers = np.exp(np.asarray(scores, np.float64))
    np.testing.assert_allclose(found, powers / powers.sum(1, keepdims=True), 1e-5, 1e-7)


@pytest.mark.parametrize("kernel", ["LINEAR", "RBF", "POLY", "SIGMOID"])
@pytest.mark.parametrize("one_class", [0, 1])
def test_support_vectors(kernel: str, one_class: int):
    flags = {
        "kernel_type": kernel,
        "kernel_params": [0.2, 0.1, 3.0],
        "n_supports": 4,
        "rho": [0.3],
        "one_class": one_class,
    }
    vectors = {"coefficients": numbers(4, 1), "support_vectors": numbers(20, 2)}
    check(learned("SVMRegressor", {"x": X}, "y", **vectors, **flags), {"x": X})


def votes(labels: list[int], **attributes: Any) -> ModelProto:
    """An SVMClassifier with three support vectors of each label."""
    pairs, supports = len(labels) * (len(labels) - 1) // 2, 3 * len(labels)
    shared: dict[str, Any] = {
        "classlabels_ints": labels,
        "vectors_per_class": [3] * len(labels),
        "support_vectors": numbers(5 * supports, 2),
        "coefficients": numbers((len(labels) - 1) * supports, 3),
        "rho": numbers(pairs, 4),
        "kernel_params": [0.2, 0.1, 3.0],
    }
    return learned("SVMClassifier", {"x": X}, "y p", **(shared | attributes))


@pytest.mark.parametrize("kernel", ["LINEAR", "RBF", "POLY", "SIGMOID"])
@pytest.mark.parametrize("labels", [[4, 9], [3, 5, 7], [8, 1, 2, 6]])
def test_classifiers_of_support_vectors(kernel: str, labels: list[int]):
    check(votes(labels, kernel_type=kernel), {"x": X})


def with_strings(proto: ModelProto, outputs: list[str]) -> ModelProto:
    """The same classifier with strings as labels, of which the graph has these outputs."""
    (node,) = proto.graph.node
    (labels,) = (each for each in node.attribute if each.name.startswith("classlabels"))
    strings = [f"label {number}" for number in labels.ints]
    node.attribute.remove(labels)
    node.attribute.append(helper.make_attribute("classlabels_strings", strings))
    kept = [each for each in proto.graph.output if each.name in outputs]
    del proto.graph.output[:]
    proto.graph.output.extend(kept)
    return proto


def linear() -> ModelProto:
    given = {"coefficients": numbers(15, 2), "intercepts": numbers(3, 3)}
    return learned("LinearClassifier", {"x": X}, "y p", classlabels_ints=[3, 5, 7], **given)


@pytest.mark.parametrize("make", [linear, lambda: votes([3, 5, 7]), lambda: votes([4, 9])])
def test_scores_of_labels_that_are_strings(make: Callable[[], ModelProto]):
    check(with_strings(make(), ["p"]), {"x": X})
    with pytest.raises(DiagnosticException, match="its labels are strings; train the model"):
        read_model(with_strings(make(), ["y", "p"]))


@pytest.mark.parametrize(
    "shares", [[0.3, 0.7], [0.505, 0.495], [0.2, 0.5, 0.3], [0.1, 0.2, 0.3, 0.4]]
)
def test_probabilities_agree_with_those_of_each_two_labels(shares: list[float]):
    """ONNX Runtime stops up to 0.005 away: of 0.505 and 0.495 it makes two halves."""
    pairs = list(combinations(shares, 2))
    given = {
        "coefficients": [0.0] * (len(shares) - 1) * 3 * len(shares),
        "rho": [float(np.log(a / b)) for a, b in pairs],
        "prob_a": [-1.0] * len(pairs),
        "prob_b": [0.0] * len(pairs),
    }
    labels = list(range(len(shares)))
    found = compile_model(read_model(votes(labels, **given)))({"x": X})
    np.testing.assert_allclose(found["p"], [shares] * len(X), atol=2e-6)
    assert (found["y"] == np.argmax(shares)).all()


@pytest.mark.parametrize(
    ("x", "lists"),
    [
        ([0, 3, 2, 1], {"keys_int64s": [0, 1, 2], "values_floats": [0.5, 3.0, np.inf]}),
        ([[0, 3], [2, 1]], {"keys_int64s": [0, 1, 2, 1], "values_int64s": [5, 2**40, 3, 7]}),
        ([0.5, 1.0, 2.0], {"keys_floats": [1.0, 0.5], "values_int64s": [7, 8], "default_int64": 4}),
    ],
)
def test_labels(x: Any, lists: dict[str, Any]):
    array = np.array(x)
    array = array if array.dtype == np.int64 else array.astype(np.float32)
    check(learned("LabelEncoder", {"x": array}, "y", **lists), {"x": array})


def test_categories_and_features():
    x = np.array([[0, 4], [2, 1]])
    check(learned("OneHotEncoder", {"x": x}, "y", cats_int64s=[0, 1, 2], zeros=1), {"x": x})
    two = {"x": random(3, 2), "z": random(3, 4)}
    check(learned("FeatureVectorizer", two, "y", inputdimensions=[2, 4]), two)


@pytest.mark.parametrize(
    ("type", "attributes", "text"),
    [
        (
            "LinearRegressor",
            {"coefficients": [1.0] * 5, "post_transform": "LOGISTIC"},
            "post_transform 'LOGISTIC' is not supported",
        ),
        (
            "SVMRegressor",
            {"coefficients": [1.0] * 5, "rho": [0.0], "post_transform": "PROBIT"},
            "post_transform 'PROBIT' is not supported; use NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO",
        ),
        ("LabelEncoder", {"keys_strings": ["a"], "values_int64s": [1]}, "its keys are strings"),
        ("OneHotEncoder", {"cats_strings": ["a"]}, "its categories are strings"),
        (
            "LinearClassifier",
            {"coefficients": [1.0] * 5, "classlabels_strings": ["a"]},
            "its labels are strings; train the model with numbers",
        ),
        ("LinearClassifier", {"coefficients": [1.0] * 5}, "it has no labels; give it classlabels"),
        ("FeatureVectorizer", {"inputdimensions": [2]}, "are not those of its inputs"),
        ("SVMClassifier", {"classlabels_ints": [0, 1]}, "no support vectors; use LinearClassifier"),
        (
            "ZipMap",
            {"classlabels_int64s": [0, 1]},
            r"options={'zipmap': False} \(onnxmltools: zipmap=False\), or take its input 'x' as the output",
        ),
    ],
)
def test_what_is_refused(type: str, attributes: dict[str, Any], text: str):
    outputs = "y p" if "Classifier" in type else "y"
    with pytest.raises(DiagnosticException, match=text):
        read_model(learned(type, {"x": X}, outputs, **attributes))
