"""Regions of torchvision: how many points it takes where it does not say a number."""

from __future__ import annotations

from typing import Any

from ..openvino.package import import_openvino


def with_adaptive_points(model: Any) -> Any:
    """
    An OpenVINO model of PyTorch's front end, changed in place: a ROIAlign whose `sampling_ratio` is negative, as it is
    unless a program says another, takes as many points as a bin is large. OpenVINO calls that 0.
    """
    for node in model.get_ordered_ops():
        if node.get_type_name() != "ROIAlign":
            continue
        attributes = node.get_attributes()
        if attributes["sampling_ratio"] >= 0:
            continue
        values = (each.get_source_output() for each in node.inputs())
        adaptive = import_openvino().opset9.roi_align(*values, **attributes | {"sampling_ratio": 0})
        adaptive.set_friendly_name(node.get_friendly_name())
        node.output(0).replace(adaptive.output(0))
    return model
