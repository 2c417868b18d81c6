"""Operators of the domain `ai.onnx.ml` that compute with numbers: scaling, imputing, linear regression."""

from __future__ import annotations

from math import isnan

from xdsl.dialects.builtin import AnyFloat, TensorType, f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import shape_of, tensor
from ..node import Node, Values
from ..rule_table import of_lists, rule
from .elements import converted


def _row(node: Node, numbers: list[float], like: SSAValue) -> SSAValue:
    """Numbers of the element type of a value, one for each feature or one for all."""
    type = TensorType(tensor(like).element_type, [len(numbers)])
    return node.write.constant(BlobAttr.of(type, numbers))


def rows(node: Node) -> SSAValue:
    """The input as rows of f32; a vector is one."""
    x = converted(node, node[0], f32)
    return node.write(nn.UnsqueezeOp, x, node.write.integers(0)) if node.rank() == 1 else x


@rule("ai.onnx.ml.Scaler")
def scaler(node: Node) -> Values:
    """`(x - offset) * scale`"""
    write, x = node.write, converted(node, node[0], f32)
    moved = write(nn.SubtractOp, x, _row(node, node("offset") or [0.0], x))
    return write(nn.MultiplyOp, moved, _row(node, node("scale") or [1.0], x))


@rule("ai.onnx.ml.Normalizer")
def normalizer(node: Node) -> Values:
    """Each row divided by its largest number, the sum of its magnitudes, or its length; rows of zeros stay."""
    write, x = node.write, converted(node, node[0], f32)
    axis = write.integers(node.rank() - 1)
    kinds = {"MAX": nn.ReduceMaxOp, "L1": nn.ReduceL1Op, "L2": nn.ReduceL2Op}
    if (kind := kinds.get(node("norm", "MAX"))) is None:
        raise node.refuse(f"norm '{node('norm')}' is not supported; use {', '.join(kinds)}")
    norm = write(kind, x, axis, keep_dims=True)
    norm = write(nn.SelectOp, write(nn.EqualOp, norm, 0.0), write.scalar_like(norm, 1.0), norm)
    return write(nn.DivideOp, x, norm)


@rule("ai.onnx.ml.Binarizer")
def binarizer(node: Node) -> Values:
    """Whether numbers are greater than a threshold, as 1 or 0."""
    greater = node.write(nn.GreaterOp, node[0], float(node("threshold", 0.0)))
    return converted(node, greater, node.element())


@rule("ai.onnx.ml.Imputer")
def imputer(node: Node) -> Values:
    """Replaces the number that stands for a missing value."""
    write, x = node.write, node[0]
    if isinstance(tensor(x).element_type, AnyFloat):
        values, missing = node.needed("imputed_value_floats"), node("replaced_value_float", 0.0)
    else:
        values, missing = node.needed("imputed_value_int64s"), node("replaced_value_int64", 0)
    absent = write(nn.IsNanOp, x) if isnan(missing) else write(nn.EqualOp, x, missing)
    return write(nn.SelectOp, absent, _row(node, values, x), x)


@rule("ai.onnx.ml.ArrayFeatureExtractor")
def array_feature_extractor(node: Node) -> Values:
    """Elements at indices along the last axis; a vector counts as one row."""
    write, x = node.write, node[0]
    x = x if node.rank() > 1 else write(nn.UnsqueezeOp, x, write.integers(0))
    indices = write.reshaped(node[1], [-1])
    return write(nn.GatherOp, x, indices, write.integer(len(shape_of(x)) - 1), batch_dims=0)


@rule("ai.onnx.ml.LinearRegressor")
@of_lists
def linear_regressor(node: Node) -> Values:
    """`x @ coefficients.T + intercepts`"""
    write, x = node.write, rows(node)
    targets, numbers = node("targets", 1), node.needed("coefficients")
    if node("post_transform", "NONE") != "NONE":
        raise node.refuse(f"post_transform '{node('post_transform')}' is not supported")
    matrix = write.reshaped(_row(node, numbers, x), [targets, len(numbers) // targets])
    total = write(nn.MatMulOp, x, matrix, transpose_b=True)
    return write(nn.AddOp, total, _row(node, node("intercepts") or [0.0], x))
