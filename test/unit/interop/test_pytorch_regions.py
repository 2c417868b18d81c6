"""Regions of torchvision without a number of points."""

from typing import Any

import numpy as np
import openvino
import pytest
from openvino import opset9

from lowstream.interop.pytorch.regions import with_adaptive_points

Model: Any = openvino.Model  # its stub binds the one of another module


@pytest.mark.parametrize(("given", "wanted"), [(-1, 0), (0, 0), (2, 2)])
def test_a_negative_ratio_is_as_many_points_as_a_bin_is_large(given: int, wanted: int):
    image = opset9.parameter([1, 2, 6, 6], np.float32)
    boxes = opset9.constant(np.array([[0, 0, 5, 4]], np.float32))
    regions = opset9.roi_align(
        image, boxes, opset9.constant(np.array([0])), 3, 2, given, 0.5, "avg", "half_pixel"
    )
    regions.set_friendly_name("regions")
    model = with_adaptive_points(Model([opset9.relu(regions)], [image]))
    (found,) = (node for node in model.get_ordered_ops() if node.get_type_name() == "ROIAlign")
    assert found.get_friendly_name() == "regions"
    assert found.get_attributes() == regions.get_attributes() | {"sampling_ratio": wanted}
