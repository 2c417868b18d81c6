"""Properties of the device: OpenVINO's `openvino.properties.device`."""

from __future__ import annotations

from enum import StrEnum

from .property import Property


class Type(StrEnum):
    """Whether a device is part of the machine's processor, as this CPU is."""

    INTEGRATED = "INTEGRATED"
    DISCRETE = "DISCRETE"


class Capability:
    """What a device may have, as its capabilities list it."""

    FP32 = "FP32"
    FP16 = "FP16"
    BF16 = "BF16"
    INT16 = "INT16"
    INT8 = "INT8"
    BIN = "BIN"
    WINOGRAD = "WINOGRAD"
    EXPORT_IMPORT = "EXPORT_IMPORT"


architecture = Property("DEVICE_ARCHITECTURE")
capabilities = Property("OPTIMIZATION_CAPABILITIES")
full_name = Property("FULL_DEVICE_NAME")
id = Property("DEVICE_ID")
type = Property("DEVICE_TYPE")
