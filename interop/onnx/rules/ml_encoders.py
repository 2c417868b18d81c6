"""Operators of the domain `ai.onnx.ml` that look numbers up in lists, or put features together."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, tensor
from ....reference.arrays import Array, array_of, blob_of
from ..node import Node, Values
from ..rule_table import rule
from .elements import converted

_STRINGS = "its {} are strings; encode them outside of the model, and give it numbers"


@rule("ai.onnx.ml.LabelEncoder")
def label_encoder(node: Node) -> Values:
    """The value of a key, or the default. Of equal keys the first counts."""
    write, x = node.write, node[0]
    keys, values = (_listed(node, which) for which in ("keys", "values"))
    default = _default(node, values)
    _, first = np.unique(keys, return_index=True)
    found = _is_one_of(node, x, keys[first])
    zero = write.constant(blob_of(np.zeros((), values.dtype)))
    chosen = write(nn.SelectOp, found, write.constant(blob_of(values[first])), zero)
    last = write.integers(-1)
    total = write(nn.ReduceSumOp, chosen, last)
    known = write(nn.ReduceLogicalOrOp, found, last)
    return write(nn.SelectOp, known, total, write.constant(blob_of(default)))


@rule("ai.onnx.ml.OneHotEncoder")
def one_hot_encoder(node: Node) -> Values:
    """For each category, whether it is that one, as 1 or 0. A number that is none of them gives zeros."""
    if not (categories := node("cats_int64s")):
        raise node.refuse(_STRINGS.format("categories"))
    return converted(node, _is_one_of(node, node[0], np.array(categories)), f32)


@rule("ai.onnx.ml.FeatureVectorizer")
def feature_vectorizer(node: Node) -> Values:
    """Features side by side."""
    parts = [converted(node, node[i], f32) for i in range(len(node.inputs))]
    parts = [
        node.write.reshaped(part, (1, -1)) if len(shape_of(part)) == 1 else part for part in parts
    ]
    sizes = list(node("inputdimensions") or [])
    if sizes != [shape_of(part)[-1] for part in parts]:
        raise node.refuse(
            f"inputdimensions {sizes} are not those of its inputs, which is not supported; cut or pad the features"
        )
    return node.write.joined(parts, 1)


def _is_one_of(node: Node, x: SSAValue, these: Array) -> SSAValue:
    """`[…, which]`"""
    apart = node.write(nn.UnsqueezeOp, x, node.write.integers(-1))
    known = node.write.constant(blob_of(these.astype(np.float64), tensor(x).element_type))
    return node.write(nn.EqualOp, apart, known)


def _listed(node: Node, which: str) -> Array:
    for name, dtype in ((f"{which}_int64s", np.int64), (f"{which}_floats", np.float32)):
        if numbers := node(name):
            return np.array(numbers, dtype)
    if (value := node(f"{which}_tensor")) is None:
        raise node.refuse(_STRINGS.format(which))
    return _array(node, value).reshape(-1)


def _default(node: Node, values: Array) -> Array:
    if (given := node("default_tensor")) is not None:
        return _array(node, given).reshape(())
    is_float = np.issubdtype(values.dtype, np.floating)
    given = node("default_float", -0.0) if is_float else node("default_int64", -1)
    return np.array(given, values.dtype)


def _array(node: Node, value: Any) -> Array:
    blob = nn.constant_of(node.scope.constant(value, ""))
    assert blob is not None
    return array_of(blob)


@rule("ai.onnx.ml.ZipMap")
def zip_map(node: Node) -> Values:
    """Dictionaries of scores by label, which skl2onnx and onnxmltools write by default, and CatBoost always."""
    scores = next(name for name, value in node.scope.values.items() if value is node[0])
    raise node.refuse(
        "dictionaries are no tensors; convert the model with options={'zipmap': False} (onnxmltools: zipmap=False), or "
        f"take its input '{scores}' as the output in its place (onnx.utils.extract_model)"
    )
