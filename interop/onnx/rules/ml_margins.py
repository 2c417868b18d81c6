"""Linear classifiers and support vector regressors of the domain `ai.onnx.ml`."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of
from ....reference.arrays import Array, blob_of
from ..node import Node, Values
from ..rule_table import of_lists, rule
from .elements import converted
from .ml import rows
from .trees import label_of, labels_of, transformed


@rule("ai.onnx.ml.LinearClassifier")
@of_lists
def linear_classifier(node: Node) -> Values:
    """
    The label with the highest score `x @ coefficients.T + intercepts`, and all scores. One score for two labels chooses
    the second where it is positive; the first label's is then 1 minus it, or its opposite's logistic function.
    """
    write, labels = node.write, labels_of(node, "classlabels_ints")
    x, intercepts = rows(node), node("intercepts") or [0.0]
    coefficients = matrix(node.needed("coefficients"), len(intercepts))
    total = write(nn.MatMulOp, x, write.constant(blob_of(coefficients)), transpose_b=True)
    total = write(nn.AddOp, total, write.constant(blob_of(np.array(intercepts, np.float32))))
    how, names = node("post_transform", "NONE"), write.integers(*labels)
    if len(intercepts) == 1:
        if len(labels) != 2:
            raise node.refuse(
                f"one score for {len(labels)} labels is not supported; use two labels"
            )
        which = converted(node, write(nn.GreaterOp, total, 0.0), i64)
        second = transformed(node, total, "NONE" if how.startswith("SOFTMAX") else how)
        total = write.joined([write(nn.SubtractOp, 1.0, second), second], 1)
        how = "NONE"
    else:
        which = write.all(
            nn.TopKOp,
            total,
            write.integer(1),
            axis=1,
            mode="max",
            sort="value",
            index_element_type=i64,
        )[1]
    label = write(nn.GatherOp, names, which, write.integer(0), batch_dims=0)
    return [
        label_of(node, write(nn.SqueezeOp, label, write.integers(1))),
        transformed(node, total, how),
    ]


@rule("ai.onnx.ml.SVMRegressor")
@of_lists
def svm_regressor(node: Node) -> Values:
    """
    `kernel(x, support_vectors) @ coefficients + rho`, or without support vectors `x @ coefficients + rho`; for one
    class its sign.
    """
    write, x = node.write, rows(node)
    coefficients = matrix(node.needed("coefficients"), 1)
    if count := int(node("n_supports", 0)):
        x = kernel(node, x, matrix(node.needed("support_vectors"), count))
    total = write(nn.MatMulOp, x, write.constant(blob_of(coefficients)), transpose_b=True)
    total = write(nn.AddOp, total, float(node.needed("rho")[0]))
    if node("one_class", 0):
        is_inside = write(nn.GreaterOp, total, 0.0)
        return write(
            nn.SelectOp, is_inside, write.scalar_like(total, 1), write.scalar_like(total, -1)
        )
    return transformed(node, total, node("post_transform", "NONE"))


def matrix(numbers: list[float], rows: int) -> Array:
    """Numbers as a matrix of so many rows."""
    return np.array(numbers, np.float32).reshape(rows, -1)


def kernel(node: Node, x: SSAValue, supports: Array) -> SSAValue:
    """How alike rows and support vectors are, `[row, support]`."""
    write, kind = node.write, node("kernel_type", "LINEAR")
    gamma, offset, degree = map(float, node("kernel_params") or (0, 0, 0))
    vectors = write.constant(blob_of(supports))
    if kind == "RBF":
        columns = write(nn.UnsqueezeOp, x, write.integers(1))
        apart = write(nn.SubtractOp, columns, vectors)
        squares = write(nn.MultiplyOp, apart, apart)
        distance = write(nn.ReduceSumOp, squares, write.integers(len(shape_of(columns)) - 1))
        return write(nn.ExpOp, write(nn.MultiplyOp, distance, -gamma))
    product = write(nn.MatMulOp, x, vectors, transpose_b=True)
    if kind == "LINEAR":
        return product
    moved = write(nn.AddOp, write(nn.MultiplyOp, product, gamma), offset)
    match kind:
        case "POLY":
            return write(nn.PowerOp, moved, degree)
        case "SIGMOID":
            return write(nn.TanhOp, moved)
        case _:
            raise node.refuse(
                f"kernel_type '{kind}' is not supported; use LINEAR, POLY, RBF or SIGMOID"
            )
