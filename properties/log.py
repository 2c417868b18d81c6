"""Properties of messages: OpenVINO's `openvino.properties.log`."""

from __future__ import annotations

from .property import Property

level = Property("LOG_LEVEL")
