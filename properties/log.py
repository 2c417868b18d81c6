"""Properties of messages: OpenVINO's `openvino.properties.log`."""

from __future__ import annotations

from enum import StrEnum

from .property import Property


class Level(StrEnum):
    """Which messages are logged: none."""

    NO = "LOG_NONE"


level = Property("LOG_LEVEL")
