"""The `openvino` package, imported without its telemetry."""

from __future__ import annotations

import sys
from typing import Any

TELEMETRY = "openvino_telemetry"
"""What `import openvino` sends a message to the network with, and makes folders in the user's home."""


def import_openvino() -> Any:
    """
    The package. Where nobody imported it before it is told, while it is imported, that the package it reports
    with is not installed: it does without. Raises ImportError where there is no `openvino`.
    """
    if "openvino" not in sys.modules:
        before = sys.modules.get(TELEMETRY)
        sys.modules[TELEMETRY] = None  # pyright: ignore[reportArgumentType] (the import system's word for "none")
        try:
            import openvino
        finally:
            del sys.modules[TELEMETRY]
            if before is not None:
                sys.modules[TELEMETRY] = before
    import openvino

    return openvino
