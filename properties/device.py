"""Properties of the device: OpenVINO's `openvino.properties.device`."""

from __future__ import annotations

from .property import Property

architecture = Property("DEVICE_ARCHITECTURE")
capabilities = Property("OPTIMIZATION_CAPABILITIES")
full_name = Property("FULL_DEVICE_NAME")
type = Property("DEVICE_TYPE")
