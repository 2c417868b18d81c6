"""Behaviours of what configurations and layouts are made of: each property of the CPU as it is, and the helpers."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from .side import A, B, Behaviour, Side

LAYOUTS = ("NCHW", "N...C", "...C", "CHW", "?C", "NDHWC", "")

DIMENSIONS = ("batch", "channels", "depth", "height", "width")

AS_IT_IS: dict[str, tuple[Any, ...]] = {
    "ENABLE_CPU_RESERVATION": (False,),
    "ENABLE_TENSOR_PARALLEL": (False,),
    "ENABLE_WEIGHTLESS": (False,),
    "FORCE_TBB_TERMINATE": (False,),
    "DEVICE_ID": ("",),
    "CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE": (1, 1.0),
    "KEY_CACHE_PRECISION": ("f32",),
    "VALUE_CACHE_PRECISION": ("f32",),
    "KEY_CACHE_GROUP_SIZE": (0,),
    "VALUE_CACHE_GROUP_SIZE": (0, "0"),
    "DEVICE_PROPERTIES": ({"CPU": {"NUM_STREAMS": 1, "PERF_COUNT": True}}, {}),
}

WRONG: dict[str, Any] = {
    "DEVICE_ID": "1",
    "CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE": "much",
    "KEY_CACHE_PRECISION": "text",
    "DEVICE_PROPERTIES": 5,
}


def module(s: Side, name: str) -> Any:
    return import_module(f"{s.name}.{name}")


def configured(config: dict[str, Any]) -> Behaviour:
    return lambda s: s.core.compile_model(s.path("two"), "CPU", config)([A, B])[0]


def helped(helper: str, text: str) -> Behaviour:
    return lambda s: getattr(s.module.layout_helpers, helper)(s.module.Layout(text))


def named(name: str, look: Callable[[Any], Any] = str) -> Behaviour:
    """A property, by its module and its name there."""
    place, _, last = name.rpartition(".")
    return lambda s: look(getattr(module(s, f"properties{place}"), last))


def of_members(name: str, *members: str) -> Behaviour:
    """Whether an enumeration has members of these names."""
    return named(name, lambda found: [hasattr(found, member) for member in members])


CONFIGURING: dict[str, Behaviour] = {
    **{
        f"config: {name}={value!r}": configured({name: value})
        for name, values in AS_IT_IS.items()
        for value in values
    },
    **{f"config: {name}={value!r}": configured({name: value}) for name, value in WRONG.items()},
    **{
        f"layout_helpers.{helper} of {text!r}": helped(helper, text)
        for dimension in DIMENSIONS
        for helper in (f"has_{dimension}", f"{dimension}_idx")
        for text in LAYOUTS
    },
    **{
        f"properties{name}": named(name)
        for name in (
            ".enable_weightless",
            ".force_tbb_terminate",
            ".key_cache_group_size",
            ".key_cache_precision",
            ".value_cache_group_size",
            ".value_cache_precision",
            ".hint.enable_cpu_reservation",
            ".device.id",
            ".intel_cpu.sparse_weights_decompression_rate",
        )
    },
    "properties: log.Level": of_members(".log.Level", "NO"),
    "properties: device.Type": of_members(".device.Type", "INTEGRATED", "DISCRETE"),
    "properties: CacheMode": of_members(".CacheMode", "OPTIMIZE_SPEED"),
    "properties: a capability": lambda s: (
        module(s, "properties.device").Capability.INT8
        in s.core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    ),
    "properties: the type of the device": lambda s: (
        s.core.get_property("CPU", "DEVICE_TYPE") == module(s, "properties.device").Type.INTEGRATED
    ),
    "properties: logged": lambda s: (
        s.core.get_property("CPU", "LOG_LEVEL") == module(s, "properties.log").Level.NO
    ),
}
