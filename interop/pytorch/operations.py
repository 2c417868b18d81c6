"""Operators of PyTorch that are operations of OpenVINO, which its front end has no rule for in exported programs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_REDUCTIONS = {"sum": "sum", "prod": "prod", "mean": "mean", "amax": "max", "amin": "min"}
"""OpenVINO's names of those of PyTorch's `scatter_reduce`."""


def as_operations() -> list[Any]:
    """The extensions of OpenVINO's front end that say so."""
    kind = import_module("openvino.frontend.pytorch").ConversionExtension
    return [
        kind("aten.scatter_reduce.two", _scatter_reduce),
        kind("torchvision.nms.default", _suppression),
        kind("aten.bitwise_right_shift.Tensor", _shift_right),
        kind("aten.bitwise_right_shift.Tensor_Scalar", _shift_right),
        kind("aten.__rshift__.Scalar", _shift_right),
        kind("aten.__rshift__.Tensor", _shift_right),
    ]


def _opset() -> Any:
    return import_module("openvino.opset15")


def _scatter_reduce(node: Any) -> list[Any]:
    """With the elements that are there; without them it is decomposed before, as a node does not say which it is."""
    data, index, source = (node.get_input(i) for i in (0, 2, 3))
    axis = node.get_values_from_const_input(1)
    reduction = bytes(node.get_input(4).get_node().get_data()).decode()
    opset = _opset()
    if source.get_partial_shape() != index.get_partial_shape():
        ends, rank = opset.shape_of(index), index.get_partial_shape().rank.get_length()
        zeros, ones = ([each] * rank for each in (0, 1))
        source = opset.slice(source, zeros, ends, ones)
    return opset.scatter_elements_update(
        data, index, source, opset.constant(int(axis)), _REDUCTIONS[reduction]
    ).outputs()


def _shift_right(node: Any) -> list[Any]:
    opset = _opset()
    value, by = (node.get_input(i) for i in range(2))
    return opset.bitwise_right_shift(value, opset.convert_like(by, value)).outputs()


def _suppression(node: Any) -> list[Any]:
    """Torchvision's `nms`: indices of boxes, the best ones first."""
    opset = _opset()
    boxes, scores = (node.get_input(i) for i in range(2))
    batches = (opset.unsqueeze(boxes, [0]), opset.unsqueeze(scores, [0, 1]))
    most = opset.gather(opset.shape_of(scores), [0], [0])
    found = opset.non_max_suppression(
        *batches, most, node.get_input(2), sort_result_descending=False
    )
    return opset.squeeze(opset.gather(found.output(0), [2], [1]), [1]).outputs()
