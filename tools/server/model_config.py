"""A model as Triton's `config` describes it, which its tools ask for before they send anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .protocol import metadata_of

if TYPE_CHECKING:
    from ...runtime.ports import Port
    from .service import Service

MICROSECONDS = 1_000_000


def config_of(name: str, service: Service) -> dict[str, Any]:
    """Of the fields, those that say something here; the first dimension is part of the shapes."""
    config: dict[str, Any] = {
        "name": name,
        "platform": "lowstream",
        "max_batch_size": 0,
        "input": _tensors(service.inputs),
        "output": _tensors(service.outputs),
    }
    if service.has_states:
        idle = int(service.idle * MICROSECONDS)
        config["sequence_batching"] = {"max_sequence_idle_microseconds": idle}
    return config


def _tensors(ports: Iterable[Port]) -> list[dict[str, Any]]:
    described = map(metadata_of, ports)
    return [
        {"name": each["name"], "data_type": f"TYPE_{each['datatype']}", "dims": each["shape"]}
        for each in described
    ]
